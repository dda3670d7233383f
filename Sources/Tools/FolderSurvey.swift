import Glibc
import Vocabulary

/// What lies below a folder besides plain files: links, pipes and sockets, and folders that cannot be looked into.
struct FolderSurvey {
    /// Paths, those near the top first.
    var links: [String] = []
    /// Devices, pipes and sockets.
    var special: [String] = []
    /// Other mounts, and folders that may not be read: nobody knows what lies there.
    var closed: [String] = []
    /// Whether something that is no plain file has a name that no path of ours can say.
    var hasUnnamed = false
    /// Whether all of it was looked at that others come to.
    private(set) var isWhole = true

    /// - Parameters:
    ///   - folder: a real path.
    ///   - hidden: real paths of folders below it that are not looked into.
    ///   - isPartial: whether it simply ends at `Limits.lookedAtFiles`, and leaves out what cannot be read.
    /// - Throws: `tooManyFiles` where there are more.
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
                switch error.code {
                case "permissionDenied", "otherMount":
                    closed.append(path)
                    // Who knows a name in it can still go there; on another mount, anybody.
                    if error.code == "otherMount" || access(path, X_OK) == 0 { isWhole = false }
                // Gone by now.
                case "fileNotFound": break
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
                    "tooManyFiles",
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
    /// The same, and what a program could speak to though it may not write: sockets and pipes. What cannot be looked
    /// into may hold some.
    ///
    /// - Throws: `tooManyFiles`, `badName` where not all of them can be hidden.
    func hidingSockets(below folder: String) throws(Failure) -> PrivateFiles {
        let survey = try FolderSurvey(of: folder, but: folders)
        guard !survey.hasUnnamed else {
            throw Failure(
                "badName",
                "Something below \(folder) has a name that is no text in UTF-8: a socket there could not be hidden.",
                remedy: "Rename it.")
        }
        var hidden = self
        hidden.folders += survey.closed
        hidden.files += survey.special
        guard hidden.files.count + hidden.folders.count <= Limits.hiddenFiles else {
            throw Failure(
                "tooManyFiles",
                "There are more than \(Limits.hiddenFiles) sockets, pipes and files that may hold keys below \(folder): "
                    + "a program would see some of them.",
                remedy: "Begin a session in a folder further down.")
        }
        return hidden
    }
}
