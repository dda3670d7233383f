import Engine
import Glibc
import JSON
import Services
import Storage
import Tools
import Vocabulary
import Workflows

/// What persons do with the inbox, on the real store.
extension OpenWorkspace {
    package var people: InboxActions {
        InboxActions(
            name: { Self.person }, blocked: { [self] records in blocked(by: records) },
            claim: { [self] number throws(Failure) in try claim(number) },
            renew: { [archive] number, claim, draft throws(Failure) in
                try archive.get().renew(number, claim: claim, draft: draft, at: Self.now())
            },
            release: { [archive] number, claim, draft throws(Failure) in
                try archive.get().release(number, claim: claim, draft: draft, by: Self.person, at: Self.now())
            },
            snooze: { [self] number, seconds throws(Failure) in try snooze(number, seconds) },
            complete: { [self] number, claim, completion, draft throws(Failure) in
                try complete(number, claim, completion, draft)
            },
            takeIn: { [self] content, record, allowsEmpty in await takeIn(content, record, allowsEmpty) },
            faults: { tool, params in Self.faults(of: params, tool) },
            notConnected: { [self] provider in await isNotConnected(provider) },
            pictureSize: { [self] hash in pictureSize(hash) },
            sketch: { [self] content, columns, rows in await sketch(content, columns, rows) },
            writeText: OwnEditor.ofThePerson?.write(_:at:))
    }

    // MARK: Claims

    /// What somebody held whose process is gone is free at once, however long their lease would have run: a lease is
    /// for those who live.
    func awake(_ record: AwaitRecord) -> AwaitRecord {
        guard record.status == .claimed, let process = record.claimProcess,
            !EngineLock.isAlive(process, in: folders.holders)
        else {
            return record
        }
        var free = record
        (free.status, free.until) = (.pending, nil)
        return free
    }

    private func freeWhatIsAbandoned(_ number: Int64) throws(Failure) {
        guard let record = try archive.get().await(numbered: number), awake(record) != record else { return }
        try archive.get().release(
            number, claim: record.claim, draft: nil, by: record.claimedBy ?? "somebody", at: Self.now())
    }

    private func claim(_ number: Int64) throws(Failure) -> AwaitRecord {
        try freeWhatIsAbandoned(number)
        switch try archive.get().claim(number, by: Self.person, process: try holder.get().name, at: Self.now()) {
        case .yours(let record): return record
        case .refused(let unavailable): throw Self.failure(number, unavailable)
        }
    }

    private func snooze(_ number: Int64, _ seconds: Double) throws(Failure) -> Moment {
        try freeWhatIsAbandoned(number)
        switch try archive.get().snooze(number, seconds: seconds, by: Self.person, at: Self.now()) {
        case .until(let moment): return moment
        case .limitReached:
            throw Failure(
                .snoozeLimitReached, "\(number) was put off \(Limits.snoozes) times already.")
        case .refused(let unavailable): throw Self.failure(number, unavailable)
        }
    }

    func complete(
        _ number: Int64, _ claim: Int?, _ completion: Vocabulary.Completion, _ draft: JSON?,
        by person: String = OpenWorkspace.person
    ) throws(Failure) -> AnswerOutcome {
        if claim == nil { try freeWhatIsAbandoned(number) }
        let completion = try sealed(completion, of: number)
        let outcome = try archive.get().complete(
            number, claim: claim, completion, draft: draft, by: person, at: Self.now())
        lookAgain()
        switch outcome {
        case .taken: return .taken
        case .claimIsOver:
            throw Failure(
                .claimIsOver, "The claim on \(number) is over; what was made is kept as a draft.",
                remedy: "'assent open \(number)' goes on from there.")
        case .refused(.answered(let resolution, let by, let at)):
            return .alreadyAnswered(resolution: resolution, by: by, at: at)
        case .refused(let unavailable): throw Self.failure(number, unavailable)
        }
    }

    private static func faults(of params: JSON.Object, _ tool: ToolManifest) -> [Problem] {
        params.members.compactMap { member in
            guard let param = tool.param(member.key) else {
                return Problem(.badParam, at: member.key, "\(tool.kind) has no parameter \"\(member.key)\".")
            }
            return param.fault(of: member.value).map { Problem(.badParam, at: member.key, $0) }
        }
    }

    /// `person on /dev/pts/3`; of a script, which one it was.
    static let person: String = {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            if let name = ttyname(descriptor) { return "person on \(String(cString: name))" }
        }
        return "person by process \(getpid())"
    }()

    private static func failure(_ number: Int64, _ unavailable: Archive.Unavailable) -> Failure {
        switch unavailable {
        case .claimed(let by, let until):
            Failure(
                .claimedByOther,
                "\(number) is being done by \(by); the claim ends \(Amounts.age(of: until, now: now())), unless it is renewed."
            )
        case .answered(let resolution, let by, let at):
            Failure(.alreadyAnswered, "\(number) was answered: \(resolution) by \(by) at \(Amounts.time(at)).")
        case .unknown: Failure(.unknownAwait, "There is no \(number) in the inbox.", remedy: "See 'assent inbox'.")
        }
    }

    // MARK: The graph

    private func graph(of workflow: WorkflowID) -> (graph: Graph, template: Template)? {
        guard let text = try? archive.get().template(of: workflow),
            let template = TemplateReader.read(Array(text.utf8)).0,
            let graph = Workflows.check(template, against: (try? engineCatalogue.get()) ?? Catalogue()).0
        else { return nil }
        return (graph, template)
    }

    /// Each workflow is looked at once. What has ended waits for nobody.
    private func blocked(by records: [AwaitRecord]) -> [Int64: [BlockedStep]] {
        var blocked: [Int64: [BlockedStep]] = [:]
        for (workflow, records) in Dictionary(grouping: records, by: \.step.workflow) {
            guard let (graph, _) = graph(of: workflow), let steps = try? archive.get().steps(of: workflow) else {
                continue
            }
            let catalogue = (try? catalogue.get()) ?? Catalogue()
            let waiting = Set(steps.filter { !$0.state.isTerminal }.map { $0.id.index - 1 })
            for record in records {
                blocked[record.number] = graph.heldUp(by: record.step.index - 1).filter(waiting.contains).map { index in
                    let node = graph.nodes[index]
                    return BlockedStep(
                        step: index + 1, node: node.id, title: catalogue[node.kind]?.title ?? node.kind)
                }
            }
        }
        return blocked
    }

    // MARK: Content

    private func isNotConnected(_ provider: String) async -> Failure? {
        await onWorker { [self] in notConnected(provider) }
    }

    /// The key is looked up as the engine does it, in the surroundings of this process.
    private func notConnected(_ provider: String) -> Failure? {
        guard let auth = (try? providers.get())?[provider]?.auth, auth.kind != .none, !auth.isOptional else {
            return nil
        }
        guard providerKey(auth.secret) == nil else { return nil }
        return Failure(
            .keyMissing, "\(auth.secret) is still not set here.",
            remedy: "Connect it: assent connect \(provider). Or set \(auth.secret) in the environment.")
    }

    private func takeIn(_ content: AnswerContent, _ record: AwaitRecord, _ allowsEmpty: Bool) async -> Result<
        Asset, Failure
    > {
        await onWorker { [self] in
            do throws(Failure) {
                guard let port = record.request?.outputs.first else {
                    throw Failure(
                        .badUsage, "\(record.number) takes no content.", remedy: "See 'assent open \(record.number)'.")
                }
                let wanted = self.wanted(from: port.name, of: record.step)
                let picture = record.type == .drawMask ? record.request?.inputs.first { $0.type == .image }?.hash : nil
                return .success(
                    try toolbox.get().takeIn(
                        content, for: port, wanted: wanted, fitting: picture,
                        of: record.request?.inputs.map(\.hash) ?? [],
                        allowsEmpty: allowsEmpty))
            } catch {
                return .failure(error)
            }
        }
    }

    /// What the inputs that a port feeds take, as the template or their tools declare them.
    private func wanted(from port: String, of step: StepID) -> [PortType] {
        guard let (graph, template) = graph(of: step.workflow), graph.nodes.indices.contains(step.index - 1) else {
            return []
        }
        let catalogue = (try? catalogue.get()) ?? Catalogue()
        let from = Template.Endpoint(graph.nodes[step.index - 1].id, port)
        let types = template.edges.filter { $0.from == from }.compactMap { edge -> PortType? in
            guard let node = template.nodes.first(where: { $0.id == edge.to.node }) else { return nil }
            if let declared = node.inputs?.first(where: { $0.name == edge.to.port }) { return declared.type }
            return catalogue[node.kind]?.inputs.first {
                $0.name == edge.to.port || $0.isVariadic && edge.to.port.hasPrefix($0.name + ".")
            }?.type
        }
        return Array(Set(types.filter { $0 != .any && $0 != .file })).sorted { $0.name < $1.name }
    }

    private func pictureSize(_ hash: ContentHash) -> (width: Int, height: Int)? {
        do throws(Failure) { return try toolbox.get().store.pictureSize(hash) } catch { return nil }
    }

    private func sketch(_ content: AnswerContent, _ columns: Int, _ rows: Int) async -> [String] {
        await onWorker { [self] in
            guard let toolbox = try? toolbox.get() else { return [] }
            switch content {
            case .mask(let drawing):
                guard let kept = try? toolbox.store.add(drawing.png()) else { return [] }
                return toolbox.sketch(kept.hash, columns: columns, rows: rows)
            case .candidate(let input): return toolbox.sketch(input.hash, columns: columns, rows: rows)
            case .file, .text, .json: return []
            }
        }
    }

    /// For work that blocks: the pool of tasks must not.
    private func onWorker<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in workers.run { continuation.resume(returning: work()) } }
    }
}
