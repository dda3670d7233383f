import JSON
import Services
import Synchronization
import Vocabulary

@testable import Actions
@testable import assent

/// The surroundings of the program's engine.
let engineSurroundings: any EngineSurroundings = EngineWorlds()

extension OpenedWorkspace {
    /// Runs what can move, with an engine like that of the program, until no workflow can move without a person.
    func work() async throws {
        let (rests, bell) = AsyncStream.makeStream(of: Failure?.self)
        try WorkflowActions(shared).startEngine({ bell.yield(nil) }, { bell.yield($0) })
        for await failure in rests {
            if let failure { throw failure }
            break
        }
        await shared.close()
        // Otherwise the next workflow would start the engine again, which only the callers of before would hear.
        shared.living.withLock { $0 = OpenWorkspace.Living() }
    }

    /// Stores a workflow, and runs it.
    ///
    /// - Parameter edges: such as `"ask.text", "join.texts.1"`.
    func ran(
        _ steps: [(id: String, kind: String, params: JSON)], _ edges: [(from: String, to: String)] = [],
        mode: ConfirmationMode = .auto
    ) async throws -> WorkflowID {
        let actions = WorkflowActions(shared)
        let outcome = actions.check(Self.template(steps, edges))
        guard let checked = outcome.checked else { throw Failure(.badTemplate, "\(outcome.problems)") }
        let id = try actions.start(checked, WorkflowStart(mode: mode, onAsk: .park))
        try await work()
        return id
    }
}
