import Glibc
import Harness
import Synchronization
import Testing

@testable import Engine

/// Threads that may block: nothing that was given to them lies there, however many sleep, look, or are busy.
@Suite(.timeLimit(.minutes(10))) struct WorkersTests {
    @Test(arguments: [1, 3, 16]) func everyJobRunsOnceWhoeverGivesIt(threads: Int) async throws {
        let (workers, count) = (Workers(), 2_000)
        let ran = Mutex<[Int: Int]>([:])
        for thread in 0..<threads {
            inBackground {
                for number in 0..<count {
                    workers.run { ran.withLock { $0[thread * count + number, default: 0] += 1 } }
                }
            }
        }
        #expect(try await eventually { ran.withLock { $0.count } == threads * count })
        #expect(ran.withLock { $0.values.allSatisfy { $0 == 1 } })
    }

    /// Each is given by the one before, as the steps of a chain are.
    @Test func aChainOfJobsRunsToItsEnd() async throws {
        let workers = Workers()
        let left = Mutex(20_000)
        @Sendable func next() {
            let isOver = left.withLock { left in
                left -= 1
                return left == 0
            }
            if !isOver { workers.run { next() } }
        }
        workers.run { next() }
        #expect(try await eventually { left.withLock { $0 } == 0 })
    }

    /// One that waits holds up no other: also where the one that should run it was just looking, or just fell asleep.
    @Test func whatBlocksHoldsUpNobody() async throws {
        let (workers, gates) = (Workers(), (0..<50).map { _ in ScriptGate() })
        let ran = Mutex(0)
        for gate in gates {
            workers.run {
                while !gate.isOpen { usleep(1000) }
                ran.withLock { $0 += 1 }
            }
            workers.run { ran.withLock { $0 += 1 } }
        }
        #expect(try await eventually { ran.withLock { $0 } == gates.count })
        for gate in gates { gate.open() }
        #expect(try await eventually { ran.withLock { $0 } == 2 * gates.count })
    }

    /// As on a machine on which much begins at once.
    @Test func aThreadThatIsRefusedIsAskedForAgain() {
        var (answers, place) = ([EAGAIN, EAGAIN, 0], 0)
        DetachedThread.start(&place) { _ in answers.removeFirst() }
        #expect(answers.isEmpty)
    }
}
