package import Actions
import Notices
package import Terminal
package import Vocabulary

/// The surroundings of a command: the use cases of this process, and the screen.
package struct CommandContext: Sendable {
    let shared: OpenWorkspace
    /// Whether Assent started this process, directly or through others. Then no person sits here.
    package let isOwnChild: Bool
    package let folders: any FolderReading
    package let screen: any Screen
    /// The other ways to the user than the screen.
    package let input: any PersonsInput
    /// The chat that carries the command out, or nil outside of a chat.
    package var chat: (any OpenChat)?
    /// The session of the chat, or nil if the chat has none yet.
    package var session: SessionID?

    package init(
        shared: OpenWorkspace, isOwnChild: Bool, folders: any FolderReading, screen: any Screen,
        input: any PersonsInput
    ) {
        (self.shared, self.isOwnChild, self.folders) = (shared, isOwnChild, folders)
        (self.screen, self.input) = (screen, input)
    }
}

/// The ways by which a command reads from the user past its screen.
package protocol PersonsInput: Sendable {
    /// Reads a key from the first line of standard input. Throws `badUsage` if a user would have to type it there,
    /// since the terminal would show it.
    func pipedKey() throws(Failure) -> String?

    /// Opens the user's own terminal if the screen is a pipe or a file. Returns `nil` if there is no terminal. Throws
    /// `terminalTaken` if something in this process reads it already.
    func terminal() throws(Failure) -> (any Screen)?
}

/// A chat, for the commands that change it.
package protocol OpenChat: Sendable {
    /// The mode of the chat, which counts in place of the mode with which sessions begin.
    var mode: ConfirmationMode { get nonmutating set }

    /// Puts a line onto the input line once the command has ended, so that the user can change and send it.
    func offer(_ line: String)

    /// Continues the chat in another conversation.
    ///
    /// - Throws: `turnUnderWay`, and the failures of opening the conversation.
    func goOn(in id: SessionID) async throws(Failure)
}

/// The use cases, and what every command asks for.
extension CommandContext: UseCases {
    /// The real path of the folder the person is in.
    package var workspace: String { shared.workspace }
    /// The stored workflows, inbox entries, contents and conversations.
    package var look: WorkflowRecords { WorkflowRecords(shared) }
    /// The use cases that start workflows and drive them.
    package var act: WorkflowActions { WorkflowActions(shared) }
    /// The use cases that repeat and change stored workflows.
    package var again: Reruns { Reruns(shared) }
    /// The use cases of undo and redo.
    package var undoing: UndoActions { UndoActions(shared, in: session) }
    /// The use cases of conversations.
    package var sessions: ConversationLibrary { ConversationLibrary(shared) }
    /// The settings in the user's file.
    package var settings: SettingsActions { SettingsActions(shared) }
    /// The named values for parameters of tools.
    package var presets: Presets { Presets(shared) }
    /// The use cases of the inbox.
    package var people: InboxActions { InboxActions(shared) }
    /// The use cases of stored assets.
    package var keep: AssetRetention { AssetRetention(shared) }
    /// The use cases of workflows as files.
    package var bundles: Bundles { Bundles(shared) }
    /// The checks and repairs of `doctor`.
    package var diagnostics: Diagnostics { Diagnostics(shared) }
    /// The contents that a user looks at.
    package var viewing: Looks { Looks(shared) }
    /// The guides and their runs.
    package var guides: GuideRuns { GuideRuns(shared) }
    /// The folders with programs of the user that commands see.
    package var programs: ProgramPermissions { ProgramPermissions(shared) }
    /// The hosts that data may go to.
    package var hosts: HostPermissions { HostPermissions(shared) }
    /// Returns the notifications of this process, which has a screen.
    func notifier(isJSON: Bool = false) -> Notifier { Notifier(Notifications(shared), screen, isJSON: isJSON) }
    /// The choice of a model.
    package var models: ModelActions { ModelActions(shared) }
    /// The use cases of connecting a model.
    package var setup: ConnectionSetup { ConnectionSetup(shared) }
    /// The use cases of connecting a provider of jobs.
    package var providers: ProviderConnections { ProviderConnections(shared) }

    /// Returns the mode of the chat, or else the mode with which sessions begin.
    ///
    /// - Throws: `badSettings`.
    package func mode() throws(Failure) -> ConfirmationMode { if let chat { chat.mode } else { try settings.mode() } }

    /// Returns the present time.
    package func now() -> Moment { OpenWorkspace.now() }

    /// Returns the tools that plans and files may name.
    package func catalogue() -> Catalogue { look.catalogue() }

    /// Returns the tools of stored workflows, which have steps that no plan and no file can name.
    func shownTools() -> Catalogue { look.engineCatalogue() }

    /// Returns the templates that can be run by name.
    package func templates() -> [TemplateEntry] { act.templates() }

    /// Throws `badSettings` if a file of the config folder is wrong that decides about questions, hosts or the model.
    package func requireSettings() throws(Failure) { try act.requireSettings() }

    /// Returns every event of this process from now on, in order.
    package func events() -> AsyncStream<Event> { look.events() }

    /// Returns the notice that the sandbox of this machine protects less than usual. Returns nil if it works, or if
    /// the user has seen the notice. The first call tries the sandbox out.
    package func notice() async -> String? { await SandboxNotice(shared).words() }

    /// Returns a template for the screen, with its keys cut out.
    package func withoutKeys(_ template: Template) -> Template { KeysInText(shared).cut(template) }

    /// Returns the name of the first key in a line, such as "a GitHub token", or nil if there is none.
    package func typedKey(_ line: String) -> String? { KeysInText(shared).first(in: line) }
}

extension Notifications: NoticeWorld {}
