import Actions
import ArgumentParser
import Conversations
import Progress
import Terminal
import Vocabulary

/// The part of a chat that takes the lines of the user: verbs, and lines for the conversation.
extension Chatting {
    static func failure(_ fault: LineFault) -> Failure {
        let (code, remedy): (Code, String) =
            switch fault {
            case .tooLong: (.lineTooLong, "Say it in fewer words, or put the text into a file and name that.")
            case .hasNUL: (.badLine, "Send text: no text has a NUL.")
            }
        return Failure(code, "This line \(fault.words); nothing of it was carried out.", remedy: remedy)
    }

    /// Takes a line of the user.
    ///
    /// - Parameter isHeld: whether it is not on the screen yet.
    func take(line: String, isHeld: Bool = false) async {
        suggestions = .unneeded
        let line = line.trimmed
        output.live.set(.hint, [])
        guard !line.isEmpty else { return screen.invite() }
        do throws(Failure) { try TypedKey.refuse(in: line, context) } catch {
            show(error)
            screen.endHold()
            return screen.invite()
        }
        let isSaid = !line.hasPrefix("/") && !Self.leaves(line) && UndoWords.command(line) == nil
        if isHeld, !isSaid { screen.show(ChatLine.rows(line)) }
        if line.hasPrefix("/") { return await take(verb: String(line.dropFirst())) }
        if Self.leaves(line) { return await leave() }
        if let words = UndoWords.command(line) { return await take(verb: words.joined(separator: " ")) }
        await say(line, isHeld: isHeld)
    }

    private static func leaves(_ line: String) -> Bool { ["exit", "quit"].contains(line.lowercased()) }

    /// Puts the newest line that waits back onto the input line.
    func takeBack() async {
        do throws(Failure) {
            guard let line = try await session?.takeBack() else { return }
            _ = held.take(line)
            screen.putBack(line, isAsked: true)
        } catch { show(error) }
    }

    /// Says a line in the conversation, or sends it into the running turn.
    private func say(_ line: String, intoTurn: Bool = false, isHeld: Bool = false) async {
        if isHeld { held.add(line) }
        do throws(Failure) {
            let session = try openSession(title: line)
            screen.setBusy(true)
            try await session.say(line, intoTurn: intoTurn)
            turn = Task { await turnsEnded(session) }
        } catch {
            if isHeld, held.take(line) { screen.show(ChatLine.rows(line)) }
            screen.setBusy(false)
            show(error)
            screen.invite()
        }
    }

    func turnsEnded(_ session: Session) async {
        statuses.append(ExitStatus(of: await session.finished()))
        screen.endStream()
        setStatus([])
        if let words = progress.turnEnded(taken.value) { screen.show(words) }
        taken.value = nil
        refreshPrompt()
        screen.setBusy(false)
        screen.invite()
        offerWay()
    }

    /// Puts the line that is offered onto the input line, if there is one. An order of a paste gets no other line.
    @discardableResult private func offerWay() -> Bool {
        defer { way.value = nil }
        guard let line = way.value, waiting.lines.isEmpty, phase != .leaving, screen.offer(line) else { return false }
        let hint = StyledText("  Enter does that; a letter takes its place.", .dim)
        output.live.set(.hint, Layout.wrapped(hint, columns: screen.columns))
        return true
    }

    func take(verb line: String) async {
        let words = ChatWords(home: context.folders.home).split(line)
        let own: ChatVerb? = if let word = words.first { ChatVerb(word) } else { .help }
        switch own {
        case .quit: await leave()
        case .new: await beginAnew()
        case .context: await showContext()
        case .compact: await compact()
        case .help: help(Array(words.dropFirst()))
        case .now: await take(now: String(line.drop { !$0.isWhitespace }).trimmed)
        case nil: take(command: words)
        }
    }

    /// Sends a line into the running turn. Without one, and if the line is a verb, it is a line as any other.
    private func take(now line: String) async {
        guard !line.isEmpty else { return help([ChatVerb.now.rawValue]) }
        guard !line.hasPrefix("/"), await session?.isBusy ?? false else { return await take(line: line) }
        await say(line, intoTurn: true)
    }

    private func help(_ words: [String]) {
        if words == ["say"] { return reply(SayingsView.lines(context.look.sayings(), columns: screen.columns)) }
        do throws(Failure) { reply(try HelpView.lines(for: words, columns: screen.columns)) } catch {
            show(error)
            screen.invite()
        }
    }

    private func take(command words: [String]) {
        let name = words.first ?? ""
        guard Root.has(name) else {
            show(Root.noCommand(name, remedy: "/help lists them."))
            return screen.invite()
        }
        do {
            guard let verb = try Root.parseAsRoot(words) as? any Verb else { return help([name]) }
            if let refusal = type(of: verb).description.notInChat { return reply([StyledText(refusal, .dim)]) }
            var context = context
            let output = output.inJSON(verb.shared.json)
            context.session = sessionID
            stopping.verbs += 1
            let task = Task { [context] in
                var status = ExitStatus.succeeded
                do throws(Failure) { status = try await verb.carryOut(in: context, output) } catch {
                    if output.isJSON { output.fail(error, at: context.now()) } else { self.show(error) }
                    status = ExitStatus(of: error)
                }
                output.endInChat(verb, status)
                self.verbEnded(verb, status)
            }
            self.verb = task
            if verb.isView { stopping.view = task }
        } catch {
            // `--help` is thrown, too.
            guard Root.exitCode(for: error) != .success else { return help([name]) }
            statuses.append(.badUsage)
            guard !words.contains("--json") else {
                output.inJSON(true).fail(Root.failure(of: error), at: context.now())
                return reply([])
            }
            let words = Root.fullMessage(for: error).replacing("Usage: assent ", with: "Usage: /").replacing(
                "See 'assent ", with: "See '/")
            reply(words.split(separator: "\n").map { StyledText(String($0), .warning) })
        }
    }

    /// Shows the whole reply to the line that was entered, and invites the next line.
    private func reply(_ lines: [StyledText]) {
        screen.show(lines)
        screen.endHold()
        screen.invite()
    }

    private func verbEnded(_ verb: any Verb, _ status: ExitStatus) {
        statuses.append(status)
        stopping.verbs -= 1
        if verb.isView { stopping.view = nil }
        if type(of: verb).description.asksForKey { screen.endHold() }
        refreshPrompt()
        screen.invite()
        // Without an input line, the user can copy the words.
        if verb is Duplicate, let line = way.value, !offerWay() { screen.show(StyledText("  " + line)) }
    }
}
