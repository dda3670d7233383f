import Harness
import JSON

/// One job that the provider has taken, and the books about it.
struct Job: Sendable {
    let id: String
    /// The client's own name for it, wherever it was given; whether it was honoured is another matter.
    let key: String?
    let kind: String
    /// As it came, or how long it was.
    let input: JSON
    /// A number for kind and input.
    let content: UInt64
    let rule: JobRule
    let bornMs: Int
    let queuedMs: Int
    let runningMs: Int

    /// How often each was asked about this job, faults included.
    var asked: [Verb: Int] = [:]
    /// How far the lists of its rule are.
    var replied: [Verb: Int] = [:]
    /// Answered truly.
    var polls = 0
    var looks = 0
    var lists = 0
    /// Whole results and files that were handed out.
    var collected = 0
    /// Submissions with its key and another content.
    var differing = 0
    private(set) var state = Life.State.queued
    private(set) var endedMs: Int?
    private(set) var cancelledAt: (polls: Int, ms: Int)?

    var life: Life { rule.life }

    init(id: String, key: String?, kind: String, input: JSON, rule: JobRule, bornMs: Int, queuedMs: Int, runningMs: Int)
    {
        (self.id, self.key, self.kind, self.rule) = (id, key, kind, rule)
        let bytes = input.text.utf8.count
        self.input = bytes <= Self.inputBytesKept ? input : ["bytes": .int(bytes)]
        content = Self.content(kind, input)
        (self.bornMs, self.queuedMs, self.runningMs) = (bornMs, queuedMs, runningMs)
    }

    private static let inputBytesKept = 4096

    static func content(_ kind: String, _ input: JSON) -> UInt64 {
        JobHarness.fingerprint(Array("\(kind) \(input.canonical)".utf8))
    }

    // MARK: Moving on

    /// Where it stands now. An end is for ever.
    mutating func move(_ now: Int) {
        guard !state.isEnd else { return }
        let (polls, elapsed) = (max(1, polls), now - bornMs)
        if let cancelledAt, life.cancelPolls == 0 || self.polls > cancelledAt.polls + life.cancelPolls,
            now - cancelledAt.ms >= life.cancelMs
        {
            return end(.cancelled, now)
        }
        if polls <= life.queuedPolls || elapsed < queuedMs {
            state = .queued
        } else if polls <= life.queuedPolls + life.runningPolls || elapsed < queuedMs + runningMs {
            state = .running
        } else {
            switch life.end {
            case .succeeded: end(.succeeded, now)
            case .failed: end(.failed, now)
            case .cancelled: end(.cancelled, now)
            case .never: state = .running
            }
        }
    }

    mutating func end(_ state: Life.State, _ now: Int) {
        self.state = state
        endedMs = now
    }

    /// - Returns: what the client is told.
    mutating func cancel(_ now: Int) -> Bool {
        move(now)
        guard !state.isEnd else { return false }
        switch life.cancelling {
        case .finishes:
            end(.succeeded, now)
            return false
        case .ignored: return true
        case .ends:
            cancelledAt = cancelledAt ?? (polls, now)
            if life.cancelPolls == 0, life.cancelMs == 0 { end(.cancelled, now) }
            return true
        }
    }

    func hasResult(_ now: Int) -> Bool {
        state == .succeeded && life.keepsMs.map { now - (endedMs ?? now) < $0 } ?? true
    }

    // MARK: What is said of it

    func urls(_ places: Places) -> JSON {
        let base = "\(places.jobs)/jobs/\(id)"
        return [
            "get": .string(base), "cancel": .string(base + "/cancel"), "result": .string(base + "/result"),
            "logs": .string(base + "/logs"),
        ]
    }

    func receipt(_ places: Places) -> JSON {
        .of([
            "id": .string(id), "key": key.map { .string($0) }, "status": .string(state.rawValue), "urls": urls(places),
        ])
    }

    func view(_ now: Int, _ places: Places) -> JSON {
        let error: JSON =
            state == .failed ? ["code": .string(life.error.code), "message": .string(life.error.message)] : .null
        return [
            "id": .string(id), "key": key.map { .string($0) } ?? .null, "kind": .string(kind),
            "status": .string(state.rawValue),
            "progress": progress(now), "queue_position": queuePosition, "queuePosition": queuePosition,
            "log": life.logs.isEmpty ? .null : .string(logText), "error": error,
            "output": hasResult(now) ? output(places) : .null, "urls": urls(places),
        ]
    }

    func output(_ places: Places) -> JSON {
        if let output = life.output { return places.filled(output) }
        let isEmpty = life.value == nil && life.text == nil && life.files.isEmpty
        let addresses = life.files.map { file -> JSON in
            .string("\(file.isForeign ? places.foreign : places.jobs)/files/\(id)-\(file.name)")
        }
        return .of([
            "value": isEmpty ? ["ok": true] : life.value.map(places.filled), "text": life.text.map { .string($0) },
            "files": addresses.isEmpty ? nil : .array(addresses),
        ])
    }

    private var queuePosition: JSON {
        guard state == .queued, let queue = life.queue else { return .null }
        return .int(max(0, queue - max(0, polls - 1)))
    }

    private func progress(_ now: Int) -> JSON {
        switch (life.progress, state) {
        case (.none, _), (_, .queued), (_, .failed), (_, .cancelled): return .null
        case (.counted(let whole), .succeeded): return Self.number(whole)
        case (.listed(let list), .succeeded): return list[list.count - 1]
        case (.listed(let list), .running): return list[min(list.count - 1, max(0, polls - life.queuedPolls - 1))]
        case (.counted(let whole), .running):
            let byPolls = life.runningPolls == 0 ? 1 : Double(polls - life.queuedPolls) / Double(life.runningPolls + 1)
            let byTime = runningMs == 0 ? 1 : Double(now - bornMs - queuedMs) / Double(runningMs)
            let percent = max(0, min(99, (min(byPolls, byTime) * 100).rounded(.down)))
            return Self.number(percent * whole / 100)
        }
    }

    private static func number(_ number: Double) -> JSON {
        number == number.rounded() ? .int(Int(number)) : .double(number)
    }

    var logText: String {
        let count = state.isEnd ? life.logs.count : min(life.logs.count, looks)
        return life.logs.prefix(count).map { $0 + "\n" }.joined()
    }
}
