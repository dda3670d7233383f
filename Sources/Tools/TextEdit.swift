import JSON
import Vocabulary

extension Limits {
    /// The most edits of one call.
    fileprivate static let edits = 200
}

/// An edit of a text file as a call lists it: an exact replacement, or a whole text.
struct TextEdit: Hashable {
    enum Change: Hashable {
        /// Replaces a text that stands exactly once in the file, or every occurrence of it if `isEverywhere`.
        case replace(find: String, with: String, isEverywhere: Bool)
        /// Makes the file, or replaces all of its text.
        case whole(String)
    }

    /// The path as the call gives it.
    var path: String
    var change: Change

    /// Reads the edits of a call: a list of `{path, find, replace, all?}` and `{path, text}`.
    ///
    /// - Throws: `badParam` with all mistakes, each with the number of its edit.
    static func list(_ json: JSON?) throws(Failure) -> [TextEdit] {
        guard let items = json?.array, !items.isEmpty else {
            throw Failure(
                .badParam, "edits is a list with at least one edit.",
                remedy: "Write {\"path\": …, \"find\": …, \"replace\": …}, or {\"path\": …, \"text\": …}.")
        }
        guard items.count <= Limits.edits else {
            throw Failure(.badParam, "There are \(items.count) edits, and at most \(Limits.edits) in one call.")
        }
        var edits: [TextEdit] = []
        var mistakes: [String] = []
        for (index, item) in items.enumerated() {
            do throws(Failure) { edits.append(try TextEdit(item)) } catch {
                mistakes.append("Edit \(index + 1) of \(items.count): \(error.message)")
            }
        }
        guard mistakes.isEmpty else { throw Failure(.badParam, mistakes.joined(separator: " ")) }
        return edits
    }

    private static let keys: Set<String> = ["path", "find", "replace", "all", "text"]

    private init(_ json: JSON) throws(Failure) {
        guard let members = json.object?.members else {
            throw Failure(.badParam, "It is no object, such as {\"path\": \"a.txt\", \"text\": \"…\"}.")
        }
        if let unknown = members.first(where: { !Self.keys.contains($0.key) })?.key {
            throw Failure(.badParam, "It has no \"\(unknown)\", but path with find and replace, or path with text.")
        }
        guard let path = json["path"]?.string, !path.isEmpty else { throw Failure(.badParam, "It needs a path.") }
        self.path = path
        switch (json["text"], json["find"], json["replace"]) {
        case (.string(let text)?, nil, nil): change = .whole(text)
        case (nil, .string(let find)?, .string(let replacement)?):
            guard !find.isEmpty else {
                throw Failure(.badParam, "find is empty: a new or whole text is written as text.")
            }
            guard find != replacement else { throw Failure(.badParam, "find and replace are the same.") }
            let all = json["all"] ?? .null
            guard all.isNull || all.bool != nil else { throw Failure(.badParam, "all is true or false.") }
            change = .replace(find: find, with: replacement, isEverywhere: all.bool ?? false)
        default:
            throw Failure(.badParam, "It needs find and replace, or text alone, and each of them is a text.")
        }
    }
}
