package import Actions
package import Terminal
package import Vocabulary

/// Puts the question of an await to the person at this terminal and stores the answer.
package struct Asker: Questioner {
    let context: CommandContext
    let screen: any Screen
    /// Whether the person came only to answer, so that the effect of the answer is reported here. Within a turn, the
    /// turn reports it.
    let saysMore: Bool

    package init(context: CommandContext, screen: any Screen, saysMore: Bool = false) {
        self.context = context
        self.screen = screen
        self.saysMore = saysMore
    }

    /// Asks the person about an await.
    ///
    /// - Returns: the answer, which may come from another process.
    package func ask(_ record: AwaitRecord) async -> QuestionOutcome { await ask(record, after: nil) }

    /// Asks the person about an await, below a sentence about what the person has refused before.
    package func ask(_ record: AwaitRecord, after refusal: String?) async -> QuestionOutcome {
        guard record.isAboutCall else {
            var editor = OpenEditor(context: context, screen: screen, record: record)
            editor.isQuiet = !saysMore && record.request?.takesWords == true
            let status = await editor.run()
            return [.succeeded, .denied].contains(status) ? .done : .unanswered
        }
        do throws(Failure) {
            let question = try context.look.question(record)
            note(record, .questionAsked(await: record.number, digest: question.digest, title: question.title))
            guard var answer = await put(question, of: record, after: refusal) else { return .unanswered }
            let by = "person at the terminal"
            // A no holds from here on. Its reason follows, whatever another process answers meanwhile.
            let isNo = answer == .no(reason: "")
            let outcome = try context.act.answer(record, answer, by, isExplained: isNo)
            switch outcome {
            case .taken:
                if isNo {
                    let reason = await why()
                    try context.act.explain(record, reason)
                    answer = .no(reason: reason)
                }
                note(record, .questionAnswered(await: record.number, answer: answer.word, by: by))
                if saysMore {
                    _ = Answers.show(outcome, answer.word, of: record, Output(isJSON: false, screen: screen))
                }
            case .alreadyAnswered(let resolution, let by, let at):
                screen.show(StyledText("Already answered: \(resolution) by \(by) at \(Amounts.time(at)).", .warning))
            }
            return .answered(answer)
        } catch {
            screen.show(FailureLine.lines(error, columns: screen.columns))
            return .unanswered
        }
    }

    /// Shows the answer of a question that was withdrawn because another process answered it. Returns whether there is
    /// one.
    private func showsWhoAnswered(_ record: AwaitRecord) -> Bool {
        guard let now = try? context.look.awaitNumbered(record.number), now.status == .done, let by = now.answeredBy
        else { return false }
        context.people.know(record.number)
        screen.show(StyledText("Already answered: \(now.resolution ?? "done") by \(by).", .warning))
        return true
    }

    /// Asks until there is an answer. The key `d` shows every detail and asks again.
    private func put(_ question: Question, of record: AwaitRecord, after refusal: String?) async -> Answer? {
        let reminder =
            refusal.map {
                Layout.wrapped(StyledText("   \($0)", .warning), columns: screen.columns, indent: 0, hanging: 3)
            } ?? []
        let (texts, printed) = (context.look.texts(record, question), context.look.printed(question))
        let others = (try? context.look.awaits(false))?.count { $0.isAboutCall && $0.number != record.number } ?? 0
        var isExpanded = false
        let thumbnails = Thumbnails(viewing: context.viewing, screen: screen)
        let illustrating = Task { await thumbnails.show(Thumbnails.subjects(question.call)) }
        defer { illustrating.cancel() }
        while true {
            let view = QuestionView(
                question, texts: texts, printed: printed, others: others, folder: context.workspace,
                undoUntil: context.now() + Limits.preImagesKeptSeconds, columns: screen.columns, isExpanded: isExpanded)
            var form = KeyQuestion(reminder + view.lines, view.form)
            form.showsAnswer = true
            let number = record.number
            form.leaving = [
                StyledText(
                    "Not answered. It waits in the inbox as \(number): \(Voice.call("approve \(number)"))", .dim)
            ]
            switch await QuestionDialogue(context: context, screen: screen).ask(form) {
            case .word(let typed) where question.wordsThatAreYes.contains(typed): return .yes
            case .key("y"): return .yes
            case .key("p"): return .yesToPlan
            case .word("no"), .key("n"): return .no(reason: "")
            case .key("s"): if let paths = await part(of: question.call) { return .part(paths) }
            case .word, .key, .verb: isExpanded = true
            case .none(.withdrawn), .none(.noTerminal):
                if !showsWhoAnswered(record) { screen.show(form.leaving) }
                return nil
            case .none: return nil
            }
        }
    }

    /// Asks for the numbers of the changes that are wanted.
    ///
    /// - Returns: their paths, or nil if the person leaves. Then the question stays open.
    private func part(of call: Call) async -> [String]? {
        let choices = CallDetails.choices(of: call)
        var lines = QuestionView.choices(call, columns: screen.columns)
        while true {
            let hint = "numbers such as 1,3-5"
            guard let typed = await QuestionDialogue(context: context, screen: screen).pick(lines, hint: hint),
                !typed.isEmpty
            else {
                return nil
            }
            if let numbers = Numbers.read(typed, to: choices.count) {
                return numbers.flatMap { choices[$0 - 1].paths }
            }
            lines = [StyledText("   Numbers from 1 to \(choices.count), with commas between them.", .warning)]
        }
    }

    /// Asks for the reason of a no, which is stored already. The model or the step receives it as its error. The no is
    /// valid without a reason, too.
    private func why() async -> String {
        var question = KeyQuestion(
            [StyledText(" why not? ", .question)], .text,
            timeoutMilliseconds: Int64(Limits.reasonSeconds * 1000))
        question.showsAnswer = true
        guard case .word(let words) = await QuestionDialogue(context: context, screen: screen).ask(question) else {
            return ""
        }
        return words.trimmed
    }

    private func note(_ record: AwaitRecord, _ kind: Event.Kind) {
        context.act.record(Event(at: context.now(), workflow: record.step.workflow, step: record.step.index, kind))
    }
}

extension Question {
    /// The words that count as yes: the word to type, and for a host also the word with its port, as it is shown.
    var wordsThatAreYes: [String] {
        guard let word = wordToType else { return [] }
        let hosts = call.targets.compactMap { target in if case .host(let host) = target.place { host } else { nil } }
        return [word] + hosts.prefix(1).filter { $0.lowercased().hasPrefix(word + ":") }
    }
}

extension Answer {
    var word: String {
        switch self {
        case .yes: "yes"
        case .yesToPlan: "yes to the plan"
        case .part: "a part of it"
        case .no: "no"
        }
    }
}
