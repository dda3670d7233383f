import JSON
package import Vocabulary

/// Reads the providers of a manifest file (`jobs.http/v1`, one document each) and reports all problems at once. A
/// provider with a problem is left out, and the others stay valid.
///
/// - Parameters:
///   - file: the name of the file in problems (`mine.yaml:12`).
///   - variables: the user's values for the variables of a provider, by its id. They override those of the manifest.
///   - hash: the SHA-256 of a text. The caller passes this function, since Manifests has no cryptography.
package func readProviders(
    _ text: some ConfigText, file: String, isShipped: Bool,
    variables: (String) -> WrittenSettings.Provider? = { _ in nil },
    hash: (String) -> ContentHash
) -> (providers: [ProviderManifest], problems: [Problem]) {
    let (providers, problems): ([ProviderManifest], [Problem]) = readManifests(
        text, file: file, key: "id", noun: "provider"
    ) {
        fields, document, others in
        var provider = fields.provider(variables)
        fields.refuseTheRest()
        if others.contains(where: { $0.id == provider.id }) {
            fields.report(.duplicateProvider, at: "id", "This id is in the file twice.")
        }
        if fields.problems.isEmpty { fields.check(provider) }
        provider.isShipped = isShipped
        provider.version = hash(document.json.canonical)
        return provider
    }
    return (providers, problems)
}

extension Fields {
    fileprivate mutating func provider(_ settings: (String) -> WrittenSettings.Provider?) -> ProviderManifest {
        if let kind = take("kind"), kind.json != "jobs.http/v1" {
            report(.badSchema, line: kind.line, "\"kind\" must be jobs.http/v1; this version reads no other.")
        } else if take("kind") == nil {
            report(.missingField, "\"kind: jobs.http/v1\" is missing.")
        }
        let id = requiredText("id")
        let isSlug =
            id.utf8.count <= 64
            && id.unicodeScalars.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars.contains($0) }
        if !isSlug { report(.badField, at: "id", "\"id\" must be small letters, digits and hyphens.") }
        var provider = ProviderManifest(id: id, title: text("title") ?? id)
        provider.variables = object("variables")
        let own = settings(id)
        for member in own?.values.members ?? [] {
            guard provider.variables[member.key] != nil else {
                let hint = NearestWord.hint(for: member.key, among: provider.variables.keys)
                let words = "\(id): The settings give \"\(member.key)\", which is no variable of this provider. \(hint)"
                add([Problem(.unknownVariable, at: own?.place(of: member.key) ?? "\(file):\(line)", words)])
                continue
            }
            provider.variables[member.key] = member.value
        }
        provider.hosts = hosts("hosts", provider.variables)
        if provider.hosts.isEmpty, problems.isEmpty {
            report(.missingField, at: "hosts", "\"hosts\" is missing: no request may leave without one.")
        }
        provider.auth = auth(provider)
        provider.inputs = take("inputs") == nil ? nil : texts("inputs")
        provider.price = dollars("price")
        pace(&provider.pace)
        timeouts(&provider.timeouts)
        nested("retention") { provider.retentionSeconds = $0.duration("result") }
        provider.idempotency = idempotency()
        for member in mapping("requests") { provider.requests[member.key] = request(member) }
        provider.states = list("states").compactMap { stateRule($0) }
        provider.unknownLimit = max(Limits.jobStrikes, whole("unknownAfter") ?? Limits.jobStrikes)
        provider.progress = progress()
        provider.queuePosition = path("queuePosition")
        provider.logs = logs()
        provider.outputs = list("outputs").compactMap { output($0) }
        provider.cancel = cancel()
        provider.errors = errors()
        nested("webhook") { fields in
            // The body of an incoming call would only be a hint.
            _ = fields.flag("hint")
            provider.webhook = ProviderManifest.Webhook(
                param: fields.requiredText("param"),
                verify: fields.choice("verify", ProviderManifest.Webhook.Verify.self) ?? .none)
        }
        provider.fixtures = list("fixtures").compactMap { fixture($0) }
        return provider
    }

    /// Returns patterns for hosts, in which variables are replaced by their values.
    private mutating func hosts(_ key: String, _ variables: JSON.Object) -> [HostGlob] {
        let line = take(key)?.line
        return (texts(key) ?? []).compactMap { written in
            guard let text = Blanks(written)?.filled(from: variables), let pattern = HostGlob(text) else {
                report(
                    .badHost, line: line,
                    "\"\(written)\" is no host such as api.example.com, *.example.com or 127.0.0.1:8080.")
                return nil
            }
            return pattern
        }
    }

    private mutating func auth(_ provider: ProviderManifest) -> ProviderManifest.Auth? {
        guard let yaml = take("auth") else { return nil }
        guard var fields = Fields(yaml, file: file, subject: "\(subject), auth") else {
            report(.badField, line: yaml.line, "\"auth\" must be an object such as {type: bearer, secret: NAME}.")
            return nil
        }
        defer { add(fields.problems) }
        let kind = fields.choice("type", ProviderManifest.Auth.Kind.self) ?? .none
        let sendTo = fields.hosts("sendTo", provider.variables)
        let auth = ProviderManifest.Auth(
            kind, secret: fields.text("secret") ?? "",
            name: fields.text("header") ?? fields.text("name") ?? "Authorization",
            scheme: fields.text("scheme") ?? (kind == .bearer ? "Bearer " : ""),
            sendTo: sendTo.isEmpty ? Array(provider.hosts.prefix(1)) : sendTo,
            isOptional: fields.flag("optional") ?? false,
            probe: fields.text("probe"))
        fields.refuseTheRest()
        guard kind != .none else { return nil }
        let isName = auth.secret.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0))
        }
        if auth.secret.isEmpty || !isName || auth.secret.utf8.count > 128 {
            fields.report(.badField, at: "secret", "\"secret\" must be the name of a key: letters, digits and _.")
        }
        for pattern in auth.sendTo where !provider.hosts.contains(where: { $0.covers(pattern) }) {
            fields.report(.badHost, at: "sendTo", "The key would go to \(pattern), which is not among \"hosts\".")
        }
        return auth
    }

    private mutating func pace(_ pace: inout ProviderManifest.Pace) {
        nested("limits") { fields in
            if let most = fields.whole("concurrent") {
                if (1...1_000).contains(most) {
                    pace.concurrent = most
                } else {
                    fields.report(.badField, at: "concurrent", "\"concurrent\" is from 1 to 1000.")
                }
            }
            pace.submit = fields.rate("submit")
            pace.other = fields.rate("other")
            let least = fields.duration("pollMin") ?? 0.05
            pace.pollSeconds = max(fields.duration("pollEvery") ?? pace.pollSeconds, least, 0.05)
        }
    }

    private mutating func timeouts(_ timeouts: inout ProviderManifest.Timeouts) {
        nested("timeouts") { fields in
            timeouts.connect = fields.duration("connect") ?? timeouts.connect
            timeouts.request = fields.duration("request") ?? timeouts.request
            timeouts.queued = fields.duration("queued") ?? timeouts.queued
            timeouts.running = fields.duration("running") ?? timeouts.running
        }
    }

    private mutating func idempotency() -> ProviderManifest.Idempotency {
        var found = ProviderManifest.Idempotency()
        nested("idempotency") { fields in
            found.mode = fields.choice("mode", JobTerms.Idempotency.self) ?? .none
            found.ambiguity = fields.choice("ambiguous", JobTerms.Ambiguity.self) ?? .ask
            found.id = fields.text("id")
            found.probe = fields.text("find") ?? fields.text("probe")
            fields.nested("duplicate") { rule in
                found.duplicate = ProviderManifest.AnswerRule(
                    statuses: rule.wholes("http"), pattern: rule.pattern("bodyMatches"),
                    captures: rule.captures("capture"))
            }
            fields.nested("match") { match in
                guard let path = match.path("path") else { return match.report(.missingField, "\"path\" is missing.") }
                found.match = ProviderManifest.Match(
                    path: path, created: match.path("created"), withinSeconds: match.duration("within") ?? 120,
                    equal: match.equalities(),
                    page: match.whole("page"))
            }
        }
        return found
    }

    /// Returns equalities, written as `[[$.model, "{model}"], …]`.
    private mutating func equalities() -> [ProviderManifest.Match.Equality] {
        list("equal").compactMap { yaml in
            guard let pair = yaml.json.array, pair.count == 2, let path = pair[0].string.flatMap({ JobPath($0) }) else {
                report(.badField, line: yaml.line, "An equality is a pair: [$.path, value].")
                return nil
            }
            return ProviderManifest.Match.Equality(path: path, value: pair[1])
        }
    }
}

extension Blanks {
    /// Returns the text with its blanks filled in from `values`, or `nil` if a value is missing.
    func filled(from values: JSON.Object) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let words): text += words
            case .hole(let hole):
                guard hole.parts.isEmpty, let value = values[hole.name] else { return nil }
                text += value.string ?? value.text
            }
        }
        return text
    }
}
