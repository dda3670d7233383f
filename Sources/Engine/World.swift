package import Consent
package import Vocabulary

/// Everything outside an engine, as functions. The real one is wired in `assent`; a simulator brings its own.
package struct World: Sendable {
    package var now: @Sendable () -> Moment
    /// The one store. Blocking; called on the engine's thread only.
    package var ledger: Ledger
    package var tools: Tools
    /// Runs a piece of blocking work on a thread that may block. It is never called with more than the slots allow.
    package var onWorker: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Told of every event after it is durable, on the engine's thread: must not block.
    package var emit: @Sendable (Event) -> Void
    /// Where tests stop or kill the engine.
    package var reach: @Sendable (FailPoint) throws(Failure) -> Void
    /// Said before a workflow is taken up, or something is done that was asked of it, and with `nil` afterwards: a
    /// crash in between is at its rows.
    package var takingUp: @Sendable (WorkflowID?) -> Void
    /// The same for the step that the calling thread works on.
    package var working: @Sendable (StepID?) -> Void
    /// The rules that hold in a workspace now: asked for each decision, since they may have changed.
    package var policy: @Sendable (_ workspace: String) -> Policy
    package var surroundings: @Sendable (_ workspace: String) -> Surroundings
    package var random: any RandomNumberGenerator & Sendable
    package var slots: Slots
    /// What a workflow may spend before it asks.
    package var budget: Dollars
    package var shared: SharedSlots
    /// Begins the names of jobs at providers: another one for every store.
    package var jobPrefix: String

    /// The slots that all engines of one store share. What is here by default shares with nobody.
    package struct SharedSlots: Sendable {
        /// One of `cap` slots; `nil` where all are taken: then this engine is known to wait for one.
        package var take: @Sendable (SlotPlace, _ cap: Int) -> Int64?
        /// Whether another engine waits for it.
        package var give: @Sendable (SlotPlace, Int64) -> Bool
        /// Nothing here waits for one any more.
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

    /// How much is under way at once, over all workflows and processes.
    package struct Slots: Hashable, Sendable {
        /// Programs on this machine.
        package var local: Int
        /// Transfers: submissions, downloads and fetches. A job that only runs elsewhere takes none, nor does a status
        /// check.
        package var remote: Int

        package init(local: Int = Limits.localSlots, remote: Int = Limits.remoteSlots) {
            self.local = local
            self.remote = remote
        }
    }

    package init(
        now: @escaping @Sendable () -> Moment, ledger: Ledger, tools: Tools,
        onWorker: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        emit: @escaping @Sendable (Event) -> Void = { _ in },
        reach: @escaping @Sendable (FailPoint) throws(Failure) -> Void = { _ in },
        takingUp: @escaping @Sendable (WorkflowID?) -> Void = { _ in },
        working: @escaping @Sendable (StepID?) -> Void = { _ in },
        policy: @escaping @Sendable (_ workspace: String) -> Policy,
        surroundings: @escaping @Sendable (String) -> Surroundings,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), slots: Slots = Slots(),
        shared: SharedSlots = SharedSlots(), budget: Dollars = Limits.workflowBudget, jobPrefix: String = "assent"
    ) {
        self.now = now
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
    }

    /// What the engine asks of storage.
    package struct Ledger: Sendable {
        package var commit: @Sendable ([Batch]) throws(Failure) -> Committed
        package var claim: @Sendable () throws(Failure) -> [Claimed]
        /// Of these, the workflows that another engine owns by now.
        package var ownedByOthers: @Sendable (Set<WorkflowID>) throws(Failure) -> [WorkflowID]
        package var load: @Sendable (WorkflowID) throws(Failure) -> CarriedWorkflow?
        package var waitingCommands: @Sendable () throws(Failure) -> [Command]
        package var take: @Sendable ([Command]) throws(Failure) -> Void
        package var approvals: @Sendable (WorkflowID) throws(Failure) -> [Approval]
        /// What earlier attempts were made of.
        package var history: @Sendable (WorkflowID) throws(Failure) -> WorkflowHistory
        /// An await as it is now: whether somebody holds a claim.
        package var await: @Sendable (Int64) throws(Failure) -> AwaitRecord?
        /// Returns whether a run under another key than this has the provider's job of that id, or had it.
        package var isJobHeld: @Sendable (_ provider: String, _ id: String, _ key: String) throws(Failure) -> Bool
        /// When awaits of workflows that this engine owns and that rest run out.
        package var expiries: @Sendable () throws(Failure) -> [(StepID, Moment)]
        /// How many attempts of a step right before this one were lost. Asked after a crash only.
        package var lostRuns: @Sendable (RunID) throws(Failure) -> Int
        /// What the other workflows have been allowed to spend that the same turn of a conversation has made or taken
        /// up again.
        package var spendingOfTurn: @Sendable (WorkflowID) throws(Failure) -> [WorkflowID: Spending]
        /// A workflow that cannot be carried is put aside, with the reason.
        package var putAside: @Sendable (WorkflowID, Failure) throws(Failure) -> Void
        /// Changes when another connection commits.
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
            spendingOfTurn: @escaping @Sendable (WorkflowID) throws(Failure) -> [WorkflowID: Spending]
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
        }
    }

    /// What the engine asks of the tools. `prepare`, `missingKey`, `isJobHost`, `rehearse`, `run` and `recover` block
    /// and are called on workers.
    package struct Tools: Sendable {
        package var catalogue: @Sendable () -> Catalogue
        /// Finds out what a call would touch. Changes nothing.
        package var prepare: @Sendable (Assignment) -> Result<Call, Failure>
        /// Runs a command whose call says that this is wanted, and says what it would change. Changes no file. Told
        /// that it waits for its turn in its folder, and that it has it, where it had to wait. One that reaches out and
        /// is no longer the call that was allowed is not run, and comes back as it is now.
        package var rehearse:
            @Sendable (Assignment, _ allowed: Call, _ hasTurn: @escaping @Sendable (Bool) -> Void) -> Result<
                Call, Failure
            >
        /// Removes what is kept of a rehearsal whose changes are denied. Blocks.
        package var forget: @Sendable (RunID, _ workspace: String) -> Void
        package var run: @Sendable (Assignment, Call?) -> RunEnding
        /// An attempt that was under way when its engine died: waits for it if it lives, takes its exit record, or
        /// reports it lost.
        package var recover: @Sendable (Assignment) -> RunEnding
        /// Told of a run before a worker gets it: from then on `kill` reaches it.
        package var expect: @Sendable (RunID) -> Void
        package var kill: @Sendable (RunID) -> Void
        /// Asks a provider of jobs. Returns at once; the reply is called once, on any thread.
        package var job: @Sendable (JobRequest, @escaping @Sendable (JobAnswer) -> Void) -> Void
        /// Why a provider of jobs cannot be asked for want of a key; `nil` where there is one, or none is wanted.
        package var missingKey: @Sendable (_ provider: String) -> Failure?
        /// Whether the person has allowed a host, `host:port`, for jobs.
        package var isJobHost: @Sendable (String) -> Bool
        /// Whether this machine has no way to any network. Asked before each remote step.
        package var isOffline: @Sendable () -> Bool
        /// Where an attempt keeps its things.
        package var runFolder: @Sendable (RunID) -> String
        /// Tools that cannot block, such as `Pass`: run on the engine's own thread.
        package var isInstant: @Sendable (ToolManifest) -> Bool
        /// Where the bytes of an output lie, for those who want to look at them.
        package var path: @Sendable (ContentHash) -> String?
        /// Puts a short text into the asset store; `nil` if there is no room for it.
        package var keep: @Sendable (String) -> ContentHash?
        /// Whether the content of an asset is still there.
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
    /// Work for one step: a crash in it is at this step.
    func onWorker(for step: StepID, _ work: @escaping @Sendable () -> Void) {
        onWorker { [working] in
            working(step)
            defer { working(nil) }
            work()
        }
    }

    /// The same on the engine's own thread.
    func at<Value>(_ step: StepID, _ work: () -> Value) -> Value {
        working(step)
        defer { working(nil) }
        return work()
    }
}

/// The places where a crash is told apart from its neighbours (`architecture.md` invariant 2).
package enum FailPoint: String, Hashable, Sendable, CaseIterable {
    case beforeCommit, afterCommit, beforeAct, afterAct
}
