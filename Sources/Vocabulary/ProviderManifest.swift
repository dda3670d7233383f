package import JSON

/// How a provider of jobs is spoken to (`jobs.http/v1`, `wire.md` Jobs 2): values only, no code and no loops. Read from
/// YAML by Manifests, which refuses what could not work; carried out by Tools, with rules that no manifest can switch
/// off.
package struct ProviderManifest: Hashable, Sendable {
    package var id: String
    package var title: String
    /// Every address that is asked must match one of these: our own, those that the provider names, and each hop of a
    /// redirect.
    package var hosts: [HostGlob]
    package var auth: Auth?
    /// Values for blanks that are not the tool's business, such as the `host` of a program on this machine; the
    /// person's settings first.
    package var variables: JSON.Object
    /// What a tool has to say in its `with`, by name; a name that ends with `?` may be missing. `nil`: not said.
    package var inputs: [String]?
    /// What a job costs where its tool does not say.
    package var price: Dollars?
    package var pace: Pace
    package var timeouts: Timeouts
    /// How long the provider keeps a result; `nil` if it does not say.
    package var retentionSeconds: Double?
    package var idempotency: Idempotency
    /// By name: `submit` and `status` at least.
    package var requests: [String: Request]
    /// In order; the first that holds counts.
    package var states: [StateRule]
    /// Answers in a row with a word that the rules do not know, until the job counts as lost.
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
    /// The hash of its document in canonical form.
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

    /// What the engine has to know of it.
    package var terms: JobTerms {
        JobTerms(
            provider: id, title: title, idempotency: idempotency.mode, ambiguity: idempotency.ambiguity,
            cancelling: cancel.map { $0.isImmediate ? .immediate : .poll } ?? .unsupported,
            pollSeconds: pace.pollSeconds,
            concurrent: pace.concurrent, queuedSeconds: timeouts.queued, runningSeconds: timeouts.running,
            retentionSeconds: retentionSeconds, isLocal: isLocal, canLook: idempotency.probe != nil, canAdopt: canAdopt,
            cancelsUnnamed: cancel.flatMap { requests[$0.request] }.map { isAskable($0, without: captured) } ?? false)
    }

    /// Names that answers bring.
    package var captured: Set<String> {
        let captures = requests.values.flatMap(\.captures) + (idempotency.duplicate?.captures ?? [])
        return Set(captures.map(\.name)).union(["jobId"])
    }

    /// The names that stand for whole addresses.
    package var namedAddresses: Set<String> {
        Set(requests.values.compactMap { Blanks($0.url)?.only }.flatMap(\.choices).map(\.name)).intersection(captured)
    }

    /// Returns whether a job can be asked for its status where these names are not known.
    package func canWatch(without names: Set<String>) -> Bool {
        requests["status"].map { isAskable($0, without: names) } ?? false
    }

    /// Whether all that is asked after a submission can be asked knowing nothing of it but the job's id.
    private var canAdopt: Bool {
        let others = captured.subtracting(["jobId"])
        return requests.allSatisfy { $0.key == "submit" || isAskable($0.value, without: others) }
    }

    /// Whether a request needs none of these names.
    private func isAskable(_ request: Request, without names: Set<String>) -> Bool {
        func isFilled(_ values: [JSON]) -> Bool {
            Blanks.holes(in: .array(values))?.allSatisfy { hole in
                hole.isOptional || hole.choices.contains { !names.contains($0.name) }
            } ?? false
        }
        return ([request.url] + (request.fallback.map { [$0] } ?? [])).contains { isFilled([.string($0)]) }
            && isFilled(request.values)
    }

    /// Whether all of it is on this machine.
    package var isLocal: Bool { !hosts.isEmpty && hosts.allSatisfy(\.isLoopback) }

    /// Whom it speaks to that is not this machine: these need the person's consent before the first submission.
    package var remoteHosts: [RemoteHost] { hosts.compactMap(\.remote) }

    /// A key that is sent along. It goes to `sendTo` and nowhere else.
    package struct Auth: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable { case none, bearer, header, query, basic }

        package var kind: Kind
        /// The name under which the person keeps it: `EXAMPLE_API_KEY`.
        package var secret: String
        /// Of the header field or the query's parameter.
        package var name: String
        /// What stands before it in the field, such as `Bearer `.
        package var scheme: String
        package var sendTo: [HostGlob]
        /// Whether the provider may do without.
        package var isOptional: Bool
        /// The request by which a key is tried: a read that costs nothing and is answered only to who has one.
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
        /// Requests in a span of seconds.
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

    /// In seconds.
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
        /// Our id as the provider will know it, with blanks: what a job is asked for by when its submission is in
        /// doubt.
        package var id: String?
        /// The request that tells whether a job of ours is there: `status`, or the one that lists jobs.
        package var probe: String?
        /// How the provider says that it has a job of that id already.
        package var duplicate: AnswerRule?
        package var match: Match?

        package init() {}
    }

    /// An answer by its status, and by a pattern in its text.
    package struct AnswerRule: Hashable, Sendable {
        package var statuses: [Int]
        package var pattern: String?
        /// The parts of the answer that name the job: one that is there already may not have the id that we gave it.
        package var captures: [Request.Capture]

        package init(statuses: [Int], pattern: String? = nil, captures: [Request.Capture] = []) {
            self.statuses = statuses
            self.pattern = pattern
            self.captures = captures
        }
    }

    /// Which entry of the provider's list is our job: it was made around our intent, and these values are the same.
    package struct Match: Hashable, Sendable {
        package struct Equality: Hashable, Sendable {
            package var path: JobPath
            /// With blanks.
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
        /// Entries of a full page: if so many came and all are younger than our intent, ours may be on the next.
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
    /// Why a tool that names this provider cannot run there, as the end of a sentence that begins with its title; `nil`
    /// if nothing is wrong.
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
