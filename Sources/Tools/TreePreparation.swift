import Files
import Glibc
import Sandbox
import Vocabulary

/// The targets of tools that work on whole folders.
extension Preparation {
    /// Returns the targets of a folder whose files are read: the folder with the count and the hash of all in it, and
    /// those files of it that may hold keys.
    ///
    /// - Parameter secrets: the real paths of these files.
    private func readingTree(_ written: String, _ tree: FolderTree, _ secrets: [String]) throws(Failure) -> [Call
        .Target]
    {
        var folder = try reading(written)
        guard let real = folder.path else { return [folder] }
        folder.change = tree.change
        note(tree, real, &folder)
        folder.isPrivate = folder.isPrivate || secrets.count > Limits.namedSecrets
        return [folder] + (try secrets.prefix(Limits.namedSecrets).map { path throws(Failure) in try reading(path) })
    }

    /// Adds what makes a folder one that counts as outside: files that exist elsewhere, too.
    private func note(_ tree: FolderTree, _ real: String, _ target: inout Call.Target) {
        target.hasOtherNames = target.hasOtherNames || tree.hasOtherNames || tree.mount != nil
        target.mount = target.mount ?? tree.mount.map(real.child)
    }

    private func secrets(in tree: FolderTree, _ real: String) throws(Failure) -> [String] {
        let hidden = try PrivateFiles.below(real, of: paths.workspace, own: own, skipsOddNames: true)
        // Other mounts are hidden from commands as well, and hold no keys for that.
        let keys = PrivateFiles(files: hidden.keys, folders: hidden.keys)
        return tree.entries.filter { $0.kind == .file }.map { real.child($0.path) }.filter {
            SecretFiles.holds($0) || keys.holds($0)
        }
    }

    func tree(at real: String, for purpose: FolderTree.Purpose) throws(Failure) -> FolderTree {
        try FolderTree(files.folder(real), real, for: purpose, own: paths.own)
    }

    /// Prepares the files and folders that `Zip` and `Tar` read.
    func pack(_ call: inout Call) throws(Failure) {
        for written in try assignment.texts("paths", atMost: Limits.packedPaths) {
            let real = try paths.existing(written)
            if try files.status(real)?.kind == .folder {
                let tree = try tree(at: real, for: .pack)
                call.targets += try readingTree(written, tree, secrets(in: tree, real))
            } else {
                call.targets.append(try reading(written))
            }
        }
        if !call.targets.isEmpty { call.effects.insert(.reads) }
    }

    /// Prepares the copy of a folder.
    func copyFolder(_ call: inout Call) throws(Failure) {
        let written = try assignment.requiredText("from")
        let from = try paths.existing(written)
        guard try files.status(from)?.kind == .folder else {
            throw Failure(
                .notAFolder, "\(written) is a file.", remedy: "Load the file, and save it under another name.")
        }
        let to = try place(of: lastName(of: from))
        try refuse(from, into: to.path, "copied")
        let tree = try tree(at: from, for: .copy)
        let secrets = try secrets(in: tree, from)
        call.targets = try readingTree(written, tree, secrets) + comingTree(tree, to, isPrivate: !secrets.isEmpty)
    }

    /// Returns the path that the parameter `to` gives a file or folder: the path itself, or the name in that folder if
    /// it is one.
    func place(of name: String) throws(Failure) -> (path: String, names: [String]) {
        let written = try assignment.requiredText("to")
        var (path, names) = (try paths.target(written), try paths.names(written))
        if try files.status(path)?.kind == .folder || written.hasSuffix("/") {
            (path, names) = (path.child(name), names.map { $0.child(name) })
        }
        return (path, names)
    }

    private func refuse(_ from: String, into to: String, _ verb: String) throws(Failure) {
        try paths.refuseOwn(from)
        try paths.refuseOwn(to)
        guard to.path(below: from) == nil else {
            throw Failure(.badPath, "\(from) cannot be \(verb) into itself.", remedy: "Choose another place.")
        }
        guard try files.look(at: to).status == nil else {
            throw Failure(
                .targetExists, "\(to) is there already, and is never replaced.", remedy: "Choose another name.")
        }
    }

    /// Returns the targets of a folder that gets a place, and of all in it, so that the rules on names apply.
    private func comingTree(
        _ tree: FolderTree, _ to: (path: String, names: [String]), isPrivate: Bool, without gone: String? = nil
    ) throws(Failure) -> [Call.Target] {
        let isTold = tree.entries.count <= Limits.treeTargets
        var change = tree.change
        if isTold { change.entries = 1 }
        let links = try links()
        var folder = try creating(to.path, change: change, without: gone)
        folder.isPrivate = isPrivate && !SecretFiles.holds(to.path)
        var targets = [try named(folder, to.names, links)]
        guard isTold else { return targets }
        for entry in tree.entries {
            let kind: Call.Change.Kind = entry.kind == .folder ? .folder : entry.kind == .link ? .link : .file
            let path = to.path.child(entry.path)
            let target = Call.Target(
                .creates, .path(path), reach: paths.reach(to.path), before: .absent,
                change: Call.Change(kind: kind, mode: entry.mode, bytes: entry.bytes, leadsTo: entry.leadsTo))
            targets.append(try named(target, to.names.map { $0.child(entry.path) }, links))
        }
        return targets
    }

    /// Prepares the move of a folder to a free name.
    func moveFolder(_ from: String, _ look: FolderEntry.Look, _ call: inout Call) throws(Failure) {
        let to = try place(of: lastName(of: from))
        try refuse(from, into: to.path, "moved")
        guard !paths.own.isBelow(from), from.path(below: paths.workspace).map({ !$0.isEmpty }) ?? true,
            paths.workspace.path(below: from) == nil
        else { throw Failure(.badPath, "\(from) holds the folder of this session, and is not moved.") }
        let (_, first) = try files.missing(above: to.path)
        guard try files.status(parent(of: first))?.st_dev == look.status?.st_dev else {
            throw Failure(
                .otherMount, "\(to.path) is on another disk, and a folder is not moved there as a whole.",
                remedy: "Copy it with CopyFolder, look at the copy, and delete the folder then.")
        }
        let tree = try tree(at: from, for: .move)
        var left = Call.Target(
            .deletes, .path(from), reach: paths.reach(from), before: look.before, change: tree.change)
        note(tree, from, &left)
        let isPrivate = try !secrets(in: tree, from).isEmpty
        left = try named(left, paths.entryNames(assignment.requiredText("from")), links())
        left.hasOtherNames = left.hasOtherNames || tree.hasOtherNames
        left.isPrivate = left.isPrivate || isPrivate
        call.targets = [left] + (try comingTree(tree, to, isPrivate: isPrivate, without: from))
    }
}

extension FolderTree {
    /// The folder as one change: its size, the hash over all in it, and how many entries it stands for.
    var change: Call.Change {
        Call.Change(kind: .folder, bytes: bytes, hash: hash, entries: entries.count + 1)
    }
}
