import Files
import Glibc
import JSON
import Sandbox
import Vocabulary

extension Limits {
    /// The most files and folders that one search looks at.
    fileprivate static let searchedNames = 200_000

    /// The most files that one search reads.
    fileprivate static let searchedFiles = 20_000

    /// The most bytes of a file that is searched. A larger file is counted and skipped.
    package static let searchedFileBytes = 16 << 20

    /// The most bytes that one search reads in all.
    fileprivate static let searchedBytes = 512 << 20

    /// The most matches of one search.
    package static let foundLines = 5_000

    /// The characters of a matching line that are returned.
    package static let foundLineCharacters = 500
}

/// The search for a text in the text files of a folder, line by line. Links are not followed, and files that may hold
/// keys are left out, as for a command.
struct FindTool {
    private let assignment: Assignment
    private let context: Builtin.Context
    private let cancel: Cancellation
    private let search: LiteralSearch
    private let pattern: GlobPattern
    /// The real paths of files and folders that are left out. The files are compared by the bytes of their names.
    private let hiddenFiles: Set<[UInt8]>
    private let hiddenFolders: [String]

    private var matches: [Match] = []
    private var counts = Counts()

    private struct Match {
        var file: String
        var line: Int
        var text: String
    }

    /// The numbers of files that were searched and that were left out, by the reason.
    private struct Counts {
        var names = 0
        var files = 0
        var bytes = 0
        var binary = 0
        var large = 0
        var linked = 0
        var unreadable = 0
        /// Folders that lie deeper than `Limits.searchedDepth`.
        var deep = 0
        /// The number of files and folders whose names are not UTF-8, and a few of these names.
        var odd = 0
        var oddNames: [String] = []
        /// The reason for which the search ended early.
        var end: String?
    }

    static func find(_ context: Builtin.Context, cancel: Cancellation) throws(Failure) -> [Asset] {
        guard case .path(let path)? = context.call.targets.first?.place else {
            throw Failure(.badCall, "The call names no path.")
        }
        let files = try context.files()
        if try files.status(path)?.kind == .file {
            throw Failure(.notAFolder, "\(path) is a file.", remedy: "FilterLines looks for a text in one file.")
        }
        var tool = try FindTool(context, path, cancel)
        let written = context.assignment.text("path") ?? "."
        try tool.look(in: files.folder(path), path, shown: written == "." ? "" : written, depth: 0, files)
        return try tool.result()
    }

    private init(_ context: Builtin.Context, _ path: String, _ cancel: Cancellation) throws(Failure) {
        self.context = context
        self.cancel = cancel
        assignment = context.assignment
        search = try LiteralSearch(try assignment.requiredText("text"), ignoringCase: assignment.flag("ignoreCase"))
        pattern = GlobPattern(assignment.text("pattern") ?? "*")
        let hidden = try PrivateFiles.below(
            path, of: assignment.workspace, own: context.toolbox.own, skipsOddNames: true)
        (hiddenFiles, hiddenFolders) = (Set(hidden.files.map { Array($0.utf8) }), hidden.folders)
    }

    private func isLeftOut(_ path: String) -> Bool {
        SecretFiles.holds(path) || hiddenFiles.contains(Array(path.utf8))
            || hiddenFolders.contains { path.path(below: $0) != nil }
    }

    /// Searches the files of a folder, then those in its subfolders.
    ///
    /// - Parameter shown: the path of the folder in the results, empty for the folder that is searched.
    private mutating func look(
        in folder: borrowing OpenFolder, _ path: String, shown: String, depth: Int, _ files: borrowing PersonFiles
    ) throws(Failure) {
        var folders: [String] = []
        for listed in try folder.shownNames() where counts.end == nil {
            let name = listed.name
            guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
            counts.names += 1
            guard counts.names <= Limits.searchedNames else {
                counts.end = "there are more than \(Limits.searchedNames) files and folders"
                return
            }
            guard listed.isText else {
                counts.odd += 1
                if counts.oddNames.count < Limits.leftOutNames { counts.oddNames.append(Self.joined(shown, name)) }
                continue
            }
            let entry = path.child(name)
            guard let status = try folder.status(of: name), !isLeftOut(entry) else { continue }
            switch status.kind {
            case .folder where !name.hasPrefix("."): folders.append(name)
            case .file where pattern.matches(name):
                try search(name, in: folder, entry, shown: Self.joined(shown, name), status, files)
            case .file, .folder, .link, .special: break
            }
        }
        for name in folders where counts.end == nil {
            guard depth < Limits.searchedDepth else {
                counts.deep += 1
                continue
            }
            let inner: OpenFolder
            do throws(Failure) { inner = try folder.folder(name) } catch {
                counts.unreadable += 1
                continue
            }
            do throws(Failure) {
                try look(in: inner, path.child(name), shown: Self.joined(shown, name), depth: depth + 1, files)
            } catch {
                guard error.code == .permissionDenied else { throw error }
                counts.unreadable += 1
            }
        }
    }

    private mutating func search(
        _ name: String, in folder: borrowing OpenFolder, _ path: String, shown: String, _ status: stat,
        _ files: borrowing PersonFiles
    ) throws(Failure) {
        // Such a file may also exist in another place, where the user would be asked before it is read.
        guard !status.hasOtherNames else {
            counts.linked += 1
            return
        }
        guard status.st_size <= Limits.searchedFileBytes else {
            counts.large += 1
            return
        }
        guard counts.files < Limits.searchedFiles, counts.bytes + Int(status.st_size) <= Limits.searchedBytes else {
            counts.end = "more than \(Limits.searchedFiles) files or \(Limits.searchedBytes >> 20) MiB would be read"
            return
        }
        let bytes: [UInt8]
        do throws(Failure) {
            let file = try folder.file(name)
            guard !files.isOnOtherMount(file) else {
                counts.linked += 1
                return
            }
            bytes = try readWhole(file, path, limit: Limits.searchedFileBytes)
        } catch {
            counts.unreadable += 1
            return
        }
        guard let text = try? EncodedText(bytes, name), let lines = try? TextLines(text.utf8) else {
            counts.binary += 1
            return
        }
        counts.files += 1
        counts.bytes += bytes.count
        collect(lines, shown)
    }

    private mutating func collect(_ text: TextLines, _ file: String) {
        for (number, line) in text.lines.lazy.map(\.content).enumerated() where search.matches(line) {
            guard matches.count < Limits.foundLines else {
                counts.end = "there are more than \(Limits.foundLines) matches"
                return
            }
            let shown = String(decoding: line.prefix(Limits.foundLineCharacters * 4), as: UTF8.self)
            let isCut = line.count > Limits.foundLineCharacters * 4 || shown.count > Limits.foundLineCharacters
            matches.append(
                Match(
                    file: file, line: number + 1, text: isCut ? shown.prefix(Limits.foundLineCharacters) + "…" : shown))
        }
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private func result() throws(Failure) -> [Asset] {
        let lines = matches.map { match in
            // A name with a newline must not look like two lines.
            let file = match.file.utf8.contains { $0 < 0x20 } ? JSON.string(match.file).text : match.file
            return "\(file):\(match.line): \(match.text)"
        }
        let found = matches.map {
            JSON.of(["file": .string($0.file), "line": .int($0.line), "text": .string($0.text)])
        }
        let skipped = JSON.of([
            "binary": .int(counts.binary), "large": .int(counts.large), "linked": .int(counts.linked),
            "unreadable": .int(counts.unreadable), "deep": .int(counts.deep), "names": .int(counts.odd),
        ])
        let json = JSON.of([
            "matches": .array(found), "files": .int(counts.files), "skipped": skipped,
            "complete": .bool(counts.end == nil),
        ])
        let assets = try context.text(lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n")) + context.json(json)
        let places = Set(matches.map(\.file)).count
        let files = "\(counts.files) file\(counts.files == 1 ? "" : "s")"
        return assets.map { $0.leavingOut(leftOut) }
            .noting(matches.isEmpty ? "nothing found in \(files)" : "\(matches.count) in \(places) of \(files)")
    }

    /// The files that were not searched. Files that are not text are counted in the JSON only.
    private var leftOut: [LeftOut] {
        let kinds: [(LeftOut.Kind, Int)] = [
            (.large, counts.large), (.linked, counts.linked), (.unreadable, counts.unreadable), (.deep, counts.deep),
        ]
        return (counts.end.map { [LeftOut(.rest, why: $0)] } ?? [])
            + kinds.filter { $0.1 > 0 }.map { LeftOut($0.0, $0.1) }
            + (counts.odd > 0 ? [LeftOut(.names, counts.odd, names: counts.oddNames)] : [])
    }
}
