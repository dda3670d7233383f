import CProcess
import Glibc
import JSON
import Vocabulary

/// Loaders, lists, moves, deletions and archives.
struct FileTools {
    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    private var target: Call.Target? { context.call.targets.first }

    private func targetPath(_ index: Int = 0) throws(Failure) -> String {
        guard context.call.targets.indices.contains(index), case .path(let path) = context.call.targets[index].place else {
            throw Failure("badCall", "The call names no path.")
        }
        return path
    }

    func load(port: String, mustBePicture: Bool, on bench: inout Workbench) throws(Failure) -> [Asset] {
        let path = try targetPath()
        let cancel = bench.cancel
        let content = try context.store.add(
            context.files().reading(context.call.targets[0], path), path, isCancelled: { cancel.isCancelled })
        let name = safeName(lastName(of: try context.assignment.requiredText("path")))
        var meta = JSON.Object()
        let header = ImageHeader.read(context.store.path(content.hash))
        if let header { meta = header.meta(adding: meta) }
        if mustBePicture, header == nil { try checkIsPicture(content, name, &bench) }
        return context.assignment.asset(port, content, name: name, meta: meta).map { [$0] } ?? []
    }

    /// For formats that only libvips knows.
    private func checkIsPicture(_ content: AssetStore.Content, _ name: String, _ bench: inout Workbench) throws(Failure) {
        let asset = Asset(run: context.assignment.run, port: "image", type: .image, hash: content.hash, bytes: content.bytes, name: name)
        do throws(Failure) {
            _ = try bench.header(of: try bench.place(asset, as: "in-1.bin"))
        } catch {
            guard error.code == "processFailed" else { throw error }
            throw Failure("notAPicture", "\(name) is not a picture that can be read here.", remedy: "FileLoader takes any file.")
        }
    }

    func read() throws(Failure) -> [Asset] {
        let path = try targetPath()
        let bytes = try readWhole(context.files().reading(context.call.targets[0], path), path, limit: Limits.readFileBytes)
        let name = safeName(lastName(of: path))
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure("notText", "\(name) is not a text in UTF-8.", remedy: "FileLoader takes any file.")
        }
        return context.assignment.asset("text", try context.store.add(bytes), name: name).map { [$0] } ?? []
    }

    func list() throws(Failure) -> [Asset] {
        let path = try targetPath()
        let files = try context.files()
        let folder = try files.folder(path)
        let pattern = GlobPattern(context.assignment.text("pattern") ?? "*")
        let names = try folder.namesInText().filter(pattern.matches)
        let paths = try context.paths()
        let partial = Self.partial(of: names.count, most: Limits.listedFiles, "listed")
        var entries: [JSON] = []
        var lines: [String] = []
        for name in names.prefix(Limits.listedFiles) {
            let entry = path.child(name)
            guard let status = try status(of: name, at: entry, in: folder, files, paths) else { continue }
            let isFolder = status.kind == .folder
            // Of what may hold keys a size tells whether a guess is right. What cannot be looked at counts as bound from elsewhere.
            let hasSize =
                !isFolder && !status.hasOtherNames && !SecretFiles.areReached(by: entry) && (try? files.isOnOtherMount(entry)) == false
            let bytes = hasSize ? JSON.int(Int(status.st_size)) : nil
            entries.append(.of(["name": .string(name), "folder": isFolder ? true : nil, "bytes": bytes]))
            // A name with a newline must not pass for two.
            let shown = name.utf8.contains { $0 < 0x20 } ? JSON.string(name).text : name
            lines.append(isFolder ? shown + "/" : shown)
        }
        if partial != nil { lines.append("… and \(names.count - Limits.listedFiles) more") }
        return (try context.json(.array(entries)) + context.text(lines.joined(separator: "\n"))).map { $0.saying(partial) }
    }

    /// Of a link within the workspace, what it leads to; of another, itself: nothing is said of what lies outside.
    private func status(
        of name: String, at entry: String, in folder: borrowing OpenFolder, _ files: borrowing PersonFiles, _ paths: Paths
    ) throws(Failure) -> stat? {
        guard let status = try folder.status(of: name), status.kind == .link else { return try folder.status(of: name) }
        guard let real = try? paths.existing(entry), paths.reach(real) == .workspace else {
            return status
        }
        return (try? files.status(real)) ?? status
    }

    /// What is said where there is more than is taken; `nil` where all of it is.
    private static func partial(of count: Int, most: Int, _ done: String) -> String? {
        let left = count - most
        guard left > 0 else { return nil }
        return "These are the first \(most) of \(count) files; \(left) more \(left == 1 ? "is" : "are") not \(done)."
    }

    func move() throws(Failure) -> [Asset] {
        let files = try context.files()
        let from = try files.entry(try targetPath(0))
        let to = try files.entry(try targetPath(1), isMaking: true)
        let before = context.call.targets[0].before
        guard try from.isStill(before) else { throw targetChanged(from.path) }
        let run = RunFolder(context.assignment.runFolder)
        try run.write(.naming(from, to.path))
        if cfiles_rename_new(from.folder.descriptor, from.name, to.folder.descriptor, to.name) == 0 {
            guard try to.isStill(before) else {
                // Somebody was quicker: theirs goes back.
                _ = cfiles_rename_new(to.folder.descriptor, to.name, from.folder.descriptor, from.name)
                throw targetChanged(from.path)
            }
        } else {
            guard errno == EXDEV else { throw errno == EEXIST ? targetChanged(to.path) : fileFailure("move", from.path) }
            try moveAcross(from, to, before)
        }
        try to.folder.sync()
        return try moved(to)
    }

    /// For an attempt that was cut after its file had its name.
    func moved(to path: String) throws(Failure) -> [Asset] { try moved(context.files().entry(path)) }

    private func moved(_ to: borrowing FolderEntry) throws(Failure) -> [Asset] {
        guard try to.status()?.kind == .file else { return [] }
        let content = try context.store.add(to.file(), to.path)
        var meta = JSON.Object()
        meta["path"] = .string(to.path)
        return context.assignment.asset("file", content, name: to.name, meta: meta).map { [$0] } ?? []
    }

    /// To another file system: a whole copy first, then the original goes.
    private func moveAcross(_ from: borrowing FolderEntry, _ to: borrowing FolderEntry, _ before: Call.Before) throws(Failure) {
        let source = try from.file()
        var copy = try NewFile(in: to.folder)
        try copy.takeAfter(source, to.path)
        _ = try source.digest { piece throws(Failure) in try copy.file.write(piece) }
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
        try UndoCopies(context.toolbox.own).keep(entry, before: before, of: context.assignment.run)
        let hidden = NewFile.hiddenName()
        try RunFolder(context.assignment.runFolder).write(.deleting(path, before, hidden: sibling(of: path, hidden)))
        guard try entry.isStill(before) else { throw targetChanged(path) }
        try entry.remove(before, hidden: hidden)
        try entry.folder.sync()
        return []
    }

    /// The same files give the same bytes: `-X` leaves owners and times of access out, `-D` folders, and all times are one time.
    func zip(on bench: inout Workbench) throws(Failure) -> [Asset] {
        let (names, partial) = try gather(on: bench)
        // Names come as a list on a file, so that none is an option or a pattern, and no line is too long.
        let listed = names.map { "./files/\($0)" }.joined(separator: "\n") + "\n"
        try writeWhole(Array(listed.utf8), to: "\(bench.folder.path)/names")
        try bench.run(["sh", "-c", "exec zip -X -j -q -9 -nw archive.zip -@ < names"])
        let name = archiveName(default: "files.zip", [".zip"])
        return try bench.collect("file", from: "archive.zip", name: name).map { $0.saying(partial) }
    }

    /// Packs files as a tar.gz. The same files give the same bytes in any order: names are sorted, and owners, rights and times are the same
    /// for all.
    func tar(on bench: inout Workbench) throws(Failure) -> [Asset] {
        let (names, partial) = try gather(on: bench)
        var listed: [UInt8] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { listed += Array(name.utf8) + [0] }
        try writeWhole(listed, to: "\(bench.folder.path)/names")
        try bench.run(
            ["tar", "--create", "--file=archive.tar", "--format=gnu", "--mtime=@\(Self.packedTime)", "--owner=0", "--group=0"]
                + ["--numeric-owner", "--mode=0644", "--null", "--verbatim-files-from", "--no-recursion", "--directory=files"]
                + ["--files-from=names"])
        // Without the name and the time of the file in between.
        try bench.run(["gzip", "-9", "-n", "archive.tar"])
        let name = archiveName(default: "files.tar.gz", [".tar.gz", ".tgz"])
        return try bench.collect("file", from: "archive.tar.gz", name: name).map { $0.saying(partial) }
    }

    /// Copies the files to pack into the folder `files` of the run folder, each under a name of its own.
    /// - Returns: the names in the order of the inputs, and what is said where there are more files than are packed.
    private func gather(on bench: borrowing Workbench) throws(Failure) -> (names: [String], partial: String?) {
        let assets = context.assignment.inputs(variadic: "files")
        guard !assets.isEmpty else { throw Failure("missingInput", "There is no file to pack.") }
        var taken: Set<String> = []
        var names: [String] = []
        for asset in assets.prefix(Limits.zippedFiles) {
            let name = Self.free(safeName(asset.name), &taken)
            try copy(asset, to: "\(bench.folder.path)/files", name)
            names.append(name)
        }
        return (names, Self.partial(of: assets.count, most: Limits.zippedFiles, "packed"))
    }

    /// Returns the name that is asked for, with the first of the endings if it has none of them.
    private func archiveName(default name: String, _ endings: [String]) -> String {
        let name = safeName(context.assignment.text("name") ?? name)
        return endings.contains(where: name.lowercased().hasSuffix) ? name : name + endings[0]
    }

    /// 1 January 2000, in seconds since 1970: zip cannot say anything before 1980.
    private static let packedTime = 946_728_000

    private static func free(_ name: String, _ taken: inout Set<String>) -> String {
        let (stem, suffix) = stemAndSuffix(name)
        var candidate = name
        var number = 1
        while !taken.insert(candidate).inserted {
            candidate = "\(stem)-\(number)\(suffix)"
            number += 1
        }
        return candidate
    }

    private func copy(_ asset: Asset, to folder: String, _ name: String) throws(Failure) {
        try makeFolders(folder)
        let path = "\(folder)/\(name)"
        let source = try OpenFile(try context.store.path(of: asset), O_RDONLY)
        let copy = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        _ = try source.digest { piece throws(Failure) in try copy.write(piece) }
        var times = [timespec(tv_sec: Self.packedTime, tv_nsec: 0), timespec(tv_sec: Self.packedTime, tv_nsec: 0)]
        futimens(copy.descriptor, &times)
    }
}

extension Asset {
    fileprivate func saying(_ partial: String?) -> Asset {
        var asset = self
        if let partial { asset.partial = partial }
        return asset
    }
}
