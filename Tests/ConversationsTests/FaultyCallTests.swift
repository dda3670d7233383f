import CaseNames
@testable import Conversations
import JSON
import Testing
import Vocabulary

/// Faults of calls go to the model, and end a turn only if nothing else comes.
@Suite struct FaultyCallTests {
    private static let flawed = #"{"error":{"code":"badArguments","message":"The arguments are no JSON."}}"#

    private struct Row {
        let name: String
        let script: String
        /// The calls that are performed, in their order.
        let performed: String
        let end: String
    }

    private static let rows = [
        Row(name: "one alone", script: "< call edit!\n< ok", performed: "", end: "end"),
        Row(name: "a good one before it", script: "< call edit edit!\n= done\n< ok", performed: "c1", end: "end"),
        Row(name: "an effect behind it", script: "< call edit! edit\n< ok", performed: "", end: "end"),
        Row(name: "a look behind it", script: "< call edit! list\n= done\n< ok", performed: "c2", end: "end"),
        Row(
            name: "good ones around it", script: "< call list edit! edit read\n= done\n= done\n< ok",
            performed: "c1 c4", end: "end"),
        Row(
            name: "several faulty ones", script: "< call edit! read! edit list\n= done\n< ok", performed: "c4",
            end: "end"),
        Row(
            name: "one that the tools cannot read", script: "< call edit edit list\n= faulty\n= done\n< ok",
            performed: "c1 c3", end: "end"),
        Row(
            name: "a plan with problems", script: "< call propose_workflow edit\n= problems\n< ok", performed: "c1",
            end: "end"),
        Row(
            name: "a look that is faulty", script: "< call read edit\n= faulty\n< ok", performed: "c1", end: "end"),
        Row(
            name: "a declined one, twice", script: "< call edit edit read\n= no\n= done\n< ok", performed: "c1 c3",
            end: "end declined: not today"),
        Row(
            name: "one that failed while it ran", script: "< call edit edit\n= failed\n= done\n< ok",
            performed: "c1 c2",
            end: "end"),
        Row(
            name: "the next reply", script: "< call edit!\n< call edit\n= done\n< ok", performed: "c2", end: "end"),
        Row(
            name: "three replies in a row", script: "< call edit!\n< call edit\n= faulty\n< call read!",
            performed: "c2",
            end: "end failed: badPlan"),
        Row(
            name: "three with nothing else that ran", script: String(repeating: "< call edit! edit\n", count: 3),
            performed: "", end: "end failed: badPlan"),
        Row(
            name: "several in each of two", script: "< call edit! edit! edit!\n< call edit! edit! edit!\n< ok",
            performed: "", end: "end"),
        Row(
            name: "a good one between",
            script: "< call edit!\n< call edit!\n< call read edit!\n= done\n"
                + "< call edit!\n< call edit!\n< ok", performed: "c3", end: "end"),
        Row(
            name: "a good one, then three",
            script: "< call edit!\n< call read\n= done\n< call edit!\n< call edit!\n< call edit!", performed: "c2",
            end: "end failed: badPlan"),
        Row(
            name: "a declined one between", script: "< call edit!\n< call edit!\n< call edit\n= no\n< call edit!\n< ok",
            performed: "c3", end: "end declined: not today"),
        Row(
            name: "the same one again after a no", script: "< call edit\n= no\n< call edit\n< call read\n= done\n< ok",
            performed: "c1 c3", end: "end declined: not today"),
    ]

    @Test func onlyWhatMayRunIsPerformedAndTheTurnEndsOnlyAfterThree() {
        expectNoFaults(in: Self.rows) { row in
            let log = play("> go\n" + row.script).split(separator: "\n").map(String.init)
            let performed = log.filter { $0.hasPrefix("perform ") }.map { $0.dropFirst(8) }.joined(separator: " ")
            let calls = log.filter { $0.hasSuffix(" pending") }.count
            let answers = log.filter { $0.hasPrefix("store tool ") }.count
            return performed == row.performed && log.last == row.end && calls == answers
                ? [] : ["\(row.name): \(performed), \(log.last ?? ""), \(calls) calls, \(answers) answers"]
        }
    }

    @Test func theModelHearsWhatWasWrongAndWhatWasNotRun() {
        #expect(
            play("> go\n< call list edit! edit read\n= done\n= done") == """
                store user go
                ask 1: system user
                store assistant  [c1 list] [c2 edit] [c3 edit] [c4 read]
                c1 pending
                c2 pending
                c3 pending
                c4 pending
                c1 running
                perform c1
                store tool c1{"result":"fine"}
                c1 succeeded
                store tool c2\(Self.flawed)
                c2 failed
                store tool c3{"declined":"Not run, since call 2 of this reply was faulty."}
                c3 declined
                c4 running
                perform c4
                store tool c4{"result":"fine"}
                c4 succeeded
                ask 2: system user assistant tool tool tool tool
                """)
    }

    /// The last faults are in the words for the user.
    @Test(arguments: [
        ("faulty", #"The last one: It needs "path"."#), ("problems", "x: There is no x."),
    ]) func theUserHearsTheLastFaults(last: String, words: String) throws {
        var turn = Turn(system: "S", tools: [])
        var effects = turn.receive(.said("go"))
        for round in 1...Limits.faultyReplies {
            let call = ChatCall(id: "c\(round)", name: "edit", arguments: [:])
            _ = turn.receive(.part(.finished(Reply(text: "", calls: [call])), of: round))
            let result =
                last == "faulty"
                ? CallResult.faulty(Failure("badArguments", "It needs \"path\"."))
                : .problems([Problem("unknownNode", at: "x", "There is no x.")])
            effects = turn.receive(.callFinished(id: "c\(round)", result))
        }
        guard case .ended(.failed(let failure))? = effects.last else { Issue.record("\(effects)"); return }
        #expect(failure.code == "badPlan" && failure.message.contains(words), "\(failure)")
    }

    /// A flaw is not stored, so a turn that waits answers the calls that must never run.
    @Test func aTurnThatWaitsAnswersWhatMustNotRun() {
        let log = play("> go\n< call edit edit! edit read\n= waits")
        #expect(
            log.hasSuffix(
                """
                store tool c2\(Self.flawed)
                c2 failed
                store tool c3{"declined":"Not run, since call 2 of this reply was faulty."}
                c3 declined
                c1 waiting
                end waiting
                """), "\(log)")
    }

    @Test func aTurnThatIsResumedKnowsThePlacesOfItsCalls() {
        let calls = ["read", "edit", "edit", "list"].enumerated().map {
            ChatCall(id: "c\($0.offset + 1)", name: $0.element, arguments: [:])
        }
        let history = [
            ChatMessage(.user, "go"), ChatMessage(.assistant, "", calls: calls),
            ChatMessage(.tool, "{}", callID: "c1"),
        ]
        let log = play("> …\n= faulty\n= done", history: history, resumes: true)
        #expect(
            log.contains("store tool c3{\"declined\":\"Not run, since call 2 of this reply was faulty.\"}"), "\(log)")
        #expect(log.contains("perform c4") && log.contains("ask 1"))
    }

    // MARK: A call as text

    private static let remark =
        "[Not the person's words. Your reply holds a call written as text; it was not run. Use the tool call interface.]"

    @Test func aCallInTheTextIsRemarkedOnceInATurn() {
        let log = play("> go\n< written I do: {}\n< call read\n= done\n< written I do: {}")
        #expect(
            log == """
                store user go
                ask 1: system user
                store assistant I do: {}
                ask 2: system user assistant
                store assistant  [c1 read]
                c1 pending
                c1 running
                perform c1
                store tool c1{"result":"fine"}
                c1 succeeded
                ask 3: system user assistant assistant tool
                store assistant I do: {}
                notice The model wrote a call as text, so it was not run. If that happens often, start the model's \
                server with its parser for tool calls, or choose another model.
                end
                """)
    }

    /// The remark is not stored: it stands below the message, and again below the stored one.
    @Test func theRemarkIsInTheRequestAndInLaterOnes() throws {
        var turn = Turn(system: "S", tools: [])
        _ = turn.receive(.said("go"))
        var reply = Reply(text: "I do: {}")
        reply.hasCallInText = true
        guard case .ask(let request, _)? = turn.receive(.part(.finished(reply), of: 1)).last else {
            Issue.record("not asked"); return
        }
        #expect(request.messages.map(\.remark) == [nil, nil, Self.remark])
        let stored = [ChatMessage(.user, "go"), ChatMessage(.assistant, "I do: {}"), ChatMessage(.assistant, "Done.")]
        var next = Turn(system: "S", tools: [], history: stored)
        guard case .ask(let later, _)? = next.receive(.said("more")).last else { Issue.record("not asked"); return }
        #expect(later.messages.map(\.remark) == [nil, nil, Self.remark, nil, nil])
    }

    // MARK: The calls of a turn

    private static func calls(_ count: Int) -> String {
        "< call " + (1...count).map { "read?\($0)" }.joined(separator: " ") + "\n"
            + String(repeating: "= done\n", count: min(count, Limits.callsPerTurn))
    }

    @Test(arguments: [
        ("= stop\n= done\n", Limits.callsPerTurn, "end failed: tooManyCalls"),
        ("^C\n= yes\n", Limits.callsPerTurn, "end interrupted"),
        ("= yes\n= done\n< ok\n", Limits.callsPerTurn + 1, "end"),
        ("= full\n", Limits.callsPerTurn, "end failed: diskFull"),
        ("= done\n< ok\n", Limits.callsPerTurn, "go on after 200?"),
    ]) func theUserIsAskedAfterManyCalls(answer: String, performed: Int, end: String) {
        let log = play("> go\n" + Self.calls(Limits.callsPerTurn + 1) + answer).split(separator: "\n")
        #expect(log.count { $0.hasPrefix("perform") } == performed)
        #expect(log.count { $0 == "go on after 200?" } == 1 && log.last.map(String.init) == end)
        // Every call of a turn that has ended is answered, except if nothing can be stored.
        let isAnswered = end.hasPrefix("end") && !end.hasSuffix("diskFull")
        #expect(log.count { $0.hasPrefix("store tool") } == Limits.callsPerTurn + (isAnswered ? 1 : 0))
    }

    @Test func aYesAllowsAsManyCallsAgain() {
        let log = play(
            "> go\n" + Self.calls(Limits.callsPerTurn)
                + Self.calls(Limits.callsPerTurn).replacing("?", with: "?b")
                .replacing("\n= done", with: "\n= yes\n= done", maxReplacements: 1) + "< call read?c\n= stop")
        #expect(log.contains("go on after 200?") && log.contains("go on after 400?"))
        #expect(log.split(separator: "\n").count { $0.hasPrefix("perform") } == 2 * Limits.callsPerTurn)
        #expect(log.hasSuffix("error tooManyCalls\nend failed: tooManyCalls"))
    }

    // MARK: The same again

    private static func same(_ count: Int, _ name: String = "read?a") -> String {
        String(repeating: "< call \(name)\n= says A\n", count: count)
    }

    @Test func theSameResultIsRemarkedAtTheThirdTimeAndEndsTheTurnAtTheSixth() {
        let log = play("> go\n" + Self.same(6)).split(separator: "\n").map(String.init)
        let results = log.filter { $0.hasPrefix("store tool") }
        #expect(results.count == 6 && !results[1].contains("remark"))
        #expect(
            results[2].hasSuffix(
                #"{"remark":"This is the same call with the same result for the third time. Do something else, or answer.","result":"A"}"#
            ), "\(results[2])")
        #expect(results[4].contains("for the fifth time"))
        #expect(log.last == "end failed: tooManyCalls")
        #expect(play("> go\n" + Self.same(5) + "< ok").hasSuffix("end"))
        #expect(play("> go\n" + Self.same(7, "wait") + "< ok").hasSuffix("end"))
        #expect(
            play(
                "> go\n< call " + Array(repeating: "read", count: 8).joined(separator: " ") + "\n"
                    + String(repeating: "= done\n", count: 8)
            ).hasSuffix("c8 declined\nerror tooManyCalls\nend failed: tooManyCalls"))
    }
}

@Suite struct RepeatedCallsTests {
    private typealias Step = (name: String, arguments: JSON, result: String, times: Int)

    @Test func callsAreEqualByNameArgumentsAndResult() {
        let steps: [Step] = [
            ("read", ["path": "a", "from": 1], "A", 1), ("read", ["from": 1, "path": "a"], "A", 2),
            ("read", ["path": "b"], "A", 1), ("search", ["path": "a", "from": 1], "A", 1),
            ("read", ["path": "a", "from": 1], "A", 3), ("read", ["path": "a", "from": 1], "B", 1),
            ("read", ["path": "a", "from": 1], "A", 1), ("read", ["path": "b"], "A", 2),
            ("wait", [:], "A", 1), ("wait", [:], "A", 1), ("results", [:], "A", 1), ("results", [:], "A", 1),
            ("show_workflow", [:], "A", 1), ("show_workflow", [:], "A", 1),
        ]
        var repeated = RepeatedCalls()
        for step in steps {
            let times = repeated.count(ChatCall(id: "c", name: step.name, arguments: step.arguments), step.result)
            #expect(times == step.times, "\(step)")
        }
    }

    @Test(arguments: 1...7) func theRemarkAndTheFailureDependOnTheTimes(times: Int) {
        let failure = RepeatedCalls.failure(of: ChatCall(id: "c", name: "read", arguments: [:]), after: times)
        #expect((RepeatedCalls.remark(after: times) != nil) == (times >= 3))
        #expect((failure != nil) == (times >= 6))
        guard times == 6 else { return }
        #expect(
            failure?.message
                == "The model called read six times with the same arguments and got the same result each time.")
    }
}
