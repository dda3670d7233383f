package import Actions
package import Terminal
package import Vocabulary

/// The surroundings of a command: the use cases of this process, and the screen.
package struct CommandContext: Sendable {
    let shared: OpenWorkspace
    /// The real path of the folder the person is in.
    package var workspace: String
    /// Whether this process came of one that Assent ran: then no person sits here.
    package var isOwnChild: Bool
    package var settings: Settings
    package var keep: AssetRetention
    package var bundles: Bundles
    package var diagnostics: Diagnostics
    package var undoing: UndoActions
    package var viewing: Looks
    package var guides: GuideRuns
    package var folders: any FolderReading
    package var people: InboxActions
    package var hosts: HostPermissions
    package var sessions: ConversationLibrary
    package var models: ModelActions
    package var setup: ConnectionSetup
    package var providers: ProviderConnections
    package var screen: @Sendable () -> any Screen
    /// Reads a key from the first line of standard input. Throws `badUsage` if a user would have to type it there,
    /// since the terminal would show it.
    package var pipedKey: @Sendable () throws(Failure) -> String?
    /// Opens the user's own terminal if the screen is a pipe or a file. Returns `nil` if there is no terminal. Throws
    /// `terminalTaken` if something in this process reads it already.
    package var terminal: @Sendable () throws(Failure) -> (any Screen)?

    package init(
        shared: OpenWorkspace, workspace: String, isOwnChild: Bool, settings: Settings,
        keep: AssetRetention, bundles: Bundles, diagnostics: Diagnostics, undoing: UndoActions, viewing: Looks,
        guides: GuideRuns,
        folders: any FolderReading, people: InboxActions, hosts: HostPermissions, sessions: ConversationLibrary,
        models: ModelActions, setup: ConnectionSetup, providers: ProviderConnections,
        screen: @escaping @Sendable () -> any Screen, pipedKey: @escaping @Sendable () throws(Failure) -> String?,
        terminal: @escaping @Sendable () throws(Failure) -> (any Screen)?
    ) {
        self.shared = shared
        self.workspace = workspace
        self.isOwnChild = isOwnChild
        self.settings = settings
        self.keep = keep
        self.bundles = bundles
        self.diagnostics = diagnostics
        self.undoing = undoing
        self.viewing = viewing
        self.guides = guides
        self.folders = folders
        self.people = people
        self.hosts = hosts
        self.sessions = sessions
        self.models = models
        self.setup = setup
        self.providers = providers
        self.screen = screen
        self.pipedKey = pipedKey
        self.terminal = terminal
    }

    /// The settings as they apply to a command: those of the file, and the mode of the session.
    package struct Settings: Sendable {
        /// Returns the mode of the session, or else the mode with which sessions begin.
        package var mode: @Sendable () throws(Failure) -> ConfirmationMode
        /// Changes the mode of the session. It is nil outside of a session.
        package var setMode: (@Sendable (ConfirmationMode) -> Void)?
        /// The settings in the user's file.
        package let stored: SettingsActions

        /// Creates the settings outside of a session.
        package init(_ stored: SettingsActions) {
            self.stored = stored
            mode = { () throws(Failure) in try stored.mode() }
        }

        /// Stores the mode with which later sessions begin.
        package func keepMode(_ mode: ConfirmationMode) throws(Failure) { try stored.setMode(mode) }

        /// Returns the model as the banner shows it, such as `gpt-5 at 127.0.0.1:8080`, or nil for the built-in planner.
        package func modelName() -> String? { stored.modelName }
    }
}

/// The use cases of workflows, and what every command asks for.
extension CommandContext {
    /// The stored workflows, inbox entries, contents and conversations.
    package var look: WorkflowRecords { WorkflowRecords(shared) }
    /// The use cases that start workflows and drive them.
    package var act: WorkflowActions { WorkflowActions(shared) }
    /// The use cases that repeat and change stored workflows.
    package var again: Reruns { Reruns(shared) }

    /// Returns the present time.
    package func now() -> Moment { OpenWorkspace.now() }

    /// Returns the tools that plans and files may name.
    package func catalogue() -> Catalogue { look.catalogue() }

    /// Returns the templates that can be run by name.
    package func templates() -> [TemplateEntry] { act.templates() }

    /// Throws `badSettings` if a file of the config folder is wrong that decides what is asked, which hosts are
    /// reached or which model is used.
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
