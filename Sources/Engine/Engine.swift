import Glibc
package import Vocabulary

/// An engine, which runs workflows durably. One thread waits for messages, lets the flows decide, commits their
/// changes, and only then acts.
///
/// The engine is crash-only: a start after a crash is the same as the first start (`architecture.md` invariant 2).
package final class Engine: Sendable {
    enum Message: Sendable {
        case carry(WorkflowID)
        case ended(RunID, RunEnding)
        /// The result of a look at the call of a step, with the number of the look.
        case prepared(StepID, look: Int, Result<Prepared, Failure>)
        /// Whether a command that is being rehearsed in that look now has its turn in its folder.
        case hasTurn(StepID, look: Int, Bool)
        /// The answer of a provider to the request of that number.
        case answered(RunID, JobRequest.Verb, request: Int, JobAnswer)
        /// A command was stored for the engine to read.
        case look
        case focus(WorkflowID?)
        case stop(@Sendable () -> Void)
    }

    let mailbox = Mailbox<Message>()
    let world: World

    package init(world: World) {
        self.world = world
    }

    /// Starts the engine's thread. It takes over workflows whose engine no longer lives at once.
    ///
    /// - Parameters:
    ///   - takesOver: whether the engine claims workflows of dead engines, at its start and about twice a second.
    ///   - onIdle: called on the engine's thread whenever no workflow can go on by itself.
    ///   - onFailure: called once on that thread if the store has failed. This engine then does nothing more. Its
    ///     workers end their work, but the engine does not read the results.
    package func start(
        takesOver: Bool = true, onIdle: @escaping @Sendable () -> Void = {},
        onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) {
        DetachedThread.start {
            var loop = Loop(engine: self, takesOver: takesOver, onIdle: onIdle, onFailure: onFailure)
            loop.run()
        }
    }

    /// Tells the engine to run a workflow that it owns and that has just been stored.
    package func carry(_ workflow: WorkflowID) { mailbox.post(.carry(workflow)) }

    /// Tells the engine to read the commands that this process has stored. It finds those of other processes by itself,
    /// within a fraction of a second.
    package func look() { mailbox.post(.look) }

    /// Gives a workflow four slots for each one that other workflows get, while the user looks at it (`semantics.md`
    /// 13). `nil` ends that.
    package func focus(_ workflow: WorkflowID?) { mailbox.post(.focus(workflow)) }

    /// Stops the engine, and calls `onStopped` when its thread has ended. Child processes keep running, and the next
    /// engine adopts them.
    package func stop(_ onStopped: @escaping @Sendable () -> Void) {
        // After a failure of storage the thread is gone already.
        if !mailbox.post(.stop(onStopped)) { onStopped() }
    }
}
