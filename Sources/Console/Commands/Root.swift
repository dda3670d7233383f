import Actions
package import ArgumentParser
package import Vocabulary

/// The program's commands. The default is the chat.
package struct Root: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "assent",
        abstract: "A chat console that plans, asks, and runs.",
        discussion: "Without a command it opens the chat in this folder:\n\n  assent\n" + sentence.shellLine,
        version: version,
        groupedSubcommands: HelpGroup.allCases.map { group in
            CommandGroup(name: group.title, subcommands: verbs.filter { $0.description.group == group })
        },
        defaultSubcommand: Chat.self)

    private static let sentence: CommandDescription.Example =
        "ask \"make cat.jpg 800 px wide, grayscale, under 60 KB\""

    package static let version = ProgramVersion.text

    /// The commands, in the order of help. A test of `HouseTests` holds that none is missing.
    package static let verbs: [any Verb.Type] = [
        Chat.self, Ask.self, Resume.self, History.self,
        Run.self, Check.self, Work.self, List.self, Show.self, Follow.self, Why.self, ShowTimeline.self,
        Logs.self, Compare.self,
        ToolsVerb.self,
        Templates.self, PresetsCommand.self, GuideCommand.self,
        Retry.self, RunAgain.self, Edit.self, Duplicate.self, Cancel.self, Poll.self, Pause.self, ArchiveWorkflow.self,
        Unarchive.self,
        Delete.self, Release.self,
        Inbox.self, Open.self, Approve.self, Reject.self, Complete.self, Skip.self, Snooze.self, Link.self,
        View.self, Save.self, OpenWith.self, Copy.self, UndoVerb.self, Redo.self, Pin.self, Unpin.self, Preview.self,
        Cache.self, Export.self,
        Import.self,
        Status.self, Mode.self, SettingsCommand.self, ModelCommand.self, ConnectCommand.self, HostsCommand.self,
        ProgramsCommand.self,
        UsageCommand.self,
        Doctor.self,
    ]

    package init() {}

    /// Returns the command of a name, or nil if there is none.
    package static func verb(named name: String) -> (any Verb.Type)? { verbs.first { $0.description.name == name } }

    /// Returns the command that a line calls, without `assent` or `/` before it. Returns nil if the line does not call
    /// a command.
    package static func verb(calledBy line: String) -> (any Verb)? {
        (try? parseAsRoot(Words.split(line))) as? any Verb
    }

    /// Whether there is a command of this name.
    package static func has(_ name: String) -> Bool { name == ChatVerb.help.rawValue || verb(named: name) != nil }

    /// Prints the line `end` after arguments that could not be read, if their command begins or changes something. The
    /// first example of the command decides.
    package static func printEnd(_ status: Int32, of arguments: [String], to streams: OutputStreams = .ofThisProcess) {
        guard let example = arguments.first.flatMap(verb(named:))?.description.examples.first,
            verb(calledBy: example.words)?.endsWithEndLine == true
        else { return }
        Output.writeEnd(status, to: streams)
    }

    /// The verbs of the chat that only look, such as `/show /why`. The first example of each verb decides.
    static var lookers: String {
        SlashVerb.all.filter { slash in
            verb(calledBy: slash.example.words).map { $0.role == .looks && !$0.isView } ?? false
        }.map { "/" + $0.name }.joined(
            separator: " ")
    }

    /// Returns the command that a shell runs for `verb`: resuming a conversation opens the chat in it.
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
        guard line.trimmed.hasPrefix("/"), let name = Words.split(String(line.trimmed.dropFirst())).first else {
            return false
        }
        return verb(named: name)?.description.asksForKey ?? false
    }

    /// Returns the failure of arguments that cannot be read.
    package static func failure(of error: any Error) -> Failure {
        let first = fullMessage(for: error).split(separator: "\n").first.map { $0.trimmingPrefix("Error: ") } ?? ""
        return Failure(.badUsage, String(first))
    }

    /// Returns the failure for an unknown command, with the name of the nearest one. The chat, which can be called
    /// without a command, would report the word as an extra argument.
    ///
    /// - Parameter remedy: the way to see all commands.
    package static func noCommand(_ name: String, remedy: String) -> Failure {
        let known =
            Voice.isShell ? verbs.map { $0.description }.filter(\.isListed).map(\.name) : SlashVerb.all.map(\.name)
        let near = NearestWord.of(name, among: known).map {
            "Did you mean \(Voice.isShell ? "'\(Voice.call($0))'" : Voice.call($0))? "
        }
        return Failure(.badUsage, "There is no command \"\(name.prefix(40))\".", remedy: (near ?? "") + remedy)
    }
}
