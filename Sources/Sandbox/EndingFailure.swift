import Glibc
package import Vocabulary

extension Traces {
    /// Returns the failure that an ending means, or `nil` for success.
    ///
    /// - Parameters:
    ///   - seconds: the most time that the program had.
    ///   - processorSeconds: the most processor time that it had, or 0 for no limit.
    package func failure(
        for ending: Child.Ending, of program: String, seconds: Double, processorSeconds: Int = 0, isSandboxed: Bool
    ) -> Failure? {
        switch ending {
        case .exited(0): return nil
        case .exited(128 + Int(SIGXCPU)) where processorSeconds > 0:
            return Failure(.timedOut, "\(program) computed for longer than \(processorSeconds) s and was ended.")
        case .exited(let code):
            let why = lastErrorLine.map { ": \($0)" } ?? "."
            if isSandboxed, recordLines.isEmpty {
                return Failure(.sandboxFailed, "The sandbox for \(program) did not start\(why)")
            }
            let how = ExitRule.signal(of: code).map { "was ended by signal \($0)" } ?? "failed with exit code \(code)"
            // A child that the engine stops has an ending of its own, below.
            let wasKilled = code == 128 + Int(SIGKILL)
            return Failure(wasKilled ? .processKilled : Code.processFailed, "\(program) \(how)\(why)")
        case .timedOut: return Failure(.timedOut, "\(program) took longer than \(Int(seconds)) s and was ended.")
        case .wroteTooMuch:
            return Failure(
                .outputLimit, "\(program) wrote too much on standard output or standard error and was ended.")
        case .filledDisk:
            return Failure(
                .outputLimit, "\(program) wrote more than \(Limits.rehearsedBytes >> 30) GiB of files and was ended.")
        case .startedTooMany:
            return Failure(
                .tooManyProcesses,
                "\(program) had more than \(Limits.commandProcesses) processes at once and was ended.")
        case .cancelled: return Failure(.cancelled, "Cancelled.")
        case .unknown: return Failure(.processLost, "\(program) is gone and left no word of how it ended.")
        }
    }
}

extension Child.Ending {
    /// Returns the failure of a command that Assent ended for its use of time, output, processes or disk, with the limit.
    /// Returns `nil` for other endings.
    ///
    /// - Parameters:
    ///   - seconds: the most time that the command may take.
    ///   - logBytes: the most bytes that it may print on each stream.
    package func stop(seconds: Double, logBytes: Int) -> Failure? {
        switch self {
        case .timedOut:
            Failure(.timeLimit, "The command took longer than \(Int(seconds) / 60) min, so Assent ended it.")
        case .wroteTooMuch:
            Failure(
                .outputLimit,
                "The command printed more than \(logBytes >> 20) MiB on standard output or standard error, so Assent ended it.",
                remedy: "Write it to a file ('> FILE'), or print less of it ('| tail').")
        case .filledDisk:
            Failure(
                .diskLimit,
                "The command wrote more than \(Limits.rehearsedBytes >> 30) GiB of files, so Assent ended it.")
        case .startedTooMany:
            Failure(
                .processLimit,
                "The command had more than \(Limits.commandProcesses) processes at once, so Assent ended it."
            )
        case .exited, .cancelled, .unknown: nil
        }
    }
}
