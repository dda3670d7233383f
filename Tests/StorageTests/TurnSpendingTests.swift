import CaseNames
import GRDB
import Harness
import Testing
import Vocabulary

@testable import Storage

/// What one turn of a conversation may spend, however many workflows it makes.
@Suite struct TurnSpendingTests {
    private let scratch: ScratchFolder
    private let archive: Archive
    private let now = Moment(milliseconds: 1_795_000_000_000)

    init() throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
    }

    private func workflow(_ session: SessionID?, turn: Int?, _ calls: String...) throws -> WorkflowID {
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "w", session: session, workspace: "/w", createdAt: now, updatedAt: now)
        let id = try archive.create(record, turn: turn, template: "{}", owner: "one") { _ in [] }.0.id
        try archive.write { db in
            for (attempt, call) in calls.enumerated() {
                try db.execute(
                    sql: "INSERT INTO decisions VALUES (?, 1, ?, 'd', ?, 'allow', '[]', 'auto', 'policy', 'e', 1)",
                    arguments: [id.number, attempt + 1, call])
            }
        }
        return id
    }

    private func price(_ millionths: Int) -> String { #"{"effects":["sends","spends"],"price":\#(millionths)}"# }

    @Test func onlyTheSameTurnOfTheSameSessionCounts() throws {
        let session = try archive.begin(title: "one", workspace: "/w", at: now).id
        let other = try archive.begin(title: "two", workspace: "/w", at: now).id
        let asking = try workflow(session, turn: 2, price(1))
        let same = try workflow(session, turn: 2, price(20), #"{"effects":["sends"],"price":7}"#, price(30))
        let free = try workflow(session, turn: 2)
        _ = try workflow(session, turn: 1, price(100))
        _ = try workflow(other, turn: 2, price(100))
        _ = try workflow(nil, turn: nil, price(100))
        let found = try archive.spendingOfTurn(of: asking).mapValues(\.spent.millionths)
        #expect(found == [same: 50, free: 0])
    }

    private func takeUp(_ id: WorkflowID, _ session: SessionID, turn: Int?) throws {
        let event = Event(
            at: now, session: session, turn: turn, workflow: id, .workflowChanged(Reason("retried", "It was retried.")))
        try archive.append(event)
    }

    /// The rest of what older turns might have spent is not this one's.
    @Test func whatATurnTakesUpAgainCountsInIt() throws {
        let session = try archive.begin(title: "one", workspace: "/w", at: now).id
        let first = try workflow(session, turn: 1, price(1))
        let second = try workflow(session, turn: 2, price(20))
        let made = try workflow(session, turn: 3, price(300))
        try takeUp(first, session, turn: 3)
        #expect(try archive.spendingOfTurn(of: second).isEmpty)
        try takeUp(second, session, turn: 3)
        #expect(try archive.spendingOfTurn(of: first).mapValues(\.spent.millionths) == [second: 20, made: 300])
        #expect(try archive.spendingOfTurn(of: made).mapValues(\.spent.millionths) == [first: 1, second: 20])
    }

    @Test func aChangeByThePersonJoinsNoTurn() throws {
        let session = try archive.begin(title: "one", workspace: "/w", at: now).id
        let typed = try workflow(session, turn: nil, price(1))
        let made = try workflow(session, turn: 1, price(20))
        try takeUp(made, session, turn: nil)
        #expect(try archive.spendingOfTurn(of: typed).isEmpty)
        #expect(try archive.spendingOfTurn(of: made).isEmpty)
    }

    @Test func oneOfNoConversationIsAlone() throws {
        let asking = try workflow(nil, turn: nil, price(1))
        _ = try workflow(nil, turn: nil, price(1))
        #expect(try archive.spendingOfTurn(of: asking).isEmpty)
    }

    /// As they were made before turns were stored with them.
    @Test func thoseOfNoTurnAreOfOne() throws {
        let session = try archive.begin(title: "one", workspace: "/w", at: now).id
        let asking = try workflow(session, turn: nil, price(1))
        let other = try workflow(session, turn: nil, price(5))
        #expect(try archive.spendingOfTurn(of: asking).mapValues(\.spent.millionths) == [other: 5])
    }
}
