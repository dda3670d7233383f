import Actions
import Terminal
import Vocabulary

/// Asks the person questions at one screen. Every question and picker of the console uses it, so that the person can
/// always look around before an answer.
struct QuestionDialogue: Sendable {
    let screen: any Screen
    private let lookAround: any LookingAround

    init(screen: any Screen, lookAround: any LookingAround) {
        (self.screen, self.lookAround) = (screen, lookAround)
    }

    init(context: CommandContext, screen: any Screen) {
        self.init(screen: screen, lookAround: LookAround(context: context, screen: screen))
    }

    /// Asks a question, and asks it again after the person has looked around.
    ///
    /// - Parameter own: the words that the question itself understands behind a `/`.
    /// - Returns: the answer, which is never `.verb`.
    func ask(_ question: KeyQuestion, own: Set<String> = []) async -> KeyQuestion.Answer {
        while true {
            let answer = await screen.ask(question)
            switch answer {
            case .verb(let line): await lookAround.carryOut(await whole(line), isShown: false)
            case .word(let line) where LookAround.isVerb(line) && Self.mayLook(question.form) && !Self.isOwn(line, own):
                await lookAround.carryOut(line, isShown: question.showsAnswer)
            case .key, .word, .none: return answer
            }
        }
    }

    private static func isOwn(_ line: String, _ words: Set<String>) -> Bool {
        Words.split(String(line.dropFirst())).first.map(words.contains) ?? false
    }

    /// Asks for the rest of a line that names a verb, if only its `/` was typed.
    private func whole(_ line: String) async -> String {
        guard line.trimmed == "/" else { return line }
        let hint = StyledText("   such as show w3, why w3 2, inbox, history s1; Enter alone leaves it ", .question)
        guard case .word(let typed) = await screen.ask(KeyQuestion([hint], .text)) else { return "" }
        return typed
    }

    /// Asks for a line, with a list above, and shows the typed line below the question.
    ///
    /// - Parameters:
    ///   - hint: the words for the possible answers.
    ///   - takesEmpty: whether Enter alone is an answer.
    /// - Returns: nil if the person leaves.
    func pick(_ lines: [StyledText], hint: String, takesEmpty: Bool = true) async -> String? {
        var question = KeyQuestion(lines, .pick(hint: hint, takesEmpty: takesEmpty))
        question.showsAnswer = true
        guard case .word(let typed) = await ask(question) else { return nil }
        return typed.trimmed
    }

    /// Returns whether a line that names a verb may look around at a question of this form. A path may begin with `/`,
    /// too, so in a short entry the line must name a verb. Long texts and keys are always content.
    private static func mayLook(_ form: KeyQuestion.Form) -> Bool {
        switch form {
        case .text, .entry(isLong: false): true
        case .keys, .words, .pick, .entry(isLong: true), .secret: false
        }
    }
}

extension Output {
    /// Whether the person can be asked on the screen of this command.
    var canAsk: Bool { !isJSON && screen.canAsk }

    /// Asks at the person's place: on the screen of this command, or at the person's terminal if the output goes
    /// elsewhere. The terminal is released afterwards.
    ///
    /// - Parameter body: asks. Its screen is nil if there is no terminal.
    /// - Throws: `terminalTaken` if this process already reads the terminal, and the errors of `body`.
    func atThePerson<Result: Sendable>(
        of context: CommandContext, _ body: ((any Screen)?) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if canAsk { return try await body(screen) }
        guard let terminal = try context.input.terminal() else { return try await body(nil) }
        do throws(Failure) {
            let result = try await body(terminal)
            await terminal.close()
            return result
        } catch {
            await terminal.close()
            throw error
        }
    }
}
