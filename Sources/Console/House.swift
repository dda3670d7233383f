package import Conversations
package import Terminal
package import Vocabulary

/// Everything that the console asks of the rest of the house, as functions. Wired in `assent`; a test brings its own.
package struct House: Sendable {
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
    package var look: Look
    package var act: Act
    package var keep: Keep
    package var again: Again
    package var undoing: Undoing
    package var viewing: any Viewing
    package var guides: any Guides
    package var folders: any FolderReading
    package var people: People
    package var hosts: Hosts
    package var sessions: Sessions
    package var models: Models
    package var setup: ConnectionSetup
    package var providers: ProviderSetup
    /// A template as it may be shown: what holds keys in it is cut.
    package var withoutKeys: @Sendable (Template) -> Template
    /// The name of the first key in a line, such as "a GitHub token"; `nil` if there is none.
    package var typedKey: @Sendable (String) -> String?
    package var screen: @Sendable () -> any Screen
    /// Opens the user's own terminal if the screen is a pipe or a file. Returns `nil` if there is no terminal. Throws
    /// `terminalTaken` if something in this process reads it already.
    package var terminal: @Sendable () throws(Failure) -> (any Screen)?
    /// Every event of this process from now on, in order.
    package var events: @Sendable () -> AsyncStream<Event>
    package var converse: @Sendable (Conversing) -> Session

    package init(
        workspace: String, isOwnChild: Bool = false, notice: @escaping @Sendable () async -> String? = { nil },
        now: @escaping @Sendable () -> Moment, catalogue: @escaping @Sendable () -> Catalogue,
        templates: @escaping @Sendable () -> [TemplateEntry], settings: Settings,
        requireSettings: @escaping @Sendable () throws(Failure) -> Void = { () throws(Failure) in }, look: Look,
        act: Act, keep: Keep,
        again: Again, undoing: Undoing = .none, viewing: (any Viewing)? = nil, guides: (any Guides)? = nil,
        folders: any FolderReading = NoFolders(), people: People, hosts: Hosts = .none, sessions: Sessions,
        models: Models = .none, setup: ConnectionSetup = .none, providers: ProviderSetup = .none,
        withoutKeys: @escaping @Sendable (Template) -> Template = { $0 },
        typedKey: @escaping @Sendable (String) -> String? = { _ in nil },
        screen: @escaping @Sendable () -> any Screen, terminal: @escaping @Sendable () throws(Failure) -> (any Screen)?,
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
        self.viewing = viewing ?? NoViewing()
        self.guides = guides ?? NoGuides()
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
        self.terminal = terminal
        self.events = events
        self.converse = converse
    }

    /// A template that can be run by name.
    package struct TemplateEntry: Hashable, Sendable {
        package var name: String
        package var path: String
        package var title: String

        package init(name: String, path: String, title: String) {
            self.name = name
            self.path = path
            self.title = title
        }
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
            modelName: @escaping @Sendable () -> String?, table: (any SettingsTable)? = nil
        ) {
            self.table = table ?? NoSettingsTable()
            self.mode = mode
            self.keepMode = keepMode
            self.modelName = modelName
        }
    }

    /// What can be looked at. Nothing of it changes anything.
    package struct Look: Sendable {
        package var summary: @Sendable (WorkflowID) throws(Failure) -> WorkflowSummary?
        package var steps: @Sendable (WorkflowID) throws(Failure) -> [StepRecord]
        package var template: @Sendable (WorkflowID) throws(Failure) -> Template?
        package var runs: @Sendable (StepID) throws(Failure) -> [RunRecord]
        package var assets: @Sendable (WorkflowID) throws(Failure) -> [Asset]
        package var history: @Sendable (WorkflowID, _ step: Int?) throws(Failure) -> [EventRecord]
        package var awaits: @Sendable (_ includingDone: Bool) throws(Failure) -> [AwaitRecord]
        /// Another number whenever something has been stored, by whomever: cheap to ask.
        package var version: @Sendable () throws(Failure) -> Int
        package var awaitNumbered: @Sendable (Int64) throws(Failure) -> AwaitRecord?
        /// The question of an await, if its call still hashes to its digest.
        package var question: @Sendable (AwaitRecord) throws(Failure) -> Question
        /// The last that a step's command has said which this process rehearses; `nil` where it rehearses none.
        package var saidSoFar: @Sendable (StepID) -> String?
        /// Both sides of the texts that its call would change, by the place of the target. Blocks for as long as it
        /// takes to read them.
        package var texts: @Sendable (AwaitRecord, Question) -> [Int: TextChange]
        /// The one that was spoken in last comes first.
        package var sessions: @Sendable (_ limit: Int) throws(Failure) -> [SessionRecord]
        package var messages: @Sendable (SessionID) throws(Failure) -> [MessageRecord]
        /// The first bytes of an asset, for a preview of texts: without keys.
        package var preview: @Sendable (ContentHash, _ bytes: Int) -> String?
        /// The whole text of an asset without keys; `nil` if it is gone or larger than `Limits.readFileBytes`.
        package var text: @Sendable (ContentHash) -> String?
        package var path: @Sendable (ContentHash) -> String?
        /// Whether it came of a file that may hold keys: not for a model (`consent.md`, "Effects").
        package var isPrivate: @Sendable (ContentHash) -> Bool
        /// Whether some process carries workflows out now.
        package var hasEngine: @Sendable () -> Bool
        /// Processes of `assent work`, the oldest first.
        package var workers: @Sendable () throws(Failure) -> [Worker]

        package init(
            summary: @escaping @Sendable (WorkflowID) throws(Failure) -> WorkflowSummary?,
            steps: @escaping @Sendable (WorkflowID) throws(Failure) -> [StepRecord],
            template: @escaping @Sendable (WorkflowID) throws(Failure) -> Template?,
            runs: @escaping @Sendable (StepID) throws(Failure) -> [RunRecord],
            assets: @escaping @Sendable (WorkflowID) throws(Failure) -> [Asset],
            history: @escaping @Sendable (WorkflowID, Int?) throws(Failure) -> [EventRecord],
            awaits: @escaping @Sendable (Bool) throws(Failure) -> [AwaitRecord],
            version: @escaping @Sendable () throws(Failure) -> Int,
            awaitNumbered: @escaping @Sendable (Int64) throws(Failure) -> AwaitRecord?,
            question: @escaping @Sendable (AwaitRecord) throws(Failure) -> Question,
            saidSoFar: @escaping @Sendable (StepID) -> String?,
            texts: @escaping @Sendable (AwaitRecord, Question) -> [Int: TextChange],
            sessions: @escaping @Sendable (Int) throws(Failure) -> [SessionRecord],
            messages: @escaping @Sendable (SessionID) throws(Failure) -> [MessageRecord],
            preview: @escaping @Sendable (ContentHash, Int) -> String?,
            text: @escaping @Sendable (ContentHash) -> String?,
            path: @escaping @Sendable (ContentHash) -> String?,
            isPrivate: @escaping @Sendable (ContentHash) -> Bool, hasEngine: @escaping @Sendable () -> Bool,
            workers: @escaping @Sendable () throws(Failure) -> [Worker]
        ) {
            self.summary = summary
            self.steps = steps
            self.template = template
            self.runs = runs
            self.assets = assets
            self.history = history
            self.awaits = awaits
            self.version = version
            self.awaitNumbered = awaitNumbered
            self.question = question
            self.saidSoFar = saidSoFar
            self.texts = texts
            self.sessions = sessions
            self.messages = messages
            self.preview = preview
            self.text = text
            self.isPrivate = isPrivate
            self.hasEngine = hasEngine
            self.workers = workers
            self.path = path
        }
    }

    /// A process that carries workflows without a chat.
    package struct Worker: Hashable, Sendable {
        package var process: Int
        package var since: Moment
        package var workflows: [WorkflowID]

        package init(process: Int, since: Moment, workflows: [WorkflowID]) {
            self.process = process
            self.since = since
            self.workflows = workflows
        }
    }

    /// What can be done.
    package struct Act: Sendable {
        /// Reads and checks a template that comes in; changes nothing.
        package var check: @Sendable (_ bytes: [UInt8], _ bound: Set<Template.Endpoint>) -> (Template?, [Problem])
        /// The same for a graph that a workflow has, as a person has changed it: what it was called may stay.
        package var checkChanged: @Sendable (_ bytes: [UInt8], _ old: Template) -> (Template?, [Problem])
        package var checkTemplate: @Sendable (Template) -> [Problem]
        /// The tools that it wants and that are not here.
        package var missingTools: @Sendable (Template) -> [Problem]
        /// Stores a checked workflow and has the engine of this process carry it.
        package var start: @Sendable (Template, Start) throws(Failure) -> WorkflowID
        package var command: @Sendable (WorkflowID, Command.Verb) throws(Failure) -> Void
        package var answer: @Sendable (AwaitRecord, Answer, _ by: String) throws(Failure) -> AnswerOutcome
        /// Starts the engine of this process, unless it works. `onIdle` hears whenever nothing is left that could move
        /// by itself; `onFailure` that the store has failed: the engine has ended, and may be started again.
        package var startEngine:
            @Sendable (_ onIdle: @escaping @Sendable () -> Void, _ onFailure: @escaping @Sendable (Failure) -> Void)
                throws(Failure) -> Void
        package var stopEngine: @Sendable () async -> Void
        /// Starts `assent work --until-idle` in a process of its own.
        package var detachWorker: @Sendable () throws(Failure) -> Void
        package var readFile: @Sendable (_ path: String) throws(Failure) -> [UInt8]
        package var record: @Sendable (Event) -> Void
        package var beginSession: @Sendable (_ title: String) throws(Failure) -> SessionRecord
        /// The session of this workspace in which lines wait that a chat left behind when it was killed; `nil` if there
        /// is none.
        package var takeUpSession: @Sendable () throws(Failure) -> LeftSession?
        /// The workflow that the person looks at: it gets more slots than the others (`semantics.md` 13).
        package var focus: @Sendable (WorkflowID) -> Void
        /// A systemd user unit that runs `assent work` of this program.
        package var serviceUnit: @Sendable () -> String

        package init(
            check: @escaping @Sendable ([UInt8], Set<Template.Endpoint>) -> (Template?, [Problem]),
            checkChanged: @escaping @Sendable ([UInt8], Template) -> (Template?, [Problem]),
            checkTemplate: @escaping @Sendable (Template) -> [Problem],
            missingTools: @escaping @Sendable (Template) -> [Problem],
            start: @escaping @Sendable (Template, Start) throws(Failure) -> WorkflowID,
            command: @escaping @Sendable (WorkflowID, Command.Verb) throws(Failure) -> Void,
            answer: @escaping @Sendable (AwaitRecord, Answer, String) throws(Failure) -> AnswerOutcome,
            startEngine:
                @escaping @Sendable (
                    @escaping @Sendable () -> Void, @escaping @Sendable (Failure) -> Void
                ) throws(Failure) -> Void,
            stopEngine: @escaping @Sendable () async -> Void,
            detachWorker: @escaping @Sendable () throws(Failure) -> Void,
            readFile: @escaping @Sendable (String) throws(Failure) -> [UInt8],
            record: @escaping @Sendable (Event) -> Void,
            beginSession: @escaping @Sendable (String) throws(Failure) -> SessionRecord,
            takeUpSession: @escaping @Sendable () throws(Failure) -> LeftSession?,
            focus: @escaping @Sendable (WorkflowID) -> Void, serviceUnit: @escaping @Sendable () -> String
        ) {
            self.check = check
            self.checkChanged = checkChanged
            self.checkTemplate = checkTemplate
            self.missingTools = missingTools
            self.start = start
            self.command = command
            self.answer = answer
            self.startEngine = startEngine
            self.stopEngine = stopEngine
            self.detachWorker = detachWorker
            self.readFile = readFile
            self.record = record
            self.beginSession = beginSession
            self.takeUpSession = takeUpSession
            self.focus = focus
            self.serviceUnit = serviceUnit
        }
    }

    package struct Start: Hashable, Sendable {
        package var session: SessionID?
        /// The turn of the session that it is made in.
        package var turn: Int?
        package var mode: ConfirmationMode
        package var onAsk: OnAsk

        package init(session: SessionID? = nil, turn: Int? = nil, mode: ConfirmationMode, onAsk: OnAsk) {
            self.session = session
            self.turn = turn
            self.mode = mode
            self.onAsk = onAsk
        }
    }

    /// A conversation that goes on.
    package struct LeftSession: Hashable, Sendable {
        package var id: SessionID
        package var history: [ChatMessage]
        package var turns: Int
        /// Those that waited when a chat was killed.
        package var lines: [String]
        /// Whether its last turn waits for a person's answer, and goes on when the conversation does.
        package var waits: Bool

        package init(id: SessionID, history: [ChatMessage], turns: Int, lines: [String], waits: Bool = false) {
            self.waits = waits
            self.id = id
            self.history = history
            self.turns = turns
            self.lines = lines
        }
    }

    package enum AnswerOutcome: Hashable, Sendable {
        case taken
        case alreadyAnswered(resolution: String, by: String, at: Moment)
    }

    /// One line of `doctor`.
    package struct Finding: Hashable, Sendable {
        package var name: String
        package var words: String
        /// `succeeded` where all is well.
        package var status: ExitStatus
        /// Worth knowing, and no fault.
        package var isRemark = false

        package var isFine: Bool { status == .succeeded }

        package init(isFine: Bool, name: String, words: String) {
            self.name = name
            self.words = words
            status = isFine ? .succeeded : .failed
        }

        package init(remark words: String, name: String) {
            self.init(isFine: true, name: name, words: words)
            isRemark = true
        }

        /// What could not even be looked at.
        package init(name: String, _ failure: Failure) {
            self.name = name
            words = failure.description
            status = ExitStatus(of: failure)
        }
    }

    /// What a conversation needs of the console.
    package struct Conversing: Sendable {
        package var session: SessionID
        /// What a session that is taken up again has had, and the lines that wait in it.
        package var left: LeftSession?
        /// Whether its lines survive a crash: those of a chat do.
        package var keepsLines: Bool
        package var hint: @Sendable (Turn.Hint) async -> Void
        package var queued: @Sendable ([String]) async -> Void
        /// Hears what is said at once, before the event goes the way of all events: each hand it passes through costs a
        /// token its time.
        package var heard: @Sendable (Event.Kind) -> Void
        package var perform: @Sendable (PlannerCall, _ turn: Int) async -> CallResult
        /// Follows a workflow again that a call began and that waited for a person. Without `asks`, nobody is asked
        /// here.
        package var takeUp: @Sendable (WorkflowID, _ asks: Bool) async -> CallResult
        /// Asks the person for the model's host, where they can be asked.
        package var confirmHost: @Sendable (HostQuestion) async -> Void

        package init(
            session: SessionID, left: LeftSession? = nil, keepsLines: Bool = false,
            hint: @escaping @Sendable (Turn.Hint) async -> Void = { _ in },
            queued: @escaping @Sendable ([String]) async -> Void = { _ in },
            heard: @escaping @Sendable (Event.Kind) -> Void = { _ in },
            perform: @escaping @Sendable (PlannerCall, _ turn: Int) async -> CallResult,
            takeUp: @escaping @Sendable (WorkflowID, Bool) async -> CallResult = { _, _ in .lost },
            confirmHost: @escaping @Sendable (HostQuestion) async -> Void = { _ in }
        ) {
            self.takeUp = takeUp
            self.confirmHost = confirmHost
            self.session = session
            self.left = left
            self.keepsLines = keepsLines
            self.hint = hint
            self.queued = queued
            self.heard = heard
            self.perform = perform
        }
    }
}
