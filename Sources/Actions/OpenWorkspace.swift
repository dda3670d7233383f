import Consent
import Conversations
package import Engine
import Glibc
package import HTTP
import JSON
import LanguageModels
package import Services
package import Storage
package import Synchronization
package import Tools
package import Vocabulary
import Workflows

/// The parts that one process has open: settings, store, tools, keys, engine. A part is made when it is first needed.
package final class OpenWorkspace: Sendable {
    package let folders: Folders
    package let workspace: String
    package let settings: Settings
    let shelves: Shelves
    package let hub = EventHub()
    package let workers = Workers()
    package let running = Mutex<[RunID: Cancellation]>([:])
    package let archive: Lazy<Archive>
    package let toolbox: Lazy<Toolbox>
    package let catalogue: Lazy<Catalogue>
    /// The catalogue of the engine, with the tools that no plan and no file may name.
    package let engineCatalogue: Lazy<Catalogue>
    /// Of jobs, by id.
    package let providers: Lazy<[String: ProviderManifest]>
    package let policies: Policies
    package let keyRing: KeyRing
    let modelFiles: ModelFiles
    let model: ConnectedModel
    package let client = HTTPClient()
    package let living = Mutex(Living())
    /// Keeps the lines that wait behind a turn of this chat: it lives as long as the process, whatever becomes of the
    /// engine.
    let chat: Lazy<ProcessLife>
    let surroundings: any EngineSurroundings
    /// By it others see whether the process that claimed an entry of the inbox still lives.
    let holder: Lazy<ProcessLife>

    /// - Parameter kind: of this process, as others see it that want the same conversation.
    package init(
        folders: Folders, workspace: String, kind: EngineLock.Kind = .chat,
        surroundings: any EngineSurroundings
    ) {
        self.surroundings = surroundings
        self.folders = folders
        self.workspace = workspace
        let settings = Settings(folder: folders.config)
        let shelves = Shelves(folders: folders, workspace: workspace)
        self.settings = settings
        self.shelves = shelves
        let client = client
        let shelf = Lazy { () throws(Failure) in shelves.providers() }
        let providers = Lazy { () throws(Failure) in try shelf.get().found }
        self.providers = providers
        archive = Lazy { () throws(Failure) in
            try folders.makeData()
            return try Archive(folder: folders.data)
        }
        let modelFiles = ModelFiles(folder: folders.config)
        self.modelFiles = modelFiles
        let keyRing = KeyRing {
            Self.keysAtHand(
                settings, Secrets(config: folders.config, keyCommand: []),
                shelves.providerKeyNames { (try? providers.get()) ?? [:] },
                modelFiles.keyNames())
        }
        self.keyRing = keyRing
        let toolbox = Lazy { () throws(Failure) in
            Toolbox(
                store: AssetStore(folder: folders.data + "/assets"),
                own: OwnFolders(config: folders.config, data: folders.data, cache: folders.cache),
                fetch: fetching(through: client),
                provider: { id in (try? providers.get())?[id] }, keyFilter: { keyRing.filter })
        }
        self.toolbox = toolbox
        let catalogue = Lazy { () throws(Failure) in shelves.tools(try toolbox.get(), try shelf.get()).0 }
        self.catalogue = catalogue
        engineCatalogue = Lazy { () throws(Failure) in Self.engineCatalogue(try catalogue.get()) }
        policies = Policies(shelves)
        model = ConnectedModel(settings: settings, files: modelFiles, keyRing: keyRing)
        chat = Lazy { () throws(Failure) in
            try folders.makeData()
            return ProcessLife(try EngineLock(folder: folders.engines, kind: kind))
        }
        holder = Lazy { () throws(Failure) in
            try folders.makeData()
            return ProcessLife(try EngineLock(folder: folders.holders))
        }
    }

    package static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The files that say how much is asked and whom to speak to. They are read anew each time.
    package var configuration: Configuration {
        Configuration(settings: settings, models: modelFiles, hosts: consents, keyRing: keyRing, shelves: shelves)
    }

    package func notice() async -> String? {
        // What runs in a sandbox finds none, and is not the one to be told.
        guard !Ancestry.isOwnChild else { return nil }
        let notices = Notices(folder: folders.data) { [toolbox] in try? toolbox.get().shelter(over: nil) }
        return try? await blocking { [folders] () throws(Failure) in
            try folders.makeData()
            return notices.due()
        }
    }

    package func templates() -> [TemplateEntry] {
        shelves.templates().map { entry in
            let name = TemplateReader.read(entry.bytes).0?.name
            // What stands above it says more than the name, which is the file's.
            let title = name.map { Self.comment(above: entry.bytes) ?? $0 } ?? "(cannot be read)"
            return TemplateEntry(name: entry.name, path: entry.path, title: title)
        }
    }

    /// The first line of a file of JSON, if it is a comment.
    private static func comment(above bytes: [UInt8]) -> String? {
        let line = String(decoding: bytes.prefix { $0 != 0x0A }.prefix(200), as: UTF8.self)
        return line.hasPrefix("// ") ? String(line.dropFirst(3)) : nil
    }

    package var look: WorkflowRecords {
        WorkflowRecords(
            summary: { [archive] id throws(Failure) in try archive.get().summaries(only: id).first },
            steps: { [archive] id throws(Failure) in try archive.get().steps(of: id) },
            template: { [archive] id throws(Failure) in
                try archive.get().template(of: id).flatMap { TemplateReader.read(Array($0.utf8)).0 }
            },
            runs: { [archive] step throws(Failure) in try archive.get().runs(of: step) },
            assets: { [archive] id throws(Failure) in try archive.get().assets(of: id) },
            history: { [archive] id, step throws(Failure) in try archive.get().events(of: id, step: step) },
            awaits: { [self] all throws(Failure) in
                try archive.get().awaits(includingDone: all, at: Self.now()).map(awake)
            },
            version: { [archive] () throws(Failure) in try archive.get().dataVersion() },
            awaitNumbered: { [self] number throws(Failure) in try archive.get().await(numbered: number).map(awake) },
            question: { record throws(Failure) in try Self.question(of: record) },
            saidSoFar: { [toolbox, keyRing] in (try? toolbox.get())?.live.tail(of: $0).map(keyRing.filter.cut) },
            texts: { [self] in texts(of: $0, $1) },
            sessions: { [archive] limit throws(Failure) in try archive.get().sessions(limit: limit) },
            messages: { [archive] id throws(Failure) in try archive.get().messages(of: id) },
            preview: { [toolbox, keyRing] hash, limit in
                guard let path = try? toolbox.get().store.path(hash),
                    let bytes = try? Files.bytes(path, limit: Limits.readFileBytes)
                else {
                    return nil
                }
                // Some more than is shown, so that no half of a key is left at the end.
                let text = keyRing.filter.cut(
                    String(decoding: bytes.prefix(limit + Limits.longestKeyBytes), as: UTF8.self))
                return text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
            },
            text: { [toolbox, keyRing] hash in
                guard let path = try? toolbox.get().store.path(hash),
                    let bytes = try? Files.bytes(path, limit: Limits.readFileBytes)
                else {
                    return nil
                }
                return keyRing.filter.cut(String(decoding: bytes, as: UTF8.self))
            },
            path: { [toolbox] hash in try? toolbox.get().store.path(hash) },
            isPrivate: { [toolbox] hash in (try? toolbox.get().store.isPrivate(hash)) ?? true },
            hasEngine: { [folders] in EngineLock.anyEngineLives(in: folders.engines) },
            workers: { [self] () throws(Failure) in try workersInBackground() })
    }

    private static func question(of record: AwaitRecord) throws(Failure) -> Question {
        guard let stored = record.question else {
            throw Failure(.badUsage, "\(record.number) is no question of a call: it is \(record.type.rawValue).")
        }
        let question = try Question(json: stored)
        guard question.digest == record.digest else {
            throw Failure(.digestMismatch, "The stored question does not belong to this entry.")
        }
        return question
    }

    package var act: WorkflowActions {
        WorkflowActions(
            check: { [self] bytes, bound in check(bytes, bound: bound) },
            checkChanged: { [self] bytes, old in check(bytes, known: old.names, seals: old.seals) },
            checkTemplate: { [self] template in
                Workflows.check(template, against: (try? catalogue.get()) ?? Catalogue()).1.map(keyRing.filter.cut)
            },
            missingTools: { [self] template in
                Workflows.missingTools(of: template, in: (try? catalogue.get()) ?? Catalogue())
            },
            start: { [self] template, start throws(Failure) in try begin(template, start) },
            command: { [self] id, verb throws(Failure) in
                try archive.get().put(verb, for: id, at: Self.now())
                lookAgain()
            },
            answer: { [self] record, answer, by throws(Failure) in try self.answer(record, answer, by) },
            startEngine: { [self] onIdle, onFailure throws(Failure) in try startEngine(onIdle, onFailure) },
            stopEngine: { [self] in await stopEngine() },
            detachWorker: { () throws(Failure) in try Detached.work() },
            readFile: { [shelves] path throws(Failure) in try shelves.templateFile(path) },
            record: { [self] event in record(event) },
            focus: { [self] id in engine?.focus(id) }, serviceUnit: { ServiceUnit.ofThisProgram() })
    }

    /// A process that ends without it loses nothing. The engine goes first: it reads the database from a thread of its
    /// own.
    package func close() async {
        await stopEngine()
        archive.ifMade?.settle()
        living.withLock { $0.life }?.end()
    }

    func toolsWithProblems() -> (Catalogue, [Problem]) {
        guard let toolbox = try? toolbox.get() else { return (Catalogue(), []) }
        return shelves.tools(toolbox)
    }

    // MARK: Workflows

    /// - Parameters:
    ///   - known: names that may stay as they are.
    ///   - seals: those that may.
    private func check(
        _ bytes: [UInt8], bound: Set<Template.Endpoint> = [], known: Set<String> = [], seals: Set<SealedValue> = []
    ) -> (Template?, [Problem]) {
        let (template, faults) = problems(bytes, bound: bound, known: known, seals: seals)
        return (template, faults.map(keyRing.filter.cut))
    }

    private func problems(
        _ bytes: [UInt8], bound: Set<Template.Endpoint>, known: Set<String>, seals: Set<SealedValue>
    ) -> (Template?, [Problem]) {
        var (template, faults) = TemplateReader.read(bytes)
        guard let template else { return (nil, faults) }
        if let problem = sealedValues.problem(withNamesOf: template) { faults.append(problem) }
        // A seal is what stands in a row of ours for somebody's secret: who brings one from elsewhere would use a
        // secret that is not theirs.
        for node in template.nodes where !SealedValue.all(in: .object(node.params)).isSubset(of: seals) {
            faults.append(
                Problem(
                    .sealedValue, at: node.id,
                    "A parameter is the seal of a secret. Only the workflow that it was made for has it."))
        }
        let names = nameProblems(in: template, besides: known)
        guard names.isEmpty else { return (template, faults + names) }
        return (
            template, faults + Workflows.check(template, against: (try? catalogue.get()) ?? Catalogue(), bound: bound).1
        )
    }

    /// - Parameter folder: the real path of another folder than the one the person is in.
    /// - Parameter catalogue: the tools that it may name; `nil` for those that plans and files may name.
    package func begin(
        _ template: Template, _ start: WorkflowStart, in folder: String? = nil, with catalogue: Catalogue? = nil
    ) throws(Failure) -> WorkflowID {
        try configuration.require()
        let workspace = folder ?? workspace
        guard workspace != "/" else {
            throw Failure(
                .badUsage, "/ is no folder to work in.", remedy: "Change to the folder that holds your files.")
        }
        let tools = if let catalogue { catalogue } else { try self.catalogue.get() }
        let (graph, problems) = Workflows.check(template, against: tools)
        guard let graph else {
            throw Failure(.badTemplate, problems.first?.description ?? "The workflow has problems.")
        }
        // With what is not said in the template as it is today: a retry is of this, whatever the tools say by then
        // (`semantics.md` 25).
        var frozen = template
        for index in frozen.nodes.indices { frozen.nodes[index].params = graph.nodes[index].params }
        // Last: what is checked and settled above is the value itself.
        frozen = try sealedValues.sealed(frozen, tools)
        let now = Self.now()
        let record = WorkflowRecord(
            id: WorkflowID(0), title: frozen.name, session: start.session, workspace: workspace, mode: start.mode,
            onAsk: start.onAsk,
            createdAt: now, updatedAt: now)
        let owner = try carrier() ?? "nobody"
        let (made, steps) = try archive.get().create(record, turn: start.turn, template: frozen.json.text, owner: owner)
        {
            Flow.initialSteps(of: graph, workflow: $0, at: now)
        }
        hub.post(
            Event(
                at: now, session: start.session, turn: start.turn, workflow: made.id,
                .workflowCreated(title: frozen.name, steps: steps.count)))
        engine?.carry(made.id)
        return made.id
    }

    private func answer(_ record: AwaitRecord, _ answer: Answer, _ by: String) throws(Failure) -> AnswerOutcome {
        let now = Self.now()
        // What was imported is somebody else's question until a person has said that it goes on here.
        if let held = try archive.get().quarantined().first(where: { $0.workflow == record.step.workflow }) {
            throw Failure(
                .workflowHeld, "\(held.workflow) is set aside: \(held.reason)",
                remedy: held.cause == .imported ? "assent release \(held.workflow)" : "assent doctor --repair")
        }
        if case .part(let paths) = answer { try narrow(record, to: paths) }
        let outcome = try archive.get().answer(
            record.number, answer, approvals: try approvals(for: record, answer, by, now), by: by, at: now)
        lookAgain()
        switch outcome {
        case .taken:
            if case .no = answer { forgetRehearsal(of: record) }
            return .taken
        case .alreadyAnswered(let resolution, let by, let at):
            return .alreadyAnswered(resolution: resolution, by: by, at: at)
        case .unknown: throw Failure(.unknownAwait, "There is no \(record.number) in the inbox.")
        }
    }

    /// What a yes authorises: this call, and with a yes to the plan each call that was shown with it.
    private func approvals(for record: AwaitRecord, _ answer: Answer, _ by: String, _ now: Moment) throws(Failure)
        -> [Approval]
    {
        guard answer == .yes || answer == .yesToPlan else { return [] }
        // The rules of the workflow's own workspace: the answer may come from anywhere.
        guard let asking = try archive.get().summaries(only: record.step.workflow).first?.record.workspace else {
            throw Failure(.unknownWorkflow, "There is no workflow \(record.step.workflow).")
        }
        let epoch = policies.policy(of: asking).epoch
        func approval(_ digest: ContentHash, _ step: Int, isPlanned: Bool) -> Approval {
            Approval(
                digest: digest, isPlanned: isPlanned, step: StepID(record.step.workflow, step),
                awaitNumber: record.number, by: by, at: now,
                expiresAt: now + Limits.approvalSeconds, policyEpoch: epoch)
        }
        // A gate that the template put there asks for no call.
        guard record.type == .confirmCall else { return [approval(.ofNothing, record.step.index, isPlanned: false)] }
        let question = try Self.question(of: record)
        var approvals = [approval(question.digest, record.step.index, isPlanned: false)]
        if answer == .yesToPlan { approvals += question.plan.map { approval($0.digest, $0.step, isPlanned: true) } }
        return approvals
    }
}
