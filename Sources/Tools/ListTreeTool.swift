import Files
import Glibc
import JSON
import Sandbox
import Vocabulary

extension Limits {
    /// The most bytes of the text of one list.
    fileprivate static let treeTextBytes = 4 << 10

    /// The most levels of folders in one list.
    fileprivate static let treeDepth = 6
}

/// The list of a folder for a language model: folders with their numbers of files, and files with their sizes.
struct ListTreeTool {
    private let context: Builtin.Context
    private let path: String
    private var root = Node()

    /// A folder. The files below the deepest level are counted only.
    private final class Node {
        var count = 0
        var folders: [[UInt8]: Node] = [:]
        /// The names of the files.
        var files: [String] = []
        var name = ""
    }

    static func list(_ context: Builtin.Context, on bench: Workbench) throws(Failure) -> [Asset] {
        guard case .path(let path)? = context.call.targets.first?.place else {
            throw Failure(.badCall, "The call names no path.")
        }
        let tool = ListTreeTool(context: context, path: path)
        return try context.text(try tool.text(on: bench))
    }

    private init(context: Builtin.Context, path: String) { (self.context, self.path) = (context, path) }

    private func text(on bench: Workbench) throws(Failure) -> String {
        let assignment = context.assignment
        let glob = try assignment.text("glob").map { text throws(Failure) in try PathGlob(text) }
        let depth = wantedDepth
        let ripgrep = try Ripgrep(context, bench)
        let below = path.path(below: ripgrep.workspace) ?? ""
        let shown = below.isEmpty ? "." : below
        guard !ripgrep.hidden.holds(path) else {
            throw Failure(.otherMount, "\(shown.quotedIfOdd) is hidden from lists.")
        }
        let wanted = glob.map { GlobBelow(glob: $0, folder: below) }
        let listed = try listed(by: ripgrep, below)
        let paths = wanted.map { listed.paths.filter($0.matches) } ?? listed.paths
        for path in paths { add(path, depth) }
        let folder = try context.files().folder(path)
        let walk = try LookWalk(
            folder, path, private: ripgrep.hidden, listing: paths, cancel: bench.cancel, glob: wanted)
        if glob == nil { for empty in walk.emptyFolders { addFolder(empty, depth) } }
        let keys = ripgrep.hidden.keys.count { $0.path(below: path) != nil }
        let leftOut = walk.words(keys: keys, odd: listed.odd)
        let last = leftOut.isEmpty ? "" : "left out: " + leftOut.joined(separator: ", ") + "\n"
        let header = "\(shown.quotedIfOdd) · \(Self.count(root.count))\n"
        return header + fitted(depth, room: Limits.treeTextBytes - header.utf8.count - last.utf8.count, folder) + last
    }

    /// Returns the files that ripgrep lists below the folder, as paths below it. If all of them are ignored, they
    /// are listed nevertheless, since the folder was named.
    private func listed(by ripgrep: Ripgrep, _ below: String) throws(Failure) -> (paths: [String], odd: Int) {
        let hidden = HiddenBelow(ripgrep.hidden, ripgrep.workspace)
        func list(_ more: [String]) throws(Failure) -> (paths: [String], odd: Int) {
            let files = ListedFiles(try ripgrep.run(["--files"] + more + ["--", Ripgrep.word(for: below)]).output)
            let paths = files.paths.compactMap { hidden.holds($0) ? nil : below.isEmpty ? $0 : $0.path(below: below) }
            return (paths, files.odd)
        }
        let found = try list([])
        return found.paths.isEmpty && found.odd == 0 && !below.isEmpty ? try list(["--no-ignore"]) : found
    }

    // MARK: The tree

    private func add(_ path: String, _ depth: Int) {
        let names = path.utf8.split(separator: UInt8(ascii: "/"))
        guard let last = names.last else { return }
        var node = root
        node.count += 1
        for name in names.dropLast().prefix(depth) {
            node = Self.child(String(Substring(name)), of: node)
            node.count += 1
        }
        if names.count <= depth { node.files.append(String(Substring(last))) }
    }

    private func addFolder(_ path: String, _ depth: Int) {
        var node = root
        for name in path.pathNames.prefix(depth) { node = Self.child(name, of: node) }
    }

    private static func child(_ name: String, of node: Node) -> Node {
        let bytes = Array(name.utf8)
        if let child = node.folders[bytes] { return child }
        let child = Node()
        child.name = name
        node.folders[bytes] = child
        return child
    }

    // MARK: Text

    /// Returns the lines of the tree that fit. First the depth is reduced, then lines are cut.
    private func fitted(_ depth: Int, room: Int, _ folder: borrowing OpenFolder) -> String {
        for depth in stride(from: depth, through: 1, by: -1) {
            let remark = depth < wantedDepth ? "… deeper folders do not fit: list one of them with path\n" : ""
            var lines: [String] = []
            var bytes = remark.utf8.count
            let isWhole = write(root, "", 0, depth, folder) { line in
                lines.append(line)
                bytes += line.utf8.count
                return bytes <= room
            }
            if isWhole { return lines.joined() + remark }
        }
        return cut(room: room, folder)
    }

    private var wantedDepth: Int { min(max(1, context.assignment.integer("depth") ?? 2), Limits.treeDepth) }

    /// Returns the first lines of the uppermost level, and the numbers of the others.
    private func cut(room: Int, _ folder: borrowing OpenFolder) -> String {
        let all = (folders: root.folders.count, files: root.files.count)
        func rest(_ shown: Int) -> String {
            let folders = max(0, all.folders - shown)
            let files = max(0, all.files - max(0, shown - all.folders))
            let words = [
                folders > 0 ? "\(folders.grouped) folder\(folders == 1 ? "" : "s")" : nil,
                files > 0 ? Self.count(files) : nil,
            ].compactMap(\.self).joined(separator: " and ")
            return "… \(words) do not fit: narrow with path or glob\n"
        }
        var (text, shown) = ("", 0)
        let longest = rest(0).utf8.count + 8
        _ = write(root, "", 0, 1, folder) { line in
            guard text.utf8.count + line.utf8.count + longest <= room else { return false }
            text += line
            shown += 1
            return true
        }
        return text + rest(shown)
    }

    /// Writes the lines of a folder.
    ///
    /// - Parameter take: gets each line, and returns whether it fits.
    /// - Returns: whether all lines fit.
    private func write(
        _ node: Node, _ below: String, _ level: Int, _ depth: Int, _ top: borrowing OpenFolder,
        _ take: (String) -> Bool
    ) -> Bool {
        let indent = String(repeating: "  ", count: level)
        for (_, inner) in node.folders.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            guard take("\(indent)\(inner.name.quotedIfOdd)/ · \(Self.count(inner.count))\n") else { return false }
            guard level + 1 < depth else { continue }
            let path = below.isEmpty ? inner.name : "\(below)/\(inner.name)"
            guard write(inner, path, level + 1, depth, top, take) else { return false }
        }
        let names = node.files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        guard !names.isEmpty else { return true }
        let sizes = sizes(of: names, in: below, top)
        return names.indices.allSatisfy { index in
            take("\(indent)\(names[index].quotedIfOdd)\(sizes[index].map { " · \(FileSize.words($0))" } ?? "")\n")
        }
    }

    /// Returns the sizes of files, or `nil` for a file that is found elsewhere too, where the user may be asked
    /// about it, and for one that was removed meanwhile.
    private func sizes(of names: [String], in below: String, _ top: borrowing OpenFolder) -> [Int?] {
        var sizes: [Int?] = []
        do throws(Failure) {
            let folder = try top.folder(below)
            for name in names {
                let status = try folder.status(of: name)
                let isPlain = status?.kind == .file && status?.hasOtherNames == false
                sizes.append(isPlain ? status.map { Int($0.st_size) } : nil)
            }
        } catch {
            // The folder was removed meanwhile.
        }
        return sizes + [Int?](repeating: nil, count: names.count - sizes.count)
    }

    private static func count(_ files: Int) -> String {
        files == 0 ? "no file" : "\(files.grouped) file\(files == 1 ? "" : "s")"
    }
}
