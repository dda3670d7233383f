package import Engine
import Services
package import Storage
import Synchronization
package import Vocabulary

/// An engine of this process, with the lock that shows other processes that it lives.
///
/// If the store of the engine fails, the lock is released as soon as no work that the engine started is under way in
/// this process. A process that takes over the workflows must not meet that work.
package final class EngineLife: Sendable {
    private struct State: ~Copyable {
        var lock: EngineLock?
        let slots: SlotFile
        var engine: Engine?
        /// The pieces of work on other threads, and the requests to providers that have not been answered.
        var underWay = 0
        var isOver = false

        mutating func giveUpIfQuiet() {
            guard isOver, underWay == 0 else { return }
            lock = nil
            slots.close()
        }
    }

    package let name: String
    /// The slots that this engine holds of those that all processes share.
    package let slots: SlotFile
    private let state: Mutex<State>

    /// Makes an engine's lock and its slots. The engine itself is started later.
    ///
    /// - Parameter data: the folder in which the slots are counted.
    init(folder: String, data: String) throws(Failure) {
        // Who was ended by a signal leaves a file, and nobody asks for one that owned nothing.
        _ = EngineLock.anyEngineLives(in: folder)
        let lock = try EngineLock(folder: folder)
        name = lock.name
        slots = try SlotFile(folder: data)
        state = Mutex(State(lock: lock, slots: slots))
    }

    /// The engine, or `nil` after its end.
    var engine: Engine? {
        get { state.withLock { $0.engine } }
        set { state.withLock { $0.engine = newValue } }
    }

    /// Whether other processes may take over the workflows of this engine.
    var isGivenUp: Bool { state.withLock { $0.lock == nil } }

    package func begin() { state.withLock { $0.underWay += 1 } }

    package func done() {
        state.withLock { state in
            state.underWay -= 1
            state.giveUpIfQuiet()
        }
    }

    /// Ends this engine for good. Its lock is released at once, or when the last work under way has ended.
    func end() {
        state.withLock { state in
            (state.engine, state.isOver) = (nil, true)
            state.giveUpIfQuiet()
        }
    }
}

/// The seam of an engine: its store, tools and clock.
package typealias EngineWorld = World

/// The front end's part of an engine: everything outside it.
package protocol EngineSurroundings: Sendable {
    /// Returns the world of an engine of this process.
    func world(of life: EngineLife, in workspace: OpenWorkspace) throws(Failure) -> EngineWorld
}

extension OpenWorkspace {
    /// The engine of this process, with the functions that it calls when it is idle or has failed.
    package struct Living: Sendable {
        package var life: EngineLife?
        var onIdle: @Sendable () -> Void = {}
        var onFailure: @Sendable (Failure) -> Void = { _ in }
    }

    /// The engine of this process that works, or `nil`.
    var engine: Engine? { living.withLock { $0.life }?.engine }

    /// Starts the engine of this process, unless one works. An engine whose store has failed is replaced by another
    /// one, under a new name.
    ///
    /// - Throws: `engineEnding` while work of the engine before is still under way.
    func startEngine(
        _ onIdle: @escaping @Sendable () -> Void, _ onFailure: @escaping @Sendable (Failure) -> Void
    ) throws(Failure) {
        let made = try living.withLock { living throws(Failure) -> EngineLife? in
            if let life = living.life {
                guard life.engine == nil else { return nil }
                guard life.isGivenUp else {
                    throw Failure(
                        .engineEnding, "What was started before the storage failed has not ended yet.")
                }
            }
            try folders.makeData()
            let life = try EngineLife(folder: folders.engines, data: folders.data)
            life.engine = Engine(world: try surroundings.world(of: life, in: self))
            living = Living(life: life, onIdle: onIdle, onFailure: onFailure)
            return life
        }
        guard let made, let engine = made.engine else { return }
        engine.start(onIdle: onIdle) { failure in
            made.end()
            onFailure(failure)
        }
        AssetRetention(self).purgeSoon()
    }

    /// Returns the name under which the engine of this process runs workflows, or `nil` if this process has no engine.
    /// An engine that has ended because its store failed is started again first.
    func carrier() throws(Failure) -> String? {
        let living = living.withLock { $0 }
        guard let life = living.life else { return nil }
        guard life.engine == nil else { return life.name }
        try startEngine(living.onIdle, living.onFailure)
        return self.living.withLock { $0.life }?.name
    }

    /// Tells the engine of this process to look for new commands.
    func lookAgain() { engine?.look() }

    func stopEngine() async {
        guard let engine else { return }
        await withCheckedContinuation { continuation in engine.stop { continuation.resume() } }
    }
}
