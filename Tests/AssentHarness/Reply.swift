import JSON

/// What is done with one request instead of, or with, the true answer. Without anything in it, it is the true answer.
struct Reply: Sendable {
    /// What ends the connection instead of an answer.
    enum Act: String, CaseIterable, Sendable {
        /// The request is read, then the connection ends without a byte.
        case close
        /// The same with a reset (RST).
        case reset
        /// Nothing is said until the client goes away.
        case hang
        /// All connections are cut, and for `forMs` nobody listens: who connects is refused.
        case refuse
    }

    enum Body: Sendable {
        case json(JSON)
        case text(String)
    }

    enum RetryAfter: Sendable {
        case seconds(Int)
        /// The same as a point in time (RFC 9110 HTTP-date).
        case date(Int)
        case milliseconds(Int)
    }

    enum Framing: String, CaseIterable, Sendable { case length, chunked, untilClose }

    /// For how many requests it stands in its list; 0 for all that follow.
    var times = 1
    var act: Act?
    var forMs = 0
    /// Whether what was asked for happens all the same: the job is made, the poll counts, the cancel works.
    var takes = true
    var delayMs = 0
    var http: Int?
    var headers: [String: String] = [:]
    var type: String?
    var body: Body?
    /// Members that replace those of the true answer.
    var set = JSON.Object()
    var retryAfter: RetryAfter?
    /// `foreign`, `self`, or an address.
    var redirect: String?
    /// The last byte of the body is missing, and nothing says so.
    var isMalformed = false
    /// Ends the connection after so many bytes of the body, all of which was promised.
    var cutBytes: Int?
    /// The same with a reset.
    var resetBytes: Int?
    /// The body is so much longer, and still good JSON if it was.
    var hugeBytes = 0
    /// The body comes in pieces of so many bytes, with a pause before each but the first.
    var drip: (bytes: Int, ms: Int)?
    var framing: Framing?
    /// Draws one of these, or with what is left of 1 the true answer. Each with its own probability.
    var mix: [(chance: Double, reply: Reply)] = []
    /// As it stands in the script, for the ledger. Empty for the true answer.
    var source = ""

    static let truth = Reply(times: 1)
}

extension Reply {
    /// - Parameter hasSeed: whether the script has one, without which nothing is drawn.
    init(_ json: JSON, at place: String, hasSeed: Bool) throws {
        guard json.string != "ok" else {
            self = .truth
            return
        }
        var fields = try Fields(json, at: place)
        try self.init(&fields, hasSeed: hasSeed)
        try fields.end()
        source = json.text
    }

    /// Takes what belongs to a reply and leaves the rest.
    init(_ fields: inout Fields, hasSeed: Bool) throws {
        times = try Self.times(&fields)
        act = try fields.word("do")
        forMs = try fields.int("forMs", atMost: 86_400_000) ?? 0
        delayMs = try fields.int("delayMs") ?? 0
        http = try fields.int("http", atLeast: 200, atMost: 599)
        headers = try fields.headers("headers")
        type = try fields.string("type")
        if let json = fields.take("body") { body = .json(json) }
        if let text = try fields.string("raw") { body = .text(text) }
        if let json = fields.take("set") {
            guard let object = json.object else { throw ScriptFault(fields.place(of: "set"), "an object is expected") }
            set = object
        }
        if let seconds = try fields.int("retryAfter") { retryAfter = .seconds(seconds) }
        if let seconds = try fields.int("retryAfterDate") { retryAfter = .date(seconds) }
        if let milliseconds = try fields.int("retryAfterMs") { retryAfter = .milliseconds(milliseconds) }
        redirect = try fields.string("redirect")
        isMalformed = try fields.flag("malformed") ?? false
        cutBytes = try fields.int("cutBytes")
        resetBytes = try fields.int("resetBytes")
        hugeBytes = try fields.int("hugeBytes") ?? 0
        drip = try fields.object("drip") { (try $0.int("bytes", atLeast: 1) ?? 1, try $0.int("ms") ?? 0) }
        framing = try fields.word("framing")
        mix =
            try fields.list("mix") { json, place in
                guard hasSeed else {
                    throw ScriptFault(place, "nothing is drawn without a seed: the script needs \"seed\"")
                }
                var one = try Fields(json, at: place)
                guard let chance = try one.number("chance"), chance > 0, chance <= 1 else {
                    throw ScriptFault(place + ".chance", "a probability above 0 is expected")
                }
                var reply = try Reply(&one, hasSeed: hasSeed)
                try one.end()
                reply.source = json.text
                return (chance, reply)
            } ?? []
        let isSuccess = http.map { (200..<300).contains($0) } ?? true
        let replacesAnswer = act != nil || redirect != nil || !isSuccess || body != nil
        takes = try fields.flag("take") ?? (isSuccess && act == nil && redirect == nil)
        guard takes || replacesAnswer else {
            throw ScriptFault(fields.place(of: "take"), "there is no true answer to what was not done")
        }
    }

    private static func times(_ fields: inout Fields) throws -> Int {
        guard let json = fields.take("times") else { return 1 }
        if json.string == "always" { return 0 }
        guard let times = json.int, times > 0 else {
            throw ScriptFault(fields.place(of: "times"), "a count or \"always\" is expected")
        }
        return times
    }

    /// One of the mix, or itself.
    /// - Parameter draw: from 0 to 1.
    func drawn(_ draw: Double) -> Reply {
        guard !mix.isEmpty else { return self }
        var sum = 0.0
        for (chance, reply) in mix {
            sum += chance
            if draw < sum { return reply }
        }
        return .truth
    }
}

extension [Reply] {
    /// The one for the request number `count` (from 0); `nil` once the list is over.
    func at(_ count: Int) -> Reply? {
        var left = count
        for reply in self {
            if reply.times == 0 || left < reply.times { return reply }
            left -= reply.times
        }
        return nil
    }
}
