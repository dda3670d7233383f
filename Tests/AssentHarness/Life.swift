import JSON

/// What becomes of a job, by how often its status was asked and by time. Both must be over before it moves on, so a
/// life in polls alone is the same in every run.
struct Life: Sendable {
    enum State: String, CaseIterable, Sendable {
        case queued, running, succeeded, failed, cancelled

        var isEnd: Bool {
            switch self {
            case .queued, .running: false
            case .succeeded, .failed, .cancelled: true
            }
        }
    }

    enum End: String, CaseIterable, Sendable { case succeeded, failed, cancelled, never }

    /// What a cancel does, which is not what is said of it.
    enum Cancelling: String, CaseIterable, Sendable {
        /// It ends as cancelled, after `cancelPolls` and `cancelMs`. The answer is `true`.
        case ends
        /// The answer is `true`, and it goes on.
        case ignored
        /// It has just succeeded. The answer is `false`.
        case finishes
    }

    enum Progress: Sendable {
        case none
        /// From polls and time, up to this.
        case counted(of: Double)
        /// One for each poll while it runs; the last one stays.
        case listed([JSON])
    }

    var queuedPolls = 0
    var queuedMs = 0...0
    var runningPolls = 0
    var runningMs = 0...0
    var end = End.succeeded
    var error: (code: String, message: String) = ("scripted", "The script lets this job fail.")
    var progress = Progress.none
    /// Its place in the queue at first; one less with each poll.
    var queue: Int?
    /// One more is there at each look (a poll, or a request of the logs); all of them at the end.
    var logs: [String] = []
    var cancelling = Cancelling.ends
    var cancelPolls = 0
    var cancelMs = 0
    /// Instead of the object of the next three.
    var output: JSON?
    var value: JSON?
    var text: String?
    var files: [File] = []
    /// `GET …/result` gives the bytes of the first file instead of the output.
    var resultIsFile = false
    /// After this time the result is 404, and the status has no output any more.
    var keepsMs: Int?
    /// So many lists of jobs do not show it yet.
    var hiddenLists = 0
}

/// Something that a job leaves behind.
struct File: Sendable {
    enum Content: Sendable {
        case picture(Picture)
        case text(String)
        /// So many bytes of nothing in particular.
        case bytes(Int)
    }

    var name: String
    var type: String
    var content: Content
    /// Its address is one of the foreign host, which has it too.
    var isForeign: Bool

    var bytes: [UInt8] {
        switch content {
        case .picture(let picture): picture.png
        case .text(let text): Array(text.utf8)
        case .bytes(let count): [UInt8](repeating: UInt8(ascii: "x"), count: count)
        }
    }
}

extension Life {
    init(_ fields: inout Fields, hasSeed: Bool) throws {
        queuedPolls = try fields.int("queuedPolls") ?? 0
        queuedMs = try Self.span(&fields, "queuedMs", hasSeed)
        runningPolls = try fields.int("runningPolls") ?? 0
        runningMs = try Self.span(&fields, "runningMs", hasSeed)
        end = try fields.word("end") ?? .succeeded
        if let error = try fields.object(
            "error", { (try $0.string("code") ?? "scripted", try $0.string("message") ?? "") })
        {
            self.error = error
        }
        progress = try Self.progress(&fields)
        queue = try fields.int("queue")
        logs = try fields.strings("logs") ?? []
        cancelling = try fields.word("cancelling") ?? .ends
        cancelPolls = try fields.int("cancelPolls") ?? 0
        cancelMs = try fields.int("cancelMs") ?? 0
        files = try fields.list("files", File.init) ?? []
        output = fields.take("output")
        value = fields.take("value")
        text = try fields.string("text")
        resultIsFile = try fields.flag("resultIsFile") ?? false
        guard !resultIsFile || !files.isEmpty else {
            throw ScriptFault(fields.place(of: "resultIsFile"), "it needs \"files\"")
        }
        keepsMs = try fields.int("keepsMs")
        hiddenLists = try fields.int("hiddenLists") ?? 0
    }

    private static func span(_ fields: inout Fields, _ key: String, _ hasSeed: Bool) throws -> ClosedRange<Int> {
        guard let json = fields.take(key) else { return 0...0 }
        if let one = json.int, (0...1_000_000_000_000).contains(one) { return one...one }
        guard let array = json.array, array.count == 2, let low = array[0].int, let high = array[1].int, 0 <= low,
            low <= high,
            high <= 1_000_000_000_000
        else {
            throw ScriptFault(fields.place(of: key), "milliseconds or [least, most] are expected")
        }
        guard hasSeed else {
            throw ScriptFault(fields.place(of: key), "nothing is drawn without a seed: the script needs \"seed\"")
        }
        return low...high
    }

    private static func progress(_ fields: inout Fields) throws -> Progress {
        switch fields.take("progress") {
        case nil, .bool(false)?: return .none
        case .bool(true)?: return .counted(of: 100)
        case .string("fraction")?: return .counted(of: 1)
        case .array(let list)? where !list.isEmpty: return .listed(list)
        default: throw ScriptFault(fields.place(of: "progress"), "true, \"fraction\" or a list is expected")
        }
    }
}

extension File {
    init(_ json: JSON, at place: String) throws {
        var fields = try Fields(json, at: place)
        guard let name = try fields.string("name"), !name.isEmpty, !name.contains("/") else {
            throw ScriptFault(place + ".name", "a name without / is expected")
        }
        self.name = name
        let picture = try fields.object("picture") { picture in
            Picture(
                width: try picture.int("width", atLeast: 1, atMost: 4096) ?? 16,
                height: try picture.int("height", atLeast: 1, atMost: 4096) ?? 12,
                seed: try picture.int("seed") ?? 0)
        }
        let (text, bytes) = (try fields.string("text"), try fields.int("bytes", atMost: 1 << 30))
        switch (picture, text, bytes) {
        case (let picture?, nil, nil): (content, type) = (.picture(picture), "image/png")
        case (nil, let text?, nil): (content, type) = (.text(text), "text/plain")
        case (nil, nil, let count?): (content, type) = (.bytes(count), "application/octet-stream")
        default: throw ScriptFault(place, "exactly one of picture, text, bytes is expected")
        }
        type = try fields.string("type") ?? type
        isForeign = try fields.flag("foreign") ?? false
        try fields.end()
    }
}
