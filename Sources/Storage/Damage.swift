import GRDB
import Vocabulary

/// A value that is not of its column's type can only come of a damaged file: SQLite checks types when it writes, not when it reads. GRDB
/// would end the program there, and again at every start. So it is read as nothing, and whoever looks or writes gets `storageBroken`.
enum Damage {
    private final class Note: @unchecked Sendable { var column: String? }

    @TaskLocal private static var note: Note?

    /// All of it on one thread: the note is that thread's.
    static func watched<Value>(_ body: () throws -> Value) throws -> Value {
        let note = Note()
        let value = try $note.withValue(note) { try body() }
        if let column = note.column { throw Archive.damaged("a value of \"\(column)\" is none that was ever written") }
        return value
    }

    fileprivate static func see(in column: String) {
        if note?.column == nil { note?.column = column }
    }

    /// Beyond these no number of ours lies: ids, counts, bytes, milliseconds. Arithmetic with them does not overflow.
    fileprivate static let numbers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
    /// The years 1970 to 9999.
    fileprivate static let moments: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension Archive {
    static func damaged(_ words: String) -> Failure {
        Failure("storageBroken", "The database is damaged: \(words).", remedy: "Run 'assent doctor'.")
    }
}

// These stand before GRDB's own subscripts of the same form, for every line of this room.
extension Row {
    subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value { sound(column) }

    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) -> Value { sound(column) }

    private func sound<Value: DatabaseValueConvertible>(_ column: String) -> Value {
        // The names of the columns stand in the file, too.
        let isThere = hasColumn(column)
        let value = isThere ? (self[column] as (any DatabaseValueConvertible)?)?.databaseValue ?? .null : .null
        if isThere, isPlausible(value, in: column), let read = Value.fromDatabaseValue(value) { return read }
        Damage.see(in: column)
        for nothing in [DatabaseValue.null, 0.databaseValue, "".databaseValue] {
            if let read = Value.fromDatabaseValue(nothing) { return read }
        }
        preconditionFailure("\(Value.self) stands in no column")
    }

    private func isPlausible(_ value: DatabaseValue, in column: String) -> Bool {
        guard case .int64(let number) = value.storage else { return true }
        return (column == "at" || column.hasSuffix("_at") ? Damage.moments : Damage.numbers).contains(number)
    }
}
