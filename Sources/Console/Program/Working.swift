package import ArgumentParser
import JSON
import Synchronization
import Terminal
package import Vocabulary

package struct Ask: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Say one thing, have it planned and run, and leave.",
        discussion: """
            Examples:

              assent ask "convert cat.jpg to webp" --mode auto --json
              assent ask --continue "and now in grayscale"
              assent ask --continue     (a turn that waited for your answer goes on)
            """)

    @Argument(help: "What you want, in your words.")
    var line: [String] = []

    @Flag(name: [.customShort("c"), .customLong("continue")], help: "Say it in the newest conversation of this folder.")
    var continues = false

    @Option(help: "Say it in this conversation of this folder, such as s3.")
    var session: SessionID?

    @OptionGroup var model: ModelOption
    @OptionGroup var start: StartOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    var goesOn: Bool { continues || session != nil }

    private static let nothing = Failure(
        "badUsage", "There is nothing to do.", remedy: "Say what you want: assent ask \"convert cat.jpg to webp\"")

    package func validate() throws {
        guard line.isEmpty, !goesOn else { return }
        throw ValidationError("\(Self.nothing.message) \(Self.nothing.remedy ?? "")")
    }

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let line = line.joined(separator: " ")
        let isEmpty = line.allSatisfy(\.isWhitespace)
        guard !isEmpty || goesOn else { throw Self.nothing }
        try TypedKey.refuse(in: line, house)
        try model.take(in: house)
        let mode = try start.mode(in: house)
        let (left, notice) = try SessionChoice(isNewest: continues, named: session).opened(in: house)
        // Without words only a turn that waits for an answer goes on.
        guard !isEmpty || left?.waits == true else { throw Self.nothing }
        output.tell(notice: notice)
        output.tell(notice: await house.notice())
        try house.act.startEngine({}, { _ in })
        return try await OneTurn(house: house, output: output, mode: mode, onAsk: start.onAsk(for: output, in: house))
            .say(isEmpty ? nil : line, in: left)
    }
}

package struct Run: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Run one workflow: a file, or a template by name.",
        discussion: """
            Example:

              assent run shrink.json --input photo=cat.jpg --set resize.width=800
            """)

    @Argument(help: "A file of app.workflow/v2, or the name of a template.")
    var file: String

    @Option(name: .customLong("set"), help: "Set a parameter: NODE.PARAM=VALUE. May be repeated.")
    var sets: [String] = []

    @Option(
        name: .customLong("input"),
        help: "Bind an input to a file: NODE.PORT=FILE, or NAME=FILE for an input of the workflow. May be repeated.")
    var inputs: [String] = []

    @Flag(help: "Store the workflow, let another process carry it out, and leave.")
    var detach = false

    @OptionGroup var start: StartOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let bytes = try Find.template(file, in: house)
        guard let template = try prepared(bytes, in: house, output) else { return .badUsage }
        let mode = try start.mode(in: house)
        let onAsk = start.onAsk(for: output, in: house)
        try await HostAsker(house: house, screen: onAsk == .inline ? output.screen : nil).require(for: template)
        output.tell(notice: await house.notice())
        if detach {
            let id = try house.act.start(template, House.Start(mode: mode, onAsk: start.onAsk ?? .park))
            try house.act.detachWorker()
            let created = Event(at: house.now(), workflow: id, .workflowCreated(title: template.name, steps: template.nodes.count))
            output.show([StyledText("\(id) goes on by itself: assent show \(id)")], json: [created.line])
            return .succeeded
        }
        let events = house.events()
        try house.act.startEngine({}, { _ in })
        let id = try house.act.start(template, House.Start(mode: mode, onAsk: onAsk))
        let report = Report(house: house, output: output, workflow: id, template: template)
        await report.begin()
        output.show([StyledText("  \(id) has begun · \(Voice.call("show \(id)"))", .dim)], json: [])
        let asker = onAsk == .inline ? Asker(house: house, screen: output.screen) : nil
        let followed = await Following(workflow: id, house: house, asker: asker, onEvent: report.show).untilItRests(events)
        report.end(followed)
        return followed.status
    }

    /// The template with what the person set and bound, checked. Problems are shown.
    private func prepared(_ bytes: [UInt8], in house: House, _ output: Output) throws(Failure) -> Template? {
        let (read, faults) = house.act.check(bytes, try boundEnds())
        guard let read else {
            Problems.refuse(faults, of: file, in: house, output)
            return nil
        }
        let template = try Binding.applied(to: read, sets: sets, inputs: inputs, catalogue: house.catalogue())
        let problems = faults.filter { !isMended($0) } + house.act.checkTemplate(template)
        guard problems.isEmpty else {
            Problems.refuse(Array(Set(problems)).sorted { $0.description < $1.description }, of: file, in: house, output)
            return nil
        }
        // It could not end well; what is stored and lacks a tool later waits for it.
        let missing = house.act.missingTools(template)
        guard missing.isEmpty else {
            Problems.refuse(missing, of: file, remedy: Problems.ofTools, in: house, output)
            return nil
        }
        return template
    }

    /// Faults of parameters that were set anew are looked for in the changed template instead.
    private func isMended(_ problem: Problem) -> Bool { !sets.isEmpty && problem.code == "badParam" }

    private func boundEnds() throws(Failure) -> Set<Template.Endpoint> {
        var ends: Set<Template.Endpoint> = []
        for input in inputs {
            let (name, _) = try Binding.split(input, option: "--input", form: "NAME=FILE or NODE.PORT=FILE")
            if let dot = name.firstIndex(of: ".") {
                ends.insert(Template.Endpoint(String(name[..<dot]), String(name[name.index(after: dot)...])))
            }
        }
        return ends
    }
}

package struct Check: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Check workflows; changes nothing.",
        discussion: """
            Example:

              assent check shrink.json --json
            """)

    @Argument(help: "Files of app.workflow/v2, or names of templates.")
    var files: [String]

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        var isFine = true
        for file in files {
            var problems: [Problem]
            var remedy: String?
            do throws(Failure) {
                let (template, faults) = house.act.check(try Find.template(file, in: house), [])
                problems = faults
                if let template, faults.isEmpty {
                    problems = house.act.missingTools(template)
                    remedy = Problems.ofTools
                }
            } catch {
                problems = [Problem(error.code, error.message)]
            }
            if !problems.isEmpty { isFine = false }
            Problems.show(problems, of: file, remedy: remedy, output)
        }
        return isFine ? .succeeded : .badUsage
    }
}

package struct Work: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Carry workflows out without a chat.",
        discussion: """
            Example:

              assent work --until-idle
              assent work --unit > ~/.config/systemd/user/assent-work.service
            """)

    @Flag(help: "Leave when nothing is left that can move by itself.")
    var untilIdle = false

    @Flag(help: "Print a systemd user unit that does this, and leave.")
    var unit = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        guard !unit else {
            let text = house.act.serviceUnit()
            output.show(text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) }, json: [.string(text)])
            return .succeeded
        }
        let events = house.events()
        let (rests, bell) = AsyncStream.makeStream(of: Failure?.self)
        try house.act.startEngine({ bell.yield(nil) }, { bell.yield($0) })
        output.show(
            [StyledText("Carrying workflows out; Ctrl-C stops\(untilIdle ? ", and so does having nothing to do" : "").", .dim)], json: [])
        let printing = Task {
            for await event in events {
                if case .end = event.kind, event.session == nil { return }
                show(event, in: house, output)
                // Of one workflow: it is set aside, and the others go on.
                if case .error = event.kind, event.workflow == nil { return }
            }
        }
        for await failure in rests {
            if let failure {
                // As a line it is printed in its turn.
                await printing.value
                if !output.isJSON { output.fail(failure, at: house.now()) }
                return ExitStatus(of: failure)
            }
            guard untilIdle else { continue }
            // Its last round may fail, too.
            await house.act.stopEngine()
            bell.finish()
        }
        // What was posted before this is shown before it.
        house.act.record(Event(at: house.now(), .end(exit: 0)))
        await printing.value
        return await Self.waitingOrDone(house)
    }

    /// For people: what has ended, what went wrong, what needs them.
    private func show(_ event: Event, in house: House, _ output: Output) {
        guard !output.isJSON else { return output.line(event) }
        switch event.kind {
        // What ends the engine is said when it has ended.
        case .error(let failure): if event.workflow != nil { output.fail(failure, at: event.at) }
        case .awaitOpened(let record):
            if let entry = house.entries(of: [record]).first { output.screen.show(InboxView.news(entry, columns: output.columns)) }
        case .workflowFinished(let outcome, _):
            guard outcome != .waiting, let id = event.workflow else { break }
            output.screen.show(StateSign(outcome).mark + StyledText(" \(id) \(outcome.rawValue) · \(Voice.call("show \(id)"))"))
        default: break
        }
    }

    private static func waitingOrDone(_ house: House) async -> ExitStatus {
        ((try? house.look.awaits(false)) ?? []).isEmpty ? .succeeded : .waiting
    }
}

/// The problems of a file, or that it is fine.
enum Problems {
    static let ofTools = "See 'assent tools' for what there is, 'assent doctor' for what is wrong with one."

    /// Whoever reads lines of events gets the problems as such.
    ///
    /// - Parameter remedy: what to do where the file itself needs no mending.
    static func refuse(_ problems: [Problem], of file: String, remedy: String? = nil, in house: House, _ output: Output) {
        guard output.isJSON else { return show(problems, of: file, remedy: remedy, output) }
        for problem in problems {
            let place = problem.place.isEmpty ? "" : "\(problem.place): "
            output.fail(
                Failure(problem.code, place + problem.message, remedy: remedy ?? "Mend \(file); 'assent check' shows all of it."),
                at: house.now())
        }
    }

    static func show(_ problems: [Problem], of file: String, remedy: String? = nil, _ output: Output) {
        output.show(
            problems.isEmpty
                ? [StyledText("✓ ", .success) + StyledText("\(file) is fine")]
                : [StyledText("✗ ", .failure) + StyledText("\(file) has \(problems.count) problem\(problems.count == 1 ? "" : "s")")]
                    + problems.map { StyledText("  \($0)") } + (remedy.map { [StyledText("  \($0)", .dim)] } ?? []),
            json: [
                .of([
                    "file": .string(file), "ok": .bool(problems.isEmpty),
                    "problems": .array(
                        problems.map { .of(["code": .string($0.code), "place": .string($0.place), "message": .string($0.message)]) }),
                ])
            ])
    }
}
