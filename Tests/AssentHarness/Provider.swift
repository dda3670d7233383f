import Harness
import JSON

/// The job provider: what it has taken, and where its script stands. A value; `Peer` keeps it under a lock.
struct Provider {
    var script: Script
    private(set) var jobs: [Job] = []
    /// Jobs that may still run.
    private(set) var alive: [Int] = []
    private(set) var mostAlive = 0
    private var placeOf: [String: Int] = [:]
    private var byKey: [String: [Int]] = [:]
    /// Which rule a key was given, for ever.
    private var ruleOfKey: [String: Int] = [:]
    private var usesOfRule: [Int: Int] = [:]
    private var counts: [String: Int] = [:]
    /// How often something was drawn, by whom and what it was about.
    private var draws: [String: Int] = [:]
    /// Submissions that named a key, taken or not.
    private var attempts: [String: Int] = [:]

    init(_ script: Script) { self.script = script }

    /// A new script for what comes; the jobs that are there keep theirs.
    mutating func take(_ script: Script) {
        self.script = script
        (ruleOfKey, usesOfRule, counts, draws) = ([:], [:], [:], [:])
    }

    /// What was decided about one request.
    struct Decision {
        var reply = Reply.truth
        var truth = TrueAnswer.error(404, "notFound", "There is nothing here.")
        var job: String?
        var key: String?
    }

    // MARK: One request

    mutating func decide(_ asked: Asked, _ now: Int, _ places: Places) -> Decision {
        if let needed = script.provider.authorization, asked.request.headers["authorization"] != needed {
            return Decision(truth: .error(401, "unauthorized", "The key is missing or wrong."))
        }
        switch asked.what {
        case .submit(let key): return submit(asked, key, now, places)
        case .list(let limit, let key): return list(limit, key, now, places)
        case .status(let id): return about(id, .status, now) { $0.status(now, places) }
        case .logs(let id): return about(id, .logs, now) { $0.logs(now) }
        case .cancel(let id): return about(id, .cancel, now) { .json(["cancelled": .bool($0.cancel(now))]) }
        case .result(let id): return about(id, .result, now) { $0.result(now, places) }
        case .file(let name): return file(name, now)
        case .chat, .models, .nothing: return Decision()
        }
    }

    private mutating func about(_ id: String, _ verb: Verb, _ now: Int, _ answer: (inout Job) -> TrueAnswer) -> Decision
    {
        guard let place = placeOf[id] else {
            let reply = general(verb, id) ?? .truth
            return Decision(reply: reply, truth: .error(404, "notFound", "There is no job \(id)."), job: id)
        }
        var decision = Decision(job: id, key: jobs[place].key)
        jobs[place].asked[verb, default: 0] += 1
        decision.reply = general(verb, jobs[place].key ?? id) ?? own(verb, of: place) ?? .truth
        if decision.reply.takes { decision.truth = answer(&jobs[place]) }
        return decision
    }

    private mutating func list(_ limit: Int?, _ key: String?, _ now: Int, _ places: Places) -> Decision {
        let reply = general(.list, "") ?? .truth
        guard reply.takes else { return Decision(reply: reply) }
        let limit = min(limit ?? script.provider.listLimit, script.provider.listLimit)
        var shown: [JSON] = []
        let candidates = key.map { byKey[$0] ?? [] } ?? Array(jobs.indices)
        for place in candidates.reversed() where shown.count < limit {
            jobs[place].lists += 1
            guard jobs[place].lists > jobs[place].life.hiddenLists else { continue }
            jobs[place].move(now)
            shown.append(jobs[place].view(now, places))
        }
        return Decision(reply: reply, truth: .json(["jobs": .array(shown)]), key: key)
    }

    private mutating func file(_ name: String, _ now: Int) -> Decision {
        // `ID-NAME`, and either may have a dash in it.
        let dashes = name.indices.filter { name[$0] == "-" }
        let found = dashes.compactMap { dash in
            placeOf[String(name[..<dash])].map { (place: $0, file: String(name[name.index(after: dash)...])) }
        }.first { found in jobs[found.place].life.files.contains { $0.name == found.file } }
        guard let found else { return Decision(reply: general(.file, name) ?? .truth) }
        return about(jobs[found.place].id, .file, now) { $0.file(found.file, now) }
    }

    // MARK: Replies of the script

    /// What the script says to everything, or to everything of this kind.
    private mutating func general(_ verb: Verb, _ name: String) -> Reply? {
        next(script.any, "any", name, verb) ?? script.byVerb[verb].flatMap { next($0, verb.rawValue, name, verb) }
    }

    private mutating func next(_ list: [Reply], _ cursor: String, _ name: String, _ verb: Verb) -> Reply? {
        guard !list.isEmpty else { return nil }
        let count = counts[cursor, default: 0]
        guard let reply = list.at(count) else { return nil }
        counts[cursor] = count + 1
        let drawn = drawn(from: reply, name, verb)
        return drawn.source.isEmpty ? nil : drawn
    }

    /// What its rule says to the next request of this kind about one job.
    private mutating func own(_ verb: Verb, of place: Int) -> Reply? {
        guard let list = jobs[place].rule.replies[verb] else { return nil }
        let count = jobs[place].replied[verb, default: 0]
        jobs[place].replied[verb] = count + 1
        return list.at(count).map { drawn(from: $0, jobs[place].key ?? jobs[place].id, verb) }
    }

    /// The same for the same seed, name, verb and count of draws, whatever else went on.
    private mutating func drawn(from reply: Reply, _ name: String, _ verb: Verb) -> Reply {
        guard !reply.mix.isEmpty, let seed = script.seed else { return reply }
        let about = "\(name)/\(verb.rawValue)"
        draws[about, default: 0] += 1
        var random = Seeded(seed ^ JobHarness.fingerprint(Array("\(about)/\(draws[about] ?? 0)".utf8)))
        return reply.drawn(Double(random.next() >> 11) / Double(1 << 53))
    }
}

// MARK: - Submitting

extension Provider {
    private mutating func submit(_ asked: Asked, _ keyInPath: String?, _ now: Int, _ places: Places) -> Decision {
        let body = asked.request.json
        let (inBody, inHeader) = (body?["id"]?.string ?? body?["key"]?.string, asked.request.headers["idempotency-key"])
        let key = keyInPath ?? inBody ?? inHeader
        guard let body, body.object != nil else {
            return Decision(truth: .error(400, "badRequest", "The body is no JSON object."), key: key)
        }
        let (kind, input) = (body["kind"]?.string ?? "", body["input"] ?? .null)
        let known = key.flatMap { byKey[$0]?.last }
        if let key { attempts[key, default: 0] += 1 }
        let (rule, number) = rule(kind: kind, key: key, input: input)
        var decision = Decision(job: known.map { jobs[$0].id }, key: key)
        let name = key ?? "rule \(number)"
        decision.reply =
            general(.submit, name) ?? next(rule.replies[.submit] ?? [], "submit \(number) \(key ?? "")", name, .submit)
            ?? .truth
        guard decision.reply.takes else { return decision }
        if let known, isHonoured(keyInPath, inBody, inHeader) {
            jobs[known].move(now)
            if jobs[known].content != Job.content(kind, input) { jobs[known].differing += 1 }
            if !(script.provider.forgetsEnded && jobs[known].state.isEnd) {
                decision.truth = again(jobs[known], places)
                return decision
            }
        }
        for place in alive { jobs[place].move(now) }
        alive.removeAll { jobs[$0].state.isEnd }
        if let most = script.provider.atMost, alive.count >= most {
            decision.truth = .error(429, "tooMany", "No more than \(most) jobs at once.")
            return decision
        }
        let job = bought(key, kind, input, rule, number, keyInPath ?? body["id"]?.string, now)
        (decision.job, decision.truth) = (job.id, .json(job.receipt(places), 201))
        return decision
    }

    private func isHonoured(_ inPath: String?, _ inBody: String?, _ inHeader: String?) -> Bool {
        let honours = script.provider.honours
        return inPath != nil && honours.contains(.put) || inBody != nil && honours.contains(.body)
            || inHeader != nil && honours.contains(.header)
    }

    private func again(_ job: Job, _ places: Places) -> TrueAnswer {
        switch script.provider.again {
        case .same: .json(job.receipt(places))
        case .conflict: .error(409, "conflict", "A job with the key \(job.key ?? "") is there.")
        case .exists:
            TrueAnswer(
                http: 500,
                content: .bytes(
                    Array(
                        "Traceback (most recent call last):\nRuntimeError: Job with key \(job.key ?? "") already exists.\n"
                            .utf8),
                    type: "text/plain; charset=utf-8"))
        }
    }

    /// A key keeps the rule that it got first. One without a key gets the first that has something left.
    private mutating func rule(kind: String, key: String?, input: JSON) -> (JobRule, number: Int) {
        if let key, let number = ruleOfKey[key] { return (script.jobs[number], number) }
        let text = script.jobs.contains { $0.contains != nil } ? input.text : ""
        for (number, rule) in script.jobs.enumerated() where rule.isAbout(kind: kind, key: key, input: text) {
            guard rule.times == 0 || usesOfRule[number, default: 0] < rule.times else { continue }
            if let key {
                ruleOfKey[key] = number
                usesOfRule[number, default: 0] += 1
            }
            return (rule, number)
        }
        return (JobRule(), -1)
    }

    private mutating func bought(
        _ key: String?, _ kind: String, _ input: JSON, _ rule: JobRule, _ number: Int, _ named: String?, _ now: Int
    ) -> Job {
        if key == nil { usesOfRule[number, default: 0] += 1 }
        let place = jobs.count
        // The client may name the job, unless the name is taken.
        let id = named.flatMap { placeOf[$0] == nil ? $0 : nil } ?? "j-\(place + 1)"
        var random = Seeded((script.seed ?? 0) ^ JobHarness.fingerprint(Array("\(key ?? id)/life".utf8)))
        let job = Job(
            id: id, key: key, kind: kind, input: input, rule: rule, bornMs: now,
            queuedMs: Int.random(in: rule.life.queuedMs, using: &random),
            runningMs: Int.random(in: rule.life.runningMs, using: &random))
        jobs.append(job)
        placeOf[id] = place
        if let key { byKey[key, default: []].append(place) }
        alive.append(place)
        mostAlive = max(mostAlive, alive.count)
        return job
    }
}

// MARK: - By hand, and the books

extension Provider {
    /// Ends a job now, as a test wants it.
    mutating func end(_ id: String, as state: Life.State, _ now: Int) -> JSON? {
        guard let place = placeOf[id] else { return nil }
        jobs[place].move(now)
        if !jobs[place].state.isEnd, state.isEnd { jobs[place].end(state, now) }
        return account(of: jobs[place])
    }

    /// Every job, and whether any key has more than one.
    mutating func account(_ now: Int) -> JSON {
        for place in alive { jobs[place].move(now) }
        return [
            "jobs": .array(jobs.map(account)), "bought": .int(jobs.count), "mostAlive": .int(mostAlive),
            "boughtTwice": .array(byKey.filter { $0.value.count > 1 }.keys.sorted().map { .string($0) }),
        ]
    }

    private func account(of job: Job) -> JSON {
        [
            "id": .string(job.id), "key": job.key.map { .string($0) } ?? .null, "kind": .string(job.kind),
            "input": job.input,
            "state": .string(job.state.rawValue), "bought": 1, "submits": .int(job.key.map { attempts[$0] ?? 0 } ?? 1),
            "polls": .int(job.asked[.status] ?? 0), "cancels": .int(job.asked[.cancel] ?? 0),
            "cancelTaken": .bool(job.cancelledAt != nil),
            "logs": .int(job.asked[.logs] ?? 0), "results": .int((job.asked[.result] ?? 0) + (job.asked[.file] ?? 0)),
            "collected": .int(job.collected), "differing": .int(job.differing),
        ]
    }
}
