import CaseNames
import Glibc
import Harness
import Synchronization
import Testing

@testable import Terminal

/// The bytes of notifications and of the status, as the documents of the protocols give them.
@Suite struct SignalTests {
    @Test func eachProtocolHasItsBytes() {
        let rows: [(TerminalSignal, String)] = [
            (.bell, "\u{07}"),
            // iTerm2: "OSC 9 ; [Message content goes here] ST".
            (.notice("w3 failed: Zip", as: .osc9), "\u{1B}]9;w3 failed: Zip\u{1B}\\"),
            // rxvt-unicode and foot: "OSC 777 ; notify ; title ; body ST".
            (.notice("w3 failed: Zip", as: .osc777), "\u{1B}]777;notify;Assent;w3 failed: Zip\u{1B}\\"),
            // kitty: "OSC 99 ; metadata ; payload ST", with e=1 for Base64 of UTF-8.
            (.notice("w3 failed: é", as: .osc99), "\u{1B}]99;e=1;dzMgZmFpbGVkOiDDqQ==\u{1B}\\"),
            // tmux: "ESC P tmux; … ESC \", each ESC within doubled.
            (
                .notice("w3", as: .osc9, isInTmux: true),
                "\u{1B}Ptmux;\u{1B}\u{1B}]9;w3\u{1B}\u{1B}\\\u{1B}\\\u{07}"
            ),
            // OSC 7501: pairs with colons, the text in Base64.
            (.status(ProgramStatus(.idle)), "\u{1B}]7501;state=idle:app=assent\u{1B}\\"),
            (
                .status(ProgramStatus(id: "w3.2", .blocked, kind: .permission, message: "Zip")),
                "\u{1B}]7501;state=blocked:kind=permission:app=assent:id=w3.2:msg=Wmlw\u{1B}\\"
            ),
            (
                .status(ProgramStatus(id: "w3", .working, kind: .auth)),
                "\u{1B}]7501;state=working:app=assent:id=w3\u{1B}\\"
            ),
            (.status(ProgramStatus(id: "w3", .clear, message: "Zip")), "\u{1B}]7501;state=clear:id=w3\u{1B}\\"),
        ]
        for (signal, bytes) in rows { #expect(signal.bytes == bytes) }
    }

    /// No text ends its sequence, begins another one, or becomes a parameter of it.
    @Test func aHostileTextStaysAText() {
        let texts = [
            "4;1;50", "9;/etc", "7", "a;b;c", "x\u{1B}]0;title\u{07}", "x\u{1B}\\\u{1B}[2J", "x\u{07}y",
            "x\u{9C}y\u{9D}z",
            "a\nb\r\nc\u{0}", "\u{1B}Ptmux;\u{1B}\u{1B}]9;x", "\u{202E}abc",
            String(repeating: "e\u{301}\u{1F600};", count: 900),
        ]
        for text in texts {
            for form in NoticeProtocol.allCases {
                let bytes = Array(TerminalSignal.notice(text, as: form).bytes.utf8)
                let start = Array("\u{1B}]\(form.rawValue.dropFirst(3));".utf8)
                #expect(
                    bytes.starts(with: start) && bytes.suffix(2) == [0x1B, 0x5C], "\(form) \(text.debugDescription)")
                let body = bytes.dropFirst(start.count).dropLast(2)
                #expect(
                    body.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && body.count < 2048,
                    "\(form) \(text.debugDescription)")
                let scalars = String(decoding: body, as: UTF8.self).unicodeScalars
                #expect(!scalars.contains { (0x80..<0xA0).contains($0.value) }, "\(text.debugDescription)")
                switch form {
                // OSC 9;4 is progress, and other numbers are commands of ConEmu.
                case .osc9: #expect(scalars.first?.properties.numericType == nil && !scalars.contains(";"))
                case .osc777: #expect(scalars.count { $0 == ";" } == 2)
                case .osc99: #expect(scalars.count { $0 == ";" } == 1)
                }
                let wrapped = TerminalSignal.notice(text, as: form, isInTmux: true).bytes
                let inner = wrapped.dropFirst(7).dropLast(3).replacing("\u{1B}\u{1B}", with: "")
                #expect(!inner.contains("\u{1B}"), "\(form) \(text.debugDescription)")
            }
            let status = TerminalSignal.status(ProgramStatus(id: text, .done, message: text)).bytes
            #expect(
                status.dropFirst(2).dropLast(2).allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || ";=:.+/".contains($0))
                })
        }
    }

    @Test func onlyKnownTerminalsAreAskedForTheirFocus() {
        let rows: [([String: String], focus: Bool, status: Bool)] = [
            (["TERM": "xterm-256color"], false, true), (["TERM": "tmux-256color", "TMUX": "/t"], true, true),
            (["TERM": "xterm-kitty"], true, true), (["TERM": "foot"], true, true), (["TERM": "linux"], false, false),
            (["TERM": "xterm-256color", "VTE_VERSION": "5202"], false, false),
            (["TERM": "xterm-256color", "VTE_VERSION": "7600"], false, true),
            (["TERM": "screen", "STY": "1.pts"], false, false),
        ]
        for (environment, focus, status) in rows {
            let found = ReportRequest.detect { environment[$0] }
            #expect(found == ReportRequest(wantsFocus: focus, asksForStatus: status), "\(environment)")
        }
    }
}

@Suite struct ReportTests {
    @Test func reportsAreTakenOutWhereverTheyAreCut() {
        let rows: [(String, keys: String, [TerminalReports.Report])] = [
            ("\u{1B}[I", "", [.focused(true)]), ("a\u{1B}[Ob", "ab", [.focused(false)]),
            ("\u{1B}]7501;?\u{1B}\\x", "x", [.showsStatus]), ("\u{1B}]7501;?\u{07}", "", [.showsStatus]),
            ("\u{1B}[A\u{1B}OA\u{1B}[1;5C", "\u{1B}[A\u{1B}OA\u{1B}[1;5C", []),
            ("\u{1B}\u{1B}[I", "\u{1B}", [.focused(true)]),
            ("\u{1B}]7501;x\u{07}", "\u{1B}]7501;x\u{07}", []), ("[I[O", "[I[O", []),
            ("\u{1B}[200~a\u{1B}[Ib\u{1B}[201~", "\u{1B}[200~ab\u{1B}[201~", [.focused(true)]),
            ("\u{1B}", "\u{1B}", []),
        ]
        for (typed, keys, wanted) in rows {
            let bytes = Array(typed.utf8)
            for cut in 0...bytes.count {
                var reports = TerminalReports()
                let (first, second) = (reports.take(Array(bytes[..<cut])), reports.take(Array(bytes[cut...])))
                let found = first.keys + second.keys + reports.release()
                #expect(
                    String(decoding: found, as: UTF8.self) == keys && first.reports + second.reports == wanted,
                    "\(typed.debugDescription) \(cut)")
            }
        }
    }
}

/// The focus, the query and the signals of an editor on a terminal.
@Suite struct FocusTests {
    private static let all = ReportRequest(wantsFocus: true, asksForStatus: true)

    private func desk(_ reports: ReportRequest = all, _ change: (inout LineEditor.Settings) -> Void = { _ in }) throws
        -> Desk
    {
        try Desk {
            $0.reports = reports
            $0.now = { 0 }
            change(&$0)
        }
    }

    private func becomes(_ isFocused: Bool, _ desk: Desk) async throws {
        let heard = try await eventually { desk.editor.attention.isFocused == isFocused }
        #expect(heard)
    }

    @Test func theFocusAtThePromptIsNoText() async throws {
        let desk = try desk()
        #expect(await desk.pty.see("›"))
        #expect(desk.editor.attention.isFocused == nil)
        desk.pty.send("ab\u{1B}[Oc")
        try await becomes(false, desk)
        desk.pty.send("\u{1B}[I\u{1B}]7501;?\u{1B}\\d\r")
        #expect(await desk.next() == .line("abcd"))
        try await becomes(true, desk)
        #expect(desk.editor.attention.showsStatus)
        #expect(desk.pty.screen.modes.contains(1004))
        await desk.editor.close()
        #expect(await desk.pty.see { !$0.modes.contains(1004) } && desk.pty.screen.unknown == [])
    }

    @Test(arguments: [KeyQuestion.Form.text, .secret, .entry(isLong: false)])
    func theFocusAtAQuestionIsNoAnswer(form: KeyQuestion.Form) async throws {
        let desk = try desk()
        #expect(await desk.pty.see("›"))
        async let answer = desk.editor.ask(KeyQuestion([StyledText("What?")], form))
        #expect(await desk.pty.see("What?"))
        desk.pty.send("\u{1B}[O")
        try await becomes(false, desk)
        desk.pty.send("y\u{1B}[I")
        try await becomes(true, desk)
        desk.pty.send("es\u{1B}]7501;?\u{1B}\\\u{1B}[O")
        try await becomes(false, desk)
        desk.pty.send("\r")
        #expect(await answer == .word("yes"))
        await desk.editor.close()
    }

    /// A question that only a report has reached still hears that it is withdrawn.
    @Test func aReportDoesNotBlockAQuestion() async throws {
        let desk = try desk()
        let question = Task { await desk.editor.ask(KeyQuestion([StyledText("What?")], .text)) }
        #expect(await desk.pty.see("What?"))
        desk.pty.send("\u{1B}[O")
        try await becomes(false, desk)
        question.cancel()
        #expect(await question.value == .none(.withdrawn))
        await desk.editor.close()
    }

    @Test func anAnswerThatComesLateOrUnaskedIsSwallowed() async throws {
        let time = Mutex<Int64>(0)
        let desk = try desk { $0.now = { time.withLock { $0 } } }
        #expect(await desk.pty.see("›"))
        time.withLock { $0 = 101 }
        desk.pty.send("\u{1B}]7501;?\u{1B}\\a\r")
        #expect(await desk.next() == .line("a"))
        #expect(!desk.editor.attention.showsStatus)
        await desk.editor.close()
    }

    @Test func aChildHasATerminalWithoutReports() async throws {
        let desk = try desk()
        #expect(await desk.pty.see { $0.modes.contains(1004) })
        let pty = desk.pty
        let isLent = await desk.editor.lend { _ in
            usleep(1)
            tcdrain(pty.slave)
        }
        #expect(isLent)
        #expect(await desk.pty.see { _ in desk.pty.output.components(by: "\u{1B}[?1004").count == 4 })
        let parts = desk.pty.output.components(by: "\u{1B}[?1004")
        #expect(parts.map { $0.first } == ["\u{1B}", "h", "l", "h"])
        await desk.editor.close()
    }

    @Test func nothingIsAskedOfATerminalThatIsNotKnown() async throws {
        let desk = try desk(.none)
        #expect(await desk.pty.see("›"))
        // Without a request, the sequence is one that the prompt does not know.
        desk.pty.send("a\u{1B}[Ob\r")
        #expect(await desk.next() == .line("ab"))
        await desk.editor.close()
        #expect(!desk.pty.output.contains("1004") && !desk.pty.output.contains("7501"))
    }

    @Test func signalsGoOutAtThePromptAndDuringAQuestion() async throws {
        let desk = try desk(.none)
        #expect(await desk.pty.see("›"))
        desk.editor.send(.bell)
        async let answer = desk.editor.ask(KeyQuestion([StyledText("What?")], .text))
        #expect(await desk.pty.see("What?"))
        desk.editor.send(.notice("w3 failed", as: .osc9))
        let isSent = try await eventually { desk.pty.output.contains("\u{1B}]9;w3 failed\u{1B}\\") }
        #expect(isSent && desk.pty.output.contains("\u{07}"))
        desk.pty.send("x\r")
        #expect(await answer == .word("x"))
        await desk.editor.close()
    }

    @Test func aPlainTerminalGetsTheBellOnly() async throws {
        let pty = try Pty.pair()
        let screen = try plainScreen(on: pty) { 0 }
        screen.send(.notice("w3 failed", as: .osc9))
        screen.send(.status(ProgramStatus(.idle)))
        screen.send(.bell)
        let rang = try await eventually { pty.output.contains("\u{07}") }
        #expect(rang && !pty.output.contains("\u{1B}"))
        await screen.close()
    }
}

extension String {
    fileprivate func components(by separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
