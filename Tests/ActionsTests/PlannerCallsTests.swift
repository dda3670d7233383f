import CaseNames
import Conversations
import Files
import JSON
import Services
import Storage
import Synchronization
import Testing
import Vocabulary

@testable import Actions
@testable import Tools

/// The calls of a planner, on a real store without an engine and without a screen.
@Suite struct PlannerCallsTests {
    private let opened: OpenedWorkspace
    private let session: SessionID

    init() throws {
        opened = try OpenedWorkspace()
        session = try ConversationLibrary(opened.shared).begin("hello").id
    }

    // MARK: The front end

    /// A front end that records what it is shown. When it is shown a plan, it reports the end of the workflow in place
    /// of an engine.
    private final class Front: PlannerFront {
        let shared: OpenWorkspace
        /// The events of a workflow up to its end.
        let ending: [Event.Kind]
        /// Whether the person says yes to hosts.
        let allowsHosts: Bool
        let mode = ConfirmationMode.auto
        let onAsk = OnAsk.park
        let questioner: (any Questioner)? = nil
        private let lines = Mutex<[String]>([])

        init(_ shared: OpenWorkspace, _ ending: [Event.Kind], allowsHosts: Bool) {
            (self.shared, self.ending, self.allowsHosts) = (shared, ending, allowsHosts)
        }

        var shown: [String] { lines.withLock { $0 } }

        private func show(_ line: String) { lines.withLock { $0.append(line) } }

        func planned(_ template: Template, as id: WorkflowID) async {
            show("plan of \(id): \(template.name)")
            for kind in ending { shared.record(Event(at: OpenWorkspace.now(), workflow: id, step: 1, kind)) }
        }

        func happened(_ event: Event) async { show(event.type) }

        func rested(_ id: WorkflowID, _ followed: Followed) async { show("\(id) \(followed.outcome.rawValue)") }

        func confirm(_ question: HostQuestion) async {
            show("\(question.whom) for \(question.use.rawValue)?")
            guard allowsHosts else { return }
            for host in question.hosts { _ = try? HostPermissions(shared).allow(host, question.use) }
        }

        func confirm(_ question: ProgramQuestion) async { show("programs \(question.folders.count)?") }

        func wording(of call: String) -> String { "<\(call)>" }
    }

    private func front(_ ending: [Event.Kind] = [], allowsHosts: Bool = false) -> Front {
        Front(opened.shared, ending, allowsHosts: allowsHosts)
    }

    private func calls(_ front: Front, in session: SessionID? = nil) -> PlannerCalls {
        PlannerCalls(
            opened.shared, in: session ?? self.session, front,
            ConversationNews(opened.shared, in: session ?? self.session))
    }

    private func stored() throws -> [WorkflowSummary] {
        try Reruns(opened.shared).list(WorkflowQuery(includesArchived: true)).shown
    }

    private static func workflow(_ kind: String, _ params: JSON) -> PlannerCall {
        .workflow([
            "schema": "app.workflow/v2", "name": "one step",
            "nodes": [["id": "a", "kind": .string(kind), "params": params]], "edges": [],
        ])
    }

    private static let reading = workflow("ReadFile", ["path": "notes.txt"])
    private static let painting = workflow("TextToImage", ["prompt": "a cat"])

    // MARK: Starting

    @Test func aWorkflowIsStartedShownAndFollowedToItsEnd() async throws {
        let content = try opened.shared.toolbox.get().store.add("three lines")
        let output = Event.Output(
            step: 1, port: "text", type: .text, path: nil, hash: content.hash, bytes: content.bytes)
        let front = front([.workflowFinished(.succeeded, outputs: [output])])
        let result = await calls(front).perform(Self.reading, in: 4)
        guard case .succeeded(let json) = result else { return #expect(Bool(false), "\(result)") }
        #expect(json["workflow"] == "w1" && json["outcome"] == "succeeded")
        #expect(json["outputs"]?[0]?["content"] == "three lines")
        #expect(front.shown == ["plan of w1: one step", "workflow.created", "workflow.finished", "w1 succeeded"])
        let record = try #require(try stored().first?.record)
        #expect(record.session == session && record.mode == .auto && record.onAsk == .park)
    }

    @Test func aKindThatIsNotKnownIsAProblem() async throws {
        let front = front()
        let result = await calls(front).perform(Self.workflow("Teleport", [:]), in: 1)
        guard case .problems(let problems) = result else { return #expect(Bool(false), "\(result)") }
        #expect(problems.map(\.place) == ["a"] && problems[0].message.contains("Teleport"), "\(problems)")
        #expect(front.shown.isEmpty)
        #expect(try stored().isEmpty)
    }

    @Test func aHostThatThePersonDeclinesDeclinesTheCall() async throws {
        let refusing = front()
        let declined = await calls(refusing).perform(Self.painting, in: 1)
        guard case .declined(let words) = declined else { return #expect(Bool(false), "\(declined)") }
        #expect(words.contains("hostNotAllowed") && words.contains("api.replicate.com"), "\(words)")
        #expect(refusing.shown == ["Replicate for jobs?"])
        #expect(try stored().isEmpty)
        let allowing = front([.workflowFinished(.waiting, outputs: [])], allowsHosts: true)
        let started = await calls(allowing).perform(Self.painting, in: 1)
        guard case .succeeded(let json) = started else { return #expect(Bool(false), "\(started)") }
        #expect(json["outcome"] == "waiting" && allowing.shown.first == "Replicate for jobs?")
    }

    // MARK: Results

    /// The ends of a workflow, each with the words of the call's result that it has.
    private static let ends: [(name: String, outcome: Outcome, failure: Failure?, result: String)] = [
        ("a failure", .failed, Failure("broken", "It broke."), "ended broken"),
        ("no failure", .cancelled, nil, "ended workflowFailed"),
        ("a denial", .failed, Failure(.denied, "It is forbidden."), "declined It is forbidden."),
        ("a wait", .waiting, nil, "succeeded"),
    ]

    @Test func theEndOfTheWorkflowIsTheResultOfTheCall() async throws {
        for (name, outcome, failure, expected) in Self.ends {
            let step = failure.map {
                Event.Kind.stepChanged(.failed, phase: nil, reason: nil, progress: nil, failure: $0)
            }
            let front = front([step].compactMap(\.self) + [.workflowFinished(outcome, outputs: [])])
            let found =
                switch await calls(front).perform(Self.reading, in: 1) {
                case .succeeded: "succeeded"
                case .ended(let failure, let json): "ended \(failure.code)" + (json["outcome"] == nil ? "?" : "")
                case .declined(let words): "declined \(words)"
                case let other: "\(other)"
                }
            #expect(found == expected, "\(name)")
        }
    }

    @Test func aContentThatMayHoldKeysIsLeftOut() async throws {
        let store = try opened.shared.toolbox.get().store
        let content = try store.add("token of the bank")
        for isPrivate in [false, true] {
            if isPrivate { try store.markPrivate(content.hash) }
            let front = front([
                .stepChanged(
                    .succeeded, phase: nil, reason: Reason(.warned, "It was \(content.hash)."), progress: nil,
                    failure: nil),
                .workflowFinished(
                    .succeeded,
                    outputs: [
                        Event.Output(
                            step: 1, port: "text", type: .text, path: nil, hash: content.hash, bytes: content.bytes)
                    ]),
            ])
            let told = await calls(front).perform(Self.reading, in: 1).text
            #expect(told.contains("token of the bank") != isPrivate, "\(told)")
            #expect(told.contains(content.hash.hex) != isPrivate, "\(told)")
            #expect(told.contains("may hold keys") == isPrivate, "\(told)")
        }
    }

    @Test func aStoppedTurnLeavesItsWorkflow() async throws {
        let front = front([.workflowFinished(.succeeded, outputs: [])])
        let calls = calls(front)
        let turn = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await calls.perform(Self.reading, in: 1)
        }
        #expect(await turn.value == .declined("The person stopped the turn; w1 goes on."))
    }

    // MARK: Stored workflows

    @Test(arguments: ["retry", "cancel"]) func aWorkflowOfAnotherSessionIsNotChanged(verb: String) async throws {
        let ending = [Event.Kind.workflowFinished(.succeeded, outputs: [])]
        _ = await calls(front(ending)).perform(Self.reading, in: 1)
        let id = WorkflowID(1)
        let call: PlannerCall = verb == "retry" ? .retry(id, step: nil) : .cancel(id)
        let other = try ConversationLibrary(opened.shared).begin("and I").id
        let refused = await calls(front(ending), in: other).perform(call, in: 1)
        guard case .failed(let failure) = refused else { return #expect(Bool(false), "\(refused)") }
        #expect(failure.code == "otherSession" && failure.remedy == "The person can do it: <\(verb) w1>")
        #expect(try Reruns(opened.shared).asked(id).isEmpty)
    }

    @Test func aWorkflowOfTheSessionIsCancelled() async throws {
        _ = await calls(front([.workflowFinished(.waiting, outputs: [])])).perform(Self.reading, in: 1)
        #expect(await calls(front()).perform(.cancel(WorkflowID(1)), in: 2) == .succeeded(["cancelling": "w1"]))
        #expect(try Reruns(opened.shared).asked(WorkflowID(1)).map(\.verb) == [.cancel])
    }

    @Test func aWorkflowOfAnotherFolderIsNotKnown() async throws {
        let checked = try #require(
            WorkflowActions(opened.shared).check(Array(Self.reading.template.utf8)).checked)
        let id = try WorkflowActions(opened.shared).start(
            checked, WorkflowStart(session: session, mode: .auto, onAsk: .park), in: "/elsewhere")
        for call in [PlannerCall.showWorkflow(id), .retry(id, step: nil), .cancel(id)] {
            let result = await calls(front()).perform(call, in: 1)
            guard case .failed(let failure) = result else { return #expect(Bool(false), "\(result)") }
            #expect(failure.code == "unknownWorkflow")
        }
        guard case .failed(let failure) = await calls(front()).takeUp(id, asks: true) else {
            return #expect(Bool(false), "It was taken up.")
        }
        #expect(failure.code == "unknownWorkflow")
    }

    @Test func aWorkflowThatHasEndedMeanwhileIsTakenUpWithItsEnd() async throws {
        _ = await calls(front([.workflowFinished(.waiting, outputs: [])])).perform(Self.reading, in: 1)
        var batch = Batch(workflow: WorkflowID(1), fence: 1)
        batch.outcome = .some(.succeeded)
        _ = try opened.shared.archive.get().commit([batch])
        let front = front()
        guard case .succeeded(let json) = await calls(front).takeUp(WorkflowID(1), asks: false) else {
            return #expect(Bool(false), "It is not over.")
        }
        #expect(json["outcome"] == "succeeded" && front.shown == ["plan of w1: one step", "w1 succeeded"])
    }

    @Test func aModeHasWords() async throws {
        let result = await calls(front()).perform(.readMode, in: 1)
        #expect(result == .succeeded(["mode": "auto", "words": .string(ConfirmationMode.auto.words)]))
    }
}

extension PlannerCall {
    /// The text of the workflow that a call starts.
    fileprivate var template: String { if case .workflow(let json, _) = self { json.text } else { "" } }
}
