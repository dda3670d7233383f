package import Vocabulary
import JSON

/// The system message, from `Prompts/planner.md` with its blanks `{{workspace}}`, `{{files}}` and `{{tools}}` filled.
///
/// File names are somebody else's text: each is written as a JSON string on a line of its own, so that none can pass for a line of the
/// prompt, and the list is bounded.
package struct PlannerPrompt: Hashable, Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package func rendered(catalogue: Catalogue, listing: Listing) -> String {
        let blanks = [
            "workspace": Self.quoted(listing.workspace), "files": Self.lines(of: listing.files), "tools": Self.lines(of: catalogue),
        ]
        // In one pass: a file named "{{tools}}" is a name, not a blank.
        var rendered = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            let name = String(rest[open.upperBound..<close.lowerBound])
            rendered += rest[..<open.lowerBound] + (blanks[name] ?? "{{\(name)}}")
            rest = rest[close.upperBound...]
        }
        return rendered + rest
    }

    private static func lines(of files: [FileEntry]) -> String {
        guard !files.isEmpty else { return "(no files)" }
        var lines = files.prefix(Limits.promptFiles).map { file in
            let facts = file.isFolder ? "folder" : file.mayHoldKeys ? "may hold keys" : "\(file.bytes) bytes"
            return "- \(quoted(file.name)) (\(facts))"
        }
        if files.count > lines.count { lines.append("- … and \(files.count - lines.count) more") }
        return lines.joined(separator: "\n")
    }

    private static func lines(of catalogue: Catalogue) -> String {
        catalogue.sorted.map { tool in
            "- \(PlannerTools.line(of: tool))" + (catalogue.unavailable[tool.kind].map { " Not available: \($0.words)" } ?? "")
        }.joined(separator: "\n")
    }

    /// A JSON string in ASCII: bidirectional and invisible characters of a name show as escapes.
    static func quoted(_ name: String) -> String {
        var quoted = ""
        for unit in JSON.string(CallResult.cut(name, bytes: Limits.promptNameBytes)).text.utf16 {
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
