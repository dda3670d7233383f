package import Consent
package import Vocabulary
package import Workflows

/// The functions by which an engine reaches everything outside it. `assent` makes the real ones, and a simulator its
/// own.
package struct World: Sendable {
    /// Returns the time of this engine's clock: the wall time at its start and what has passed since, by a clock
    /// that cannot be set. Waits, limits and retries go by it (`semantics.md` 230).
    package var now: @Sendable () -> Moment
    /// Returns the readings of the machine's clocks. Dates that are shown to a person go by the wall clock.
    package var clocks: @Sendable () -> ClockReading
    /// The store, shared by all engines. Its functions block, and are called on the engine's thread only.
    package var ledger: Ledger
    package var tools: Tools
    /// Runs a piece of blocking work on a thread that may block. It is never called with more than the slots allow.
    package var onWorker: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Receives every event once it is durable, on the engine's thread. It must not block.
    package var emit: @Sendable (Event) -> Void
    /// Called at each fail point, so that tests can stop or kill the engine there.
    package var reach: @Sendable (FailPoint) throws(Failure) -> Void
    /// Called with a workflow before the engine loads it or obeys a command for it, and with `nil` afterwards. A crash
    /// in between is blamed on that workflow.
    package var takingUp: @Sendable (WorkflowID?) -> Void
    /// Called with a step before the calling thread works on it, and with `nil` afterwards. A crash in between is
    /// blamed on that step.
    package var working: @Sendable (StepID?) -> Void
    /// Returns the rules that hold in a workspace now. It is called for each decision, since rules may change.
    package var policy: @Sendable (_ workspace: String) -> Policy
    package var surroundings: @Sendable (_ workspace: String) -> Surroundings
    package var random: any RandomNumberGenerator & Sendable
    package var slots: Slots
    /// The amount that a workflow may spend before it asks.
    package var budget: Dollars
    package var shared: SharedSlots
    /// The prefix of the names of jobs at providers, which differs for every store.
    package var jobPrefix: String
    /// The templates that this process has read.
    package var templates: StoredTemplates

    /// The functions by which the engines of one store share slots. The defaults share with no other engine.
    package struct SharedSlots: Sendable {
        /// Takes one of `cap` slots and returns its number. Returns `nil` if all are taken, and records that this
        /// engine waits for one.
        package var take: @Sendable (SlotPlace, _ cap: Int) -> Int64?
        /// Releases a slot, and returns whether another engine waits for one.
        package var give: @Sendable (SlotPlace, Int64) -> Bool
        /// Records that this engine no longer waits for a slot.
        package var stopWaiting: @Sendable (SlotPlace) -> Void

        package init(
            take: @escaping @Sendable (SlotPlace, Int) -> Int64? = { _, _ in 0 },
            give: @escaping @Sendable (SlotPlace, Int64) -> Bool = { _, _ in false },
            stopWaiting: @escaping @Sendable (SlotPlace) -> Void = { _ in }
        ) {
            self.take = take
            self.give = give
            self.stopWaiting = stopWaiting
        }
    }

    /// The numbers of slots, over all workflows and processes.
    package struct Slots: Hashable, Sendable {
        /// The most programs that run on this machine at once.
        package var local: Int
        /// The most transfers at once: submissions, downloads and fetches. A job that only runs elsewhere needs none,
        /// nor does a status check.
        package var remote: Int

        package init(local: Int = Limits.localSlots, remote: Int = Limits.remoteSlots) {
            self.local = local
            self.remote = remote
        }
    }

    /// - Parameter clocks: `nil` if the wall clock is the engine's.
    package init(
        now: @escaping @Sendable () -> Moment, clocks: (@Sendable () -> ClockReading)? = nil, ledger: Ledger,
        tools: Tools,
        onWorker: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        emit: @escaping @Sendable (Event) -> Void = { _ in },
        reach: @escaping @Sendable (FailPoint) throws(Failure) -> Void = { _ in },
        takingUp: @escaping @Sendable (WorkflowID?) -> Void = { _ in },
        working: @escaping @Sendable (StepID?) -> Void = { _ in },
        policy: @escaping @Sendable (_ workspace: String) -> Policy,
        surroundings: @escaping @Sendable (String) -> Surroundings,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), slots: Slots = Slots(),
        shared: SharedSlots = SharedSlots(), budget: Dollars = Limits.workflowBudget, jobPrefix: String = "assent",
        templates: StoredTemplates = StoredTemplates()
    ) {
        self.now = now
        self.clocks =
            clocks ?? {
                let now = now()
                return ClockReading(wall: now, sinceBoot: now.milliseconds, boot: "")
            }
        self.ledger = ledger
        self.tools = tools
        self.onWorker = onWorker
        self.emit = emit
        self.reach = reach
        self.takingUp = takingUp
        self.working = working
        self.policy = policy
        self.surroundings = surroundings
        self.random = random
        self.slots = slots
        self.budget = budget
        self.shared = shared
        self.jobPrefix = jobPrefix
        self.templates = templates
    }

    /// The functions by which the engine reads and writes the store.
    package struct Ledger: Sendable {
        package var commit: @Sendable ([Batch]) throws(Failure) -> Committed
        package var claim: @Sendable () throws(Failure) -> [Claimed]
        /// Returns those of the given workflows that another engine owns by now.
        package var ownedByOthers: @Sendable (Set<WorkflowID>) throws(Failure) -> [WorkflowID]
        package var load: @Sendable (WorkflowID) throws(Failure) -> CarriedWorkflow?
        package var waitingCommands: @Sendable () throws(Failure) -> [Command]
        package var take: @Sendable ([Command]) throws(Failure) -> Void
        package var approvals: @Sendable (WorkflowID) throws(Failure) -> [Approval]
        /// Returns the history of a workflow: the inputs, parameters and outputs of its earlier attempts.
        package var history: @Sendable (WorkflowID) throws(Failure) -> WorkflowHistory
        /// Returns the current state of an await, including a claim on it.
        package var await: @Sendable (Int64) throws(Failure) -> AwaitRecord?
        /// Returns whether a run under another key than this has the provider's job of that id, or had it.
        package var isJobHeld: @Sendable (_ provider: String, _ id: String, _ key: String) throws(Failure) -> Bool
        /// Returns when the awaits expire that belong to resting workflows of this engine.
        package var expiries: @Sendable () throws(Failure) -> [(StepID, Moment)]
        /// Returns how many attempts of a step in a row, right before this one, were lost. The engine asks only after a
        /// crash.
        package var lostRuns: @Sendable (RunID) throws(Failure) -> Int
        /// Returns the allowed spending of the other workflows that the same turn of a conversation has created or
        /// restarted.
        package var spendingOfTurn: @Sendable (WorkflowID) throws(Failure) -> [WorkflowID: Spending]
        /// Returns whether a person's yes for a workflow in the same folder lets commands read the repository around
        /// that folder, under these rules and at that time (`Call.withoutRepository`).
        package var mayReadRepository: @Sendable (Call, WorkflowID, _ epoch: String, Moment) throws(Failure) -> Bool
        /// Sets a workflow aside that cannot be run, with the reason.
        package var putAside: @Sendable (WorkflowID, Failure) throws(Failure) -> Void
        /// Returns a number that changes when another connection commits.
        package var version: @Sendable () throws(Failure) -> Int

        package init(
            commit: @escaping @Sendable ([Batch]) throws(Failure) -> Committed,
            claim: @escaping @Sendable () throws(Failure) -> [Claimed],
            ownedByOthers: @escaping @Sendable (Set<WorkflowID>) throws(Failure) -> [WorkflowID],
            load: @escaping @Sendable (WorkflowID) throws(Failure) -> CarriedWorkflow?,
            waitingCommands: @escaping @Sendable () throws(Failure) -> [Command],
            take: @escaping @Sendable ([Command]) throws(Failure) -> Void,
            approvals: @escaping @Sendable (WorkflowID) throws(Failure) -> [Approval],
            history: @escaping @Sendable (WorkflowID) throws(Failure) -> WorkflowHistory,
            await: @escaping @Sendable (Int64) throws(Failure) -> AwaitRecord?,
            isJobHeld: @escaping @Sendable (_ provider: String, _ id: String, _ key: String) throws(Failure) -> Bool,
            expiries: @escaping @Sendable () throws(Failure) -> [(StepID, Moment)],
            putAside: @escaping @Sendable (WorkflowID, Failure) throws(Failure) -> Void,
            version: @escaping @Sendable () throws(Failure) -> Int,
            lostRuns: @escaping @Sendable (RunID) throws(Failure) -> Int,
            spendingOfTurn: @escaping @Sendable (WorkflowID) throws(Failure) -> [WorkflowID: Spending],
            mayReadRepository: @escaping @Sendable (Call, WorkflowID, String, Moment) throws(Failure) -> Bool = {
                _, _, _, _ in false
            }
        ) {
            self.commit = commit
            self.claim = claim
            self.ownedByOthers = ownedByOthers
            self.load = load
            self.waitingCommands = waitingCommands
            self.take = take
            self.approvals = approvals
            self.history = history
            self.await = `await`
            self.isJobHeld = isJobHeld
            self.expiries = expiries
            self.putAside = putAside
            self.version = version
            self.lostRuns = lostRuns
            self.spendingOfTurn = spendingOfTurn
            self.mayReadRepository = mayReadRepository
        }
    }

    /// The functions by which the engine calls tools. `prepare`, `missingKey`, `isJobHost`, `rehearse`, `run` and
    /// `recover` block and are called on workers.
    package struct Tools: Sendable {
        package var catalogue: @Sendable () -> Catalogue
        /// Finds out which effects and targets a call would have. It changes nothing.
        package var prepare: @Sendable (Assignment) -> Result<Call, Failure>
        /// Rehearses a command: runs it over an overlay, and returns its call with the changes that it would make. It
        /// changes no file.
        ///
        /// `hasTurn` is called with false if the command must wait for its turn in its folder, and with true when it
        /// has the turn. If a command reaches outside and its call is no longer the allowed one, it is not run, and the
        /// current call is returned.
        package var rehearse:
            @Sendable (Assignment, _ allowed: Call, _ hasTurn: @escaping @Sendable (Bool) -> Void) -> Result<
                Call, Failure
            >
        /// Removes the stored rehearsal of an attempt whose changes are denied. Blocks.
        package var forget: @Sendable (RunID, _ workspace: String) -> Void
        package var run: @Sendable (Assignment, Call?) -> RunEnding
        /// Continues an attempt that was under way when its engine died. If its process lives, the call waits for it.
        /// Else the result is its exit record, or that the attempt is lost.
        package var recover: @Sendable (Assignment) -> RunEnding
        /// Announces a run before a worker starts it. From then on `kill` can end it.
        package var expect: @Sendable (RunID) -> Void
        package var kill: @Sendable (RunID) -> Void
        /// Sends a request to a provider of jobs and returns at once. The answer comes in one callback, on any thread.
        package var job: @Sendable (JobRequest, @escaping @Sendable (JobAnswer) -> Void) -> Void
        /// Returns the failure that names the missing key of a provider of jobs. `nil` if the key is there, or none is
        /// needed.
        package var missingKey: @Sendable (_ provider: String) -> Failure?
        /// Returns whether the user has allowed a host, in the form `host:port`, for jobs.
        package var isJobHost: @Sendable (String) -> Bool
        /// Returns whether this machine has no route to any network. The engine asks before each remote step.
        package var isOffline: @Sendable () -> Bool
        /// Returns the path of the folder of an attempt.
        package var runFolder: @Sendable (RunID) -> String
        /// Returns whether a tool cannot block, such as `Pass`. Such a tool runs on the engine's own thread.
        package var isInstant: @Sendable (ToolManifest) -> Bool
        /// Returns the path of an output's content, for programs that show it.
        package var path: @Sendable (ContentHash) -> String?
        /// Stores a short text in the asset store, and returns its hash. `nil` if there is no room.
        package var keep: @Sendable (String) -> ContentHash?
        /// Returns whether the content of an asset is still stored.
        package var holds: @Sendable (Asset) -> Bool

        package init(
            catalogue: @escaping @Sendable () -> Catalogue,
            prepare: @escaping @Sendable (Assignment) -> Result<Call, Failure>,
            rehearse:
                @escaping @Sendable (Assignment, Call, @escaping @Sendable (Bool) -> Void) -> Result<Call, Failure> = {
                    _, _, _ in
                    .failure(Failure(.notRunHere, "This program was started without a way to rehearse commands."))
                },
            forget: @escaping @Sendable (RunID, String) -> Void = { _, _ in },
            run: @escaping @Sendable (Assignment, Call?) -> RunEnding,
            recover: @escaping @Sendable (Assignment) -> RunEnding,
            expect: @escaping @Sendable (RunID) -> Void = { _ in }, kill: @escaping @Sendable (RunID) -> Void,
            job: @escaping @Sendable (JobRequest, @escaping @Sendable (JobAnswer) -> Void) -> Void = { _, reply in
                reply(.notTaken(Failure(.noProvider, "This program was started without providers of jobs.")))
            },
            missingKey: @escaping @Sendable (String) -> Failure? = { _ in nil },
            isJobHost: @escaping @Sendable (String) -> Bool = { _ in false },
            isOffline: @escaping @Sendable () -> Bool = { false },
            runFolder: @escaping @Sendable (RunID) -> String = { "/nowhere/\($0)" },
            isInstant: @escaping @Sendable (ToolManifest) -> Bool = { _ in false },
            path: @escaping @Sendable (ContentHash) -> String? = { _ in nil },
            holds: @escaping @Sendable (Asset) -> Bool = { _ in true },
            keep: @escaping @Sendable (String) -> ContentHash? = { _ in nil }
        ) {
            self.catalogue = catalogue
            self.prepare = prepare
            self.rehearse = rehearse
            self.forget = forget
            self.run = run
            self.recover = recover
            self.expect = expect
            self.kill = kill
            self.job = job
            self.missingKey = missingKey
            self.isJobHost = isJobHost
            self.isOffline = isOffline
            self.runFolder = runFolder
            self.isInstant = isInstant
            self.path = path
            self.holds = holds
            self.keep = keep
        }
    }
}

extension World {
    /// Runs work for a step on a worker. A crash in the work is blamed on this step.
    func onWorker(for step: StepID, _ work: @escaping @Sendable () -> Void) {
        onWorker { [working] in
            working(step)
            defer { working(nil) }
            work()
        }
    }

    /// Runs work for a step on the calling thread. A crash in the work is blamed on this step.
    func at<Value>(_ step: StepID, _ work: () -> Value) -> Value {
        working(step)
        defer { working(nil) }
        return work()
    }
}

/// The places in the loop where tests can make the engine crash (`architecture.md` invariant 2).
package enum FailPoint: String, Hashable, Sendable, CaseIterable {
    case beforeCommit, afterCommit, beforeAct, afterAct
}
