import HTTP
import JSON
package import Vocabulary

extension ProviderManifest {
    /// Runs the manifest's fixtures without a network, and returns their failures.
    ///
    /// Each exchange is one reply of the provider to one request. Its results (names, addresses, strikes, progress) are
    /// kept for the next exchange, as in an engine. The expected values are compared with the last answer, and rendered
    /// requests with `sends`.
    ///
    /// - Parameter file: the name of the manifest's file, for the problems.
    package func fixtureProblems(file: String) -> [Problem] {
        fixtures.flatMap { fixture in
            var play = FixturePlay(provider: self, fixture: fixture)
            return play.faults().map {
                Problem(.fixtureFailed, at: "\(file):\(fixture.line)", "\(id), fixture \"\(fixture.name)\": \($0).")
            }
        }
    }
}

private struct FixturePlay {
    let provider: ProviderManifest
    let fixture: ProviderManifest.Fixture
    var job: JobRecord

    init(provider: ProviderManifest, fixture: ProviderManifest.Fixture) {
        self.provider = provider
        self.fixture = fixture
        job = JobRecord(
            provider: provider.id, key: "assent-fixture-w1-1-1",
            intendedAt: Moment(rfc3339: "2026-11-21T08:00:00Z") ?? Moment(milliseconds: 0))
    }

    private var blanks: JobBlanks {
        JobBlanks(
            provider: provider, job: job, workspace: "/work",
            said: { [fixture] name in fixture.with[name].map { .json($0) } })
    }

    mutating func faults() -> [String] {
        var faults: [String] = []
        var last: JobAnswer?
        var items: Int?
        for (number, exchange) in fixture.exchange.enumerated() {
            let place = fixture.exchange.count > 1 ? "exchange \(number + 1): " : ""
            if exchange.request != "submit", job.captured["jobId"] == nil, let id = blanks.ownID {
                job.captured["jobId"] = .string(id)
            }
            if !exchange.sends.isEmpty { faults += sent(exchange).map { place + $0 } }
            var headers = HTTPHeaders()
            for member in exchange.headers.members {
                headers.append(member.key, member.value.string ?? member.value.text)
            }
            let body = exchange.body.string ?? exchange.body.text
            let url = (try? blanks.render(exchange.request) { _ in [] })?.url ?? ""
            let reply = JobReply(HTTPResponse(status: exchange.status, headers: headers, url: url), Array(body.utf8))
            (last, items) = read(reply, to: exchange.request)
            if let last { remember(last) }
        }
        return faults + different(last, items)
    }

    /// Reads a reply as the verb that uses the request does. Returns the answer, and the number of items if the reply
    /// has outputs.
    private func read(_ reply: JobReply, to name: String) -> (JobAnswer?, items: Int?) {
        let reading = JobReading(provider: provider, job: job, ownID: blanks.ownID, secret: nil)
        if name == "submit" { return (reading.submitted(reply), nil) }
        if let cancel = provider.cancel, cancel.request == name { return (reading.cancelled(reply, by: cancel), nil) }
        if let match = provider.idempotency.match, provider.idempotency.probe == name {
            let values = match.equal.map { equality in
                (try? filled(equality.value) { (hole) throws(Failure) in try blanks.value(of: hole) }) ?? nil
            }
            return (reading.listed(reply, to: name, values: values), nil)
        }
        if name == "result" || name == provider.logs?.request,
            let output = provider.outputs.first(where: { $0.origin == (name == "result" ? .result : .logs) }),
            provider.requests[name]?.ok.contains(reply.status) ?? false
        {
            let answer = reply.json ?? .string(String(decoding: reply.body, as: UTF8.self))
            guard let pattern = output.pattern else { return (nil, JobOutputPlan.items(of: output, in: answer).count) }
            guard let log = reading.log(in: answer, at: output.path),
                let printed = JobPattern(pattern)?.printed(in: log)
            else {
                return (nil, 0)
            }
            switch JobOutputPlan.items(of: output, output.port, printed, from: provider.title) {
            case .success(let items): return (nil, items.count)
            case .failure(let failure): return (.spoiled(failure), nil)
            }
        }
        return (reading.status(reply, to: name), itemsOfStatus(reply))
    }

    private func itemsOfStatus(_ reply: JobReply) -> Int? {
        guard let json = reply.json else { return nil }
        let outputs = provider.outputs.filter { $0.origin == .status || $0.origin == .kept }
        return outputs.isEmpty ? nil : outputs.map { JobOutputPlan.items(of: $0, in: json).count }.max()
    }

    private mutating func remember(_ answer: JobAnswer) {
        switch answer {
        case .accepted(let captured, let status):
            job.captured = captured
            job.phase = .submitted
            if let status { remember(status) }
        case .status(let status): remember(status)
        case .strike: job.strikes += 1
        case .notTaken, .unclear, .notFound, .several, .unreachable, .stuck, .collected, .spoiled, .cancelTaken,
            .cancelRefused:
            break
        }
    }

    private mutating func remember(_ status: JobStatus) {
        job.strikes = 0
        job.progress = status.progress ?? job.progress
        job.logTail = status.logTail ?? job.logTail
        for member in status.captured.members { job.captured[member.key] = member.value }
    }

    // MARK: Comparing

    private func sent(_ exchange: ProviderManifest.Fixture.Exchange) -> [String] {
        do {
            let rendered = try blanks.render(exchange.request) { _ in [] }
            return exchange.sends.members.compactMap { member in
                let found: JSON?
                switch member.key {
                case "method": found = .string(rendered.method)
                case "url": found = .string(rendered.url)
                case "form": found = .string(String(decoding: rendered.body, as: UTF8.self))
                case "json": found = try? JSONReader.read(rendered.body)
                case "headers":
                    let fields = member.value.object?.members ?? []
                    let wrong = fields.first { .string(rendered.headers[$0.key] ?? "") != $0.value }
                    return wrong.map {
                        "sends \($0.key): \(rendered.headers[$0.key] ?? "nothing") instead of \($0.value.text)"
                    }
                default: found = nil
                }
                return found?.canonical == member.value.canonical
                    ? nil : "sends \(member.key) \(found?.text ?? "nothing") instead of \(member.value.text)"
            }
        } catch {
            return ["sends nothing: \(error)"]
        }
    }

    private func different(_ answer: JobAnswer?, _ items: Int?) -> [String] {
        let found = described(answer, items)
        return fixture.expect.members.compactMap { member in
            let value = found[member.key]
            if member.key == "message", let words = value?.string, let part = member.value.string, words.contains(part)
            {
                return nil
            }
            if member.key == "captured", let all = value?.object, let some = member.value.object,
                some.members.allSatisfy({ all[$0.key]?.canonical == $0.value.canonical })
            {
                return nil
            }
            if member.key == "progress", let one = value?.number, let other = member.value.number,
                abs(one - other) < 0.0005
            {
                return nil
            }
            return value?.canonical == member.value.canonical
                ? nil : "\(member.key) is \(value?.text ?? "nothing") instead of \(member.value.text)"
        }
    }

    private func described(_ answer: JobAnswer?, _ items: Int?) -> JSON.Object {
        var found = JSON.Object()
        func describe(_ failure: Failure) {
            found["code"] = .string(failure.code.text)
            found["message"] = .string(failure.message)
            found["transient"] = .bool(failure.isTransient)
            found["retryAfter"] = failure.retryAfterSeconds.map { .double($0) }
        }
        func describe(_ status: JobStatus) {
            switch status.state {
            case .queued: found["state"] = "queuedRemote"
            case .running: found["state"] = "runningRemote"
            case .succeeded: found["state"] = "downloading"
            case .cancelled: found["state"] = "cancelled"
            case .failed(let failure):
                found["state"] = "failed"
                describe(failure)
            }
            found["progress"] = status.progress.map { .double($0) }
            found["queuePosition"] = status.queuePosition.map { .int($0) }
            found["logTail"] = status.logTail.map { .string($0) }
        }
        func describe(_ name: String, _ failure: Failure? = nil) {
            found["answer"] = .string(name)
            if let failure { describe(failure) }
        }
        found["items"] = items.map { .int($0) }
        switch answer {
        case .accepted(_, let status)?:
            describe("accepted")
            found["captured"] = .object(job.captured)
            if let status { describe(status) }
        case .status(let status)?: describe(status)
        case .strike(let failure, let limit)?:
            describe("strike", failure)
            found["limit"] = .int(limit)
        case .notTaken(let failure)?: describe("notTaken", failure)
        case .unclear(let failure)?: describe("unclear", failure)
        case .notFound?: describe("notFound")
        case .several(let count)?:
            describe("several")
            found["items"] = .int(count)
        case .unreachable(let failure)?: describe("unreachable", failure)
        case .stuck(let failure)?: describe("stuck", failure)
        case .collected?: describe("collected")
        case .spoiled(let failure)?: describe("spoiled", failure)
        case .cancelTaken?: describe("cancelTaken")
        case .cancelRefused(let failure)?: describe("cancelRefused", failure)
        case nil: break
        }
        return found
    }
}
