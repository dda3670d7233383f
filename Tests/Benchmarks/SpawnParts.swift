import Files
import Glibc
import Sandbox
import Vocabulary

/// The parts of the time of a step that starts a program which does nothing, beside a bare start of the same program.
enum SpawnParts {
    private static let count = 200

    static func figures(_ sandbox: Isolation, _ name: String) throws -> [Figure] {
        try withScratchFolder { folder in
            let spares = SpareFolders()
            var (folders, starts, waits, ends) = (0.0, 0.0, 0.0, 0.0)
            var (kept, keptWaits) = (0.0, 0.0)
            for number in 0..<count {
                let run = RunFolder("\(folder)/\(number)")
                folders += try Clock.measure { try run.make(from: spares) }
                let ran = try time(ProgramCommand(["true"], in: run.path), sandbox, run)
                (starts, waits) = (starts + ran.start, waits + ran.wait)
                var command = ProgramCommand(["true"], in: run.path)
                command.output = .files(keepsErrors: false)
                let adoptable = try time(command, sandbox, run)
                (kept, keptWaits) = (kept + adoptable.start, keptWaits + adoptable.wait)
                ends += Clock.measure { spares.give(run.path) }
            }
            let bare = Clock.measure { for _ in 0..<count { Programs.run(["true"]) } }
            return [
                ("its folder", folders), ("start: pipes, words and spawn", starts), ("wait for the end", waits),
                ("emptying the folder", ends),
                ("start under a supervisor that outlives the engine", kept), ("wait for its end", keptWaits),
                ("bare posix_spawn and waitpid", bare),
            ].map { part, seconds in
                Figure(
                    name: "  of a step of \(name): \(part)", value: seconds / Double(count) * 1_000_000, unit: "µs",
                    bar: .none)
            }
        }
    }

    private static func time(_ command: ProgramCommand, _ sandbox: Isolation, _ folder: RunFolder) throws -> (
        start: Double, wait: Double
    ) {
        let before = Clock.seconds()
        let child = try Child.start(command, sandbox: sandbox, in: folder)
        let started = Clock.seconds()
        let ending = child.wait(cancel: Cancellation())
        precondition(ending == .exited(0))
        return (started - before, Clock.seconds() - started)
    }
}
