import Glibc
import Harness
import Synchronization
import Terminal
import Testing

/// A yes is a line (`consent.md`, "The question", 3): nobody says it by typing a sentence, at whatever speed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SlowTypingTests {
    enum Screens: String, CaseIterable { case full, plain }
    enum Disturbance: CaseIterable { case none, resize, picture, news }

    /// A line that a person types, and the question that appears while they do.
    struct Line {
        var text: String
        /// How many characters are typed before the question appears.
        var before: Int
        /// The seconds between two keys.
        var pace: Double
        var disturbance: Disturbance
        /// The character before which the disturbance comes.
        var disturbedAt: Int
    }

    private static let paces = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5]

    private static let openings = [
        "maybe later", "by the way", "not today", "yes please", "why", "say what", "do it slowly", "pay by card",
        "so", "hmm y", "yy", "p is for plan", "okay", "only the first", "y not", "sorry", "my y key", "yes but keep b",
        "p y", "skip it",
    ]
    private static let endings = ["", " y", " why", " today", " and say why", " or buy", ", yes", "?", " s", " p"]

    /// 200 sentences, none of which is an answer.
    private static let sentences: [String] = openings.flatMap { opening in endings.map { opening + $0 } }

    private static let wordsWithY = [
        "buy", "why", "today", "say", "by", "copy", "my", "only", "they", "key", "play", "stay", "sunny", "early",
        "money", "reply", "carry", "sorry", "maybe not today", "by the bay", "no way", "go away", "the big city",
        "one more try", "say hello to lucy", "very nicely", "try", "fly", "boy", "any",
    ]

    private static func lines(_ random: inout Seeded) -> [Line] {
        let whole = sentences.map { text in
            Line(
                text: text, before: Bool.random(using: &random) ? 0 : Int.random(in: 0..<text.count, using: &random),
                pace: paces.randomElement(using: &random)!,
                disturbance: Disturbance.allCases.randomElement(using: &random)!,
                disturbedAt: Int.random(in: 0...text.count, using: &random))
        }
        // The question appears just before the last letter, which is its yes.
        let cut = (wordsWithY + wordsWithY).map { text in
            Line(
                text: text, before: text.count - 1, pace: paces.randomElement(using: &random)!,
                disturbance: Disturbance.allCases.randomElement(using: &random)!, disturbedAt: text.count)
        }
        return whole + cut
    }

    @Test("no sentence is a yes, at any speed", arguments: Screens.allCases)
    func noSentenceIsAYes(kind: Screens) async throws {
        let seed = UInt64.random(in: 0..<1 << 40)
        var random = Seeded(seed)
        let lines = Self.lines(&random)
        #expect(lines.count == 260)
        let faults = try await Self.tried(lines) { line in
            let typist = try Typist(kind)
            for sign in line.text.prefix(line.before) { try await typist.press(sign, line.pace) }
            let asked = await typist.ask()
            for (place, sign) in line.text.enumerated().dropFirst(line.before) {
                if place == line.disturbedAt { await typist.disturb(line.disturbance) }
                try await typist.press(sign, line.pace)
            }
            if line.disturbedAt == line.text.count { await typist.disturb(line.disturbance) }
            try await typist.press("\r", line.pace)
            try await typist.leave(asked)
            return typist.answer.flatMap { ["y", "p", "s"].contains($0) ? "\(line): \($0)" : nil }
        }
        #expect(faults.isEmpty, "seed \(seed): \(faults)")
    }

    @Test("the letter and Enter are a yes", arguments: Screens.allCases) func theLetterAndEnterAreAYes(
        kind: Screens
    ) async throws {
        let lines = (0..<20).map { number in
            Line(
                text: "y", before: 0, pace: Self.paces[number % Self.paces.count],
                disturbance: Disturbance.allCases[number % 4], disturbedAt: number % 2)
        }
        let faults = try await Self.tried(lines) { line in
            let typist = try Typist(kind)
            let asked = await typist.ask()
            try await typist.arm()
            if line.disturbedAt == 0 { await typist.disturb(line.disturbance) }
            try await typist.press("y", line.pace)
            if line.disturbedAt == 1 { await typist.disturb(line.disturbance) }
            try await typist.press("\r", line.pace)
            try await typist.leave(asked)
            return typist.answer == "y" ? nil : "\(line): \(String(describing: typist.answer))"
        }
        #expect(faults.isEmpty, "\(faults)")
    }

    /// The rest of a line that was begun before the question stays with that line, and the next line answers.
    @Test(arguments: Screens.allCases) func theLineThatWasBegunStaysOne(kind: Screens) async throws {
        let typist = try Typist(kind)
        for sign in "wh" { try await typist.press(sign, 0.1) }
        let asked = await typist.ask()
        try await typist.arm()
        for sign in "y\r" { try await typist.press(sign, 0.7) }
        #expect(typist.answer == nil)
        #expect(await typist.pty.see("was begun before the question"), "\(typist.pty.screen.text)")
        for sign in "y\r" { try await typist.press(sign, 0.1) }
        #expect(try await eventually { typist.answer == "y" })
        if kind == .full { #expect(await typist.pty.see("› why"), "\(typist.pty.screen.text)") }
        try await typist.leave(asked)
    }

    /// `d` acts at once, and the Enter behind it comes before the question stands again. It begins no line.
    @Test(arguments: Screens.allCases) func enterBehindALetterSpoilsNoAnswer(kind: Screens) async throws {
        let typist = try Typist(kind)
        let asked = await typist.ask()
        try await typist.arm()
        try await typist.press("d", 1)
        try await typist.press("\r", 0.01)
        #expect(await typist.pty.see { _ in typist.pty.output.ranges(of: "? delete").count > 1 })
        try await typist.arm()
        for sign in "y\r" { try await typist.press(sign, 0.1) }
        #expect(try await eventually { typist.answer == "y" }, "\(typist.pty.screen.text)")
        #expect(!typist.pty.output.contains("was begun before"))
        try await typist.leave(asked)
    }

    /// Tries several lines at once, since each waits for its screen most of the time.
    ///
    /// - Returns: the faults of the lines.
    private static func tried(
        _ lines: [Line], _ body: @escaping @Sendable (Line) async throws -> String?
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String?.self) { group in
            var (rest, faults) = (lines[...], [String]())
            for _ in 0..<32 { if let line = rest.popFirst() { group.addTask { try await body(line) } } }
            while let fault = try await group.next() {
                if let fault { faults.append(fault) }
                if let line = rest.popFirst() { group.addTask { try await body(line) } }
            }
            return faults
        }
    }

    /// A person at a screen of their own, whose time the test moves.
    private final class Typist: Sendable {
        let pty: Pty
        private let clock = HeldClock()
        private let screen: any Screen
        private let desk: Desk?
        private let given = Mutex<KeyQuestion.Answer?>(nil)

        init(_ kind: Screens) throws {
            let time = clock.milliseconds
            guard kind == .plain else {
                let desk = try Desk(rows: 24) { $0.now = time }
                (pty, screen, self.desk) = (desk.pty, desk.editor, desk)
                return
            }
            pty = try Pty.pair()
            screen = try plainScreen(on: pty, now: time)
            screen.invite()
            desk = nil
        }

        /// The letter that has answered the question, if any has.
        var answer: Character? {
            given.withLock { if case .key(let letter) = $0 { letter } else { nil } }
        }

        private var hasAnswer: Bool { given.withLock { $0 != nil } }

        /// Types a key, and lets time pass. A question sees the time if the machine lets it, but no result depends on
        /// that: it is another pace if it does not.
        func press(_ sign: Character, _ pace: Double) async throws {
            if sign != "\r" || !hasAnswer { pty.send(String(sign)) }
            try await Task.sleep(for: .milliseconds(10))
            clock.advance(seconds: pace)
            try await Task.sleep(for: .milliseconds(60))
        }

        /// Asks as the console does: `d` and `/` lead back to the question.
        func ask() async -> Task<Void, Never> {
            #expect(await pty.see("›"))
            let task = Task {
                var answer: KeyQuestion.Answer
                while true {
                    answer = await screen.ask(KeyQuestion(["? delete"], .keys(["y", "p", "s", "n", "d", "/"])))
                    if answer == .verb("/") {
                        _ = await screen.ask(KeyQuestion(["which?"], .text))
                        continue
                    }
                    guard answer == .key("d") else { break }
                }
                given.withLock { [answer] in $0 = answer }
            }
            #expect(await pty.see("? delete"))
            return task
        }

        /// Waits until the newest question counts.
        func arm() async throws {
            let isArmed = try await clock.advance(seconds: 0.7) {
                let output = pty.output[...]
                return (output.ranges(of: "? delete").last.map { output[$0.upperBound...] } ?? output)
                    .contains("press n")
            }
            #expect(isArmed, "\(pty.screen.text)")
        }

        func disturb(_ disturbance: Disturbance) async {
            switch disturbance {
            case .none: break
            case .resize:
                pty.resize(columns: 50, rows: 20)
                desk?.editor.noticeResize()
            case .picture:
                let room = PictureRoom(columns: 10, rows: 4, cellWidth: 10, cellHeight: 20)
                guard let picture = TerminalPicture(symbols: Array("ab".utf8), in: room) else { return }
                desk?.editor.illustrate([StyledText("cat.jpg")], picture)
            case .news: screen.show("w1 succeeded")
            }
        }

        /// Leaves the question if it still stands.
        func leave(_ asked: Task<Void, Never>) async throws {
            let isOver = try await eventually {
                clock.advance(seconds: 0.7)
                try await Task.sleep(for: .milliseconds(100))
                if !hasAnswer { pty.send("\u{1B}") }
                return hasAnswer
            }
            #expect(isOver, "\(pty.screen.text)")
            await asked.value
            await screen.close()
        }
    }
}
