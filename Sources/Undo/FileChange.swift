package import Files
package import JSON
import Vocabulary

/// A change that a step made to the user's files, with all that is needed to reverse it.
package struct FileChange: Hashable {
    /// A real path. For a move, it is the new one.
    var path: String
    var before: FileState
    var after: FileState
    /// The path at which the content of `before` is stored, or `nil` if there is none, or it was too large.
    var kept: String?
    /// The path from which a file was moved, or `nil`. In a move, `before` is `absent`, and `after` is the file.
    package var source: String?
    /// The folder in which the change was made, and for a move the folder that the file left. `nil` if it is not known.
    var place: FolderPlace?
    var sourcePlace: FolderPlace?
    /// The change that this one reverses, if it is one of an undo. Both are changes of records in the same data folder.
    var reverses: ChangeOrigin?

    package init(
        _ path: String, from before: FileState, to after: FileState, kept: String? = nil, source: String? = nil
    ) {
        self.path = path
        self.before = before
        self.after = after
        self.kept = kept
        self.source = source
    }
}

/// The action of undo for a change.
package enum UndoAction: Hashable {
    /// The path is as it was before the change.
    case nothing
    /// Removes what the step created.
    case remove
    /// Restores an entry that the step replaced or deleted.
    case restore
    /// Restores the permissions and the time of a file that has its old content, or the permissions of a folder.
    case setBack
    /// Moves a file back to its old path.
    case moveBack
    /// Leaves the path as it is.
    case leave(Difference)

    /// A reason to leave a path as it is.
    package enum Difference: String, Hashable {
        case changed = "was changed since"
        case touched = "has another time since"
        case gone = "is gone"
        case inTheWay = "is there again"
        case notEmpty = "holds other files"
        case noFolder = "has no folder any more"
        case behindLink = "lies behind a link now"
        case otherDisk = "lies on a disk that is not here"
        case folderInPlace = "is a folder now"
        case notKept = "was too large to keep"
        case lost = "is not kept any more"
        case writtenSince = "was kept, and a program that still had it open has written to the copy since"
        case special = "was a pipe, a socket or a device"
        case unreadable = "cannot be read"
        case lockedFolder = "lies in a folder that you may not change"
        case othersFile = "belongs to another user"
        case readOnly = "lies on a file system that is read-only"
        case noRoom = "does not fit on the disk"

        /// Whether what was there before is not kept as it was.
        package var isLoss: Bool { self == .notKept || self == .lost || self == .writtenSince }
    }

    package var isLeft: Bool { if case .leave = self { true } else { false } }
}

extension FileChange {
    /// Returns the action of undo for this change.
    ///
    /// - Parameters:
    ///   - now: the state of `path`, or `nil` if it cannot be read.
    ///   - source: the state of the path from which the file was moved, or `nil` if it cannot be read.
    func undoAction(now: FileState?, source: FileState? = .absent) -> UndoAction {
        guard let now, let source else { return .leave(.unreadable) }
        return self.source == nil ? reverse(now) : moveBack(now, source)
    }

    private func moveBack(_ now: FileState, _ source: FileState) -> UndoAction {
        switch (now.isSame(as: after), source.isAbsent) {
        case (true, true): .moveBack
        case (true, false): .leave(.inTheWay)
        case (false, _) where source.isSame(as: after): .nothing
        case (false, _): .leave(now.isAbsent ? .gone : .changed)
        }
    }

    private func reverse(_ now: FileState) -> UndoAction {
        if setsTime, let time = now.modified, now.isSame(as: after), time != after.modified, time != before.modified {
            return .leave(.touched)
        }
        // A folder that the step created may have other permissions now, which need not be kept.
        let isAfter = now.isSame(as: after) || before.isAbsent && now.isFolder && after.isFolder
        if now.isSame(as: before) { return hasOtherTime(now) ? .setBack : .nothing }
        guard isAfter else {
            if now.isFolder, !after.isFolder { return .leave(.folderInPlace) }
            return .leave(now.isAbsent ? .gone : after.isAbsent ? .inTheWay : .changed)
        }
        switch before {
        case .absent: return .remove
        case .folder: return after.isFolder ? .setBack : .restore
        case .link: return .restore
        case .file: return before.hasSameContent(as: now) ? .setBack : kept == nil ? .leave(.notKept) : .restore
        case .special: return .leave(.special)
        }
    }

    /// The reason why the change can never be reversed, whatever the state of its path is, or `nil` if it can.
    var loss: UndoAction.Difference? {
        guard source == nil, !before.isSame(as: after) else { return nil }
        switch before {
        case .file: return before.hasSameContent(as: after) || kept != nil ? nil : .notKept
        case .special: return .special
        case .absent, .link, .folder: return nil
        }
    }

    /// Whether the step left the content as it was, and only the time of the file differs now.
    private func hasOtherTime(_ now: FileState) -> Bool {
        guard before.isSame(as: after), let was = before.modified, let now = now.modified else { return false }
        return was != now
    }

    /// Whether the change leaves the content, and sets the time.
    private var setsTime: Bool {
        guard let was = before.modified, let time = after.modified, was != time else { return false }
        return before.isSame(as: after) || before.hasSameContent(as: after)
    }

    /// Whether the change sets nothing but the time.
    package var setsTimeOnly: Bool { setsTime && before.isSame(as: after) }
}

extension FileChange {
    var json: JSON {
        .of([
            "path": .string(path), "before": before.isAbsent ? nil : before.json,
            "after": after.isAbsent ? nil : after.json,
            "kept": kept.map { .string($0) }, "from": source.map { .string($0) }, "reverses": reverses?.json,
            "folder": place?.json, "fromFolder": sourcePlace?.json,
        ])
    }

    package init?(json: JSON) {
        guard let path = json["path"]?.string, !path.isEmpty, let before = FileState(json: json["before"] ?? .null),
            let after = FileState(json: json["after"] ?? .null)
        else { return nil }
        self.init(path, from: before, to: after, kept: json["kept"]?.string, source: json["from"]?.string)
        reverses = json["reverses"].flatMap { ChangeOrigin(json: $0) }
        place = json["folder"].flatMap { FolderPlace(json: $0) }
        sourcePlace = json["fromFolder"].flatMap { FolderPlace(json: $0) }
    }
}

extension ChangeOrigin {
    /// `["w3", 2, 1, 0]`: the workflow, the step, the attempt and the number of the change.
    fileprivate var json: JSON {
        [.string(run.step.workflow.description), .int(run.step.index), .int(run.attempt), .int(number)]
    }

    fileprivate init?(json: JSON) {
        guard let parts = json.array, parts.count == 4,
            let workflow = parts[0].string.flatMap({ WorkflowID(parsing: $0) }),
            let step = parts[1].int, let attempt = parts[2].int, let number = parts[3].int
        else { return nil }
        self.init(run: RunID(StepID(workflow, step), attempt: attempt), number: number)
    }
}
