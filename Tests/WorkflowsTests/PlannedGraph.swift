import CaseNames
import Embedded
import Manifests
import Vocabulary

@testable import Workflows

/// A random plan as a graph.
extension RandomPlan {
    static let tools: [ToolManifest] = ["files", "text"].flatMap { name in
        let path = "Config/tools/\(name).yaml"
        return readTools(PlacedJSON(Embedded.text(at: path) ?? ""), file: path, isShipped: true) { _ in .ofNothing }
            .tools
    }

    /// Returns the graph with its computed order, or nil if the plan has problems.
    func graph(_ catalogue: Catalogue = Catalogue(tools)) -> Graph? {
        guard var graph = Workflows.check(template, against: catalogue).0 else { return nil }
        var places = FilePlaces(workspace: "/w")
        for path in graph.pathsToOrder(catalogue) ?? [] {
            places.places[path] = FilePlaces.Place(
                paths: ["/w/\(path)"], exists: before[path] != nil, isFolder: false)
        }
        graph.setOrder(graph.computedOrder(catalogue, at: places))
        return graph
    }
}
