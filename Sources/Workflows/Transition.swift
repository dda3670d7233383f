package import Vocabulary

/// The time and the chance that inputs of a flow are decided with, and all that results from them.
///
/// Every function that changes a flow gets the same transition, so that their changes and wishes come in one order.
package struct Transition: Sendable {
    /// The time of the engine's clock, which cannot be set. Waits, retries and limits go by it.
    package let now: Moment
    /// The time of the wall clock. Dates that are shown to a person go by it, such as the expiry of a question.
    package let wall: Moment
    /// The source of chance. The caller takes it back afterwards, so that no number is drawn twice.
    package var random: any RandomNumberGenerator & Sendable
    /// The changes for the next commit, without the rows of steps, which `Flow.takeTouched` returns.
    package var batch: Batch
    /// The wishes for the outside, in the order in which they are to be done after the commit.
    package var intents: [Flow.Intent] = []

    /// - Parameter wall: the time of the wall clock. `nil` if it is `now`.
    package init(
        now: Moment, wall: Moment? = nil, random: any RandomNumberGenerator & Sendable, batch: Batch
    ) {
        self.now = now
        self.wall = wall ?? now
        self.random = random
        self.batch = batch
    }
}
