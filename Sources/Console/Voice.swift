import Vocabulary

/// The form of a command by its reader: `/show w3` in the chat, `assent show w3` in a shell.
package enum Voice {
    /// Whether the output is read in a shell. Tasks that a command starts inherit the value.
    @TaskLocal package static var isShell = false

    package static func call(_ words: String) -> String { (isShell ? "assent " : "/") + words }

    /// Returns a text of ours with the calls in it as the reader types them: `See 'assent list'.` is `See /list.` in the
    /// chat. A verb that only a shell has keeps its form.
    static func worded(_ text: String) -> String {
        isShell ? text : Remedy(text).text { slashVerbs.contains(String($0.prefix { $0 != " " })) ? "/" + $0 : nil }
    }

    private static let slashVerbs = Set(SlashVerb.all.map(\.name))
}
