import Harness
import Vocabulary

extension Scenario {
    /// - Parameters:
    ///   - seed: the same scenario for the same seed, on every machine.
    ///   - isPlain: without what was added later, in dice of its own: seeds that are kept from before then still say
    ///     what they said.
    ///   - hasOrder: with steps that wait for others, or are carried out on a condition, which were added later still.
    ///   - hasFollowing: with steps that stand after others because of their files, which were added last.
    init(seed: UInt64, isPlain: Bool = false, hasOrder: Bool = true, hasFollowing: Bool = true) {
        var random = Seeded(seed &* 0x9E37_79B9 &+ 17)
        let providers = (0..<Int.random(in: 1...2, using: &random)).map { ProviderScript(number: $0, &random) }
        workflows = []
        for _ in 0..<[1, 1, 1, 2, 2, 3, 4].randomElement(using: &random)! {
            workflows.append(Plan(providers: providers.count, &random))
        }
        self.providers = providers
        engines = [1, 1, 2, 2, 3].randomElement(using: &random)!
        localSlots = Int.random(in: 1...3, using: &random)
        remoteSlots = Int.random(in: 1...4, using: &random)
        weather = Weather(&random)
        sharesSlots = !isPlain
        defer {
            if hasOrder, !isPlain { addOrder(seed) }
            if hasFollowing, !isPlain { addFollowing(seed) }
        }
        guard !isPlain else { return }
        var others = Seeded(seed &* 0x9E37_79B9 &+ 4711)
        deniesWriting = others.chance(10)
        isThorough = others.chance(50)
        if weather.stormMilliseconds > 0, others.chance(12) { fullDisk = Int.random(in: 5...60, using: &others) }
        for place in self.providers.indices
        where self.providers[place].terms.idempotency == .clientId && others.chance(50) {
            self.providers[place].terms.canLook = false
        }
        if weather.stormMilliseconds > 0 {
            if others.chance(10) {
                toolChanges = (0..<Int.random(in: 1...3, using: &others)).map { _ in change(&others) }
            }
            if others.chance(15) { looks = Int.random(in: 1...4, using: &others) }
            if others.chance(15) { stops = Int.random(in: 1...3, using: &others) }
            if others.chance(10) { lostContents = Int.random(in: 50...500, using: &others) }
        }
        for place in workflows.indices {
            if !workflows[place].asksAlways, others.chance(15) { workflows[place].isAuto = true }
            if others.chance(12) { workflows[place].onAsk = [.deny, .fail, .inline].randomElement(using: &others)! }
            for index in workflows[place].nodes.indices
            where workflows[place].nodes[index].kind.mayOffer && others.chance(50) {
                workflows[place].nodes[index].isOffering = true
            }
            for index in workflows[place].nodes.indices
            where workflows[place].nodes[index].kind == .work && others.chance(30) {
                workflows[place].nodes[index].kind = .fetch
            }
            for index in workflows[place].nodes.indices
            where workflows[place].nodes[index].mayBeKilled && others.chance(40) {
                workflows[place].nodes[index].fate = .killed
            }
        }
        if weather.stormMilliseconds > 0 {
            if others.chance(10) { echoes = Int.random(in: 300...800, using: &others) }
            isMisreading = others.chance(20)
        }
    }
}

extension Scenario {
    /// In some workflows: steps that wait for others without taking anything from them, and steps that are carried out
    /// on a condition.
    private mutating func addOrder(_ seed: UInt64) {
        var random = Seeded(seed &* 0x9E37_79B9 &+ 19_000)
        for place in workflows.indices where random.chance(30) { workflows[place].addOrder(&random) }
    }

    /// In some workflows: steps that stand after others because both touch the same files.
    private mutating func addFollowing(_ seed: UInt64) {
        var random = Seeded(seed &* 0x9E37_79B9 &+ 37_000)
        for place in workflows.indices where random.chance(40) { workflows[place].addFollowing(&random) }
        var exits = Seeded(seed &* 0x9E37_79B9 &+ 37_001)
        for place in workflows.indices { workflows[place].addExits(&exits) }
    }
}

extension Plan {
    fileprivate mutating func addOrder(_ random: inout Seeded) {
        for index in nodes.indices.dropFirst() {
            if random.chance(25) { nodes[index].after = [Int.random(in: 0..<index, using: &random)] }
            let texts = nodes.indices.prefix(index).filter { nodes[$0].kind == .human(.text) }
            if let asked = texts.randomElement(using: &random), random.chance(60) {
                nodes[index].when = Demand(
                    node: asked, word: random.chance(50) ? Content.answers[0] : Content.answers[1])
            }
            let people = nodes.indices.prefix(index).filter { nodes[$0].kind.isHuman }
            if let person = people.randomElement(using: &random), random.chance(20) {
                nodes[index].skipsWith = [person]
            }
        }
        // What may be absent can feed only what can do without it.
        for index in nodes.indices {
            for input in nodes[index].inputs.indices where nodes[nodes[index].inputs[input].producer].mayBePassedOver {
                nodes[index].inputs[input].isOptional = true
            }
        }
        for index in nodes.indices { settleWait(of: index) }
    }
}

extension Plan {
    /// Adds an order of files as the product computes it: always of an earlier step before a later one.
    fileprivate mutating func addFollowing(_ random: inout Seeded) {
        for index in nodes.indices.dropFirst() {
            if random.chance(40) {
                let count = random.chance(25) ? 2 : 1
                nodes[index].follows = Set((0..<count).map { _ in Int.random(in: 0..<index, using: &random) }).sorted()
            }
            guard random.chance(20) else { continue }
            let earlier = Int.random(in: 0..<index, using: &random)
            if !nodes[index].follows.contains(earlier) { nodes[index].startsAfter = [earlier] }
        }
    }

    /// Lets some commands that others follow end with another exit code than 0.
    fileprivate mutating func addExits(_ random: inout Seeded) {
        for index in Set(nodes.flatMap(\.follows)).sorted()
        where nodes[index].mayBeKilled && [.work, .once].contains(nodes[index].kind) && random.chance(20) {
            nodes[index].fate = .told
        }
    }
}

extension Plan.Node {
    /// Whether it runs a program of this machine that would succeed.
    fileprivate var mayBeKilled: Bool {
        switch kind {
        case .load, .work, .once, .write: fate == .succeeds
        case .fetch, .job, .pass, .delay, .ghost, .human: false
        }
    }
}

extension Scenario {
    private func change(_ random: inout Seeded) -> ToolChange {
        let from = Int.random(in: 0..<weather.stormMilliseconds * 3 / 4, using: &random)
        let kinds = workflows.flatMap(\.nodes).map(\.kind).filter { $0 != .ghost }
        return ToolChange(
            what: .allCases.randomElement(using: &random)!, kind: kinds.randomElement(using: &random) ?? .work,
            from: from,
            to: Int.random(in: from...weather.stormMilliseconds * 7 / 8, using: &random))
    }
}

extension ProviderScript {
    fileprivate init(number: Int, _ random: inout Seeded) {
        terms = JobTerms(
            // Where a job may be bought twice most goes wrong.
            provider: "p\(number)",
            idempotency: (JobTerms.Idempotency.allCases + [.none, .none]).randomElement(using: &random)!,
            ambiguity: [.ask, .ask, .ask, .retry, .fail].randomElement(using: &random)!,
            cancelling: .allCases.randomElement(using: &random)!,
            pollSeconds: [5, 10, 30].randomElement(using: &random)!,
            concurrent: Int.random(in: 1...4, using: &random), queuedSeconds: 1800, runningSeconds: 3600,
            retentionSeconds: random.chance(50) ? 3600 : nil, isLocal: random.chance(20))
        needsKey = random.chance(15)
    }
}

extension Weather {
    /// Most kinds of trouble stay away from most seeds, so that those that come have room.
    fileprivate init(_ random: inout Seeded) {
        guard !random.chance(12) else { return }
        stormMilliseconds = [60_000, 600_000, 3_600_000].randomElement(using: &random)!
        if random.chance(50) {
            (crash, crashes) = (Int.random(in: 5...40, using: &random), Int.random(in: 1...6, using: &random))
        }
        if random.chance(25) {
            (pause, isPausedTakenOver) = (Int.random(in: 5...30, using: &random), random.chance(70))
        }
        if random.chance(35) { (commitFault, crashes) = (Int.random(in: 5...30, using: &random), max(crashes, 3)) }
        if random.chance(60) { provider = Int.random(in: 50...400, using: &random) }
        if random.chance(20) { jumps = Int.random(in: 1...4, using: &random) }
        if random.chance(20) { offline = 1 }
        if random.chance(40) { dawdling = Int.random(in: 100...600, using: &random) }
        if random.chance(45) {
            let all = Wish.allCases + [.cancel, .cancel, .pin, .revise, .revise]
            wishes = (0..<Int.random(in: 1...8, using: &random)).map { _ in all.randomElement(using: &random)! }
        }
    }
}

extension Plan {
    init(providers: Int, _ random: inout Seeded) {
        isFailFast = random.chance(40)
        local = Int.random(in: 1...3, using: &random)
        remote = Int.random(in: 1...4, using: &random)
        asksAlways = random.chance(8)
        nodes = []
        for index in 0..<[1, 2, 3, 4, 5, 6, 8, 10].randomElement(using: &random)! {
            nodes.append(Self.node(index, providers: providers, &random))
        }
        for index in nodes.indices.dropFirst() { connect(index, &random) }
        for index in nodes.indices { settleWait(of: index) }
    }

    private static func node(_ index: Int, providers: Int, _ random: inout Seeded) -> Node {
        let humans: [AwaitType] = [.drawMask, .selectAsset, .choose, .text, .capture, .confirmParams]
        let kind: Kind =
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<10: .load
            case 10..<30: .work
            case 30..<41: .once
            case 41..<47: .write
            case 47..<54: .pass
            case 54..<59: .delay
            case 59..<61: .ghost
            case 61..<84: .job(Int.random(in: 0..<providers, using: &random))
            default: .human(humans.randomElement(using: &random)!)
            }
        var node = Node(
            id: "n\(index + 1)", kind: kind, inputs: [], value: Int.random(in: 0...3, using: &random),
            isBlunt: random.chance(20),
            fate: fate(of: kind, &random), isAllowed: !random.chance(15))
        if kind == .delay { node.seconds = [0, 1, 60, 3600].randomElement(using: &random)! }
        if case .human(let type) = kind {
            node.wait = wait(type, &random)
        } else if kind.isLocal || kind.provider != nil, random.chance(12) {
            node.wait = wait(.confirmParams, &random)
        }
        return node
    }

    private static func fate(of kind: Kind, _ random: inout Seeded) -> Fate {
        guard random.chance(35) else { return .succeeds }
        switch kind {
        case .load, .work, .fetch, .once, .write:
            return [.fails, .busy(1), .busy(2), .busy(3), .busy(99)].randomElement(using: &random)!
        case .job:
            return [
                .refused, .busy(1), .busy(2), .busy(99), .providerFails, .providerCancels, .stuckQueued, .stuckRunning,
                .forgotten,
                .spoiled, .gone,
            ].randomElement(using: &random)!
        case .pass, .delay, .ghost, .human: return .succeeds
        }
    }

    private static func wait(_ type: AwaitType, _ random: inout Seeded) -> Wait {
        let expires = random.chance(35) ? [60, 600, 7200].randomElement(using: &random)! : nil
        let says: Wait.Says =
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<2: .rejects
            case 2..<4: .skips
            case 4..<8 where expires != nil: .never
            case 4..<9: .agrees(Int.random(in: 0...9, using: &random))
            default: .agrees(nil)
            }
        return Wait(
            type: type, says: says, expiresSeconds: expires, onTimeout: .allCases.randomElement(using: &random)!)
    }

    private mutating func connect(_ index: Int, _ random: inout Seeded) {
        guard nodes[index].kind != .load else { return }
        for number in 0..<[0, 1, 1, 1, 2, 3].randomElement(using: &random)! {
            nodes[index].inputs.append(
                Input(
                    port: "in\(number)", producer: Int.random(in: 0..<index, using: &random),
                    isOptional: random.chance(25)))
        }
    }

    /// A step that may be skipped cannot feed a required port, says the loader.
    private mutating func settleWait(of index: Int) {
        guard nodes[index].wait?.onTimeout == .skip, consumers(of: index).contains(where: { !$0.1.isOptional }) else {
            return
        }
        nodes[index].wait!.onTimeout = .cancel
    }
}
