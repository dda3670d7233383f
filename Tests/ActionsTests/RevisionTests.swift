import CaseNames
import Harness
import JSON
import Services
import Storage
import Testing
import Vocabulary
import Workflows

@testable import Actions

/// New graphs of stored workflows, and duplicates of them.
@Suite struct RevisionTests {
    private let opened: OpenedWorkspace
    private var again: Reruns { Reruns(opened.shared) }
    private var records: WorkflowRecords { WorkflowRecords(opened.shared) }

    init() throws { opened = try OpenedWorkspace() }

    /// Stores a workflow with a step that feeds another one, and returns its number.
    private func started(_ terms: WorkflowStart = OpenedWorkspace.terms) throws -> WorkflowID {
        let actions = WorkflowActions(opened.shared)
        let outcome = actions.check(
            OpenedWorkspace.template(
                [("text", "Text", ["text": "x"]), ("join", "ReplaceText", ["find": "a"])],
                [("text.text", "join.text")]))
        return try actions.start(try #require(outcome.checked, "\(outcome.problems)"), terms)
    }

    // MARK: Graphs

    @Test func aNewGraphIsQueuedOnce() throws {
        let id = try started()
        let base = try #require(try again.planned(id))
        #expect(base.number == 1 && base.editable == base.template)
        var new = base.editable
        new.nodes[1].params["find"] = "b"
        let tried = try again.revise(id, new, base, "person", true)
        #expect(tried == RevisionOutcome(changed: [2]))
        #expect(try again.asked(id).isEmpty && again.planned(id) == base, "A dry run queues nothing.")
        #expect(try again.revise(id, new, base, "person", false) == tried)
        let planned = try #require(try again.planned(id))
        #expect(planned.number == 2 && planned.editable.nodes[1].params["find"] == "b")
        #expect(try again.asked(id).count == 1 && records.template(id)?.nodes[1].params["find"] == "a")
        let failure = #expect(throws: Failure.self) { try again.revise(id, base.editable, base, "person", false) }
        #expect(failure?.code == "nothingChanged")
        #expect(try again.asked(id).count == 1)
    }

    @Test func stepsAreAddedBehindTheOthersAndRemovedInTheirPlace() throws {
        let id = try started()
        let base = try #require(try again.planned(id))
        var new = base.editable
        new.nodes[1] = new.nodes[0]
        new.nodes[1].id = "more"
        new.edges = []
        let revised = try again.revise(id, new, base, "person", false)
        #expect(revised == RevisionOutcome(added: ["more"], removed: ["join"]))
        let planned = try #require(try again.planned(id))
        #expect(planned.template.nodes.map(\.id) == ["text", "join", "more"])
        #expect(planned.editable.nodes.map(\.id) == ["text", "more"])
    }

    /// Assent once stored graphs in which a step waits for a removed one. Such a graph can be edited.
    @Test func aStoredNameOfARemovedStepIsLeftOut() throws {
        let id = try started()
        let base = try #require(try again.planned(id))
        var stored = base.template
        stored.nodes[1] = Template.Node(id: "join", kind: "Removed", inputs: [], outputs: [])
        stored.nodes.append(stored.nodes[0])
        (stored.nodes[2].id, stored.nodes[2].after) = ("more", ["text", "join"])
        stored.edges = []
        try opened.shared.archive.get().put(
            .revise(template: stored.json.text, base: base.number), for: id, by: "person", at: OpenWorkspace.now())
        let planned = try #require(try again.planned(id))
        #expect(planned.template.nodes[2].after == ["text", "join"])
        #expect(planned.editable.nodes.map(\.after) == [[], ["text"]])
        var new = planned.editable
        new.nodes[1].params["text"] = "y"
        #expect(try again.revise(id, new, planned, "person", false) == RevisionOutcome(changed: [3]))
    }

    /// A fault of a graph.
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
        case badParam, noParam, badName, missingRequiredInput, unknownNode

        var testDescription: String { rawValue }

        /// The code of its problem.
        var code: String { self == .noParam ? "badParam" : rawValue }

        func put(into template: inout Template) {
            switch self {
            case .badParam: template.nodes[1].params["find"] = 7
            case .noParam: template.nodes[1].params["fnd"] = "b"
            case .badName: template.nodes[1].id = "two words"
            case .missingRequiredInput: template.edges = []
            case .unknownNode:
                // The step that is removed by this is still named.
                template.nodes[1] = template.nodes[0]
                (template.nodes[1].id, template.nodes[1].after) = ("more", ["join"])
                template.edges = []
            }
        }
    }

    @Test(arguments: Fault.allCases) func aGraphWithProblemsIsNotQueued(fault: Fault) throws {
        let id = try started()
        let base = try #require(try again.planned(id))
        var new = base.editable
        fault.put(into: &new)
        let revised = try again.revise(id, new, base, "person", false)
        #expect(revised.problems.map(\.code.text).contains(fault.code), "\(revised.problems)")
        #expect(revised == RevisionOutcome(problems: revised.problems))
        #expect(try again.asked(id).isEmpty && again.planned(id) == base)
    }

    @Test func thereIsNoGraphOfAnUnknownWorkflow() throws {
        let base = try #require(try again.planned(started()))
        let unknown = WorkflowID(7)
        let revised = #expect(throws: Failure.self) { try again.revise(unknown, base.editable, base, "person", false) }
        let duplicated = #expect(throws: Failure.self) { try again.duplicate(unknown) }
        #expect(revised?.code == "unknownWorkflow" && duplicated?.code == "unknownWorkflow")
        #expect(try again.list(WorkflowQuery()).count == 1)
    }

    // MARK: Keys

    /// Put together here, so that no scanner of this repository takes them for the key of a person.
    private static let letters = "a1B2c3D4e5F6g7H8i9J0"
    private static let keys = [
        "sk-" + letters, "sk-proj-" + letters + letters, "ghp_" + letters + letters, "AKIA" + "ABCDEFGHIJKLMNOP",
        "hf_" + letters + letters, "eyJ" + letters + "." + letters + "." + letters,
    ]

    /// The places of a graph in which a problem shows a word of the user's.
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case param, choice, step, kind, edge, port, known

        var testDescription: String { rawValue }

        func put(_ key: String, into template: inout Template) {
            switch self {
            case .param, .known: template.nodes[1].params[key] = 1
            case .choice:
                template.nodes[1].kind = "ChangeCase"
                template.nodes[1].params["find"] = nil
                template.nodes[1].params["case"] = .string(key)
            case .step: template.nodes[1].id = "a \(key)"
            case .kind: template.nodes[1].kind = "a \(key)"
            case .edge: template.edges[0].from.node = key
            case .port: template.edges[0].from.port = key
            }
        }
    }

    @Test(arguments: Place.allCases, keys) func aProblemOfANewGraphShowsNoKey(place: Place, key: String) throws {
        // This key has no form. It is known by its value.
        let key = place == .known ? "correct-horse-\(key.count)" : key
        if place == .known { opened.shared.keyRing.learn(key, called: "MY_KEY") }
        let id = try started()
        let base = try #require(try again.planned(id))
        var new = base.editable
        place.put(key, into: &new)
        let problems = try again.revise(id, new, base, "person", false).problems
        #expect(!problems.isEmpty)
        for problem in problems {
            #expect(!problem.description.contains(key.suffix(12)), "\(problem)")
        }
        #expect(problems.contains { $0.description.contains("⟨cut: ") }, "\(problems)")
        #expect(try again.asked(id).isEmpty)
    }

    /// A key that stands for a name without other faults.
    @Test(arguments: keys) func aKeyIsNoKind(key: String) throws {
        let id = try started()
        let base = try #require(try again.planned(id))
        var new = base.editable
        new.nodes[1].kind = key
        do {
            let revised = try again.revise(id, new, base, "person", false)
            #expect(revised.problems.map(\.code) == ["badName"], "A signed token has full stops.")
        } catch {
            #expect(error.code == "keyInName" && !error.description.contains(key.suffix(12)), "\(error)")
        }
        #expect(try again.asked(id).isEmpty && again.planned(id) == base)
    }

    // MARK: Duplicates

    @Test func aDuplicateHasTheGraphAndItsQuestionsWait() throws {
        let id = try started(WorkflowStart(mode: .alwaysAsk, onAsk: .inline))
        let copy = try again.duplicate(id)
        #expect(copy != id)
        #expect(try records.template(copy) == records.template(id))
        let record = try #require(try records.summary(copy)).record
        #expect(record.onAsk == .park && record.mode == .alwaysAsk)
        #expect(record.workspace == opened.shared.workspace && record.title == "Test")
        #expect(try records.steps(copy).map(\.state) == records.steps(id).map(\.state))
    }

    /// A wrong file could hide a rule of the user's.
    @Test func nothingIsDuplicatedWithWrongSettings() throws {
        let id = try started()
        try ScratchFolder.makeFolder(opened.shared.folders.config)
        try ScratchFolder.write("mode: sometimes\n", to: "\(opened.shared.folders.config)/settings.yaml")
        let failure = #expect(throws: Failure.self) { try again.duplicate(id) }
        #expect(failure?.code == "badSettings")
        #expect(try again.list(WorkflowQuery()).count == 1)
    }
}
