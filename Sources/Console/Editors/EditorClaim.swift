import Actions
import JSON
import Synchronization
import Vocabulary

/// The claim of an open editor on an entry of the inbox, with the draft of the answer.
final class EditorClaim: Sendable {
    let record: AwaitRecord
    private let desk: any AnswerDesk
    private let kept: Mutex<JSON?>

    /// Claims an entry.
    init(on number: Int64, at desk: any AnswerDesk) throws(Failure) {
        self.desk = desk
        record = try desk.claim(number)
        kept = Mutex(record.draft)
    }

    /// The draft as it was last stored.
    var draft: JSON? { kept.withLock { $0 } }

    /// Stores a draft at once, so that a crash loses nothing that was entered. If the store cannot be reached, the next
    /// draft or the release of the claim stores it.
    func keep(_ draft: JSON) {
        kept.withLock { $0 = draft }
        _ = try? desk.renew(record.number, claim: record.claim, draft: draft)
    }

    /// Renews the claim.
    ///
    /// - Returns: whether the claim is still valid. A store that cannot be reached counts as valid, since it is asked
    ///   again later.
    func renew() -> Bool {
        do throws(Failure) { return try desk.renew(record.number, claim: record.claim, draft: nil) != nil } catch {
            return true
        }
    }

    /// Releases the claim with its draft. If the store cannot be reached, the claim ends with its lease.
    func release() { try? desk.release(record.number, claim: record.claim, draft: draft) }

    /// Completes the entry.
    func complete(_ completion: Completion) throws(Failure) -> AnswerOutcome {
        try desk.complete(record.number, claim: record.claim, completion, draft: draft)
    }
}
