import Harness
import Testing
import Vocabulary

@testable import Storage

/// The marks of events that one of many processes reports.
@Suite struct ToldEventTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test func eachEventIsClaimedOnceByAnyProcess() throws {
        let (one, other) = (try Archive(folder: scratch.path), try Archive(folder: scratch.path))
        let now = Moment(milliseconds: 5)
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "new", workspace: "/w", createdAt: now, updatedAt: now)
        let id = try one.create(record, template: "{}", owner: "me") { _ in [] }.0.id
        #expect(try one.tell(of: id, entry: 4) && !other.tell(of: id, entry: 4) && other.tell(of: id, entry: 5))
        // Without an end, there is nothing to report.
        #expect(try !one.tell(of: id, entry: nil) && !one.tell(of: WorkflowID(99), entry: 1))
        func end() throws {
            try one.write { db in
                try Archive.insert([Event(at: now, workflow: id, .workflowFinished(.failed, outputs: []))], db)
            }
        }
        try end()
        #expect(try other.tell(of: id, entry: nil) && !one.tell(of: id, entry: nil))
        // The end of the next try is another event.
        try end()
        #expect(try one.tell(of: id, entry: nil) && !other.tell(of: id, entry: nil))
        #expect(try one.faults().isEmpty && one.alteredRows().isEmpty)
        for archive in [one, other] { archive.close() }
    }
}
