import Glibc
import HTTP
import JSON
import Vocabulary

/// One thing asked of one provider for one job.
struct JobTalk: Sendable {
    let request: JobRequest
    let client: JobClient
    let provider: ProviderManifest
    let action: ToolManifest.JobAction
    let secret: String?

    init(_ request: JobRequest, _ client: JobClient) throws(JobSilence) {
        self.request = request
        self.client = client
        guard case .job(let action) = request.assignment.manifest.action else {
            throw JobSilence(Failure("badManifest", "\(request.assignment.manifest.kind) is no job of a provider."))
        }
        guard let provider = client.surroundings.provider(action.provider) else {
            throw JobSilence(.noProvider(action.provider))
        }
        self.action = action
        self.provider = provider
        secret = provider.auth.flatMap { client.surroundings.secret($0.secret) }.flatMap { $0.isEmpty ? nil : $0 }
        if let auth = provider.auth, secret == nil, !auth.isOptional {
            throw JobSilence(
                Failure(
                    "keyMissing", "\(provider.title) wants a key, and \(auth.secret) is not set.",
                    remedy: "Set \(auth.secret) in the environment, or put the key into the config folder, as keys/\(auth.secret)."))
        }
    }

    var reading: JobReading { JobReading(provider: provider, job: request.job, ownID: blanks().ownID, secret: secret) }

    func blanks(item: JSON? = nil) -> JobBlanks {
        let (values, with) = (ToolValues(assignment: request.assignment, read: read), action.with)
        return JobBlanks(
            provider: provider, job: request.job, workspace: request.assignment.workspace,
            said: { (name) throws(Failure) in try values.value(name, in: with) }, item: item)
    }

    /// An input's bytes; what may hold keys goes nowhere (`decisions.md`, Effects).
    private func read(_ asset: Asset) throws(Failure) -> [UInt8] {
        guard !client.surroundings.store.isPrivate(asset.hash) else { throw .secretFile(asset.name, provider.title) }
        return try client.surroundings.store.read(asset, limit: Limits.submitBytes)
    }

    func render(_ name: String, item: JSON? = nil) async throws(JobSilence) -> RenderedRequest {
        // An address is filled in at once; a body may have to read pictures.
        guard case .none? = provider.requests[name]?.body else {
            return try await client.blocking { () throws(Failure) in try blanks(item: item).render(name, read: read) }
        }
        do throws(Failure) { return try blanks(item: item).render(name, read: read) } catch { throw JobSilence(error) }
    }

    func send(_ name: String, limit: Int = Limits.statusBytes) async throws(JobSilence) -> JobReply {
        let rendered = try await render(name)
        if let time = client.wire.pacing.reserve(provider, isSubmit: name == "submit") {
            do { try await Task.sleep(until: time, clock: .continuous) } catch {
                throw JobSilence(Failure("cancelled", "Cancelled.", isTransient: true))
            }
        }
        let described = provider.requests[name]
        let limit = described?.keepsAnswer ?? false ? Limits.readFileBytes : limit
        return try await client.wire.send(
            rendered, to: provider, secret: secret, limit: limit, timeoutSeconds: described?.timeoutSeconds
        ).get()
    }

    // MARK: The verbs

    func submit() async throws(JobSilence) -> JobAnswer {
        let reply = try await send("submit")
        let answer = reading.submitted(reply)
        if case .accepted(_, let status?) = answer { try await keep(reply, of: "submit", status) }
        return answer
    }

    func status() async throws(JobSilence) -> JobAnswer {
        let reply = try await send("status")
        var log: JobReply?
        if let name = provider.logs?.request, case .status(let status) = reading.status(reply), status.state != .queued {
            // Without a log the state still stands.
            do throws(JobSilence) {
                let answered = try await send(name, limit: Limits.jobLogBytes)
                if provider.requests[name]?.ok.contains(answered.status) ?? false { log = answered }
            } catch {}
        }
        let answer = reading.status(reply, log: log)
        if case .status(let status) = answer { try await keep(reply, of: "status", status) }
        return answer
    }

    func find() async throws(JobSilence) -> JobAnswer {
        guard let name = provider.idempotency.probe, provider.requests[name] != nil else { return .notFound }
        guard let match = provider.idempotency.match else {
            var asked = request
            if asked.job.captured["jobId"] == nil, let id = blanks().ownID { asked.job.captured["jobId"] = .string(id) }
            let talk = try JobTalk(asked, client)
            return talk.reading.probed(try await talk.send(name), to: name)
        }
        let values = try await client.blocking { () throws(Failure) -> [JSON?] in
            let blanks = blanks()
            var values: [JSON?] = []
            for equality in match.equal {
                values.append(try filled(equality.value) { (hole) throws(Failure) in try blanks.value(of: hole) })
            }
            return values
        }
        return reading.listed(try await send(name), to: name, values: values)
    }

    func cancel() async throws(JobSilence) -> JobAnswer {
        guard let cancel = provider.cancel else {
            return .cancelRefused(
                Failure("cancelUnsupported", "\(provider.title) cannot cancel a job.", remedy: "It runs to its end there."))
        }
        return reading.cancelled(try await send(cancel.request), by: cancel)
    }

    // MARK: Answers that are kept

    private var keptPath: String { "\(request.assignment.runFolder).answer" }

    /// Before anybody hears that the job is done: the provider may not say it again.
    private func keep(_ reply: JobReply, of name: String, _ status: JobStatus) async throws(JobSilence) {
        guard case .succeeded = status.state, provider.requests[name]?.keepsAnswer ?? false else { return }
        let path = keptPath
        try await client.blocking { () throws(Failure) in
            try makeFolders(parent(of: path))
            try writeWhole(reply.body, to: path)
        }
    }

    func kept() async throws(JobSilence) -> JSON? {
        let path = keptPath
        return try await client.blocking { () throws(Failure) in readKept(path) }
    }
}

private func readKept(_ path: String) -> JSON? {
    guard let bytes = try? readWhole(path, limit: Limits.readFileBytes) else { return nil }
    return try? JSONReader.read(bytes, limits: .init(bytes: Limits.readFileBytes, depth: Limits.jobAnswerDepth))
}

extension Failure {
    static func secretFile(_ name: String, _ place: String) -> Failure {
        Failure(
            "secretFile", "\(name) may hold keys and is not sent to \(place).", remedy: "Take another file, or one without keys in it.")
    }
}
