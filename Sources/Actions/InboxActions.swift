package import JSON
package import Vocabulary

/// What a person does with the inbox besides answering questions about calls. Refusals are failures:
/// `alreadyAnswered`, `claimedByOther`, `claimIsOver`, `snoozeLimitReached`, `unknownAwait`, each saying who and
/// until when.
package struct InboxActions: Sendable {
    /// Who is here: `person on /dev/pts/3`.
    package var name: @Sendable () -> String
    /// The steps that cannot start before this await is done, nearest first (`semantics.md` 45). Empty where nobody
    /// can say.
    package var blocked: @Sendable ([AwaitRecord]) -> [Int64: [BlockedStep]]
    package var claim: @Sendable (Int64) throws(Failure) -> AwaitRecord
    /// Keeps what has been made so far, and the claim: its new end, or `nil` where it is over.
    package var renew: @Sendable (Int64, _ claim: Int, _ draft: JSON?) throws(Failure) -> Moment?
    package var release: @Sendable (Int64, _ claim: Int, _ draft: JSON?) throws(Failure) -> Void
    /// Until when it is put off.
    package var snooze: @Sendable (Int64, _ seconds: Double) throws(Failure) -> Moment
    package var complete:
        @Sendable (Int64, _ claim: Int?, Completion, _ draft: JSON?) throws(Failure) -> AnswerOutcome
    /// Looks content over and takes it into the asset store (`badAnswer`, `emptyMask`).
    package var takeIn: @Sendable (AnswerContent, AwaitRecord, _ allowsEmpty: Bool) async -> Result<Asset, Failure>
    /// What is wrong with values for a tool's parameters; all of it.
    package var faults: @Sendable (ToolManifest, JSON.Object) -> [Problem]
    /// What a provider still needs before it can be asked.
    package var notConnected: @Sendable (_ provider: String) async -> Failure?
    package var pictureSize: @Sendable (ContentHash) -> (width: Int, height: Int)?
    /// A picture in characters, where that can be drawn.
    package var sketch: @Sendable (AnswerContent, _ columns: Int, _ rows: Int) async -> [String]
    /// The person's own editor on this terminal; `nil` if they have none.
    package var writeText: (@Sendable (_ text: String, _ terminal: Int32) -> String?)?

    package init(
        name: @escaping @Sendable () -> String, blocked: @escaping @Sendable ([AwaitRecord]) -> [Int64: [BlockedStep]],
        claim: @escaping @Sendable (Int64) throws(Failure) -> AwaitRecord,
        renew: @escaping @Sendable (Int64, Int, JSON?) throws(Failure) -> Moment?,
        release: @escaping @Sendable (Int64, Int, JSON?) throws(Failure) -> Void,
        snooze: @escaping @Sendable (Int64, Double) throws(Failure) -> Moment,
        complete: @escaping @Sendable (Int64, Int?, Completion, JSON?) throws(Failure) -> AnswerOutcome,
        takeIn: @escaping @Sendable (AnswerContent, AwaitRecord, Bool) async -> Result<Asset, Failure>,
        faults: @escaping @Sendable (ToolManifest, JSON.Object) -> [Problem],
        notConnected: @escaping @Sendable (String) async -> Failure?,
        pictureSize: @escaping @Sendable (ContentHash) -> (width: Int, height: Int)?,
        sketch: @escaping @Sendable (AnswerContent, Int, Int) async -> [String],
        writeText: (@Sendable (String, Int32) -> String?)?
    ) {
        self.name = name
        self.blocked = blocked
        self.claim = claim
        self.renew = renew
        self.release = release
        self.snooze = snooze
        self.complete = complete
        self.takeIn = takeIn
        self.faults = faults
        self.notConnected = notConnected
        self.pictureSize = pictureSize
        self.sketch = sketch
        self.writeText = writeText
    }
}

/// A step that waits for a person because it requires what comes of another.
package struct BlockedStep: Hashable, Sendable {
    package var step: Int
    package var node: String
    package var title: String

    package init(step: Int, node: String, title: String) {
        self.step = step
        self.node = node
        self.title = title
    }
}
