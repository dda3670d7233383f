import CProcess
import Files
import Glibc
import Vocabulary

/// The access to the user's files for the plan of an undo: their states, and the reasons why they cannot be changed.
extension PersonFiles: FileReading {
    func state(of path: String) -> FileState? {
        let entry: FolderEntry
        do throws(Failure) { entry = try self.entry(path) } catch {
            // Without its folder, a path is absent. So is one behind a link that the changes put in place of the folder.
            // Behind any other link nothing is known, and the plan leaves it.
            return error.code.isOne(of: .fileNotFound, .targetChanged) ? .absent : nil
        }
        return (try? entry.look()).map(FileState.init)
    }

    func names(in folder: String) -> [String]? { try? self.folder(folder).names() }

    func isBehindLink(_ path: String) -> Bool {
        do throws(Failure) { _ = try entry(path) } catch { return error.code == .targetChanged }
        return false
    }

    func isOnOtherDisk(_ change: FileChange) -> Bool {
        let places = [(change.place, change.path), (change.sourcePlace, change.source ?? change.path)]
        return places.contains { place, path in
            guard let place, let now = FolderPlace(of: path) else { return false }
            return now.isOnOtherDisk(than: place)
        }
    }

    func hindrance(to action: UndoAction, _ change: FileChange) -> UndoAction.Difference? {
        switch action {
        case .nothing, .leave: return nil
        case .setBack: return isReadOnly(change.path) ? .readOnly : isOthers(change.path) ? .othersFile : nil
        case .remove: return lock(on: change.path)
        case .restore:
            if let kept = change.kept, let hindrance = Self.hindrance(toCopy: kept, change.before.bytes) {
                return hindrance
            }
            return lock(on: change.path)
        case .moveBack:
            if let hindrance = lock(on: change.path) { return hindrance }
            guard let source = change.source else { return nil }
            return lock(on: source)
        }
    }

    var room: Int64 {
        guard let folder = try? self.folder(workspacePath) else { return .max }
        var system = statvfs()
        guard fstatvfs(folder.descriptor, &system) == 0, system.f_blocks > 0 else { return .max }
        let blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail
        let (bytes, isTooMany) = Int64(clamping: blocks).multipliedReportingOverflow(
            by: Int64(clamping: system.f_frsize))
        return isTooMany ? .max : bytes
    }

    /// Returns why a name in a folder cannot come or go. A folder that will be made by the undo itself locks nothing.
    private func lock(on path: String) -> UndoAction.Difference? {
        guard let folder = try? self.folder(parent(of: path)), let status = try? folder.file.status() else {
            return nil
        }
        let place = "/proc/self/fd/\(folder.descriptor)"
        if access(place, W_OK) != 0, errno == EROFS { return .readOnly }
        guard geteuid() != 0, status.st_uid != geteuid() else { return nil }
        if access(place, W_OK | X_OK) != 0 { return .lockedFolder }
        // In a folder such as /tmp only the owner of a file may take its name away.
        return status.st_mode & 0o1000 != 0 && isOthers(path) ? .othersFile : nil
    }

    private func isReadOnly(_ path: String) -> Bool {
        guard let folder = try? self.folder(parent(of: path)) else { return false }
        return access("/proc/self/fd/\(folder.descriptor)", W_OK) != 0 && errno == EROFS
    }

    private func isOthers(_ path: String) -> Bool {
        guard geteuid() != 0, let status = try? self.status(path) else { return false }
        return status.st_uid != geteuid()
    }

    /// Returns why a kept content cannot become a file with the owner that it had.
    private static func hindrance(toCopy kept: String, _ bytes: Int64?) -> UndoAction.Difference? {
        var status = stat()
        if let loss = FileChange.loss(ofCopy: kept, bytes, &status) { return loss }
        guard geteuid() != 0 else { return nil }
        guard status.st_uid == geteuid(), access(kept, R_OK) == 0 else { return .othersFile }
        return status.st_gid == getegid() || groups.contains(status.st_gid) ? nil : .othersFile
    }

    private static var groups: [gid_t] {
        let count = getgroups(0, nil)
        guard count > 0 else { return [] }
        var groups = [gid_t](repeating: 0, count: Int(count))
        let filled = getgroups(count, &groups)
        return Array(groups.prefix(Int(max(0, filled))))
    }
}

extension FileChange {
    /// Returns why the copy that undo needs does not serve, whatever the state of the path is, or `nil` if it does.
    var lossOfCopy: UndoAction.Difference? {
        guard let kept, case .file(let content) = before, !before.hasSameContent(as: after) else { return nil }
        var status = stat()
        return Self.loss(ofCopy: kept, content.bytes, &status)
    }

    /// Returns why a copy does not serve, or `nil` if it does.
    ///
    /// - Parameter bytes: the size that the content had, if it is known.
    fileprivate static func loss(ofCopy kept: String, _ bytes: Int64?, _ status: inout stat) -> UndoAction.Difference? {
        guard stat(kept, &status) == 0 else { return .lost }
        // A program that had the file open still has the copy that a command leaves.
        return bytes.map { Int64(status.st_size) != $0 } == true ? .writtenSince : nil
    }
}
