import Glibc
package import Vocabulary

extension Limits {
    /// How often a change of a file starts again because another program saved the file in the meantime.
    package static let configTries = 5
}

extension ConfigFile {
    /// Changes the text of the file, while other processes wait. A change by another program in the meantime is kept.
    /// The new text replaces the old one completely or not at all. Mode, owner, links and a byte order mark stay.
    ///
    /// - Parameters:
    ///   - wish: the line that the user is asked to write if the change is not possible.
    ///   - edit: returns the new text for the old one, which is empty if the file is absent, or nil if nothing must
    ///     change. It also checks that the new text has the intended meaning. It is called again if the file has
    ///     changed in the meantime.
    /// - Throws: `badSettings` if the file cannot be read or changed, `storageReadOnly` if the disk refuses, and the
    ///   failures of `edit`.
    package func change(_ wish: String, _ edit: (_ text: String) throws(Failure) -> String?) throws(Failure) {
        let lock = try lockedFolder()
        defer { close(lock) }
        for _ in 0..<Limits.configTries {
            let old: Contents?
            let text: String
            do throws(Problem) {
                old = try contents()
                text = try old.map { contents throws(Problem) in try self.text(of: contents.bytes) } ?? ""
                if old == nil, let fault = OwnerRule.faultOfFolder(of: path, below: root) {
                    throw Problem(.badRights, at: path, fault)
                }
            } catch { throw .badSettings([error]) }
            guard var new = try edit(text), new != text else { return }
            // A file of 0 bytes would be refused.
            if new.isEmpty, emptyRemedy != nil { new = "# Nothing here differs from the defaults.\n" }
            let bytes = (old.map { Self.hasMark($0.bytes) } ?? false ? Self.mark : []) + Array(new.utf8)
            guard bytes.count <= limit else {
                throw Failure(
                    .badSettings, "\(path) is not changed: it would have more than \(limit) bytes.",
                    remedy: "Remove what you do not need."
                )
            }
            if try store(bytes, over: old, wish) { return }
        }
        throw Failure(
            .badSettings, "\(path) is not changed: another program changes it all the time.",
            remedy: "Write into it: \(wish)")
    }

    /// Returns a descriptor of the file's folder, locked against all other writers of Assent.
    private func lockedFolder() throws(Failure) -> Int32 {
        let folder = Self.folder(of: path)
        try Folders.make(folder)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw readOnly("the folder \(folder) cannot be opened (\(String(cString: strerror(errno))))")
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                throw readOnly("the folder \(folder) cannot be locked")
            }
        }
        return descriptor
    }

    /// Writes a file beside the target, then renames it to the target.
    ///
    /// - Returns: false, with nothing changed, if the file is no longer `old`.
    private func store(_ bytes: [UInt8], over old: Contents?, _ wish: String) throws(Failure) -> Bool {
        // A link stays, and its target is replaced.
        let target = old == nil ? path : Folders.real(path) ?? path
        if let old, old.status.st_nlink > 1 {
            throw Failure(
                .badSettings,
                "\(path) is not changed: the file has another name (a hard link), and a change would part the two.",
                remedy: "Write into it: \(wish)")
        }
        if let old, old.status.st_mode & 0o222 == 0 {
            throw readOnly("the file is read-only, and a change would replace it")
        }
        let beside = try written(bytes, beside: target, like: old?.status)
        let now = (try? contents()) ?? nil
        guard now?.bytes == old?.bytes, (now == nil) == (old == nil), now != nil || Self.isAbsent(path) else {
            unlink(beside)
            return false
        }
        guard rename(beside, target) == 0 else {
            let words = String(cString: strerror(errno))
            unlink(beside)
            throw readOnly(words)
        }
        // The folder is synced, so that the name of the file survives a power cut, too.
        let folder = open(Self.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            _ = fsync(folder)
            close(folder)
        }
        guard ((try? contents()) ?? nil)?.bytes == bytes else {
            throw Failure(
                .badSettings, "\(path) is not what was written to it.",
                remedy: "Look at it: another program has changed it.")
        }
        return true
    }

    /// Returns the path of a new file with the bytes, synced to the disk, with the mode and the owner of the old file.
    private func written(_ bytes: [UInt8], beside target: String, like status: stat?) throws(Failure) -> String {
        var number = 0
        var beside = ""
        var descriptor: Int32 = -1
        repeat {
            beside = "\(target).\(getpid())-\(number).new"
            descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            number += 1
        } while descriptor < 0 && errno == EEXIST && number < 100
        guard descriptor >= 0 else { throw readOnly(String(cString: strerror(errno))) }
        var isWritten = FileSystem.write(bytes, to: descriptor)
        if let status {
            // Only root can give a file to another user. Any user can set a group of their own.
            if status.st_uid != geteuid() || status.st_gid != getegid() {
                _ = fchown(descriptor, status.st_uid, status.st_gid)
            }
            isWritten = isWritten && fchmod(descriptor, status.st_mode & 0o7777) == 0
        }
        isWritten = isWritten && fsync(descriptor) == 0
        let words = String(cString: strerror(errno))
        close(descriptor)
        guard isWritten else {
            unlink(beside)
            throw readOnly(words)
        }
        return beside
    }

    private func readOnly(_ why: String) -> Failure {
        Failure(
            .storageReadOnly, "\(path) cannot be written: \(why).",
            remedy: "Look at the rights and the space of the folder.")
    }

    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
}

extension Failure {
    /// Returns the failure for a file of the config folder with problems, of which it names the first.
    package static func badSettings(_ problems: [Problem]) -> Failure {
        let first = problems.first
        let more =
            problems.count > 1
            ? "There are \(problems.count) faults in all: 'assent doctor' lists them." : "Then run 'assent doctor'."
        return Failure(
            .badSettings,
            first.map { $0.place.isEmpty ? $0.message : "\($0.place): \($0.message)" }
                ?? "The settings cannot be used.",
            remedy: "Correct the file. \(more)")
    }
}
