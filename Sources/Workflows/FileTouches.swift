import JSON
package import Vocabulary

/// The facts about files that the order of steps depends on. The caller of `computedOrder` looks them up when a workflow
/// begins.
package struct FilePlaces: Sendable {
    /// The place of a path in the file system.
    package struct Place: Hashable, Sendable {
        /// The real paths that the path stands for: the entry itself, and the file that it leads to if it is a link.
        package var paths: [String]
        package var exists: Bool
        package var isFolder: Bool

        package init(paths: [String], exists: Bool, isFolder: Bool) {
            (self.paths, self.exists, self.isFolder) = (paths, exists, isFolder)
        }
    }

    /// The real path of the workspace.
    package var workspace: String
    /// The places, by the paths as the template writes them. A path without a place stands for the whole workspace.
    package var places: [String: Place]

    package init(workspace: String, places: [String: Place] = [:]) {
        (self.workspace, self.places) = (workspace, places)
    }
}

/// A thing that a step may do to the files of the user.
enum FileTouch: Hashable, Sendable {
    /// Reads or changes a path, and all below it if it is a folder.
    ///
    /// - exists: whether the path exists before the workflow begins.
    case path(String, isChange: Bool, exists: Bool)
    /// Creates a file under the next free name of the form NAME-N in a folder.
    case freeName(folder: String, name: String)
    /// May read and change any file.
    case everything
}

extension Graph {
    /// Returns the paths in parameters whose places the order of the steps depends on. `nil` if no two steps can be in conflict.
    package func pathsToOrder(_ tools: Catalogue) -> Set<String>? {
        var paths: Set<String> = []
        var changes = false
        var count = 0
        for node in nodes {
            guard node.kind != Revision.removedKind else { continue }
            switch tools[node.kind]?.touches {
            case .workspace?, nil: (changes, count) = (true, count + 1)
            case .paths(let reads, let changed)?:
                guard !reads.isEmpty || !changed.isEmpty else { continue }
                (changes, count) = (changes || !changed.isEmpty, count + 1)
                for name in reads + changed { paths.formUnion(node.paths(of: name)) }
            }
        }
        return count > 1 && changes ? paths : nil
    }
}

extension Graph.Node {
    /// Returns the paths that a parameter names: one, those of a list, or none.
    fileprivate func paths(of param: String) -> [String] {
        guard let value = params[param] else { return [] }
        return value.string.map { [$0] } ?? (value.array ?? []).compactMap(\.string)
    }
}

/// Finds what each step of a graph may do to files.
struct FileTouches {
    private let graph: Graph
    private let tools: Catalogue
    private let places: FilePlaces
    /// The names of the files at the heads of the chains that have been followed, by step.
    private var heads: [Int: String?] = [:]

    init(_ graph: Graph, _ tools: Catalogue, _ places: FilePlaces) {
        (self.graph, self.tools, self.places) = (graph, tools, places)
    }

    /// Returns what a step may do to files. A step without a manifest may do anything.
    mutating func touches(of index: Int) -> [FileTouch] {
        let node = graph.nodes[index]
        guard node.kind != Revision.removedKind else { return [] }
        guard let tool = tools[node.kind], case .paths(let reads, let changes) = tool.touches else {
            return [.everything]
        }
        guard !reads.isEmpty || !changes.isEmpty else { return [] }
        // The person who agrees at such a gate may change the paths.
        guard node.awaits?.type != .confirmParams else { return [.everything] }
        var found: [FileTouch] = []
        for name in reads { found += touches(name, of: index, isChange: false) }
        var moved: String?
        for name in changes {
            found += touches(name, of: index, isChange: true, moved: moved)
            moved = node.params[name]?.string.flatMap { places.places[$0]?.paths.first }
        }
        return found.contains(.everything) ? [.everything] : found
    }

    /// Returns what the step does to the path of a parameter.
    ///
    /// - Parameter moved: the path of the earlier parameter, which the tool moves into a folder.
    private mutating func touches(_ param: String, of index: Int, isChange: Bool, moved: String? = nil) -> [FileTouch] {
        let node = graph.nodes[index]
        guard !node.inputs.contains(where: { $0.port == param && $0.producer != nil }) else { return [.everything] }
        let all = node.paths(of: param)
        guard all.count <= 1 else {
            // Only what is read can be a list.
            return all.flatMap { written in
                places.places[written].map { place in
                    place.paths.map { FileTouch.path($0, isChange: false, exists: place.exists) }
                } ?? [.everything]
            }
        }
        guard let written = all.first else {
            return isChange ? [freeName(in: places.workspace, for: index)] : []
        }
        guard let place = places.places[written], let path = place.paths.first else { return [.everything] }
        if isChange, place.isFolder || written.utf8.last == UInt8(ascii: "/") {
            if let moved { return [.path(path.child(moved.lastPathName), isChange: true, exists: false)] }
            if tools[node.kind]?.action == .builtin("saveFile") { return [freeName(in: path, for: index)] }
        }
        var found = place.paths.map { FileTouch.path($0, isChange: isChange, exists: place.exists) }
        let keepsOld = tools[node.kind]?.param("overwrite") != nil && node.params["overwrite"]?.bool != true
        if isChange, keepsOld, place.exists {
            found.append(.freeName(folder: path.parentPath, name: path.lastPathName))
        }
        return found
    }

    private mutating func freeName(in folder: String, for index: Int) -> FileTouch {
        headName(of: index).map { .freeName(folder: folder, name: $0) } ?? .everything
    }

    /// Returns the name of the file at the head of a step's chain, as its results are named after it. `nil` if the chain
    /// begins with no file.
    private mutating func headName(of index: Int) -> String? {
        var passed: [Int] = []
        var current = index
        var found: String?
        while passed.count <= graph.nodes.count {
            if let known = heads[current] {
                found = known
                break
            }
            passed.append(current)
            let node = graph.nodes[current]
            let tool = tools[node.kind]
            if current != index, let name = node.params["name"]?.string, tool?.param("name") != nil {
                found = name.lastPathName
                break
            }
            if tool?.isLoader == true, case .paths(let reads, _)? = tool?.touches, let param = reads.first {
                found = node.params[param]?.string.flatMap { places.places[$0]?.paths.last?.lastPathName }
                break
            }
            guard let producer = node.inputs.lazy.compactMap(\.producer?.node).first else { break }
            current = producer
        }
        for step in passed where step != index { heads[step] = .some(found) }
        return found
    }
}

extension String {
    /// The last name of a path, or the whole text if it has no slash.
    var lastPathName: String { pathNames.last ?? self }

    /// The path of the folder of an absolute path.
    var parentPath: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")), slash > startIndex else { return "/" }
        return String(self[..<slash])
    }
}

extension ToolManifest {
    /// Whether a node names files in a list, which the tool reads in place of those at its input.
    func readsPaths(of node: Template.Node) -> Bool {
        guard case .paths(let reads, _) = touches else { return false }
        return reads.contains { param($0)?.kind == .list && node.params[$0]?.array?.isEmpty == false }
    }
}
