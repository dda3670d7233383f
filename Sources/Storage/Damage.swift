import GRDB
import Vocabulary

/// Detection of damaged values while rows are read. A value that is not of its column's type comes from a damaged file,
/// since SQLite checks types only when it writes. GRDB would end the program at such a value, at every start. So it is
/// read as an empty value, and the caller gets `storageBroken`.
enum Damage {
    private final class Note: @unchecked Sendable { var column: String? }

    @TaskLocal private static var note: Note?

    /// Runs `body`, and throws if it has read a damaged value. `body` must stay on one thread, since the note of the
    /// damage belongs to the thread.
    ///
    /// - Parameter id: the workflow whose rows are read. The failure is then `workflowDamaged`, and concerns this
    ///   workflow only.
    static func watched<Value>(_ id: WorkflowID? = nil, _ body: () throws -> Value) throws -> Value {
        let note = Note()
        let value = try $note.withValue(note) { try body() }
        guard let column = note.column else { return value }
        guard id == nil else { throw Archive.workflowDamaged(words(of: column)) }
        throw Archive.damaged("a value of \"\(column)\" is none that was ever written")
    }

    static func words(of column: String) -> String { "A value of \"\(column)\" is none that was ever written." }

    /// Reads one row of many as far as it can be read, so that a damaged row does not hide the others.
    ///
    /// - Returns: the value, and the first column that could not be read, or nil if all could.
    static func leniently<Value>(_ body: () throws -> Value) rethrows -> (value: Value, damaged: String?) {
        let note = Note()
        let value = try $note.withValue(note) { try body() }
        return (value, note.column)
    }

    /// Reads one row of many. Returns nil if a part of it cannot be read.
    static func whole<Value>(_ body: () throws -> Value) rethrows -> Value? {
        let (value, damaged) = try leniently(body)
        return damaged == nil ? value : nil
    }

    fileprivate static func see(in column: String) {
        if note?.column == nil { note?.column = column }
    }

    /// The range of all numbers that Assent writes: ids, counts, bytes, milliseconds. Arithmetic with them does not
    /// overflow.
    fileprivate static let numbers: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
    /// The years 1970 to 9999.
    fileprivate static let moments: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension Archive {
    static func workflowDamaged(_ words: String) -> Failure {
        Failure(.workflowDamaged, words, remedy: "Run 'assent doctor --rebuild'.")
    }

    static func damaged(_ words: String) -> Failure {
        Failure(.storageBroken, "The database is damaged: \(words).", remedy: "Run 'assent doctor'.")
    }
}

// These subscripts take precedence over GRDB's own in all of this module.
extension Row {
    subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value { sound(column) }

    subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) -> Value { sound(column) }

    private func sound<Value: DatabaseValueConvertible>(_ column: String) -> Value {
        // The names of the columns are also read from the file, and may be damaged.
        let isThere = hasColumn(column)
        let value = isThere ? (self[column] as (any DatabaseValueConvertible)?)?.databaseValue ?? .null : .null
        if isThere, isPlausible(value, in: column), let read = Value.fromDatabaseValue(value) { return read }
        Damage.see(in: column)
        for nothing in [DatabaseValue.null, 0.databaseValue, "".databaseValue] {
            if let read = Value.fromDatabaseValue(nothing) { return read }
        }
        preconditionFailure("\(Value.self) stands in no column")
    }

    /// Returns the first column whose value has the wrong type or is out of all bounds, so that no subscript would read
    /// it. Returns nil if there is none.
    func damagedColumn(_ columns: [ColumnInfo]) -> String? {
        columns.first { column in
            guard hasColumn(column.name) else { return false }
            let value = (self[column.name] as (any DatabaseValueConvertible)?)?.databaseValue ?? .null
            let isOfType =
                switch (value.storage, column.type) {
                case (.null, _): !column.isNotNull
                case (.int64, "INTEGER"), (.double, "REAL"), (.blob, "BLOB"): true
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
