import Files
import Glibc
import HTTP
import JSON
package import Vocabulary

/// A request to a provider for one job, with all that is needed to send it and to read the reply.
struct JobTalk: Sendable {
    var request: JobRequest
    let client: JobClient
    let provider: ProviderManifest
    let action: ToolManifest.JobAction
    let secret: String?

    /// Finds the provider and its key for a request.
    ///
    /// - Throws: `providerNotInstalled`, `keyMissing`.
    static func begin(_ request: JobRequest, _ client: JobClient) async throws(JobSilence) -> JobTalk {
        guard case .job(let action) = request.assignment.manifest.action else {
            throw JobSilence(Failure(.badManifest, "\(request.assignment.manifest.kind) is no job of a provider."))
        }
        guard let provider = client.surroundings.provider(action.provider) else {
            throw JobSilence(.noProvider(action.provider))
        }
        var secret: String?
        if let auth = provider.auth {
            secret = try await client.keys.key(auth.secret, client)
            if secret == nil, !auth.isOptional { throw JobSilence(.noKey(auth.secret, for: provider)) }
        }
        return JobTalk(request: request, client: client, provider: provider, action: action, secret: secret)
    }

    var reading: JobReading { JobReading(provider: provider, job: request.job, ownID: blanks().ownID, secret: secret) }

    func blanks(item: JSON? = nil) -> JobBlanks {
        let (values, with) = (ToolValues(assignment: request.assignment, read: read), action.with)
        return JobBlanks(
            provider: provider, job: request.job, workspace: request.assignment.workspace,
            said: { (name) throws(Failure) in try values.value(name, in: with) }, item: item)
    }

    /// Returns the bytes of an input. An input that may hold keys is refused (`consent.md`, "Effects").
    private func read(_ asset: Asset) throws(Failure) -> [UInt8] {
        try client.surroundings.store.refusePrivate([asset], to: provider.title)
        return try client.surroundings.store.read(asset, limit: Limits.submitBytes)
    }

    func render(_ name: String, item: JSON? = nil) async throws(JobSilence) -> RenderedRequest {
        // An address can be filled in at once. A body may need inputs from the disk.
        guard case .none? = provider.requests[name]?.body else {
            return try await client.blocking { () throws(Failure) in try blanks(item: item).render(name, read: read) }
        }
        do throws(Failure) { return try blanks(item: item).render(name, read: read) } catch { throw JobSilence(error) }
    }

    func send(_ name: String, limit: Int = Limits.statusBytes) async throws(JobSilence) -> JobReply {
        let rendered = try await render(name)
        if let time = client.wire.pacing.reserve(provider, isSubmit: name == "submit") {
            do { try await Task.sleep(until: time, clock: .continuous) } catch {
                throw JobSilence(Failure(.cancelled, "Cancelled.", isTransient: true))
            }
        }
        let described = provider.requests[name]
        let limit = described?.keepsAnswer ?? false ? Limits.readFileBytes : limit
        let reply = try await client.wire.send(
            rendered, to: provider, secret: secret, limit: limit, timeoutSeconds: described?.timeoutSeconds
        ).get()
        if reply.status == 401 || reply.status == 403 { client.keys.forget(provider.auth?.secret) }
        return reply
    }

    // MARK: The verbs

    func submit() async throws(JobSilence) -> JobAnswer {
        if let failure = client.surroundings.refusal(provider) { throw JobSilence(failure) }
        let reply = try await send("submit")
        return await kept(reply, of: "submit", reading.submitted(reply))
    }

    /// Stores the reply of an accepted job that has succeeded already. If it cannot be stored, the job counts as
    /// accepted, and its status is requested later.
    private func kept(_ reply: JobReply, of name: String, _ answer: JobAnswer) async -> JobAnswer {
        guard case .accepted(let captured, let status?) = answer else { return answer }
        do throws(JobSilence) { try await keep(reply, of: name, status) } catch {
            return .accepted(captured: captured, nil)
        }
        return answer
    }

    func status() async throws(JobSilence) -> JobAnswer {
        let reply = try await send("status")
        var log: JobReply?
        if let name = provider.logs?.request, case .status(let status) = reading.status(reply), status.state != .queued
        {
            // The state is valid without a log.
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
        guard let name = provider.idempotency.probe, provider.requests[name] != nil else {
            return .stuck(
                Failure(.cannotLook, "\(provider.title) cannot be asked for its jobs.", remedy: "Look there yourself.")
            )
        }
        guard let match = provider.idempotency.match else {
            var talk = self
            if request.job.captured["jobId"] == nil, let id = blanks().ownID {
                talk.request.job.captured["jobId"] = .string(id)
            }
            let reply = try await talk.send(name, limit: Limits.readFileBytes)
            return await kept(reply, of: name, talk.reading.probed(reply, to: name))
        }
        let values = try await client.blocking { () throws(Failure) -> [JSON?] in
            let blanks = blanks()
            var values: [JSON?] = []
            for equality in match.equal {
                values.append(try filled(equality.value) { (hole) throws(Failure) in try blanks.value(of: hole) })
            }
            return values
        }
        // A list of a hundred jobs may repeat all of their inputs.
        let reply = try await send(name, limit: Limits.readFileBytes)
        return try await client.blocking { () throws(Failure) in
            reading.listed(reply, to: name, values: values) {
                client.surroundings.isHeld(provider.id, $0, request.job.key)
            }
        }
    }

    func cancel() async throws(JobSilence) -> JobAnswer {
        guard let cancel = provider.cancel else {
            return .cancelRefused(
                Failure(
                    .cancelUnsupported, "\(provider.title) cannot cancel a job.", remedy: "It runs to its end there."))
        }
        return reading.cancelled(try await send(cancel.request), by: cancel)
    }

    // MARK: Answers that are kept

    private var keptPath: String { "\(request.assignment.runFolder).answer" }

    /// Stores a reply that has the result of the job. This happens before the job is reported as done, since the
    /// provider may not repeat the result.
    private func keep(_ reply: JobReply, of name: String, _ status: JobStatus) async throws(JobSilence) {
        guard case .succeeded = status.state, provider.requests[name]?.keepsAnswer ?? false else { return }
        let path = keptPath
        let isRepeating =
            secret.map { reply.body.count > 0 && String(decoding: reply.body, as: UTF8.self).contains($0) } ?? false
        let body = isRepeating ? Array(String(decoding: reply.body, as: UTF8.self).hiding(secret).utf8) : reply.body
        try await client.blocking { () throws(Failure) in
            try makeFolders(parent(of: path))
            try writeWhole(body, to: path)
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
    package static func noKey(_ name: String, for provider: ProviderManifest) -> Failure {
        Failure(
            .keyMissing, "\(provider.title) wants a key, and \(name) is not set.",
            remedy: "Connect it: 'assent connect \(provider.id)'. Or set \(name) in the environment.")
    }
}
