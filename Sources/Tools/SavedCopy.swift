import Files
import Glibc
import Undo
package import Vocabulary

/// A content that the user saves as a file, outside of any workflow.
extension Toolbox {
    /// Finds the place for a file of the user's.
    ///
    /// - Parameters:
    ///   - typed: the path as it was typed, relative to `folder` or with `~/`. In a folder that is there the file is
    ///     called `name`.
    ///   - replaces: whether a file that is there gives way.
    /// - Returns: the real path.
    /// - Throws: `targetExists` if something is there, `ownFile` for a place among Assent's own files.
    package func placeForSaving(_ typed: String, named name: String, from folder: String, replaces: Bool)
        throws(Failure) -> String
    {
        let path = try place(typed, name, from: folder)
        guard !own.all.contains(where: { path.path(below: realPath($0)) != nil }) else {
            throw Failure(.ownFile, "\(path) is among Assent's own files.")
        }
        try refuse(try PersonFiles(workspace: parent(of: path)).entry(path).look().status, at: path, replaces)
        return path
    }

    private func refuse(_ status: stat?, at path: String, _ replaces: Bool) throws(Failure) {
        guard let status, !replaces || status.kind != .file else { return }
        let remedy = status.kind == .file ? "Choose another name, or say --overwrite." : "Choose another name."
        throw Failure(.targetExists, "\(path) is there already.", remedy: remedy)
    }

    /// Copies a content into a file of the user's, and records it for undo. The file has its name once it is whole.
    ///
    /// - Parameters:
    ///   - source: an opened file, whose bytes are copied.
    ///   - like: the traits that are stored with the content. Without them, those of the opened file count, unless it is
    ///     one of Assent's own.
    ///   - isPrivate: whether it may hold keys: then the new file is known to hold them, too.
    ///   - path: as `placeForSaving` found it. It is looked at again before anything is there.
    func save(
        _ source: ViewedFile, like: FileTraits?, isPrivate: Bool, to path: String, replaces: Bool,
        _ recording: ChangeRecording
    ) throws(Failure) {
        let files = try PersonFiles(workspace: parent(of: path))
        let entry = try files.entry(path)
        let look = try entry.look()
        try refuse(look.status, at: path, replaces)
        var copy = try NewFile(in: entry.folder)
        let hash = try source.copy { piece throws(Failure) in try copy.file.write(piece) }
        do throws(Failure) {
            if look.status == nil {
                let traits = if let like { like } else { try source.traits(hash, own) }
                if let traits {
                    _ = try copy.take(traits, isCopy: traits.isOfCopy(hash))
                }
                try copy.file.sync()
                try recording.begin([FileChange(path, from: .absent, to: try copy.state(hash))])
                guard try copy.name(entry.name) else { throw targetChanged(path) }
            } else {
                let old = try entry.file()
                let (before, _) = try old.digest()
                let kept = try recording.records.keep(old, path, hash: before, of: recording.run, number: 0)
                try copy.takeAfter(old, path)
                try copy.file.sync()
                let change = FileChange(
                    path, from: try FileState(of: old, hash: before), to: try copy.state(hash), kept: kept)
                try recording.begin([change], isLasting: true)
                try copy.replace(entry, look.before)
            }
        } catch {
            recording.stopped([])
            throw error
        }
        recording.end()
        if isPrivate { try PrivateNotes.note([path], own) }
    }

    private func place(_ typed: String, _ name: String, from folder: String) throws(Failure) -> String {
        var written = withHome(typed)
        try refuseNUL(written)
        if !written.hasPrefix("/") { written = "\(folder)/\(written)" }
        var status = stat()
        if written.hasSuffix("/") || stat(written, &status) == 0 && status.kind == .folder {
            while written.count > 1, written.hasSuffix("/") { written.removeLast() }
            written += "/" + safeName(name)
        }
        guard let real = realpath(parent(of: written), nil) else {
            throw Failure(
                .unknownFile, "There is no folder \(parent(of: written)).",
                remedy: "Make it, or name another place for the file.")
        }
        defer { free(real) }
        let last = lastName(of: written)
        guard ![".", "..", ""].contains(last) else { throw Failure(.badPath, "\(typed) is no name for a file.") }
        return String(cString: real).child(last)
    }
}
