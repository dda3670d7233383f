import Actions
import Terminal
import Vocabulary

/// The question to the user of this terminal which folders with programs commands may see.
struct ProgramAsker: Sendable {
    let context: CommandContext
    /// The screen, or `nil` if no question can be asked.
    let screen: (any Screen)?

    /// Asks about folders and stores the answer. Without one, commands run without the folders.
    func ask(_ question: ProgramQuestion) async {
        // No person sits where a program that Assent ran does.
        guard let screen, screen.canAsk, !context.isOwnChild else { return }
        do throws(Failure) {
            guard let allowed = await answer(question, at: screen) else {
                let later = "Left open: commands run without them, and say so. The next one asks again."
                screen.show(StyledText("   \(later)", .dim))
                return
            }
            try context.programs.answer(question, allowing: allowed)
            let names = allowed.sorted().map { ProgramView.name(question.folders[$0], in: context.programs) }
            let words = names.isEmpty ? "None is shown to commands." : "Commands see \(NameList.words(names))."
            screen.show(StyledText("   \(words) \(Voice.call("programs")) lists them.", .dim))
        } catch {
            screen.show(FailureLine.lines(error, columns: screen.columns))
        }
    }

    /// Returns the places of the allowed folders in the list, or nil if the question is left open.
    private func answer(_ question: ProgramQuestion, at screen: any Screen) async -> Set<Int>? {
        let asking = QuestionDialogue(context: context, screen: screen)
        var lines = ProgramView.question(question, in: context.programs, columns: screen.columns)
        let hint = question.folders.count == 1 ? "y or n; Enter: later" : "y all, n none, or such as 1 3; Enter: later"
        while let typed = await asking.pick(lines, hint: hint), !typed.isEmpty {
            switch typed.lowercased() {
            case "y", "yes", "all": return Set(question.folders.indices)
            case "n", "no", "none": return []
            default:
                if let numbers = Numbers.read(typed, to: question.folders.count) { return Set(numbers.map { $0 - 1 }) }
                let words = "\"\(VisibleText.cut(typed, to: 40))\" is none of them."
                lines = [StyledText("   \(words)", .warning)]
            }
        }
        return nil
    }
}
