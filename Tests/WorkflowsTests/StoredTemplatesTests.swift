import JSON
import Testing
import Vocabulary

@testable import Workflows

/// A template that was stored is read once.
@Suite struct StoredTemplatesTests {
    private func template(_ name: String, edges: Int = 0) -> Template {
        let edge = Template.Edge(from: .init("a", "out"), to: .init("b", "in"))
        return Template(
            name: name, nodes: [.init(id: "a", kind: "Pass"), .init(id: "b", kind: "Pass")],
            edges: Array(repeating: edge, count: edges))
    }

    @Test func itIsKeptUnderItsWorkflowAndRevision() {
        let stored = StoredTemplates()
        #expect(stored.read(template("one").text, of: WorkflowID(1), revision: 1)?.name == "one")
        // Its text is not read: it would be another one.
        #expect(stored.read(template("other").text, of: WorkflowID(1), revision: 1)?.name == "one")
        #expect(stored.template(of: WorkflowID(1), revision: 2) == nil)
        #expect(stored.template(of: WorkflowID(2), revision: 1) == nil)
        #expect(stored.read(template("next").text, of: WorkflowID(1), revision: 2)?.name == "next")
        #expect(stored.template(of: WorkflowID(1), revision: 2)?.name == "next")
    }

    @Test func whatCannotBeReadIsNotKept() {
        let stored = StoredTemplates()
        #expect(stored.read("", of: WorkflowID(1), revision: 1) == nil)
        #expect(stored.read(template("one").text, of: WorkflowID(1), revision: 1)?.name == "one")
    }

    /// The oldest are forgotten; the newest one is kept however large it is.
    @Test func theyAreFewAndNotTooLarge() {
        let stored = StoredTemplates()
        for number in 1...20 { _ = stored.read(template("small").text, of: WorkflowID(Int64(number)), revision: 1) }
        #expect((1...20).count { stored.template(of: WorkflowID(Int64($0)), revision: 1) != nil } == 8)
        _ = stored.read(template("large", edges: 500_000).text, of: WorkflowID(21), revision: 1)
        #expect((1...21).filter { stored.template(of: WorkflowID(Int64($0)), revision: 1) != nil } == [21])
    }
}
