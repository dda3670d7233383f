import Glibc
import Harness
import JSON
import Storage
import Vocabulary

/// A day at one or two consoles on one folder, which a seed scripts: what is typed is written down for the oracle.
struct OrderLab {
    struct Console {
        var pty: Pty
        /// The name of its engine, which begins with its process.
        var owner: String
        var process: pid_t { owner.split(separator: "-").first.flatMap { pid_t($0) } ?? 0 }
    }

    let lab: ProgramLab
    private(set) var consoles: [Console] = []
    private(set) var typed: [TypedOrder] = []
    /// What was done, one line each, for whoever looks for the smallest reproduction.
    private(set) var journal: [String] = []
    private var random: Seeded
    private var marks = 0
    var beside: [ProgramProcess] = []
    let patience = patienceSeconds

    init(seed: UInt64, consoles count: Int) async throws {
        random = Seeded(seed)
        lab = try ProgramLab(folder: "w")
        for _ in 0..<count { try await open() }
    }

    private mutating func open() async throws {
        let known = Set(engines())
        let script = "\"$0\"; echo ended $?; stty -a"
        let pty = try Pty.spawn(
            "/bin/sh", ["-c", script, ProgramLab.program], environment: lab.environment, folder: lab.folder,
            columns: 80, rows: 40, owner: lab)
        pty.reflow()
        try require(await pty.see { Self.last($0).hasSuffix("›") }, "no prompt", pty)
        let isUp = try await eventually { self.engines().contains { !known.contains($0) } }
        guard isUp, let owner = engines().first(where: { !known.contains($0) }) else {
            throw OrderEnd(words: "no engine")
        }
        consoles.append(Console(pty: pty, owner: owner))
    }

    private func engines() -> [String] {
        ScratchFolder.names(in: "\(lab.home)/data/engines").filter { $0.first?.isNumber ?? false }
    }

    // MARK: What is on the screen

    private static func last(_ screen: PtyScreen) -> String { screen.lines.last { !$0.isEmpty } ?? "" }

    private static func isQuestion(_ screen: PtyScreen) -> Bool {
        let last = last(screen)
        // A hint about keys that came too soon is cut on a narrow terminal.
        return last.contains("· Esc") || last.contains("only Enter") || last.hasPrefix("not taken")
    }

    private static func isPrompt(_ screen: PtyScreen) -> Bool {
        last(screen).wholeMatch(of: /(\[\d+⚑\] )?(\S+ )*›/) != nil
    }

    func transcript(of console: Int) -> [String] {
        consoles[console].pty.screen.wholeLines
    }

    private func require(_ holds: Bool, _ words: String, _ pty: Pty) throws {
        guard !holds else { return }
        let tail = pty.screen.lines.map { $0.split(separator: " ") }.filter { !$0.isEmpty }.suffix(2)
        throw OrderEnd(
            words: "\(words)\n\(pty.screen.text.suffix(3000))\n\(journal.joined(separator: "\n"))",
            hasTwoBegunLines: tail.first?.contains("›") == true && [["y"], ["n"]].contains(tail.last))
    }

    // MARK: Doing

    mutating func run(actions: Int, isWild: Bool = false) async throws {
        for _ in 0..<actions { try await act(isWild: isWild) }
        try await settle()
    }

    private mutating func mark() -> String {
        marks += 1
        return "k" + String(repeating: "0", count: max(0, 3 - "\(marks)".count)) + "\(marks)"
    }

    private mutating func act(isWild: Bool) async throws {
        let console = Int.random(in: 0..<consoles.count, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case ..<26: try await say(at: console)
        case ..<46: try await runTemplate(at: console)
        case ..<60: try await answerInbox(at: console)
        case ..<68: try await actBeside()
        case ..<78: resize(console)
        case ..<84: try await retry(at: console)
        case ..<90:
            try await say(at: console)
            try await say(at: console, isAtOnce: true)
        case _ where isWild: try await disturb(console)
        default: try await Task.sleep(for: .microseconds(UInt32.random(in: 1_000...120_000, using: &random)))
        }
    }

    /// A sentence that the built-in planner knows.
    mutating func say(at console: Int, isAtOnce: Bool = false, which: Int? = nil) async throws {
        let mark = mark()
        let which = which ?? Int.random(in: 0..<6, using: &random)
        if which < 4 { try lab.write(try await Self.picture(lab), to: "\(mark).png") }
        let line =
            switch which {
            case 0: "make \(mark).png 20 px wide"
            case 1: "make \(mark).png grayscale"
            case 2: "convert \(mark).png to jpg"
            case 3: "grayscale \(mark).png, overwrite it"
            default: "run sleep 0.\(Int.random(in: 1...3, using: &random)); echo \(mark)"
            }
        try await enter(line, .sentence, mark, at: console, isAtOnce: isAtOnce)
    }

    enum Shape: CaseIterable { case slow, wait, bad, ask, words, two }

    mutating func runTemplate(at console: Int, _ shape: Shape? = nil) async throws {
        let (name, mark) = try template(shape)
        try await enter("/run \(name)", .run, mark, at: console)
    }

    private mutating func template(_ shape: Shape?) throws -> (String, String) {
        let mark = mark()
        let shape = shape ?? Shape.allCases.randomElement(using: &random)!
        let made: JSON
        switch shape {
        case .slow:
            made = workflow("slow \(mark)", [node("n", "Shell", ["command": .string("sleep 0.2; echo \(mark)")])])
        case .wait:
            made = workflow(
                "wait \(mark)",
                [
                    node("a", "Text", ["text": .string(mark)]),
                    node("ok", "Approve", ["question": .string("Fine \(mark)?")]),
                    node("w", "WriteFile", ["path": .string("\(mark).txt")]),
                ], [edge("a.text", "ok.text"), edge("ok.text", "w.text")])
        case .bad: made = workflow("bad \(mark)", [node("n", "ReadFile", ["path": .string("no-\(mark)")])])
        case .ask:
            try lab.write("old\n", to: "\(mark).txt")
            made = workflow(
                "ask \(mark)",
                [node("n", "WriteFile", ["path": .string("\(mark).txt"), "text": "new\n", "overwrite": true])])
        case .words:
            made = workflow("words \(mark)", [asking("n", "AskText", nil, ["question": .string("Why \(mark)?")])])
        case .two:
            made = workflow(
                "two \(mark)",
                [
                    node("a", "Shell", ["command": "sleep 0.1; echo a"]),
                    node("b", "WriteFile", ["path": .string("\(mark).txt")]),
                ], [edge("a.text", "b.text")])
        }
        try lab.write(made, to: ".\(mark).json")
        return (".\(mark).json", mark)
    }

    /// Answers an entry of the inbox at a console.
    mutating func answerInbox(at console: Int, _ number: Int64? = nil) async throws {
        let open = try lab.archived { try $0.awaits() }
        let chosen = number.map { number in open.first { $0.number == number } } ?? open.randomElement(using: &random)
        guard let record = chosen else { return }
        let mark = try self.mark(of: record.step.workflow)
        switch record.type {
        case .confirmCall:
            let verb = random.chance(25) ? "reject" : "approve"
            try await enter("/\(verb) \(record.number)", .other, mark, at: console)
        default: try await enter("/complete \(record.number) --text so", .other, mark, at: console)
        }
    }

    private func mark(of id: WorkflowID) throws -> String {
        let title = try lab.archived { try $0.summaries(only: id).first?.record.title } ?? ""
        return title.firstMatch(of: /k\d{3}/).map { String($0.0) } ?? ""
    }

    /// A short day without a seed: a turn, a question of a verb here, and a workflow that another process began.
    mutating func runShortDay() async throws {
        try await say(at: 0, which: 0)
        try await runTemplate(at: 0, .ask)
        try require(
            await consoles[0].pty.see(seconds: patience) { Self.isQuestion($0) }, "no question", consoles[0].pty)
        try await ready(0, key: "y\r")
        let (name, mark) = try template(.wait)
        beside.append(try lab.start(["run", name, "--on-ask", "park"]))
        try require(
            await consoles[0].pty.see(seconds: patience) { $0.text.contains("Fine \(mark)?") }, "no news",
            consoles[0].pty)
        let open = try lab.archived { try $0.awaits() }
        guard let record = open.first(where: { !$0.isAboutCall }) else { throw OrderEnd(words: "nothing waits") }
        try await enter("/approve \(record.number)", .other, mark, at: 0)
        try require(
            await consoles[0].pty.see(seconds: patience) { Self.isQuestion($0) }, "no question", consoles[0].pty)
        try await ready(0, key: "y\r")
        try await settle()
    }

    /// A command in a shell beside the consoles.
    private mutating func actBeside() async throws {
        let open = try lab.archived { try $0.awaits() }
        var words: [String]
        if random.chance(50), let record = open.randomElement(using: &random) {
            words =
                record.type == .confirmCall
                ? ["reject", "\(record.number)"] : ["complete", "\(record.number)", "--text", "b"]
        } else {
            words = ["run", try template(nil).0, "--on-ask", "park"]
        }
        journal.append("beside: assent \(words.joined(separator: " "))")
        beside.append(try lab.start(words))
    }

    private mutating func retry(at console: Int) async throws {
        let failed = try lab.archived { try $0.summaries(limit: 200) }.filter { $0.record.outcome == .failed }
        guard let one = failed.randomElement(using: &random) else { return }
        try await enter("/retry \(one.record.id)", .other, try mark(of: one.record.id), at: console)
    }

    /// Changes the width. A row of the live region that is being drawn for the old width is not broken into two.
    mutating func resize(_ console: Int) {
        let live = consoles[console].pty.screen.lines.filter { $0.contains("▸") || $0.contains(" wait") }
        let columns = max(Int.random(in: 40...120, using: &random), (live.map(\.count).max() ?? 0) + 1)
        journal.append("\(console): resize \(columns)")
        consoles[console].pty.resize(columns: columns, rows: 40)
    }

    /// Keys that enter nothing, a paste of one line, and signals.
    private mutating func disturb(_ console: Int) async throws {
        let pty = consoles[console].pty
        let process = consoles[console].process
        try await ready(console)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let keys = ["a", "\u{1B}[D", "\u{1B}[C", "\u{01}", "\u{05}", "/", "é", "\u{7F}", "\u{17}", "\t"]
            let all = (0..<12).map { _ in keys.randomElement(using: &random)! }.joined()
            journal.append("\(console): keys \(all.debugDescription)")
            pty.send(all + "\u{05}\u{15}")
            try require(await pty.see(seconds: patience) { Self.isPrompt($0) || Self.isQuestion($0) }, "keys stay", pty)
        case 1:
            let mark = mark()
            try lab.write(try await Self.picture(lab), to: "\(mark).png")
            try await enter("make \(mark).png grayscale", .sentence, mark, at: console, isPasted: true)
        case 2:
            journal.append("\(console): SIGWINCH")
            kill(process, SIGWINCH)
        case 3:
            journal.append("\(console): SIGTSTP, SIGCONT")
            kill(process, SIGTSTP)
            try await Task.sleep(for: .milliseconds(20))
            kill(process, SIGCONT)
        default:
            journal.append("\(console): Ctrl-C")
            pty.send("\u{03}")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Types a line and enters it.
    ///
    /// - Parameter isAtOnce: whether it is entered without a look whether the console is at rest.
    private mutating func enter(
        _ line: String, _ kind: TypedOrder.Kind, _ mark: String, at console: Int, isAtOnce: Bool = false,
        isPasted: Bool = false
    ) async throws {
        let pty = consoles[console].pty
        if !isAtOnce { try await ready(console) }
        let before = OrderLine.all(in: transcript(of: console)).count {
            $0.kind == .entered(line) || $0.kind == .answer(line)
        }
        journal.append("\(console): \(line)\(isAtOnce ? " (at once)" : "")\(isPasted ? " (pasted)" : "")")
        typed.append(TypedOrder(console: console, line: line, kind: kind, mark: mark))
        pty.send(isPasted ? "\u{1B}[200~\(line)\u{1B}[201~\r" : line + "\r")
        var isRefused = false
        let isEntered = await pty.see(seconds: patience) { screen in
            isRefused = Self.last(screen).contains("is none of them")
            // A question that appeared meanwhile takes no such line: it goes to the next prompt.
            if isRefused || Self.isQuestion(screen) { return true }
            guard Self.isPrompt(screen) else { return false }
            let rows = screen.wholeLines
            // A line that waits for its turn is counted below the rows that are finished.
            return OrderLine.all(in: rows).count { $0.kind == .entered(line) || $0.kind == .answer(line) } > before
                || rows.contains { $0.contains("1 line waits: ") || $0.contains(" lines wait, the newest: ") }
        }
        try require(isEntered, "not entered: \(line)", pty)
        if isRefused { typed.removeLast() }
    }

    /// Waits until a console takes a line, and answers its questions before.
    mutating func ready(_ console: Int, key: String? = nil) async throws {
        let pty = consoles[console].pty
        for _ in 0..<40 {
            if !(await pty.see(seconds: 2, { Self.isPrompt($0) || Self.isQuestion($0) })) {
                // A line that was typed as a question appeared is put back, and its Enter was not taken.
                let last = Self.last(pty.screen)
                if typed.contains(where: { $0.console == console && last.hasSuffix("› \($0.line)") }) { pty.send("\r") }
                try require(
                    await pty.see(seconds: patience) { Self.isPrompt($0) || Self.isQuestion($0) }, "no prompt", pty)
            }
            guard Self.isQuestion(pty.screen) else { return }
            // A line that was entered before may still be on its way: the question refuses it, and says so first. It
            // may also be answered elsewhere meanwhile.
            try await Task.sleep(for: .milliseconds(400))
            let screen = pty.screen
            if Self.isQuestion(screen) { try await answer(screen, at: console, key) }
        }
        try require(false, "it asks for ever", pty)
    }

    private mutating func answer(_ screen: PtyScreen, at console: Int, _ key: String?) async throws {
        let pty = consoles[console].pty
        let last = Self.last(screen)
        // An order that arrived as the question stood there was taken for an answer, and refused.
        if last.contains("is none of them"), let words = last.firstMatch(of: /"([^"…]+)/)?.1 {
            typed.lastIndex { $0.console == console && $0.line.hasPrefix(words) }.map { _ = typed.remove(at: $0) }
        }
        let rows = screen.wholeLines
        let question = rows.lastIndex { $0.hasPrefix(" ? ") } ?? 0
        let mark = rows[question...].joined().firstMatch(of: /k\d{3}/).map { String($0.0) } ?? ""
        var keys: String
        if rows.last(where: { !$0.isEmpty && $0 != last })?.hasPrefix(" why not?") ?? false {
            keys = random.chance(50) ? "\r" : "not so\r"
        } else {
            let choice = Int.random(in: 0..<100, using: &random)
            keys = key ?? (choice < 60 ? "y\r" : choice < 80 ? "n" : "\u{1B}")
        }
        typed.append(TypedOrder(console: console, line: keys, kind: .key, mark: mark))
        if keys == "\u{1B}" {
            for index in typed.indices where typed[index].console == console && typed[index].mark == mark {
                typed[index].isLeft = true
            }
        }
        journal.append("\(console): at the question of \(mark): \(keys.debugDescription)")
        let bytes = pty.output.utf8.count
        pty.send(keys)
        // It is over, or another one stands there.
        let asksWhy = keys == "n" && rows[question...].contains { $0.contains("say why") }
        func reasons(_ rows: [String]) -> Int { rows.count { $0.hasPrefix(" why not?") } }
        let filled = rows.count { !$0.isEmpty }
        func goesOn(_ now: PtyScreen) -> Bool {
            guard Self.isPrompt(now) || Self.isQuestion(now) || Self.last(now).contains("› ") else { return false }
            // A prompt may stand there for a moment before the reason is asked for.
            if asksWhy, Self.isPrompt(now), reasons(now.wholeLines) == reasons(rows) { return false }
            return pty.output.utf8.count > bytes
                && (!Self.isQuestion(now) || now.wholeLines.count { !$0.isEmpty } != filled)
        }
        let wait = keys == "n" ? 5 : patience
        var isTaken = await pty.see(seconds: wait) { goesOn($0) || Self.last($0).hasPrefix("not taken") }
        // Where a line was begun at the question, each letter wants Enter.
        if !isTaken, keys == "n", Self.last(pty.screen).hasSuffix("› n") {
            pty.send("\r")
            isTaken = await pty.see(seconds: patience, goesOn)
        }
        // A refusal may be about a line that was entered before. The answer is then still on its way.
        if isTaken { isTaken = await pty.see(seconds: 3, goesOn) || Self.last(pty.screen).hasPrefix("not taken") }
        try require(isTaken, "the key \(keys.debugDescription) was not taken", pty)
    }

    /// A small picture, made once.
    private static func picture(_ lab: ProgramLab) async throws -> [UInt8] { try await small.bytes(lab) }
    private static let small = SmallPicture()
}

private actor SmallPicture {
    private var made: [UInt8]?

    func bytes(_ lab: ProgramLab) async throws -> [UInt8] {
        if let made { return made }
        _ = try await lab.tool("vips", "black", ".b.v", "64", "48", "--bands", "3")
        _ = try await lab.tool("vips", "linear", ".b.v", ".b.png", "1", "200", "--uchar")
        guard let bytes = lab.bytes(".b.png") else { throw OrderEnd(words: "no picture") }
        unlink(lab.path(".b.v"))
        unlink(lab.path(".b.png"))
        made = bytes
        return bytes
    }
}

struct OrderEnd: Error, CustomStringConvertible {
    let words: String
    /// Whether the answer to a question stands on the line below another one that was begun before it.
    var hasTwoBegunLines = false
    var description: String { words }
}
