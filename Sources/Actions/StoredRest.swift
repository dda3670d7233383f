import Vocabulary

extension Limits {
    /// How long a verb waits for a workflow before it names the stopped process that holds it, in seconds.
    fileprivate static let quietSeconds = 2.0

    /// The number of looks in a row that must find a rest. The events of this process arrive between two of them.
    fileprivate static let restingLooks = 2
}

/// The rest of a workflow after a stored command or answer, as the stored rows show it. They also show what an engine of
/// another process does.
struct StoredRest {
    private let follower: WorkflowFollower
    private let since = ContinuousClock.now
    private var found = 0
    private var isTold = false

    init(of follower: WorkflowFollower) { self.follower = follower }

    private var records: WorkflowRecords { follower.records }
    private var workflow: WorkflowID { follower.workflow }

    /// Returns whether no step can go on in a process on this machine. Tells the listener once about a stopped process
    /// that holds the workflow.
    mutating func isReached(_ followed: inout Followed, _ questions: inout StandingQuestions) async -> Bool {
        guard !isTold, since.duration(to: .now) >= .seconds(Limits.quietSeconds) else {
            return rests(&followed, &questions)
        }
        if let holder = try? records.holder(of: workflow), holder.isStopped {
            isTold = true
            await follower.listener?.standsStill(holder)
        }
        return rests(&followed, &questions)
    }

    private mutating func rests(_ followed: inout Followed, _ questions: inout StandingQuestions) -> Bool {
        var read = followed
        // The next look reads again what could not be read.
        guard (try? hasStopped(&read, &questions)) == true else {
            found = 0
            return false
        }
        found += 1
        guard found >= Limits.restingLooks else { return false }
        followed = read
        followed.isRead = true
        return true
    }

    private func hasStopped(_ followed: inout Followed, _ questions: inout StandingQuestions) throws(Failure) -> Bool {
        // The commands are read first: the rows that are read after them are at least as new.
        guard !records.hasWaitingCommand(workflow), let summary = try records.summary(workflow) else { return false }
        if let outcome = summary.record.outcome, outcome != .waiting {
            follower.readEnd(outcome, &followed)
            return true
        }
        let open = try records.awaits(false).filter { $0.step.workflow == workflow }
        if follower.asker != nil { for record in open where follower.isAsked(record) { questions.ask(record) } }
        let isLocal = !summary.states.isDisjoint(with: [.ready, .runningLocal, .downloading])
        guard !isLocal, questions.isEmpty else { return false }
        guard summary.states.isDisjoint(with: [.queuedRemote, .runningRemote]) else {
            followed.isRemote = try areJobsAccepted()
            return followed.isRemote
        }
        return !open.isEmpty || records.hasHeldCommand(workflow)
    }

    /// Returns whether the provider has accepted each job that is under way.
    private func areJobsAccepted() throws(Failure) -> Bool {
        for step in try records.steps(workflow) where step.state == .queuedRemote {
            guard let job = try records.runs(step.id).last?.job, job.phase != .submitIntent else { return false }
        }
        return true
    }
}
