import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most files and folders that one look counts.
    fileprivate static let countedNames = 1_000_000

    /// The most names of ignored folders in one line.
    fileprivate static let ignoredNames = 5
}

/// A count of the files below a folder that a look leaves out: hidden ones, and those that ripgrep does not list.
/// Links are not followed.
struct LookWalk {
    /// The folders with files of which ripgrep lists none, as paths below the folder, and their numbers of files. A
    /// folder inside another is not in the list.
    private(set) var ignoredFolders: [(path: String, files: Int)] = []
    private(set) var ignored = 0
    /// The folders and files whose names begin with a dot.
    private(set) var hidden = 0
    private(set) var links = 0
    private(set) var unreadable = 0
    private(set) var odd = 0
    /// The folders without any file, as paths below the folder.
    private(set) var emptyFolders: [String] = []
    /// Whether all was counted.
    private(set) var isWhole = true

    private let cancel: Cancellation
    private let glob: GlobBelow?
    /// The names of private files and folders, by the bytes of the real paths of their folders.
    private let hiddenNames: [[UInt8]: Set<[UInt8]>]
    /// The numbers of listed files in each folder, by the bytes of its path below the folder.
    private let listed: [[UInt8]: Int]
    private var left = Limits.countedNames

    private struct Tally {
        var files = 0
        var listed = 0
        var ignored: [(path: String, files: Int)] = []
    }

    /// Counts the files below a folder.
    ///
    /// - Parameters:
    ///   - path: the real path of the folder.
    ///   - paths: the files that ripgrep lists, as paths below the folder.
    ///   - glob: the files that count. Without it, all files count.
    init(
        _ folder: borrowing OpenFolder, _ path: String, private hidden: PrivateFiles, listing paths: [String],
        cancel: Cancellation, glob: GlobBelow?
    ) throws(Failure) {
        hiddenNames = (hidden.files + hidden.folders).reduce(into: [:]) { names, path in
            names[Array(parent(of: path).utf8), default: []].insert(Array(lastName(of: path).utf8))
        }
        var listed: [[UInt8]: Int] = [:]
        for path in paths {
            let bytes = path.utf8
            let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
            listed[slash.map { Array(bytes[..<$0]) } ?? [], default: 0] += 1
        }
        self.listed = listed
        (self.cancel, self.glob) = (cancel, glob)
        let all = try look(folder, path, "", 0)
        ignored = max(0, all.files - all.listed)
        if all.listed > 0 || all.files == 0 { ignoredFolders = all.ignored }
        ignoredFolders.sort { $0.files != $1.files ? $0.files > $1.files : $0.path < $1.path }
    }

    private mutating func look(
        _ folder: borrowing OpenFolder, _ path: String, _ below: String, _ depth: Int
    ) throws(Failure) -> Tally {
        guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
        var tally = Tally(listed: listed[Array(below.utf8)] ?? 0)
        let folders = try folders(of: folder, path, below, &tally)
        guard depth < Limits.searchedDepth else {
            isWhole = isWhole && folders.isEmpty
            return tally
        }
        for name in folders where left > 0 {
            let inner = below.isEmpty ? name : "\(below)/\(name)"
            do throws(Failure) {
                let found = try look(folder.folder(name), path.child(name), inner, depth + 1)
                tally.files += found.files
                tally.listed += found.listed
                tally.ignored += found.ignored
            } catch {
                guard error.code != .cancelled else { throw error }
                // ripgrep reports the folder, too.
                unreadable += 1
            }
        }
        if tally.listed == 0, tally.files > 0, !below.isEmpty { tally.ignored = [(below, tally.files)] }
        return tally
    }

    /// Counts the files of a folder, and returns the names of its folders that are not hidden.
    private mutating func folders(
        of folder: borrowing OpenFolder, _ path: String, _ below: String, _ tally: inout Tally
    ) throws(Failure) -> [String] {
        var (folders, isEmpty) = ([String](), true)
        let hiddenHere = hiddenNames[Array(path.utf8)] ?? []
        try folder.each { (entry) throws(Failure) in
            left -= 1
            isEmpty = false
            isWhole = isWhole && left >= 0
            guard left >= 0, hiddenHere.isEmpty || !hiddenHere.contains(entry.bytes) else { return }
            guard let name = entry.name else {
                odd += 1
                return
            }
            var kind = entry.kind
            if kind == nil { kind = try folder.status(of: name)?.kind }
            let isHidden = name.utf8.first == UInt8(ascii: ".")
            if kind == .folder, !isHidden {
                folders.append(name)
            } else {
                count(kind, below.isEmpty ? name : "\(below)/\(name)", isHidden: isHidden, &tally)
            }
        }
        if isEmpty { emptyFolders.append(below) }
        return folders
    }

    /// Counts an entry whose folder is not looked into.
    private mutating func count(_ kind: stat.Kind?, _ path: String, isHidden: Bool, _ tally: inout Tally) {
        switch kind {
        case .folder: hidden += 1
        case .file:
            guard glob?.matches(path) ?? true else { break }
            if isHidden { hidden += 1 } else { tally.files += 1 }
        case .link: links += 1
        case .special, nil: break
        }
    }

    /// Returns the parts of a line about files that are left out, such as `3 hidden`.
    ///
    /// - Parameters:
    ///   - keys: the number of files and folders that may hold keys.
    ///   - binary: the number of files that were not listed because they are no text. They count as ignored in
    ///     `ignored`, and so do files that could not be read.
    ///   - unreadable: the number of files and folders that ripgrep could not read, or `nil` if it read no files.
    func words(keys: Int, odd listedOdd: Int, binary: Int? = nil, unreadable given: Int? = nil) -> [String] {
        let names = binary == nil ? ignoredFolders.prefix(Limits.ignoredNames).map { $0.path.quotedIfOdd } : []
        let more = ignoredFolders.count > names.count ? ", …" : ""
        let list = names.isEmpty ? "" : " (\(names.joined(separator: ", "))\(more))"
        let unreadable = max(unreadable, given ?? 0)
        let ignored = max(0, ignored - (binary ?? 0) - max(0, (given ?? 0) - self.unreadable))
        let odd = max(odd, listedOdd)
        let counts: [(Int, String)] = [
            (hidden, "hidden"), (ignored, "ignored by git\(list)"), (keys, "that may hold keys"),
            (binary ?? 0, "binary"), (links, "link\(links == 1 ? "" : "s")"), (unreadable, "that cannot be read"),
            (odd, "whose name\(odd == 1 ? " is" : "s are") no text in UTF-8"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
            + (isWhole ? [] : ["more that was not counted"])
    }
}

/// The private files and folders of a workspace, for checks of many paths below it.
struct HiddenBelow {
    private let files: Set<[UInt8]>
    private let folders: Set<[UInt8]>

    init(_ hidden: PrivateFiles, _ workspace: String) {
        func below(_ paths: [String]) -> Set<[UInt8]> {
            Set(paths.compactMap { $0.path(below: workspace).map { Array($0.utf8) } })
        }
        (files, folders) = (below(hidden.files), below(hidden.folders))
    }

    /// Whether a path below the workspace is one of them, or lies in one.
    func holds(_ path: String) -> Bool {
        guard !files.isEmpty || !folders.isEmpty else { return false }
        let bytes = Array(path.utf8)
        if files.contains(bytes) { return true }
        return !folders.isEmpty
            && bytes.indices.contains { bytes[$0] == UInt8(ascii: "/") && folders.contains(Array(bytes[..<$0])) }
    }
}
