import JSON
import Vocabulary

extension Limits {
    /// The most places at which a sentence is parted into two orders.
    fileprivate static let linkedPlaces = 12
}

/// A sentence of two orders, of which the second speaks of the first: "make a folder safe and copy a.pdf into it". It
/// finds the sentence in which the second order names what it means.
struct LinkedLine {
    private let planner: BuiltInPlanner
    private let listing: Listing
    private var words: [String: [String]] { planner.language.thread }

    /// The first order, the words that join the second one, and that.
    private typealias Halves = (first: String, joint: String, second: String)

    init(_ planner: BuiltInPlanner, listing: Listing) { (self.planner, self.listing) = (planner, listing) }

    /// Returns a sentence that is understood and does the same, or nil if there is none.
    ///
    /// - Parameter deletes: whether the second order may be one that deletes. It must be offered to the user then.
    func sentence(for line: String, deletes: Bool = false) -> String? {
        for halves in halves(of: line) {
            guard let nodes = nodes(of: halves.first) else { continue }
            let candidates = deletes ? deletions(halves, nodes) : placed(halves, nodes) + moved(halves, nodes)
            if let sentence = candidates.first(where: { planner.isPlan($0, listing: listing) }) { return sentence }
            // What is deleted after something else is a line of its own, so that it is not deleted if that fails.
            if !candidates.isEmpty, deletes { return halves.first }
        }
        return nil
    }

    /// Returns the places at which a line may be parted, the later ones last.
    private func halves(of line: String) -> [Halves] {
        let signs = Array(line)
        let lower = line.lowercased()
        guard Array(lower).count == signs.count else { return [] }
        var found: [(at: Int, joint: String)] = []
        for joint in (words["joints"] ?? []).sorted(by: { $0.count > $1.count }) {
            for place in Array(lower).ranges(of: Array(joint))
            where !found.contains(where: { ($0.at..<($0.at + $0.joint.count)).overlaps(place) }) {
                found.append((place.lowerBound, joint))
            }
        }
        return found.sorted { $0.at < $1.at }.prefix(Limits.linkedPlaces).map { at, joint in
            (String(signs[..<at]), String(signs[at..<(at + joint.count)]), String(signs[(at + joint.count)...]))
        }
    }

    /// Returns the steps of an order, or nil if it is no order by itself.
    private func nodes(of order: String) -> [JSON]? {
        switch planner.understood(order, listing: listing, explains: false) {
        case .success(.workflow(let plan)), .success(.part(let plan, _)): plan["nodes"]?.array
        case .success, .failure: nil
        }
    }

    /// Returns sentences with the folder of the first order in the place of "in there".
    private func placed(_ halves: Halves, _ nodes: [JSON]) -> [String] {
        let folders = nodes.flatMap { node in
            planner.catalogue[node["kind"]?.string ?? ""].map { tool in
                tool.params.filter { $0.kind == .path }.compactMap { node["params"]?[$0.name]?.string }
                    .compactMap { tool.makesFolder ? $0 : listing.folder(of: $0) }
            } ?? []
        }
        guard let folder = folders.last, let pattern = words["thereAs"]?.first else { return [] }
        let there = pattern.replacing("{}", with: FileName.quoted(FileName.folder(folder)))
        return (words["there"] ?? []).sorted { $0.count > $1.count }.compactMap { word in
            halves.second.place(of: word).map { place in
                halves.first + halves.joint + halves.second.replacing(place, with: there)
            }
        }
    }

    /// Returns the one move that a move and another one of the same file make: "rename a.txt to b.txt and move it into
    /// docs".
    private func moved(_ halves: Halves, _ nodes: [JSON]) -> [String] {
        guard nodes.count == 1, let (from, to) = move(nodes[0]), let pattern = words["renameAs"]?.first else {
            return []
        }
        return (words["them"] ?? []).compactMap { word in
            guard let place = halves.second.place(of: word),
                let second = self.nodes(of: halves.second.replacing(place, with: from)), second.count == 1,
                let last = move(second[0]), last.from == from
            else { return nil }
            let isIntoFolder = FileName.base(of: last.to) == FileName.base(of: from)
            let target =
                isIntoFolder ? last.to.dropLast(FileName.base(of: from).count) + FileName.base(of: to) : last.to[...]
            return pattern.split(separator: "{}", omittingEmptySubsequences: false).map { String($0) }
                .enumerated().reduce("") {
                    $0 + $1.element + ($1.offset == 0 ? from : $1.offset == 1 ? String(target) : "")
                }
        }
    }

    private func move(_ node: JSON) -> (from: String, to: String)? {
        guard planner.catalogue[node["kind"]?.string ?? ""]?.movesFolders ?? false,
            let from = node["params"]?["from"]?.string, let to = node["params"]?["to"]?.string
        else { return nil }
        return (from, to)
    }

    /// Returns sentences with the one file of the first order in the place of "it".
    private func deletions(_ halves: Halves, _ nodes: [JSON]) -> [String] {
        let parts = planner.parts(of: halves.second, listing: listing)
        let first = parts.first { if case .phrase = $0.kind { true } else { false } }
        guard first?.meaning.map(planner.destroys) ?? false else { return [] }
        let paths = nodes.compactMap { $0["params"]?["path"]?.string }
        let read = paths.filter { path in listing.files.contains { $0.name == path && !$0.isFolder } }
        guard let name = read.first, Set(read).count == 1 else { return [] }
        return (words["them"] ?? []).compactMap { word in
            halves.second.place(of: word).map { place in
                halves.first + halves.joint + halves.second.replacing(place, with: FileName.quoted(name))
            }
        }
    }
}

extension ToolManifest {
    /// Whether the tool makes the folder that its path names.
    fileprivate var makesFolder: Bool { inputs.isEmpty && touches == .workspace && params.map(\.kind) == [.path] }
}
