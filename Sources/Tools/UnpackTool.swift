import CProcess
import Files
import Glibc
import JSON
import Sandbox
import Undo
package import Vocabulary

extension Limits {
    /// The most bytes to which an archive may unpack.
    fileprivate static let unpackedBytes = 4 << 30

    /// How many times its own size an archive may unpack to.
    fileprivate static let unpackedRatio = 200

    /// The bytes to which a small archive may unpack in spite of the ratio.
    fileprivate static let unpackedFreeBytes = 64 << 20

    /// The most entries of an archive that a question names one by one. If there are more, it names their folder.
    package static let unpackedTargets = 500
}

/// The tool that unpacks an archive into a new folder of the workspace. The programs write into the run folder. Their
/// files are checked there and copied into a hidden folder, which gets its name when it is complete.
struct UnpackTool {
    private let context: Builtin.Context
    private let asset: Asset
    private let cancel: Cancellation

    init(_ context: Builtin.Context, cancel: Cancellation = Cancellation()) throws(Failure) {
        self.context = context
        self.cancel = cancel
        asset = try context.assignment.requiredInput("file")
    }

    func unpack(on bench: inout Workbench) throws(Failure) -> [Asset] {
        guard let target = context.call.targets.first, case .path(let path) = target.place else {
            throw Failure(.badCall, "The call names no folder.")
        }
        let listing = try context.toolbox.listing(of: asset, context.assignment, cancel: cancel)
        try extract(listing, on: &bench)
        let source = try OpenFolder("\(bench.folder.path)/out")
        let tree = try UnpackedTree(source, of: asset.name, most: Self.most(of: asset))
        try tree.check(against: listing, of: asset.name)
        var filling = Filling(tree: tree, source: source, cancel: cancel)
        try NewFolder(context: context).make(at: path, target.before, &filling)
        let partial =
            (listing.repeated.isEmpty
                ? [] : [LeftOut(.repeated, listing.repeated.count, names: listing.repeated)])
        var assets = try outputs(tree, at: path).map { $0.leavingOut(partial) }
        if let first = listing.recoded.first {
            for index in assets.indices {
                assets[index].warning =
                    "The names in \(asset.name) are not in UTF-8. They were read in the code page of MS-DOS (437): \(first)."
            }
        }
        return assets
    }

    /// Returns the outputs of an attempt that was interrupted after its folder had its name.
    func unpacked(at path: String) throws(Failure) -> [Asset] {
        let files = try context.files()
        return try outputs(UnpackedTree(files.folder(path), of: asset.name, most: Limits.unpackedBytes), at: path)
    }

    private func outputs(_ tree: UnpackedTree, at path: String) throws(Failure) -> [Asset] {
        let folder = lastName(of: path)
        let files = tree.entries.filter { $0.kind != .folder }
        let told = files.map { JSON.of(["name": .string("\(folder)/\($0.path)"), "bytes": .int($0.bytes)]) }
        let json = JSON.of(["folder": .string(path), "files": .array(told), "bytes": .int(tree.bytes)])
        return try context.told(json, files.map { "\(folder)/\($0.path)\n" }.joined(), of: asset.name, "files")
    }

    // MARK: - The programs

    private func extract(_ listing: ArchiveListing, on bench: inout Workbench) throws(Failure) {
        try makeFolders("\(bench.folder.path)/out")
        let most = Self.most(of: asset)
        switch listing.form {
        case .zip:
            let file = try OpenFile(try context.store.path(of: asset), O_RDONLY)
            let entries = try ZipDirectory.placed(in: file, asset.name, isRecoded: !listing.recoded.isEmpty)
            var unpacking = ZipUnpacking(
                file, asset.name, to: try OpenFolder("\(bench.folder.path)/out"), most: most, cancel: cancel)
            try unpacking.unpack(entries)
        case .tar, .gzippedTar:
            let placed = try bench.place(asset, as: "in-1.tar")
            let isCompressed = listing.form == .gzippedTar
            if isCompressed { try count(["gzip", "-dc", placed], most, bench) }
            try run(
                [
                    "tar", "--extract", "--no-same-owner", "--no-same-permissions", "--delay-directory-restore",
                    "--directory=out",
                ]
                    + (isCompressed ? ["--gzip"] : []) + ["--file=\(placed)"], most, allowing: [], bench)
        }
    }

    /// Runs a program to its end.
    ///
    /// - Parameter allowed: the exit codes of warnings.
    private func run(_ words: [String], _ most: Int, allowing allowed: Set<Int>, _ bench: borrowing Workbench)
        throws(Failure)
    {
        let ran = try bench.runHeeded(words, allowing: allowed) { $0.fileBytes = most }
        guard let failure = ran.failure else { return }
        throw Self.refusal(asset.name, failure, ran.traces)
    }

    /// Counts the bytes that a program would write, and stops it above the limit.
    private func count(_ words: [String], _ most: Int, _ bench: borrowing Workbench) throws(Failure) {
        // The words come from Assent only, without the name of a file or an archive.
        let line = "\(words.joined(separator: " ")) 2> /dev/null | head -c \(most + 1) | wc -c"
        let output = try bench.run(["sh", "-c", line]).output(limit: Limits.programLogBytes)
        let digits = output.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let bytes = Int(String(decoding: digits, as: UTF8.self)), bytes <= most else {
            throw Self.tooLarge(asset.name, most)
        }
    }

    /// The unpacked files, on their way into the folder.
    private struct Filling: NewFolder.Filling, ~Copyable {
        let tree: UnpackedTree
        let source: OpenFolder
        let cancel: Cancellation
        var mode: mode_t { 0o777 }

        mutating func fill(_ made: borrowing OpenFolder) throws(Failure) -> [(path: String, state: FileState)] {
            var copy = TreeCopy(tree.entries, keeping: .modes, cancel: cancel)
            return zip(tree.entries.map(\.path), try copy.copy(from: source, to: made)).map { ($0, $1) }
        }

        /// Makes the new folder what the empty one was that it replaces.
        ///
        /// - Throws: `attributeLost`.
        func takeAfter(_ old: borrowing FolderEntry, _ made: borrowing OpenFolder) throws(Failure) {
            let was = OpenFile(adopting: try old.folder.open(old.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
            let new = OpenFile(adopting: try made.open(".", O_RDONLY | O_DIRECTORY))
            var losses = try new.takeAll(of: was)
            losses.remove(.time)
            guard losses.isEmpty else {
                throw Failure(
                    .attributeLost, "\(old.path) would lose its owner, its access list or its attributes.",
                    remedy: "Unpack into a new folder.")
            }
            // A folder may have bits that a file does not get, such as the one that gives new entries its group.
            guard fchmod(new.descriptor, mode_t(try was.status().permissions)) == 0 else {
                throw fileFailure("change", old.path)
            }
        }
    }

    // MARK: - Words and limits

    /// Returns the most bytes that an archive may unpack to. A small archive may not unpack to gigabytes.
    static func most(of asset: Asset) -> Int {
        let (likely, isTooMuch) = asset.bytes.multipliedReportingOverflow(by: Limits.unpackedRatio)
        return isTooMuch ? Limits.unpackedBytes : min(Limits.unpackedBytes, max(Limits.unpackedFreeBytes, likely))
    }

    static func tooLarge(_ name: String, _ most: Int) -> Failure {
        Failure(
            .tooLarge, "\(name) would unpack to more than \(most >> 20) MiB, the most for an archive of its size.",
            remedy: "Unpack it with a command, if you trust it.")
    }

    /// Returns the failure of a program as one of the archive, with the first line of its standard error.
    static func refusal(_ name: String, _ failure: Failure, _ traces: any Traces) -> Failure {
        guard failure.code == .processFailed else { return failure }
        let errors = (try? traces.beginnings(limit: Limits.errorTailBytes).errors) ?? []
        let line = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).first.map {
            String($0.prefix(300))
        }
        return Failure(.badArchive, "\(name) cannot be unpacked: \(line?.withSignsForControls ?? failure.message)")
    }

    private static let endings = [".tar.gz", ".tgz", ".tar", ".zip"]

    /// Returns the folder for an archive: `photos` for `photos.tar.gz`. A name without such an ending gets `-files`.
    static func folderName(for archive: String) -> String {
        let name = safeName(archive)
        guard let ending = endings.first(where: name.lowercased().hasSuffix), name.utf8.count > ending.utf8.count else {
            return safeName(name + "-files")
        }
        return safeName(String(name.dropLast(ending.count)))
    }
}

extension Preparation {
    /// Adds the targets: the folder, and the known entries of the archive below it, so that rules for names apply.
    ///
    /// - Parameter listing: the entries of the archive, or `nil` until it exists.
    func unpack(_ call: inout Call, _ listing: ArchiveListing?) throws(Failure) {
        let archive = assignment.inputs.first { $0.port == "file" }?.name ?? "archive"
        let written = assignment.text("folder") ?? UnpackTool.folderName(for: archive)
        let path = try paths.target(written)
        let names = try paths.names(written)
        try paths.refuseOwn(path)
        let look = try files.look(at: path)
        if let status = look.status {
            guard status.kind == .folder, try files.folder(path).namesInAll().isEmpty else {
                throw Failure(
                    .targetExists,
                    "\(written) is there already, and an archive is unpacked into a new or an empty folder.",
                    remedy: "Choose another folder.")
            }
        }
        let entries = listing?.entries ?? []
        let isTold = entries.count <= Limits.unpackedTargets
        let links = try links()
        var folder = try creating(path, change: Call.Change(kind: .folder, entries: isTold ? 1 : entries.count + 1))
        folder.before = look.before
        call.targets = [try named(folder, names, links)]
        guard isTold else { return }
        var known: Set<[UInt8]> = []
        var siblings: [[UInt8]: Siblings] = [:]
        for entry in entries {
            let change = entry.isFolder ? Call.Change(kind: .folder) : nil
            let place = Call.Place.path(path.child(entry.path))
            known.insert(Array(entry.path.utf8))
            // The folders that come with it, for the rules on new names.
            var (above, newFolders) = (parent(of: entry.path), 0)
            while above != ".", known.insert(Array(above.utf8)).inserted {
                (above, newFolders) = (parent(of: above), newFolders + 1)
            }
            let folder = Array(parent(of: entry.path).utf8)
            let alike = siblings[folder]?.resembling(lastName(of: entry.path))
            siblings[folder, default: Siblings()].add(lastName(of: entry.path))
            let target = Call.Target(
                .creates, place, reach: paths.reach(path), before: .absent, change: change, newFolders: newFolders,
                resembles: alike)
            call.targets.append(try named(target, names.map { $0.child(entry.path) }, links))
        }
    }
}
