import Files
import Glibc
import Sandbox
import Vocabulary

// The files that a program reads besides its inputs: a command names them, or the parameters of the user's own tool.

extension Preparation {
    /// Returns the target of a path that a call names for reading, marked if it may hold keys.
    ///
    /// - Parameter reader: the word for messages, `command` or `tool`.
    /// - Throws: `badPath`, `fileNotFound`, `ownFolder`, `notAFile`, or `secretFile` for a folder of keys.
    func reading(_ written: String, by reader: String) throws(Failure) -> (
        target: Call.Target, reading: OutsideAccess.Reading
    ) {
        var target = try reading(written)
        guard let path = target.path, let status = try files.status(path) else {
            throw fileFailure("open", written, ENOENT)
        }
        guard !paths.isOwn(path) else {
            throw Failure(.ownFolder, "\(path) is in one of Assent's own folders; no \(reader) reads there.")
        }
        guard path != "/", !["/proc", "/sys", "/dev"].contains(where: { path.path(below: $0) != nil }) else {
            throw .noPlace(path, toReadFor: reader)
        }
        guard status.kind == .file || status.kind == .folder else {
            throw Failure(.notAFile, "\(written) is neither a file nor a folder.")
        }
        // A file with several names may have one that shows that it holds keys.
        let isByName = status.hasOtherNames || SecretFiles.holds(status.kind == .file ? path : "\(path)/x")
        guard status.kind == .file || !isByName else {
            throw Failure(.secretFile, "\(path) is a folder of keys.", remedy: "Name the very file that is needed.")
        }
        let isPrivate = if isByName { true } else { try isNoted(path, status) }
        target.isPrivate = isPrivate
        return (target, OutsideAccess.Reading(path: path, isFolder: status.kind == .folder, isPrivate: isPrivate))
    }

    /// Returns whether a file or folder is recorded as a result of keys, although its name does not show it.
    private func isNoted(_ path: String, _ status: stat) throws(Failure) -> Bool {
        guard var notes = try PrivateNotes(own) else { return false }
        guard status.kind == .file else { return notes.holds(folder: path, status) }
        return notes.holds(file: path, status) { () throws(Failure) in
            try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        }
    }

    /// Adds the files that the user's own tool reads. A tool that sends data gets no file that may hold keys, in any
    /// mode, and the user is not asked.
    ///
    /// - Parameter isSandboxed: whether files of keys in a folder are hidden from the tool. Otherwise, the folder
    ///   counts as a file of keys if it contains one.
    /// - Throws: `secretFile`.
    func fillReadings(_ call: inout Call, _ own: OwnFolders, _ store: AssetStore, isSandboxed: Bool) throws(Failure) {
        for param in assignment.manifest.params where param.kind == .path {
            guard let written = assignment.text(param.name) else { continue }
            var (target, reading) = try reading(written, by: "tool")
            if reading.isFolder, !isSandboxed {
                target.isPrivate = try !PrivateFiles.below(reading.path, own: own).isEmpty
            }
            call.targets.append(target)
        }
        guard assignment.manifest.effects.contains(.sends) else { return }
        let place = "another machine, as \(assignment.manifest.title) may do"
        if let path = call.targets.first(where: \.isPrivate)?.path { throw .secretFile(path, place) }
        try store.refusePrivate(assignment.assets, to: place)
    }
}

extension Failure {
    static func noPlace(_ path: String, toReadFor reader: String) -> Failure {
        Failure(
            .badPath,
            "\(path) is no place for a \(reader) to read: what is there is the machine, or is other programs.")
    }
}
