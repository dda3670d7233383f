import Engine
import Services
import Storage
import Synchronization
package import Vocabulary

extension Limits {
    /// How long a user who leaves waits for the words on what goes on, in milliseconds.
    fileprivate static let farewellMilliseconds: Int32 = 2000
}

/// The workflows that could move while no process runs them.
package struct StandingWorkflows: Sendable {
    let shared: OpenWorkspace

    /// Creates a reader of what one process has open.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// The workflows that move as soon as a process runs them, of the newest `Limits.listedUsers`. The list is empty if
    /// the database was not opened or cannot be read.
    package var moving: [WorkflowID] {
        let active = WorkflowQuery(filter: .active, limit: Limits.listedUsers)
        return ((try? shared.archive.ifMade?.summaries(active)) ?? []).filter(\.wantsEngine).map(\.record.id)
    }

    /// Returns what happens to the started workflows after the user has stopped a command. Returns nil if this process
    /// ran none.
    ///
    /// The user wants to leave and does not wait for a disk: after two seconds, the text only says "Stopped.".
    package func farewell() -> String? {
        guard let life = shared.living.withLock({ $0.life }), life.engine != nil else { return nil }
        let (found, bell) = (Found(), Bell())
        shared.workers.run {
            let words = standing(life)
            found.words.withLock { $0 = words }
            bell.ring()
        }
        _ = bell.wait(milliseconds: Limits.farewellMilliseconds)
        return found.words.withLock { $0 }
    }

    private final class Found: Sendable { let words = Mutex("Stopped.") }

    private func standing(_ life: EngineLife) -> String {
        if EngineLock.anyEngineLives(in: shared.folders.engines, besides: life.name) {
            return "Stopped. What was started goes on: 'assent list'"
        }
        let moving = moving
        return moving.isEmpty ? "Stopped." : "Stopped. " + Self.words(moving)
    }

    /// Returns the notice, such as `Nobody carries w35 and w36: 'assent work' goes on with them, 'assent cancel w35'
    /// ends one.` It is empty without workflows.
    package static func words(_ workflows: [WorkflowID]) -> String {
        guard let first = workflows.first else { return "" }
        let names = NameList.words(workflows.map(\.description))
        let (them, one) = workflows.count == 1 ? ("it", "it") : ("them", "one")
        return "Nobody carries \(names): 'assent work' goes on with \(them), 'assent cancel \(first)' ends \(one)."
    }
}

extension WorkflowSummary {
    /// Whether the workflow can move as soon as a process runs it: it has not ended, and does not only wait for a
    /// person.
    package var wantsEngine: Bool {
        record.outcome == nil && (record.isCancelRequested || states.contains { $0.isRunning || $0 == .ready })
    }
}
