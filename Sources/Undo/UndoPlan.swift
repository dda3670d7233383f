package import Files
import Vocabulary

/// The plan of an undo for a list of changes, made before any file is changed.
///
/// Later changes build on earlier ones. So each change is compared with the state that its path will have after the
/// newer changes are reversed.
package struct UndoPlan: Hashable {
    /// A change, and the action of undo for it.
    package struct Item: Hashable {
        package var change: FileChange
        package var action: UndoAction
        /// The state of the path before the action, or `nil` if it is not known.
        var now: FileState?
        /// The path at which the file is now, if its folder was moved by a later change, or `nil`.
        var present: String?
        /// The place of the change in the records, or `nil` in tests of the plan.
        package var origin: ChangeOrigin?

        package init(change: FileChange, action: UndoAction, now: FileState? = nil, origin: ChangeOrigin? = nil) {
            self.change = change
            self.action = action
            self.now = now
            self.origin = origin
        }

        /// The path that is in the way of a move back, or else the path of the change. A file that is left has its
        /// present path.
        package var path: String {
            guard action.isLeft else { return change.path }
            return action == .leave(.inTheWay) && change.source != nil ? change.source ?? "" : present ?? change.path
        }
    }

    /// The items in the order in which they are done.
    package private(set) var items: [Item] = []

    /// The items that change something.
    package var work: [Item] { items.filter { $0.action != .nothing && !$0.action.isLeft } }

    /// The items that are left as they are, one for each path.
    package var left: [Item] {
        var paths: Set<[UInt8]> = []
        return items.filter { $0.action.isLeft && paths.insert(Array($0.path.utf8)).inserted }
    }

    /// Makes the plan.
    ///
    /// - Parameters:
    ///   - changes: the changes, the newest first.
    ///   - origins: the places of the changes in the records, one for each, or an empty list.
    ///   - reversedCount: how many of the newest changes an interrupted undo has reversed, by its own records. The
    ///     state of a path may not show it: a folder that was deleted and created again is a folder before both changes
    ///     and after both.
    ///   - files: the present state of the paths.
    init(
        _ written: [FileChange], origins: [ChangeOrigin] = [], reversedCount: Int = 0,
        files: borrowing some FileReading & ~Copyable
    ) {
        // All is looked at where it is now. The items have the paths that the changes had.
        let present = PresentPaths(written, files: files)
        let changes = present.changes
        var leftMoves: Set<Int> = []
        // Bytes are compared: `é` written in two ways is two names.
        var known: [[UInt8]: FileState] = [:]
        // The paths that will be restored, by folder.
        var restored: [[UInt8]: Set<[UInt8]>] = [:]
        func set(_ path: String, _ state: FileState) {
            let (key, folder) = (Array(path.utf8), Array(parent(of: path).utf8))
            known[key] = state
            if state.isAbsent { restored[folder]?.remove(key) } else { restored[folder, default: []].insert(key) }
        }
        var room = files.room
        let isReversed = UndoProgress(changes, files: files).isReversed
        var touched: [[UInt8]: [FileState]] = [:]
        for change in changes {
            touched[Array(change.path.utf8), default: []] += [change.before, change.after]
            if let source = change.source { touched[Array(source.utf8), default: []] += [change.after, .absent] }
        }
        for (place, change) in changes.enumerated() {
            let origin = origins.indices.contains(place) ? origins[place] : nil
            func item(_ action: UndoAction, _ now: FileState? = nil) -> Item {
                var item = Item(change: written[place], action: action, now: now, origin: origin)
                item.present = present.moves[place].isEmpty ? nil : change.path
                return item
            }
            let isStuck = !present.moves[place].isDisjoint(with: leftMoves)
            if let why = isStuck ? .noFolder : Self.whyUnknown(change, touched, files) {
                if change.source != nil { leftMoves.insert(place) }
                items.append(item(.leave(why)))
                continue
            }
            guard !isReversed[place], place >= reversedCount else {
                items.append(item(.nothing))
                continue
            }
            func state(_ path: String) -> FileState? { Self.state(path, known, files, movedAway: present.movedTo) }
            let now = state(change.path)
            let source = change.source.map(state) ?? .absent
            var action = change.undoAction(now: now, source: source)
            switch action {
            case .restore, .moveBack:
                let folder = parent(of: change.source ?? change.path)
                // A folder that will be moved back holds what is restored before.
                if !present.movedTo.contains(Array(folder.utf8)), state(folder)?.isFolder != true {
                    action = .leave(.noFolder)
                }
            case .remove where now?.isFolder == true:
                let content = present.contents[place]
                let isEmptied = restored[Array(content.utf8)]?.isEmpty ?? true
                if !isEmptied || !Self.isEmpty(content, known, files) { action = .leave(.notEmpty) }
            case .nothing, .remove, .setBack, .leave: break
            }
            if action != .nothing, !action.isLeft, let hindrance = files.hindrance(to: action, change) {
                action = .leave(hindrance)
            }
            if action == .restore, let needed = change.before.bytes {
                if needed > room { action = .leave(.noRoom) } else { room -= needed }
            }
            items.append(item(action, now))
            if action.isLeft, change.source != nil { leftMoves.insert(place) }
            switch action {
            case .remove: set(change.path, .absent)
            case .restore, .setBack: set(change.path, change.before.withModeOfFolder)
            case .moveBack:
                set(change.path, .absent)
                if let source = change.source { set(source, change.after) }
            case .nothing, .leave: break
            }
        }
    }

    /// Returns why the place of a change cannot be looked at, so that its path is not as before, whatever is found
    /// there.
    ///
    /// - Parameter touched: the states that the changes gave each path. If a folder is in one of these states, the
    ///   states of the paths show which changes stand.
    private static func whyUnknown(
        _ change: FileChange, _ touched: [[UInt8]: [FileState]], _ files: borrowing some FileReading & ~Copyable
    ) -> UndoAction.Difference? {
        if files.isOnOtherDisk(change) { return .otherDisk }
        for path in [change.path, change.source].compactMap(\.self) {
            var (above, isTouched) = (parent(of: path), false)
            while above.utf8.count > 1, !isTouched {
                if let states = touched[Array(above.utf8)], let now = files.state(of: above) {
                    isTouched = states.contains { $0.isSame(as: now) || $0.isFolder && now.isFolder }
                }
                above = parent(of: above)
            }
            guard !isTouched else { continue }
            if files.isBehindLink(path) { return .behindLink }
            // What a step created in a folder that is gone was not removed by the undo.
            if change.source == nil, change.before.isAbsent, !change.after.isAbsent,
                files.state(of: parent(of: path))?.isAbsent == true
            {
                return .noFolder
            }
        }
        return nil
    }

    /// Returns the state that a path will have after the items so far.
    ///
    /// - Parameter movedAway: folders that will be moved back. Until then their content is looked at in them.
    private static func state(
        _ path: String, _ known: [[UInt8]: FileState], _ files: borrowing some FileReading & ~Copyable,
        movedAway: Set<[UInt8]>
    ) -> FileState? {
        if let state = known[Array(path.utf8)] { return state }
        // The content of a folder that will be removed is removed, too.
        var above = parent(of: path)
        while above.utf8.count > 1 {
            if movedAway.contains(Array(above.utf8)) { break }
            if let state = known[Array(above.utf8)] {
                if !state.isFolder { return .absent }
                break
            }
            above = parent(of: above)
        }
        return files.state(of: path)
    }

    private static func isEmpty(
        _ folder: String, _ known: [[UInt8]: FileState], _ files: borrowing some FileReading & ~Copyable
    ) -> Bool {
        // A folder that does not exist will contain only restored files.
        guard files.state(of: folder)?.isFolder == true else { return true }
        guard let names = files.names(in: folder) else { return false }
        return names.allSatisfy { known[Array(folder.child($0).utf8)]?.isAbsent == true }
    }
}

/// Access to the user's files for a plan.
protocol FileReading: ~Copyable {
    /// Returns the state of a path, or `nil` if it cannot be read.
    func state(of path: String) -> FileState?
    /// Returns the names in a folder, or `nil` if they cannot be read, or one is not UTF-8.
    func names(in folder: String) -> [String]?
    /// Whether a link stands in place of a folder of a path.
    func isBehindLink(_ path: String) -> Bool
    /// Whether the folder of a change is another one, on another disk, than when the change was made.
    func isOnOtherDisk(_ change: FileChange) -> Bool
    /// Returns the reason why an action is impossible although the states allow it, or `nil` if none is known.
    func hindrance(to action: UndoAction, _ change: FileChange) -> UndoAction.Difference?
    /// The free bytes on the file system of the workspace.
    var room: Int64 { get }
}

extension FileReading where Self: ~Copyable {
    func isBehindLink(_ path: String) -> Bool { false }

    func isOnOtherDisk(_ change: FileChange) -> Bool { false }

    func hindrance(to action: UndoAction, _ change: FileChange) -> UndoAction.Difference? { nil }

    var room: Int64 { .max }
}
