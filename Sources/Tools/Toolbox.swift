import JSON
package import Vocabulary

/// Everything that a tool may need from outside; and the two things that are done with a tool: say what a call will
/// touch, and run it.
package struct Toolbox: Sendable {
    package let store: AssetStore
    package let own: OwnFolders
    package let sandbox: Sandbox
    /// The web, as one blocking function (`FetchRequest`).
    package let fetch: @Sendable (FetchRequest, Cancellation) -> FetchAnswer
    /// Providers of jobs by id.
    package let provider: @Sendable (String) -> ProviderManifest?
    /// Finds keys in what a command printed.
    let keyFilter: @Sendable () -> KeyFilter
    /// The addresses of the hosts that a command names.
    let resolve: HostProxy.Resolve
    let spares = SpareFolders()
    let archiveListings = ArchiveListings()
    /// Called when a tool, or an application, has written and nothing is noted yet: a test changes something there.
    var afterAct: @Sendable () -> Void = {}
    /// What is said by commands that are rehearsed now.
    package let live = LiveOutput()

    package init(
        store: AssetStore, own: OwnFolders, sandbox: Sandbox = .here,
        fetch: @escaping @Sendable (FetchRequest, Cancellation) -> FetchAnswer = { _, _ in
            .failed(Failure("noNetwork", "This program was started without a way to the network."))
        }, provider: @escaping @Sendable (String) -> ProviderManifest? = { _ in nil },
        keyFilter: @escaping @Sendable () -> KeyFilter = { KeyFilter() }
    ) {
        self.store = store
        self.own = own
        self.sandbox = sandbox
        self.fetch = fetch
        self.provider = provider
        self.keyFilter = keyFilter
        resolve = SocketAddress.all
    }

    /// - Parameter resolve: who says where names lead.
    init(store: AssetStore, own: OwnFolders, sandbox: Sandbox, resolve: @escaping HostProxy.Resolve) {
        (self.store, self.own, self.sandbox, self.resolve) = (store, own, sandbox, resolve)
        fetch = { _, _ in .failed(Failure("noNetwork", "None.")) }
        provider = { _ in nil }
        keyFilter = { KeyFilter() }
    }

    /// Runs a call to its end. Blocks: for a thread of its own, never for the cooperative pool. Consent was given
    /// before.
    ///
    /// - Parameter call: what was approved; `nil` for a tool without effects, which needs no consent. If what it would
    ///   touch is no longer as it was, nothing is done: `targetChanged`. A folder that it was to make may be there by
    ///   now.
    package func run(_ assignment: Assignment, call: Call?, cancel: Cancellation) -> RunEnding {
        if Self.isInstant(assignment.manifest) {
            do throws(Failure) { return .succeeded(try passed(assignment)) } catch { return .failed(error) }
        }
        return ending(of: assignment, call) { () throws(Failure) in
            for input in assignment.inputs { if let asset = input.asset { _ = try store.path(of: asset) } }
            let now = try prepare(assignment)
            guard call.map(now.isStill) ?? now.targets.isEmpty else {
                throw Failure(
                    "targetChanged",
                    "What \(assignment.manifest.title) would touch has changed since it was looked at.",
                    remedy: "Look at the call again, and run it anew.")
            }
            var bench = try Workbench(assignment, self, cancel: cancel)
            bench.complaints.isSecret = { worksOnSecrets(assignment, now) }
            let assets = try act(assignment, now, on: &bench).warning(bench.complaints.warning)
            afterAct()
            noteOwn(now, assets, bench.made)
            if touchesSecretFile(now, in: assignment.workspace) { try store.markPrivate(assets) }
            return assets
        }
    }

    /// Files that a tool made by itself, if nobody has written to them since. Of a command, `applyRehearsed` knows
    /// them.
    private func noteOwn(_ call: Call, _ assets: [Asset], _ made: [UInt64: ChangeList.Stamp]) {
        guard !made.isEmpty, call.rehearsal == nil, call.touchesOwnOnly else { return }
        // Not noted, it is asked about.
        try? OwnWrites(own).note(assets.compactMap { $0.meta["path"]?.string }, only: made)
    }

    private func act(_ assignment: Assignment, _ call: Call, on bench: inout Workbench) throws(Failure) -> [Asset] {
        switch assignment.manifest.action {
        case .program(let action): return try ProgramTool(action, assignment, store: store).run(&bench)
        case .builtin(let name):
            guard let builtin = Builtin(rawValue: name) else {
                throw Failure("toolNotInstalled", "This version has no built-in tool \"\(name)\".")
            }
            return try builtin.run(Builtin.Context(assignment: assignment, call: call, toolbox: self), on: &bench)
        case .job, .person:
            // Neither is run by a worker: the engine asks a provider of jobs, or a person.
            throw Failure("notRunHere", "\(assignment.manifest.title) is not run on this machine.")
        }
    }

    /// Words a failure as an ending, and writes the ending down before anybody else hears of it.
    ///
    /// - Parameter call: what it touches, where that is known.
    func ending(of assignment: Assignment, _ call: Call? = nil, _ work: () throws(Failure) -> [Asset]) -> RunEnding {
        let folder = RunFolder(assignment.runFolder)
        defer { spares.give(folder.path) }
        do throws(Failure) {
            let assets = try work()
            // What comes of a secret is one, through however many steps.
            if store.holdsPrivate(assignment.assets) { try store.markPrivate(assets) }
            // Of a file that has its place already only the note is missing, and its content is marked.
            let made = assets.filter { $0.meta["path"] != nil && store.isPrivate($0.hash) }.compactMap {
                $0.meta["path"]?.string
            }
            if !made.isEmpty { try PrivateNotes.note(made, own) }
            let ending = RunEnding.succeeded(assets)
            if !assignment.leavesNothing { try folder.write(ending) }
            return ending
        } catch {
            guard error.code != "cancelled" else { return .cancelled }
            let isSecret = worksOnSecrets(assignment, call)
            var failure = isSecret ? error.withoutWords : error
            // What cannot be marked is not kept.
            if isSecret { do throws(Failure) { try store.markPrivate(failure.left) } catch { failure.left = [] } }
            let ending = RunEnding.failed(failure)
            try? folder.write(ending)
            return ending
        }
    }

    /// Why tools that are known cannot run here: by kind, with what to install.
    package func unavailable(_ tools: [ToolManifest]) -> [String: Reason] {
        var reasons: [String: Reason] = [:]
        for tool in tools {
            guard let need = tool.needs.first(where: { Programs.find($0.program) == nil }) else { continue }
            reasons[tool.kind] = Reason(
                "toolNotInstalled",
                "\(need.program) is not installed. To install it: apt-get install \(need.debianPackage)")
        }
        return reasons
    }
}
