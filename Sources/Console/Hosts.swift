import Actions
import Terminal
import Vocabulary

/// The questions to the user of this terminal whether a host may be contacted.
struct HostAsker: Sendable {
    let context: CommandContext
    /// The screen, or `nil` if no question can be asked.
    let screen: (any Screen)?

    /// The questions about programs at the same screen.
    var programs: ProgramAsker { ProgramAsker(context: context, screen: screen) }

    /// Asks about a host and stores a yes. The code that sends reads the stored answer.
    func ask(_ question: HostQuestion) async {
        do throws(Failure) {
            guard try await isConfirmed(question) else { return }
            for host in question.hosts { _ = try context.hosts.allow(host, question.use) }
        } catch {
            screen?.show(FailureLine.lines(error, columns: screen?.columns ?? 80))
        }
    }

    /// Asks about a host and stores a yes.
    ///
    /// - Throws: `hostNotAllowed`, if the answer is no.
    func requireYes(to question: HostQuestion) async throws(Failure) {
        guard try await isConfirmed(question) else { throw .hostNotAllowed(question) }
        for host in question.hosts { _ = try context.hosts.allow(host, question.use) }
    }

    func isConfirmed(_ question: HostQuestion) async throws(Failure) -> Bool {
        // No person sits where a program that Assent ran does.
        guard let screen, screen.canAsk, !context.isOwnChild else { return false }
        let word = HostView.word(of: question)
        let answer = await QuestionDialogue(context: context, screen: screen).ask(
            HostView.question(question, columns: screen.columns))
        switch answer {
        case .key("y"): return true
        case .word(let typed) where typed == word:
            screen.show(StyledText("   › ", .dim) + StyledText(typed))
            return true
        case .key, .word, .verb, .none:
            screen.show(StyledText("Not allowed.", .dim))
            return false
        }
    }
}
