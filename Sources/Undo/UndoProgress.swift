import Files
import Vocabulary

/// The progress of an interrupted undo: which changes have been reversed already, or were never made.
///
/// A path may be changed several times, so its state alone does not show which of its changes stand. Changes are made,
/// and reversed, in a fixed order. If the states of all paths fit some number of reversals, that many are reversed.
/// Otherwise another process has changed a file, and each path is compared with its own changes only.
struct UndoProgress {
    /// Whether each change need not be reversed, the newest change first.
    private(set) var isReversed: [Bool]
    /// Whether the states of a change's paths occur in the record, for each change. Otherwise it is not known whether
    /// the change was made.
    private(set) var isKnown: [Bool]

    /// - Parameter changes: the changes, the newest first.
    init(_ changes: [FileChange], files: borrowing some FileReading & ~Copyable) {
        var now: [[UInt8]: FileState?] = [:]
        for step in changes.flatMap(\.steps) where now[step.path] == nil {
            now.updateValue(files.state(of: String(decoding: step.path, as: UTF8.self)), forKey: step.path)
        }
        isKnown = changes.map { _ in true }
        if let whole = Self.whole(changes, now) {
            isReversed = whole
        } else {
            (isReversed, isKnown) = Self.each(changes, now)
        }
    }

    /// Returns, for each change, whether it is reversed, or `nil` if another process has changed a file. If several
    /// numbers of reversals fit, the smallest counts.
    private static func whole(_ changes: [FileChange], _ now: [[UInt8]: FileState?]) -> [Bool]? {
        var (differing, seen) = (Set<[UInt8]>(), Set<[UInt8]>())
        for step in changes.flatMap(\.steps)
        where seen.insert(step.path).inserted && !isSame(now[step.path], step.after, step) {
            differing.insert(step.path)
        }
        for (number, change) in changes.enumerated() {
            guard !differing.isEmpty else { return changes.indices.map { $0 < number } }
            for step in change.steps {
                if isSame(now[step.path], step.before, step) {
                    differing.remove(step.path)
                } else {
                    differing.insert(step.path)
                }
            }
        }
        return differing.isEmpty ? changes.map { _ in true } : nil
    }

    /// Returns, for each change, whether it is reversed, and whether that is known. A change is reversed if each of its
    /// paths has the state before the change, or before an older one.
    private static func each(_ changes: [FileChange], _ now: [[UInt8]: FileState?]) -> (
        isReversed: [Bool], isKnown: [Bool]
    ) {
        // For each path, how many of its changes are reversed.
        var (count, reversed) = ([[UInt8]: Int](), [[UInt8]: Int]())
        for step in changes.flatMap(\.steps) {
            if count[step.path] == nil, isSame(now[step.path], step.after, step) { reversed[step.path] = 0 }
            count[step.path, default: 0] += 1
            if reversed[step.path] == nil, isSame(now[step.path], step.before, step) {
                reversed[step.path] = count[step.path]
            }
        }
        var seen: [[UInt8]: Int] = [:]
        let isReversed = changes.map { change in
            change.steps.allSatisfy { step in
                seen[step.path, default: 0] += 1
                return seen[step.path] ?? 0 <= reversed[step.path] ?? 0
            }
        }
        return (isReversed, changes.map { $0.steps.allSatisfy { reversed[$0.path] != nil } })
    }

    /// Compares two states. The permissions of a folder that the change creates or deletes are ignored, since no work
    /// is lost with them.
    private static func isSame(_ now: FileState??, _ state: FileState, _ step: FileChange.Step) -> Bool {
        guard let now = now ?? nil else { return false }
        return now.isSame(as: state) || now.isFolder && state.isFolder && (step.before.isAbsent || step.after.isAbsent)
    }
}

extension UndoProgress {
    /// Returns the numbers of the changes that were certainly made: the state of a path occurs only right after this
    /// change.
    ///
    /// - Parameter changes: the changes, in the order in which they are made.
    static func surelyMade(_ changes: [FileChange], files: borrowing some FileReading & ~Copyable) -> Set<Int> {
        // For each path its successive states, each with the number of the change that leads to it.
        var states: [[UInt8]: [(state: FileState, number: Int?)]] = [:]
        for (number, change) in changes.enumerated() {
            for step in change.steps { states[step.path, default: [(step.before, nil)]].append((step.after, number)) }
        }
        var made: Set<Int> = []
        for (path, known) in states {
            guard let now = files.state(of: String(decoding: path, as: UTF8.self)) else { continue }
            let fitting = known.filter { now.isExactly($0.state) }
            if fitting.count == 1, let number = fitting[0].number { made.insert(number) }
        }
        return made
    }
}

extension FileState {
    /// Returns whether two states are the same, the time of a file included.
    fileprivate func isExactly(_ other: FileState) -> Bool {
        guard case .file = self else { return isSame(as: other) }
        return isSame(as: other) && modified == other.modified
    }
}

extension FileChange {
    /// The effect of a change on one path.
    fileprivate struct Step {
        var path: [UInt8]
        var before: FileState
        var after: FileState
    }

    /// The steps of the change: one, or two for a move.
    fileprivate var steps: [Step] {
        [Step(path: Array(path.utf8), before: before, after: after)]
            + (source.map { [Step(path: Array($0.utf8), before: after, after: .absent)] } ?? [])
    }
}
