import GRDB
import Vocabulary

/// A value that is not of its column's type can only come of a damaged file: SQLite checks types when it writes, not
/// when it reads. GRDB would end the program there, and again at every start. So it is read as nothing, and whoever
/// looks or writes gets `storageBroken`.
enum Damage {
    private final class Note: @unchecked Sendable { var column: String? }

    @TaskLocal private static var note: Note?

    /// All of it on one thread: the note is that thread's.
    ///
    /// - Parameter id: whose rows are read: then it is that workflow which is damaged (`workflowDamaged`), and no
    ///   other.
    static func watched<Value>(_ id: WorkflowID? = nil, _ body: () throws -> Value) throws -> Value {
        let note = Note()
        let value = try $note.withValue(note) { try body() }
        guard let column = note.column else { return value }
        guard id == nil else { throw Archive.workflowDamaged(words(of: column)) }
        throw Archive.damaged("a value of \"\(column)\" is none that was ever written")
    }

    static func words(of column: String) -> String { "A value of \"\(column)\" is none that was ever written." }

    /// One row of many, as far as it can be read: it does not hide the others.
    ///
    /// - Returns: with it, the first column that could not be read.
    static func leniently<Value>(_ body: () throws -> Value) rethrows -> (value: Value, damaged: String?) {
        let note = Note()
        let value = try $note.withValue(note) { try body() }
        return (value, note.column)
    }

    /// One row of many: `nil` if not all of it can be read.
    static func whole<Value>(_ body: () throws -> Value) rethrows -> Value? {
        let (value, damaged) = try leniently(body)
        return damaged == nil ? value : nil
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
    static func workflowDamaged(_ words: String) -> Failure {
        Failure("workflowDamaged", words, remedy: "Run 'assent doctor --rebuild'.")
    }

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

    /// The first column whose value is not of its type, or out of all bounds: what no subscript of ours would read.
    func damagedColumn(_ columns: [ColumnInfo]) -> String? {
        columns.first { column in
            guard hasColumn(column.name) else { return false }
            let value = (self[column.name] as (any DatabaseValueConvertible)?)?.databaseValue ?? .null
            let isOfType =
                switch (value.storage, column.type) {
                case (.null, _): !column.isNotNull
                case (.int64, "INTEGER"), (.double, "REAL"): true
                case (.string, "TEXT"): String.fromDatabaseValue(value) != nil
                case (.int64, _), (.double, _), (.string, _), (.blob, _): false
                }
            return !isOfType || !isPlausible(value, in: column.name)
        }?.name
    }

    private func isPlausible(_ value: DatabaseValue, in column: String) -> Bool {
        guard case .int64(let number) = value.storage else { return true }
        return (column == "at" || column.hasSuffix("_at") ? Damage.moments : Damage.numbers).contains(number)
    }
}
