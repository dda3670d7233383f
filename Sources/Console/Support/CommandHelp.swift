import ArgumentParser
import Terminal

/// The usage and the arguments of a command, as ArgumentParser knows them.
struct CommandHelp {
    struct Row: Hashable {
        let label: String
        let words: String
    }

    /// The parts of the usage without the name of the command, such as `<workflow>` and `[--run <run>]`.
    let usage: [String]
    let arguments: [Row]
    let options: [Row]

    init(of verb: any Verb.Type) {
        // At this width, no line is wrapped.
        let lines = Root.helpMessage(for: verb, columns: 100_000).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        // The first two words are the names of the program and of the command.
        usage = Self.parts(
            lines.first { $0.hasPrefix("USAGE: ") }?.split(separator: " ").dropFirst(3).joined(separator: " ") ?? "")
        arguments = Self.rows(below: "ARGUMENTS:", in: lines)
        // The options for help and version belong to the program.
        options = Self.rows(below: "OPTIONS:", in: lines).filter { !["-h, --help", "--version"].contains($0.label) }
    }

    /// Returns the words of a usage. Brackets and dots keep words together.
    private static func parts(_ usage: String) -> [String] {
        var parts: [String] = []
        var depth = 0
        for word in usage.split(separator: " ") {
            if !parts.isEmpty, depth > 0 || word == "..." {
                parts[parts.count - 1] += " " + word
            } else {
                parts.append(String(word))
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return parts
    }

    /// The column at which the explanations of arguments begin. After a longer label, the explanation stands below it.
    private static let wordsColumn = 26

    private static func rows(below heading: String, in lines: [String]) -> [Row] {
        guard let start = lines.firstIndex(of: heading) else { return [] }
        let section = lines[(start + 1)...].prefix { !$0.isEmpty }
        var rows: [Row] = []
        let margin = Layout.spaces(wordsColumn)
        for line in section {
            if line.hasPrefix(margin), let last = rows.popLast() {
                rows.append(Row(label: last.label + last.words, words: line.trimmed))
            } else if line.dropFirst(wordsColumn - 1).first == " " {
                rows.append(
                    Row(label: String(line.prefix(wordsColumn)).trimmed, words: String(line.dropFirst(wordsColumn))))
            } else {
                rows.append(Row(label: line.trimmed, words: ""))
            }
        }
        return rows
    }
}
