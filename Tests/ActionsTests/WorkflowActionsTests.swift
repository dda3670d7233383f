import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Actions

/// The check of templates, and what starts of them.
@Suite struct WorkflowActionsTests {
    private static let terms = WorkflowStart(mode: .auto, onAsk: .park)
    private let opened: OpenedWorkspace
    private var actions: WorkflowActions { WorkflowActions(opened.shared) }
    private var records: WorkflowRecords { WorkflowRecords(opened.shared) }

    init() throws { opened = try OpenedWorkspace() }

    /// Returns the bytes of a template of one step.
    private func template(_ kind: String, _ params: JSON) -> [UInt8] {
        let json: JSON = [
            "schema": "app.workflow/v2", "name": "Test",
            "nodes": [["id": "step", "kind": .string(kind), "params": params]], "edges": [],
        ]
        return Array(json.text.utf8)
    }

    private func started(_ kind: String, _ params: JSON) throws -> WorkflowID {
        try actions.start(try #require(actions.check(template(kind, params)).checked), Self.terms)
    }

    // MARK: Checks

    @Test func aTemplateWithoutProblemsIsStartedAsItWasChecked() throws {
        let id = try started("Text", ["text": "new"])
        let summary = try #require(try records.summary(id))
        #expect(summary.record.title == "Test")
        #expect(summary.record.workspace == opened.shared.workspace)
        #expect(try records.steps(id).map(\.kind) == ["Text"])
    }

    @Test func theDefaultsOfTheDayAreStored() throws {
        let json: JSON = [
            "schema": "app.workflow/v2", "name": "Test",
            "nodes": [
                ["id": "text", "kind": "Text", "params": ["text": "x"]],
                ["id": "step", "kind": "ReplaceText", "params": ["find": "a"]],
            ],
            "edges": [["from": ["text", "text"], "to": ["step", "text"]]],
        ]
        let outcome = actions.check(Array(json.text.utf8))
        let id = try actions.start(try #require(outcome.checked, "\(outcome.problems)"), Self.terms)
        let stored = try #require(try records.template(id))
        #expect(stored.nodes[1].params["replacement"] == "")
    }

    @Test func aTemplateWithProblemsCannotBeStarted() throws {
        let outcome = actions.check(template("Delay", ["seconds": "long"]))
        #expect(outcome.checked == nil)
        #expect(outcome.problems.map { $0.code == .badParam } == [true])
        let read = try #require(outcome.template)
        #expect(actions.check(read).problems == outcome.problems)
        let failure = #expect(throws: Failure.self) { try actions.start(read, Self.terms) }
        #expect(failure?.code == .badTemplate)
        #expect(try Reruns(opened.shared).list(WorkflowQuery()).count == 0)
    }

    /// The graph of a template whose inputs come later is not the graph that runs.
    @Test func aTemplateWithInputsThatComeLaterIsNotReadyToStart() throws {
        let bytes = template("ReplaceText", ["find": "a"])
        #expect(!actions.check(bytes).problems.isEmpty)
        let outcome = actions.check(bytes, [Template.Endpoint("step", "text")])
        #expect(outcome.problems.isEmpty)
        #expect(outcome.template != nil)
        #expect(outcome.checked == nil)
    }

    @Test func theRootIsNoFolderToWorkIn() throws {
        let checked = try #require(actions.check(template("Text", ["text": "x"])).checked)
        let failure = #expect(throws: Failure.self) { try actions.start(checked, Self.terms, in: "/") }
        #expect(failure?.code == .badUsage)
    }

    // MARK: Graphs

    @Test func aNewGraphIsQueuedOnce() throws {
        let (id, again) = (try started("Delay", ["seconds": 1]), Reruns(opened.shared))
        let base = try #require(try again.planned(id))
        var new = base.editable
        new.nodes[0].params["seconds"] = 2
        let tried = try again.revise(id, new, base, "person", true)
        #expect(tried.changed == [1])
        #expect(try again.asked(id).isEmpty)
        #expect(try again.revise(id, new, base, "person", false) == tried)
        #expect(try again.planned(id)?.editable.nodes[0].params["seconds"] == 2)
        let failure = #expect(throws: Failure.self) { try again.revise(id, base.editable, base, "person", true) }
        #expect(failure?.code == .nothingChanged)
    }

    @Test func aProblemOfANewGraphShowsNoKey() throws {
        let key = "ghp_" + String(repeating: "aB3dE6gH9", count: 4)
        let (id, again) = (try started("Delay", ["seconds": 1]), Reruns(opened.shared))
        let base = try #require(try again.planned(id))
        var new = base.editable
        new.nodes[0].params[key] = 1
        let problems = try again.revise(id, new, base, "person", false).problems
        #expect(!problems.isEmpty)
        #expect(!"\(problems)".contains(key), "\(problems)")
        #expect(try again.asked(id).isEmpty)
    }

    @Test func aDuplicateHasTheGraphAndItsQuestionsWait() throws {
        let id = try actions.start(
            try #require(actions.check(template("Text", ["text": "x"])).checked),
            WorkflowStart(mode: .adaptive, onAsk: .inline))
        let copy = try Reruns(opened.shared).duplicate(id)
        #expect(copy != id)
        #expect(try records.template(copy) == records.template(id))
        let record = try #require(try records.summary(copy)).record
        #expect(record.onAsk == .park)
        #expect(record.mode == .adaptive)
    }
}
