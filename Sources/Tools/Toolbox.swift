package import Files
import JSON
package import Pictures
package import Sandbox
package import Undo
package import Vocabulary

/// The tools and all that they need from outside. A toolbox prepares calls, which shows what they will touch, and runs
/// them.
package struct Toolbox: Sendable {
    package let store: AssetStore
    package let own: OwnFolders
    package let sandbox: Isolation
    /// Sends a request to the web, and blocks until the answer is complete (`FetchRequest`).
    package let fetch: @Sendable (FetchRequest, Cancellation) -> FetchAnswer
    /// Returns the provider of jobs with this ID, or `nil`.
    package let provider: @Sendable (String) -> ProviderManifest?
    /// Returns the filter that finds keys in the output of commands.
    let keyFilter: @Sendable () -> KeyFilter
    /// Returns the user's own programs that commands in a workspace see.
    let programs: any ProgramSource
    /// Returns the addresses of a host that a command names.
    let resolve: HostProxy.Resolve
    let spares = SpareFolders()
    let archiveListings = ArchiveListings()
    /// Called when a tool or an application has written files, before they are recorded. A test changes files at that
    /// point.
    var afterAct: @Sendable () -> Void = {}
    /// The output of the commands that are being rehearsed.
    package let live = LiveOutput()

    package init(
        store: AssetStore, own: OwnFolders, sandbox: Isolation = .here,
        fetch: @escaping @Sendable (FetchRequest, Cancellation) -> FetchAnswer = { _, _ in
            .failed(Failure(.noNetwork, "This program was started without a way to the network."))
        }, provider: @escaping @Sendable (String) -> ProviderManifest? = { _ in nil },
        keyFilter: @escaping @Sendable () -> KeyFilter = { KeyFilter() },
        programs: any ProgramSource = PersonalPrograms()
    ) {
        self.store = store
        self.own = own
        self.sandbox = sandbox
        self.fetch = fetch
        self.provider = provider
        self.keyFilter = keyFilter
        self.programs = programs
        resolve = SocketAddress.all
    }

    /// - Parameter resolve: returns the addresses of a host.
    init(
        store: AssetStore, own: OwnFolders, sandbox: Isolation, resolve: @escaping HostProxy.Resolve,
        programs: any ProgramSource = PersonalPrograms()
    ) {
        self.programs = programs
        (self.store, self.own, self.sandbox, self.resolve) = (store, own, sandbox, resolve)
        fetch = { _, _ in .failed(Failure(.noNetwork, "None.")) }
        provider = { _ in nil }
        keyFilter = { KeyFilter() }
    }

    /// The programs for pictures.
    package var pictures: PicturePrograms { PicturePrograms(store: store, sandbox: sandbox) }

    /// The records of what was changed, for undo.
    package var undo: UndoRecords { UndoRecords(own) }

    /// Runs an approved call to its end. It blocks, so it needs a thread of its own and never runs in the cooperative
    /// pool.
    ///
    /// - Parameter call: the approved call, or `nil` for a tool without effects, which needs no approval. If the files
    ///   that it would touch have changed, it fails with `targetChanged` and does nothing. Folders that it would create
    ///   may exist by now.
    package func run(_ assignment: Assignment, call: Call?, cancel: Cancellation) -> RunEnding {
        if Self.isInstant(assignment.manifest) {
            do throws(Failure) { return .succeeded(try passed(assignment)) } catch { return .failed(error) }
        }
        return ending(of: assignment, call) { () throws(Failure) in
            for input in assignment.inputs { if let asset = input.asset { _ = try store.path(of: asset) } }
            let now = try prepare(assignment)
            guard call.map(now.isStill) ?? now.targets.isEmpty else {
                throw Failure(
                    .targetChanged,
                    "What \(assignment.manifest.title) would touch has changed since it was looked at.",
                    remedy: "Look at the call again, and run it anew.")
            }
            var bench = try workbench(assignment, cancel: cancel)
            bench.complaints.isSecret = { worksOnSecrets(assignment, now) }
            let assets = try act(assignment, now, on: &bench).warning(bench.complaints.warning)
            afterAct()
            noteOwn(now, assets, bench.made)
            if touchesSecretFile(now, in: assignment.workspace) { try store.markPrivate(assets) }
            return assets
        }
    }

    /// Records the files that a tool created, if no process has written to them since. `applyRehearsed` records those
    /// of commands.
    private func noteOwn(_ call: Call, _ assets: [Asset], _ made: [UInt64: FileStamp]) {
        guard !made.isEmpty, call.rehearsal == nil, call.touchesOwnOnly else { return }
        // A file without a record needs a question later.
        try? OwnWrites(own).note(assets.compactMap { $0.meta["path"]?.string }, only: made)
    }

    private func act(_ assignment: Assignment, _ call: Call, on bench: inout Workbench) throws(Failure) -> [Asset] {
        switch assignment.manifest.action {
        case .program(let action) where action.isInWorkspace:
            let context = Builtin.Context(assignment: assignment, call: call, toolbox: self)
            return try ShellTool.run(context, on: &bench)
        case .program(let action): return try ProgramTool(action, assignment, store: store).run(&bench)
        case .builtin(let name):
            guard let builtin = Builtin(rawValue: name) else {
                throw Failure(.toolNotInstalled, "This version has no built-in tool \"\(name)\".")
            }
            return try builtin.run(Builtin.Context(assignment: assignment, call: call, toolbox: self), on: &bench)
        case .job, .person:
            // The engine sends these to a provider of jobs, or to a person.
            throw Failure(.notRunHere, "\(assignment.manifest.title) is not run on this machine.")
        }
    }

    /// Runs work, and returns its ending. The ending is stored before it is reported.
    ///
    /// - Parameter call: the call, if it is known.
    func ending(of assignment: Assignment, _ call: Call? = nil, _ work: () throws(Failure) -> [Asset]) -> RunEnding {
        let folder = RunFolder(assignment.runFolder)
        defer { spares.give(folder.path) }
        do throws(Failure) {
            let assets = try work()
            // A result of private content is private, too, through any number of steps.
            if store.holdsPrivate(assignment.assets) { try store.markPrivate(assets) }
            // The content of a file that is at its place already is marked, so only its record is missing.
            let made = assets.filter { $0.meta["path"] != nil && store.isPrivate($0.hash) }.compactMap {
                $0.meta["path"]?.string
            }
            if !made.isEmpty { try PrivateNotes.note(made, own) }
            let ending = RunEnding.succeeded(assets)
            if !assignment.leavesNothing { try folder.write(ending) }
            return ending
        } catch {
            guard error.code != .cancelled else { return .cancelled }
            let isSecret = worksOnSecrets(assignment, call)
            var failure = isSecret ? error.withoutWords : error
            // Results that cannot be marked as private are dropped.
            if isSecret { do throws(Failure) { try store.markPrivate(failure.left) } catch { failure.left = [] } }
            let ending = RunEnding.failed(failure)
            try? folder.write(ending)
            return ending
        }
    }

    /// Returns the reasons why tools cannot run on this machine, by their kinds. The reasons say which package to
    /// install.
    package func unavailable(_ tools: [ToolManifest]) -> [String: Reason] {
        var reasons: [String: Reason] = [:]
        for tool in tools {
            guard let need = tool.needs.first(where: { Programs.find($0.program) == nil }) else { continue }
            reasons[tool.kind] = Reason(
                .toolNotInstalled,
                "\(need.program) is not installed. To install it: apt-get install \(need.debianPackage)")
        }
        return reasons
    }
}

extension Toolbox {
    /// Returns a bench for the programs of an attempt.
    func workbench(_ assignment: Assignment, cancel: Cancellation) throws(Failure) -> Workbench {
        try Workbench(assignment, store: store, own: own, sandbox: sandbox, spares: spares, cancel: cancel)
    }
}
