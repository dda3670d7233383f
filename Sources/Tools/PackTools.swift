import Files
import Glibc
import JSON
import Pictures
import Sandbox
import Vocabulary

extension Limits {
    /// The most files that one archive is made of. The number of the others is reported.
    package static let zippedFiles = 10_000
}

/// The tools that make archives, of files and of whole folders. Files of several folders keep the names of these
/// folders in the archive.
struct PackTools {
    let context: Builtin.Context
    let cancel: Cancellation

    /// Packs files as a zip, with their permissions and times (in seconds), folders and links. The same files give the
    /// same bytes.
    func zip(on bench: inout Workbench) throws(Failure) -> [Asset] {
        let (entries, partial) = try gather(on: bench)
        var zip = try PackedZip("\(bench.folder.path)/archive.zip")
        let folder = try OpenFolder("\(bench.folder.path)/files")
        for entry in entries {
            guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
            switch entry.kind {
            case .folder: try zip.add(folder: entry)
            case .link: try zip.add(link: entry)
            case .file, .special: try zip.add(file: entry, folder.file(entry.path))
            }
        }
        try zip.finish()
        let name = archiveName(default: "files.zip", [".zip"])
        return try bench.collect("file", from: "archive.zip", name: name).map { $0.leavingOut(partial) }
    }

    /// Packs files as a tar.gz, with their permissions and times, folders and links. The same files give the same bytes
    /// in any order: names are sorted, and owners are the same for all.
    func tar(on bench: inout Workbench) throws(Failure) -> [Asset] {
        let (entries, partial) = try gather(on: bench)
        let listed = entries.map { Array($0.path.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        try writeWhole(Array(listed.map { $0 + [0] }.joined()), to: "\(bench.folder.path)/names")
        // Times in nanoseconds, without a name of the process in the headers that hold them.
        try bench.run([
            "tar", "--create", "--file=archive.tar", "--format=posix",
            "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime", "--owner=0", "--group=0",
            "--numeric-owner", "--null", "--verbatim-files-from", "--no-recursion", "--hard-dereference",
            "--directory=files", "--files-from=names",
        ])
        // Without the name and the time of the file in between.
        try bench.run(["gzip", "-9", "-n", "archive.tar"])
        let name = archiveName(default: "files.tar.gz", [".tar.gz", ".tgz"])
        return try bench.collect("file", from: "archive.tar.gz", name: name).map { $0.leavingOut(partial) }
    }

    /// Copies all that is packed into the folder `files` of the run folder, each file of the inputs under a name of its
    /// own, and each folder of the parameters under its name.
    ///
    /// - Returns: the entries in the order of the inputs, and notes about what is left out.
    private func gather(on bench: borrowing Workbench) throws(Failure) -> (entries: [TreeEntry], partial: [LeftOut]) {
        let assets = context.assignment.inputs(variadic: "files")
        let paths = context.call.targets.filter { $0.effect == .reads }
        guard !assets.isEmpty || !paths.isEmpty else {
            throw Failure(.missingInput, "There is no file to pack: neither at the input nor in the parameter paths.")
        }
        let root = "\(bench.folder.path)/files"
        try makeFolders(root)
        let names = PackedNames.names(of: Array(assets.prefix(Limits.zippedFiles)))
        var entries: [TreeEntry] = []
        for (asset, name) in Swift.zip(assets, names) { entries.append(try copy(asset, name, in: root)) }
        let left = assets.count - names.count
        var partial = left > 0 ? [LeftOut(.files, left, of: assets.count)] : []
        try gather(paths, in: root, &entries, &partial)
        return (entries, partial)
    }

    /// Returns the requested name, with the first of the endings if it has none of them.
    private func archiveName(default name: String, _ endings: [String]) -> String {
        let name = safeName(context.assignment.text("name") ?? name)
        return endings.contains(where: name.lowercased().hasSuffix) ? name : name + endings[0]
    }

    /// 1 January 2000, in nanoseconds since 1970: the time of what comes from no file. A zip file cannot have a time
    /// before 1980.
    private static let packedTime: Int64 = 946_728_000_000_000_000

    private func copy(_ asset: Asset, _ name: String, in root: String) throws(Failure) -> TreeEntry {
        let path = "\(root)/\(name)"
        try makeFolders(parent(of: path))
        let source = try OpenFile(try context.store.path(of: asset), O_RDONLY)
        let copy = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        _ = try source.copyContent(to: copy)
        let traits = asset.traits
        let entry = TreeEntry(
            path: name, kind: .file, bytes: asset.bytes, mode: Self.readable(traits?.mode ?? 0o644, 0o400),
            modified: traits?.own?.modified ?? Self.packedTime)
        guard fchmod(copy.descriptor, mode_t(entry.mode)) == 0, copy.setTime(entry.modified) else {
            throw fileFailure("write", path)
        }
        return entry
    }

    /// Returns permissions with which the owner can read a file, or enter a folder, so that it can be packed.
    private static func readable(_ mode: Int, _ bits: Int) -> Int { mode & 0o777 | bits }

    // MARK: - Paths

    /// Copies the files and folders that the call names.
    private func gather(
        _ targets: [Call.Target], in root: String, _ entries: inout [TreeEntry], _ partial: inout [LeftOut]
    ) throws(Failure) {
        let files = try context.files()
        let target = try OpenFolder(root)
        var taken = Set(entries.compactMap { $0.path.pathNames.first.map { Array($0.utf8) } })
        var known: [String] = []
        for read in targets {
            // The files of a folder that may hold keys are targets, too, and come with it.
            guard let path = read.path, !known.contains(where: { path.path(below: $0) != nil }) else { continue }
            let name = PackedNames.free(safeName(lastName(of: path)), &taken)
            guard read.change?.kind == .folder else {
                let file = try files.reading(read, path)
                entries.append(try copy(file, name, in: target))
                continue
            }
            known.append(path)
            let source = try files.folder(path)
            let tree = try FolderTree(source, path, for: .pack, own: context.paths().own)
            guard tree.hash == read.change?.hash else { throw targetChanged(path) }
            if tree.ownFolders > 0 {
                partial.append(LeftOut(.folders, tree.ownFolders, names: [".assent"]))
            }
            entries += try copy(tree, source, name, in: target)
        }
    }

    private func copy(_ file: borrowing OpenFile, _ name: String, in root: borrowing OpenFolder) throws(Failure)
        -> TreeEntry
    {
        let status = try file.status()
        let entry = TreeEntry(
            path: name, kind: .file, bytes: Int(status.st_size), mode: Self.readable(status.permissions, 0o400),
            modified: status.modifiedNanoseconds)
        guard entry.bytes <= Limits.treeBytes else {
            throw Failure(.tooLarge, "\(name) has more than \(Limits.treeBytes >> 30) GiB.", remedy: "Use a command.")
        }
        let copy = OpenFile(adopting: try root.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600))
        _ = try file.copyContent(to: copy, limit: entry.bytes)
        guard fchmod(copy.descriptor, mode_t(entry.mode)) == 0, copy.setTime(entry.modified) else {
            throw fileFailure("write", name)
        }
        return entry
    }

    private func copy(
        _ tree: FolderTree, _ source: borrowing OpenFolder, _ name: String, in root: borrowing OpenFolder
    ) throws(Failure) -> [TreeEntry] {
        guard mkdirat(root.descriptor, name, 0o700) == 0 else { throw fileFailure("make", name) }
        var readable = tree.entries
        for index in readable.indices where readable[index].kind != .link {
            readable[index].mode = Self.readable(
                readable[index].mode, readable[index].kind == .folder ? 0o500 : 0o400)
        }
        var copy = TreeCopy(readable, keeping: .modes, cancel: cancel)
        _ = try copy.copy(from: source, to: root.folder(name))
        let status = try source.file.status()
        let top = TreeEntry(
            path: name, kind: .folder, bytes: 0, mode: Self.readable(status.permissions, 0o500),
            modified: status.modifiedNanoseconds)
        let made = OpenFile(adopting: try root.open(name, O_RDONLY | O_DIRECTORY))
        guard fchmod(made.descriptor, mode_t(top.mode)) == 0, made.setTime(top.modified) else {
            throw fileFailure("make", name)
        }
        return [top]
            + readable.map { entry in
                var entry = entry
                entry.path = "\(name)/\(entry.path)"
                return entry
            }
    }
}

/// The paths of files in an archive.
enum PackedNames {
    /// Returns a path for each file, no two alike. A file that was loaded from a folder has the names of its folders
    /// before its own, without those that all files are in.
    static func names(of assets: [Asset]) -> [String] {
        let folders = assets.map(folders)
        var common = folders.first ?? []
        for each in folders { common = Array(Swift.zip(common, each).prefix { $0 == $1 }.map(\.0)) }
        let left = folders.map { Array($0.dropFirst(common.count)) }
        // Bytes are compared: `é` written in two ways is two names. A file must not have the name of a folder.
        var taken: Set<[UInt8]> = []
        for each in left {
            for depth in each.indices { taken.insert(Array(each[...depth].joined(separator: "/").utf8)) }
        }
        return Swift.zip(assets, left).map { asset, folders in
            free(safeName(asset.name), behind: folders.map { "\($0)/" }.joined(), &taken)
        }
    }

    /// Returns the name, or the first free one with a number, and adds it to those that are taken.
    ///
    /// - Parameter front: the folders before the name, with a slash at the end.
    static func free(_ name: String, behind front: String = "", _ taken: inout Set<[UInt8]>) -> String {
        let (stem, suffix) = stemAndSuffix(name)
        var (candidate, number) = (front + name, 1)
        while !taken.insert(Array(candidate.utf8)).inserted {
            candidate = "\(front)\(stem)-\(number)\(suffix)"
            number += 1
        }
        return candidate
    }

    /// Returns the folders that a file was loaded from, below the folder of the workflow.
    private static func folders(of asset: Asset) -> [String] {
        let path = (asset.meta["from"]?.string ?? "").pathNames.dropLast()
        guard path.count <= Limits.rehearsedDepth, !path.contains(where: { $0 == "." || $0 == ".." }) else { return [] }
        return path.map { safeName(String($0)) }
    }
}
