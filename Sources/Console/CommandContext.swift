package import Actions
package import Conversations
package import Terminal
package import Vocabulary

/// The surroundings of a command: the use cases of this process, and the screen.
package struct CommandContext: Sendable {
    /// The real path of the folder the person is in.
    package var workspace: String
    /// Whether this process came of one that Assent ran: then no person sits here.
    package var isOwnChild: Bool
    /// What holds less than usual on this machine; `nil` where nothing does, or it has been said. Tries it out at the
    /// first call.
    package var notice: @Sendable () async -> String?
    package var now: @Sendable () -> Moment
    package var catalogue: @Sendable () -> Catalogue
    package var templates: @Sendable () -> [TemplateEntry]
    package var settings: Settings
    /// Throws `badSettings` if a file of the config folder is wrong that says how much is asked, whom to speak to, or
    /// which model to use.
    package var requireSettings: @Sendable () throws(Failure) -> Void
    package var look: WorkflowRecords
    package var act: WorkflowActions
    package var keep: AssetRetention
    package var again: Reruns
    package var undoing: UndoActions
    package var viewing: any Viewing
    package var guides: GuideRuns
    package var folders: any FolderReading
    package var people: InboxActions
    package var hosts: HostPermissions
    package var sessions: ConversationLibrary
    package var models: ModelActions
    package var setup: ConnectionSetup
    package var providers: ProviderConnections
    /// A template as it may be shown: what holds keys in it is cut.
    package var withoutKeys: @Sendable (Template) -> Template
    /// The name of the first key in a line, such as "a GitHub token"; `nil` if there is none.
    package var typedKey: @Sendable (String) -> String?
    package var screen: @Sendable () -> any Screen
    /// Reads a key from the first line of standard input. Throws `badUsage` if a user would have to type it there,
    /// since the terminal would show it.
    package var pipedKey: @Sendable () throws(Failure) -> String?
    /// Opens the user's own terminal if the screen is a pipe or a file. Returns `nil` if there is no terminal. Throws
    /// `terminalTaken` if something in this process reads it already.
    package var terminal: @Sendable () throws(Failure) -> (any Screen)?
    /// Every event of this process from now on, in order.
    package var events: @Sendable () -> AsyncStream<Event>
    package var converse: @Sendable (Conversing) -> Session

    package init(
        workspace: String, isOwnChild: Bool, notice: @escaping @Sendable () async -> String?,
        now: @escaping @Sendable () -> Moment, catalogue: @escaping @Sendable () -> Catalogue,
        templates: @escaping @Sendable () -> [TemplateEntry], settings: Settings,
        requireSettings: @escaping @Sendable () throws(Failure) -> Void, look: WorkflowRecords, act: WorkflowActions,
        keep: AssetRetention, again: Reruns, undoing: UndoActions, viewing: any Viewing, guides: GuideRuns,
        folders: any FolderReading, people: InboxActions, hosts: HostPermissions, sessions: ConversationLibrary,
        models: ModelActions, setup: ConnectionSetup, providers: ProviderConnections,
        withoutKeys: @escaping @Sendable (Template) -> Template, typedKey: @escaping @Sendable (String) -> String?,
        screen: @escaping @Sendable () -> any Screen, pipedKey: @escaping @Sendable () throws(Failure) -> String?,
        terminal: @escaping @Sendable () throws(Failure) -> (any Screen)?,
        events: @escaping @Sendable () -> AsyncStream<Event>,
        converse: @escaping @Sendable (Conversing) -> Session
    ) {
        self.workspace = workspace
        self.isOwnChild = isOwnChild
        self.notice = notice
        self.now = now
        self.catalogue = catalogue
        self.templates = templates
        self.settings = settings
        self.requireSettings = requireSettings
        self.look = look
        self.act = act
        self.keep = keep
        self.again = again
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
        self.withoutKeys = withoutKeys
        self.typedKey = typedKey
        self.screen = screen
        self.pipedKey = pipedKey
        self.terminal = terminal
        self.events = events
        self.converse = converse
    }

    package struct Settings: Sendable {
        /// As it holds now: of the session, or what sessions begin with.
        package var mode: @Sendable () throws(Failure) -> ConfirmationMode
        /// For the session; `nil` outside of one.
        package var setMode: (@Sendable (ConfirmationMode) -> Void)?
        /// For later sessions.
        package var keepMode: @Sendable (ConfirmationMode) throws(Failure) -> Void
        /// The model as the banner shows it, such as `gpt-5 at 127.0.0.1:8080`; `nil` for the built-in planner.
        package var modelName: @Sendable () -> String?
        /// All settings, one by one.
        package var table: any SettingsTable

        package init(
            mode: @escaping @Sendable () throws(Failure) -> ConfirmationMode,
            keepMode: @escaping @Sendable (ConfirmationMode) throws(Failure) -> Void,
            modelName: @escaping @Sendable () -> String?, table: any SettingsTable
        ) {
            self.table = table
            self.mode = mode
            self.keepMode = keepMode
            self.modelName = modelName
        }
    }

}
