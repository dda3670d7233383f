package import ArgumentParser
package import Vocabulary

/// The program's commands. Without one, the chat.
package struct Root: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "assent",
        abstract: "A chat console that plans, asks, and runs.",
        discussion: """
            Without a command it opens the chat in this folder:

              assent
              assent ask "make cat.jpg 800 px wide, grayscale, under 60 KB"
            """,
        version: version,
        subcommands: [
            Chat.self, Ask.self, Run.self, Check.self, Work.self, List.self, Show.self, Why.self, ShowTimeline.self, Logs.self,
            Compare.self, Retry.self, RunAgain.self, Undo.self, Pin.self, Edit.self, Duplicate.self, Cancel.self, Poll.self, Pause.self,
            Resume.self,
            ArchiveWorkflow.self, Unarchive.self, Delete.self, Inbox.self, Open.self, Complete.self, Skip.self, Snooze.self, Link.self,
            Approve.self, Reject.self, History.self, UsageCommand.self, Tools.self, Templates.self, Mode.self, ModelCommand.self,
            ConnectCommand.self,
            HostsCommand.self,
            Cache.self, Unpin.self,
            Preview.self,
            Export.self, Import.self, Release.self, Doctor.self,
        ],
        defaultSubcommand: Chat.self)

    package static let version = "0.1.0"

    package init() {}

    /// Whether there is a command of this name.
    package static func has(_ name: String) -> Bool {
        name == "help"
            || configuration.subcommands.contains { ($0.configuration.commandName ?? String(describing: $0).lowercased()) == name }
    }

    /// The verbs that decide nothing for the person: those alone are for programs that Assent ran (`Verb.carryOut`). What they start is
    /// decided as for nobody.
    private static let harmless: [any Verb.Type] = [
        Ask.self, Run.self, Check.self, List.self, Show.self, Why.self, ShowTimeline.self, Logs.self, Compare.self, Inbox.self, Link.self,
        History.self, UsageCommand.self, Tools.self, Templates.self, Preview.self, Export.self, Work.self,
    ]

    /// The verbs that change nothing and start nothing: they work while a question stands.
    private static let looking: [any Verb.Type] = [
        List.self, Show.self, Why.self, ShowTimeline.self, Logs.self, Compare.self, Inbox.self, History.self, UsageCommand.self, Tools.self,
        Templates.self,
    ]

    static func onlyLooks(_ verb: any Verb) -> Bool { looking.contains { $0 == type(of: verb) } && !decides(verb) }

    /// Whether a command needs settings that can be used: all but `doctor` and the commands that look.
    static func needsSettings(_ verb: any Verb) -> Bool {
        let isList =
            (verb as? Mode)?.isChange == false || (verb as? HostsCommand)?.isChange == false || (verb as? ModelCommand)?.onlyLists == true
        return !(verb is Doctor) && !isList && !onlyLooks(verb)
    }

    /// Their names, for people.
    static var lookers: String {
        looking.map { "/" + ($0.configuration.commandName ?? String(describing: $0).lowercased()) }.joined(separator: " ")
    }

    static func decides(_ verb: any Verb) -> Bool {
        if let mode = verb as? Mode { return mode.isChange }
        if let hosts = verb as? HostsCommand { return hosts.isChange }
        if let history = verb as? History, history.isChange { return true }
        // To speak in a conversation of the person's is to speak for them.
        if let ask = verb as? Ask, ask.goesOn { return true }
        if let model = verb as? ModelCommand { return model.isChange }
        return !harmless.contains { $0 == type(of: verb) }
    }

    /// In a shell: to resume a conversation is to open the chat in it.
    package static func opened(_ verb: any Verb) -> any Verb {
        var arguments: [String]
        switch ((verb as? Resume)?.target, (verb as? History)?.request) {
        case (.session(let id), _), (_, .resume(let id?)): arguments = ["chat", "--session", id.description]
        case (nil, .resume(nil)): arguments = ["chat", "--pick"]
        case (nil, _) where verb is Resume: arguments = ["chat", "--pick"]
        default: return verb
        }
        if verb.shared.plain { arguments.append("--plain") }
        if verb.shared.json { arguments.append("--json") }
        return (try? parseAsRoot(arguments)) as? any Verb ?? verb
    }

    /// Whether a line of the chat begins a dialogue that may ask for a key.
    package static func mayAskForKey(_ line: String) -> Bool {
        line.trimmed.hasPrefix("/") && Words.split(String(line.trimmed.dropFirst())).first == "connect"
    }

    /// Said where a word stands that is no command: the chat, which needs none, would call it an argument too many.
    package static func noCommand(_ name: String, remedy: String) -> Failure {
        Failure("badUsage", "There is no command \"\(name.prefix(40))\".", remedy: remedy)
    }

    /// The verbs that can be typed in the chat, for completion and help.
    package static let slashVerbs = [
        "/help", "/mode", "/connect", "/model", "/hosts", "/list", "/show", "/why", "/timeline", "/logs", "/compare", "/retry", "/rerun",
        "/undo",
        "/pin",
        "/edit",
        "/duplicate",
        "/cancel", "/poll", "/resume", "/new", "/archive", "/unarchive", "/delete", "/inbox", "/approve", "/reject", "/open", "/complete",
        "/skip",
        "/snooze", "/link", "/history", "/usage", "/tools", "/templates", "/run", "/check", "/cache", "/unpin", "/preview", "/export",
        "/import",
        "/release", "/doctor", "/quit",
    ]
}
