/// A verb of the chat as help and completion show it: a command of the program, or a verb of the chat alone.
package struct SlashVerb: Hashable, Sendable {
    package let name: String
    package let group: HelpGroup
    package let summary: String
    package let example: CommandDescription.Example

    init(_ description: CommandDescription) {
        name = description.name
        group = description.group
        summary = description.summary
        example = description.examples[0]
    }

    init(_ verb: ChatVerb) {
        name = verb.rawValue
        group = verb.group
        summary = verb.summary
        example = verb.example
    }

    /// All verbs that are typed in the chat, in the order of help.
    package static let all: [SlashVerb] =
        Root.verbs.map { $0.description }.filter { $0.isListed && $0.notInChat == nil }.map { SlashVerb($0) }
        + ChatVerb.allCases.map { SlashVerb($0) }
}
