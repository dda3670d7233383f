import Files
import Vocabulary

/// The present paths of changes whose folder was moved by a later change.
///
/// A step may write `photos/a.txt`, and a later one may move `photos` to `pictures`. Undo moves the folder back first.
/// Until then the file is `pictures/a.txt`, and a plan must look at it there.
struct PresentPaths {
    /// A folder that was moved, and not moved back.
    private struct Move {
        var from: String
        var to: String
        /// The number of its change.
        var number: Int
    }

    /// The changes with the paths at which their files are now.
    private(set) var changes: [FileChange] = []
    /// The numbers of the moves of folders through which the paths of each change were found.
    private(set) var moves: [Set<Int>] = []
    /// The paths at which the content of each change is now, if it is a folder.
    private(set) var contents: [String] = []
    /// The present paths of folders that the changes moved.
    private(set) var movedTo: Set<[UInt8]> = []

    /// - Parameter written: the changes as they are recorded, the newest first.
    init(_ written: [FileChange], files: borrowing some FileReading & ~Copyable) {
        var later: [Move] = []
        // The states before the changes so far, by present path.
        var was: [[UInt8]: FileState] = [:]
        for (number, original) in written.enumerated() {
            var (change, through) = (original, Set<Int>())
            change.path = Self.present(original.path, later, &through)
            change.source = original.source.map { Self.present($0, later, &through) }
            var ignored: Set<Int> = []
            contents.append(Self.present(original.path, later, &ignored, takesFolder: true))
            changes.append(change)
            moves.append(through)
            defer {
                was[Array(change.path.utf8)] = change.before
                if let source = change.source { was[Array(source.utf8)] = change.after }
            }
            guard let source = change.source, let from = original.source, change.after.isFolder else { continue }
            // Each of the two places may be another now by a later change, which is undone first.
            // A folder that was moved twice is where the later move brought it.
            let place = contents[number]
            let (there, here) = (files.state(of: place), files.state(of: source))
            let wasThere = was[Array(place.utf8)]?.isFolder == true
            let stands =
                there?.isFolder == true
                ? was[Array(source.utf8)] != nil || here?.isAbsent == true
                : wasThere && (here?.isAbsent == true || was[Array(source.utf8)]?.isAbsent == true)
            guard stands else { continue }
            later.append(Move(from: from, to: original.path, number: number))
            movedTo.insert(Array(place.utf8))
        }
    }

    /// Follows a path through later moves, the earliest of which is the last in the list.
    private static func present(
        _ path: String, _ later: [Move], _ through: inout Set<Int>, takesFolder: Bool = false
    ) -> String {
        later.reversed().reduce(path) { path, move in
            if let below = path.path(below: move.from), takesFolder || !below.isEmpty {
                through.insert(move.number)
                return below.isEmpty ? move.to : move.to.child(below)
            }
            // What was here before the folder came is not here: nothing was in its way. The name is one that no file has.
            guard let below = path.path(below: move.to) else { return path }
            let before = sibling(of: move.to, ".assent-before-\(move.number).part")
            return below.isEmpty ? before : before.child(below)
        }
    }
}
