import Glibc
import Harness
import JSON
import Synchronization

/// The three servers and what they share. Every decision is made under one lock, and takes microseconds; what takes
/// time is the connection's own.
final class Peer: Sendable {
    struct State {
        var script: Script
        var provider: Provider
        var chat: Chat
        var ledger = Ledger()
        /// Counts what has closed the port, so that an older pause does not open what a newer one closed.
        var pauses = 0

        init(_ script: Script) {
            self.script = script
            provider = Provider(script)
            chat = Chat(script.chat, seed: script.seed)
            ledger.limits = script.ledger
        }
    }

    let places: Places
    private let state: Mutex<State>
    private let jobs: ScriptedServer
    private let foreign: ScriptedServer
    private let control: ScriptedServer
    /// By which jobs live and answers wait.
    private let clock = ScriptClock()

    /// - Parameter port: for jobs and model; 0 for a free one.
    init(_ script: Script, port: Int) throws {
        let later = Later()
        jobs = try ScriptedServer(port: port, isRecording: false, clock: clock) {
            later.peer?.answer($0) ?? .text("not yet", status: 503)
        }
        foreign = try ScriptedServer(isRecording: false, clock: clock) {
            later.peer?.foreignAnswer($0) ?? .text("not yet", status: 503)
        }
        control = try ScriptedServer(isRecording: false) {
            later.peer?.controlAnswer($0, sparing: nil) ?? .text("not yet", status: 503)
        }
        places = Places(jobs: jobs.url, foreign: foreign.url, control: control.url)
        state = Mutex(State(script))
        later.fill(self)
        setListening(script, sparing: nil)
    }

    /// The servers are there before the peer: they ask for it when they are asked.
    private final class Later: Sendable {
        private let kept = Mutex<Peer?>(nil)

        var peer: Peer? { kept.withLock { $0 } }
        func fill(_ peer: Peer) { kept.withLock { $0 = peer } }
    }

    // MARK: Jobs and model

    private func answer(_ request: ScriptRequest) -> ScriptAnswer {
        if request.path.hasPrefix("/_") { return controlAnswer(request, sparing: request.connection) }
        let asked = Asked(request)
        let now = clock.milliseconds
        let (reply, truth) = state.withLock { state in
            let verb = asked.verb?.rawValue ?? asked.modelVerb ?? ""
            var entry = Ledger.Entry(request, at: "jobs", verb: verb, limits: state.ledger.limits)
            let decided: (Reply, TrueAnswer)
            switch asked.what {
            case .chat, .models: decided = state.chat.decide(asked)
            case .submit, .list, .status, .logs, .cancel, .result, .file, .nothing:
                let decision = state.provider.decide(asked, now, places)
                decided = (decision.reply, decision.truth)
                (entry.job, entry.key) = (decision.job, decision.key)
            }
            entry.fault = decided.0.source
            entry.http =
                decided.0.act == nil ? decided.0.http ?? (decided.0.redirect == nil ? decided.1.http : 307) : nil
            state.ledger.add(entry)
            return decided
        }
        if reply.act == .refuse { pause(forMs: reply.forMs) }
        return reply.shaped(truth, path: request.path, places: places)
    }

    /// The other host: it writes down what came, and says something tempting.
    private func foreignAnswer(_ request: ScriptRequest) -> ScriptAnswer {
        let asked = Asked(request)
        let now = clock.milliseconds
        return state.withLock { state in
            var truth = TrueAnswer.json(["id": "foreign", "status": "succeeded", "output": ["foreign": true]])
            if case .file = asked.what { truth = state.provider.decide(asked, now, places).truth }
            var entry = Ledger.Entry(
                request, at: "foreign", verb: asked.verb?.rawValue ?? "", limits: state.ledger.limits)
            entry.http = truth.http
            state.ledger.add(entry)
            return Reply.truth.shaped(truth, path: request.path, places: places)
        }
    }

    // MARK: Listening

    /// Cuts everything and refuses for a while.
    private func pause(forMs: Int) {
        let number = state.withLock { state in
            state.pauses += 1
            return state.pauses
        }
        // Before anything is cut: who sees the cut may move the clock at once.
        let end = clock.milliseconds + forMs
        jobs.refuse()
        listen(at: end, unlessAfter: number)
    }

    private func setListening(_ script: Script, sparing connection: Int?) {
        if script.isClockHeld { clock.hold() } else { clock.release() }
        let number = state.withLock { state in
            state.pauses += 1
            return state.pauses
        }
        guard !script.isListening else {
            try? jobs.listen()
            return
        }
        let end = script.listensAfterMs.map { clock.milliseconds + $0 }
        jobs.refuse(sparing: connection)
        if let end { listen(at: end, unlessAfter: number) }
    }

    private func listen(at end: Int, unlessAfter number: Int) {
        inBackground { [self] in
            while case let patience = clock.patience(until: end), patience > 0 {
                usleep(UInt32(min(1000, patience)) * 1000)
            }
            if state.withLock({ $0.pauses == number }) { try? jobs.listen() }
        }
    }

    // MARK: Control

    /// - Parameter sparing: the connection of jobs and model that asks, if it is one.
    private func controlAnswer(_ request: ScriptRequest, sparing: Int?) -> ScriptAnswer {
        let asked = Asked(request)
        let words = asked.words
        switch (request.method, words.first, words.count) {
        case ("PUT", "_script", 1): return takeScript(request, sparing: sparing)
        case ("POST", "_reset", 1):
            let script = state.withLock { state in
                let pauses = state.pauses
                state = State(state.script)
                state.pauses = pauses
                return state.script
            }
            setListening(script, sparing: sparing)
            return .json(["reset": true])
        case ("GET", "_ledger", 1):
            return ledger(since: asked.query["since"].flatMap { Int($0) } ?? 0, verb: asked.query["verb"])
        case ("GET", "_jobs", 1): return .json(state.withLock { $0.provider.account(clock.milliseconds) })
        case ("POST", "_clock", 1):
            guard let milliseconds = request.json?["ms"]?.int, milliseconds >= 0 else {
                return .json(["error": "ms is how far to move it"], status: 400)
            }
            clock.advance(byMilliseconds: milliseconds)
            return .json(["moved": true])
        case ("POST", "_jobs", 2):
            guard let state = request.json?["state"]?.string.flatMap({ Life.State(rawValue: $0) }), state.isEnd else {
                return .json(["error": "state is one of succeeded, failed, cancelled"], status: 400)
            }
            let account = self.state.withLock { $0.provider.end(words[1], as: state, clock.milliseconds) }
            return account.map { .json($0) } ?? .json(["error": "no such job"], status: 404)
        default: return .json(["error": "nothing here"], status: 404)
        }
    }

    private func takeScript(_ request: ScriptRequest, sparing: Int?) -> ScriptAnswer {
        do {
            let script = try Script(JSONReader.read(request.body, allowingComments: true))
            state.withLock { state in
                state.script = script
                state.provider.take(script)
                state.chat = Chat(script.chat, seed: script.seed)
                state.ledger.limits = script.ledger
            }
            setListening(script, sparing: sparing)
            return .json(["taken": true])
        } catch {
            return .json(["error": .string("\(error)")], status: 400)
        }
    }

    private func ledger(since: Int, verb: String?) -> ScriptAnswer {
        let entries = state.withLock { $0.ledger.entries }
        let lines = entries.filter { $0.number > since && (verb == nil || $0.verb == verb) }
        let text = lines.map { $0.line.text + "\n" }.joined()
        return .text(text, headers: ["content-type": "application/jsonl"])
    }
}
