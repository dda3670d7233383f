import Consent
import Engine
import Files
import Glibc
import JSON
import Sandbox
import Storage
import Tools
import Vocabulary
import Workflows

/// Durable nodes a second: the engine on a real database against raw SQLite that writes the same rows.
enum EngineBench {
    static func run() throws -> [Figure] {
        let count = 1_000
        func raw() throws -> Double { try withScratchFolder { try RawSQLite.chain(count, in: $0) } }
        let chain = Graphs.chain(count)
        let strict = try Pairs(21, amount: Double(count)) {
            try seconds(for: chain, sharesCommits: false)
        } _: {
            try raw()
        }
        let parts = ChainParts()
        _ = try seconds(for: chain, sharesCommits: false, parts: parts)
        let shared = try Pairs(amount: Double(count)) {
            try seconds(for: chain)
        } _: {
            try raw()
        }
        let fanOut = Graphs.fanOut(count)
        let wide = try Pairs(amount: Double(count)) {
            try seconds(for: fanOut)
        } _: {
            try raw()
        }
        let grid = Graphs.grid(width: 32, height: 32)
        let woven = try Pairs(amount: Double(count)) {
            try seconds(for: grid) * Double(count) / 1024
        } _: {
            try raw()
        }
        let (width, height) = (300, 32)
        let large = Graphs.grid(width: width, height: height)
        let wideAndWoven = try Pairs(7, amount: Double(width * height)) {
            try seconds(for: large)
        } _: {
            try withScratchFolder { try RawSQLite.chain(width * height, in: $0) }
        }
        let reference = "raw SQLite, one commit a transition"
        return [
            Figure(
                name: "engine, chain of 1,000, one commit a transition", strict, unit: "nodes/s", reference: reference,
                bar: .ratioAtLeast(0.5))
        ] + parts.figures(count) + [
            Figure(
                name: "engine, chain of 1,000 as it runs: instant steps share commits", shared, unit: "nodes/s",
                reference: reference,
                bar: .ratioAtLeast(0.5)),
            Figure(
                name: "engine, fan-out of 1,000", wide, unit: "nodes/s", reference: reference, bar: .ratioAtLeast(1.2)),
            Figure(
                name: "engine, grid of 32×32", woven, unit: "nodes/s", reference: reference, bar: .ratioAtLeast(1.2)),
            Figure(
                name: "engine, grid of 300×32", wideAndWoven, unit: "nodes/s", reference: reference,
                bar: .ratioAtLeast(1.2)),
        ]
    }

    /// - Parameter sharesCommits: as the engine does with steps that cannot block, touch nothing outside and may run
    ///   twice; without it each is durable before it starts and before the next does, as any other step.
    static func seconds(for template: String, sharesCommits: Bool = true, parts: ChainParts? = nil) throws -> Double {
        try withScratchFolder { folder in
            let tools = passing(in: folder, parts) { sharesCommits && Toolbox.isInstant($0) }
            return try seconds(for: template, catalogue: Graphs.catalogue, in: folder, tools: tools, parts: parts)
        }
    }

    /// From the start of the engine on a stored workflow to its durable end.
    static func seconds(
        for template: String, catalogue: Catalogue, in folder: String, tools: World.Tools, parts: ChainParts? = nil
    ) throws -> Double {
        let done = Semaphore()
        var engine: Engine?
        let archive = try stored(template, catalogue, in: folder)
        let seconds = Clock.measure {
            engine = started(archive, tools, parts: parts) { event in
                if case .workflowFinished(let outcome, _) = event.kind {
                    precondition(outcome == .succeeded)
                    done.signal()
                }
            }
            done.wait()
        }
        stop(engine!)
        archive.close()
        return seconds
    }

    /// A database with one workflow in it that nobody carries yet.
    static func stored(_ template: String, _ catalogue: Catalogue, in folder: String) throws -> Archive {
        let archive = try Archive(folder: folder)
        let (read, _) = TemplateReader.read(Array(template.utf8))
        let graph = check(read!, against: catalogue).0!
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "bench", workspace: "/tmp", mode: .auto, createdAt: Moment(milliseconds: 0),
            updatedAt: Moment(milliseconds: 0))
        _ = try archive.create(record, template: template, owner: "nobody") {
            Flow.initialSteps(of: graph, workflow: $0, at: record.createdAt)
        }
        return archive
    }

    static func started(
        _ archive: Archive, _ tools: World.Tools, slots: World.Slots = World.Slots(), parts: ChainParts? = nil,
        emit: @escaping @Sendable (Event) -> Void = { _ in }
    ) -> Engine {
        let engine = Engine(
            world: world(archive, tools, slots, parts) { event in
                if case .error(let failure) = event.kind { fatalError("\(failure)") }
                emit(event)
            })
        engine.start()
        return engine
    }

    static func stop(_ engine: Engine) {
        let stopped = Semaphore()
        engine.stop { stopped.signal() }
        stopped.wait()
    }

    private static func world(
        _ archive: Archive, _ tools: World.Tools, _ slots: World.Slots, _ parts: ChainParts?,
        emit: @escaping @Sendable (Event) -> Void
    ) -> World {
        World(
            // Both clocks are read as the program reads them.
            now: {
                parts?.readClock()
                return Moment(milliseconds: ahead + milliseconds(of: CLOCK_BOOTTIME))
            },
            clocks: {
                ClockReading(
                    wall: Moment(milliseconds: milliseconds(of: CLOCK_REALTIME)),
                    sinceBoot: milliseconds(of: CLOCK_BOOTTIME), boot: "bench")
            },
            ledger: World.Ledger(
                commit: { batches throws(Failure) in
                    guard let parts else { return try archive.commit(batches) }
                    return try parts.commit { () throws(Failure) in try archive.commit(batches) }
                },
                claim: { () throws(Failure) in try archive.claim(for: "bench") { _ in false } },
                ownedByOthers: { ids throws(Failure) in try archive.owned(byOthersThan: "bench", of: ids) },
                load: { id throws(Failure) in try archive.load(id) },
                waitingCommands: { () throws(Failure) in try archive.waitingCommands(for: "bench") },
                take: { commands throws(Failure) in
                    try archive.take(commands, for: "bench", at: Moment(milliseconds: 0))
                },
                approvals: { id throws(Failure) in try archive.approvals(of: id) },
                history: { id throws(Failure) in try archive.history(of: id) },
                await: { number throws(Failure) in try archive.await(numbered: number) },
                isJobHeld: { _, _, _ in false }, expiries: { () throws(Failure) in try archive.expiries(for: "bench") },
                putAside: { _, _ in },
                version: { () throws(Failure) in try archive.dataVersion() },
                lostRuns: { run throws(Failure) in try archive.lostRuns(before: run) },
                spendingOfTurn: { id throws(Failure) in try archive.spendingOfTurn(of: id) }),
            tools: tools,
            onWorker: { job in
                if let parts { parts.onWorker(job) } else { workers.run(job) }
            }, emit: emit, policy: { _ in .modesOnly },
            surroundings: { Surroundings(workspace: $0) },
            slots: slots)
    }

    /// The wall time less the time since the boot.
    private static let ahead = milliseconds(of: CLOCK_REALTIME) - milliseconds(of: CLOCK_BOOTTIME)

    private static func milliseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func passing(
        in folder: String, _ parts: ChainParts?, isInstant: @escaping @Sendable (ToolManifest) -> Bool
    ) -> World.Tools {
        let toolbox = Toolbox(
            store: AssetStore(folder: folder + "/assets"), own: OwnFolders(config: folder, data: folder, cache: folder),
            sandbox: .none("nothing is started"))
        return World.Tools(
            catalogue: { Graphs.catalogue }, prepare: { _ in fatalError("Pass needs no consent") },
            run: { assignment, _ in
                func run() -> RunEnding { toolbox.run(assignment, call: nil, cancel: Cancellation()) }
                return parts?.run(run) ?? run()
            },
            recover: { _ in .lost }, kill: { _ in },
            isInstant: isInstant)
    }
}

/// Those of the program, kept from one measurement to the next.
let workers = Workers()
