import JSON

/// What the peers do, as data: see the README beside this file.
struct Script: Sendable {
    /// Without it nothing may be drawn.
    var seed: UInt64?
    /// True if time stands still until `/_clock` moves it.
    var isClockHeld = false
    /// Whether anybody listens at the port of jobs and model.
    var isListening = true
    /// With a script that does not listen: after so many milliseconds it does.
    var listensAfterMs: Int?
    var provider = ProviderTerms()
    var jobs: [JobRule] = []
    /// For whatever is asked of the provider, before anything else.
    var any: [Reply] = []
    /// The same for one kind of request.
    var byVerb: [Verb: [Reply]] = [:]
    var chat = ChatScript()
    var ledger = LedgerLimits()
}

/// What can be asked of the provider.
enum Verb: String, CaseIterable, Sendable {
    case submit, list, status, logs, cancel, result, file
}

/// How the provider takes what it is given.
struct ProviderTerms: Sendable {
    /// Where a client may put its own id.
    enum KeyPlace: String, CaseIterable, Sendable {
        /// `PUT /jobs/KEY`
        case put
        /// `"id"` in the body, which names the job too, or `"key"`.
        case body
        /// `Idempotency-Key`
        case header
    }

    /// What is said to a key that is known.
    enum Again: String, CaseIterable, Sendable {
        /// The job that is there, 200.
        case same
        /// 409.
        case conflict
        /// 500 with a traceback that says "already exists", as Ray does.
        case exists
    }

    /// The places in which it knows a key again. A key elsewhere makes another job each time.
    var honours: Set<KeyPlace> = Set(KeyPlace.allCases)
    var again = Again.same
    /// The key of a job that has ended makes another one.
    var forgetsEnded = false
    /// More jobs that have not ended get 429.
    var atMost: Int?
    /// `Authorization` must be exactly this; else 401.
    var authorization: String?
    /// Jobs in a list.
    var listLimit = 100
}

/// Which jobs live how, and what is replied to requests about them.
struct JobRule: Sendable {
    var kind: String?
    var key: String?
    /// A piece of the input's JSON text.
    var contains: String?
    /// For how many jobs it stands; 0 for all.
    var times = 0
    var life = Life()
    var replies: [Verb: [Reply]] = [:]
}

struct LedgerLimits: Sendable {
    /// The oldest go first.
    var entries = 200_000
    /// Of each body.
    var bodyBytes = 4096
}

extension Script {
    init(_ json: JSON) throws {
        var fields = try Fields(json, at: "")
        seed = try fields.int("seed").map(UInt64.init)
        let hasSeed = seed != nil
        switch fields.take("clock") {
        case nil, .string("machine")?: break
        case .string("held")?: isClockHeld = true
        default: throw ScriptFault(fields.place(of: "clock"), "machine or held is expected")
        }
        switch fields.take("listening") {
        case nil, .bool(true)?: break
        case .bool(false)?: isListening = false
        case let other?:
            var pause = try Fields(other, at: "listening")
            isListening = false
            listensAfterMs = try pause.int("afterMs", atMost: 86_400_000)
            try pause.end()
        }
        provider = try fields.object("provider") { try ProviderTerms(&$0) } ?? provider
        jobs = try fields.list("jobs") { try JobRule($0, at: $1, hasSeed: hasSeed) } ?? []
        try fields.object("replies") { replies in
            any = try replies.list("any") { try Reply($0, at: $1, hasSeed: hasSeed) } ?? []
            byVerb = try Self.byVerb(&replies, hasSeed)
        }
        chat = try fields.object("model") { try ChatScript(&$0, hasSeed: hasSeed) } ?? chat
        ledger =
            try fields.object("ledger") {
                LedgerLimits(
                    entries: try $0.int("entries", atLeast: 1) ?? 200_000, bodyBytes: try $0.int("bodyBytes") ?? 4096)
            } ?? ledger
        try fields.end()
    }

    static func byVerb(_ fields: inout Fields, _ hasSeed: Bool) throws -> [Verb: [Reply]] {
        var replies: [Verb: [Reply]] = [:]
        for verb in Verb.allCases {
            if let list = try fields.list(verb.rawValue, { try Reply($0, at: $1, hasSeed: hasSeed) }) {
                replies[verb] = list
            }
        }
        return replies
    }
}

extension ProviderTerms {
    init(_ fields: inout Fields) throws {
        let place = fields.place(of: "honours")
        if let names = try fields.strings("honours") {
            honours = try Set(
                names.map { name in
                    guard let place = KeyPlace(rawValue: name) else {
                        throw ScriptFault(place, "put, body and header are known")
                    }
                    return place
                })
        }
        again = try fields.word("again") ?? .same
        forgetsEnded = try fields.flag("forgetsEnded") ?? false
        atMost = try fields.int("atMost")
        authorization = try fields.string("authorization")
        listLimit = try fields.int("listLimit", atLeast: 1) ?? 100
    }
}

extension JobRule {
    init(_ json: JSON, at place: String, hasSeed: Bool) throws {
        var fields = try Fields(json, at: place)
        try fields.object("when") { when in
            kind = try when.string("kind")
            key = try when.string("key")
            contains = try when.string("contains")
        }
        times = try fields.int("times", atLeast: 1) ?? 0
        life = try fields.object("life") { try Life(&$0, hasSeed: hasSeed) } ?? Life()
        replies = try Script.byVerb(&fields, hasSeed)
        try fields.end()
        guard replies[.list] == nil else {
            throw ScriptFault(place + ".list", "a list is about no job: it belongs into \"replies\"")
        }
    }

    func isAbout(kind: String, key: String?, input: String) -> Bool {
        self.kind.map { $0 == kind } ?? true && self.key.map { $0 == key } ?? true
            && contains.map { input.contains($0) } ?? true
    }
}
