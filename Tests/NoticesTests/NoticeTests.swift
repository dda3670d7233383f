import CaseNames
import Harness
import JSON
import Notices
import Terminal
import Testing
import Vocabulary

private func at(_ seconds: Double) -> Moment { Moment(milliseconds: Int64(seconds * 1000)) }

private func ms(_ seconds: Double) -> Int64 { Int64(seconds * 1000) }

private let one = WorkflowID(3)

private func event(_ seconds: Double, step: Int? = nil, _ kind: Event.Kind) -> Event {
    Event(at: at(seconds), workflow: one, step: step, kind)
}

private func step(_ number: Int, _ state: StepState, _ seconds: Double, reason: Reason? = nil) -> Event {
    event(
        seconds, step: number, .stepChanged(state, phase: nil, reason: reason, progress: nil, failure: nil))
}

private func end(_ seconds: Double, _ outcome: Outcome) -> Event {
    event(seconds, .workflowFinished(outcome, outputs: []))
}

private func entry(_ number: Int64, _ type: AwaitType = .confirmCall, question: JSON? = nil) -> AwaitRecord {
    AwaitRecord(
        number: number, step: StepID(one, 2), type: type, title: "t", reason: "r", createdAt: at(0), question: question)
}

private let asked = Event.Kind.workflowChanged(Reason(.cancelAsked, ""), by: "person")
private let retried = Event.Kind.workflowChanged(Reason(.retryAsked, ""), by: "person")

@Suite struct NoticeEventTests {
    @Test func onlyNeedsFailuresAndLongWorkDeserveANotice() {
        let rehearsed = step(1, .ready, 0, reason: Reason(.rehearsal, ""))
        let rows: [(String, [Event], Notice.State?)] = [
            ("short", [step(1, .runningLocal, 0), end(10, .succeeded)], nil),
            ("long", [step(1, .runningLocal, 0), end(10.1, .succeeded)], .ended),
            ("a rehearsal counts", [rehearsed, step(1, .runningLocal, 8), end(11, .succeeded)], .ended),
            ("short and failed", [step(1, .runningLocal, 0), end(1, .failed)], .failed),
            ("never seen working", [end(99, .succeeded)], nil),
            (
                "waits for a person do not count",
                [
                    step(1, .runningLocal, 0), step(1, .succeeded, 4), step(2, .awaitingUser, 4), end(5, .waiting),
                    step(2, .runningLocal, 500), end(505, .succeeded),
                ], nil
            ),
            (
                "work before and after a wait counts",
                [
                    step(1, .runningLocal, 0), step(1, .succeeded, 6), end(6, .waiting), step(2, .runningLocal, 500),
                    end(505, .succeeded),
                ], .ended
            ),
            (
                "a user who starts it again begins the count",
                [step(1, .runningLocal, 0), event(60, retried), step(1, .runningLocal, 61), end(65, .succeeded)], nil
            ),
            (
                "a user who cancels knows the end",
                [step(1, .runningLocal, 0), event(60, asked), end(61, .cancelled)], nil
            ),
            ("cancelled by another", [step(1, .runningLocal, 0), end(61, .cancelled)], .ended),
            ("waiting is no end", [step(1, .runningLocal, 0), end(61, .waiting)], nil),
            ("an entry", [event(0, .awaitOpened(entry(7)))], .needsYou(entry: 7)),
        ]
        for (name, events, wanted) in rows {
            var heard = NoticeEvents()
            let last = events.map { heard.hear($0) }.last ?? nil
            #expect(last == wanted, "\(name)")
        }
    }

    @Test func workflowsWorkWhileAStepDoes() {
        var heard = NoticeEvents()
        _ = heard.hear(step(1, .runningLocal, 0))
        #expect(heard.working == [one])
        _ = heard.hear(end(2, .waiting))
        #expect(heard.working == [])
        _ = heard.hear(step(1, .runningLocal, 3))
        _ = heard.hear(end(4, .failed))
        #expect(heard.working == [])
    }
}

@Suite struct NoticeQueueTests {
    private static let shown = NoticeQueue.Share(isShown: true, isOfSession: true, isCarried: true)
    private static let carrier = NoticeQueue.Share(isShown: false, isOfSession: false, isCarried: true)
    private static let other = NoticeQueue.Share(isShown: true, isOfSession: false, isCarried: false)

    private static func notice(_ number: Int64) -> Notice { Notice(one, .needsYou(entry: number), title: "t") }

    /// Each row: the share, whether the user is away, the setting, the second of the look, who hears of it.
    @Test func oneProcessAfterTheOtherMayTell() {
        let rows: [(NoticeQueue.Share, Bool, NoticePreference.When, Double, seen: Bool, told: Bool)] = [
            (Self.shown, false, .unfocused, 0, true, false), (Self.shown, true, .unfocused, 1, false, false),
            (Self.shown, true, .unfocused, 1.5, false, true), (Self.carrier, true, .unfocused, 2.9, false, false),
            (Self.carrier, true, .unfocused, 3, false, true), (Self.carrier, false, .unfocused, 3, false, true),
            (Self.other, false, .unfocused, 0, true, false), (Self.other, true, .unfocused, 99, false, false),
            (Self.shown, false, .always, 0, false, true), (Self.shown, true, .never, 99, false, false),
            (Self.shown, false, .never, 99, false, false),
        ]
        for (share, isAway, when, second, seen, told) in rows {
            var queue = NoticeQueue()
            queue.add(Self.notice(1), share, at: ms(0))
            let due = queue.take(at: ms(second), isAway: isAway, when)
            #expect(due.seen.count == (seen ? 1 : 0) && due.told.count == (told ? 1 : 0), "\(share) \(when) \(second)")
            #expect(queue.isEmpty == (seen || told || when == .never || second == 99), "\(share) \(when) \(second)")
        }
    }

    @Test func whatComesWithinFiveSecondsIsJoined() {
        var queue = NoticeQueue()
        queue.add(Self.notice(1), Self.shown, at: ms(0))
        #expect(queue.take(at: ms(2), isAway: true, .unfocused).told.count == 1)
        queue.hasTold(at: ms(2))
        for number in 2...4 as ClosedRange<Int64> { queue.add(Self.notice(number), Self.shown, at: ms(3)) }
        #expect(queue.take(at: ms(6.9), isAway: true, .unfocused).told.isEmpty)
        let joined = queue.take(at: ms(7), isAway: true, .unfocused).told
        #expect(joined.text == "Assent: 3 need you" && queue.isEmpty)
    }

    @Test func theSameEventIsThereOnceAndAnAnswerRemovesIt() {
        var queue = NoticeQueue()
        queue.add(Self.notice(1), Self.other, at: ms(0))
        queue.add(Self.notice(1), Self.carrier, at: ms(1))
        #expect(queue.take(at: ms(3), isAway: true, .unfocused).told == [Self.notice(1)])
        queue.add(Self.notice(2), Self.shown, at: ms(0))
        queue.remove(entry: 2)
        #expect(queue.isEmpty)
    }

    /// A process that ends tells at once what it would have left to others, but nothing that is not its own.
    @Test func theLastLookWaitsForNobody() {
        var queue = NoticeQueue()
        queue.add(Self.notice(1), Self.carrier, at: ms(0))
        queue.add(Self.notice(2), Self.other, at: ms(0))
        #expect(queue.take(at: ms(0), isAway: true, .unfocused, isLast: true).told == [Self.notice(1)])
    }

    @Test func attentionIsTheFocusOrTheLastKey() {
        let rows: [(Bool?, Int64, Bool)] = [
            (true, 1_000_000, false), (false, 0, true), (nil, 19_999, false), (nil, 20_000, true),
        ]
        for (isFocused, idle, isAway) in rows {
            #expect(TerminalAttention(isFocused: isFocused, idleMilliseconds: idle).isAway == isAway)
        }
    }
}

@Suite struct NoticeTextTests {
    @Test func aTextHasNumberStateAndTitle() {
        let long = String(repeating: "é", count: 300)
        let rows: [([Notice], String)] = [
            ([Notice(one, .failed, title: "Zip")], "Assent: w3 failed: Zip"),
            ([Notice(one, .needsYou(entry: 4), title: "")], "Assent: w3 needs you"),
            (
                [Notice(one, .failed, title: "a"), Notice(WorkflowID(5), .ended, title: "b")],
                "Assent: w3 failed, w5 ended"
            ),
            (
                [
                    Notice(one, .needsYou(entry: 1), title: ""), Notice(one, .needsYou(entry: 2), title: ""),
                    Notice(WorkflowID(9), .ended, title: "x"),
                ], "Assent: 2 need you, w9 ended"
            ),
            ([Notice(one, .ended, title: "a\u{1B}]9;x\u{07}\nb\u{202E}c")], "Assent: w3 ended: a␛]9;x␇␊b⟨U+202E⟩c"),
        ]
        for (notices, text) in rows { #expect(notices.text == text) }
        let cut = [Notice(one, .failed, title: long)].text
        #expect(cut.count == 120 && cut.hasSuffix("é…"))
    }

    @Test func theProgramGetsAllOfItInOnePipe() throws {
        let notices = (1...60).map {
            Notice(WorkflowID($0), .failed, title: String(repeating: "\u{1F600}", count: 200))
        }
        let json = notices.json
        #expect(json.text.utf8.count < Limits.noticeInputBytes)
        let (shown, more) = (json["notices"]?.array?.count ?? 0, json["more"]?.int ?? 0)
        #expect(shown > 0 && shown + more == 60 && json["text"]?.string == "Assent: 60 failed")
        let small = [Notice(one, .needsYou(entry: 7), title: "Zip \"x\"\n")].json
        #expect(
            small.text
                == #"{"text":"Assent: w3 needs you: Zip \"x\"␊","notices":[{"workflow":"w3","state":"needs-you","entry":7,"title":"Zip \"x\"␊"}]}"#
        )
    }
}

@Suite struct NoticeWayTests {
    @Test func theFirstWayThatHoldsIsTaken() {
        let terminal = TerminalCapabilities(isTerminal: true, hasColour: true, isPlain: false)
        let plain = TerminalCapabilities(isTerminal: true, hasColour: false, isPlain: true)
        let pipe = TerminalCapabilities(isTerminal: false, hasColour: false, isPlain: true)
        let kitty = ["TERM": "xterm-kitty"]
        let rows: [(NoticePreference.Way, TerminalCapabilities, [String: String], Bool, NoticeWay)] = [
            (.auto, terminal, ["TMUX": "/t", "TERM": "tmux"], true, .terminal(.osc9, isInTmux: true)),
            (.auto, terminal, ["TMUX": "/t", "KITTY_WINDOW_ID": "1"], true, .terminal(.osc9, isInTmux: true)),
            (.auto, terminal, kitty, true, .terminal(.osc99, isInTmux: false)),
            (
                .auto, terminal, ["KITTY_WINDOW_ID": "1", "TERM": "xterm-256color"], true,
                .terminal(.osc99, isInTmux: false)
            ),
            (.auto, terminal, ["TERM_PROGRAM": "WezTerm"], true, .terminal(.osc9, isInTmux: false)),
            (.auto, terminal, ["TERM_PROGRAM": "iTerm.app"], false, .terminal(.osc9, isInTmux: false)),
            (.auto, terminal, ["TERM_PROGRAM": "ghostty"], false, .terminal(.osc9, isInTmux: false)),
            (.auto, terminal, ["TERM": "foot"], true, .terminal(.osc777, isInTmux: false)),
            (.auto, terminal, ["TERM": "rxvt-unicode-256color"], true, .desktop),
            (.auto, terminal, ["TERM": "xterm-256color", "KONSOLE_VERSION": "221203"], true, .desktop),
            (.auto, terminal, ["TERM": "xterm-256color"], true, .desktop),
            (.auto, terminal, ["TERM": "xterm-256color"], false, .bell),
            (.auto, terminal, ["SSH_CONNECTION": "a", "TERM": "xterm"], true, .bell),
            (
                .auto, terminal, ["SSH_TTY": "/dev/pts/1", "TERM": "xterm-kitty"], true,
                .terminal(.osc99, isInTmux: false)
            ),
            (.auto, plain, kitty, true, .desktop), (.auto, plain, kitty, false, .bell),
            (.auto, plain, ["TMUX": "/t"], false, .bell), (.auto, pipe, kitty, true, .desktop),
            (.auto, pipe, kitty, false, .none), (.auto, pipe, ["SSH_TTY": "x"], true, .none),
            (.osc777, terminal, [:], true, .terminal(.osc777, isInTmux: false)),
            (.osc99, terminal, ["TMUX": "/t"], true, .terminal(.osc99, isInTmux: true)),
            (.osc9, plain, [:], true, .bell), (.osc9, pipe, [:], true, .none), (.desktop, pipe, [:], false, .desktop),
            (.bell, terminal, kitty, true, .bell), (.bell, pipe, kitty, true, .none),
        ]
        for (way, capabilities, environment, hasBus, wanted) in rows {
            let found = NoticeWay.choose(way, capabilities, hasBus: hasBus) { environment[$0] }
            #expect(found == wanted, "\(way) \(environment)")
        }
    }
}

@Suite struct StatusBoardTests {
    private let gate: JSON = ["isPerson": true]

    @Test func eachPartHasItsRecordAndOnlyChangesAreSent() {
        var board = StatusBoard()
        let idle = StatusBoard.records(isBusy: false, working: [], open: [], rest: .idle)
        #expect(board.changes(to: idle) == [ProgramStatus(.idle)] && board.changes(to: idle) == [])
        let working = StatusBoard.records(isBusy: true, working: [(one, "Zip")], open: [], rest: .idle)
        #expect(
            board.changes(to: working) == [ProgramStatus(.working), ProgramStatus(id: "w3", .working, message: "Zip")])
        let blocked = StatusBoard.records(isBusy: true, working: [], open: [(entry(7), "Zip")], rest: .idle)
        #expect(
            board.changes(to: blocked) == [
                ProgramStatus(id: "w3", .clear), ProgramStatus(.blocked, kind: .permission),
                ProgramStatus(id: "w3.2", .blocked, kind: .permission, message: "Zip"),
            ])
        #expect(
            board.changes(to: StatusBoard.records(isBusy: false, working: [], open: [], rest: .error)) == [
                ProgramStatus(id: "w3.2", .clear), ProgramStatus(.error),
            ])
    }

    @Test func anEntryIsAPermissionAQuestionOrAKey() {
        let rows: [(AwaitRecord, ProgramStatus.Kind)] = [
            (entry(1), .permission), (entry(1, .submitUnknown), .permission), (entry(1, .connect), .auth),
            (entry(1, .choose), .question), (entry(1, .confirmCall, question: gate), .question),
        ]
        for (entry, kind) in rows {
            let records = StatusBoard.records(isBusy: false, working: [], open: [(entry, "")], rest: .idle)
            #expect(records.map(\.kind) == [kind, kind], "\(entry.type)")
        }
    }
}
