import Glibc
package import JSON

/// A running `assent-harness` in a process of its own. It ends with its last reference, or with this process.
package final class JobHarness: Sendable {
    private let scratch: ScratchFolder
    private let process: ProgramProcess
    /// `http://127.0.0.1:PORT`, of the job provider.
    package let jobsURL: String
    /// The base of the model: `http://127.0.0.1:PORT/v1`.
    package let modelURL: String
    /// The address of another host, which should get no requests with secrets.
    package let foreignURL: String
    /// The address for scripts and books. It answers even while no server listens at the other addresses.
    package let controlURL: String

    /// Starts the program, and blocks until it listens.
    ///
    /// - Parameter script: see `Tests/AssentHarness/README.md`.
    package init(_ script: JSON? = nil, port: Int = 0) throws {
        scratch = try ScratchFolder()
        let ready = scratch.path + "/ready"
        var arguments = ["--port", "\(port)", "--ready-file", ready, "--until-eof"]
        if let script {
            try ScratchFolder.write(script.text, to: scratch.path + "/script.json")
            arguments += ["--script", scratch.path + "/script.json"]
        }
        process = try ProgramProcess(
            ProgramLab.built("assent-harness"), arguments, environment: [:], folder: scratch.path, files: scratch.path,
            holdingInput: true)
        process.wait { ScratchFolder.exists(ready) }
        guard let line = ScratchFolder.bytes(ready), let places = try? JSONReader.read(line),
            let jobs = places["jobs"]?.string,
            let model = places["model"]?.string, let foreign = places["foreign"]?.string,
            let control = places["control"]?.string
        else { throw ScriptFailure("assent-harness did not start: \(process.errors)") }
        (jobsURL, modelURL, foreignURL, controlURL) = (jobs, model, foreign, control)
    }

    deinit { end() }

    /// Starts the program on a thread that may block.
    package static func start(_ script: JSON? = nil, port: Int = 0) async throws -> JobHarness {
        try await onOwnThread { try JobHarness(script, port: port) }
    }

    package var pid: Int32 { process.pid }
    /// `127.0.0.1:PORT`
    package var host: String { jobsURL.replacing("http://", with: "") }

    package var hasEnded: Bool { process.hasEnded }

    /// Ends the program. May be called twice.
    package func end() {
        process.endInput()
        process.end(with: SIGTERM)
    }

    // MARK: Blocking

    /// Replaces the script. Jobs that are there keep theirs.
    package func setNow(_ script: JSON) throws {
        let answer = RawConnection.ask("PUT", controlURL + "/_script", json: script)
        guard answer.status == 200 else { throw ScriptFailure("the script was not taken: \(answer.text)") }
    }

    /// Returns the requests that the provider has received, after the entry `since`.
    package func ledgerNow(since: Int = 0, verb: String? = nil) throws -> [JSON] {
        let answer = try book("/_ledger?since=\(since)" + (verb.map { "&verb=\($0)" } ?? ""))
        return try answer.body.split(separator: 10).map { try JSONReader.read(Array($0)) }
    }

    package func booksNow() throws -> JobBooks { JobBooks(json: try book("/_jobs").json ?? .null) }

    /// Moves the clock of a script that holds it.
    package func advanceNow(byMilliseconds count: Int) throws {
        let answer = RawConnection.ask("POST", controlURL + "/_clock", json: ["ms": .int(count)])
        guard answer.status == 200 else { throw ScriptFailure("the clock was not moved: \(answer.text)") }
    }

    /// Forgets jobs and ledger, and begins the script again.
    package func resetNow() throws {
        let answer = RawConnection.ask("POST", controlURL + "/_reset")
        guard answer.status == 200 else { throw ScriptFailure("no reset: \(answer.text)") }
    }

    /// Ends a job: `succeeded`, `failed` or `cancelled`.
    package func endNow(job id: String, as state: String) throws {
        let answer = RawConnection.ask("POST", controlURL + "/_jobs/\(id)", json: ["state": .string(state)])
        guard answer.status == 200 else { throw ScriptFailure("\(id) was not ended: \(answer.text)") }
    }

    private func book(_ path: String) throws -> RawAnswer {
        let answer = RawConnection.ask("GET", controlURL + path)
        guard answer.status == 200, answer.ending == .complete else {
            throw ScriptFailure("no books at \(path): \(answer.text)")
        }
        return answer
    }

    // MARK: From a task

    package func set(_ script: JSON) async throws { try await onOwnThread { try self.setNow(script) } }
    package func ledger(since: Int = 0, verb: String? = nil) async throws -> [JSON] {
        try await onOwnThread { try self.ledgerNow(since: since, verb: verb) }
    }
    package func books() async throws -> JobBooks { try await onOwnThread { try self.booksNow() } }
    package func reset() async throws { try await onOwnThread { try self.resetNow() } }
    package func end(job id: String, as state: String) async throws {
        try await onOwnThread { try self.endNow(job: id, as: state) }
    }

    // MARK: Secrets

    /// Returns the mark that the ledger has in place of a value that may be a secret.
    package static func mark(of value: String) -> String { "mark:\(String(fingerprint(Array(value.utf8)), radix: 16))" }

    /// Returns the FNV-1a hash of bytes.
    package static func fingerprint(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// The records that the provider keeps of its jobs.
package struct JobBooks: Sendable {
    package let json: JSON

    /// The jobs in the order of their creation. Members: `id key kind input state submits polls cancels cancelTaken
    /// logs results collected`.
    package var jobs: [JSON] { json["jobs"]?.array ?? [] }
    package var bought: Int { json["bought"]?.int ?? -1 }
    /// Most jobs that had not ended at the same time.
    package var mostAlive: Int { json["mostAlive"]?.int ?? -1 }
    /// The keys with more than one job.
    package var boughtTwice: [String] { json["boughtTwice"]?.array?.compactMap(\.string) ?? ["unknown"] }

    package func job(_ id: String) -> JSON? { jobs.first { $0["id"]?.string == id } }
}
