import Consent
import Console
import Conversations
import Engine
import Glibc
import HTTP
import JSON
import LanguageModels
import Storage
import Synchronization
import Terminal
import Tools
import Vocabulary
import Workflows

/// The house as one process has it open: what is shared is made when it is first wanted.
final class Wiring: Sendable {
    let folders: Folders
    let workspace: String
    let settings: Settings
    let shelves: Shelves
    let hub = EventHub()
    private let workers = Workers()
    private let running = Mutex<[RunID: Cancellation]>([:])
    private let archive: Lazy<Archive>
    private let toolbox: Lazy<Toolbox>
    private let catalogue: Lazy<Catalogue>
    private let policy: Lazy<Policy>
    private let client = HTTPClient()
    private let life: Lazy<EngineLife>
    private let isStarted = Mutex(false)

    init(folders: Folders, workspace: String) {
        self.folders = folders
        self.workspace = workspace
        let settings = Settings(folder: folders.config)
        let shelves = Shelves(folders: folders, workspace: workspace)
        self.settings = settings
        self.shelves = shelves
        let client = client
        archive = Lazy { () throws(Failure) in
            try folders.makeData()
            return try Archive(folder: folders.data)
        }
        let toolbox = Lazy { () throws(Failure) in
            Toolbox(
                store: AssetStore(folder: folders.data + "/assets"),
                own: OwnFolders(config: folders.config, data: folders.data, cache: folders.cache), fetch: fetching(through: client))
        }
        self.toolbox = toolbox
        catalogue = Lazy { () throws(Failure) in shelves.tools(try toolbox.get()).0 }
        policy = Lazy { () throws(Failure) in shelves.policy() }
        life = Lazy { () throws(Failure) in
            try folders.makeData()
            return EngineLife(try EngineLock(folder: folders.engines))
        }
    }

    static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    // MARK: The house

    func house(screen: any Screen) -> House {
        House(
            workspace: workspace, now: Self.now, catalogue: { [self] in (try? catalogue.get()) ?? Catalogue() }, templates: { [self] in templates() },
            settings: House.Settings(
                mode: { [settings] () throws(Failure) in try settings.mode() }, setMode: { [settings] mode throws(Failure) in try settings.setMode(mode) },
                modelName: { [self] in modelName }, isModelConnected: { [settings] in ((try? settings.model()) ?? nil) != nil }),
            look: look, act: act, screen: { screen }, events: { [hub] in hub.listen() }, converse: { [self] in converse($0) })
    }

    private var modelName: String {
        guard let model = try? settings.model() else { return "built-in planner" }
        let host = model.url.split(separator: "/").dropFirst().first.map(String.init) ?? model.url
        return "\(model.name) at \(host)"
    }

    private func templates() -> [House.TemplateEntry] {
        shelves.templates().map { entry in
            let title = TemplateReader.read(entry.bytes).0?.name ?? "(cannot be read)"
            return House.TemplateEntry(name: entry.name, path: entry.path, title: title)
        }
    }

    private var look: House.Look {
        House.Look(
            summaries: { [archive] limit throws(Failure) in try archive.get().summaries(limit: limit) },
            summary: { [archive] id throws(Failure) in try archive.get().summaries(only: id).first },
            steps: { [archive] id throws(Failure) in try archive.get().steps(of: id) },
            template: { [archive] id throws(Failure) in try archive.get().template(of: id).flatMap { TemplateReader.read(Array($0.utf8)).0 } },
            runs: { [archive] step throws(Failure) in try archive.get().runs(of: step) },
            assets: { [archive] id throws(Failure) in try archive.get().assets(of: id) },
            history: { [archive] id, step throws(Failure) in try archive.get().events(of: id, step: step) },
            awaits: { [archive] all throws(Failure) in try archive.get().awaits(includingDone: all) },
            awaitNumbered: { [archive] number throws(Failure) in try archive.get().await(numbered: number) },
            question: { record throws(Failure) in try Self.question(of: record) },
            sessions: { [archive] limit, words throws(Failure) in try archive.get().sessions(limit: limit, searching: words) },
            messages: { [archive] id throws(Failure) in try archive.get().messages(of: id) },
            preview: { [toolbox] hash, limit in
                guard let path = try? toolbox.get().store.path(hash), let bytes = try? Files.bytes(path, limit: Limits.readFileBytes) else { return nil }
                return String(decoding: bytes.prefix(limit), as: UTF8.self)
            },
            path: { [toolbox] hash in try? toolbox.get().store.path(hash) })
    }

    private static func question(of record: AwaitRecord) throws(Failure) -> Question {
        guard let stored = record.question else {
            throw Failure("badUsage", "\(record.number) is no question of a call: it is \(record.type.rawValue).")
        }
        let question = try Question(json: stored)
        guard question.digest == record.digest else { throw Failure("digestMismatch", "The stored question does not belong to this entry.") }
        return question
    }

    private var act: House.Act {
        House.Act(
            check: { [self] bytes, bound in
                let (template, faults) = TemplateReader.read(bytes)
                guard let template else { return (nil, faults) }
                return (template, faults + Workflows.check(template, against: (try? catalogue.get()) ?? Catalogue(), bound: bound).1)
            },
            checkTemplate: { [self] template in Workflows.check(template, against: (try? catalogue.get()) ?? Catalogue()).1 },
            start: { [self] template, start throws(Failure) in try begin(template, start) },
            command: { [self] id, verb throws(Failure) in
                try archive.get().put(verb, for: id, at: Self.now())
                life.ifMade?.engine?.look()
            },
            answer: { [self] record, answer, by throws(Failure) in try self.answer(record, answer, by) },
            startEngine: { [self] onIdle throws(Failure) in try startEngine(onIdle) },
            stopEngine: { [self] in await stopEngine() },
            detachWorker: { () throws(Failure) in try Detached.work() },
            readFile: { [shelves] path throws(Failure) in try shelves.templateFile(path) },
            record: { [self] event in
                hub.post(event)
                if case .end = event.kind { return }
                if case .messageDelta = event.kind { return }
                try? archive.get().append(event)
            },
            beginSession: { [self] title throws(Failure) in
                let record = try archive.get().begin(title: String(title.prefix(200)), workspace: workspace, at: Self.now())
                let event = Event(at: record.startedAt, session: record.id, .sessionStarted(workspace: workspace, model: modelName))
                hub.post(event)
                try archive.get().append(event)
                return record
            },
            examine: { [self] in await Examination(wiring: self).findings() })
    }

    func databaseFaults() throws(Failure) -> [String] { try archive.get().faults() }

    func toolsWithProblems() -> (Catalogue, [Problem]) {
        guard let toolbox = try? toolbox.get() else { return (Catalogue(), []) }
        return shelves.tools(toolbox)
    }

    // MARK: Workflows

    private func begin(_ template: Template, _ start: House.Start) throws(Failure) -> WorkflowID {
        guard workspace != "/" else {
            throw Failure("badUsage", "/ is no folder to work in.", remedy: "Change to the folder that holds your files.")
        }
        let (graph, problems) = Workflows.check(template, against: try catalogue.get())
        guard let graph else { throw Failure("badTemplate", problems.first?.description ?? "The workflow has problems.") }
        let now = Self.now()
        let record = WorkflowRecord(
            id: WorkflowID(0), title: template.name, session: start.session, workspace: workspace, mode: start.mode, onAsk: start.onAsk,
            createdAt: now, updatedAt: now)
        let owner = life.ifMade?.engine == nil ? "nobody" : try life.get().name
        let (made, steps) = try archive.get().create(record, template: template.json.text, owner: owner) {
            Flow.initialSteps(of: graph, workflow: $0, at: now)
        }
        hub.post(Event(at: now, session: start.session, workflow: made.id, .workflowCreated(title: template.name, steps: steps.count)))
        life.ifMade?.engine?.carry(made.id)
        return made.id
    }

    private func answer(_ record: AwaitRecord, _ answer: Answer, _ by: String) throws(Failure) -> House.AnswerOutcome {
        let now = Self.now()
        let outcome = try archive.get().answer(record.number, answer, approvals: try approvals(for: record, answer, by, now), by: by, at: now)
        life.ifMade?.engine?.look()
        switch outcome {
        case .taken: return .taken
        case .alreadyAnswered(let resolution, let by, let at): return .alreadyAnswered(resolution: resolution, by: by, at: at)
        case .unknown: throw Failure("unknownAwait", "There is no \(record.number) in the inbox.")
        }
    }

    /// What a yes authorises: this call, and with a yes to the plan each call that was shown with it.
    private func approvals(for record: AwaitRecord, _ answer: Answer, _ by: String, _ now: Moment) throws(Failure) -> [Approval] {
        if case .no = answer { return [] }
        let epoch = try policy.get().epoch
        func approval(_ digest: ContentHash, _ step: Int, isPlanned: Bool) -> Approval {
            Approval(
                digest: digest, isPlanned: isPlanned, step: StepID(record.step.workflow, step), awaitNumber: record.number, by: by, at: now,
                expiresAt: now + Limits.approvalSeconds, policyEpoch: epoch)
        }
        // A gate that the template put there asks for no call.
        guard record.type == .confirmCall else { return [approval(.ofNothing, record.step.index, isPlanned: false)] }
        let question = try Self.question(of: record)
        var approvals = [approval(question.digest, record.step.index, isPlanned: false)]
        if answer == .yesToPlan { approvals += question.plan.map { approval($0.digest, $0.step, isPlanned: true) } }
        return approvals
    }

    // MARK: The engine

    private func startEngine(_ onIdle: @escaping @Sendable () -> Void) throws(Failure) {
        let life = try life.get()
        let isFirst = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        guard isFirst else { return }
        let engine = Engine(world: try world(owner: life.name))
        life.engine = engine
        engine.start(onIdle: onIdle)
    }

    private func stopEngine() async {
        guard let engine = life.ifMade?.engine else { return }
        await withCheckedContinuation { continuation in engine.stop { continuation.resume() } }
    }

    private func world(owner: String) throws(Failure) -> Engine.World {
        let archive = try archive.get()
        let toolbox = try toolbox.get()
        let folders = folders
        return Engine.World(
            now: Self.now,
            ledger: Engine.World.Ledger(
                commit: { batches throws(Failure) in try archive.commit(batches) },
                claim: { () throws(Failure) in try archive.claim(for: owner) { EngineLock.isAlive($0, in: folders.engines) } },
                load: { id throws(Failure) in try archive.load(id) },
                waitingCommands: { () throws(Failure) in try archive.waitingCommands(for: owner) },
                take: { commands throws(Failure) in try archive.take(commands, at: Self.now()) },
                approvals: { id throws(Failure) in try archive.approvals(of: id) },
                version: { () throws(Failure) in try archive.dataVersion() }),
            tools: Engine.World.Tools(
                catalogue: { [self] in (try? catalogue.get()) ?? Catalogue() },
                prepare: { [self] assignment in
                    do throws(Failure) { return .success(try toolbox.prepare(forTools(assignment))) } catch { return .failure(error) }
                },
                run: { [self] assignment, call in run(assignment, call, toolbox) },
                recover: { [self] assignment in recover(assignment, toolbox) },
                kill: { [self] run in running.withLock { $0[run] }?.cancel() },
                isInstant: { $0.action == .builtin("pass") || $0.action == .builtin("delay") },
                path: { toolbox.store.path($0) }),
            onWorker: { [workers] job in workers.run(job) }, emit: { [hub] event in hub.post(event) },
            policy: { [policy] in (try? policy.get()) ?? .unreadable("the policy cannot be read") },
            surroundings: { workspace in
                Surroundings(workspace: workspace, home: Folders.environment("HOME"), ownFolders: folders.all)
            })
    }

    private func run(_ assignment: Vocabulary.Assignment, _ call: Call?, _ toolbox: Toolbox) -> RunEnding {
        withCancellation(of: assignment.run) { cancel in
            let own = forTools(assignment)
            do throws(Failure) {
                let prepared = if let call { call } else { try toolbox.prepare(own) }
                return toolbox.run(own, call: prepared, cancel: cancel)
            } catch {
                return .failed(error)
            }
        }
    }

    private func recover(_ assignment: Vocabulary.Assignment, _ toolbox: Toolbox) -> RunEnding {
        withCancellation(of: assignment.run) { cancel in
            switch toolbox.adopt(forTools(assignment)) {
            case .finished(let ending): ending
            case .alive: toolbox.resume(forTools(assignment), cancel: cancel)
            case .gone: .lost
            }
        }
    }

    private func withCancellation(of run: RunID, _ body: (Cancellation) -> RunEnding) -> RunEnding {
        let cancel = Cancellation()
        running.withLock { $0[run] = cancel }
        defer { _ = running.withLock { $0.removeValue(forKey: run) } }
        return body(cancel)
    }

    private func forTools(_ assignment: Vocabulary.Assignment) -> Tools.Assignment {
        let run = assignment.run
        return Tools.Assignment(
            run: run, manifest: assignment.manifest, params: assignment.params,
            inputs: assignment.inputs.map { input in
                let isLate = input.asset.run.attempt == 0
                return Tools.Assignment.Input(input.port, isLate ? nil : input.asset, from: input.from, expectedName: input.asset.name)
            },
            outputs: assignment.outputs, workspace: assignment.workspace,
            runFolder: "\(folders.runs)/\(run.step.workflow)/\(run.step.index)-\(run.attempt)")
    }

    // MARK: Conversations

    private func converse(_ conversing: House.Conversing) -> Session {
        let catalogue = (try? catalogue.get()) ?? Catalogue()
        let workspace = workspace
        let world = Conversations.World(
            model: model(catalogue), now: { Self.now() },
            emit: { [hub, archive] event in
                hub.post(event)
                if case .messageDelta = event.kind { return }
                try? archive.get().append(event)
            },
            hint: conversing.hint,
            store: { [archive] message, turn throws(Failure) in
                try archive.get().append(message, to: conversing.session, turn: turn, at: Self.now())
            },
            queued: conversing.queued, perform: conversing.perform, files: { Listing.ofFolder(workspace) })
        return Session(
            id: conversing.session, world: world, catalogue: catalogue, prompt: PlannerPrompt(shelves.prompt()), history: conversing.history,
            turns: conversing.turns)
    }

    private func model(_ catalogue: Catalogue) -> ChatModel {
        do throws(Failure) {
            guard let model = try settings.model() else { return builtInPlanner(catalogue) }
            var profile = ModelProfile(url: model.url, model: model.name)
            profile.apiKey = model.key.map { APIKey($0) }
            return chatModel(profile: profile, client: client)
        } catch {
            let failure = error
            return { _ in AsyncThrowingStream { $0.finish(throwing: failure) } }
        }
    }
}

/// The engine of this process with its lock, for as long as the process lives.
final class EngineLife: Sendable {
    private let lock: EngineLock
    private let made = Mutex<Engine?>(nil)

    init(_ lock: consuming EngineLock) {
        self.lock = lock
    }

    var name: String { lock.name }

    var engine: Engine? {
        get { made.withLock { $0 } }
        set { made.withLock { $0 = newValue } }
    }
}
