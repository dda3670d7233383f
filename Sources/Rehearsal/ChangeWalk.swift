import CProcess
import Files
import Glibc
import Sandbox
import Undo
import Vocabulary

extension Limits {
    /// The most refusals of a rehearsal that are listed.
    fileprivate static let rehearsedRefusals = 20
}

/// A walk through the upper folder of an overlay. It lists the changes, compared with the workspace below. All processes
/// of the command must have ended.
///
/// The kernel marks a deleted name with a character device 0:0. A folder with `user.overlay.opaque` replaces all below
/// it. A file that was opened for writing lies in the overlay even if it is as it was (`consent.md`, "Rehearsal").
struct ChangeWalk {
    let workspace: String
    let isOwn: (_ path: String, _ isLink: Bool) -> Bool
    let links: WorkspaceLinks
    let hidden: Hidden
    /// The start of the command, in nanoseconds since 1970. Replaced entries must not have been changed since then.
    private let started: Int64
    var list = ChangeList()
    var entries = 0
    var bytes = 0
    /// The folders whose changes are counted and hashed instead of listed, the innermost last.
    var sums: [ChangeSum] = []
    /// The git folders around the present place, the innermost last, as places in `list.git`.
    var gitFolders: [Int] = []
    /// The configurations with a change that git obeys, as paths below the workspace.
    var obeyedSettings: Set<String> = []

    /// Lists the changes of a command.
    ///
    /// - Parameters:
    ///   - upper: the overlay's own folder.
    ///   - workspace: a real path.
    ///   - started: when the command began, in nanoseconds since 1970.
    ///   - links: the links of the workspace.
    ///   - hidden: the paths that the command could not see. They do not change, and no empty stand-in replaces them.
    ///   - isOwn: whether a path is in one of Assent's own folders, which no command may change.
    /// - Throws: `tooManyChanges`, `badName`, or an error of reading.
    static func list(
        upper: borrowing OpenFolder, workspace: String, started: Int64, links: WorkspaceLinks = WorkspaceLinks(),
        hidden: HiddenPaths = HiddenPaths(),
        isOwn: @escaping (_ path: String, _ isLink: Bool) -> Bool = { _, _ in false }
    ) throws(Failure) -> ChangeList {
        var walk = ChangeWalk(
            workspace: workspace, started: started, links: links, hidden: Hidden(hidden), isOwn: isOwn)
        let lower = try OpenFolder(workspace)
        // The workspace may be a repository without working files. It is no change of itself.
        if GitPlaces.isRepository({ Self.exists($0, upper, lower) }) { walk.beginGit("", isNew: false) }
        try walk.both(upper, lower, "", 0)
        walk.list.git.removeAll { !$0.isTouched }
        walk.list.links = links
        if try upper.file.status().permissions != lower.file.status().permissions {
            walk.refuse("", "changes the permissions of the workspace itself")
        }
        return walk.list
    }

    private init(
        workspace: String, started: Int64, links: WorkspaceLinks, hidden: Hidden,
        isOwn: @escaping (String, Bool) -> Bool
    ) {
        self.workspace = workspace
        self.hidden = hidden
        self.links = links
        self.isOwn = isOwn
        self.started = started
    }

    // MARK: Walking

    /// Compares a folder of the overlay with the same folder of the workspace, and all below them.
    private mutating func both(
        _ upper: borrowing OpenFolder, _ lower: borrowing OpenFolder, _ path: String, _ depth: Int
    ) throws(Failure) {
        guard depth < Limits.rehearsedDepth else {
            throw Self.tooMany("folders lie deeper than \(Limits.rehearsedDepth)")
        }
        let names = try upper.names()
        var siblings: Siblings?
        for name in names {
            let at = path.isEmpty ? name : "\(path)/\(name)"
            guard let now = try upper.status(of: name) else { continue }
            if hidden.holds(at) {
                try refuseChange(upper, name, now, at)
                continue
            }
            let was = try lower.status(of: name)
            if now.isWhiteout {
                // Over nothing, it hides nothing.
                guard let was else { continue }
                list.steps.append(.takeOut(path: at, old: was.inode))
                try goes(lower, name, was, at, depth)
                continue
            }
            let attributes = try attributes(upper, name, now)
            if isAcceptable(now, attributes, was, at) {
                if let was {
                    try stays(upper, lower, name, now, attributes, was, at, depth)
                } else {
                    if siblings == nil { siblings = Siblings(of: lower, without: try Self.whiteouts(names, in: upper)) }
                    list.steps.append(.bringIn(path: at, inode: now.inode))
                    try comes(upper, name, now, attributes, at, depth, resembles: siblings?.resembling(name))
                    siblings?.add(name)
                }
            }
        }
    }

    private static func whiteouts(_ names: [String], in upper: borrowing OpenFolder) throws(Failure) -> [String] {
        var gone: [String] = []
        for name in names { if try upper.status(of: name)?.isWhiteout == true { gone.append(name) } }
        return gone
    }

    private mutating func stays(
        _ upper: borrowing OpenFolder, _ lower: borrowing OpenFolder, _ name: String, _ now: stat,
        _ attributes: [OpenFile.Attribute],
        _ was: stat, _ at: String, _ depth: Int
    ) throws(Failure) {
        if now.kind == .folder, was.kind == .folder, !attributes.contains(where: \.isOpaqueMark) {
            let new = try upper.folder(name)
            let old = try lower.folder(name)
            let isGit = beginGit(new, old, name, at)
            try both(new, old, at, depth + 1)
            let git = isGit ? endGit() : nil
            if now.permissions != was.permissions {
                // Last: it may take away the permission to do the rest.
                let (new, old) = (ApplyStep.Settings(mode: now.permissions), ApplyStep.Settings(mode: was.permissions))
                list.steps.append(.set(path: at, old: was.inode, to: new, was: old))
                try tell(.overwrites, at, before: before(was, nil), change(now, was: was, nil))
            }
            if let git { try tellSum(git, .overwrites, at, before: before(was, nil), change(now, was: was, nil)) }
            return
        }
        try refuseStale(was, at)
        // A file on an existing name is recognized as a copy by its time only.
        if hidden.isCopy(now, named: "", isEmptyFolder: false) { refuseCopy(at) }
        guard now.kind == was.kind, now.kind != .folder else {
            list.steps.append(.swap(path: at, inode: now.inode, old: was.inode))
            try goes(lower, name, was, at, depth)
            return try comes(upper, name, now, attributes, at, depth)
        }
        let (hash, oldHash) = (try content(upper, name, now, at), try content(lower, name, was, at))
        list.replaced[was.inode] = FileStamp(beforeRename: was)
        let (has, had) = (Self.hash(attributes), Self.hash(try self.attributes(lower, name, was)))
        if hash == oldHash, has == had {
            // Opened for writing and not written to, it is as it was.
            guard let (new, old) = ApplyStep.Settings.changed(now, was) else { return }
            list.steps.append(.set(path: at, old: was.inode, to: new, was: old))
            var change = change(now, was: was, hash)
            change.modified = new.modified
            return try tell(.overwrites, at, before: before(was, oldHash), change)
        }
        list.steps.append(.swap(path: at, inode: now.inode, old: was.inode))
        list.noteLoss(was, at)
        list.brought[now.inode] = FileStamp(now)
        if now.permissions & 0o200 == 0, now.kind == .file { list.locked[now.inode] = now.permissions }
        compareSettings(upper, since: Self.settings(name, in: lower), name, at)
        let leadsTo = now.kind == .link ? try upper.linkTarget(name) : nil
        var change = change(now, was: was, hash, leadsTo: leadsTo)
        if has != had { change.attributes = has ?? .of([]) }
        try tell(.overwrites, at, before: before(was, oldHash), change)
    }

    /// Lists a new entry, with all that lies in it.
    private mutating func comes(
        _ folder: borrowing OpenFolder, _ name: String, _ now: stat, _ attributes: [OpenFile.Attribute], _ at: String,
        _ depth: Int,
        resembles: String? = nil
    ) throws(Failure) {
        list.brought[now.inode] = FileStamp(now)
        if now.permissions & 0o200 == 0, now.kind != .link { list.locked[now.inode] = now.permissions }
        guard now.kind == .folder else {
            if hidden.isCopy(now, named: name, isEmptyFolder: false) { refuseCopy(at) }
            compareSettings(folder, since: GitSettings(), name, at)
            let leadsTo = now.kind == .link ? try folder.linkTarget(name) : nil
            var change = change(now, was: nil, try content(folder, name, now, at), leadsTo: leadsTo)
            change.attributes = Self.hash(attributes)
            return try tell(.creates, at, before: .absent, change, resembles: resembles)
        }
        guard depth < Limits.rehearsedDepth else {
            throw Self.tooMany("folders lie deeper than \(Limits.rehearsedDepth)")
        }
        let inner = try folder.folder(name)
        var siblings = Siblings()
        let names = try inner.names()
        noteRepository(names, at)
        let sum = beginSum(names, name, at, isGone: false)
        if hidden.isCopy(now, named: name, isEmptyFolder: names.isEmpty) { refuseCopy(at) }
        for each in names {
            guard let status = try inner.status(of: each) else { continue }
            if status.isWhiteout {
                guard unlinkat(inner.descriptor, each, 0) == 0 else { throw fileFailure("remove", each) }
                continue
            }
            let attributes = try self.attributes(inner, each, status)
            if isAcceptable(status, attributes, nil, "\(at)/\(each)") {
                try comes(
                    inner, each, status, attributes, "\(at)/\(each)", depth + 1, resembles: siblings.resembling(each))
                siblings.add(each)
            }
        }
        var change = change(now, was: nil, nil)
        change.attributes = Self.hash(attributes)
        try tellEnded(sum, .creates, at, before: .absent, change, resembles: resembles)
    }

    /// Lists a deleted entry, with all that lies in it.
    private mutating func goes(
        _ folder: borrowing OpenFolder, _ name: String, _ was: stat, _ at: String, _ depth: Int
    ) throws(Failure) {
        if hidden.holds(at) { return refuseLoss(at) }
        try refuseStale(was, at)
        list.replaced[was.inode] = FileStamp(beforeRename: was)
        list.noteLoss(was, at)
        guard was.kind == .folder else {
            var gone = gone(was, try content(folder, name, was, at))
            gone.attributes = Self.hash(try attributes(folder, name, was))
            return try tell(.deletes, at, before: before(was, gone.hash), gone)
        }
        guard depth < Limits.rehearsedDepth else {
            throw Self.tooMany("folders lie deeper than \(Limits.rehearsedDepth)")
        }
        let inner = try folder.folder(name)
        let names = try inner.names()
        noteRepository(names, at)
        let sum = beginSum(names, name, at, isGone: true)
        for each in names {
            guard let status = try inner.status(of: each) else { continue }
            try goes(inner, each, status, "\(at)/\(each)", depth + 1)
        }
        var gone = gone(was, nil)
        gone.attributes = Self.hash(try attributes(folder, name, was))
        try tellEnded(sum, .deletes, at, before: before(was, nil), gone)
    }

    mutating func refuse(_ at: String, _ why: String) {
        guard list.refusals.count < Limits.rehearsedRefusals else { return }
        list.refusals.append(at.isEmpty ? "It \(why)." : "\(at) \(why).")
    }

    static func tooMany(_ what: String) -> Failure {
        Failure(
            .tooManyChanges, "The command would change more than can be asked about: \(what).",
            remedy: "Nothing was changed. Let it do less at once, or run it on the bare machine.")
    }

    // MARK: What is looked at

    /// Returns the SHA-256 of a file's content or of a link's target, or `nil` for folders and special files. It also
    /// records files that are an index of git.
    ///
    /// - Throws: `tooManyChanges` if the file is too large, `targetChanged` if it changes meanwhile.
    private mutating func content(
        _ folder: borrowing OpenFolder, _ name: String, _ status: stat, _ at: String
    ) throws(Failure) -> ContentHash? {
        switch status.kind {
        case .folder, .special: return nil
        case .link: return .of(try folder.linkTarget(name))
        case .file:
            let file = try folder.file(name)
            // Before it is read: a hole of a terabyte costs nothing to make.
            guard bytes + Int(status.st_size) <= Limits.rehearsedBytes else {
                throw Self.tooMany("more than \(Limits.rehearsedBytes >> 30) GiB")
            }
            guard try file.status().isSame(as: status) else { throw Self.changed(name) }
            var isFirst = true
            let (hash, _) = try file.digest { piece in
                if isFirst, GitIndex.begins(piece) { list.indexes.insert(at) }
                isFirst = false
            }
            guard try file.status().isSame(as: status) else { throw Self.changed(name) }
            return hash
        }
    }

    /// Records a folder that contains a git repository.
    private mutating func noteRepository(_ names: [String], _ at: String) {
        if GitPlaces.isRepository(names.contains) { list.repositories.insert(at) }
    }

    private static func changed(_ name: String) -> Failure {
        Failure(
            .targetChanged, "\(name) was changed while it was looked at.", remedy: "Nothing was changed. Run it anew.")
    }

    private func attributes(_ folder: borrowing OpenFolder, _ name: String, _ status: stat) throws(Failure) -> [OpenFile
        .Attribute]
    {
        guard status.kind == .file || status.kind == .folder else { return [] }
        return try folder.file(name).attributes()
    }

    /// Whether a command may bring an entry into the workspace. If not, the reason is added to the refusals.
    private mutating func isAcceptable(
        _ status: stat, _ attributes: [OpenFile.Attribute], _ was: stat?, _ at: String
    ) -> Bool {
        func has(_ prefix: String) -> Bool { attributes.contains { $0.name.hasPrefix(prefix) } }
        let why: String? =
            if status.kind == .special {
                "would be a device, a pipe or a socket"
            } else if status.permissions & ~(was?.permissions ?? 0) & 0o7000 != 0, status.kind != .link {
                "would run as somebody else (setuid, setgid or sticky)"
            } else if status.st_uid != geteuid() {
                "would belong to somebody else"
            } else if has("security.") || has("trusted.") || (was == nil && has("system.posix_acl_")) {
                "has an attribute that grants something"
            } else if status.kind == .file, status.st_nlink > 1 {
                "would have a second name"
            } else if status.kind == .file, status.st_size > Limits.rehearsedBytes {
                "is larger than \(Limits.rehearsedBytes >> 30) GiB"
            } else if attributes.contains(where: \.isForgedMark) { "pretends to be deleted" } else { nil }
        if let why { refuse(at, why) }
        return why == nil
    }

    /// Refuses to replace a file with a second name, which may lie outside of the workspace. Marks the list as stale if
    /// the entry was changed since the command began.
    private mutating func refuseStale(_ was: stat, _ at: String) throws(Failure) {
        guard was.kind != .folder else { return }
        if was.kind == .file, was.st_nlink > 1 { refuse(at, "has a second name, perhaps outside of the workspace") }
        if was.changedNanoseconds >= started { list.isStale = true }
    }
}
