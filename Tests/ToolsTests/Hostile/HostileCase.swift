import Testing

/// A command of somebody who knows how this works, and what becomes of it, said before it was run.
struct HostileCase: Sendable {
    enum Label: String {
        /// It changes nothing: whatever it tries fails, or concerns itself alone.
        case reads
        /// It makes what is new and has no part to play, or moves something to a free name.
        case creates
        /// A person is asked.
        case asks
        /// Nothing of it is taken over, and nobody is asked.
        case refused
    }

    let label: Label
    let command: String
    let kind: String

    init(_ label: Label, _ command: String, _ kind: String) {
        (self.label, self.command, self.kind) = (label, command, kind)
    }

    /// Lines of a label and a command; ⏎ is a new line in it.
    static func cases(_ kind: String, _ text: String) -> [HostileCase] {
        text.split(separator: "\n").map { line in
            let label = line.prefix { $0 != " " }
            return HostileCase(
                Label(rawValue: String(label))!, String(line.dropFirst(9)).replacing("⏎", with: "\n"), kind)
        }
    }

    static let all =
        wrappers + spellings + long + programs + git + later + outside + leaving + approvals + lasting + odd + names
}
