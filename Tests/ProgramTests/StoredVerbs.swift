import Glibc
import Harness
import JSON
import Testing

extension ProgramLab {
    /// Calls a verb whose command or answer no engine carries out: the process that holds w1 is stopped and killed, and
    /// so is the verb after it has stored. The next process finds what was stored.
    func stores(_ arguments: String..., at location: SourceLocation = #_sourceLocation) async throws {
        let holder = try start(["work"])
        let holds = try await eventually { try await json("list").first?["worker"]?.int == Int(holder.pid) }
        #expect(holds, "\(holder.output)\(holder.errors)", sourceLocation: location)
        holder.signal(SIGSTOP)
        let verb = try start(arguments)
        let isStored = try await onOwnThread { verb.wait(forOutput: "assent show w1") }
        #expect(isStored, "\(arguments): \(verb.output)\(verb.errors)", sourceLocation: location)
        _ = try await onOwnThread { verb.end(with: SIGKILL) }
        _ = try await onOwnThread { holder.end(with: SIGKILL) }
    }
}
