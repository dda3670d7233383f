import Glibc
import Harness
import Testing
import Vocabulary

@testable import Services

struct EngineLockTests {
    /// Whoever looks at the moment of a birth must neither make it fail nor take a living engine's file away.
    @Test(.timeLimit(.minutes(10))) func enginesAreBornUnderTheEyesOfLookers() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path
        let isOver = ScriptGate()
        async let one: Void = onOwnThread { while !isOver.isOpen { _ = EngineLock.anyEngineLives(in: folder) } }
        async let other: Void = onOwnThread { while !isOver.isOpen { _ = EngineLock.anyEngineLives(in: folder) } }
        let dead = try await onOwnThread { () -> [String] in
            defer { isOver.open() }
            var dead: [String] = []
            for _ in 0..<5_000 {
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

    /// A child that has not begun its program holds the lock of a process that is gone.
    @Test func aLockThatOutlivesItsProcessIsSeen() throws {
        let scratch = try ScratchFolder()
        let own = try EngineLock(folder: scratch.path)
        #expect(!EngineLock.anyOutlivesItsProcess(in: scratch.path))
        // No process has a number as high as this.
        let path = "\(scratch.path)/\(Int32.max)-x"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(EngineLock.anyOutlivesItsProcess(in: scratch.path))
        // A child that another test starts just now may have a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        #expect(!EngineLock.anyOutlivesItsProcess(in: scratch.path))
        #expect(EngineLock.isAlive(own.name, in: scratch.path))
    }
}
