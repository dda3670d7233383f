import Conversations
import Embedded
import Files
import Glibc
import Vocabulary

extension PlannerPrompt.Facts {
    /// Gathers the facts of a prompt: the shipped examples and kinds of everyday, this system, and the day on which the
    /// conversation began.
    init(of session: SessionID, in shared: OpenWorkspace) {
        let kinds = (Embedded.text(at: "Prompts/kinds.txt") ?? "").split { $0.isWhitespace || $0.isNewline }
        let began = (try? ConversationLibrary(shared).find(session).startedAt) ?? OpenWorkspace.now()
        self.init(
            examples: Embedded.text(at: "Prompts/examples.md") ?? "", everydayKinds: kinds.map(String.init),
            date: Amounts.date(began), system: Self.system)
    }

    /// The name of the system and of the machine, such as `Debian GNU/Linux 12 (bookworm), x86_64`.
    private static var system: String {
        var name = utsname()
        uname(&name)
        let machine = withUnsafeBytes(of: name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let text = String(decoding: (try? readWhole("/etc/os-release", limit: Limits.noteBytes)) ?? [], as: UTF8.self)
        let release = text.split(separator: "\n")
        let title = release.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12).filter { $0 != "\"" }
        return "\(title ?? "Linux"), \(machine)"
    }
}
