import CaseNames
import Harness
import JSON
import Services
import Storage
import Testing
import Vocabulary

@testable import Actions

/// The check of templates, and what starts of them.
@Suite struct WorkflowActionsTests {
    private let opened: OpenedWorkspace
    private var actions: WorkflowActions { WorkflowActions(opened.shared) }
    private var records: WorkflowRecords { WorkflowRecords(opened.shared) }

    init() throws { opened = try OpenedWorkspace() }

    private func template(_ kind: String, _ params: JSON) -> [UInt8] {
        OpenedWorkspace.template([("step", kind, params)])
    }

    private func count() throws -> Int { try Reruns(opened.shared).list(WorkflowQuery()).count }

    // MARK: Checks

    @Test func aTemplateWithoutProblemsIsStartedAsItWasChecked() throws {
        let outcome = actions.check(template("Text", ["text": "new"]))
        #expect(outcome.problems.isEmpty && outcome.template == outcome.checked?.template)
        let terms = WorkflowStart(mode: .alwaysAsk, onAsk: .fail)
        let id = try actions.start(try #require(outcome.checked), terms)
        let record = try #require(try records.summary(id)).record
        #expect(record.title == "Test" && record.workspace == opened.shared.workspace && record.outcome == nil)
        #expect(record.mode == .alwaysAsk && record.onAsk == .fail && record.session == nil)
        #expect(try records.steps(id).map(\.kind) == ["Text"])
    }

    /// A later retry uses the same values, even if the tools have other defaults then.
    @Test func theDefaultsOfTheDayAreStored() throws {
        let bytes = OpenedWorkspace.template(
            [("text", "Text", ["text": "x"]), ("step", "ReplaceText", ["find": "a"])], [("text.text", "step.text")])
        let outcome = actions.check(bytes)
        let id = try actions.start(try #require(outcome.checked, "\(outcome.problems)"), OpenedWorkspace.terms)
        #expect(outcome.template?.nodes[1].params["replacement"] == nil)
        #expect(try records.template(id)?.nodes[1].params["replacement"] == "")
    }

    @Test func aTemplateWithProblemsCannotBeStarted() throws {
        let outcome = actions.check(template("Delay", ["seconds": "long"]))
        #expect(outcome.checked == nil && outcome.problems.map(\.code) == ["badParam"])
        let read = try #require(outcome.template)
        #expect(actions.check(read).problems == outcome.problems)
        let failure = #expect(throws: Failure.self) { try actions.start(read, OpenedWorkspace.terms) }
        #expect(failure?.code == "badTemplate" && failure?.message == outcome.problems[0].description)
        #expect(try count() == 0)
    }

    @Test(
        arguments: [
            ("no JSON", "badJSON"), ("[]", "badTemplate"),
            (#"{"schema": "app.workflow/v1", "name": "Test", "nodes": [], "edges": []}"#, "badSchema"),
        ])
    func aTextThatIsNoTemplateHasProblemsOnly(text: String, code: String) {
        let outcome = actions.check(Array(text.utf8))
        #expect(outcome.checked == nil)
        #expect(outcome.problems.map(\.code.text).contains(code), "\(outcome.problems)")
    }

    /// The graph of a template whose inputs come later is not the graph that runs.
    @Test func aTemplateWithInputsThatComeLaterIsNotReadyToStart() throws {
        let bytes = template("ReplaceText", ["find": "a"])
        #expect(!actions.check(bytes).problems.isEmpty)
        let outcome = actions.check(bytes, [Template.Endpoint("step", "text")])
        #expect(outcome.problems.isEmpty && outcome.template != nil && outcome.checked == nil)
    }

    /// A seal in a foreign template would use a secret that does not belong to it.
    @Test func onlyTheWorkflowOfASealMayHaveIt() throws {
        let key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"
        let bytes = template("Text", ["text": .string("It is \(key).")])
        let id = try actions.start(try #require(actions.check(bytes).checked), OpenedWorkspace.terms)
        let stored = try #require(try records.template(id))
        let text = Reruns(opened.shared).written(stored).text
        #expect(!text.contains(key) && !stored.seals.isEmpty, "\(text)")
        #expect(actions.check(Array(text.utf8)).problems.map(\.code) == ["sealedValue"])
        #expect(actions.checkChanged(Array(text.utf8), stored).problems.isEmpty)
    }

    // MARK: Starts

    @Test func theRootIsNoFolderToWorkIn() throws {
        let checked = try #require(actions.check(template("Text", ["text": "x"])).checked)
        let failure = #expect(throws: Failure.self) { try actions.start(checked, OpenedWorkspace.terms, in: "/") }
        #expect(failure?.code == "badUsage")
        #expect(try count() == 0)
        let folder = opened.scratch.path
        let id = try actions.start(checked, OpenedWorkspace.terms, in: folder)
        #expect(try records.summary(id)?.record.workspace == folder)
    }

    /// A wrong file could hide a rule of the user's.
    @Test(arguments: ["settings.yaml", "models.yaml", "connections.yaml"]) func nothingStartsWithWrongSettings(
        file: String
    ) throws {
        let checked = try #require(actions.check(template("Text", ["text": "x"])).checked)
        try ScratchFolder.makeFolder(opened.shared.folders.config)
        try ScratchFolder.write("mode: sometimes\n", to: "\(opened.shared.folders.config)/\(file)")
        let failure = #expect(throws: Failure.self) { try actions.start(checked, OpenedWorkspace.terms) }
        #expect(failure?.code == "badSettings", "\(failure.map { "\($0)" } ?? "none")")
        #expect(failure?.description.contains(file) == true)
        #expect(try count() == 0)
    }

    /// A plan of a model must not undo: only a user does.
    @Test func theToolThatUndoesIsForNoTemplate() throws {
        var node = Template.Node(id: "undo", kind: Template.undoKind)
        node.params["request"] = "x"
        let undo = Template(name: "Test", nodes: [node])
        #expect(!actions.check(undo).problems.isEmpty)
        let failure = #expect(throws: Failure.self) { try actions.start(undo, OpenedWorkspace.terms) }
        #expect(failure?.code == "badTemplate")
        #expect(try count() == 0)
    }
}
