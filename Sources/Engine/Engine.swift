import Glibc
package import Vocabulary

/// Carries workflows out durably. One thread waits for what comes in, lets the flows decide, commits, and only then
/// acts.
///
/// It is crash-only: being made and taking over after a death are the same start (`architecture.md` invariant 2).
package final class Engine: Sendable {
    enum Message: Sendable {
        case carry(WorkflowID)
        case ended(RunID, RunEnding)
        /// What a look at a step's call found, with the look's number.
        case prepared(StepID, look: Int, Result<Prepared, Failure>)
        /// Whether a command that is to be rehearsed in that look has its turn in its folder.
        case hasTurn(StepID, look: Int, Bool)
        /// A provider answered the request of that number.
        case answered(RunID, JobRequest.Verb, request: Int, JobAnswer)
        /// Somebody has put a command down.
        case look
        case focus(WorkflowID?)
        case stop(@Sendable () -> Void)
    }

    let mailbox = Mailbox<Message>()
    let world: World

    package init(world: World) {
        self.world = world
    }

    /// Starts the thread. Whatever is under way and has no living engine is taken over at once.
    ///
    /// - Parameters:
    ///   - takesOver: whether workflows of dead engines are claimed, now and every second.
    ///   - onIdle: called on the engine's thread whenever nothing is left that could move by itself.
    ///   - onFailure: called once, on that thread, if the store has failed: this engine does nothing any more. What its
    ///     workers are at goes on, and nobody hears of it.
    package func start(
        takesOver: Bool = true, onIdle: @escaping @Sendable () -> Void = {},
        onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) {
        DetachedThread.start {
            var loop = Loop(engine: self, takesOver: takesOver, onIdle: onIdle, onFailure: onFailure)
            loop.run()
        }
    }

    /// A workflow that this engine owns has just been stored.
    package func carry(_ workflow: WorkflowID) { mailbox.post(.carry(workflow)) }

    /// A command was stored by this process: heard at once. Those of other processes are heard within a fraction of a
    /// second.
    package func look() { mailbox.post(.look) }

    /// The workflow that the person looks at gets four slots where others get one (`semantics.md` 13).
    package func focus(_ workflow: WorkflowID?) { mailbox.post(.focus(workflow)) }

    /// Starts nothing more and calls back when the thread has ended. Children that run go on; the next engine adopts
    /// them.
    package func stop(_ onStopped: @escaping @Sendable () -> Void) {
        // After a failure of storage the thread is gone already.
        if !mailbox.post(.stop(onStopped)) { onStopped() }
    }
}
