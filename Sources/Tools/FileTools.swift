import CProcess
import Files
import Glibc
import JSON
import Pictures
import Sandbox
import Undo
import Vips
import Vocabulary

extension Limits {
    /// The most entries of a folder that `ListFiles` returns. The number of the others is reported.
    fileprivate static let listedFiles = 10_000
}

/// The tools that load, read, list, move and delete files.
struct FileTools {
    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    private var target: Call.Target? { context.call.targets.first }

    private func targetPath(_ index: Int = 0) throws(Failure) -> String {
        guard context.call.targets.indices.contains(index), case .path(let path) = context.call.targets[index].place
        else {
            throw Failure(.badCall, "The call names no path.")
        }
        return path
    }

    func load(port: String, mustBePicture: Bool, on bench: inout Workbench) throws(Failure) -> [Asset] {
        let path = try targetPath()
        let cancel = bench.cancel
        let file = try context.files().reading(context.call.targets[0], path)
        let content = try context.store.add(file, path, isCancelled: { cancel.isCancelled })
        let name = safeName(lastName(of: try context.assignment.requiredText("path")))
        var meta = JSON.Object()
        let header = ImageHeader.read(context.store.path(content.hash))
        if let header { meta = header.meta(adding: meta) }
        if mustBePicture { try PictureEnd.check(context.store.path(content.hash), header?.format, name: name) }
        if mustBePicture, header == nil { try checkIsPicture(content, name, &bench) }
        meta["from"] = try context.placeInWorkspace(path).map { .string($0) }
        meta[Asset.traitsKey] = try FileTraits(of: file, hash: content.hash).json
        return context.assignment.asset(port, content, name: name, meta: meta).map { [$0] } ?? []
    }

    /// Checks by libvips whether a file is a picture, for formats that Assent cannot read itself.
    ///
    /// - Throws: `notAPicture`.
    private func checkIsPicture(_ content: AssetStore.Content, _ name: String, _ bench: inout Workbench) throws(Failure)
    {
        let asset = Asset(
            run: context.assignment.run, port: "image", type: .image, hash: content.hash, bytes: content.bytes,
            name: name)
        do throws(Failure) {
            let file = try bench.place(asset, as: "in-1.bin")
            _ = try bench.fields(of: .file(file))
        } catch {
            guard error.code == .processFailed else { throw error }
            throw .notAPicture(name)
        }
    }

    func read() throws(Failure) -> [Asset] {
        let path = try targetPath()
        let file = try context.files().reading(context.call.targets[0], path)
        let bytes = try readWhole(file, path, limit: Limits.readFileBytes)
        let name = safeName(lastName(of: path))
        var meta = Asset.meta(of: try EncodedText(bytes, name).form)
        meta["from"] = try context.placeInWorkspace(path).map { .string($0) }
        let content = try context.store.add(bytes)
        meta[Asset.traitsKey] = try FileTraits(of: file, hash: content.hash).json
        return context.assignment.asset("text", content, name: name, meta: meta).map { [$0] } ?? []
    }

    func list() throws(Failure) -> [Asset] {
        let path = try targetPath()
        let files = try context.files()
        let folder = try files.folder(path)
        let pattern = GlobPattern(context.assignment.text("pattern") ?? "*")
        let names = try folder.shownNames().filter { pattern.matches($0.name) }
        let paths = try context.paths()
        let partial = Self.partial(of: names.count, most: Limits.listedFiles)
        var entries: [JSON] = []
        var lines: [String] = []
        for shown in names.prefix(Limits.listedFiles) {
            let name = shown.name
            guard shown.isText else {
                // The name cannot be written as a path, so only its kind is listed.
                let isFolder = shown.kind == .folder
                entries.append(.of(["name": .string(name), "folder": isFolder ? true : nil, "escaped": true]))
                lines.append(isFolder ? name + "/" : name)
                continue
            }
            let entry = path.child(name)
            guard let status = try status(of: name, at: entry, in: folder, files, paths) else { continue }
            let isFolder = status.kind == .folder
            // The size of a file of keys would confirm a guess of its content. A file that cannot be checked counts as
            // one from another mount.
            let hasSize =
                !isFolder && !status.hasOtherNames && !SecretFiles.areReached(by: entry)
                && (try? files.isOnOtherMount(entry)) == false
            let bytes = hasSize ? JSON.int(Int(status.st_size)) : nil
            entries.append(.of(["name": .string(name), "folder": isFolder ? true : nil, "bytes": bytes]))
            // A name with a newline must not look like two names.
            let line = name.utf8.contains { $0 < 0x20 } ? JSON.string(name).text : name
            lines.append(isFolder ? line + "/" : line)
        }
        if !partial.isEmpty { lines.append("… and \(names.count - Limits.listedFiles) more") }
        let text = lines.joined(separator: "\n")
        let isHere = try path == context.paths().workspace
        let assets =
            isHere
            ? try context.json(.array(entries)) + context.text(text)
            : try context.told(.array(entries), text, of: lastName(of: path), "files")
        return assets.map { $0.leavingOut(partial) }
    }

    /// Returns the status of an entry. A link is followed if it leads into the workspace. Otherwise the link itself is
    /// described, so that nothing outside is revealed.
    private func status(
        of name: String, at entry: String, in folder: borrowing OpenFolder, _ files: borrowing PersonFiles,
        _ paths: Paths
    ) throws(Failure) -> stat? {
        guard let status = try folder.status(of: name), status.kind == .link else { return try folder.status(of: name) }
        guard let real = try? paths.existing(entry), paths.reach(real) == .workspace else {
            return status
        }
        return (try? files.status(real)) ?? status
    }

    /// Returns a note about the entries that are left out, or an empty list if all are listed.
    private static func partial(of count: Int, most: Int) -> [LeftOut] {
        count > most ? [LeftOut(.files, count - most, of: count)] : []
    }

    func move() throws(Failure) -> [Asset] {
        let files = try context.files()
        let (path, newPath) = (try targetPath(0), try targetPath(1))
        let recording = try ChangeRecording(context)
        let folders = try recording.beginFolders(for: newPath, files)
        do throws(Failure) {
            let from = try files.entry(path)
            let to = try files.entry(newPath, isMaking: true)
            try move(from, to, folders, recording)
            try to.folder.sync()
            recording.end()
            return try moved(to)
        } catch {
            // If the move was done, it stays recorded, even if its result cannot be read.
            if (try? files.status(path)) != nil { recording.stopped(folders) }
            throw error
        }
    }

    private func move(
        _ from: borrowing FolderEntry, _ to: borrowing FolderEntry, _ folders: [FileChange],
        _ recording: ChangeRecording
    ) throws(Failure) {
        let before = context.call.targets[0].before
        guard let status = try from.status(), before.isStill(status) else { throw targetChanged(from.path) }
        var hash = ContentHash.ofNothing
        if case .file(_, _, _, _, let found?) = before { hash = found }
        let leadsTo = status.kind == .link ? try from.linkTarget() : nil
        let state = FileState(status, hash: hash, leadsTo: leadsTo)
        try recording.begin(folders + [FileChange(to.path, from: .absent, to: state, source: from.path)])
        try RunFolder(context.assignment.runFolder).write(.naming(from, to.path))
        if cfiles_rename_new(from.folder.descriptor, from.name, to.folder.descriptor, to.name) == 0 {
            guard try to.isStill(before) else {
                // Another process was faster, so its file is moved back.
                _ = cfiles_rename_new(to.folder.descriptor, to.name, from.folder.descriptor, from.name)
                throw targetChanged(from.path)
            }
        } else {
            guard errno == EXDEV else {
                throw errno == EEXIST ? targetChanged(to.path) : fileFailure("move", from.path)
            }
            try moveAcross(from, to, before)
        }
    }

    /// Returns the result of a move, for an attempt that was interrupted after the file had its new name.
    func moved(to path: String) throws(Failure) -> [Asset] { try moved(context.files().entry(path)) }

    private func moved(_ to: borrowing FolderEntry) throws(Failure) -> [Asset] {
        guard try to.status()?.kind == .file else { return [] }
        let content = try context.store.add(to.file(), to.path)
        var meta = JSON.Object()
        meta["path"] = .string(to.path)
        return context.assignment.asset("file", content, name: to.name, meta: meta).map { [$0] } ?? []
    }

    /// Moves a file to another file system: a complete copy first, then the original is deleted.
    private func moveAcross(_ from: borrowing FolderEntry, _ to: borrowing FolderEntry, _ before: Call.Before)
        throws(Failure)
    {
        let source = try from.file()
        var copy = try NewFile(in: to.folder)
        _ = try source.copyContent(to: copy.file)
        try copy.takeAfter(source, to.path)
        guard copy.file.setTime(try source.status().modifiedNanoseconds) else {
            throw fileFailure("change", to.path)
        }
        try copy.file.sync()
        let intent = try copy.intent(to: to.path, replacing: before, from: from.path)
        try RunFolder(context.assignment.runFolder).write(intent)
        guard try copy.name(to.name) else { throw targetChanged(to.path) }
        try from.remove(before, hidden: lastName(of: intent.hidden ?? NewFile.hiddenName()))
    }

    func delete() throws(Failure) -> [Asset] {
        let path = try targetPath()
        let entry = try context.files().entry(path)
        guard let before = target?.before, try entry.isStill(before) else { throw targetChanged(path) }
        let recording = try ChangeRecording(context)
        do throws(Failure) {
            try recording.begin([try deletion(of: entry, before, recording)], isLasting: true)
            let hidden = NewFile.hiddenName()
            try RunFolder(context.assignment.runFolder).write(
                .deleting(path, before, hidden: sibling(of: path, hidden)))
            guard try entry.isStill(before) else { throw targetChanged(path) }
            try entry.remove(before, hidden: hidden)
        } catch {
            recording.stopped([])
            throw error
        }
        try entry.folder.sync()
        recording.end()
        return []
    }

    /// Stores the file that will be deleted, and returns the change for undo.
    private func deletion(
        of entry: borrowing FolderEntry, _ before: Call.Before, _ recording: ChangeRecording
    ) throws(Failure) -> FileChange {
        guard let status = try entry.status() else { throw targetChanged(entry.path) }
        guard status.kind == .file, case .file(_, _, _, _, let hash?) = before else {
            return FileChange(
                entry.path, from: .link(to: try entry.linkTarget(), modified: status.modifiedNanoseconds), to: .absent)
        }
        let kept = try recording.records.keep(
            try entry.file(), entry.path, hash: hash, of: context.assignment.run, number: 0)
        return FileChange(entry.path, from: try FileState(of: entry.file(), hash: hash), to: .absent, kept: kept)
    }
}
