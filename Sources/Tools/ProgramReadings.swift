import Glibc
import Vocabulary

// What a program reads besides its inputs: what a command names, and what the parameters of a person's own tool name.

extension Preparation {
    /// The target of one place that is named, marked where it may hold keys.
    ///
    /// - Parameter reader: `command`, `tool`.
    /// - Throws: `badPath`, `fileNotFound`, `ownFolder`, `notAFile`; `secretFile` for a folder of keys.
    func reading(_ written: String, by reader: String) throws(Failure) -> (
        target: Call.Target, reading: OutsideAccess.Reading
    ) {
        var target = try reading(written)
        guard let path = target.path, let status = try files.status(path) else {
            throw fileFailure("open", written, ENOENT)
        }
        guard !paths.isOwn(path) else {
            throw Failure("ownFolder", "\(path) is in one of Assent's own folders; no \(reader) reads there.")
        }
        guard path != "/", !["/proc", "/sys", "/dev"].contains(where: { path.path(below: $0) != nil }) else {
            throw .noPlace(path, toReadFor: reader)
        }
        guard status.kind == .file || status.kind == .folder else {
            throw Failure("notAFile", "\(written) is neither a file nor a folder.")
        }
        // Nobody knows what else a file with another name is called.
        let isByName = status.hasOtherNames || SecretFiles.holds(status.kind == .file ? path : "\(path)/x")
        guard status.kind == .file || !isByName else {
            throw Failure("secretFile", "\(path) is a folder of keys.", remedy: "Name the very file that is needed.")
        }
        let isPrivate = if isByName { true } else { try isNoted(path, status) }
        target.isPrivate = isPrivate
        return (target, OutsideAccess.Reading(path: path, isFolder: status.kind == .folder, isPrivate: isPrivate))
    }

    /// Returns whether a file or folder came of keys under a name that does not tell so.
    private func isNoted(_ path: String, _ status: stat) throws(Failure) -> Bool {
        guard var notes = try PrivateNotes(own) else { return false }
        guard status.kind == .file else { return notes.holds(folder: path, status) }
        return notes.holds(file: path, status) { () throws(Failure) in
            try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        }
    }

    /// What a person's own tool reads. In every mode: what may hold keys goes to none that sends, and nobody is asked
    /// for what is not done.
    ///
    /// - Parameter isSandboxed: whether what may hold keys in a folder is hidden from it; else the folder is as one of
    ///   these files.
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
            "badPath",
            "\(path) is no place for a \(reader) to read: what is there is the machine, or is other programs.")
    }
}
