import Actions
import JSON
import Vocabulary

/// The use cases that an open editor needs. A test stands in for the store here.
protocol AnswerDesk: Sendable {
    /// Claims an entry, and returns it with the number of the claim.
    func claim(_ number: Int64) throws(Failure) -> AwaitRecord
    /// Renews a claim and stores a draft. Returns the new end of the lease, or nil if the claim is over.
    func renew(_ number: Int64, claim: Int, draft: JSON?) throws(Failure) -> Moment?
    /// Releases a claim and stores a draft.
    func release(_ number: Int64, claim: Int, draft: JSON?) throws(Failure)
    /// Stores the answer to an entry.
    func complete(_ number: Int64, claim: Int?, _ completion: Completion, draft: JSON?) throws(Failure) -> AnswerOutcome

    /// Returns an entry with all that its answer is checked by.
    func asked(_ record: AwaitRecord) throws(Failure) -> Asked
    /// Throws `keyMissing` if the provider that an entry asks to connect still has no key.
    func requireConnection(for record: AwaitRecord) async throws(Failure)
    /// Checks the content of an answer and adds it to the asset store.
    func store(_ content: AnswerContent, for record: AwaitRecord, allowsEmpty: Bool) async throws(Failure) -> Asset

    /// Returns the size of a stored picture in pixels, or nil if it cannot be read.
    func pictureSize(_ hash: ContentHash) -> (width: Int, height: Int)?
    /// Returns a mask drawn in characters, or nothing if it cannot be drawn.
    func sketch(_ mask: MaskDrawing, columns: Int, rows: Int) async -> [String]

    /// The user's own editor, or nil if they have none.
    var ownEditor: OwnEditor? { get }
}

extension InboxActions: AnswerDesk {}
