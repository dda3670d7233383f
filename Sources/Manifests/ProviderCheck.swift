import JSON
import Vocabulary

/// Checks that need the whole manifest. They run after all parts of it were read without problems.
extension Fields {
    mutating func check(_ provider: ProviderManifest) {
        for name in ["submit", "status"] where provider.requests[name] == nil {
            report(.missingField, line: line(of: "requests"), "The request \"\(name)\" is missing.")
        }
        for (name, request) in provider.requests.sorted(by: { $0.key < $1.key }) {
            checkAddress(request.url, of: name, provider, line: line(of: "requests", name, "url"))
            if let fallback = request.fallback {
                checkAddress(fallback, of: name, provider, line: line(of: "requests", name, "fallback"))
            }
            checkBlanks(of: request, name, provider)
        }
        checkStates(provider)
        checkIdempotency(provider)
        checkNames(provider)
        checkProbe(provider)
        checkOutputs(provider)
    }

    /// Reports an address that is not https, unless all hosts are on this machine. If the host is known already, it
    /// must match an allowed one.
    private mutating func checkAddress(_ url: String, of name: String, _ provider: ProviderManifest, line: Int) {
        guard let blanks = Blanks(url) else {
            return report(.badTemplate, line: line, "The address of \"\(name)\" has a brace without its partner.")
        }
        if case .hole? = blanks.pieces.first { return }
        guard let scheme = ["https", "http"].first(where: { url.hasPrefix("\($0)://") }) else {
            return report(
                .badURL, line: line, "The address of \"\(name)\" must begin with https:// or http://, or be a blank.")
        }
        let rest = url.dropFirst(scheme.count + 3)
        let authority = String(rest.prefix { !"/?#".contains($0) })
        // In `{host}{route}` the text behind the first blank belongs to the path.
        let host = authority.hasPrefix("{") ? String(authority.prefix { $0 != "}" }) + "}" : authority
        guard let filled = Blanks(host)?.filled(from: provider.variables) else {
            if scheme == "http", !provider.isLocal {
                report(
                    .badURL, line: line, "The address of \"\(name)\" must be https: not all hosts are on this machine."
                )
            }
            return
        }
        guard let pattern = HostGlob(filled) else {
            return report(.badHost, line: line, "\"\(filled)\" in the address of \"\(name)\" is no host.")
        }
        if scheme == "http", !pattern.isLoopback {
            report(.badURL, line: line, "The address of \"\(name)\" must be https: \(filled) is not this machine.")
        }
        let port = filled.split(separator: ":").count > 1 ? filled.split(separator: ":").last.flatMap { Int($0) } : nil
        let bare = port.map { String(filled.dropLast(String($0).count + 1)) } ?? filled
        let isAllowed = provider.hosts.contains {
            $0.matches(scheme: scheme, host: bare.lowercased(), port: port ?? (scheme == "https" ? 443 : 80))
        }
        if !isAllowed { report(.badHost, line: line, "\"\(name)\" asks \(filled), which is not among \"hosts\".") }
    }

    private mutating func checkBlanks(
        of request: ProviderManifest.Request, _ name: String, _ provider: ProviderManifest
    ) {
        let addresses = [request.url, request.fallback].compactMap { $0 }.map { JSON.string($0) }
        let values = addresses + request.values
        guard let holes = Blanks.holes(in: .array(values)) else {
            let broken = self.text(of: values) { Blanks($0) == nil } ?? ""
            return report(
                .badTemplate, line: line(of: "requests", name, holding: broken),
                "A text of \"\(name)\" has a brace without its partner; {{ and }} are the braces themselves.")
        }
        let captured = provider.captured
        for hole in holes.flatMap(\.choices) {
            switch hole.name {
            case "jobKey" where hole.parts.isEmpty || hole.parts == ["uuid"]: continue
            case "engineId", "deadlineSeconds", "workspace": if hole.parts.isEmpty { continue }
            case "item":
                if provider.outputs.contains(where: { $0.download == name }) { continue }
            case _ where captured.contains(hole.name):
                if name != "submit" || hole.isOptional || provider.knows(input: hole.name) { continue }
            case _ where provider.variables[hole.name] != nil: continue
            default: if provider.inputs == nil || provider.knows(input: hole.name) { continue }
            }
            let text = text(with: hole, in: values) ?? ""
            report(
                .unknownPlaceholder, line: line(of: "requests", name, holding: text),
                "\"{\(hole)}\" in \"\(name)\" stands for nothing that is known then.")
        }
    }

    /// Returns the first text with a certain blank, in values and in their members.
    func text(with hole: Blanks.Hole, in values: [JSON]) -> String? {
        text(of: values) { Blanks($0)?.holes.contains { $0.choices.contains(hole) } ?? false }
    }

    /// Returns the first text that meets a condition, in values and in their members.
    private func text(of values: [JSON], where isMeant: (String) -> Bool) -> String? {
        for value in values {
            switch value {
            case .string(let text): if isMeant(text) { return text }
            case .array(let elements): if let found = text(of: elements, where: isMeant) { return found }
            case .object(let object):
                if let found = text(of: object.members.map(\.value), where: isMeant) { return found }
            case .null, .bool, .int, .double: break
            }
        }
        return nil
    }

    private mutating func checkStates(_ provider: ProviderManifest) {
        for target in [ProviderManifest.StateRule.Target.downloading, .failed]
        where !provider.states.contains(where: { $0.target == target }) {
            report(
                .missingField, line: line(of: "states"),
                "No rule of \"states\" leads to \(target.rawValue): a job could not end.")
        }
    }

    private mutating func checkIdempotency(_ provider: ProviderManifest) {
        let idempotency = provider.idempotency
        let line = line(of: "idempotency")
        guard let submit = provider.requests["submit"] else { return }
        func carries(_ values: [JSON]) -> Bool {
            Blanks.holes(in: .array(values))?.contains { $0.name == "jobKey" } ?? false
        }
        switch idempotency.mode {
        case .put:
            if submit.method != "PUT" || !carries([.string(submit.url)]) {
                report(
                    .badIdempotency, line: line, "Mode put needs a submit that is a PUT with {jobKey} in its address.")
            }
        case .clientId:
            let namesIt = idempotency.duplicate?.captures.contains { $0.name == "jobId" } ?? false
            if idempotency.id == nil, idempotency.probe != nil || !namesIt {
                report(.badIdempotency, line: line, "Mode clientId needs \"id\": ours, as the provider will know it.")
            }
            if !carries(submit.values + [.string(submit.url)]) {
                report(.badIdempotency, line: line, "Mode clientId needs {jobKey} in what is submitted.")
            }
            if idempotency.probe == nil, idempotency.duplicate == nil {
                report(
                    .badIdempotency, line: line,
                    "Mode clientId needs \"probe\" or \"duplicate\": how a job that is there already is recognised.")
            }
        case .header:
            if !carries(submit.values + [.string(submit.url)]) {
                report(
                    .badIdempotency, line: line,
                    "Mode header needs {jobKey} in submit: in a header field, or wherever the provider wants it.")
            }
        case .reconcile:
            if idempotency.probe == nil || idempotency.match == nil {
                report(
                    .badIdempotency, line: line,
                    "Mode reconcile needs \"find\" and \"match\": the list, and which entry is ours.")
            }
        case .none:
            if idempotency.ambiguity == .retry {
                report(
                    .badIdempotency, line: line,
                    "Without idempotency a submission in doubt is not repeated: it could buy the job twice.")
            }
        }
        if let id = idempotency.id, Blanks(id) == nil {
            report(.badTemplate, line: self.line(of: "idempotency", "id"), "\"id\" has a brace without its partner.")
        }
        if let match = idempotency.match, Blanks.holes(in: .array(match.equal.map(\.value))) == nil {
            report(
                .badTemplate, line: self.line(of: "idempotency", "match", "equal"),
                "\"equal\" has a brace without its partner.")
        }
    }

    /// Reports every name of a request that the manifest does not define.
    private mutating func checkNames(_ provider: ProviderManifest) {
        func refuse(_ place: String, _ name: String?, line: Int) {
            guard let name, provider.requests[name] == nil else { return }
            report(.unknownRequest, line: line, "\"\(place)\" names the request \"\(name)\", which is not there.")
        }
        let probe = provider.idempotency.probe
        refuse("idempotency", probe, line: line(of: "idempotency", holding: probe ?? ""))
        refuse("cancel", provider.cancel?.request, line: line(of: "cancel", "request"))
        refuse("logs", provider.logs?.request, line: line(of: "logs", "request"))
        for output in provider.outputs {
            refuse("outputs", output.download, line: output.line)
            if output.origin == .result { refuse("outputs", "result", line: output.line) }
        }
        for fixture in provider.fixtures {
            for exchange in fixture.exchange { refuse("fixtures", exchange.request, line: fixture.line) }
        }
    }

    /// Reports a request for the test of a key that has side effects, sends a body, or needs data of a job.
    private mutating func checkProbe(_ provider: ProviderManifest) {
        guard let auth = provider.auth, let name = auth.probe else { return }
        let line = line(of: "auth", "probe")
        guard let request = provider.requests[name] else {
            return report(.unknownRequest, line: line, "\"auth\" names the request \"\(name)\", which is not there.")
        }
        if !["GET", "HEAD"].contains(request.method) || request.body != .none || !request.isSigned {
            report(
                .badField, line: line, "A key is tried by a GET or HEAD without a body that the key goes along with.")
        }
        let holes = Blanks.holes(in: .array([.string(request.url)] + request.values)) ?? []
        if holes.contains(where: { hole in hole.choices.contains { provider.variables[$0.name] == nil } }) {
            report(
                .badField, line: line,
                "A key is tried before there is a job: \"\(name)\" has only variables as blanks.")
        }
    }

    private mutating func checkOutputs(_ provider: ProviderManifest) {
        for (place, output) in provider.outputs.enumerated() {
            if output.origin == .logs, provider.logs == nil {
                report(.missingField, line: output.line, "An output is from logs, and \"logs\" is missing.")
            }
            if output.pattern != nil, provider.logs?.mode == .append {
                report(
                    .badField, line: output.line,
                    "An output by \"regex\" needs the whole log; mode append has only what came since."
                )
            }
            if output.origin == .kept, !provider.requests.values.contains(where: \.keepsAnswer) {
                report(.missingField, line: output.line, "An output is kept, and no request says \"keep: true\".")
            }
            if output.form == .file, !provider.isLocal {
                report(.badField, line: output.line, "\"as: file\" is only for providers on this machine.")
            }
            if provider.outputs[..<place].contains(where: { $0.port == output.port }) {
                report(.duplicatePort, line: output.line, "Two outputs have the same port.")
            }
        }
        if provider.outputs.isEmpty {
            report(.missingField, line: line(of: "outputs"), "\"outputs\" is missing: nothing would come of a job.")
        }
    }
}

extension ProviderManifest {
    fileprivate func knows(input name: String) -> Bool {
        inputs.map { $0.contains(name) || $0.contains("\(name)?") } ?? false
    }
}
