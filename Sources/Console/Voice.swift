/// How a command is called where it is read: `/show w3` in the chat, `assent show w3` in a shell.
package enum Voice {
    /// Whether what is said now is read in a shell. Tasks that a command starts say it the same way.
    @TaskLocal package static var isShell = false

    package static func call(_ words: String) -> String { (isShell ? "assent " : "/") + words }
}
