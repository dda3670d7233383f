import Glibc
package import Vocabulary

/// The entries below a folder that are not plain files: links, pipes and sockets, and folders that cannot be searched.
struct FolderSurvey {
    /// The paths of links, in the order of their depth.
    var links: [String] = []
    /// The paths of devices, pipes and sockets.
    var special: [String] = []
    /// The paths of other mounts, and of folders that may not be read. Their content is unknown.
    var closed: [String] = []
    /// Whether a special file or a folder has a name that is not UTF-8.
    var hasUnnamed = false
    /// Whether the survey covers everything that other processes can reach on the mount of the folder.
    private(set) var isWhole = true

    /// Surveys a folder.
    ///
    /// - Parameters:
    ///   - folder: a real path.
    ///   - hidden: real paths of folders below it that are not searched.
    ///   - isPartial: whether the survey ends at `Limits.lookedAtFiles` without an error, and leaves out folders that
    ///     cannot be read.
    /// - Throws: `tooManyFiles` if there are more files.
    init(of folder: String, but hidden: [String], isPartial: Bool = false) throws(Failure) {
        let hidden = Set(hidden.map { Array($0.utf8) })
        let root = try OpenFolder(folder)
        var waiting = [""]
        var (next, left) = (0, Limits.lookedAtFiles)
        while next < waiting.count {
            let below = waiting[next]
            next += 1
            let path = below.isEmpty ? folder : folder.child(below)
            if hidden.contains(Array(path.utf8)) { continue }
            do throws(Failure) {
                try look(root.folder(below), path, &left) { name in
                    waiting.append(below.isEmpty ? name : "\(below)/\(name)")
                }
            } catch {
                switch error.code.ours {
                case .permissionDenied, .otherMount:
                    closed.append(path)
                    // A process that knows a name in the folder can open it. What lies on another mount has its own
                    // questions, and says nothing about the rest.
                    if error.code == .permissionDenied, access(path, X_OK) == 0 { isWhole = false }
                // The folder was deleted meanwhile.
                case .fileNotFound: break
                default:
                    guard isPartial else { throw error }
                    isWhole = false
                    if left < 0 { return }
                }
            }
        }
    }

    private mutating func look(
        _ folder: borrowing OpenFolder, _ path: String, _ left: inout Int, _ wait: (String) -> Void
    ) throws(Failure) {
        var count = left
        defer { left = count }
        try folder.each { (entry) throws(Failure) in
            count -= 1
            guard count >= 0 else {
                throw Failure(
                    .tooManyFiles,
                    "There are more than \(Limits.lookedAtFiles) files, up to \(path): not all can be looked at.",
                    remedy: "Begin a session in a folder further down.")
            }
            guard let name = entry.name else {
                guard entry.kind != .file else { return }
                isWhole = false
                if entry.kind != .link { hasUnnamed = true }
                return
            }
            var kind = entry.kind
            if kind == nil { kind = try folder.status(of: name)?.kind }
            switch kind {
            case .folder: wait(name)
            case .link: links.append(path.child(name))
            case .special: special.append(path.child(name))
            case .file, nil: break
            }
        }
    }
}

extension PrivateFiles {
    /// Returns these files, and all sockets and pipes below a folder, to which a program could connect without
    /// permission to write. Folders that cannot be searched are included, too.
    ///
    /// - Throws: `tooManyFiles` or `badName` if not all of them can be hidden.
    package func hidingSockets(below folder: String) throws(Failure) -> PrivateFiles {
        let survey = try FolderSurvey(of: folder, but: folders)
        guard !survey.hasUnnamed else {
            throw Failure(
                .badName,
                "Something below \(folder) has a name that is no text in UTF-8: a socket there could not be hidden.",
                remedy: "Rename it.")
        }
        var hidden = self
        hidden.folders += survey.closed
        hidden.files += survey.special
        guard hidden.files.count + hidden.folders.count <= Limits.hiddenFiles else {
            throw Failure(
                .tooManyFiles,
                "There are more than \(Limits.hiddenFiles) sockets, pipes and files that may hold keys below \(folder): "
                    + "a program would see some of them.",
                remedy: "Begin a session in a folder further down.")
        }
        return hidden
    }
}
