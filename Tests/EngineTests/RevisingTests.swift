import CaseNames
import Harness
import JSON
import Storage
import Synchronization
import Testing
import Vocabulary

@testable import Engine

/// New graphs, each made from the one before.
struct RevisingTests {
    private static func template(_ value: Int) -> String {
        #"{"schema":"app.workflow/v2","name":"w","nodes":[{"id":"a","kind":"Delay","params":{"seconds":\#(value)}}],"edges":[],"#
            + #""options":{"errorPolicy":"isolate-node"}}"#
    }

    private func put(_ rig: EngineRig, _ text: String, base: Int?, for id: WorkflowID) throws(Failure) {
        try rig.archive.put(.revise(template: text, base: base), for: id, at: rig.state.withLock { $0.now })
    }

    private func changes(_ rig: EngineRig, _ id: WorkflowID) throws -> [String] {
        try rig.archive.changes(of: id).compactMap { $0.body["reason"]?.string }.filter { $0.hasPrefix("revis") }
    }

    /// Also of one look, in which several are heard; one of an older program takes the place of whichever holds.
    @Test func graphsThatWaitBecomeRevisionsOneByOne() async throws {
        let rig = try EngineRig()
        let id = try rig.make("a:Delay", params: ["a": #"{"seconds":1}"#])
        try put(rig, Self.template(2), base: 1, for: id)
        try put(rig, Self.template(3), base: 2, for: id)
        try put(rig, Self.template(4), base: nil, for: id)
        try put(rig, Self.template(5), base: 4, for: id)
        #expect(try rig.archive.plannedGraph(of: id)?.number == 5)
        try rig.start()
        try await rig.until { try changes(rig, id).count == 4 }
        #expect(try changes(rig, id) == ["revised", "revised", "revised", "revised"])
        let revisions = try rig.archive.revisions(of: id)
        #expect(revisions.map(\.number) == [1, 2, 3, 4, 5])
        #expect(revisions.dropFirst().map(\.template) == (2...5).map(Self.template))
    }

    /// Also one whose steps have names that nothing new may have.
    @Test("finding 11: an engine carries what is stored, whatever it is called") func anOldNameIsCarried() async throws
    {
        let rig = try EngineRig()
        let id = try rig.make("a.b:Delay ../x:Pass(a.b)", params: ["a.b": #"{"seconds":0}"#])
        try rig.start()
        try await rig.until { try rig.archive.summaries(only: id).first?.record.outcome == .succeeded }
    }

    /// Two who edit at once: the second is told so at once, and what it had seen is not lost.
    @Test func whoWasOvertakenIsRefused() throws {
        let rig = try EngineRig()
        let id = try rig.make("a:Delay", params: ["a": #"{"seconds":1}"#])
        try put(rig, Self.template(2), base: 1, for: id)
        let failure = #expect(throws: Failure.self) { try put(rig, Self.template(3), base: 1, for: id) }
        #expect(failure?.code == "revisionRefused")
        #expect(try rig.archive.waitingCommands(of: id).count == 1)
    }

    /// What was made from a graph that never came to hold is not taken for a change of the one that holds.
    @Test func whatWasMadeFromARefusedOneIsRefusedToo() async throws {
        let rig = try EngineRig()
        let id = try rig.make("a:Delay", params: ["a": #"{"seconds":1}"#])
        try put(rig, "{}", base: 1, for: id)
        try put(rig, Self.template(3), base: 2, for: id)
        try rig.start()
        try await rig.until { try changes(rig, id).count == 2 }
        #expect(try changes(rig, id) == ["revisionRefused", "revisionRefused"])
        let words = try rig.archive.changes(of: id).last { $0.body["reason"] == "revisionRefused" }?.body["words"]?
            .string
        #expect(words == "It was made from revision 2 of the graph; revision 1 holds now.")
        #expect(try rig.archive.plannedGraph(of: id)?.number == 1)
    }
}
