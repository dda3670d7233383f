import Conversations
import Files
import Glibc
import Services
import Vocabulary

extension PlannerPrompt.Facts {
    /// Gathers the facts of a prompt: the shipped examples and kinds of everyday, this system, and the day on which
    /// the conversation began.
    ///
    /// - Parameter began: the moment at which the conversation began.
    init(in shared: OpenWorkspace, began: Moment) {
        let parts = shared.shelves.promptParts()
        self.init(
            examples: parts.examples, everydayKinds: parts.kinds, date: Amounts.date(began), system: Self.system)
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
