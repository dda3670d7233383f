import Files
import Glibc
import JSON
import Sandbox
import Vocabulary

extension Limits {
    /// The most bytes of a file whose content is compared with the contents that result from keys.
    fileprivate static let comparedBytes = 1 << 20

    /// The most bytes of a picture or a PDF that a model looks at.
    fileprivate static let lookedAtBytes = 1 << 30
}

extension Builtin {
    /// Whether the tool is a look of a language model, which never shows a file of keys.
    var isLook: Bool { [.readLines, .searchFiles, .listTree].contains(self) }
}

// MARK: - What a look touches

extension Preparation {
    /// Returns the target of a look at the lines of a file.
    ///
    /// - Throws: `isFolder`, or `notAFile` for a pipe, a socket or a device.
    func readingLines() throws(Failure) -> Call.Target {
        let written = try assignment.requiredText("path")
        let target = try reading(written)
        switch try target.path.flatMap({ path throws(Failure) in try files.status(path) })?.kind {
        case .folder:
            throw Failure(.isFolder, "\(written.quotedIfOdd) is a folder.", remedy: "Use list to see what is in it.")
        case .file: return target
        default: throw Failure(.notAFile, "\(written.quotedIfOdd) is no file that can be read.")
        }
    }

    /// Returns the target of a look at a folder of the workspace, or at a file of it.
    ///
    /// - Parameter isFolder: whether it must be a folder.
    /// - Throws: `otherWorkspace` for a path outside of the workspace, `notAFolder` or `notAFile`.
    func lookingBelow(isFolder: Bool) throws(Failure) -> Call.Target {
        let written = try assignment.requiredText("path")
        let target = try reading(written)
        guard let path = target.path, path.path(below: paths.workspace) != nil else {
            let tool = isFolder ? "list" : "search"
            throw Failure(
                .otherWorkspace, "\(written.quotedIfOdd) is not below this folder, and \(tool) looks only there.",
                remedy: "Leave path out, or use run with reads.")
        }
        let kind = try files.status(path)?.kind
        guard kind == .folder || kind == .file && !isFolder else {
            throw Failure(
                isFolder ? .notAFolder : .notAFile,
                "\(written.quotedIfOdd) is no folder\(isFolder ? "" : " and no file that can be read").",
                remedy: kind == .file ? "Use read to see what is in it." : nil)
        }
        return target
    }
}

extension Toolbox {
    /// Throws an error if a look would show a file of keys, or a folder of them.
    ///
    /// - Throws: `secretFile`.
    func refuseSecretLook(_ call: Call, _ assignment: Assignment) throws(Failure) {
        let names = call.targets.flatMap { [$0.path].compactMap(\.self) + $0.otherPaths }
        let keys = realPath("\(own.config)/keys")
        let isSecret = names.contains { name in
            name.path(below: keys) != nil || isFolder(name) && SecretFiles.holds(name.child("a"))
        }
        guard isSecret || touchesSecretFile(call, in: assignment.workspace) else { return }
        throw Failure(
            .secretFile, "\((assignment.text("path") ?? "It").quotedIfOdd) may hold keys, so it is not read.",
            remedy: "Take another file, or ask the person what is in it.")
    }
}

// MARK: - Lines

/// The tool that reads lines of a file for a language model, or shows it a picture.
struct LookTools {
    let context: Builtin.Context
    let cancel: Cancellation

    init(_ context: Builtin.Context, cancel: Cancellation) { (self.context, self.cancel) = (context, cancel) }

    func readLines() throws(Failure) -> [Asset] {
        let assignment = context.assignment
        guard let target = context.call.targets.first, let path = target.path else {
            throw Failure(.badCall, "The call names no path.")
        }
        let name = lastName(of: path)
        var page = LinePage(
            of: assignment.text("path") ?? name, from: assignment.integer("from") ?? 1,
            lines: assignment.integer("lines") ?? 400,
            offset: assignment.integer("offset") ?? 0)
        page.keys = context.toolbox.keyFilter()
        let file = try context.files().reading(target, path)
        let assets: [Asset]
        if let picture = try picture(file, page.name) {
            assets = try picture.assets(context, name)
        } else {
            let text = try page.text(of: file, cancel: cancel)
            assets = try context.text(text, name: Builtin.Context.name(after: name, "lines", ".txt"))
        }
        if try resultsFromKeys(file, path) { try context.store.markPrivate(assets) }
        return assets
    }

    /// Looks at a file that may be a picture or a PDF. A program sees a copy of it, which does not change meanwhile.
    ///
    /// - Returns: nil for another file, whose lines are read.
    private func picture(_ file: borrowing OpenFile, _ name: String) throws(Failure) -> LookedPicture? {
        let assignment = context.assignment
        let look = PictureLook(
            head: try file.read(FileKind.headBytes), size: Int(try file.status().st_size), name: name,
            page: assignment.integer("page"))
        let (programs, errors) = (context.toolbox.pictures, assignment.manifest.errors)
        guard assignment.flag("picture"), look.hasPicture else {
            return try look.look(
                programs, errors: errors, cancel: cancel, path: nil, isSeen: assignment.flag("picture"))
        }
        guard try Int(file.status().st_size) <= Limits.lookedAtBytes else {
            throw Failure(
                .tooLarge, "\(name) is larger than \(FileSize.words(Limits.lookedAtBytes)), so it is not looked at.")
        }
        let copy = "\(assignment.runFolder)/looked-at"
        defer { unlink(copy) }
        let made = try OpenFile(copy, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        _ = try file.copyContent(to: made, limit: Limits.lookedAtBytes)
        return try look.look(programs, errors: errors, cancel: cancel, path: copy)
    }

    /// Whether the file results from keys under a name that does not show it: by a record, or by its content.
    private func resultsFromKeys(_ file: borrowing OpenFile, _ path: String) throws(Failure) -> Bool {
        let status = try file.status()
        if var notes = try PrivateNotes(context.toolbox.own) {
            let isNoted = notes.holds(file: path, status) { () throws(Failure) in try context.files().entry(path).file()
            }
            notes.keep()
            if isNoted { return true }
        }
        guard status.st_size > 0, status.st_size <= Limits.comparedBytes else { return false }
        return context.store.isPrivate(try file.digest().0)
    }
}
