import JSON
package import Vocabulary

/// The place of a change: the attempt that made it, and its number in the record of that attempt.
package struct ChangeOrigin: Hashable {
    package var run: RunID
    package var number: Int
}

/// A record of the changes that a workflow has reversed.
struct Reversal: Hashable {
    var by: WorkflowID
    /// The numbers of the changes, or `nil` for all of them.
    var changes: Set<Int>?

    /// The JSON of the reversal. Consecutive numbers are stored as a range, such as `0-1199`.
    var json: JSON {
        .of(["by": .string(by.description), "changes": changes.map { .array(Self.ranges($0).map { .string($0) }) }])
    }

    init(by: WorkflowID, changes: Set<Int>?) { (self.by, self.changes) = (by, changes) }

    init?(json: JSON) {
        guard let by = json["by"]?.string.flatMap({ WorkflowID(parsing: $0) }) else { return nil }
        self.by = by
        guard let ranges = json["changes"]?.array else { return }
        var numbers: Set<Int> = []
        for range in ranges {
            let ends = (range.string ?? "").split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last, last - first <= Limits.rehearsedEntries
            else { return nil }
            numbers.formUnion(first...last)
        }
        changes = numbers
    }

    private static func ranges(_ numbers: Set<Int>) -> [String] {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers.sorted() {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    }
}

/// The history of changes and undos: which changes stand, and which are reversed. Each record is read once.
///
/// An undo is a workflow with records of its own. If it is undone in turn, the changes that it had reversed stand
/// again.
final class UndoHistory {
    private let records: UndoRecords
    private var recordsOf: [WorkflowID: [ChangeRecord]] = [:]
    private var openOf: [RunID: Set<Int>] = [:]

    init(_ records: UndoRecords) { self.records = records }

    /// Returns the records of a workflow, the newest first. Records that cannot be read are left out.
    func records(of workflow: WorkflowID) -> [ChangeRecord] {
        if let known = recordsOf[workflow] { return known }
        let found = records.runs(of: workflow).compactMap { run -> ChangeRecord? in
            (try? records.record(of: run)) ?? nil
        }.sorted(
            by: isNewer)
        recordsOf[workflow] = found
        return found
    }

    /// Returns the numbers of the changes of a record that stand.
    ///
    /// - Parameter besides: a running undo. Its reversals are ignored, so that it can go on after an interruption.
    func open(_ record: ChangeRecord, besides: WorkflowID? = nil, depth: Int = 0) -> Set<Int> {
        if besides == nil, let known = openOf[record.run] { return known }
        var open = Set(record.changes.indices)
        guard depth < Limits.undoChain else { return open }
        for reversal in records.reversals(of: record.run) where reversal.by != besides {
            open.subtract(standing(reversal, of: record, depth))
        }
        if besides == nil { openOf[record.run] = open }
        return open
    }

    /// Returns the workflows whose reversals of the record's changes are still in effect.
    func reversing(_ record: ChangeRecord) -> [WorkflowID] {
        records.reversals(of: record.run).filter { !standing($0, of: record, 0).isEmpty }.map(\.by)
    }

    /// Whether a workflow is the undo of an undo.
    func isRedo(_ workflow: WorkflowID) -> Bool {
        var (undone, count) = (records(of: workflow).lazy.compactMap(\.undoes).first, 0)
        while let next = undone, count < Limits.undoChain {
            count += 1
            undone = records(of: next).lazy.compactMap(\.undoes).first
        }
        return count > 0 && count.isMultiple(of: 2)
    }

    /// Returns the changes that a reversal still reverses.
    private func standing(_ reversal: Reversal, of record: ChangeRecord, _ depth: Int) -> Set<Int> {
        let numbers = reversal.changes ?? Set(record.changes.indices)
        let its = records(of: reversal.by).filter { !$0.changes.isEmpty }
        // The record of the undo was removed, so its reversals stand.
        guard !its.isEmpty else { return numbers }
        var (stands, hasOpen) = ([Int: Bool](), false)
        for inverse in its {
            let open = self.open(inverse, depth: depth + 1)
            hasOpen = hasOpen || !open.isEmpty
            for (number, change) in inverse.changes.enumerated() {
                guard let origin = change.reverses, origin.run == record.run else { continue }
                stands[origin.number] = stands[origin.number] ?? false || open.contains(number)
            }
        }
        // A change that was reversed already needs no change of its own in the undo. It stands or falls with the
        // others.
        return numbers.filter { stands[$0] ?? hasOpen }
    }
}

/// Orders records by time, the newest first.
func isNewer(_ one: ChangeRecord, _ other: ChangeRecord) -> Bool {
    (other.at, other.run.step.index, other.run.attempt) < (one.at, one.run.step.index, one.run.attempt)
}

/// The changes of a record that a request reverses.
package struct SelectedRecord {
    package var record: ChangeRecord
    /// The numbers of the changes.
    var open: Set<Int>
}
