import Files
import Glibc
import JSON
import Sandbox
import Vocabulary

extension Limits {
    /// The most bytes of the text of one search.
    fileprivate static let searchTextBytes = 16 << 10

    /// The bytes of that text that are kept for the header and the last lines.
    fileprivate static let searchFrameBytes = 1 << 10

    /// The bytes of a line after which ripgrep cuts it. A character has up to four bytes, and the marks on it more.
    fileprivate static let printedLineBytes = 4 * foundLineCharacters
}

/// The search of a language model for a text or a regular expression, by ripgrep.
///
/// The first run counts the matching lines of each file, and the second prints the lines of the first files. So the
/// result is complete and sorted, although ripgrep searches several files at once.
struct SearchFilesTool {
    private let context: Builtin.Context
    private let ripgrep: Ripgrep
    private let pattern: [String]
    private let glob: PathGlob?
    /// The path below the workspace, which is empty for the workspace itself.
    private let below: String
    private let isFile: Bool

    static func search(_ context: Builtin.Context, on bench: Workbench) throws(Failure) -> [Asset] {
        guard case .path(let path)? = context.call.targets.first?.place else {
            throw Failure(.badCall, "The call names no path.")
        }
        let tool = try SearchFilesTool(context, bench, path)
        let (header, body) = try tool.text(of: tool.counts(path), path, bench.cancel)
        return try context.text("\(header)\n\(body)").noting(header)
    }

    private init(_ context: Builtin.Context, _ bench: Workbench, _ path: String) throws(Failure) {
        self.context = context
        let assignment = context.assignment
        pattern = try Self.pattern(assignment)
        glob = try assignment.text("glob").map { text throws(Failure) in try PathGlob(text) }
        ripgrep = try Ripgrep(context, bench)
        below = path.path(below: ripgrep.workspace) ?? ""
        isFile = try context.files().status(path)?.kind == .file
        guard !ripgrep.hidden.holds(path) else {
            throw Failure(.otherMount, "\((assignment.text("path") ?? path).quotedIfOdd) is hidden from searches.")
        }
    }

    /// Returns the options of ripgrep for the wanted text or expression.
    ///
    /// - Throws: `badParam`, unless exactly one of `text` and `regex` is given.
    private static func pattern(_ assignment: Assignment) throws(Failure) -> [String] {
        let (text, regex) = (assignment.text("text"), assignment.text("regex"))
        guard (text == nil) != (regex == nil), let written = text ?? regex else {
            throw Failure(.badParam, "A search needs either \"text\" or \"regex\".")
        }
        guard !written.isEmpty, !written.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
            throw Failure(
                .badParam, "What is looked for must not be empty, and must not have a line break or a NUL in it.",
                remedy: "Look for one line.")
        }
        let options =
            (assignment.flag("ignoreCase") ? ["--ignore-case"] : []) + (text == nil ? [] : ["--fixed-strings"])
        return options + ["--regexp=\(written)"]
    }

    // MARK: Counting

    /// The searched files, and the numbers of others.
    private struct Found {
        var files: [FileCount] = []
        var binary = 0
        var unreadable = 0
        var odd = 0
        /// The files with matches that have another name, perhaps outside of the folder. A search of them alone asks.
        var linked = 0
        /// The searched files, as paths below the folder that is searched.
        var listed: [String] = []

        var matches: Int { files.reduce(0) { $0 + $1.matches } }
        var header: String {
            let all = "\(listed.count.grouped) file\(listed.count == 1 ? "" : "s")"
            let matches = matches
            guard matches > 0 else { return "no match in \(all)" }
            return "\(matches.grouped) match\(matches == 1 ? "" : "es") in \(files.count.grouped) of \(all)"
        }
    }

    private func counts(_ path: String) throws(Failure) -> Found {
        let found = try counts(path, more: [])
        // All that is in the named folder may be ignored, as by `build/*`.
        guard found.listed.isEmpty, found.odd == 0, found.binary == 0, !below.isEmpty, !isFile else { return found }
        return try counts(path, more: ["--no-ignore"])
    }

    private func counts(_ path: String, more: [String]) throws(Failure) -> Found {
        let types = (glob?.plainNames ?? []).map { "--type-add=looks:\($0)" }
        let options =
            ["--count", "--include-zero", "--with-filename", "--stats"] + types
            + (types.isEmpty ? [] : ["--type=looks"])
        let ending = try ripgrep.run(options + more + pattern + ["--", Ripgrep.word(for: below)])
        if let refusal = ending.refusal {
            throw Failure(
                .badParam, "ripgrep refuses this regex: \(refusal)\(refusal.hasSuffix(".") ? "" : ".")",
                remedy: "Write it in ripgrep's syntax, or give it as text.")
        }
        let searched = SearchedFiles(ending.output)
        let hidden = HiddenBelow(ripgrep.hidden, ripgrep.workspace)
        var found = Found()
        (found.odd, found.unreadable) = (searched.odd, ending.unreadable)
        // ripgrep prints no names of these files, so a glob that it does not know cannot be applied to them.
        found.binary = glob == nil || glob?.plainNames != nil ? searched.binary : 0
        for file in searched.files {
            let shorter = below.isEmpty ? file.path : self.shorter(file.path)
            guard !hidden.holds(file.path), isFile || glob?.matches(file.path, orBelow: shorter) ?? true else {
                continue
            }
            found.listed.append(shorter)
            guard file.matches > 0 else { continue }
            if !isFile, hasOtherNames(file.path) { found.linked += 1 } else { found.files.append(file) }
        }
        found.files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return found
    }

    private func hasOtherNames(_ path: String) -> Bool {
        var status = stat()
        return lstat(ripgrep.workspace.child(path), &status) == 0 && status.hasOtherNames
    }

    private func shorter(_ path: String) -> String { path.path(below: below).flatMap { $0.isEmpty ? nil : $0 } ?? path }

    // MARK: Text

    private func text(of counted: Found, _ path: String, _ cancel: Cancellation) throws(Failure) -> (
        header: String, body: String
    ) {
        var counted = counted
        let assignment = context.assignment
        let most = min(max(1, assignment.integer("max") ?? 80), 500)
        let around = min(max(0, assignment.integer("context") ?? 0), 10)
        let lines = try lines(of: counted.files, most: most, around: around)
        // A file that was text and has no lines now was changed, or is one that was named and is no text.
        let lost = lines.asked.filter { lines.found.lines[$0] == nil }
        counted.files.removeAll { lost.contains(Array($0.path.utf8)) }
        counted.binary += lost.count
        var (body, shown) = ("", 0)
        files: for file in counted.files {
            var after = 0
            for line in lines.found.lines[Array(file.path.utf8)] ?? [] {
                if shown == most, line.isMatch || after >= around { break files }
                let text = FoundLines.text(line, of: file.path)
                guard body.utf8.count + text.utf8.count <= Limits.searchTextBytes - Limits.searchFrameBytes else {
                    break files
                }
                body += text
                after = line.isMatch ? 0 : after + 1
                shown += line.isMatch ? 1 : 0
            }
        }
        let more = counted.matches - shown
        var end = more > 0 ? ["… \(more.grouped) more match\(more == 1 ? "" : "es"): narrow with path or glob"] : []
        var leftOut = try isFile ? [] : leftOut(counted, path, cancel)
        if counted.linked > 0 { leftOut.append("\(counted.linked.grouped) with a second name, perhaps elsewhere") }
        if !leftOut.isEmpty { end.append("left out: " + leftOut.joined(separator: ", ")) }
        return (counted.header, body + end.map { $0 + "\n" }.joined())
    }

    /// Puts a mark in the place of each found line that may hold a key, which is often recognised only by other lines.
    /// A file that is too large to be read as a whole keeps its lines.
    private func hideKeys(
        in path: String, _ found: inout FoundLines, _ files: borrowing PersonFiles, _ keys: KeyFilter
    ) throws(Failure) {
        let entry = try files.entry(ripgrep.workspace.child(path))
        guard let status = try entry.status(), status.kind == .file, status.st_size <= Limits.searchedFileBytes else {
            return
        }
        let bytes = try readWhole(entry.file(), path, limit: Limits.searchedFileBytes)
        found.hideKeys(of: KeyWindows(bytes, keys), in: path)
    }

    /// Returns the lines of the first files, and the paths of these files.
    private func lines(
        of files: [FileCount], most: Int, around: Int
    ) throws(Failure) -> (found: FoundLines, asked: Set<[UInt8]>) {
        var (asked, matches, bytes) = ([String](), 0, 0)
        for file in files {
            guard matches < most, bytes < Limits.searchTextBytes else { break }
            asked.append(file.path)
            matches += file.matches
            bytes += min(file.matches, most) * (file.path.utf8.count + 4)
        }
        guard !asked.isEmpty else { return (FoundLines([]), []) }
        let options = [
            "--line-number", "--with-filename", "--no-heading", "--no-context-separator", "--max-count=\(most)",
            "--max-columns=\(Limits.printedLineBytes)", "--max-columns-preview", "--context=\(around)",
        ]
        let ending = try ripgrep.run(options + pattern + ["--"] + asked.map(Ripgrep.word))
        var found = FoundLines(ending.output)
        let persons = try context.files()
        let keys = context.toolbox.keyFilter()
        for path in asked { try hideKeys(in: path, &found, persons, keys) }
        return (found, Set(asked.map { Array($0.utf8) }))
    }

    private func leftOut(_ found: Found, _ path: String, _ cancel: Cancellation) throws(Failure) -> [String] {
        let glob = glob.map { GlobBelow(glob: $0, folder: below) }
        let walk = try LookWalk(
            context.files().folder(path), path, private: ripgrep.hidden, listing: found.listed, cancel: cancel,
            glob: glob)
        let keys = ripgrep.hidden.keys.count { $0.path(below: path) != nil }
        return walk.words(keys: keys, odd: found.odd, binary: found.binary, unreadable: found.unreadable)
    }
}
