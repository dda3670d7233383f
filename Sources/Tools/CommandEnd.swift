import Files
import JSON
import Rehearsal
import Sandbox
import Vocabulary

/// The exit of a command, and its output.
struct CommandEnd {
    enum How {
        /// The command ended by itself with this exit code, or by a signal from elsewhere (128 and its number).
        case exited(Int)
        /// Assent stopped the command for its time or its use of resources.
        case stopped(Failure)
    }

    let how: How
    let output: AssetStore.Content
    let errors: AssetStore.Content
    /// How long the command ran, in milliseconds, if it was rehearsed. Its step only applies what it did.
    var milliseconds: Int?
    /// The last line on standard error, for the failure.
    var lastError: String?
    /// The requests that the command's proxy has refused, and what the command did not find because of the sandbox.
    var refusals: [String] = []
    /// The hosts that a command did not reach, as sentences, though it ended well.
    var notReached: [String] = []
    /// The commands by which the user allows the programs that the command did not find.
    var programCommands: [String] = []
    /// The words about files that the command wrote where they are thrown away, or `nil` if there are none.
    var thrownAway: String?
    /// The words about programs of the user that the command did not see, or `nil` if there are none.
    var notAllowed: String?
    /// The files that were hidden from the command.
    var unseen: Call.Rehearsal.Unseen?
    /// The changes of the command, or `nil` if there are none, or they are not known.
    var changed: ChangedFiles?
    /// The changes of the command that the user refused, or `nil` if there are none.
    var refused: ChangedFiles?
    /// The text about the changed lines of edits, or `nil` for other commands.
    var edits: AssetStore.Content?

    init(_ how: How, output: AssetStore.Content, errors: AssetStore.Content) {
        (self.how, self.output, self.errors) = (how, output, errors)
    }

    /// Returns both outputs as assets, each with the exit code.
    ///
    /// - Throws: the failure of a command with an exit code that its step does not accept, with the same assets
    ///   (`semantics.md` 190).
    func result(of assignment: Assignment) throws(Failure) -> [Asset] {
        let printed = assets(of: assignment)
        // The user has agreed to edits whose check did not pass.
        if assignment.isEdit, case .exited = how { return printed }
        guard var failure = failure(under: ExitRule(assignment.params)) else { return printed }
        failure.left = printed
        throw failure
    }

    private func assets(of assignment: Assignment) -> [Asset] {
        var ending: JSON.Object =
            switch how {
            case .exited(let code): JSON.Object(members: [.init(key: "exit", value: .int(code))])
            case .stopped(let failure): JSON.Object(members: [.init(key: "ended", value: .string(failure.code.text))])
            }
        if let milliseconds { ending["ms"] = .int(milliseconds) }
        let contents = [("text", output, "shell.txt"), ("errors", errors, "shell-errors.txt")]
        return (contents + (edits.map { [("changes", $0, "changes.txt")] } ?? [])).compactMap { port, content, name in
            var meta = ending
            if port == "text" {
                if let refused, !refused.isEmpty { meta["refused"] = refused.json }
                if let unseen { meta["notSeen"] = .string(unseen.safeWords) }
                if let thrownAway { meta["thrownAway"] = .string(thrownAway) }
                if let notAllowed { meta["programNotAllowed"] = .string(notAllowed) }
                if !notReached.isEmpty { meta["notReached"] = .string(notReached.joined(separator: "; ")) }
                if let changed, !changed.isEmpty { meta["changed"] = changed.json }
            }
            return assignment.asset(port, content, name: name, meta: meta)
        }
    }

    private func failure(under rule: ExitRule) -> Failure? {
        switch how {
        case .stopped(let failure): return failure
        case .exited(let code) where rule.isSuccess(code): return nil
        case .exited(let code):
            let how = ExitRule.signal(of: code).map { "was ended by signal \($0)" } ?? "failed with exit code \(code)"
            let needsStop = !refusals.isEmpty && lastError?.utf8.last != UInt8(ascii: ".")
            let why = lastError.map { ": \($0)" + (needsStop ? "." : "") } ?? "."
            // These are the codes of a shell for a program that it cannot start.
            let isMissing = [126, 127].contains(code) && !programCommands.isEmpty
            return Failure(
                isMissing ? .programNotAllowed : .processFailed,
                "The command \(how)\(why)" + refusals.map { " \($0)." }.joined(),
                remedy: isMissing ? "Let commands see it: \(programCommands.joined(separator: "; "))" : nil)
        }
    }
}
