import JSON
import Vocabulary

extension Limits {
    /// The turns of a conversation in which the last order can still be spoken of.
    fileprivate static let threadTurns = 20

    /// The most files of the last order that a line can mean by "them".
    fileprivate static let threadFiles = 40
}

/// The last order of a conversation that was done, with its files and results. Later lines may speak of it: "and gray",
/// "no, 600", "the same for dog.png".
struct OrderThread {
    /// The order, as a sentence that stands by itself.
    let order: String
    let workflow: String
    /// The files that it read, and those that it made, relative to the workspace.
    let sources: [String]
    let results: [String]
    /// The names that the last answer listed, in their order.
    let listed: [String]
    /// The folder into which it put something, or nil if it put nothing into one.
    let folder: String?
    /// The choices that its steps were given, each with the others that there are.
    let choices: [(chosen: String, others: [String])]

    /// The files that "it" means.
    var subjects: [String] { results.isEmpty ? sources : results }

    /// Finds the last order that was done.
    ///
    /// - Parameters:
    ///   - talk: the messages before the line.
    ///   - order: returns the sentence of an earlier turn, given the messages up to it and the files that it made,
    ///     which were not there then.
    init?(
        _ talk: ArraySlice<ChatMessage>, listing: Listing, catalogue: Catalogue,
        order: (ArraySlice<ChatMessage>, _ without: Set<String>) -> String
    ) {
        var turns = 0
        var listed: [String] = []
        var found: (place: Int, result: JSON, plan: JSON)?
        for (place, message) in zip(talk.indices, talk).reversed() {
            if message.role == .user {
                turns += 1
                guard turns <= Limits.threadTurns else { return nil }
                if found != nil { break }
            }
            if message.role == .assistant, listed.isEmpty { listed = Self.names(in: message.text, of: listing) }
            guard message.role == .tool, found == nil, let json = try? JSONReader.read(message.text),
                let result = json["result"], result["outcome"]?.string == "succeeded",
                let call = talk.last(where: { $0.calls.contains { $0.id == message.callID } })?.calls.first(where: {
                    $0.id == message.callID
                }), call.name == "propose_workflow"
            else { continue }
            found = (place, result, call.arguments)
        }
        guard let found, let workflow = found.result["workflow"]?.string,
            let said = talk[...found.place].lastIndex(where: { $0.role == .user })
        else {
            // A question that was answered with names.
            guard !listed.isEmpty, let said = talk.lastIndex(where: { $0.role == .user }) else { return nil }
            (workflow, self.order) = ("", order(talk[...said], []))
            (sources, results, self.listed, folder, choices) = (listed, [], listed, nil, [])
            return
        }
        self.workflow = workflow
        let outputs = found.result["outputs"]?.array ?? []
        let root = FileName.folder(listing.workspace)
        results = outputs.compactMap { output -> String? in
            guard let path = output["path"]?.string else { return nil }
            return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        }.prefix(Limits.threadFiles).map { $0 }
        let nodes = found.plan["nodes"]?.array ?? []
        let values = nodes.flatMap { node in
            (node["params"]?.object?.members ?? []).flatMap { member -> [(param: ToolManifest.Param, text: String)] in
                guard let param = catalogue[node["kind"]?.string ?? ""]?.param(member.key) else { return [] }
                let texts = member.value.array?.compactMap(\.string) ?? member.value.string.map { [$0] } ?? []
                return texts.map { (param, $0) }
            }
        }
        let paths = values.filter { $0.param.kind == .path }.map(\.text)
        let packed = values.filter { $0.param.kind == .list }.map(\.text)
        // The place of a result is none of the files that were read.
        let saved = Set(
            nodes.filter {
                (catalogue[$0["kind"]?.string ?? ""]?.isSaver ?? false) && $0["params"]?["overwrite"] == nil
            }
            .compactMap { $0["params"]?["path"]?.string })
        sources =
            (paths.filter { path in !saved.contains(path) && listing.files.contains { $0.name == path && !$0.isFolder }
            }
            + packed.filter { path in listing.files.contains { $0.name == path } }).prefix(Limits.threadFiles).map {
                $0
            }
        self.order = order(talk[...said], Set(results).intersection(saved))
        let folders = paths.compactMap(listing.folder)
        folder = folders.last
        choices = values.filter { $0.param.kind == .choice }.map { param, text in
            (text, param.choices.filter { $0 != text })
        }
        let told = outputs.compactMap { $0["content"]?.string }.last ?? ""
        self.listed = listed.isEmpty ? Self.lines(of: told, in: folders.last, listing) : listed
    }

    /// Returns the names that the lines of a result begin with, if all lines have one.
    private static func lines(of text: String, in folder: String?, _ listing: Listing) -> [String] {
        let names = Set(listing.files.map(\.name))
        let lines = text.split(separator: "\n").prefix(Limits.threadFiles).map { line in
            line.firstRange(of: "  ").map { String(line[..<$0.lowerBound]) } ?? String(line)
        }
        let known = lines.compactMap { line -> String? in
            if names.contains(line) { return line }
            // "notes.txt:3: …", a line of a text that was found.
            if let colon = line.firstIndex(of: ":"), names.contains(String(line[..<colon])) {
                return String(line[..<colon])
            }
            return folder.map { "\($0)/\(line)" }.flatMap { names.contains($0) ? $0 : nil }
        }
        // The names in an archive are no files here.
        let isNames = lines.allSatisfy { !$0.contains(" ") && $0.contains(".") }
        var seen: Set<String> = []
        return known.count == lines.count || !isNames ? known.filter { seen.insert($0).inserted } : lines
    }

    /// Returns the names of files in quotes, as the planner lists them.
    private static func names(in words: String, of listing: Listing) -> [String] {
        let quoted = words.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 || words.hasPrefix("\"") }
        let names = Set(listing.files.map(\.name))
        return quoted.map { String($0.element) }.filter(names.contains)
    }
}

extension Listing {
    /// Returns the folder that a path names, or else the one in which it lies. Returns nil for a file at the top.
    func folder(of path: String) -> String? {
        let name = FileName.withoutSlash(path)
        if files.contains(where: { $0.name == name && $0.isFolder }) { return name }
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
