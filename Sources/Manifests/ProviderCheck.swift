import JSON
import Vocabulary

/// What only the whole manifest shows. Called when its parts are good.
extension Fields {
    mutating func check(_ provider: ProviderManifest) {
        for name in ["submit", "status"] where provider.requests[name] == nil {
            report("missingField", "The request \"\(name)\" is missing.")
        }
        for (name, request) in provider.requests.sorted(by: { $0.key < $1.key }) {
            for url in [request.url, request.fallback].compactMap({ $0 }) { checkAddress(url, of: name, provider) }
            checkBlanks(of: request, name, provider)
        }
        checkStates(provider)
        checkIdempotency(provider)
        checkNames(provider)
    }

    /// Https unless on this machine; and where the host can be known already, it is an allowed one.
    private mutating func checkAddress(_ url: String, of name: String, _ provider: ProviderManifest) {
        guard let blanks = Blanks(url) else {
            return report("badTemplate", "The address of \"\(name)\" has a brace without its partner.")
        }
        if case .hole? = blanks.pieces.first { return }
        guard let scheme = ["https", "http"].first(where: { url.hasPrefix("\($0)://") }) else {
            return report("badURL", "The address of \"\(name)\" must begin with https:// or http://, or be a blank.")
        }
        let rest = url.dropFirst(scheme.count + 3)
        let authority = String(rest.prefix { !"/?#".contains($0) })
        // `{host}{route}`: the rest behind the first blank is of the path.
        let host = authority.hasPrefix("{") ? String(authority.prefix { $0 != "}" }) + "}" : authority
        guard let filled = Blanks(host)?.filled(from: provider.variables) else {
            if scheme == "http", !provider.isLocal {
                report("badURL", "The address of \"\(name)\" must be https: not all hosts are on this machine.")
            }
            return
        }
        guard let pattern = HostGlob(filled) else { return report("badHost", "\"\(filled)\" in the address of \"\(name)\" is no host.") }
        if scheme == "http", !pattern.isLoopback {
            report("badURL", "The address of \"\(name)\" must be https: \(filled) is not this machine.")
        }
        let port = filled.split(separator: ":").count > 1 ? filled.split(separator: ":").last.flatMap { Int($0) } : nil
        let bare = port == nil ? filled : String(filled.dropLast(String(port!).count + 1))
        let isAllowed = provider.hosts.contains {
            $0.matches(scheme: scheme, host: bare.lowercased(), port: port ?? (scheme == "https" ? 443 : 80))
        }
        if !isAllowed { report("badHost", "\"\(name)\" asks \(filled), which is not among \"hosts\".") }
    }

    private mutating func checkBlanks(of request: ProviderManifest.Request, _ name: String, _ provider: ProviderManifest) {
        let addresses = [request.url, request.fallback].compactMap { $0 }.map { JSON.string($0) }
        let values = addresses + request.values
        guard let holes = Blanks.holes(in: .array(values)) else {
            return report("badTemplate", "A text of \"\(name)\" has a brace without its partner; {{ and }} are the braces themselves.")
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
            report("unknownPlaceholder", "\"{\(hole)}\" in \"\(name)\" stands for nothing that is known then.")
        }
    }

    private mutating func checkStates(_ provider: ProviderManifest) {
        for target in [ProviderManifest.StateRule.Target.downloading, .failed]
        where !provider.states.contains(where: { $0.target == target }) {
            report("missingField", "No rule of \"states\" leads to \(target.rawValue): a job could not end.")
        }
    }

    private mutating func checkIdempotency(_ provider: ProviderManifest) {
        let idempotency = provider.idempotency
        guard let submit = provider.requests["submit"] else { return }
        func carries(_ values: [JSON]) -> Bool { Blanks.holes(in: .array(values))?.contains { $0.name == "jobKey" } ?? false }
        var body: [JSON] = [.object(submit.query), .string(submit.url)]
        switch submit.body {
        case .none, .raw: break
        case .json(let json): body.append(json)
        case .form(let object), .multipart(let object): body.append(.object(object))
        }
        switch idempotency.mode {
        case .put:
            if submit.method != "PUT" || !carries([.string(submit.url)]) {
                report("badIdempotency", "Mode put needs a submit that is a PUT with {jobKey} in its address.")
            }
        case .clientId:
            if idempotency.id == nil { report("badIdempotency", "Mode clientId needs \"id\": ours, as the provider will know it.") }
            if !carries(body) { report("badIdempotency", "Mode clientId needs {jobKey} in what is submitted.") }
            if idempotency.probe == nil, idempotency.duplicate == nil {
                report("badIdempotency", "Mode clientId needs \"probe\" or \"duplicate\": how a job that is there already is recognised.")
            }
        case .header:
            if !carries([.object(submit.headers)]) { report("badIdempotency", "Mode header needs a header field with {jobKey} in submit.") }
        case .reconcile:
            if idempotency.probe == nil || idempotency.match == nil {
                report("badIdempotency", "Mode reconcile needs \"find\" and \"match\": the list, and which entry is ours.")
            }
        case .none:
            if idempotency.ambiguity == .retry {
                report("badIdempotency", "Without idempotency a submission in doubt is not repeated: it could buy the job twice.")
            }
        }
        if let id = idempotency.id, Blanks(id) == nil { report("badTemplate", "\"id\" has a brace without its partner.") }
        if let match = idempotency.match, Blanks.holes(in: .array(match.equal.map(\.value))) == nil {
            report("badTemplate", "\"equal\" has a brace without its partner.")
        }
    }

    /// Requests that are named are there.
    private mutating func checkNames(_ provider: ProviderManifest) {
        var named: [(String, String)] = []
        if let probe = provider.idempotency.probe { named.append(("idempotency", probe)) }
        if let request = provider.cancel?.request { named.append(("cancel", request)) }
        if let request = provider.logs?.request { named.append(("logs", request)) }
        for output in provider.outputs {
            if let download = output.download { named.append(("outputs", download)) }
            if output.origin == .result { named.append(("outputs", "result")) }
            if output.origin == .logs, provider.logs == nil { report("missingField", "An output is from logs, and \"logs\" is missing.") }
            if output.origin == .kept, !provider.requests.values.contains(where: \.keepsAnswer) {
                report("missingField", "An output is kept, and no request says \"keep: true\".")
            }
            if output.form == .file, !provider.isLocal { report("badField", "\"as: file\" is only for providers on this machine.") }
        }
        for fixture in provider.fixtures { named += fixture.exchange.map { ("fixtures", $0.request) } }
        for (place, name) in named where provider.requests[name] == nil {
            report("unknownRequest", "\"\(place)\" names the request \"\(name)\", which is not there.")
        }
        let ports = provider.outputs.map(\.port)
        if Set(ports).count != ports.count { report("duplicatePort", "Two outputs have the same port.") }
        if ports.isEmpty { report("missingField", "\"outputs\" is missing: nothing would come of a job.") }
    }
}

extension ProviderManifest {
    fileprivate func knows(input name: String) -> Bool { inputs.map { $0.contains(name) || $0.contains("\(name)?") } ?? false }
}
