/// The form of a command by its reader: `/show w3` in the chat, `assent show w3` in a shell.
package enum Voice {
    /// Whether the output is read in a shell. Tasks that a command starts inherit the value.
    @TaskLocal package static var isShell = false

    package static func call(_ words: String) -> String { (isShell ? "assent " : "/") + words }
}
