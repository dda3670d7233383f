import Files
import Glibc
import HTTP
import JSON
import Jobs
import Rehearsal
import Sandbox
import Undo
package import Vocabulary

extension Toolbox {
    /// Returns the call of an assignment: the real paths, hosts and commands that it touches, their present state, its
    /// effects, and whether it can be undone.
    ///
    /// It changes nothing outside of the store. The same assignment gives the same call while the files stay as they
    /// are.
    ///
    /// - Throws: `badPath`, `fileNotFound`, `ownFolder`, `targetExists`, `badURL`, `secretFile`, `missingInput` and
    ///   others, for calls that could only fail.
    package func prepare(_ assignment: Assignment) throws(Failure) -> Call {
        let manifest = assignment.manifest
        var call = Call(
            tool: manifest.kind, toolVersion: manifest.version, params: assignment.params,
            inputs: assignment.inputs.map(\.inCall),
            effects: manifest.effects, reversibility: manifest.reversibility)
        let preparation = try Preparation(assignment, own)
        switch manifest.action {
        case .program(let action) where action.isInWorkspace:
            try preparation.shell(&call, sandbox)
            try notePrograms(&call, assignment, in: preparation.paths.workspace)
            if call.rehearsal == .wanted, let played = try rehearsed(call, assignment) { return played }
        case .program:
            try preparation.fillReadings(&call, own, store, isSandboxed: sandbox.reasonForNone == nil)
            if !manifest.isShipped, let reason = sandbox.reasonForNone {
                call.effects.insert(.executes)
                call.environment["sandbox"] = .string(reason)
            }
        case .builtin(let name):
            try preparation.fill(&call, for: name, store, sandbox)
            if Builtin(rawValue: name) == .unpack {
                var listing: ArchiveListing?
                if let asset = assignment.input("file") { listing = try self.listing(of: asset, assignment) }
                try preparation.unpack(&call, listing)
            }
            if Builtin(rawValue: name)?.isLook == true { try refuseSecretLook(call, assignment) }
            preparation.markDisclosed(&call, store)
            try notePrograms(&call, assignment, in: preparation.paths.workspace)
            // A stored rehearsal that is still valid is used.
            if call.rehearsal == .wanted, let played = try rehearsed(call, assignment) { return played }
        case .job(let action): try preparation.fill(&call, for: action, provider(action.provider), store)
        case .person: break
        }
        if call.effects.contains(.spends) { call.price = manifest.price ?? providerPrice(of: manifest) }
        call.targets = OwnWrites(own).marked(call.targets)
        // A rehearsed command is judged by what it changed there.
        if !manifest.isCommand { call.targets = GitFolders.marked(call.targets) }
        try noteSecretFiles(call)
        return call
    }
}

extension Toolbox {
    private func providerPrice(of manifest: ToolManifest) -> Dollars? {
        guard case .job(let action) = manifest.action else { return nil }
        return provider(action.provider)?.price
    }
}

extension Assignment.Input {
    fileprivate var inCall: Call.Input {
        Call.Input(port: port, from: from, hash: asset?.hash, name: name, bytes: asset?.bytes)
    }
}

/// A preparation of one call.
struct Preparation: ~Copyable {
    let assignment: Assignment
    let own: OwnFolders
    let paths: Paths
    /// The user's files, in the way in which the tool will reach them.
    let files: PersonFiles

    init(_ assignment: Assignment, _ own: OwnFolders) throws(Failure) {
        let paths = try Paths(workspace: assignment.workspace, own: own)
        let files = try PersonFiles(workspace: paths.workspace)
        self.assignment = assignment
        self.own = own
        self.paths = paths
        self.files = files
    }

    func reading(_ written: String) throws(Failure) -> Call.Target {
        let real = try paths.existing(written)
        let isLinked = try files.status(real)?.hasOtherNames ?? false
        let mount = try files.otherMount(of: real)
        var target = Call.Target(
            .reads, .path(real), reach: paths.reach(real), hasOtherNames: isLinked || mount != nil,
            otherPaths: WorkspaceLinks(ofKeysTo: real, in: paths.workspace, but: paths.own).otherPaths(
                of: try paths.names(written), but: real))
        target.mount = mount
        return target
    }

    /// Returns the links of the workspace, for a tool that changes one file. The list may be incomplete (`isWhole`).
    func links() throws(Failure) -> WorkspaceLinks {
        try WorkspaceLinks(of: paths.workspace, but: paths.own, isPartial: true)
    }

    /// Returns a target with its other paths: those by which it was reached, and those that links give it.
    ///
    /// - Throws: `ownFolder` if one of these paths belongs to Assent.
    func named(_ target: Call.Target, _ names: [String], _ links: WorkspaceLinks) throws(Failure) -> Call.Target {
        var target = target
        switch target.place {
        case .path(let path):
            target.otherPaths = links.otherPaths(of: names, but: path)
            // A file on another mount may exist under other paths.
            target.mount = try files.otherMount(of: path)
        case .newName(let folder, _, _):
            target.mount = try files.otherMount(of: folder)
            target.otherPaths = links.otherPaths(ofNew: target.place, names: names)
            // The path may be one of Assent's own that does not exist yet.
            for path in paths.own.paths where target.place.couldBe(path) { try paths.refuseOwn(path) }
        case .host, .command: return target
        }
        if target.mount != nil || !links.isWhole { target.hasOtherNames = true }
        for other in target.otherPaths { try paths.refuseOwn(other, isLink: target.change?.kind == .link) }
        return target
    }

    /// Returns the target for a file that will be created.
    ///
    /// - Parameter gone: a path that will be free then, as in a move.
    func creating(_ path: String, change: Call.Change? = nil, without gone: String? = nil) throws(Failure)
        -> Call.Target
    {
        let (count, first) = try files.missing(above: path)
        var resembled: String?
        do throws(Failure) {
            let entry = try files.entry(first)
            let beside = [gone].compactMap(\.self).filter { parent(of: $0).isSameName(as: parent(of: first)) }
            let siblings = Siblings(of: entry.folder, without: Set(beside.map(lastName)))
            resembled = siblings.resembling(entry.name)
        } catch  where error.code == .fileNotFound {}
        return Call.Target(
            .creates, .path(path), reach: paths.reach(path), before: .absent, change: change, newFolders: count,
            resembles: resembled)
    }

    private func isFolder(_ path: String) throws(Failure) -> Bool { try files.status(path)?.kind == .folder }

    func fill(_ call: inout Call, for builtin: String, _ store: AssetStore, _ sandbox: Isolation) throws(Failure) {
        switch Builtin(rawValue: builtin) {
        case .loadImage, .loadFile, .readFile, .listFiles, .findText:
            call.targets = [try reading(try assignment.requiredText("path"))]
        case .readLines: call.targets = [try readingLines()]
        case .searchFiles, .listTree: call.targets = [try lookingBelow(isFolder: builtin == Builtin.listTree.rawValue)]
        case .saveFile: try save(&call)
        case .writeFile: try write(&call)
        case .moveFile: try move(&call)
        case .copyFolder: try copyFolder(&call)
        case .zipFiles, .tarFiles: try pack(&call)
        case .deleteFile: try delete(&call)
        case .fetch, .loadURL:
            let url = try WebAddress(named: try assignment.requiredText("url"))
            // In every mode, content that may hold keys is not sent. The user is not asked about a call that is refused
            // anyway.
            try store.refusePrivate(assignment.assets, to: url.hostAndPort)
            _ = try FetchTool.fields(of: assignment)
            call.targets = [Call.Target(.sends, .host(url.hostAndPort), reach: .remote)]
        case .shell: try shell(&call, sandbox)
        case .edit: try edit(&call, sandbox)
        default: break
        }
    }

    /// Marks targets with the content of a file that may hold keys. A changed copy under another name is not
    /// recognized.
    func markDisclosed(_ call: inout Call, _ store: AssetStore) {
        let isMoved = call.targets.contains {
            $0.effect == .deletes && ($0.isPrivate || $0.change?.hash.map(store.isPrivate) ?? false)
        }
        guard store.holdsPrivate(assignment.assets) || isMoved && call.targets.count == 2 else { return }
        for index in call.targets.indices where [.creates, .overwrites].contains(call.targets[index].effect) {
            switch call.targets[index].place {
            case .path(let path): call.targets[index].isPrivate = !SecretFiles.holds(path)
            case .newName:
                call.targets[index].isPrivate = !(call.targets[index].place.numbered(1).map(SecretFiles.holds) ?? false)
            case .host, .command: break
            }
        }
    }

    /// Prepares a command. In the sandbox, the command is rehearsed, so that its changes are known before it makes
    /// them. Without a sandbox, it always runs on the bare machine.
    func shell(_ call: inout Call, _ sandbox: Isolation) throws(Failure) {
        let words = try ShellTool.words(assignment)
        call.targets = [Call.Target(.executes, .command(words), reach: .workspace)]
        call.environment["folder"] = .string(paths.workspace)
        // The parameters are checked even if they have no effect, so that errors in them are reported.
        let outside = try OutsideAccess(assignment, self)
        if let reason = sandbox.reasonForNone {
            call.leaveSandbox(because: reason)
        } else if assignment.flag("bare") {
            guard outside.targets.isEmpty else {
                throw Failure(
                    .badParam,
                    "network and reads are for the sandbox; a command on the bare machine is not held to them.")
            }
            call.leaveSandbox(because: nil)
        } else {
            try paths.refuseOwn(paths.workspace)
            if let repository = repository() {
                if let verb = writingVerb(in: repository) { throw repository.refusal(of: verb) }
                call.environment["repository"] = .string(repository.workTree)
            }
            call.rehearsal = .wanted
            call.targets += outside.targets
            call.effects.formUnion(outside.targets.map(\.effect))
            let sends = outside.hosts.isEmpty ? "" : "; what it sends meanwhile cannot be taken back"
            call.reversibility = .yes(how: "no file is changed before you say yes" + sends)
        }
    }

    /// Prepares a save. Without a path, the target is the next free name in the workspace. With a path, it is that
    /// path, or the next free name there if a file exists and must not be replaced.
    private func save(_ call: inout Call) throws(Failure) {
        let name = assignment.inputs.first { $0.port == "file" }?.name.map { safeName($0) } ?? "result"
        guard let written = assignment.text("path") else {
            try paths.refuseOwn(paths.workspace)
            call.targets = [try named(newName(name, in: paths.workspace), [], links())]
            return
        }
        let target = try paths.target(written)
        let isInFolder = try isFolder(target) || written.hasSuffix("/")
        try place(isInFolder ? "\(target)/\(name)" : target, as: isInFolder ? "\(written)/\(name)" : written, &call)
    }

    private func write(_ call: inout Call) throws(Failure) {
        guard assignment.inputs.contains(where: { $0.port == "text" }) || assignment.text("text") != nil else {
            throw Failure(.missingInput, "There is no text to write: neither at the input nor as a parameter.")
        }
        let written = try assignment.requiredText("path")
        let target = try paths.target(written)
        guard try !isFolder(target), !written.hasSuffix("/") else {
            throw Failure(.isFolder, "\(written) is a folder.")
        }
        try place(target, as: written, &call)
    }

    /// Adds the target of a file that is written.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - written: the same path as the call gives it.
    private func place(_ path: String, as written: String, _ call: inout Call) throws(Failure) {
        let target = try paths.target(path)
        let names = try paths.names(written)
        try paths.refuseOwn(target)
        let look = try files.look(at: target)
        guard let status = look.status else {
            call.targets = [try named(creating(target), names, links())]
            return
        }
        guard assignment.flag("overwrite") else {
            call.targets = [try named(newName(lastName(of: target), in: parent(of: target)), names, links())]
            return
        }
        guard status.kind == .file else { throw Failure(.notAFile, "\(path) is not a file and is not replaced.") }
        let overwritten = Call.Target(
            .overwrites, .path(target), reach: paths.reach(target), before: look.before,
            hasOtherNames: status.hasOtherNames)
        call.targets = [try named(overwritten, names, links())]
        call.effects.remove(.creates)
        call.effects.insert(.overwrites)
        call.reversibility = UndoPromise.back(from: status, copy: "undo copy")
    }

    private func newName(_ name: String, in folder: String) -> Call.Target {
        let (stem, suffix) = stemAndSuffix(name)
        return Call.Target(.creates, .newName(folder: folder, stem: stem, suffix: suffix), reach: paths.reach(folder))
    }

    /// Prepares a move to a free name. Both names have the hash of the file's content.
    private func move(_ call: inout Call) throws(Failure) {
        let leaving = try assignment.requiredText("from")
        let (from, look, status) = try fileEntry(leaving, takesFolder: true)
        if status.kind == .folder { return try moveFolder(from, look, &call) }
        let (to, names) = try place(of: lastName(of: from))
        try paths.refuseOwn(from)
        try paths.refuseOwn(to, isLink: status.kind == .link)
        guard try files.look(at: to).status == nil else {
            throw Failure(
                .targetExists, "\(to) is there already; a move never replaces.", remedy: "Choose another name.")
        }
        var hash: ContentHash?
        if case .file(_, _, _, _, let found) = look.before { hash = found }
        let (kind, bytes) = status.kind == .link ? (Call.Change.Kind.link, 0) : (.file, Int(status.st_size))
        let gone = Call.Change(
            kind: kind, modeBefore: status.permissions, bytes: bytes, hash: hash, leadsTo: look.leadsTo)
        let come = Call.Change(kind: kind, mode: status.permissions, bytes: bytes, hash: hash, leadsTo: look.leadsTo)
        let left = Call.Target(
            .deletes, .path(from), reach: paths.reach(from), before: look.before, change: gone,
            hasOtherNames: status.hasOtherNames,
            isPrivate: SecretFiles.holds(from))
        let links = try links()
        var known = try named(left, paths.entryNames(assignment.requiredText("from")), links)
        known.isPrivate = known.isPrivate || known.otherPaths.contains(where: SecretFiles.holds)
        call.targets = [
            known,
            try named(creating(to, change: come, without: from), names, links),
        ]
    }

    private func delete(_ call: inout Call) throws(Failure) {
        let written = try assignment.requiredText("path")
        let (path, look, status) = try fileEntry(written)
        try paths.refuseOwn(path)
        let deleted = Call.Target(
            .deletes, .path(path), reach: paths.reach(path), before: look.before, hasOtherNames: status.hasOtherNames)
        call.targets = [try named(deleted, paths.entryNames(written), links())]
        call.reversibility = UndoPromise.back(from: status, copy: "undo copy kept")
    }

    /// Returns a file or a link. A link is not followed.
    ///
    /// - Parameter takesFolder: whether a folder is returned, too.
    /// - Throws: `notAFile` for folders and special files.
    private func fileEntry(_ written: String, takesFolder: Bool = false) throws(Failure) -> (
        String, FolderEntry.Look, stat
    ) {
        // A slash at the end means a folder, even after the name of a file.
        let isNamedAsFolder = written.hasSuffix("/")
        guard takesFolder || !isNamedAsFolder else {
            throw Failure(.notAFile, "\(written) is a folder's name; folders are left alone.")
        }
        let path = try paths.entry(written)
        guard let status = try files.status(path) else { throw fileFailure("find", written, ENOENT) }
        guard !isNamedAsFolder || status.kind == .folder else { throw Failure(.notAFolder, "\(written) is a file.") }
        guard status.kind == .file || status.kind == .link || takesFolder && status.kind == .folder else {
            throw Failure(.notAFile, "\(written) is not a file; folders are left alone.")
        }
        let look = try files.look(at: path)
        guard let status = look.status else { throw targetChanged(path) }
        return (path, look, status)
    }
}

extension Call {
    /// Turns the call into one on the bare machine.
    ///
    /// - Parameter reason: why there is no sandbox, or `nil` if the call itself asks for the bare machine.
    mutating func leaveSandbox(because reason: String?) {
        rehearsal = nil
        reversibility = .no
        for index in targets.indices { targets[index].reach = .outside }
        environment["PATH"] = getenv("PATH").map { .string(String(cString: $0)) }
        environment["sandbox"] = reason.map { .string($0) }
    }
}
