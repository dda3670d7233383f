import Actions
import Terminal
import Vocabulary

extension Limits {
    /// How often the user is asked for a key that a server refuses.
    fileprivate static let keyTries = 3
}

/// Reads a key from the user, hidden, and stores it in a place that the user chooses.
struct KeyDialogue {
    let context: CommandContext
    /// The screen for questions, or nil if the user cannot be asked.
    let screen: (any Screen)?

    func typed(_ name: String, of whom: String) async throws(Failure) -> String {
        guard let screen else {
            throw Failure(
                .keyMissing, "\(name) is not set.",
                remedy: "Set it in the environment, or give the key with --key-stdin.")
        }
        let head =
            StyledText(" ? ", [.question, .bold]) + StyledText("the key of \(VisibleText.line(whom))", .bold)
            + StyledText(" (\(name))", .dim)
        guard
            case .word(let typed) = await QuestionDialogue(context: context, screen: screen).ask(
                KeyQuestion([head], .secret)),
            !typed.trimmed.isEmpty
        else {
            throw Failure(.keyMissing, "Without a key nothing was connected.", remedy: "Begin again: 'assent connect'")
        }
        return typed.trimmed
    }

    /// Runs `body`, which a server may refuse because of its key. After a refusal it asks for another key and runs
    /// again, at most `Limits.keyTries` times.
    ///
    /// - Parameters:
    ///   - typed: the key that was typed last.
    ///   - refusal: the code of such a failure.
    ///   - type: asks for the next key.
    func retried<Value: Sendable>(
        _ typed: inout String?, refusal: Code, type: () async throws(Failure) -> String,
        _ body: (String?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        for _ in 0..<Limits.keyTries {
            do throws(Failure) {
                return try await body(typed)
            } catch {
                guard error.code == refusal, let screen else { throw error }
                screen.show(FailureLine.lines(error, columns: screen.columns))
                typed = try await type()
            }
        }
        return try await body(typed)
    }

    /// Stores a key.
    ///
    /// - Parameters:
    ///   - first: stores the record that names the key, before the key is stored.
    ///   - takeBack: undoes `first` if the key could not be stored and the user cannot choose another place.
    /// - Returns: whether the key can be found by its name from now on.
    func keep(
        _ key: String, _ name: String, isScript: Bool, first: () throws(Failure) -> Void = {},
        takeBack: () throws(Failure) -> Void = {}
    ) async throws(Failure) -> Bool {
        guard let screen, !isScript else {
            try first()
            do throws(Failure) {
                try await context.setup.keepKey(key, name, .file)
            } catch {
                try? takeBack()
                throw error
            }
            return true
        }
        let places = [
            Layout.key("f", "a file that only you can read"), Layout.key("s", "the Secret Service of your desktop"),
            Layout.key("n", "nowhere: until Assent ends"),
        ]
        let lines =
            [StyledText(" ? ", [.question, .bold]) + StyledText("where is the key kept", .bold)]
            + Layout.packed(places, columns: screen.columns, indent: 3, gap: 2)
        while true {
            let place: KeyStorage
            switch await QuestionDialogue(context: context, screen: screen).ask(
                KeyQuestion(lines, .keys(["f", "s", "n"])))
            {
            case .key("f"): place = .file
            case .key("s"): place = .secretService
            default:
                screen.show(StyledText("The key is kept nowhere; it is forgotten when Assent ends.", .dim))
                return false
            }
            do throws(Failure) {
                try first()
                do throws(Failure) {
                    try await context.setup.keepKey(key, name, place)
                } catch  where error.code == .keyExists {
                    guard await mayReplace(name, screen) else { continue }
                    try await context.setup.keepKey(key, name, .replacingFile)
                }
                screen.show(StyledText("Kept as \(name).", .dim))
                return true
            } catch {
                screen.show(FailureLine.lines(error, columns: screen.columns))
            }
        }
    }

    private func mayReplace(_ name: String, _ screen: any Screen) async -> Bool {
        let head =
            StyledText(" ? ", [.question, .bold])
            + StyledText("another key is kept as \(name): does the new one take its place", .bold)
        let answers = [Layout.key("y", "yes"), Layout.key("n", "no, it stays")]
        let lines = [head] + Layout.packed(answers, columns: screen.columns, indent: 3, gap: 2)
        if case .key("y") = await QuestionDialogue(context: context, screen: screen).ask(
            KeyQuestion(lines, .keys(["y", "n"])))
        {
            return true
        }
        return false
    }
}
