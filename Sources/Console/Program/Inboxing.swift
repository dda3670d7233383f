package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Inbox: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "List what waits for you: pending, put off, done.",
        discussion: """
            What is done leaves the inbox after 7 days. Example:

              assent inbox --json
            """)

    @Flag(help: "Also what has been answered.")
    var all = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let entries = house.entries(of: try house.look.awaits(true))
        let now = house.now()
        output.show(
            InboxView.lines(entries, showsDone: all, now: now, columns: output.columns),
            json: entries.filter { all || $0.record.status != .done }.map { $0.json(at: now) })
        return .succeeded
    }
}

package struct Open: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Open an entry of the inbox: see it in its place and, at a terminal, do it.",
        discussion: """
            At a terminal the editor for it opens, and it is yours while it is open; leaving it (Esc, Ctrl-C, an empty line) puts it
            back, with what you have made so far. A link, and an entry opened without a terminal, is only shown. Examples:

              assent open 3
              assent open 'assent://workflow/w3/node/2?await=3'
            """)

    @Argument(help: "The number in the inbox, or a link.")
    var what: String

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        guard let number = Int64(what) else { return try follow(try FocusLink(parsing: what), in: house, output) }
        let record = try Find.await(number, in: house)
        let opens = record.status != .done && output.canAsk
        // The editor shows what it asks for by itself.
        try show(record.step, record, hasEditor: opens, in: house, output)
        guard opens else { return .succeeded }
        guard record.isAboutCall else { return await OpenEditor(house: house, screen: output.screen, record: record).run() }
        return await Asker(house: house, screen: output.screen, saysMore: true).ask(record).status
    }

    /// Shows, and changes nothing (`semantics.md` 46).
    private func follow(_ link: FocusLink, in house: House, _ output: Output) throws(Failure) -> ExitStatus {
        _ = try Find.workflow(link.workflow, in: house)
        let step = try Find.step(link.node, in: try house.look.steps(link.workflow), of: link.workflow)
        var record: AwaitRecord?
        if let number = link.await {
            record = try Find.await(number, in: house)
            guard record?.step == step.id else {
                throw Failure(
                    "badLink", "\(number) of the inbox does not belong to step \(step.id.index) of \(link.workflow).",
                    remedy: "'assent link \(number)' prints its link.")
            }
        }
        try show(step.id, record, hasEditor: false, in: house, output)
        return .succeeded
    }

    private func show(_ id: StepID, _ record: AwaitRecord?, hasEditor: Bool, in house: House, _ output: Output) throws(Failure) {
        let summary = try Find.workflow(id.workflow, in: house)
        guard let step = try house.look.steps(id.workflow).first(where: { $0.id == id }) else {
            throw Failure("badUsage", "\(id.workflow) has no step \(id.index).", remedy: "See 'assent show \(id.workflow)'.")
        }
        let entry = record.flatMap { house.entries(of: [$0]).first }
        let asked = try record.flatMap { record throws(Failure) in record.isAboutCall || hasEditor ? nil : try house.asked(record) }
        let (runs, assets) = (try house.look.runs(id), try house.look.assets(id.workflow).filter { $0.run.step == id })
        let card = StepCard.lines(
            step, runs: runs, assets: assets, tool: house.catalogue()[step.kind], template: try? house.look.template(id.workflow),
            now: house.now(), columns: output.columns)
        output.show(
            FocusView.lines(summary, card: card, entry: entry, asked: asked, now: house.now(), columns: output.columns),
            json: [entry?.json(at: house.now()) ?? .of(["workflow": summary.json, "step": step.json])])
    }
}

package struct Complete: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Do what an entry of the inbox asks for, without its editor.",
        discussion: """
            Examples:

              assent complete 3 --asset mask.png
              assent complete 4 --choice 2
              assent complete 5 --params steps=30 cfg=4.5
              assent complete 6 --text "A red kite over the roofs"
              assent complete 7 --choice found=job-81   (or again, look, fail: whether a job was submitted)
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @Option(help: "A file: for masks, pictures and what is picked.")
    var asset: String?

    @Option(help: "One of the choices, by its name or number.")
    var choice: String?

    @Option(parsing: .upToNextOption, help: "Values that are to be others: NAME=VALUE …, or a JSON object.")
    var params: [String] = []

    @Option(help: "The text.")
    var text: String?

    @Option(help: "The number of the claim under which it was made, from 'assent inbox --json'.")
    var claim: Int?

    @Flag(help: "Take a mask in which nothing is painted.")
    var allowEmpty = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        guard record.type != .confirmCall else {
            throw Failure(
                "badUsage", "\(number) is a question.", remedy: "Answer it with 'assent approve \(number)' or 'assent reject \(number)'.")
        }
        try Answers.refuseDone(record)
        let asked = try house.asked(record)
        switch try made(asked, in: house) {
        case .completion(let completion):
            if record.type == .connect { try await Answers.refuseUnconnected(record, house.people) }
            let outcome = try house.people.complete(number, claim, completion, nil)
            return Answers.show(outcome, completion.word, of: record, in: house, output)
        case .content(let content, _):
            let asset = try await taken(content, asked, in: house, output)
            guard let asset else { return .waiting }
            let outcome = try house.people.complete(number, claim, .outputs([asset]), nil)
            return Answers.show(outcome, "completed", of: record, made: asset, in: house, output)
        }
    }

    /// - Returns: `nil` where the person takes an empty mask back.
    private func taken(_ content: AnswerContent, _ asked: Asked, in house: House, _ output: Output) async throws(Failure) -> Asset? {
        do throws(Failure) {
            return try await house.people.takeIn(content, asked.record, allowEmpty).get()
        } catch {
            guard error.code == "emptyMask", output.canAsk else { throw error }
            guard await Talk(asking: QuestionDialogue(house: house, screen: output.screen)).isMeant(error) else { return nil }
            return try await house.people.takeIn(content, asked.record, true).get()
        }
    }

    private func made(_ asked: Asked, in house: House) throws(Failure) -> Asked.Made {
        let given = [asset != nil, choice != nil, !params.isEmpty, text != nil].count { $0 }
        guard given <= 1 else {
            throw Failure("badUsage", "One of --asset, --choice, --params and --text is enough.", remedy: asked.howToAnswer)
        }
        if let asset { return try asked.asset(asset) }
        if let choice { return try asked.choice(choice) }
        if let text { return try asked.text(text) }
        if asked.record.type == .confirmParams { return try asked.params(try edits(asked), faults: house.people.faults) }
        guard params.isEmpty else { return try asked.params(JSON.Object(), faults: house.people.faults) }
        throw Failure("badUsage", "\(number) asks you to \(asked.record.type.words).", remedy: asked.howToAnswer)
    }

    private func edits(_ asked: Asked) throws(Failure) -> JSON.Object {
        if params.count == 1, params[0].hasPrefix("{") {
            guard let object = (try? JSONReader.read(params[0]))?.object else {
                throw Failure("badUsage", "--params is no JSON object.", remedy: asked.howToAnswer)
            }
            return object
        }
        var edits = JSON.Object()
        for param in params {
            let (name, value) = try Binding.split(param, option: "--params", form: "NAME=VALUE")
            edits[name] = asked.value(value, for: name)
        }
        return edits
    }
}

package struct Skip: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Leave an entry of the inbox out: its step gives nothing.",
        discussion: """
            Only where no other step requires what it gives. Example:

              assent skip 3
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        try Answers.refuseDone(record)
        guard record.request?.canSkip == true else {
            throw Failure(
                "cannotSkip", "\(number) cannot be skipped: other steps require what it gives, or it gives nothing itself.",
                remedy: "Do it, or say no: 'assent reject \(number)'.")
        }
        return Answers.show(try house.people.complete(number, nil, .skipped, nil), "skipped", of: record, in: house, output)
    }
}

package struct Snooze: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Put an entry of the inbox off.",
        discussion: """
            For an hour, unless it is said for how long; five times at most. When it expires stays as it was. Example:

              assent snooze 3 --for 2h
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @Option(name: .customLong("for"), parsing: .unconditional, help: "How long: 30m, 2h, 1d.")
    var duration: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        guard let seconds = duration.map({ WrittenDuration.seconds($0) }) ?? Limits.snoozeSeconds else {
            throw Failure("badUsage", "\"\(duration ?? "")\" is no time to wait.", remedy: "Write it like 30m, 2h or 1d.")
        }
        guard seconds <= Limits.longestSnoozeSeconds else {
            throw Failure("badUsage", "\"\(duration ?? "")\" is too long to put off.", remedy: "At most 30d, five times.")
        }
        let until = try house.people.snooze(number, seconds)
        output.show(
            [StyledText("\(number): put off, back \(Amounts.age(of: until, now: house.now())) · \(record.title)")],
            json: [["await": .int(Int(number)), "snoozed": true, "until": .string(until.description)]])
        return .succeeded
    }
}

package struct Link: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Print the link to an entry of the inbox.",
        discussion: """
            Example:

              assent open "$(assent link 3)"
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        output.show([StyledText(record.link)], json: [["await": .int(Int(number)), "link": .string(record.link)]])
        return .succeeded
    }
}

package struct Reject: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Say no to an entry of the inbox, with a reason.",
        discussion: """
            Example:

              assent reject 3 "keep the notes"
            """)

    @Argument(help: "The number in the inbox.")
    var number: Int64

    @Argument(help: "Why: it goes to the model or the step as its error.")
    var words: [String] = []

    @Option(name: .customLong("reason"), help: "The same, as an option.")
    var reason: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let record = try Find.await(number, in: house)
        let answer = Answer.no(reason: reason ?? words.joined(separator: " "))
        guard case .no(let why) = answer, !record.isAboutCall else {
            return Answers.show(try house.act.answer(record, answer, house.people.name()), answer, of: record, in: house, output)
        }
        let outcome = try house.people.complete(number, nil, .rejected(reason: why), nil)
        return Answers.show(outcome, "rejected", of: record, in: house, output)
    }
}

extension Completion {
    /// What the person is told of it.
    var word: String {
        switch self {
        case .outputs: "completed"
        case .agreed: "agreed"
        case .skipped: "skipped"
        case .rejected: "rejected"
        case .submittedAs: "found"
        case .lookAgain: "looking again"
        case .submitAgain: "submitting again"
        }
    }
}
