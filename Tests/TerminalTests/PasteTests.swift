import CaseNames
import Glibc
import Harness
import Synchronization
import Testing

@testable import Terminal

/// Nothing of a paste answers a question, however slowly it comes (`consent.md`, "The question", 4).
@Suite(.serialized, .timeLimit(.minutes(10))) struct PasteTests {
    private static let (begin, end) = ("\u{1B}[200~", "\u{1B}[201~")

    // MARK: The marks

    @Test func marksAreFoundWhereverThePiecesAreCut() {
        let rows: [(pieces: [String], isOpen: Bool, begun: Int)] = [
            ([Self.begin], true, 1), ([Self.begin + "x" + Self.end], false, 1),
            (Self.begin.map { String($0) }, true, 1),
            ((Self.begin + "x" + Self.end).map { String($0) }, false, 1), ([Self.end], false, 0),
            ([Self.begin, Self.begin, Self.end], false, 1),
            ([Self.begin + "\u{1B}" + Self.end], false, 1), (["\u{1B}\u{1B}[200~"], true, 1),
            (["\u{1B}[20", "0~"], true, 1),
            ([Self.begin, "\u{1B}[20", "x", "1~"], true, 1), ([Self.begin + Self.end + Self.begin], true, 2),
            (["[200~"], false, 0),
            (["y"], false, 0), ([Self.begin + "\u{1B}[200~y\u{1B}[2", "01~"], false, 1),
        ]
        expectNoFaults(in: rows) { row in
            var marks = PasteMarks()
            for piece in row.pieces { marks.follow(Array(piece.utf8)) }
            return marks.isOpen == row.isOpen && marks.begun == row.begun ? [] : ["\(row.pieces): \(marks)"]
        }
    }

    @Test func anotherReaderSeesTheRestOfAnOpenPasteAsAPaste() {
        var marks = PasteMarks()
        #expect(marks.opening.isEmpty)
        marks.follow(Array((Self.begin + "x\u{1B}[20").utf8))
        #expect(marks.opening == Array((Self.begin + "\u{1B}[20").utf8))
        var other = PasteMarks()
        other.follow(marks.opening + Array("1~".utf8))
        #expect(!other.isOpen && other.begun == 1)
    }

    // MARK: A question within a paste

    enum Screens: String, CaseIterable { case full, plain }
    enum Form: String, CaseIterable {
        case key, word, pick

        var question: KeyQuestion.Form {
            switch self {
            case .key: .keys(["y", "n"])
            case .word: .words(["todo.md", "no"])
            case .pick: .pick(hint: "type a number", takesEmpty: false)
            }
        }
        var yes: String { self == .key ? "y" : self == .word ? "todo.md" : "2" }
        var no: String { self == .pick ? "1" : "no" }
        var answerNo: KeyQuestion.Answer { self == .key ? .key("n") : .word(no) }
    }

    /// A pause of the person, after which a question takes keys if it can. Else a text is typed, in which `Y` is the
    /// answer of the form.
    fileprivate static let pause = "…"

    /// What comes after a question has appeared.
    private static let slowPastes: [(name: String, steps: [String])] = [
        ("the answer before the end", [begin + "is it ok? ", pause, "Y" + end]),
        ("the answer, then the end", [begin + "is it ok? ", pause, "Y", pause, end]),
        ("a line, then the end", [begin + "is it ok?\n", pause, "Y\r", pause, end]),
        ("lines in one piece", [begin, pause, "Y\rY\r", pause, "Y\n" + end]),
        ("an end mark in two pieces", [begin + "ok", pause, "Y\r\u{1B}[20", pause, "1~"]),
        ("an end mark by bytes", [begin + "ok", pause, "\u{1B}[", "2", "0", pause, "1", pause, "~"]),
        ("a false end mark", [begin + "ok\u{1B}[201", pause, "Y\r" + end]),
        ("a begin mark in two pieces", ["\u{1B}[20", "0~ok", pause, "Y\r", pause, end]),
        ("a begin mark that ends when keys count", ["\u{1B}[200", pause, "~Y\r", pause, "Y\r" + end]),
        ("two pastes", [begin + "x" + end + begin, pause, "Y\r", pause, end]),
        ("begun when keys count", [pause, begin + "x", pause, "Y\r", pause, "\r", end]),
        ("begun behind a letter", [pause, "Y" + begin, pause, "\r", pause, end]),
        ("whole when keys count", [pause, begin + "Y\r" + end]),
    ]

    /// A question on a full or plain terminal, whose time a test moves.
    private final class Scene: Sendable {
        let pty: Pty
        let clock = HeldClock()
        let screen: any Screen
        private let answered = Mutex<KeyQuestion.Answer?>(nil)

        init(_ kind: Screens) throws {
            let time = clock.milliseconds
            if kind == .full {
                let desk = try Desk { $0.now = time }
                (pty, screen) = (desk.pty, desk.editor)
            } else {
                pty = try Pty.pair()
                screen = try plainScreen(on: pty, now: time)
                screen.invite()
            }
        }

        var answer: KeyQuestion.Answer? { answered.withLock { $0 } }

        /// How often the question has said what it waits for.
        private var hints: Int {
            ["press", "has not ended", "type "].reduce(0) { $0 + pty.output.ranges(of: $1).count }
        }

        func ask(_ question: KeyQuestion) async -> Task<Void, Never> {
            #expect(await pty.see("›"))
            answered.withLock { $0 = nil }
            let before = pty.output.ranges(of: "? delete").count
            let task = Task { [self] in
                let answer = await screen.ask(question)
                answered.withLock { $0 = answer }
            }
            #expect(await pty.see { _ in pty.output.ranges(of: "? delete").count > before })
            return task
        }

        /// Types, and waits for each pause until the question has seen it, or has an answer.
        func play(_ steps: [String], _ form: Form) async throws {
            for step in steps where answer == nil {
                guard step == PasteTests.pause else {
                    pty.send(step.replacing("Y", with: form.yes))
                    #expect(try await pty.isRead())
                    continue
                }
                let before = hints
                #expect(try await clock.advance(seconds: 0.7) { hints > before || answer != nil }, "\(pty.screen.text)")
            }
        }

        /// Types again and again, until it is an answer.
        func type(_ keys: String) async throws {
            _ = try await eventually {
                clock.advance(seconds: 0.7)
                try await Task.sleep(for: .milliseconds(100))
                if answer == nil { pty.send(keys) }
                return answer != nil
            }
        }
    }

    @Test("nothing of a slow paste answers", arguments: Screens.allCases, Form.allCases)
    func nothingOfASlowPasteAnswers(kind: Screens, form: Form) async throws {
        var faults: [String] = []
        // Forms other than a key differ only in what they make of a line.
        for (name, steps) in Self.slowPastes where form == .key || steps.contains("Y\r") {
            let scene = try Scene(kind)
            let asked = await scene.ask(KeyQuestion(["? delete"], form.question))
            try await scene.play(steps, form)
            try await scene.type("\u{15}" + form.no + "\r")
            await asked.value
            await scene.screen.close()
            if scene.answer != form.answerNo { faults.append("\(name): \(String(describing: scene.answer))") }
        }
        #expect(faults.isEmpty, "\(faults)")
    }

    /// After a pause as before one, and also at the next question, since the paste is the same.
    @Test(
        "a paste without an end answers no question, and can be left", arguments: Screens.allCases, ["\u{1B}", "\u{3}"])
    func aPasteWithoutAnEndAnswersNothing(kind: Screens, key: String) async throws {
        let scene = try Scene(kind)
        let reason: KeyQuestion.Reason = key == "\u{3}" ? .interrupt : .escape
        for steps in [
            [Self.begin + "ok", Self.pause, "Y", Self.pause, "Y\r", Self.pause],
            ["Y\r", Self.pause, "yes\r", Self.pause],
        ] {
            let asked = await scene.ask(KeyQuestion(["? delete"], .keys(["y", "n"])))
            try await scene.play(steps, .key)
            #expect(scene.answer == nil && scene.pty.screen.text.contains("Esc"), "\(scene.pty.screen.text)")
            try await scene.type(key)
            await asked.value
            #expect(scene.answer == .none(reason))
            guard kind == .full else { continue }
            // The rest of the paste belongs to the line. No question is asked in it, but it can be left too.
            scene.pty.send("more\r")
            let isLeft = try await eventually {
                // Ctrl-C may have come together with what was typed before it.
                scene.pty.send("\u{3}")
                return await scene.pty.see(seconds: 1) { $0.text.contains("The paste had no end") }
            }
            #expect(isLeft, "\(scene.pty.screen.text)")
        }
        // The end of a paste, whenever it comes.
        scene.pty.send(Self.end)
        let asked = await scene.ask(KeyQuestion(["? delete"], .keys(["y", "n"])))
        try await scene.type("n\r")
        await asked.value
        #expect(scene.answer == .key("n"))
        await scene.screen.close()
    }

    /// Its newlines would enter the line, and its letters would be keys.
    @Test func theRestOfAPasteGoesIntoTheLine() async throws {
        let scene = try Scene(.full)
        let asked = await scene.ask(KeyQuestion(["? delete"], .keys(["y", "n"])))
        try await scene.play([Self.begin + "one\r", Self.pause, "two", Self.pause], .key)
        try await scene.type("\u{1B}")
        await asked.value
        #expect(scene.answer == .none(.escape))
        scene.pty.send(" three\rfour" + Self.end)
        #expect(await scene.pty.see("four"), "\(scene.pty.screen.text)")
        scene.pty.send("!\r")
        for await input in scene.screen.inputs {
            #expect(input == .paste("one\ntwo three\nfour!"))
            break
        }
        await scene.screen.close()
    }

    /// Entries take input at once, but nothing of a paste that was meant for something else.
    @Test(
        "a paste that began before an entry is none of it",
        arguments: [.text, .entry(isLong: false), .secret] as [KeyQuestion.Form])
    func aPasteBeforeAnEntryIsNoneOfIt(form: KeyQuestion.Form) async throws {
        let desk = try Desk { $0.holds = { $0 == "connect" } }
        await desk.sees(["›"])
        desk.pty.send("connect\r")
        #expect(await desk.next() == .line("connect"))
        // Ctrl-C tells when it was read.
        desk.pty.send("\u{3}" + Self.begin + "one ")
        #expect(await desk.next() == .interrupt)
        async let answer = desk.editor.ask(KeyQuestion(["what?"], form))
        #expect(await desk.pty.see("has not ended"), "\(desk.pty.screen.text)")
        desk.pty.send("two\r" + Self.end)
        #expect(await desk.pty.see("Enter"), "\(desk.pty.screen.text)")
        desk.pty.send("mine\r")
        #expect(await answer == .word("mine"))
        await desk.editor.close()
    }
}
