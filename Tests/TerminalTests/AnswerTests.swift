import CaseNames
import Glibc
import Harness
import Testing

@testable import Terminal

/// What counts as an answer, and where that goes which is none.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AnswerTests {
    private typealias Step = AnswerReader.Step

    /// What a reader makes of bursts; between two of them nothing comes for a while where `.` stands.
    private func read(_ bursts: [String], _ form: KeyQuestion.Form) -> KeyQuestion.Answer? {
        var reader = AnswerReader(form)
        for burst in bursts {
            let step = burst == "…" ? reader.settle() : reader.receive(Array(burst.utf8))
            if case .answered(let answer) = step { return answer }
        }
        return nil
    }

    @Test func onlyAnAnswerAnswers() {
        let keys = KeyQuestion.Form.keys(["y", "n", "d"])
        let picks = KeyQuestion.Form.pick(hint: "a number", takesEmpty: false)
        let rows: [(bursts: [String], form: KeyQuestion.Form, answer: KeyQuestion.Answer?)] = [
            // A yes is a line.
            (["y"], keys, nil), (["y", "…"], keys, nil), (["y\r"], keys, .key("y")), (["y", "\r"], keys, .key("y")),
            (["y", "…", "\r"], keys, .key("y")), (["y", "x", "\u{7F}", "…"], keys, nil),
            (["y", "x", "\u{7F}", "\r"], keys, .key("y")), (["x", "…", "y", "…", "\r"], keys, nil),
            // A letter that lets nothing happen acts at once, as the first key.
            (["d", "…"], keys, .key("d")), (["n", "…"], keys, .key("n")), (["d", "x", "…"], keys, nil),
            (["x", "\u{7F}", "n", "…"], keys, nil), (["x", "\u{7F}", "n", "\r"], keys, .key("n")),
            (["n", "…"], .keys(["c", "n"], atOnce: []), nil), (["x\r", "n", "…"], keys, nil),
            // Words.
            (["yes\r"], keys, .key("y")), (["y", "e", "s", "\r"], keys, .key("y")),
            (["n", "o", "\r"], keys, .key("n")),
            (["yes"], keys, nil), (["yes", "…"], keys, nil), (["YES\r"], keys, nil), (["yes please\r"], keys, nil),
            (["why do you\r", "\r"], keys, nil), (["not this\r"], keys, nil),
            // Enter alone, pastes, more than one line in one go.
            (["\r", "\r", "…"], keys, nil), (["y\ry\r"], keys, nil), (["\ry\r"], keys, nil),
            (["\u{1B}[200~y\u{1B}[201~", "…"], keys, nil),
            // Looking around.
            (["/", "…"], keys, .verb("/")), (["/", "w", "h", "y", "\r"], keys, .verb("/why")),
            (["/history\r"], keys, .verb("/history")),
            (["/usage\r"], picks, .verb("/usage")), (["/\r"], .words(["todo.md"]), .verb("/")),
            // A reason and content may begin with a stroke.
            (["/tmp/a.png\r"], .text, .word("/tmp/a.png")),
            (["/tmp/a.png\r"], .entry(isLong: false), .word("/tmp/a.png")),
            // Words to type are typed.
            (["y\r"], .words(["todo.md", "no"]), nil), (["yes\r"], .words(["todo.md", "no"]), nil),
            (["no\r"], .words(["todo.md", "no"]), .word("no")),
            // Pickers.
            (["\r"], picks, nil), (["2", "…"], picks, nil), (["2\r"], picks, .word("2")), ([" \r"], picks, nil),
            (["\r"], .pick(hint: "a number", takesEmpty: true), .word("")),
            // What the terminal says by itself is no key.
            (["\u{1B}[I", "n", "…"], keys, .key("n")), (["a\u{1B}[Ib\r"], picks, .word("ab")),
            (["\u{1B}[1;5D", "…"], keys, nil),
        ]
        expectNoFaults(in: rows) { row in
            let answer = read(row.bursts, row.form)
            return answer == row.answer ? [] : ["\(row.bursts) of \(row.form): \(String(describing: answer))"]
        }
    }

    /// An answer is its letters and nothing else: also what cannot be seen beside them is more.
    @Test func whatCannotBeSeenIsNoPartOfAnAnswer() {
        let hidden = [
            "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{202E}", "\u{2066}", "\u{061C}",
            "\u{180E}",
            "\u{FE0F}", "\u{E0061}", "\u{34F}", "\u{115F}", "\u{3164}", "\u{2800}", "\u{2028}", "\u{85}", "\u{FFF9}",
            "\u{301}",
            "\u{332}", "\u{20DD}", "\u{489}", "\u{1}", "\t", "\u{19}", "\u{A0}", "\u{2009}",
        ]
        let forms: [(KeyQuestion.Form, [String])] = [
            (.keys(["y", "n"]), ["y", "yes", "n"]), (.words(["todo.md"]), ["todo.md"]),
            (.pick(hint: "a number", takesEmpty: false), ["2"]),
            (.keys(["y", "n"]), ["/why"]), (.pick(hint: "a number", takesEmpty: true), ["/why", ""]),
        ]
        let rows = forms.flatMap { form, words in
            words.flatMap { word in
                hidden.flatMap { sign in
                    [sign + word, word + sign, String(word.prefix(1)) + sign + word.dropFirst()].map { (form, $0) }
                }
            }
        }
        expectNoFaults(in: rows) { form, line in
            let ways = [[line + "\r"], [line, "…", "\r"], line.unicodeScalars.map { String($0) } + ["\r"]]
            // A mark or a blank in the name of something is one of a list, which the caller looks up. `/why` may have
            // words behind it.
            let isName =
                line.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) } && (form.isPick || line.hasPrefix("/"))
            return isName
                ? [] : ways.compactMap { way in read(way, form).map { "\(way.debugDescription) of \(form): \($0)" } }
        }
    }

    /// Unicode holds these to be the same as ASCII, or draws them so.
    @Test func onlyTheLetterItselfAnswers() {
        let signs = ["\u{443}", "\u{FF59}", "\u{1D532}", "ý", "\u{212A}", "\u{37E}", "\u{1FEF}", "Y"]
        expectNoFaults(in: signs) { sign in
            [[sign + "\r"], [sign, "…"]].compactMap { way in
                read(way, .keys(["y", "n", "K", ";", "`"])).map { "\(way.debugDescription): \($0)" }
            }
        }
    }

    @Test func whatWasTypedTooEarlyIsOneRowOfText() {
        let rows: [(typed: String, row: String)] = [
            ("why do you", "why do you"), ("one\rtwo\r", "one two"),
            ("\u{1B}[200~one\r\ntwo\r\n\u{1B}[201~", "one  two"),
            ("\u{1B}[A\u{1B}OPx", "x"),
            ("ab\u{7F}c", "ac"), ("\u{1B}]0;title\u{7}x", "x"), ("wrong\u{15}right", "right"), ("\r\r", ""),
            ("y\u{202E}", "y"),
            ("\u{1B}", ""),
        ]
        expectNoFaults(in: rows) { row in
            let text = TypedText.row(Array(row.typed.utf8))
            return text == row.row ? [] : ["\(row.typed.debugDescription): \(text.debugDescription)"]
        }
    }

    /// The hint keeps its keys and fits, however narrow the terminal is.
    @Test(arguments: [100, 80, 40, 30, 20]) func theHintFits(columns: Int) {
        let forms: [KeyQuestion.Form] = [
            .keys(["y", "p", "s", "n", "d"]), .words(["no"]), .pick(hint: "a number", takesEmpty: true), .text,
            .entry(isLong: false),
        ]
        for form in forms {
            for refusal in [nil, "was typed before the question"] {
                let hint = KeyQuestion(["?"], form)
                    .hint(typed: "", isWrong: false, refusal: refusal, columns: columns)
                let notTaken = refusal == nil ? "" : "not taken"
                #expect(hint.width <= max(columns, notTaken.isEmpty ? 36 : 48), "\(hint.plain)")
                #expect(hint.plain.hasPrefix(notTaken))
                if case .keys(let keys, _) = form { for key in keys { #expect(hint.plain.contains(key)) } }
            }
        }
    }

    // MARK: Who is typing

    /// A person types lines while the question appears: nothing of them answers, and they come back without their last
    /// Enter, as a paste of so many orders.
    @Test func whoIsTypingAnswersNothing() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        async let answer = desk.editor.ask(KeyQuestion(["?"], .keys(["y", "n"])))
        #expect(await desk.pty.see("?"))
        for word in ["why do you think they say", " yes", "\r", "no\r"] {
            desk.pty.send(word)
            #expect(try await desk.pty.isRead())
            clock.advance(seconds: 0.5)
        }
        #expect(!desk.pty.screen.text.contains("press"))
        #expect(try await clock.advance(seconds: 0.3) { desk.pty.screen.text.contains("press n") })
        desk.pty.send("n")
        #expect(try await clock.advance(seconds: 0.1) { !desk.pty.screen.text.contains("press") })
        #expect(await answer == .key("n"))
        await desk.sees(["?", "› why do you think they say yes", "no"])
        desk.pty.send("?\r")
        #expect(await desk.next() == .paste("why do you think they say yes\nno?"))
        await desk.editor.close()
    }

    @Test func aLetterCountsWhenNothingFollows() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        async let answer = desk.editor.ask(KeyQuestion(["?"], .keys(["y", "n"])))
        #expect(try await clock.advance(seconds: 0.3) { desk.pty.screen.text.contains("press") })
        for key in ["/", "w", "h", "y"] {
            desk.pty.send(key)
            #expect(try await desk.pty.isRead())
            clock.advance(seconds: 0.25)
        }
        desk.pty.send("\r")
        #expect(await answer == .verb("/why"))
        await desk.editor.close()
    }

    // MARK: Keys

    private static let key = "sk-" + "typed-0123456789abcdef"

    /// What is pasted just before a key is asked for is neither shown nor returned, nor is it half a key.
    @Test(arguments: ["whole", "bracketed", "cut"]) func aKeyThatWasPastedEarlyIsDropped(how: String) async throws {
        let clock = HeldClock()
        let desk = try Desk { ($0.holds, $0.now) = ({ $0 == "connect" }, clock.milliseconds) }
        await desk.sees(["›"])
        desk.pty.send("connect\r")
        #expect(await desk.next() == .line("connect"))
        let paste = how == "bracketed" ? "\u{1B}[200~\(Self.key)\u{1B}[201~" : Self.key
        desk.pty.send(how == "cut" ? String(paste.prefix(9)) : paste + "\r")
        #expect(try await desk.pty.isRead())
        async let answer = desk.editor.ask(KeyQuestion(["the key?"], .secret))
        if how == "cut" {
            #expect(await desk.pty.see("the key?"))
            clock.advance(seconds: 0.25)
            desk.pty.send(String(paste.dropFirst(9)) + "\r")
            #expect(try await desk.pty.isRead())
            clock.advance(seconds: 0.25)
            #expect(!desk.pty.screen.text.contains("was dropped"))
        }
        #expect(
            try await clock.advance(seconds: 0.3) { desk.pty.screen.text.contains("was dropped") },
            "\(desk.pty.screen.text)")
        desk.pty.send(Self.key + "\r")
        #expect(await answer == .word(Self.key))
        desk.editor.endHold()
        desk.pty.send("next\r")
        #expect(await desk.next() == .line("next"))
        #expect(!desk.pty.output.contains("typed-"), "\(desk.pty.screen.text)")
        await desk.editor.close()
    }

    /// In a dialogue that has asked for a key, a decision gives nothing back to the line.
    @Test func inADialogueAboutAKeyNothingComesBack() async throws {
        let desk = try Desk { $0.holds = { $0 == "connect" } }
        await desk.sees(["›"])
        desk.pty.send("connect\r\(Self.key)\r")
        #expect(await desk.next() == .line("connect"))
        async let first = desk.editor.ask(KeyQuestion(["may we?"], .keys(["y", "n"]), armingMilliseconds: 50))
        #expect(await desk.pty.see("press n"))
        // The first Enter ends the line that was begun before.
        desk.pty.send("\r")
        #expect(await desk.pty.see("was begun before"))
        desk.pty.send("y\r")
        #expect(await first == .key("y"))
        async let second = desk.editor.ask(KeyQuestion(["the key?"], .secret))
        #expect(await desk.pty.see("^T shows it"))
        desk.pty.send(Self.key + "\r")
        #expect(await second == .word(Self.key))
        desk.pty.send(Self.key)
        #expect(try await desk.pty.isRead())
        async let third = desk.editor.ask(KeyQuestion(["where?"], .keys(["f", "n"]), armingMilliseconds: 50))
        #expect(await desk.pty.see("press n"))
        // The first Enter ends the line that was begun before.
        desk.pty.send("\r")
        #expect(await desk.pty.see("was begun before"))
        desk.pty.send("f\r")
        #expect(await third == .key("f"))
        // Behind the answer nobody types the key any more.
        desk.pty.send("next\r")
        #expect(try await desk.pty.isRead())
        desk.editor.endHold()
        #expect(await desk.next() == .line("next"))
        #expect(!desk.pty.output.contains("typed-"), "\(desk.pty.screen.text)")
        await desk.editor.close()
    }

    /// What was typed ahead of a dialogue that asked for no key is a line as ever; Ctrl-C is heard.
    @Test func whatIsHeldGoesOnAsALine() async throws {
        let desk = try Desk { $0.holds = { $0 == "connect" } }
        await desk.sees(["›"])
        desk.pty.send("connect\r")
        #expect(await desk.next() == .line("connect"))
        desk.pty.send("gone\u{3}")
        #expect(await desk.next() == .interrupt)
        desk.pty.send("hello\r")
        #expect(try await desk.pty.isRead())
        #expect(!desk.pty.screen.text.contains("hello"))
        desk.editor.endHold()
        #expect(await desk.next() == .line("hello"))
        await desk.editor.close()
    }

    /// While only questions read the keys there is no prompt: what would be typed at it is dropped after a key.
    @Test func aPromptMeansThatTheLineIsRead() async throws {
        let desk = try Desk { $0.holds = { $0 == "connect" } }
        await desk.sees(["›"])
        desk.pty.send("connect\r")
        #expect(await desk.next() == .line("connect"))
        async let secret = desk.editor.ask(KeyQuestion(["the key?"], .secret))
        #expect(await desk.pty.see("^T shows it"))
        desk.pty.send(Self.key + "\r")
        #expect(await secret == .word(Self.key))
        desk.editor.show([StyledText("Trying …")])
        #expect(await desk.pty.see("Trying …"))
        await desk.sees(["› connect", "the key?", "Trying …"])
        desk.editor.endHold()
        await desk.sees(["› connect", "the key?", "Trying …", "›"])
        desk.pty.send("next\r")
        #expect(await desk.next() == .line("next"))
        await desk.editor.close()
    }

    @Test func aPlainTerminalShowsNoKeyThatIsPastedEarly() async throws {
        let pty = try Pty.pair()
        let before = pty.settings
        let plain = TerminalCapabilities(isTerminal: true, hasColour: false, isPlain: true)
        let screen = PlainScreen(
            try InputOwner(pty.slave), output: pty.slave, capabilities: plain, ownsProcess: false,
            holds: { $0 == "connect" })
        screen.invite()
        #expect(await pty.see("›"))
        pty.send("connect\r")
        for await input in screen.inputs {
            #expect(input == .line("connect"))
            break
        }
        #expect(try await eventually { pty.settings != before })
        pty.send(Self.key + "\r")
        async let answer = screen.ask(KeyQuestion(["the key?"], .secret))
        #expect(await pty.see("was dropped"), "\(pty.screen.text)")
        pty.send(Self.key + "\r")
        #expect(await answer == .word(Self.key))
        screen.endHold()
        #expect(try await eventually { pty.settings == before })
        #expect(!pty.output.contains("typed-"), "\(pty.screen.text)")
        await screen.close()
    }

    // MARK: One reader

    @Test func aTerminalHasOneReader() throws {
        let pty = try Pty.pair()
        let owner = try InputOwner(pty.slave)
        // Also by another descriptor, and by its name.
        #expect(throws: InputOwner.Taken.self) { try InputOwner(pty.slave) }
        #expect(throws: InputOwner.Taken.self) { try InputOwner(dup(pty.slave)) }
        let other = try Pty.pair()
        _ = try InputOwner(other.slave)
        owner.release()
        _ = try InputOwner(pty.slave)
        withExtendedLifetime(owner) {}
    }

    @Test func aClosedScreenLeavesItsTerminalToOthers() async throws {
        let desk = try Desk()
        #expect(throws: InputOwner.Taken.self) { try InputOwner(desk.pty.slave) }
        await desk.editor.close()
        _ = try InputOwner(desk.pty.slave)
    }
}

extension KeyQuestion.Form {
    fileprivate var isPick: Bool { if case .pick = self { true } else { false } }
}
