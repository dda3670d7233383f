import Files
import Glibc
import HTTP
import JSON
import Pictures
import Sandbox
import Vocabulary

extension Limits {
    /// How often a log without the required output of a job is requested again. The output may appear after the end of
    /// the job.
    package static let lateLogLooks = 3
}

/// Fetches the outputs of a finished job into the asset store.
extension JobTalk {
    private var plan: JobOutputPlan {
        JobOutputPlan(provider: provider, assignment: request.assignment, action: action)
    }

    func collect() async throws(JobSilence) -> JobAnswer {
        if let port = plan.missing.first {
            return .spoiled(
                Failure(
                    .unknownPort, "\(provider.title) has no output for the port \"\(port.name)\".",
                    remedy: "Name it under \"outputs\" of the tool's run.job."))
        }
        // All items are known before the first of them is fetched.
        var answers: [ProviderManifest.Output.Origin: JSON] = [:]
        var tasks: [(task: JobOutputPlan.Task, output: ProviderManifest.Output)] = []
        for (port, output) in plan.wanted {
            let items: [JSON]
            if output.form == .bytes, output.download == nil {
                items = [.null]
            } else {
                if answers[output.origin] == nil {
                    switch try await source(of: output) {
                    case .json(let json): answers[output.origin] = json
                    case .answer(let answer): return answer
                    }
                }
                let answer = answers[output.origin] ?? .null
                if output.pattern == nil {
                    items = self.items(of: output, in: answer)
                } else {
                    switch try await printed(port, output, in: answer) {
                    case .items(let found): items = found
                    case .answer(let answer): return answer
                    }
                }
            }
            let own = plan.tasks(for: port, items)
            if own.isEmpty, !port.isOptional, !(output.path?.isOptional ?? false) {
                return .spoiled(
                    Failure(
                        .outputMissing, "\(provider.title) says that the job is done, and there is no \(port.name).",
                        remedy: "Look at the job's log and its parameters."))
            }
            tasks += own.map { ($0, output) }
        }
        var assets: [Asset] = []
        for (task, output) in tasks {
            switch await fetch(task, of: output) {
            case .success(let made): assets += made
            case .failure(.answer(let answer)): return answer
            }
        }
        let inputs = request.assignment.assets
        let (store, made) = (client.surroundings.store, assets)
        try await client.blocking { () throws(Failure) in
            if store.holdsPrivate(inputs) { try store.markPrivate(made) }
        }
        return .collected(assets)
    }

    private enum Source {
        case json(JSON)
        case answer(JobAnswer)
    }

    private func source(of output: ProviderManifest.Output) async throws(JobSilence) -> Source {
        switch output.origin {
        case .template(let text):
            // The blanks are filled in when the item is fetched.
            return .json(.string(text))
        case .kept:
            if let kept = try await kept() { return .json(kept) }
            return .answer(
                .spoiled(
                    Failure(
                        .resultExpired, "What \(provider.title) answered is not there any more.",
                        remedy: "Run the step again.")))
        case .status: return try await json(of: "status")
        case .result: return try await json(of: "result")
        case .logs: return try await json(of: provider.logs?.request ?? "status", limit: Limits.jobLogBytes)
        }
    }

    private func json(of name: String, limit: Int = Limits.statusBytes) async throws(JobSilence) -> Source {
        let reply = try await send(name, limit: name == "result" ? Limits.readFileBytes : limit)
        guard provider.requests[name]?.ok.contains(reply.status) ?? false else {
            return .answer(answer(toRefusal: reply, of: name == "status" ? "The job" : "The \(name) of the job"))
        }
        if let json = reply.json { return .json(json) }
        // A result may be plain words.
        if let text = String(validating: reply.body, as: UTF8.self) { return .json(.string(text)) }
        return .answer(
            .spoiled(Failure(.malformedAnswer, "\(provider.title) gives a result that is neither JSON nor text.")))
    }

    /// Returns the answer for an output that the provider refuses: it may come later, has expired, or is refused for
    /// good.
    ///
    /// - Parameters:
    ///   - what: the thing that was requested, at the beginning of a sentence.
    ///   - isSigned: whether the request had the key. A link that is refused without a key may be replaced by another
    ///     one later.
    private func answer(toRefusal reply: JobReply, of what: String, isSigned: Bool = true) -> JobAnswer {
        if case .strike(let failure, let limit) = reading.status(reply) {
            guard reply.status == 404 || reply.status == 410 else { return .strike(failure, limit: limit) }
            let words = "\(what) is gone at \(provider.title) (\(reply.status))\(provider.said(reply, hiding: secret))"
            return .strike(Failure(.resultExpired, words), limit: limit)
        }
        if isSigned, let refusal = provider.keyRefusal(reply, hiding: secret) { return .unreachable(refusal) }
        let failure = provider.failure(reply, hiding: secret)
        return failure.isTransient || reply.status == 401 || reply.status == 403
            ? .unreachable(failure) : .spoiled(failure)
    }

    private func items(of output: ProviderManifest.Output, in json: JSON) -> [JSON] {
        if case .template = output.origin { return json == .null ? [] : [json] }
        return JobOutputPlan.items(of: output, in: json)
    }

    // MARK: What the job printed

    private enum LogItems {
        case items([JSON])
        case answer(JobAnswer)
    }

    /// Finds an output by its pattern in the log. If the log or the line is missing, the log is requested again later,
    /// since some providers complete it after the end of the job.
    private func printed(_ port: Port, _ output: ProviderManifest.Output, in json: JSON) async throws(JobSilence)
        -> LogItems
    {
        guard let log = reading.log(in: json, at: output.path) else {
            let words = "\(provider.title) has no log of the job yet, in which \(port.name) would be."
            // An optional output is not waited for as long.
            return late(words, looks: port.isOptional ? 1 : Limits.lateLogLooks) ?? .items([])
        }
        let pattern = output.pattern.flatMap { JobPattern($0) }
        // The key must not appear in messages.
        let hidden = log.hiding(secret)
        let printed = try await client.blocking { () throws(Failure) in pattern?.printed(in: hidden) ?? .nothing }
        switch JobOutputPlan.items(of: output, port.name, printed, from: provider.title) {
        // The end of the log may still be missing.
        case .failure(let failure) where failure.code == .outputCut || failure.code == .wrongType:
            return late(failure.message, looks: Limits.lateLogLooks) ?? .answer(.spoiled(failure))
        case .failure(let failure): return .answer(.spoiled(failure))
        case .success(let items):
            guard items.isEmpty, !port.isOptional else { return .items(items) }
            let words = "The log of the job at \(provider.title) has no line yet that gives \(port.name)."
            return late(words, looks: Limits.lateLogLooks) ?? .items([])
        }
    }

    /// Returns an answer that requests the log again later, or `nil` after `looks` attempts.
    private func late(_ words: String, looks: Int) -> LogItems? {
        guard request.job.strikes < looks else { return nil }
        return .answer(.strike(Failure(.logMissing, words), limit: looks + 1))
    }

    // MARK: One item

    enum Spoiled: Error { case answer(JobAnswer) }

    private func fetch(_ task: JobOutputPlan.Task, of output: ProviderManifest.Output) async -> Result<[Asset], Spoiled>
    {
        do throws(JobSilence) {
            let incoming = try await client.blocking { [store = client.surroundings.store] () throws(Failure) in
                try AssetStore.Incoming(store)
            }
            let said = output.name.flatMap { $0.first(in: task.item)?.string }
            switch output.form {
            case .json: try await write(Array(task.item.text.utf8), to: incoming)
            case .text: try await write(Array((try await words(of: task.item, output)).utf8), to: incoming)
            case .base64:
                guard let bytes = task.item.string.flatMap({ Base64.bytes(of: $0.utf8) }) else {
                    return .failure(.answer(unusable(task, "base64")))
                }
                try await write(bytes, to: incoming)
            case .url, .dataUrl:
                guard let url = task.item.string else { return .failure(.answer(unusable(task, "address"))) }
                if url.hasPrefix("data:") {
                    guard let data = Base64.bytes(ofDataURL: url) else {
                        return .failure(.answer(unusable(task, "data URL")))
                    }
                    try await write(data.bytes, to: incoming)
                    return try await take(incoming, for: task, named: said, type: data.type)
                }
                let request = RenderedRequest(
                    method: "GET", url: url, headers: HTTPHeaders(), body: [], isSigned: output.isSigned)
                return try await download(
                    request, ok: [200], to: incoming, task, named: said ?? String(url.prefix { $0 != "?" && $0 != "#" })
                )
            case .bytes:
                let name = output.download ?? (output.origin == .result ? "result" : "status")
                let request = try await render(name, item: task.item)
                return try await download(
                    request, ok: provider.requests[name]?.ok ?? [200], to: incoming, task, named: said)
            case .file: return try await copyFile(task, output)
            }
            return try await take(
                incoming, for: task, named: said, type: output.form == .json ? "application/json" : "text/plain")
        } catch {
            return .failure(.answer(error.failure.isLasting ? .spoiled(error.failure) : .unreachable(error.failure)))
        }
    }

    private func unusable(_ task: JobOutputPlan.Task, _ what: String) -> JobAnswer {
        .spoiled(Failure(.outputMissing, "\(provider.title) gives no \(what) for \(task.ports[0].name)."))
    }

    private func words(of item: JSON, _ output: ProviderManifest.Output) async throws(JobSilence) -> String {
        guard case .template(let text) = output.origin, let blanks = Blanks(text) else {
            return item.string ?? item.text
        }
        return try await client.blocking { () throws(Failure) in
            let values = self.blanks()
            return try filled(blanks) { (hole) throws(Failure) in try values.value(of: hole) } ?? ""
        }
    }

    private func write(_ bytes: [UInt8], to incoming: AssetStore.Incoming) async throws(JobSilence) {
        try await client.blocking { () throws(Failure) in
            let file = try OpenFile(incoming.path, O_WRONLY | O_CREAT | O_TRUNC)
            try file.write(bytes)
        }
    }

    private func download(
        _ request: RenderedRequest, ok: [Int], to incoming: AssetStore.Incoming, _ task: JobOutputPlan.Task,
        named name: String?
    ) async throws(JobSilence) -> Result<[Asset], Spoiled> {
        let (response, refusal) = try await client.wire.download(
            request, from: provider, secret: secret, ok: ok, into: incoming.path
        ).get()
        if let refusal {
            let what = "The file for \(task.ports[0].name)"
            return .failure(.answer(answer(toRefusal: refusal, of: what, isSigned: request.isSigned)))
        }
        return try await take(incoming, for: task, named: name, type: response.headers["content-type"])
    }

    /// Copies a file that the job left in the workspace, at a path that the manifest names.
    private func copyFile(_ task: JobOutputPlan.Task, _ output: ProviderManifest.Output) async throws(JobSilence)
        -> Result<
            [Asset], Spoiled
        >
    {
        let written = try await words(of: task.item, output)
        guard !written.isEmpty else { return .success([]) }
        let (assignment, surroundings) = (request.assignment, client.surroundings)
        let incoming = try await client.blocking { () throws(Failure) in
            let paths = try Paths(workspace: assignment.workspace, own: surroundings.own)
            let real = try paths.existing(written)
            guard paths.reach(real) == .workspace else {
                throw Failure(.badPath, "\(written) is not in the workspace.")
            }
            guard !SecretFiles.holds(real) else { throw .secretFile(written, "a workflow as a job's result") }
            let incoming = try AssetStore.Incoming(surroundings.store)
            let target = Call.Target(.reads, .path(real), reach: .workspace, hasOtherNames: true)
            let files = try PersonFiles(workspace: paths.workspace)
            let source = try files.reading(target, real)
            guard try !source.status().hasOtherNames, !files.isOnOtherMount(source) else {
                throw Failure(.badPath, "\(written) has another name, perhaps elsewhere.")
            }
            let copy = try OpenFile(incoming.path, O_WRONLY | O_CREAT | O_TRUNC)
            var total = 0
            _ = try source.digest { piece throws(Failure) in
                total += piece.count
                guard total <= Limits.fetchBytes else {
                    throw Failure(.answerTooLarge, "\(written) is larger than \(Limits.fetchBytes) bytes.")
                }
                try copy.write(piece)
            }
            return incoming
        }
        return try await take(incoming, for: task, named: written, type: nil)
    }

    /// Checks the content of a fetched item, and makes it the asset of its ports.
    private func take(
        _ incoming: AssetStore.Incoming, for task: JobOutputPlan.Task, named name: String?, type: String?
    ) async throws(JobSilence) -> Result<[Asset], Spoiled> {
        let (assignment, title) = (request.assignment, provider.title)
        let assets = try await client.blocking { [store = client.surroundings.store] () throws(Failure) in
            let image = ImageHeader.read(incoming.path)
            let port = task.ports[0]
            try Self.check(port, incoming.path, image, title)
            let content = try incoming.finish()
            var meta = JSON.Object()
            if let type { meta["contentType"] = .string(serverWords(type)) }
            if task.count > 1 { meta["items"] = .int(task.count) }
            if let image { meta = image.meta(adding: meta) }
            let called = JobOutputPlan.name(name, kind: assignment.manifest.kind, image: image, type: type)
            _ = store
            return task.ports.compactMap { port -> Asset? in
                var asset = assignment.asset(port.name, content, name: called, meta: meta)
                if asset?.type == .any, image != nil { asset?.type = .image }
                return asset
            }
        }
        return .success(assets)
    }

    /// Throws `wrongType` if the content does not have the type of its port. Later steps rely on this.
    private static func check(_ port: Port, _ path: String, _ image: ImageHeader?, _ title: String) throws(Failure) {
        func wrong(_ what: String) -> Failure {
            Failure(
                .wrongType, "\(title) was to give \(what) for \(port.name), and gave something else.",
                remedy: "Look at the job's parameters.")
        }
        switch port.type {
        case .image, .mask: if image == nil { throw wrong("a picture") }
        case .json:
            guard let bytes = try? readWhole(path, limit: Limits.readFileBytes), (try? JSONReader.read(bytes)) != nil
            else {
                throw wrong("JSON")
            }
        case .text:
            guard let bytes = try? readWhole(path, limit: Limits.readFileBytes),
                String(validating: bytes, as: UTF8.self) != nil
            else {
                throw wrong("a text")
            }
        default: break
        }
    }
}
