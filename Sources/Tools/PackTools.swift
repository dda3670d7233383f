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

/// The tools that make archives. Files of several folders keep the names of these folders in the archive.
struct PackTools {
    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    /// Packs files as a zip, with their permissions and times. The same files give the same bytes: `-X` leaves out owners
    /// and times of access, and `-D` leaves out folders.
    func zip(on bench: inout Workbench) throws(Failure) -> [Asset] {
        let (names, partial) = try gather(on: bench)
        // Names come as a list on a file, so that none is an option or a pattern, and no line is too long.
        let listed = names.map { "./\($0)" }.joined(separator: "\n") + "\n"
        try writeWhole(Array(listed.utf8), to: "\(bench.folder.path)/names")
        try bench.run(["sh", "-c", "cd files && exec zip -X -D -q -9 -nw ../archive.zip -@ < ../names"])
        let name = archiveName(default: "files.zip", [".zip"])
        return try bench.collect("file", from: "archive.zip", name: name).map { $0.leavingOut(partial) }
    }

    /// Packs files as a tar.gz, with their permissions and times. The same files give the same bytes in any order: names
    /// are sorted, and owners are the same for all.
    func tar(on bench: inout Workbench) throws(Failure) -> [Asset] {
        let (names, partial) = try gather(on: bench)
        var listed: [UInt8] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            listed += Array(name.utf8) + [0]
        }
        try writeWhole(listed, to: "\(bench.folder.path)/names")
        try bench.run(
            [
                "tar", "--create", "--file=archive.tar", "--format=gnu", "--owner=0", "--group=0",
            ]
                + [
                    "--numeric-owner", "--null", "--verbatim-files-from", "--no-recursion",
                    "--directory=files",
                ]
                + ["--files-from=names"])
        // Without the name and the time of the file in between.
        try bench.run(["gzip", "-9", "-n", "archive.tar"])
        let name = archiveName(default: "files.tar.gz", [".tar.gz", ".tgz"])
        return try bench.collect("file", from: "archive.tar.gz", name: name).map { $0.leavingOut(partial) }
    }

    /// Copies the files to pack into the folder `files` of the run folder, each under a name of its own.
    ///
    /// - Returns: the names in the order of the inputs, and a note about files that are left out.
    private func gather(on bench: borrowing Workbench) throws(Failure) -> (names: [String], partial: [LeftOut]) {
        let assets = context.assignment.inputs(variadic: "files")
        guard !assets.isEmpty else { throw Failure(.missingInput, "There is no file to pack.") }
        let names = PackedNames.names(of: Array(assets.prefix(Limits.zippedFiles)))
        for (asset, name) in Swift.zip(assets, names) { try copy(asset, to: "\(bench.folder.path)/files/\(name)") }
        let left = assets.count - names.count
        return (names, left > 0 ? [LeftOut(.files, left, of: assets.count)] : [])
    }

    /// Returns the requested name, with the first of the endings if it has none of them.
    private func archiveName(default name: String, _ endings: [String]) -> String {
        let name = safeName(context.assignment.text("name") ?? name)
        return endings.contains(where: name.lowercased().hasSuffix) ? name : name + endings[0]
    }

    /// 1 January 2000, in seconds since 1970: the time of what comes from no file. A zip file cannot have a time before
    /// 1980.
    private static let packedTime: Int64 = 946_728_000

    private func copy(_ asset: Asset, to path: String) throws(Failure) {
        try makeFolders(parent(of: path))
        let source = try OpenFile(try context.store.path(of: asset), O_RDONLY)
        let copy = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        _ = try source.digest { piece throws(Failure) in try copy.write(piece) }
        let traits = asset.traits
        // What cannot be read could not be packed.
        let mode = traits.map { mode_t($0.mode & 0o777 | 0o400) } ?? 0o644
        let modified = traits?.own?.modified ?? Self.packedTime * 1_000_000_000
        guard fchmod(copy.descriptor, mode) == 0, copy.setTime(modified) else {
            throw fileFailure("write", path)
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
            let front = folders.map { "\($0)/" }.joined()
            let (stem, suffix) = stemAndSuffix(safeName(asset.name))
            var (candidate, number) = (front + stem + suffix, 1)
            while !taken.insert(Array(candidate.utf8)).inserted {
                candidate = "\(front)\(stem)-\(number)\(suffix)"
                number += 1
            }
            return candidate
        }
    }

    /// Returns the folders that a file was loaded from, below the folder of the workflow.
    private static func folders(of asset: Asset) -> [String] {
        let path = (asset.meta["from"]?.string ?? "").pathNames.dropLast()
        guard path.count <= Limits.rehearsedDepth, !path.contains(where: { $0 == "." || $0 == ".." }) else { return [] }
        return path.map { safeName(String($0)) }
    }
}
