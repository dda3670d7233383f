import CaseNames
import Glibc
import Harness
import JSON
import Storage
import Vocabulary

/// Kills whoever carries a load, looks at what is left, and starts it again, until it was killed often enough. Blocks.
struct Torment {
    struct Report: Sendable {
        /// Times at which at least one process was killed, and did not end by itself.
        var kills = 0
        /// Processes that were started to begin or to go on, two at once being one launch.
        var launches = 0
        var workflows = 0
        /// Seconds from each relaunch to its first word.
        var starts: [Double] = []
        /// What each of them had cost of the processors by then, in seconds: that does not hang on what else the
        /// machine does.
        var costs: [Double] = []
        /// Lines that killed processes had told.
        var told = 0
        /// Launches of two processes.
        var pairs = 0
        /// Requests that were under way when a process was killed, by mode.
        var inFlight: [String: Int] = [:]
        /// Awaits that were open at a kill, and the word of a person that was heard.
        var openAtKills = 0
        var answers = 0
        var commands = 0
        var faults: [String] = []

        var words: String {
            let sorted = starts.sorted()
            let (median, slowest) = sorted.isEmpty ? (0, 0) : (sorted[sorted.count / 2], sorted.last!)
            let most = costs.max() ?? 0
            return """
                \(kills) kills in \(launches) launches, \(workflows) workflows done; relaunch to first word: median \(median) s, slowest \(slowest) s, \
                at most \(most) s of a processor; \
                \(told) lines told before kills; under way at kills: \(inFlight.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }), \
                \(openAtKills) times an open await; \(answers) answers, \(commands) commands
                """
        }
    }

    let load: MixedLoad
    let kills: Int
    var random: Seeded
    /// The program's own `show` looks at one kill of so many.
    let showsEvery: Int

    private(set) var report = Report()
    private var engines: [ProgramProcess] = []
    /// Of the workflow that is carried: which attempt of a step had succeeded, how its awaits are answered, and what
    /// was asked of it.
    private var round = 0
    private var known: [Int: Int] = [:]
    private var seenAwaits: Set<Int64> = []
    private var answered: [Int64: String] = [:]
    private var asked: [String: Int] = [:]

    init(load: MixedLoad, kills: Int, random: Seeded, showsEvery: Int) {
        (self.load, self.kills, self.random, self.showsEvery) = (load, kills, random, showsEvery)
    }

    private var lab: ProgramLab { load.lab }
    private var workflow: WorkflowID { WorkflowID(Int64(round)) }

    mutating func run() throws -> Report {
        try begin()
        // It may have ended by itself now and then, when there was nothing left to do; not over and over.
        while report.kills < kills, report.launches < 2 * kills + 20, report.faults.count < 20 {
            waitForAMoment()
            try meddle(isHurried: engines.allSatisfy(\.hasEnded))
            let told = Announced(try end())
            report.told += told.count
            if try look(told) {
                try finish()
                try begin()
            } else {
                try relaunch(with: random.chance(25) ? 2 : 1)
            }
        }
        if report.kills < kills { fault("only \(report.kills) kills in \(report.launches) launches") }
        try goOnToTheEnd()
        return report
    }

    private mutating func fault(_ words: String) { report.faults.append("kill \(report.kills), w\(round): \(words)") }

    // MARK: Starting

    private mutating func begin() throws {
        round += 1
        (known, seenAwaits, answered, asked) = ([:], [], [:], [:])
        try lab.write(load.plan(round), to: ".plan.json")
        report.launches += 1
        engines = [try lab.start(["run", ".plan.json", "--mode", "auto", "--json"])]
        guard engines[0].wait(forOutput: "workflow.created") else {
            throw Unfit(words: engines[0].end(with: SIGKILL).output)
        }
    }

    /// Whoever goes on finds a command of a person: that it is obeyed shows that all was loaded, also when there is
    /// nothing else to tell. Two at once are one that carries it and one that stands by.
    private mutating func relaunch(with count: Int) throws {
        try lab.archived { try $0.put(.poll(true), for: workflow, at: ProgramLab.now) }
        asked["resumeAsked", default: 0] += 1
        report.commands += 1
        report.launches += 1
        report.pairs += count - 1
        let start = ContinuousClock.now
        engines = try (0..<count).map {
            try lab.start($0 == 0 ? ["work", "--until-idle", "--json"] : ["work", "--json"])
        }
        let end = start + .seconds(patienceSeconds)
        var watches = engines.map { Watch(for: #""reason":"resumeAsked""#, in: $0) }
        while !watches.indices.contains(where: { watches[$0].sees() }) {
            guard ContinuousClock.now < end, !engines.allSatisfy(\.hasEnded) else {
                return fault("a relaunch told nothing: \(engines.map(\.output)) \(engines.map(\.errors))")
            }
            usleep(1000)
        }
        report.starts.append((ContinuousClock.now - start) / .milliseconds(1) / 1000)
        report.costs.append(engines.map(\.processorSeconds).max() ?? 0)
    }

    // MARK: Killing

    /// Early and late moments; every third aims at a request that is about to leave, if there is one before there is
    /// nothing to do.
    private mutating func waitForAMoment() {
        guard random.chance(33) else { return _ = usleep(UInt32(random.next() % 300_000) + 1_000) }
        var watches = engines.map { Watch(for: #""phase":"submitIntent""#, in: $0, from: $0.output.utf8.count) }
        while !engines[0].hasEnded, !watches.indices.contains(where: { watches[$0].sees() }) { usleep(1000) }
        if random.chance(50) { usleep(UInt32(random.next() % 100_000)) }
    }

    /// The one that carries it first; another may have time to take it over.
    private mutating func end() throws -> [ProgramEnding] {
        var endings: [ProgramEnding] = []
        for (place, engine) in engines.enumerated() {
            if place > 0, random.chance(50) { usleep(UInt32(random.next() % 900_000)) }
            endings.append(engine.end(with: SIGKILL))
            try noteRequestsUnderWay()
        }
        for ending in endings where !ending.wasKilled && ending.exit != 0 && ending.exit != 3 {
            fault("it ended with \(ending.exit): \(ending.output.suffix(1000))\(ending.errors)")
        }
        if endings.contains(where: \.wasKilled) { report.kills += 1 }
        return endings
    }

    /// Requests that had left, or were about to, and whose answers nobody wrote down: whoever comes next must not buy
    /// them again.
    private mutating func noteRequestsUnderWay() throws {
        let nodes = try lab.archived { archive in
            try archive.steps(of: workflow).filter { $0.state == .queuedRemote && $0.reason == nil }.filter { step in
                try archive.runs(of: step.id).last?.job?.phase == .submitIntent
            }.map(\.node)
        }
        for node in nodes { report.inFlight[MixedLoad.mode(Int(node.dropFirst("job".count)) ?? 0), default: 0] += 1 }
    }

    // MARK: Looking

    /// What had succeeded stays so, in the same attempt; nothing fails; a job is one run; what was told is so; who was
    /// asked is asked once.
    ///
    /// - Returns: whether the workflow is done.
    private mutating func look(_ told: Announced) throws -> Bool {
        let (outcome, steps, awaits, lost) = try lab.archived { archive in
            (
                try archive.summaries(only: workflow).first?.record.outcome, try archive.steps(of: workflow),
                try archive.awaits(includingDone: true).filter { $0.step.workflow == workflow },
                try told.lost(of: workflow, in: archive)
            )
        }
        for words in lost { fault(words) }
        if steps.count != load.steps { fault("\(steps.count) steps are left of \(load.steps)") }
        for step in steps {
            let (number, attempt) = (step.id.index, step.attempt)
            if let before = known[number], step.state != .succeeded || attempt != before {
                fault("step \(number) had succeeded in attempt \(before), now \(step.state) in \(attempt)")
            }
            switch step.state {
            case .succeeded: known[number] = attempt
            case .failed, .cancelled:
                fault("step \(number) (\(step.node)) is \(step.state): \(step.failure?.message ?? "")")
            case .awaitingUser:
                if awaits.count(where: { $0.step == step.id && $0.status != .done }) > 1 {
                    fault("step \(number) asks twice")
                }
            case .blocked, .ready, .runningLocal, .queuedRemote, .runningRemote, .downloading: break
            }
            if step.node.hasPrefix("job"), attempt > 1 { fault("job \(number) is in attempt \(attempt)") }
        }
        if awaits.count(where: { $0.type == .text }) > 1 { fault("the question was put twice") }
        for (number, resolution) in answered {
            let record = awaits.first { $0.number == number }
            if record?.status != .done || record?.resolution != resolution {
                fault(
                    "answer \(number) was \(resolution), now \(record?.status.rawValue ?? "gone"), \(record?.resolution ?? "")"
                )
            }
        }
        for record in awaits where record.status != .done {
            report.openAtKills += 1
            seenAwaits.insert(record.number)
        }
        if report.launches % showsEvery == 0 { try show(steps) }
        if let outcome, outcome != .succeeded { fault("it came to \(outcome)") }
        return outcome != nil
    }

    /// The program itself sees the same rows.
    private mutating func show(_ steps: [StepRecord]) throws {
        let listed = try lab.jsonNow("show", "w\(round)").first?["steps"]?.array ?? []
        let shown = listed.sorted { ($0["step"]?.int ?? 0) < ($1["step"]?.int ?? 0) }
        let states = shown.map {
            "\($0["node"]?.string ?? "") \($0["state"]?.string ?? "") \($0["attempt"]?.int ?? -1)"
        }
        if states != steps.map({ "\($0.node) \($0.state.rawValue) \($0.attempt)" }) {
            fault("show says something else")
        }
    }

    // MARK: A person

    /// Answers what was open at a kill, from a process of its own, and says a word now and then.
    private mutating func meddle(isHurried: Bool) throws {
        if !isHurried, random.chance(15) {
            let ending = try lab.start(["pause", "w\(round)", "--json"]).wait()
            // Whoever is too late is told so.
            if ending.exit == 0 { asked["pauseAsked", default: 0] += 1 }
            report.commands += 1
        }
        guard !seenAwaits.isEmpty else { return }
        let open = try lab.archived { try $0.awaits() }
        for record in open where record.step.workflow == workflow && seenAwaits.contains(record.number) {
            // Who takes their time leaves it open at the next kill, too.
            if isHurried || random.chance(30) { try answer(record) }
        }
    }

    private mutating func answer(_ record: AwaitRecord) throws {
        var (words, resolution) = (["complete", "\(record.number)", "--json"], "completed")
        switch record.type {
        case .text: words += ["--text", MixedLoad.words(round)]
        case .submitUnknown:
            // Whoever looks at the provider sees by its content whether the job is there.
            let node = try lab.archived { try $0.steps(of: workflow)[record.step.index - 1].node }
            let found = try load.jobs.provider(of: "none").booksNow().jobs.first {
                $0["input"]?["mark"]?.string == MixedLoad.mark(round, node)
            }
            words += ["--choice", found?["id"]?.string.map { "found=\($0)" } ?? "again"]
            resolution = found == nil ? "submitAgain" : "found"
        case .drawMask, .selectAsset, .confirmParams, .confirmCall, .choose, .capture, .connect:
            return fault("nobody asked for this: \(record)")
        }
        // The verb would carry the workflow on. It is killed as soon as it has said that the answer is stored.
        let verb = try lab.start(words)
        let isTaken = verb.wait(forOutput: "\"taken\":true")
        let ending = verb.end(with: SIGKILL)
        guard isTaken else { return fault("an answer was refused: \(ending.output)\(ending.errors)") }
        answered[record.number] = resolution
        report.answers += 1
    }

    // MARK: The end of a workflow

    /// Carries it on undisturbed, with a person who answers.
    private mutating func goOnToTheEnd() throws {
        for _ in 0..<10 {
            let endings = engines.map {
                $0.signal(SIGTERM); return $0.wait()
            }
            if try look(Announced(endings)) { return try finish() }
            try meddle(isHurried: true)
            engines = [try lab.start(["work", "--until-idle", "--json"])]
            _ = engines[0].wait()
        }
        fault("it does not come to its end: \(engines.map(\.output))")
    }

    /// What a workflow leaves: its files once each, and every command that was acknowledged, heard once.
    private mutating func finish() throws {
        report.workflows += 1
        // What was said at the very end is heard by the next that looks.
        _ = try lab.start(["work", "--until-idle", "--json"]).wait()
        let names = lab.names().filter { $0.hasPrefix("out-\(round)-") }.sorted()
        if names != MixedLoad.files(round).sorted() { fault("it left \(names)") }
        if lab.text(MixedLoad.files(round).last!) != MixedLoad.words(round) {
            fault("it wrote something else than was said")
        }
        let events = try lab.archived { try $0.changes(of: workflow, limit: 100_000) }
        for (reason, count) in asked {
            let heard = events.count { $0.body["reason"]?.string == reason }
            if heard != count { fault("\(reason): \(count) acknowledged, \(heard) heard") }
        }
        if events.count(where: { $0.type == "workflow.finished" }) != 1 { fault("it ended more than once") }
    }
}

private struct Unfit: Error { let words: String }

/// Waits for words in what a process writes, and reads each byte of it about once.
private struct Watch {
    private let words: [UInt8]
    private let process: ProgramProcess
    private var read: Int

    init(for words: String, in process: ProgramProcess, from start: Int = 0) {
        (self.words, self.process, read) = (Array(words.utf8), process, start)
    }

    mutating func sees() -> Bool {
        let new = process.output(after: read)
        guard new.firstRange(of: words) == nil else { return true }
        // They may be cut in two.
        read += max(0, new.count - words.count)
        return false
    }
}
