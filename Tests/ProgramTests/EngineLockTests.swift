import Harness
import Testing
import Vocabulary

@testable import assent

struct EngineLockTests {
    /// Whoever looks at the moment of a birth must neither make it fail nor take a living engine's file away.
    @Test(.timeLimit(.minutes(1))) func enginesAreBornUnderTheEyesOfLookers() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        let ends = ContinuousClock.now + .seconds(3)
        async let one: Void = onOwnThread { while ContinuousClock.now < ends { _ = EngineLock.anyEngineLives(in: folder) } }
        async let other: Void = onOwnThread { while ContinuousClock.now < ends { _ = EngineLock.anyEngineLives(in: folder) } }
        let dead = try await onOwnThread { () -> [String] in
            var dead: [String] = []
            while ContinuousClock.now < ends {
                do throws(Failure) {
                    let lock = try EngineLock(folder: folder)
                    for _ in 0..<3 where !EngineLock.isAlive(lock.name, in: folder) { dead.append(lock.name) }
                } catch {
                    dead.append(error.description)
                }
            }
            return dead
        }
        _ = try await (one, other)
        #expect(dead.isEmpty, "\(dead.prefix(3)) and \(dead.count) in all")
    }
}
