import ArgumentParser
import Terminal
import Vocabulary

/// Puts questions to the person at one screen. Every question and picker of the console goes through here, so that each of them lets the
/// person look around before they answer.
struct Asking: Sendable {
    let screen: any Screen
    /// Carries out a line that looks around, such as `/show w3`.
    private let lookAround: @Sendable (String) async -> Void

    init(screen: any Screen, lookAround: @escaping @Sendable (String) async -> Void) {
        (self.screen, self.lookAround) = (screen, lookAround)
    }

    init(house: House, screen: any Screen) {
        self.init(screen: screen) { line in await LookAround(house: house, screen: screen).carryOut(line) }
    }

    /// Asks, and asks again after the person has looked around.
    ///
    /// - Returns: never `.verb`.
    func ask(_ question: KeyQuestion) async -> KeyQuestion.Answer {
        while true {
            let answer = await screen.ask(question)
            switch answer {
            case .verb(let line): await lookAround(line)
            case .word(let line) where LookAround.isVerb(line) && Self.mayLook(question.form): await lookAround(line)
            case .key, .word, .none: return answer
            }
        }
    }

    /// Asks for a line of a list, and shows below the question what was typed.
    ///
    /// - Parameters:
    ///   - hint: what can be typed.
    ///   - takesEmpty: whether Enter alone is an answer.
    /// - Returns: `nil` if the person leaves.
    func pick(_ lines: [StyledText], hint: String, takesEmpty: Bool = true) async -> String? {
        guard case .word(let typed) = await ask(KeyQuestion(lines, .pick(hint: hint, takesEmpty: takesEmpty))) else { return nil }
        if !typed.trimmed.isEmpty { screen.show(StyledText("   › ", .dim) + StyledText(typed)) }
        return typed.trimmed
    }

    /// Returns whether a line that names a verb may look around. A path may begin with `/` as well, so in an entry only a verb does. A text
    /// of many lines and a key are content, whatever they begin with.
    private static func mayLook(_ form: KeyQuestion.Form) -> Bool {
        switch form {
        case .text, .entry(isLong: false): true
        case .keys, .words, .pick, .entry(isLong: true), .secret: false
        }
    }
}

/// Carries out verbs that only look, while a question stands.
struct LookAround {
    let house: House
    let screen: any Screen

    /// Whether a line names a verb, such as `/show w3`.
    static func isVerb(_ line: String) -> Bool {
        guard line.hasPrefix("/"), let name = Words.split(String(line.dropFirst())).first else { return false }
        return Root.has(name)
    }

    /// Carries out a line, and asks for the rest of it if only the `/` was typed.
    ///
    /// - Parameter line: with its `/`.
    func carryOut(_ line: String) async {
        var line = line
        if line.trimmed == "/" {
            let hint = StyledText("   such as show w3, why w3 2, inbox, history s1; Enter alone leaves it ", .question)
            guard case .word(let typed) = await screen.ask(KeyQuestion([hint], .text)) else { return }
            line = typed
        }
        let words = Words.split(String(line.trimmed.drop { $0 == "/" }))
        guard let name = words.first else { return }
        screen.show(StyledText("   › ", .dim) + StyledText("/" + words.joined(separator: " ")))
        guard Root.has(name) else { return show(Root.noCommand(name, remedy: "Those that look: \(Root.lookers)")) }
        do {
            guard let verb = try Root.parseAsRoot(words) as? any Verb, Root.onlyLooks(verb) else {
                let words = "While a question stands, only verbs that look are carried out: \(Root.lookers)"
                return screen.show(Layout.wrapped(StyledText(words, .warning), columns: screen.columns, indent: 3))
            }
            do throws(Failure) {
                _ = try await verb.carryOut(in: house, Output(isJSON: false, screen: screen))
            } catch {
                show(error)
            }
        } catch {
            screen.show(Root.fullMessage(for: error).split(separator: "\n").map { StyledText(String($0), .warning) })
        }
    }

    private func show(_ failure: Failure) { screen.show(FailureLine.lines(failure, columns: screen.columns)) }
}

extension Output {
    /// Whether the person can be asked on the screen of this command.
    var canAsk: Bool { !isJSON && screen.canAsk }

    /// Has `body` ask where the person sits: on the screen of this command, or at their terminal if the output goes elsewhere. The terminal is
    /// given back afterwards.
    ///
    /// - Parameter body: asks; its screen is `nil` where there is no terminal.
    /// - Throws: `terminalTaken`, if something in this process reads the terminal already; and what `body` throws.
    func atThePerson<Result: Sendable>(
        of house: House, _ body: ((any Screen)?) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if canAsk { return try await body(screen) }
        guard let terminal = try house.terminal() else { return try await body(nil) }
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

/// A key that a person typed where a line is said.
enum TypedKey {
    /// Refuses a line that holds a key: it would go to a model, and be kept.
    ///
    /// - Throws: `keyInLine`.
    static func refuse(in line: String, _ house: House) throws(Failure) {
        guard let form = house.typedKey(line) else { return }
        throw Failure(
            "keyInLine", "This line holds \(form). It was not sent, and is kept nowhere.",
            remedy: "To store a key: \(Voice.call("connect")) asks for it, hidden. If others may have seen it, make a new one.")
    }
}
