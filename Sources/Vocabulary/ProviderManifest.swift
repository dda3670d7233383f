package import JSON

/// The description of how to speak to a provider of jobs, as values without code or loops (`jobs.http/v1`, `wire.md`
/// Jobs 2). Manifests reads it from YAML and refuses descriptions that cannot work. Tools carries out the requests,
/// under rules that no manifest can switch off.
package struct ProviderManifest: Hashable, Sendable {
    package var id: String
    package var title: String
    /// The patterns for hosts. Every address that is requested must match one of them, including addresses that the
    /// provider names and each hop of a redirect.
    package var hosts: [HostGlob]
    package var auth: Auth?
    /// The values for blanks that do not depend on the tool, such as the `host` of a program on this machine. The
    /// user's settings take precedence.
    package var variables: JSON.Object
    /// The names that a tool must set in its `with`. A name that ends with `?` may be missing. `nil` means that the
    /// manifest does not list them.
    package var inputs: [String]?
    /// The price of a job whose tool states none.
    package var price: Dollars?
    package var pace: Pace
    package var timeouts: Timeouts
    /// The time for which the provider keeps a result, or `nil` if it does not say.
    package var retentionSeconds: Double?
    package var idempotency: Idempotency
    /// The requests by name. `submit` and `status` must be there.
    package var requests: [String: Request]
    /// The rules for states, in order. The first rule that holds decides.
    package var states: [StateRule]
    /// The number of answers in a row with an unknown status after which the job counts as lost.
    package var unknownLimit: Int
    package var progress: Progress?
    package var queuePosition: JobPath?
    package var logs: Logs?
    package var outputs: [Output]
    package var cancel: Cancel?
    package var errors: Errors
    package var webhook: Webhook?
    package var fixtures: [Fixture]
    package var isShipped: Bool
    /// The hash of the manifest's document in canonical form.
    package var version: ContentHash

    package init(id: String, title: String, hosts: [HostGlob] = []) {
        self.id = id
        self.title = title
        self.hosts = hosts
        variables = JSON.Object()
        pace = Pace()
        timeouts = Timeouts()
        idempotency = Idempotency()
        requests = [:]
        states = []
        unknownLimit = Limits.jobStrikes
        outputs = []
        errors = Errors()
        fixtures = []
        isShipped = false
        version = .ofNothing
    }

    /// The terms of the provider for the engine.
    package var terms: JobTerms {
        JobTerms(
            provider: id, title: title, idempotency: idempotency.mode, ambiguity: idempotency.ambiguity,
            cancelling: cancel.map { $0.isImmediate ? .immediate : .poll } ?? .unsupported,
            pollSeconds: pace.pollSeconds,
            concurrent: pace.concurrent, queuedSeconds: timeouts.queued, runningSeconds: timeouts.running,
            retentionSeconds: retentionSeconds, isLocal: isLocal, canLook: idempotency.probe != nil, canAdopt: canAdopt,
            cancelsUnnamed: cancel.flatMap { requests[$0.request] }.map { isAskable($0, without: captured) } ?? false)
    }

    /// The names that are filled in from answers.
    package var captured: Set<String> {
        let captures = requests.values.flatMap(\.captures) + (idempotency.duplicate?.captures ?? [])
        return Set(captures.map(\.name)).union(["jobId"])
    }

    /// The names of blanks that stand for whole addresses.
    package var namedAddresses: Set<String> {
        Set(requests.values.compactMap { Blanks($0.url)?.only }.flatMap(\.choices).map(\.name)).intersection(captured)
    }

    /// Returns whether the status of a job can be requested while these names are not known.
    package func canWatch(without names: Set<String>) -> Bool {
        requests["status"].map { isAskable($0, without: names) } ?? false
    }

    /// Whether every request after the submission needs only the job's id.
    private var canAdopt: Bool {
        let others = captured.subtracting(["jobId"])
        return requests.allSatisfy { $0.key == "submit" || isAskable($0.value, without: others) }
    }

    /// Returns whether a request needs none of these names.
    private func isAskable(_ request: Request, without names: Set<String>) -> Bool {
        func isFilled(_ values: [JSON]) -> Bool {
            Blanks.holes(in: .array(values))?.allSatisfy { hole in
                hole.isOptional || hole.choices.contains { !names.contains($0.name) }
            } ?? false
        }
        return ([request.url] + (request.fallback.map { [$0] } ?? [])).contains { isFilled([.string($0)]) }
            && isFilled(request.values)
    }

    /// Whether all hosts of the provider are on this machine.
    package var isLocal: Bool { !hosts.isEmpty && hosts.allSatisfy(\.isLoopback) }

    /// The hosts that are not on this machine. They need the user's consent before the first submission.
    package var remoteHosts: [RemoteHost] { hosts.compactMap(\.remote) }

    /// The key that is sent with requests, only to the hosts of `sendTo`.
    package struct Auth: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable { case none, bearer, header, query, basic }

        package var kind: Kind
        /// The name under which the user stores the key, such as `EXAMPLE_API_KEY`.
        package var secret: String
        /// The name of the header field or of the parameter in the query.
        package var name: String
        /// The text before the key in the header field, such as `Bearer `.
        package var scheme: String
        package var sendTo: [HostGlob]
        /// Whether the provider may work without a key.
        package var isOptional: Bool
        /// The request by which a key is tested. It reads only, costs nothing, and is answered only with a valid key.
        package var probe: String?

        package init(
            _ kind: Kind, secret: String, name: String, scheme: String, sendTo: [HostGlob], isOptional: Bool,
            probe: String? = nil
        ) {
            self.kind = kind
            self.secret = secret
            self.name = name
            self.scheme = scheme
            self.sendTo = sendTo
            self.isOptional = isOptional
            self.probe = probe
        }
    }

    package struct Pace: Hashable, Sendable {
        package var concurrent = 8
        /// The highest rate of submissions.
        package var submit: Rate?
        package var other: Rate?
        package var pollSeconds = Limits.pollSeconds

        package init() {}
    }

    package struct Rate: Hashable, Sendable {
        package var requests: Int
        package var seconds: Double

        package init(requests: Int, seconds: Double) {
            self.requests = requests
            self.seconds = seconds
        }
    }

    /// The time limits in seconds.
    package struct Timeouts: Hashable, Sendable {
        package var connect = Limits.connectSeconds
        package var request = 60.0
        package var queued = 1800.0
        package var running = 7200.0

        package init() {}
    }

    package struct Idempotency: Hashable, Sendable {
        package var mode = JobTerms.Idempotency.none
        package var ambiguity = JobTerms.Ambiguity.ask
        /// The id of the job on our side as the provider will know it, with blanks. It is used to look for a job whose
        /// submission is in doubt.
        package var id: String?
        /// The request that finds a job of ours: `status`, or the request that lists jobs.
        package var probe: String?
        /// The answer by which the provider says that it already has a job of that id.
        package var duplicate: AnswerRule?
        package var match: Match?

        package init() {}
    }

    /// A pattern for an answer, by its status and its text.
    package struct AnswerRule: Hashable, Sendable {
        package var statuses: [Int]
        package var pattern: String?
        /// The parts of the answer that name the job. A job that exists already may have another id than we gave it.
        package var captures: [Request.Capture]

        package init(statuses: [Int], pattern: String? = nil, captures: [Request.Capture] = []) {
            self.statuses = statuses
            self.pattern = pattern
            self.captures = captures
        }
    }

    /// A rule that finds our job in the provider's list: it was created about the time of our intent, and these values
    /// are equal.
    package struct Match: Hashable, Sendable {
        package struct Equality: Hashable, Sendable {
            package var path: JobPath
            /// The expected value, with blanks.
            package var value: JSON

            package init(path: JobPath, value: JSON) {
                self.path = path
                self.value = value
            }
        }

        package var path: JobPath
        /// A time: RFC 3339 text, or seconds or milliseconds since 1970.
        package var created: JobPath?
        package var withinSeconds: Double
        package var equal: [Equality]
        /// The number of entries of a full page. If a page is full and all entries are younger than our intent, our job
        /// may be on the next page.
        package var page: Int?

        package init(path: JobPath, created: JobPath? = nil, withinSeconds: Double, equal: [Equality], page: Int? = nil)
        {
            self.path = path
            self.created = created
            self.withinSeconds = withinSeconds
            self.equal = equal
            self.page = page
        }
    }
}

extension ProviderManifest {
    /// Returns the reason why a tool that names this provider cannot run there, or `nil` if there is none. The text is
    /// the end of a sentence that begins with the provider's title.
    package func fault(of action: ToolManifest.JobAction, in tool: ToolManifest) -> String? {
        for input in inputs ?? [] where !input.hasSuffix("?") && action.with[input] == nil {
            return "wants \"\(input)\", which \(tool.kind) does not say"
        }
        if let inputs, let odd = action.with.keys.first(where: { !inputs.contains($0) && !inputs.contains("\($0)?") }) {
            return "takes no \"\(odd)\", which \(tool.kind) says"
        }
        let names = Set(outputs.map(\.port))
        let isOnly = tool.outputs.count == 1 && outputs.count == 1 && action.outputs.isEmpty
        guard let port = tool.outputs.first(where: { !names.contains(action.outputs[$0.name] ?? $0.name) }), !isOnly
        else { return nil }
        return "has no output \"\(action.outputs[port.name] ?? port.name)\", which \(tool.kind) wants"
    }
}
