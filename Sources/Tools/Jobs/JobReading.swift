import HTTP
import JSON
import Vocabulary

/// What a provider's answers mean, by its manifest and by rules that no manifest can switch off. Decides, never waits.
struct JobReading {
    let provider: ProviderManifest
    let job: JobRecord
    /// Our id for the job as the provider knows it.
    let ownID: String?
    /// Never repeated in words.
    let secret: String?

    // MARK: Submit

    /// To a submission. What may have bought a job is never called not taken (`semantics.md` 8).
    func submitted(_ reply: JobReply) -> JobAnswer {
        if isDuplicate(reply) { return accepted(captured(asOwn: JSON.Object()), nil) }
        guard let request = provider.requests["submit"] else { return .notTaken(Failure("badManifest", "There is no submit.")) }
        if request.ok.contains(reply.status) {
            guard let captured = captured(by: request, from: reply) else {
                return .unclear(
                    Failure(
                        "malformedAnswer", "\(provider.title) took the job, it seems, but did not say its name.",
                        remedy: "Look at the provider whether it is there."))
            }
            return accepted(captured, firstStatus(reply))
        }
        let failure = provider.failure(reply, hiding: secret)
        return Self.isUnclear(reply.status) ? .unclear(failure) : .notTaken(failure)
    }

    /// It is there. Where it is to be asked for its status at an address that is not allowed, it cannot be watched.
    private func accepted(_ captured: JSON.Object, _ status: JobStatus?) -> JobAnswer {
        guard let request = provider.requests["status"], let only = Blanks(request.url)?.only,
            let name = only.choices.first(where: { captured[$0.name] != nil })?.name, let url = captured[name]?.string
        else { return .accepted(captured: captured, status) }
        do throws(Failure) { _ = try provider.allowed(url) } catch {
            guard request.fallback != nil else { return .spoiled(error) }
            var others = captured
            others[name] = nil
            return .accepted(captured: others, status)
        }
        return .accepted(captured: captured, status)
    }

    /// Statuses behind which the job may have been taken: it was lost on the way back, or the server fell over while it had it. 302 and 303 may
    /// say where the result of what was done is.
    private static func isUnclear(_ status: Int) -> Bool {
        switch status {
        case 302, 303, 408: true
        case 501, 503, 505: false
        default: status >= 500 || status < 300
        }
    }

    private func isDuplicate(_ reply: JobReply) -> Bool {
        guard let rule = provider.idempotency.duplicate, rule.statuses.contains(reply.status) else { return false }
        return rule.pattern.map { JobPattern($0)?.matches(reply.text) ?? false } ?? true
    }

    private func captured(asOwn values: JSON.Object) -> JSON.Object {
        var captured = job.captured
        for member in values.members { captured[member.key] = member.value }
        if captured["jobId"] == nil, let ownID { captured["jobId"] = .string(ownID) }
        return captured
    }

    /// What the answer names. `nil` if something that must be there is not, or is no word of reasonable length.
    private func captured(by request: ProviderManifest.Request, from reply: JobReply) -> JSON.Object? {
        var found = JSON.Object()
        for capture in request.captures {
            if case .path(let path) = capture.source, path.isOptional, reply.value(capture.source) == nil { continue }
            guard let value = reply.value(capture.source), Self.isWord(value) else { return nil }
            found[capture.name] = storable(value)
        }
        return captured(asOwn: found)
    }

    /// What is stored has no key in it, whatever the server says back.
    private func storable(_ value: JSON) -> JSON { value.string.map { .string($0.storable(hiding: secret)) } ?? value }

    private static func isWord(_ value: JSON) -> Bool {
        switch value {
        case .string(let text): !text.isEmpty && text.utf8.count <= Limits.jobCapturedBytes
        case .int, .double, .bool: true
        case .null, .array, .object: false
        }
    }

    /// Some answers to a submission are a status already.
    private func firstStatus(_ reply: JobReply) -> JobStatus? {
        guard let json = reply.json, let rule = rule(for: json, status: reply.status, isOK: true, needsCondition: true), rule.after == 1
        else {
            return nil
        }
        return status(by: rule, reply, log: nil)
    }

    // MARK: Status

    /// - Parameter log: the answer of the logs' own request, where there is one and it came.
    func status(_ reply: JobReply, to name: String = "status", log: JobReply? = nil) -> JobAnswer {
        let isOK = provider.requests[name]?.ok.contains(reply.status) ?? false
        guard !isOK || reply.json != nil else {
            return .unreachable(Failure("malformedAnswer", "\(provider.title) answers with something that is no JSON.", isTransient: true))
        }
        if let rule = rule(for: reply.json, status: reply.status, isOK: isOK, needsCondition: false) {
            let status = status(by: rule, reply, log: log)
            if rule.after > 1, case .failed(let failure) = status.state { return .strike(failure, limit: rule.after) }
            return .status(status)
        }
        if isOK {
            let word = reply.json.flatMap { spokenState(in: $0) }.map { ": “\(serverWords($0))”" } ?? ""
            return .strike(
                Failure(
                    "unknownStatus", "\(provider.title) says something of the job that is not known here\(word).",
                    remedy: "Add it to \"states\" in the provider's manifest."), limit: provider.unknownLimit)
        }
        if reply.status == 404 || reply.status == 410 { return .strike(lost, limit: Limits.jobStrikes) }
        return .unreachable(provider.failure(reply, hiding: secret))
    }

    private var lost: Failure {
        Failure("jobLost", "\(provider.title) does not know the job any more.", remedy: "Look at the provider, then retry the step.")
    }

    private func rule(for json: JSON?, status: Int, isOK: Bool, needsCondition: Bool) -> ProviderManifest.StateRule? {
        provider.states.first { rule in
            guard rule.statuses.isEmpty ? isOK : rule.statuses.contains(status) else { return false }
            guard let condition = rule.condition else { return !needsCondition }
            return json.map { condition.holds(for: $0) } ?? false
        }
    }

    /// The word that the first rule looks at, for the message.
    private func spokenState(in json: JSON) -> String? {
        for rule in provider.states {
            if case .among(let path, _)? = rule.condition, let word = path.first(in: json) { return word.string ?? word.text }
        }
        return nil
    }

    private func status(by rule: ProviderManifest.StateRule, _ reply: JobReply, log: JobReply?) -> JobStatus {
        let state: JobStatus.State =
            switch rule.target {
            case .queuedRemote: .queued
            case .runningRemote: .running
            case .downloading: .succeeded
            case .cancelled: .cancelled
            case .failed: .failed(failure(by: rule, reply))
            }
        var status = JobStatus(state)
        status.logTail = logTail(reply, log)
        status.progress = progress(reply, status.logTail)
        status.queuePosition = reply.json.flatMap { provider.queuePosition?.first(in: $0) }?.int.flatMap { $0 >= 0 ? $0 : nil }
        if let request = provider.requests["status"], case .succeeded = status.state {
            for capture in request.captures {
                if let value = reply.value(capture.source), Self.isWord(value) { status.captured[capture.name] = storable(value) }
            }
        }
        return status
    }

    /// A code that the manifest says is ours; one that the provider says is taken if it is a word.
    private func failure(by rule: ProviderManifest.StateRule, _ reply: JobReply) -> Failure {
        var code = "jobFailed"
        switch rule.code {
        case .words(let own)?: code = own
        case .path?, .header?: code = rule.code.flatMap { reply.word($0) }.flatMap { ProviderManifest.code($0) } ?? code
        case nil: break
        }
        if code == "jobLost" { return lost }
        let words = rule.message.flatMap { reply.word($0) }.map { serverWords($0.hiding(secret)) } ?? ""
        return Failure(
            code, "\(provider.title) says that the job failed" + (words.isEmpty ? "." : ": “\(words)”."),
            remedy: provider.errors.hints[code] ?? "Look at its log and its parameters.")
    }

    // MARK: Log and progress

    private func logTail(_ reply: JobReply, _ log: JobReply?) -> String? {
        guard let logs = provider.logs, let json = logs.request == nil ? reply.json : log?.json else { return nil }
        let found = logs.path.values(in: json)
        guard !found.isEmpty else { return nil }
        let text: String
        switch logs.mode {
        case .whole: text = found[0].string ?? ""
        case .append: text = job.logTail + (found[0].string ?? "")
        case .list:
            let entries = found.flatMap { $0.array ?? [$0] }.suffix(Limits.patternLines)
            text = entries.map { entry in (logs.text?.first(in: entry) ?? entry).string ?? "" }.joined(separator: "\n")
        }
        return tail(text.hiding(secret))
    }

    private func progress(_ reply: JobReply, _ logTail: String?) -> Double? {
        let part: Double?
        switch provider.progress {
        case nil: return nil
        case .path(let path, let scale)?: part = reply.json.flatMap { path.first(in: $0) }?.number.map { $0 / scale }
        case .ratio(let done, let total)?:
            guard let json = reply.json, let done = done.first(in: json)?.number, let total = total.first(in: json)?.number, total > 0
            else {
                return nil
            }
            part = done / total
        case .pattern(let pattern, let source, let scale)?:
            let text: String?
            switch source {
            case .logs: text = logTail
            case .path(let path): text = reply.json.flatMap { path.first(in: $0) }?.string
            }
            // The same words are not searched again: most polls change nothing.
            if let text, text == job.logTail, let known = job.progress { return known }
            part = text.flatMap { JobPattern(pattern)?.lastGroup(in: $0) }.flatMap { Double($0) }.map { $0 / scale }
        }
        return part.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    }

    // MARK: Find

    /// To a request for the job by our own id.
    func probed(_ reply: JobReply, to name: String) -> JobAnswer {
        if reply.status == 404 || reply.status == 410 { return .notFound }
        guard let request = provider.requests[name], request.ok.contains(reply.status), let json = reply.json else {
            return unfound(reply)
        }
        var captured = captured(asOwn: JSON.Object())
        for capture in provider.requests["submit"]?.captures ?? [] {
            guard let value = reply.value(capture.source), Self.isWord(value), captured[capture.name] == nil else { continue }
            captured[capture.name] = storable(value)
        }
        guard let rule = rule(for: json, status: reply.status, isOK: true, needsCondition: true), rule.after == 1 else {
            return accepted(captured, nil)
        }
        return accepted(captured, status(by: rule, reply, log: nil))
    }

    /// To the provider's list of jobs: ours was made around our intent, and says what we said.
    /// - Parameters:
    ///   - values: what the manifest's `equal` is filled in to, in its order.
    ///   - isHeld: whether a job of that id is another run's of ours.
    func listed(_ reply: JobReply, to name: String, values: [JSON?], isHeld: (String) -> Bool = { _ in false }) -> JobAnswer {
        guard let request = provider.requests[name], request.ok.contains(reply.status), let json = reply.json,
            let match = provider.idempotency.match
        else { return unfound(reply) }
        let entries = match.path.values(in: json).flatMap { $0.array ?? [$0] }
        let ours = entries.filter { isOurs($0, match, values) }.map { entry in
            JobReply(HTTPResponse(status: reply.status, headers: reply.headers, url: ""), Array(entry.text.utf8))
        }.filter { entry in
            // Two runs may ask for the same in the same minute. What one of them has, the other has not.
            let id = captured(by: provider.requests["submit"] ?? request, from: entry)?["jobId"].flatMap { JobValue.json($0).text }
            return id.map { !isHeld($0) } ?? true
        }
        if let entry = ours.first, ours.count == 1 {
            return captured(by: provider.requests["submit"] ?? request, from: entry).map { accepted($0, firstStatus(entry)) }
                ?? .stuck(Failure("malformedAnswer", "\(provider.title) lists our job without its name."))
        }
        if !ours.isEmpty { return .several(ours.count) }
        // A full page of younger jobs: ours may be on the next.
        let times = entries.compactMap { match.created?.first(in: $0).flatMap { Moment(of: $0) } }
        if let page = match.page, entries.count >= page, let oldest = times.min(), oldest > job.intendedAt {
            return .stuck(
                Failure(
                    "listTooLong", "\(provider.title) lists \(entries.count) jobs, all younger than ours, which may be behind them.",
                    remedy: "Look there yourself."))
        }
        return .notFound
    }

    /// The provider did not say whether the job is there, for now or for good.
    private func unfound(_ reply: JobReply) -> JobAnswer {
        let failure = provider.failure(reply, hiding: secret)
        let isRefused = (400..<500).contains(reply.status) && !failure.isTransient && reply.status != 401
        return isRefused ? .stuck(failure) : .unreachable(failure)
    }

    private func isOurs(_ entry: JSON, _ match: ProviderManifest.Match, _ values: [JSON?]) -> Bool {
        if let created = match.created {
            guard let at = created.first(in: entry).flatMap({ Moment(of: $0) }) else { return false }
            // Clocks of two machines differ.
            guard abs(at.seconds(since: job.intendedAt)) <= match.withinSeconds else { return false }
        }
        return zip(match.equal, values).allSatisfy { equality, value in
            let found = equality.path.first(in: entry)
            return found?.canonical == value?.canonical
        }
    }

    // MARK: Cancel

    func cancelled(_ reply: JobReply, by cancel: ProviderManifest.Cancel) -> JobAnswer {
        if cancel.unsupported.contains(reply.status) {
            return .cancelRefused(
                Failure("cancelUnsupported", "\(provider.title) cannot cancel a job.", remedy: "It runs to its end there."))
        }
        if let json = reply.json, cancel.noop.contains(where: { $0.holds(for: json) }) {
            return .cancelRefused(Failure("nothingToCancel", "\(provider.title) says that there is nothing to cancel any more."))
        }
        if provider.requests[cancel.request]?.ok.contains(reply.status) ?? false { return .cancelTaken }
        if reply.status == 404 || reply.status == 410 {
            return .cancelRefused(Failure("nothingToCancel", "\(provider.title) does not know the job."))
        }
        let failure = provider.failure(reply, hiding: secret)
        return failure.isTransient ? .unreachable(failure) : .cancelRefused(failure)
    }
}
