import Files
import Glibc
import Vocabulary

/// The files of the workspace before a command, or after some of its changes are applied. All paths lie below the
/// workspace, which is the empty path. Links are not followed, and neither are links on the way.
final class WorkspaceState {
    private let lower: OpenFolder
    /// The overlay with the changes of the command. No step leads to it in the state before.
    private let upper: OpenFolder
    /// The layers of the paths that steps bring or remove.
    private let steps: [[UInt8]: Layer]
    /// The names that steps make or remove, by their folders.
    private var children: [[UInt8]: [(name: String, layer: Layer)]] = [:]

    /// The overlay, or no layer for what a step removes.
    private enum Layer { case upper, nowhere }

    /// The state before the command.
    ///
    /// - Parameter workspace: a real path.
    init(before workspace: String) throws(Failure) {
        lower = try OpenFolder(workspace)
        upper = try OpenFolder(workspace)
        steps = [:]
    }

    /// The state after the changes of a list.
    init(after list: ChangeList, of run: OverlayRun) throws(Failure) {
        lower = try OpenFolder(run.workspace)
        upper = try OpenFolder(run.folder.upper)
        var steps: [[UInt8]: Layer] = [:]
        for step in list.steps {
            let layer: Layer
            switch step {
            case .bringIn, .swap: layer = .upper
            case .takeOut: layer = .nowhere
            case .set: continue
            }
            steps[Array(step.path.utf8)] = layer
            let folder = Array(relativeParent(of: step.path).utf8)
            children[folder, default: []].append((lastName(of: step.path), layer))
        }
        self.steps = steps
    }

    /// Returns the layer that holds a path, or `nil` for the workspace below.
    private func layer(of path: String) -> Layer? {
        guard !steps.isEmpty else { return nil }
        let bytes = Array(path.utf8)
        if let layer = steps[bytes] { return layer }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
            if let layer = steps[Array(bytes[..<index])] { return layer }
        }
        return nil
    }

    /// Calls `body` with the folder of the layer that holds a path. Returns `nil` if the path does not exist or cannot
    /// be read.
    private func within<Value>(
        _ path: String, _ body: (borrowing OpenFolder) throws(Failure) -> Value?
    ) -> Value? {
        do throws(Failure) {
            switch layer(of: path) {
            case .nowhere?: return nil
            case .upper?: return try body(upper)
            case nil: return try body(lower)
            }
        } catch { return nil }
    }

    /// Returns the status of an entry, or `nil` if there is none, or if a link or a mount is on the way.
    func status(_ path: String) -> stat? {
        within(path) { (folder) throws(Failure) -> stat? in
            guard let name = path.pathNames.last else { return try folder.file.status() }
            let status = try folder.folder(relativeParent(of: path)).status(of: name)
            return status?.isWhiteout == true ? nil : status
        }
    }

    /// Returns the names in a folder, or `nil` if it is not a folder or has more than `limit` entries.
    func names(_ path: String, limit: Int) -> [String]? {
        let found = within(path) { (folder) throws(Failure) -> [String]? in try folder.folder(path).names() }
        guard var names = found, names.count <= limit else { return nil }
        for (name, layer) in children[Array(path.utf8)] ?? [] {
            switch layer {
            case .nowhere: names.removeAll { $0.isSameName(as: name) }
            case .upper: if !names.contains(where: { $0.isSameName(as: name) }) { names.append(name) }
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the content of a file, or `nil` if it is no file, is longer than the limit or cannot be read.
    func content(_ path: String, limit: Int) -> [UInt8]? {
        within(path) { (folder) throws(Failure) -> [UInt8]? in
            let file = try folder.file(path)
            let status = try file.status()
            guard status.kind == .file, status.st_size <= limit else { return nil }
            return try file.read(Int(status.st_size))
        }
    }

    /// Returns the name that git gives to the content of a file or link, or `nil` if there is none.
    ///
    /// - Parameter isLong: whether the repository names objects by SHA-256.
    func blobName(_ path: String, isLong: Bool) -> String? {
        within(path) { (folder) throws(Failure) -> String? in
            let parent = try folder.folder(relativeParent(of: path))
            let name = lastName(of: path)
            switch try parent.status(of: name)?.kind {
            case .file: return try parent.file(name).blobName(isLong: isLong)
            case .link: return GitBlob.name(of: Array(try parent.linkTarget(name).utf8), isLong: isLong)
            case .folder, .special, nil: return nil
            }
        }
    }

    /// Returns whether a step brings or removes a path.
    func isChanged(_ path: String) -> Bool { layer(of: path) != nil }

    /// Returns whether a git folder names objects by SHA-256 instead of SHA-1.
    func namesObjectsByLongHashes(_ folder: String) -> Bool {
        let content = content(GitPlaces.join(folder, "config"), limit: Limits.gitConfigBytes)
        return content.flatMap { GitSettings(content: $0) }?.values["extensions.objectformat"]?.last?.lowercased()
            == "sha256"
    }
}
