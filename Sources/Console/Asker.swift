package import Terminal
package import Vocabulary

/// Puts the question of an await to the person at this terminal and stores the answer.
package struct Asker: Sendable {
    let house: House
    let screen: any Screen

    package init(house: House, screen: any Screen) {
        self.house = house
        self.screen = screen
    }

    package enum Outcome: Hashable, Sendable {
        case answered(Answer)
        /// Ctrl-C, the end of input, Esc: not a yes and not a no. The await stays in the inbox.
        case unanswered

        /// What the command that only asked comes to.
        var status: ExitStatus {
            switch self {
            case .unanswered: .waiting
            case .answered(.no): .denied
            case .answered: .succeeded
            }
        }
    }

    /// - Returns: what was answered, here or by somebody quicker.
    package func ask(_ record: AwaitRecord) async -> Outcome {
        do throws(Failure) {
            let question = try house.look.question(record)
            note(record, .questionAsked(await: record.number, digest: question.digest, title: question.title))
            guard let answer = await put(question) else {
                if showsWhoAnswered(record) { return .unanswered }
                screen.show(StyledText("Not answered. It waits in the inbox as \(record.number): /approve \(record.number)", .dim))
                return .unanswered
            }
            let by = "person at the terminal"
            switch try house.act.answer(record, answer, by) {
            case .taken: note(record, .questionAnswered(await: record.number, answer: answer.word, by: by))
            case .alreadyAnswered(let resolution, let by, let at):
                screen.show(StyledText("Already answered: \(resolution) by \(by) at \(at).", .warning))
            }
            return .answered(answer)
        } catch {
            screen.show(FailureLine.lines(error, columns: screen.columns))
            return .unanswered
        }
    }

    /// A question that was withdrawn because somebody else was quicker.
    private func showsWhoAnswered(_ record: AwaitRecord) -> Bool {
        guard let now = try? house.look.awaitNumbered(record.number), now.status == .done, let by = now.answeredBy else { return false }
        screen.show(StyledText("Already answered: \(now.resolution ?? "done") by \(by).", .warning))
        return true
    }

    /// Asks until something answers; `d` shows every detail and asks again.
    private func put(_ question: Question) async -> Answer? {
        var isExpanded = false
        while true {
            let lines = QuestionView.lines(question, columns: screen.columns, isExpanded: isExpanded)
            if let word = question.wordToType {
                switch await screen.ask(KeyQuestion(lines, .words([word, "no", "details"]))) {
                case .word(word): return .yes
                case .word("no"): return .no(reason: await why())
                case .word: isExpanded = true
                case .key, .none: return nil
                }
            } else {
                var keys: [Character] = ["y", "n", "d"]
                if !question.plan.isEmpty { keys.insert("p", at: 1) }
                switch await screen.ask(KeyQuestion(lines, .keys(keys))) {
                case .key("y"): return .yes
                case .key("p"): return .yesToPlan
                case .key("n"): return .no(reason: await why())
                case .key: isExpanded = true
                case .word, .none: return nil
                }
            }
        }
    }

    /// The words go back to the model or the step as its error. The no stands whatever happens here.
    private func why() async -> String {
        let question = KeyQuestion([StyledText(" why not? ", .question)], .text, armingMilliseconds: 0)
        if case .word(let words) = await screen.ask(question) { return words.trimmed }
        return ""
    }

    private func note(_ record: AwaitRecord, _ kind: Event.Kind) {
        house.act.record(Event(at: house.now(), workflow: record.step.workflow, step: record.step.index, kind))
    }
}

extension Answer {
    var word: String {
        switch self {
        case .yes: "yes"
        case .yesToPlan: "yes to the plan"
        case .no: "no"
        }
    }
}
