package import Vocabulary
import JSON

extension Limits {
    /// The most files of the working folder that the prompt for a model names.
    package static let promptFiles = 200

    /// The most kinds of the user's own that the prompt for a model names without a description.
    fileprivate static let promptKinds = 100

    /// The most bytes of a file's name in the prompt for a model. A longer name is cut.
    fileprivate static let promptNameBytes = 256
}

/// The system message: `Prompts/planner.md` with its blanks filled. `{{workspace}}`, `{{date}}` and `{{system}}`
/// are facts, `{{examples}}` is `Prompts/examples.md`, `{{kinds}}` describes the kinds of `Prompts/kinds.txt`, and
/// `{{morekinds}}` says what the others are for. The list of files stands below the user's line instead, since it
/// changes: everything before it stays the same from turn to turn.
///
/// A prompt of the user's own may have the blanks `{{files}}` and `{{tools}}`. Then the list of files and the
/// description of all kinds stand there.
///
/// File names are texts of others. Each is written as a JSON string on a line of its own, so that none can pass for a
/// line of the prompt, and the list is bounded.
package struct PlannerPrompt: Hashable, Sendable {
    private let text: String
    private let facts: Facts

    /// The parts of a prompt that stay the same in a whole conversation.
    package struct Facts: Hashable, Sendable {
        /// Examples of calls, in words for a model.
        package var examples: String
        /// The kinds that the prompt describes.
        package var everydayKinds: [String]
        /// The day on which the conversation began.
        package var date: String
        package var system: String

        package init(examples: String = "", everydayKinds: [String] = [], date: String = "", system: String = "") {
            (self.examples, self.everydayKinds, self.date, self.system) = (examples, everydayKinds, date, system)
        }
    }

    package init(_ text: String, _ facts: Facts = Facts()) { (self.text, self.facts) = (text, facts) }

    package func rendered(catalogue: Catalogue, listing: Listing) -> String {
        let blanks = [
            "workspace": Self.quoted(listing.workspace), "files": Self.lines(of: listing.files),
            "tools": Self.lines(of: catalogue.sorted, in: catalogue), "examples": facts.examples,
            "date": facts.date, "system": facts.system,
            "kinds": Self.lines(of: facts.everydayKinds.compactMap { catalogue[$0] }, in: catalogue),
            "morekinds": moreKinds(in: catalogue),
        ]
        // The blanks are filled in one pass, so that a file named "{{tools}}" stays a name.
        var rendered = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            let name = String(rest[open.upperBound..<close.lowerBound])
            rendered += rest[..<open.lowerBound] + (blanks[name] ?? "{{\(name)}}")
            rest = rest[close.upperBound...]
        }
        return rendered + rest
    }

    /// Returns the words about the situation for below a line of the user.
    ///
    /// - Parameter told: the situation that the model got earlier in this conversation. The words then say only what
    ///   has changed since.
    /// - Returns: nil if nothing has changed.
    package func aside(_ situation: Situation, since told: Situation?) -> ChatMessage.Aside? {
        SituationWords(situation: situation, listsFiles: !text.contains("{{files}}")).aside(since: told)
    }

    static func changes(from old: [FileEntry], to new: [FileEntry]) -> [String] {
        let known = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let names = Set(new.map(\.name))
        let gone = old.filter { !names.contains($0.name) }.map { "- gone: \(quoted($0.name))" }
        let changed = new.filter { known[$0.name] != $0 }.map { file in
            "- \(known[file.name] == nil ? "new" : "now"): \(quoted(file.name)) (\(facts(file)))"
        }
        return gone + changed
    }

    private static func facts(_ file: FileEntry) -> String {
        file.isFolder ? "folder" : file.mayHoldKeys ? "may hold keys" : "\(file.bytes) bytes"
    }

    static func lines(of files: [FileEntry]) -> String {
        guard !files.isEmpty else { return "(no files)" }
        var lines = files.prefix(Limits.promptFiles).map { "- \(quoted($0.name)) (\(facts($0)))" }
        if files.count > lines.count { lines.append("- … and \(files.count - lines.count) more") }
        return lines.joined(separator: "\n")
    }

    /// Returns how many other kinds there are, and what for. The person's own are named. Those that cannot be used here
    /// are left out.
    private func moreKinds(in catalogue: Catalogue) -> String {
        // The tools of the same use are offered by themselves.
        let known = Set(facts.everydayKinds + ["AskPerson", "Edit", "ListTree", "ReadLines", "SearchFiles"])
        let others = catalogue.sorted.filter { !known.contains($0.kind) && catalogue.unavailable[$0.kind] == nil }
        guard !others.isEmpty else { return "" }
        let own = others.filter { !$0.isShipped }.prefix(Limits.promptKinds).map(\.kind).joined(separator: " ")
        return "`find_tools` finds \(others.count) more, by words or names: \(Self.otherUses)"
            + (own.isEmpty ? "" : " The person's own: \(own)")
    }

    private static let otherUses =
        "pictures, films and sounds, PDFs and papers, tables and JSON, lines of texts, archives, names and dates of "
        + "files, codes, people, jobs at providers."

    private static func lines(of tools: [ToolManifest], in catalogue: Catalogue) -> String {
        tools.map { tool in
            "- \(PlannerTools.line(of: tool))"
                + (catalogue.unavailable[tool.kind].map { " Not available: \($0.words)" } ?? "")
        }.joined(separator: "\n")
    }

    /// Returns a name as a JSON string in ASCII, with escapes for bidirectional and invisible characters.
    static func quoted(_ name: String) -> String {
        var quoted = ""
        // A name is cut last, since its end may show that a part of it is a key.
        for unit in JSON.string(CallResult.cut(WeakKeys.cut(name), bytes: Limits.promptNameBytes)).text.utf16 {
            if (0x20..<0x7F).contains(unit) {
                quoted.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                let hex = String(unit, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }
        }
        return quoted
    }
}
