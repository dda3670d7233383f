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

    /// The files that "it" means.
    var subjects: [String] { results.isEmpty ? sources : results }

    /// Finds the last order that was done.
    ///
    /// - Parameters:
    ///   - talk: the messages before the line.
    ///   - order: returns the sentence of an earlier turn, given the messages up to it.
    init?(_ talk: ArraySlice<ChatMessage>, listing: Listing, order: (ArraySlice<ChatMessage>) -> String) {
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
        else { return nil }
        self.workflow = workflow
        self.order = order(talk[...said])
        let outputs = found.result["outputs"]?.array ?? []
        let root = FileName.folder(listing.workspace)
        results = outputs.compactMap { output -> String? in
            guard let path = output["path"]?.string else { return nil }
            return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        }.prefix(Limits.threadFiles).map { $0 }
        sources = (found.plan["nodes"]?.array ?? []).compactMap { $0["params"]?["path"]?.string }.filter { path in
            listing.files.contains { $0.name == path && !$0.isFolder }
        }.prefix(Limits.threadFiles).map { $0 }
        let told = outputs.compactMap { $0["content"]?.string }.last ?? ""
        let ownNames = told.split(separator: "\n").map(String.init).filter { line in
            listing.files.contains { $0.name == line }
        }
        self.listed = listed.isEmpty ? ownNames : listed
    }

    /// Returns the names of files in quotes, as the planner lists them.
    private static func names(in words: String, of listing: Listing) -> [String] {
        let quoted = words.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 || words.hasPrefix("\"") }
        let names = Set(listing.files.map(\.name))
        return quoted.map { String($0.element) }.filter(names.contains)
    }
}
