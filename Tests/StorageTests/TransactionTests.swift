import GRDB
@testable import Storage
import Testing

/// What a transaction leaves, and that the next one can begin.
@Suite struct TransactionTests {
    private struct Refusal: Error {}

    @Test(arguments: ["kept", "dropped", "failed", "refused by COMMIT", "rolled back by SQLite"])
    func aTransactionIsKeptWholeOrNotAtAll(ending: String) throws {
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TABLE rows (id INTEGER PRIMARY KEY);
                    CREATE TABLE others (id INTEGER REFERENCES rows (id) DEFERRABLE INITIALLY DEFERRED);
                    INSERT INTO rows VALUES (1)
                    """)
            func play() throws {
                try db.transaction {
                    try db.cachedStatement(sql: "INSERT INTO rows VALUES (?)").run([2])
                    switch ending {
                    case "failed": throw Refusal()
                    case "refused by COMMIT": try db.execute(sql: "INSERT INTO others VALUES (9)")
                    // A body that goes on after such an error must not have kept anything.
                    case "rolled back by SQLite": try? db.execute(sql: "INSERT OR ROLLBACK INTO rows VALUES (1)")
                    default: break
                    }
                    return ending == "dropped" ? .rollback : .commit
                }
            }
            switch ending {
            case "kept", "dropped": try play()
            case "failed": #expect(throws: Refusal.self) { try play() }
            default: #expect(throws: DatabaseError.self) { try play() }
            }
            #expect(!db.isInsideTransaction)
            let count = ending == "kept" ? 2 : 1
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM rows") == count)
            try db.transaction {
                try db.execute(sql: "INSERT INTO rows VALUES (3)")
                return .commit
            }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM rows") == count + 1)
        }
    }
}
