import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// A conversation as a script. `> line` is said, `< text` is streamed by the model, `< ok` ends its reply, `< call
/// name` asks for calls (`a b` for two, `a!` for one whose arguments are broken, `a?1` for one with arguments, `a+` for
/// one with an answer beside it), `< written TEXT` is a reply with a call in its text, `< cut` cuts it, `= outcome`
/// answers the open call (`= whole` with all of it done), `= yes` and `= stop` answer whether it goes on, `^C`
/// interrupts (`^C w5` while w5 goes on), `+ line` comes into the turn. What the turn does is written down the same way
/// and compared whole.
func play(_ script: String, history: [ChatMessage] = [], resumes: Bool = false) -> String {
    var turn = Turn(system: "S", tools: PlannerTools.all(catalogue), history: history, resumes: resumes)
    var log: [String] = []
    var asked = 0
    var open: String?
    var calls = 0
    func carryOut(_ effects: [Turn.Effect]) {
        for effect in effects {
            if case .ask(_, let number) = effect { asked = number }
            if case .perform(let call) = effect { open = call.id }
            if case .takeUp(let call, _) = effect { open = call.id }
            log += words(for: effect).map { [$0] } ?? []
        }
    }
    for line in script.split(separator: "\n").map(String.init) {
        let rest = String(line.dropFirst(2))
        switch (line.prefix(1), rest) {
        case (">", "…"): carryOut(turn.receive(.resumed(nil)))
        case (">", _) where resumes: carryOut(turn.receive(.resumed(rest)))
        case (">", _): carryOut(turn.receive(.said(rest)))
        case ("^", _):
            let goingOn = line.split(separator: " ").dropFirst().compactMap { WorkflowID(parsing: String($0)) }
            carryOut(turn.receive(.interrupted(goingOn: goingOn)))
        case ("+", _): carryOut(turn.receive(.interjected(rest)))
        case ("<", "ok"): carryOut(turn.receive(.part(.finished(Reply(text: "")), of: asked)))
        case ("<", "cut"):
            carryOut(
                turn.receive(
                    .part(
                        .finished(Reply(text: "", verdict: .truncated(Reason("length", "The reply was cut.")))),
                        of: asked)))
        case ("<", "broken"): carryOut(turn.receive(.modelFailed(Failure("unreachable", "No answer."), of: asked)))
        case ("<", _) where rest.hasPrefix("call "):
            let made = rest.dropFirst(5).split(separator: " ").map { name in
                calls += 1
                return call("c\(calls)", String(name))
            }
            carryOut(turn.receive(.part(.finished(Reply(text: "", calls: made)), of: asked)))
        case ("<", _) where rest.hasPrefix("written "):
            var reply = Reply(text: String(rest.dropFirst(8)))
            reply.hasCallInText = true
            carryOut(turn.receive(.part(.finished(reply), of: asked)))
        case ("<", _): carryOut(turn.receive(.part(.text(rest), of: asked)))
        case ("=", "done"): carryOut(turn.receive(.callFinished(id: open ?? "", .succeeded("fine"))))
        case ("=", "whole"): carryOut(turn.receive(.callFinished(id: open ?? "", .whole(.succeeded("fine")))))
        case ("=", "no"): carryOut(turn.receive(.callFinished(id: open ?? "", .declined("not today"))))
        case ("=", "failed"): carryOut(turn.receive(.callFinished(id: open ?? "", .failed(Failure("exited", "1.")))))
        case ("=", "faulty"):
            carryOut(
                turn.receive(.callFinished(id: open ?? "", .faulty(Failure("badArguments", "It needs \"path\".")))))
        case ("=", _) where rest.hasPrefix("says "):
            carryOut(turn.receive(.callFinished(id: open ?? "", .succeeded(.string(String(rest.dropFirst(5)))))))
        case ("=", "yes"): carryOut(turn.receive(.goOn(true)))
        case ("=", "stop"): carryOut(turn.receive(.goOn(false)))
        case ("=", "waits"): carryOut(turn.receive(.callFinished(id: open ?? "", .waiting("it waits"))))
        case ("=", "problems"):
            carryOut(
                turn.receive(
                    .callFinished(id: open ?? "", .problems([Problem("unknownNode", at: "x", "There is no x.")]))))
        case ("=", "full"): carryOut(turn.receive(.storageFailed(Failure("diskFull", "The disk is full."))))
        default: log.append("?? \(line)")
        }
    }
    return log.joined(separator: "\n")
}

/// The call of a word of a script.
private func call(_ id: String, _ word: String) -> ChatCall {
    if word.hasSuffix("!") {
        return ChatCall(id: id, name: String(word.dropLast()), arguments: [:], flaw: "The arguments are no JSON.")
    }
    if word.hasSuffix("+") {
        return ChatCall(id: id, name: String(word.dropLast()), arguments: ["then_say": "It is done."])
    }
    let parts = word.split(separator: "?").map(String.init)
    return ChatCall(id: id, name: parts[0], arguments: parts.count > 1 ? ["a": .string(parts[1])] : [:])
}

private func words(for effect: Turn.Effect) -> String? {
    switch effect {
    case .ask(let request, let number): "ask \(number): " + request.messages.map(\.role.rawValue).joined(separator: " ")
    case .show(.messageDelta(let text)): "delta \(text)"
    case .show(.call(let id, _, let state)): "\(id) \(state.name)"
    case .show(.error(let failure)): "error \(failure.code)"
    case .show: nil
    case .hint(.notice(let words)): "notice \(words)"
    case .hint: nil
    case .store(let message):
        "store \(message.role.rawValue)\(message.isPartial ? " partial" : "") \(message.callID ?? "")\(message.text)"
            + message.calls.map { " [\($0.id) \($0.name)]" }.joined()
    case .perform(let call): "perform \(call.id)"
    case .askToGoOn(let calls): "go on after \(calls)?"
    case .takeUp(let call, let asks): "take up \(call.id)\(asks ? " and ask" : "")"
    case .compacted: "compacted"
    case .counted: nil
    case .ended(let ending):
        switch ending {
        case .completed: "end"
        case .declined(let words): "end declined: \(words)"
        case .interrupted: "end interrupted"
        case .refused: "end refused"
        case .waiting: "end waiting"
        case .failed(let failure): "end failed: \(failure.code)"
        }
    }
}

@Suite struct TurnTests {
    @Test func aTextEndsTheTurn() {
        #expect(
            play("> hi\n< Hel\n< lo.\n< ok") == """
                store user hi
                ask 1: system user
                delta Hel
                delta lo.
                store assistant Hello.
                end
                """)
    }

    @Test func callsRunOneAfterTheOtherAndEachIsAnswered() {
        #expect(
            play("> do it\n< call read_inbox list_workflows\n= done\n= no\n< Fine.\n< ok") == """
                store user do it
                ask 1: system user
                store assistant  [c1 read_inbox] [c2 list_workflows]
                c1 pending
                c2 pending
                c1 running
                perform c1
                store tool c1{"result":"fine"}
                c1 succeeded
                c2 running
                perform c2
                store tool c2{"declined":"not today"}
                c2 declined
                ask 2: system user assistant tool tool
                delta Fine.
                store assistant Fine.
                end declined: not today
                """)
    }

    // MARK: A call that waits for a person

    /// A call with the calls `c1` and `c2`, which nobody has answered.
    private static let waiting = [
        ChatMessage(.user, "do it"),
        ChatMessage(
            .assistant, "",
            calls: [
                ChatCall(id: "c1", name: "read_inbox", arguments: [:]),
                ChatCall(id: "c2", name: "list_workflows", arguments: [:]),
            ]),
    ]

    @Test func aCallThatWaitsEndsTheTurnAndStaysOpen() {
        #expect(
            play("> do it\n< call read_inbox list_workflows\n= waits\n= done") == """
                store user do it
                ask 1: system user
                store assistant  [c1 read_inbox] [c2 list_workflows]
                c1 pending
                c2 pending
                c1 running
                perform c1
                c1 waiting
                end waiting
                """)
    }

    @Test func aTurnThatIsResumedGoesOnWithTheAnswerAndTheOtherCalls() {
        #expect(
            play("> …\n= done\n= done\n< Blue.\n< ok", history: Self.waiting, resumes: true) == """
                take up c1 and ask
                store tool c1{"result":"fine"}
                c1 succeeded
                c2 running
                perform c2
                store tool c2{"result":"fine"}
                c2 succeeded
                ask 1: system user assistant tool tool
                delta Blue.
                store assistant Blue.
                end
                """)
    }

    @Test func aTurnThatIsResumedAndStillNotAnsweredWaitsOn() {
        #expect(
            play("> …\n= waits", history: Self.waiting, resumes: true) == """
                take up c1 and ask
                c1 waiting
                end waiting
                """)
    }

    /// Whoever says something else is not asked again. The other calls are not made.
    @Test func aLineThatIsSaidFirstHearsTheAnswerToo() {
        #expect(
            play("> and now?\n= done", history: Self.waiting, resumes: true) == """
                take up c1
                store tool c1{"result":"fine"}
                c1 succeeded
                store tool c2{"declined":"The person said something else before this call was begun: nothing of it was done."}
                c2 declined
                store user and now?
                ask 1: system user assistant tool tool assistant user
                """)
    }

    /// The call is answered for good, so that no message changes later. The person's answer then comes as news.
    @Test func aLineThatIsSaidBeforeTheAnswerAnswersTheCallForGood() {
        #expect(
            play("> and now?\n= waits\n< Wait.\n< ok", history: Self.waiting, resumes: true) == """
                take up c1
                store tool c1{"result":"it waits"}
                c1 waiting
                store tool c2{"declined":"The person said something else before this call was begun: nothing of it was done."}
                c2 declined
                store user and now?
                ask 1: system user assistant tool tool assistant user
                delta Wait.
                store assistant Wait.
                end
                """)
    }

    @Test func aResumedTurnThatIsStoppedKeepsTheLine() {
        let log = play("> and now?\n^C\n= done", history: Self.waiting, resumes: true)
        #expect(log.contains("store tool c1{\"declined\":\"The person stopped the turn."))
        #expect(log.hasSuffix("store user and now?\nend interrupted"))
    }

    @Test(arguments: [("cut", "length"), ("broken", "unreachable")])
    func aCutReplyRunsNothingAndItsTextIsKeptAsPartial(how: String, code: String) {
        #expect(
            play("> do it\n< I will\n< \(how)\n< call read_inbox") == """
                store user do it
                ask 1: system user
                delta I will
                store assistant partial I will
                error \(code)
                end failed: \(code)
                """)
    }

    @Test func interruptWhileItSpeaksKeepsThePartAndDropsWhatIsLate() {
        #expect(
            play("> tell me\n< Once\n^C\n<  upon\n< ok\n^C") == """
                store user tell me
                ask 1: system user
                delta Once
                store assistant partial Once
                end interrupted
                """)
    }

    @Test func interruptWhileACallRunsAnswersAllThatIsOpen() {
        let log = play("> do it\n< call read_inbox list_workflows\n^C\n= done")
        #expect(log.contains("store tool c1{\"declined\":\"The person stopped the turn."))
        #expect(log.contains("store tool c2{\"declined\":\"The person stopped the turn."))
        #expect(log.hasSuffix("end interrupted"))
        #expect(!log.contains("perform c2"))
    }

    @Test func problemsGoBackToTheModelUntilThreeRepliesHadThem() {
        let round = "< call propose_workflow\n= problems\n"
        let mended = play(
            "> plan\n" + String(repeating: round, count: Limits.faultyReplies - 1)
                + "< call propose_workflow\n= done\n< ok")
        #expect(mended.hasSuffix("end"))
        #expect(mended.contains("{\"problems\":[\"x: There is no x. (unknownNode)\"]}"))
        let hopeless = play("> plan\n" + String(repeating: round, count: Limits.faultyReplies))
        #expect(hopeless.hasSuffix("error badPlan\nend failed: badPlan"))
    }

    /// A person hears what is wrong with the plan, bounded, and where.
    @Test(arguments: [1, 3, 50]) func theProblemsOfAPlanThatIsNotFixedAreTold(count: Int) {
        var turn = Turn(system: "S", tools: [])
        var effects = turn.receive(.said("plan"))
        let problems = (1...count).map {
            Problem("badParam", at: "n\($0).width", "It is \(String(repeating: "w", count: 400)).")
        }
        for round in 1...Limits.faultyReplies {
            let call = ChatCall(id: "c\(round)", name: "propose_workflow", arguments: [:])
            _ = turn.receive(.part(.finished(Reply(text: "", calls: [call])), of: round))
            effects = turn.receive(.callFinished(id: "c\(round)", .problems(problems)))
        }
        guard case .ended(.failed(let failure))? = effects.last else { Issue.record("\(effects)"); return }
        #expect(failure.code == "badPlan" && failure.message.utf8.count < 3_000)
        for number in 1...min(count, Limits.problemsTold) {
            #expect(failure.message.contains("n\(number).width: It is www"))
        }
        #expect(failure.message.contains("And \(count - Limits.problemsTold) more.") == (count > Limits.problemsTold))
        #expect(failure.message.contains(count == 1 ? "has a problem" : "has \(count) problems"))
    }

    @Test func whatTheModelDoesNotReadIsToldOnceATurn() {
        func notices(_ effects: [Turn.Effect]) -> [String] {
            effects.compactMap { if case .hint(.notice(let words)) = $0 { words } else { nil } }
        }
        var turn = Turn(system: "S", tools: [])
        _ = turn.receive(.said("go"))
        #expect(notices(turn.receive(.part(.leftOut(.nothing), of: 1))).isEmpty)
        let told = notices(turn.receive(.part(.leftOut(ChatRequest.LeftOut(turns: 4, messages: 9)), of: 1)))
        #expect(told.count == 1 && told[0].contains("4 earlier turns (9 messages)"), "\(told)")
        _ = turn.receive(
            .part(.finished(Reply(text: "", calls: [ChatCall(id: "c", name: "read_inbox", arguments: [:])])), of: 1))
        _ = turn.receive(.callFinished(id: "c", .succeeded("fine")))
        #expect(notices(turn.receive(.part(.leftOut(ChatRequest.LeftOut(turns: 4, messages: 9)), of: 2))).isEmpty)
    }

    /// The turn leaves out what no model is sent, and counts it.
    @Test func whatStaysOutOfAFullContextIsCounted() {
        let long = String(repeating: "x", count: Limits.contextBytes)
        let history = [
            ChatMessage(.user, "old"), ChatMessage(.assistant, long), ChatMessage(.user, "new"),
            ChatMessage(.assistant, long),
        ]
        var turn = Turn(system: "S", tools: [], history: history)
        guard case .ask(let request, _)? = turn.receive(.said("now")).last else { Issue.record("not asked"); return }
        #expect(
            request.leftOut == ChatRequest.LeftOut(turns: 2, messages: 4)
                && request.messages.map(\.text) == ["S", "now"])
    }

    @Test func nothingRunsThatCouldNotBeStored() {
        #expect(play("> go\n< call read_inbox\n= full\n= done").hasSuffix("error diskFull\nend failed: diskFull"))
    }

    @Test func callsWithOneIDForAllGetTheirOwn() {
        var turn = Turn(system: "S", tools: [])
        _ = turn.receive(.said("go"))
        let call = ChatCall(id: "", name: "read_inbox", arguments: [:])
        let effects = turn.receive(.part(.finished(Reply(text: "", calls: [call, call])), of: 1))
        guard case .store(let message)? = effects.first else { Issue.record("nothing stored"); return }
        #expect(message.calls.map(\.id) == ["call-2", "call-3"])
    }

    @Test func callsThatACrashLeftOpenAreAnsweredBeforeTheNextRequest() {
        let history = [
            ChatMessage(.user, "go"),
            ChatMessage(.assistant, "", calls: [ChatCall(id: "c1", name: "read_inbox", arguments: [:])]),
        ]
        var turn = Turn(system: "S", tools: [], history: history)
        guard case .ask(let request, _)? = turn.receive(.said("and now?")).last else {
            Issue.record("not asked"); return
        }
        #expect(request.messages.map(\.role) == [.system, .user, .assistant, .tool, .assistant, .user])
        #expect(request.messages[3].callID == "c1")
    }

    @Test func olderExchangesStayOutOfAFullContextWhole() {
        let long = String(repeating: "x", count: Limits.contextBytes / 2 + 1)
        let history = [
            ChatMessage(.user, "old"), ChatMessage(.assistant, long), ChatMessage(.user, "newer"),
            ChatMessage(.assistant, long),
        ]
        var turn = Turn(system: "S", tools: [], history: history)
        guard case .ask(let request, _)? = turn.receive(.said("now")).last else { Issue.record("not asked"); return }
        #expect(request.messages.dropFirst().map(\.text).first == "newer")
    }

    @Test func noToolOfTheModelApprovesAnything() {
        for tool in PlannerTools.all(catalogue) {
            for word in ["approve", "assent", "confirm", "grant", "allow", "complete"] {
                #expect(!tool.name.contains(word))
            }
        }
    }
}
