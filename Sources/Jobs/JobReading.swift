import HTTP
import JSON
import Vocabulary

extension Limits {
    /// The most bytes of a value that is captured from an answer of a provider.
    fileprivate static let jobCapturedBytes = 16 << 10
}

/// The reader of a provider's replies, by its manifest and by rules that no manifest can switch off. It makes decisions
/// and never waits.
struct JobReading {
    let provider: ProviderManifest
    let job: JobRecord
    /// The ID that Assent chose for the job, in the form that the provider knows, or `nil`.
    let ownID: String?
    /// The key, which must not appear in messages.
    let secret: String?

    // MARK: Submit

    /// Reads the reply to a submission. A reply after which a job may exist is never read as `notTaken` (`semantics.md`
    /// 8).
    func submitted(_ reply: JobReply) -> JobAnswer {
        if let rule = duplicateRule(for: reply) {
            return accepted(captured(asOwn: named(by: rule.captures, in: reply).found), nil)
        }
        guard let request = provider.requests["submit"] else {
            return .notTaken(Failure(.badManifest, "There is no submit."))
        }
        if request.ok.contains(reply.status) {
            let (found, missing) = named(by: request.captures, in: reply)
            return taken(found, missing, firstStatus(reply))
        }
        let failure = provider.failure(reply, hiding: secret)
        return Self.isUnclear(reply.status) ? .unclear(failure) : .notTaken(failure)
    }

    /// Reads a reply that accepts the job. A job with a known ID exists, even if other values are missing.
    private func taken(
        _ found: JSON.Object, _ missing: [ProviderManifest.Request.Capture], _ status: JobStatus?
    ) -> JobAnswer {
        guard let lacking = missing.first else { return accepted(captured(asOwn: found), status) }
        guard let id = found["jobId"] else {
            return .unclear(
                Failure(
                    .malformedAnswer,
                    "\(provider.title) took the job, it seems, but did not say its \(lacking.name) (\(lacking.source)).",
                    remedy: "Look at the provider whether it is there."))
        }
        guard provider.canWatch(without: Set(missing.map(\.name))) else {
            let words = "Its answer has no \(lacking.name) (\(lacking.source)), by which it would be watched."
            return .spoiled(taken(as: id, Failure(.malformedAnswer, words)))
        }
        return accepted(captured(asOwn: found), status)
    }

    /// Checks the addresses that came with a job. A forbidden address is dropped if the request has another one. If the
    /// address for the status is forbidden, the job cannot be watched.
    private func accepted(_ captured: JSON.Object, _ status: JobStatus?) -> JobAnswer {
        var usable = captured
        for (name, request) in provider.requests where name != "submit" {
            guard let only = Blanks(request.url)?.only,
                let place = only.choices.first(where: { captured[$0.name] != nil })?.name,
                let url = captured[place].flatMap({ JobValue.json($0).text })
            else { continue }
            do throws(Failure) { _ = try provider.allowed(url) } catch {
                if request.fallback != nil {
                    usable[place] = nil
                } else if name == "status" {
                    return .spoiled(captured["jobId"].map { taken(as: $0, error) } ?? error)
                }
            }
        }
        return .accepted(captured: usable, status)
    }

    private func taken(as id: JSON, _ failure: Failure) -> Failure {
        var named = failure
        named.message =
            "\(provider.title) has taken the job as \(serverWords(id.string ?? id.text)). \(failure.message)"
        return named
    }

    /// Whether a job may exist after a reply with this status: the reply was lost on the way, or the server failed
    /// while it worked on the request. 302 and 303 may lead to the result.
    private static func isUnclear(_ status: Int) -> Bool {
        switch status {
        case 302, 303, 408: true
        case 501, 503, 505: false
        default: status >= 500 || status < 300
        }
    }

    private func duplicateRule(for reply: JobReply) -> ProviderManifest.AnswerRule? {
        guard let rule = provider.idempotency.duplicate, rule.statuses.contains(reply.status) else { return nil }
        let isMeant = rule.pattern.map { JobPattern($0)?.matches(reply.text, in: .ofAnswer) ?? false } ?? true
        return isMeant ? rule : nil
    }

    private func captured(asOwn values: JSON.Object) -> JSON.Object {
        var captured = job.captured
        for member in values.members { captured[member.key] = member.value }
        if captured["jobId"] == nil, let ownID { captured["jobId"] = .string(ownID) }
        return captured
    }

    /// Returns the values that the reply names, and the required ones that are missing or are not short texts, numbers
    /// or Booleans.
    private func named(
        by captures: [ProviderManifest.Request.Capture], in reply: JobReply
    ) -> (found: JSON.Object, missing: [ProviderManifest.Request.Capture]) {
        var found = JSON.Object()
        var missing: [ProviderManifest.Request.Capture] = []
        for capture in captures {
            if case .path(let path) = capture.source, path.isOptional, reply.value(capture.source) == nil { continue }
            guard let value = value(of: capture, in: reply), Self.isWord(value) else {
                missing.append(capture)
                continue
            }
            found[capture.name] = storable(value)
        }
        return (found, missing)
    }

    private func value(of capture: ProviderManifest.Request.Capture, in reply: JobReply) -> JSON? {
        guard var value = reply.value(capture.source) else { return nil }
        if let pattern = capture.pattern {
            let text = value.string ?? value.text
            guard text.utf8.count <= Limits.jobCapturedBytes,
                let part = JobPattern(pattern)?.firstGroup(in: text, .ofAnswer)
            else { return nil }
            value = .string(part)
        }
        // The address may be relative to the one of the request.
        guard provider.namedAddresses.contains(capture.name), let text = value.string,
            !text.prefix(while: { !"/?#".contains($0) }).contains(":")
        else { return value }
        let address = try? WebAddress(reply.url).following(text)
        return address.map { .string($0.text) } ?? value
    }

    /// Returns a value without the key, so that it may be stored.
    private func storable(_ value: JSON) -> JSON { value.string.map { .string($0.storable(hiding: secret)) } ?? value }

    private static func isWord(_ value: JSON) -> Bool {
        switch value {
        case .string(let text): !text.isEmpty && text.utf8.count <= Limits.jobCapturedBytes
        case .int, .double, .bool: true
        case .null, .array, .object: false
        }
    }

    /// Returns the status in the reply to a submission, or `nil` if the reply contains none.
    private func firstStatus(_ reply: JobReply) -> JobStatus? {
        guard let json = reply.json, let rule = rule(for: json, status: reply.status, isOK: true, needsCondition: true),
            rule.after == 1
        else {
            return nil
        }
        return status(by: rule, reply, log: nil)
    }

    // MARK: Status

    /// Reads the reply to a status request.
    ///
    /// - Parameter log: the reply to the separate request for the log, or `nil` if there is none.
    func status(_ reply: JobReply, to name: String = "status", log: JobReply? = nil) -> JobAnswer {
        let isOK = provider.requests[name]?.ok.contains(reply.status) ?? false
        guard !isOK || reply.json != nil else {
            return .stuck(
                Failure(
                    .malformedAnswer, "\(provider.title) answers with something that is no JSON (\(reply.status)).",
                    remedy: "Look whether the address of \"\(name)\" in its manifest is the right one."))
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
                    .unknownStatus, "\(provider.title) says something of the job that is not known here\(word).",
                    remedy: "Add it to \"states\" in the provider's manifest."), limit: provider.unknownLimit)
        }
        if reply.status == 404 || reply.status == 410 { return .strike(lost, limit: Limits.jobStrikes) }
        // A reply to a request without the key shows nothing about the key.
        let isSigned = provider.requests[name]?.isSigned ?? true
        let refusal = isSigned ? provider.keyRefusal(reply, hiding: secret) : nil
        return .unreachable(refusal ?? provider.failure(reply, hiding: secret))
    }

    private var lost: Failure {
        Failure(
            .jobLost, "\(provider.title) does not know the job any more.")
    }

    private func rule(for json: JSON?, status: Int, isOK: Bool, needsCondition: Bool) -> ProviderManifest.StateRule? {
        provider.states.first { rule in
            guard rule.statuses.isEmpty ? isOK : rule.statuses.contains(status) else { return false }
            guard let condition = rule.condition else { return !needsCondition }
            return json.map { condition.holds(for: $0) } ?? false
        }
    }

    /// Returns the value of the status in a reply, for the message about an unknown status.
    private func spokenState(in json: JSON) -> String? {
        for rule in provider.states {
            if case .among(let path, _)? = rule.condition, let word = path.first(in: json) {
                return word.string ?? word.text
            }
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
        status.queuePosition = reply.json.flatMap { provider.queuePosition?.first(in: $0) }?.int.flatMap {
            $0 >= 0 ? $0 : nil
        }
        if let request = provider.requests["status"], case .succeeded = status.state {
            for capture in request.captures {
                if let value = value(of: capture, in: reply), Self.isWord(value) {
                    status.captured[capture.name] = storable(value)
                }
            }
        }
        return status
    }

    /// Returns the failure of a failed job. The manifest may name its code, or the place of the provider's own code,
    /// which is used if it is a word.
    private func failure(by rule: ProviderManifest.StateRule, _ reply: JobReply) -> Failure {
        var code = FailureCode.ours(.jobFailed)
        switch rule.code {
        case .words(let own)?: code = FailureCode(own)
        case .path?, .header?:
            let word = rule.code.flatMap { reply.word($0) }.flatMap { ProviderManifest.code($0) }
            code = word.map(FailureCode.init) ?? code
        case nil: break
        }
        if code == .jobLost { return lost }
        let words = rule.message.flatMap { reply.word($0) }.map { serverWords($0.hiding(secret)) } ?? ""
        return Failure(
            code, "\(provider.title) says that the job failed" + (words.isEmpty ? "." : ": “\(words)”."),
            remedy: provider.errors.hints[code.text] ?? "Look at its log and its parameters.")
    }

    // MARK: Find

    /// Reads the reply to a request for the job by our own ID.
    func probed(_ reply: JobReply, to name: String) -> JobAnswer {
        if reply.status == 404 || reply.status == 410 { return .notFound }
        guard let request = provider.requests[name], request.ok.contains(reply.status), let json = reply.json else {
            return unfound(reply)
        }
        var captured = captured(asOwn: JSON.Object())
        for capture in provider.requests["submit"]?.captures ?? [] {
            guard let value = value(of: capture, in: reply), Self.isWord(value), captured[capture.name] == nil else {
                continue
            }
            captured[capture.name] = storable(value)
        }
        guard let rule = rule(for: json, status: reply.status, isOK: true, needsCondition: true), rule.after == 1 else {
            return accepted(captured, nil)
        }
        return accepted(captured, status(by: rule, reply, log: nil))
    }

    /// Reads the provider's list of jobs, and finds ours: it was created at about the time of our intent, and has the
    /// values that we sent.
    ///
    /// - Parameters:
    ///   - values: the filled-in values of the manifest's `equal`, in the same order.
    ///   - isHeld: whether another run of ours owns the job of that ID.
    func listed(_ reply: JobReply, to name: String, values: [JSON?], isHeld: (String) -> Bool = { _ in false })
        -> JobAnswer
    {
        guard let request = provider.requests[name], request.ok.contains(reply.status), let json = reply.json,
            let match = provider.idempotency.match
        else { return unfound(reply) }
        let captures = (provider.requests["submit"] ?? request).captures
        let entries = match.path.values(in: json).flatMap { $0.array ?? [$0] }
        let ours = entries.filter { isOurs($0, match, values) }.map { entry in
            JobReply(HTTPResponse(status: reply.status, headers: reply.headers, url: reply.url), Array(entry.text.utf8))
        }.filter { entry in
            // Two runs may submit the same values in the same minute. A job of one run is not one of the other.
            let id = named(by: captures, in: entry).found["jobId"].flatMap { JobValue.json($0).text }
            return id.map { !isHeld($0) } ?? true
        }
        if let entry = ours.first, ours.count == 1 {
            let (found, missing) = named(by: captures, in: entry)
            guard missing.isEmpty || found["jobId"] != nil else {
                return .stuck(Failure(.malformedAnswer, "\(provider.title) lists our job without its name."))
            }
            return taken(found, missing, firstStatus(entry))
        }
        if !ours.isEmpty { return .several(ours.count) }
        // If a full page has only younger jobs, ours may be on the next page.
        let times = entries.compactMap { match.created?.first(in: $0).flatMap { Moment(of: $0) } }
        if let page = match.page, entries.count >= page, let oldest = times.min(), oldest > job.intendedAt {
            return .stuck(
                Failure(
                    .listTooLong,
                    "\(provider.title) lists \(entries.count) jobs, all younger than ours, which may be behind them.",
                    remedy: "Look there yourself."))
        }
        return .notFound
    }

    /// Returns the answer if the provider did not say whether the job exists, for now or for good.
    private func unfound(_ reply: JobReply) -> JobAnswer {
        if reply.status == 401, let refusal = provider.keyRefusal(reply, hiding: secret) {
            return .unreachable(refusal)
        }
        let failure = provider.failure(reply, hiding: secret)
        let isRefused = (400..<500).contains(reply.status) && !failure.isTransient && reply.status != 401
        return isRefused ? .stuck(failure) : .unreachable(failure)
    }

    private func isOurs(_ entry: JSON, _ match: ProviderManifest.Match, _ values: [JSON?]) -> Bool {
        if let created = match.created {
            guard let at = created.first(in: entry).flatMap({ Moment(of: $0) }) else { return false }
            // The clocks of two machines differ.
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
                Failure(
                    .cancelUnsupported, "\(provider.title) cannot cancel a job.", remedy: "It runs to its end there."))
        }
        if let json = reply.json, cancel.noop.contains(where: { $0.holds(for: json) }) {
            return .cancelRefused(
                Failure(.nothingToCancel, "\(provider.title) says that there is nothing to cancel any more."))
        }
        if provider.requests[cancel.request]?.ok.contains(reply.status) ?? false { return .cancelTaken }
        if reply.status == 404 || reply.status == 410 {
            return .cancelRefused(Failure(.nothingToCancel, "\(provider.title) does not know the job."))
        }
        if reply.status == 401, let refusal = provider.keyRefusal(reply, hiding: secret) {
            return .unreachable(refusal)
        }
        let failure = provider.failure(reply, hiding: secret)
        return failure.isTransient ? .unreachable(failure) : .cancelRefused(failure)
    }
}
