import Files
import Glibc
import Services
package import Vocabulary
import Workflows

/// The order of steps that touch the same files (`semantics.md` 215), computed for what is about to be stored.
extension OpenWorkspace {
    /// Returns a checked template with the order of its steps.
    ///
    /// - Parameters:
    ///   - workspace: the real path of the workflow's folder.
    ///   - begun: the order of the steps that have begun already, by their dense index. They keep it.
    func ordered(_ checked: CheckedTemplate, in workspace: String, begun: [Int: StepOrder] = [:]) -> Template {
        var template = checked.frozen
        let orders = orders(of: checked, in: workspace, begun)
        let ids = template.nodes.map(\.id)
        for index in template.nodes.indices {
            template.nodes[index].follows = orders.isEmpty ? [] : orders[index].follows.map { ids[$0] }
            template.nodes[index].startsAfter = orders.isEmpty ? [] : orders[index].startsAfter.map { ids[$0] }
        }
        return template
    }

    private func orders(
        of checked: CheckedTemplate, in workspace: String, _ begun: [Int: StepOrder]
    ) -> [StepOrder] {
        guard let paths = checked.graph.pathsToOrder(checked.tools) else { return [] }
        var places = FilePlaces(workspace: workspace)
        if let found = try? Paths(workspace: workspace) {
            for path in paths { places.places[path] = found.place(of: path) }
        }
        return checked.graph.computedOrder(
            checked.tools, at: places, list: checked.template.listed, begun: begun)
    }
}

extension Template {
    /// Takes the computed order and the numbers of the stored template of the same workflow, so that a view can show
    /// them.
    package mutating func takeOrder(of stored: Template?) {
        let own = Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
        guard let stored, stored.nodes.count == nodes.count, stored.nodes.allSatisfy({ own[$0.id] != nil }) else {
            return
        }
        nodes = stored.nodes.map { node in
            var taken = own[node.id] ?? node
            (taken.follows, taken.startsAfter, taken.folded) = (node.follows, node.startsAfter, node.folded)
            return taken
        }
    }
}

extension Paths {
    /// Returns the place of a path that a parameter names, or nil if it cannot be told.
    fileprivate func place(of written: String) -> FilePlaces.Place? {
        guard let entry = try? entry(written) else {
            guard let target = try? target(written) else { return nil }
            return FilePlaces.Place(paths: [target], exists: true, isFolder: true)
        }
        var status = stat()
        let exists = stat(entry, &status) == 0
        let target = (try? target(written)) ?? entry
        return FilePlaces.Place(
            paths: target == entry ? [entry] : [entry, target], exists: exists,
            isFolder: exists && status.st_mode & S_IFMT == S_IFDIR)
    }
}
