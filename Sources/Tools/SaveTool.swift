import Files
import Glibc
import JSON
import Sandbox
import Undo
import Vocabulary

extension Limits {
    /// The most numbers that are tried for a new name, as in `photo-2.jpg`.
    fileprivate static let newNames = 10_000
}

/// The tools SaveFile and WriteFile. They write files completely or not at all, and replace only files that were
/// approved.
struct SaveTool {
    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    private var run: RunFolder { RunFolder(context.assignment.runFolder) }

    func save(on bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let target = context.call.targets.first else { throw Failure(.badCall, "The call names no target.") }
        let (asset, content) = try source()
        var losses: Set<FileTraits.Loss> = []
        let path = try write(content, like: asset?.traits, to: target, &bench.made, &losses)
        return try saved(content, as: asset, at: path).map { $0.leavingOut([LeftOut](losses)) }
    }

    private func saved(_ content: AssetStore.Content, as asset: Asset?, at path: String) throws(Failure) -> [Asset] {
        var meta = asset?.meta ?? JSON.Object()
        meta["path"] = .string(path)
        guard var saved = context.assignment.asset("file", content, name: lastName(of: path), meta: meta) else {
            return []
        }
        // A saved picture keeps its type, whatever type the port has.
        if let asset, saved.type.accepts(asset.type) { saved.type = asset.type }
        return [saved]
    }

    /// Returns the result of a save, for an attempt that was interrupted after the file had its name.
    func saved(at path: String) throws(Failure) -> [Asset] {
        let (asset, content) = try source()
        return try saved(content, as: asset, at: path)
    }

    private func source() throws(Failure) -> (Asset?, AssetStore.Content) {
        let assignment = context.assignment
        guard let asset = assignment.input("file") ?? assignment.input("text") else {
            return (nil, try context.store.add(try assignment.requiredText("text")))
        }
        return (asset, AssetStore.Content(hash: asset.hash, bytes: asset.bytes))
    }

    private func write(
        _ content: AssetStore.Content, like traits: FileTraits?, to target: Call.Target,
        _ made: inout [UInt64: FileStamp], _ losses: inout Set<FileTraits.Loss>
    ) throws(Failure) -> String {
        let files = try context.files()
        let recording = try ChangeRecording(context)
        switch target.place {
        case .newName(let folder, let stem, let suffix):
            let place = try files.folder(folder)
            return try filling(in: place, at: folder, content, traits, &made, &losses) { file throws(Failure) in
                let siblings = Siblings(of: file.folder)
                for number in 1...Limits.newNames {
                    guard let path = target.place.numbered(number) else { break }
                    let name = lastName(of: path)
                    // A name that another system would treat as the same is not used, either.
                    guard try file.folder.status(of: name) == nil, siblings.resembling(name) == nil else { continue }
                    try run.write(try file.intent(to: path))
                    try recording.begin([FileChange(path, from: .absent, to: try file.state(content.hash))])
                    if try file.name(name) { return path }
                }
                recording.stopped([])
                throw Failure(.noFreeName, "There is no free name left for \(stem)-N\(suffix).")
            }
        case .path(let path):
            let folders = try recording.beginFolders(for: path, files)
            do throws(Failure) {
                let entry = try files.entry(path, isMaking: true)
                // A file that is replaced stays what it was.
                let isNew = target.before == .absent
                return try filling(
                    in: entry.folder, at: parent(of: path), content, isNew ? traits : nil, &made, &losses
                ) { file throws(Failure) in
                    try run.write(try file.intent(to: path, replacing: target.before))
                    guard case .file(_, _, _, _, let hash?) = target.before else {
                        try recording.begin(
                            folders + [FileChange(path, from: .absent, to: try file.state(content.hash))])
                        guard try file.name(entry.name) else { throw targetChanged(path) }
                        return path
                    }
                    let old = try entry.file()
                    guard target.before.isStill(try old.status()) else { throw targetChanged(path) }
                    let kept = try recording.records.keep(old, path, hash: hash, of: context.assignment.run, number: 0)
                    guard target.before.isStill(try old.status()) else { throw targetChanged(path) }
                    try file.takeAfter(old, path)
                    let change = FileChange(
                        path, from: try FileState(of: old, hash: hash), to: try file.state(content.hash),
                        kept: kept)
                    try recording.begin([change], isLasting: true)
                    try file.replace(entry, target.before)
                    return path
                }
            } catch {
                recording.stopped(folders)
                throw error
            }
        case .host, .command: throw Failure(.badCall, "The call names no file.")
        }
    }

    /// Writes a new file in the target's folder, and lets `finish` give it its name.
    ///
    /// - Parameters:
    ///   - traits: what the file will be besides its content, or nil for a usual file.
    ///   - made: gets the stamp of the written file. A later write changes the stamp.
    ///   - losses: gets what could not be kept of the file that is copied.
    private func filling(
        in folder: borrowing OpenFolder, at folderPath: String, _ content: AssetStore.Content,
        _ traits: FileTraits?, _ made: inout [UInt64: FileStamp], _ losses: inout Set<FileTraits.Loss>,
        _ finish: (inout NewFile) throws(Failure) -> String
    ) throws(Failure) -> String {
        let source = try OpenFile(context.store.path(content.hash), O_RDONLY)
        var copy = try NewFile(in: folder)
        if copy.isHidden { try run.write(copy.intent(inFolder: folderPath)) }
        let (hash, _) = try source.digest { piece throws(Failure) in try copy.file.write(piece) }
        guard hash == content.hash else {
            throw Failure(.assetDamaged, "The stored content does not have its own hash.")
        }
        if let traits { losses = try copy.take(traits, isCopy: traits.isOfCopy(hash)) }
        try copy.file.sync()
        made = try copy.stamp()
        let path = try finish(&copy)
        try folder.sync()
        UndoRecords(context.toolbox.own).end(context.assignment.run)
        return path
    }
}
