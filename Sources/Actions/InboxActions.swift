import Glibc
package import JSON
import Services
import Storage
import Synchronization
package import Vocabulary

/// The use cases of the inbox, except answers to questions about calls. Refusals are failures: `alreadyAnswered`,
/// `claimedByOther`, `claimIsOver`, `snoozeLimitReached` and `unknownAwait`. Each names the person and the time.
package struct InboxActions: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of the inbox of an open workspace.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// The name under which this process claims and answers, such as `person on /dev/pts/3`.
    package var name: String { OpenWorkspace.person }

    /// The user's own editor, or nil if they have none.
    package var ownEditor: OwnEditor? { OwnEditor.ofThePerson }

    // MARK: Claims

    /// Claims an entry for the person here, until the lease ends.
    ///
    /// - Returns: the entry with the number of the claim.
    /// - Throws: `claimedByOther`, `alreadyAnswered` or `unknownAwait`.
    package func claim(_ number: Int64) throws(Failure) -> AwaitRecord {
        try endAbandonedClaim(on: number)
        let (archive, process) = (try shared.archive.get(), try shared.holder.get().name)
        switch try archive.claim(number, by: name, process: process, at: OpenWorkspace.now()) {
        case .yours(let record): return record
        case .refused(let unavailable): throw Self.failure(number, unavailable)
        }
    }

    /// Renews the lease of a claim, and stores the draft of its answer.
    ///
    /// - Parameter draft: nil to keep the stored draft.
    /// - Returns: the new end of the lease, or nil if the claim is over.
    package func renew(_ number: Int64, claim: Int, draft: JSON?) throws(Failure) -> Moment? {
        try shared.archive.get().renew(number, claim: claim, draft: draft, at: OpenWorkspace.now())
    }

    /// Releases a claim, so that the entry is pending again, and stores the draft of its answer.
    ///
    /// - Parameter draft: nil to keep the stored draft.
    package func release(_ number: Int64, claim: Int, draft: JSON?) throws(Failure) {
        try shared.archive.get().release(number, claim: claim, draft: draft, by: name, at: OpenWorkspace.now())
    }

    /// Puts an entry off for some seconds.
    ///
    /// - Returns: the time at which the entry is pending again.
    /// - Throws: `snoozeLimitReached`, `claimedByOther`, `alreadyAnswered` or `unknownAwait`.
    package func snooze(_ number: Int64, seconds: Double) throws(Failure) -> Moment {
        try endAbandonedClaim(on: number)
        switch try shared.archive.get().snooze(number, seconds: seconds, by: name, at: OpenWorkspace.now()) {
        case .until(let moment): return moment
        case .limitReached:
            throw Failure(.snoozeLimitReached, "\(number) was put off \(Limits.snoozes) times already.")
        case .refused(let unavailable): throw Self.failure(number, unavailable)
        }
    }

    private func endAbandonedClaim(on number: Int64) throws(Failure) {
        let archive = try shared.archive.get()
        guard let record = try archive.await(numbered: number), shared.awake(record) != record else { return }
        try archive.release(
            number, claim: record.claim, draft: nil, by: record.claimedBy ?? name, at: OpenWorkspace.now())
    }

    // MARK: Answers

    /// Stores the answer to an entry, and tells the engine of this process.
    ///
    /// - Parameters:
    ///   - claim: the number of the claim under which the answer was made, or nil if it needed no editor.
    ///   - draft: stored if the claim is over.
    /// - Returns: whether the answer was accepted, or which answer was earlier.
    /// - Throws: `claimIsOver`, `claimedByOther` or `unknownAwait`.
    package func complete(
        _ number: Int64, claim: Int? = nil, _ completion: Vocabulary.Completion, draft: JSON? = nil
    ) throws(Failure) -> AnswerOutcome {
        try complete(number, claim: claim, completion, draft: draft, by: name)
    }

    /// Stores the answer in the name of a person, in the same way.
    func complete(
        _ number: Int64, claim: Int? = nil, _ completion: Vocabulary.Completion, draft: JSON? = nil, by person: String
    ) throws(Failure) -> AnswerOutcome {
        if claim == nil { try endAbandonedClaim(on: number) }
        know(number)
        let completion = try SealedParameters(shared).sealed(completion, of: number)
        let outcome = try shared.archive.get().complete(
            number, claim: claim, completion, draft: draft, by: person, at: OpenWorkspace.now())
        shared.lookAgain()
        switch outcome {
        case .taken: return .taken
        case .claimIsOver:
            throw Failure(
                .claimIsOver, "The claim on \(number) is over; what was made is kept as a draft.",
                remedy: "'assent open \(number)' goes on from there.")
        case .refused(.answered(let resolution, let by, let at)):
            return .alreadyAnswered(resolution: resolution, by: by, at: at)
        case .refused(let unavailable): throw Self.failure(number, unavailable)
        }
    }

    /// Records that the user knows how an entry ends, since it is answered or shown here.
    package func know(_ number: Int64) { shared.knownEnds.withLock { _ = $0.insert(number) } }

    /// Skips an entry whose step gives nothing that another step requires.
    ///
    /// - Parameter reason: stored with the step, if it is not empty.
    /// - Throws: `cannotSkip`, and the failures of `complete`.
    package func skip(_ record: AwaitRecord, reason: String) throws(Failure) -> AnswerOutcome {
        try record.requireOpen()
        guard record.request?.canSkip == true else {
            throw Failure(
                .cannotSkip,
                "\(record.number) cannot be skipped: other steps require what it gives, or it gives nothing itself.",
                remedy: "Do it, or say no: 'assent reject \(record.number)'.")
        }
        return try complete(record.number, .skip(reason))
    }

    private static func failure(_ number: Int64, _ unavailable: Archive.Unavailable) -> Failure {
        switch unavailable {
        case .claimed(let by, let until):
            let end = Amounts.age(of: until, now: OpenWorkspace.now())
            return Failure(
                .claimedByOther, "\(number) is being done by \(by); the claim ends \(end), unless it is renewed.")
        case .answered(let resolution, let by, let at):
            return Failure(.alreadyAnswered, "\(number) was answered: \(resolution) by \(by) at \(Amounts.time(at)).")
        case .unknown:
            return Failure(.unknownAwait, "There is no \(number) in the inbox.", remedy: "See 'assent inbox'.")
        }
    }
}

extension AwaitRecord {
    /// Throws `alreadyAnswered` if the entry is done.
    package func requireOpen() throws(Failure) {
        guard status == .done else { return }
        let time = closedAt.map { " at \(Amounts.time($0))" } ?? ""
        throw Failure(
            .alreadyAnswered,
            "\(number) was answered: \(resolution ?? "done") by \(answeredBy ?? "somebody")\(time).")
    }
}

extension OpenWorkspace {
    /// The name of the person at this process: the terminal, as in `person on /dev/pts/3`, or the id of the process.
    static let person: String = {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            if let name = ttyname(descriptor) { return "person on \(String(cString: name))" }
        }
        return "person by process \(getpid())"
    }()

    /// Returns an entry without its claim, if the process of the claim has ended. The lease is only for processes that
    /// live.
    func awake(_ record: AwaitRecord) -> AwaitRecord {
        guard record.status == .claimed, let process = record.claimProcess,
            !EngineLock.isAlive(process, in: folders.holders)
        else { return record }
        var free = record
        (free.status, free.until) = (.pending, nil)
        return free
    }
}
