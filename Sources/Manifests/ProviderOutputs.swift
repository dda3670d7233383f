import JSON
import Vocabulary

/// Readers for the outputs of a job, and for the recorded exchanges that test a manifest.
extension Fields {
    mutating func output(_ yaml: YAML) -> ProviderManifest.Output? {
        guard var fields = Fields(yaml, file: file, subject: "\(subject), outputs") else {
            report(
                .badField, line: yaml.line,
                "An output is an object such as {port: image, type: image, from: status, path: $.url, as: url}.")
            return nil
        }
        defer { add(fields.problems) }
        let form = fields.choice("as", ProviderManifest.Output.Form.self)
        if form == nil, fields.problems.isEmpty { fields.report(.missingField, "\"as\" is missing.") }
        let origin = fields.origin()
        var output = ProviderManifest.Output(
            port: fields.requiredText("port"), type: PortType(fields.text("type") ?? "any"), origin: origin ?? .status,
            form: form ?? .json)
        output.line = yaml.line
        output.path = fields.path("path")
        output.pattern = fields.pattern("regex")
        output.isMany = fields.flag("many") ?? false
        output.name = fields.path("name")
        if let download = fields.text("download"), download != "url" { output.download = download }
        switch fields.text("auth") ?? "none" {
        case "none": output.isSigned = false
        case "same": output.isSigned = true
        default: fields.report(.badField, at: "auth", "\"auth\" must be same or none.")
        }
        fields.refuseTheRest()
        fields.check(output)
        return output
    }

    private mutating func origin() -> ProviderManifest.Output.Origin? {
        let template = text("value")
        switch requiredText("from") {
        case "status": return .status
        case "result": return .result
        case "logs": return .logs
        case "kept": return .kept
        case "template":
            if let template { return .template(template) }
            report(.missingField, "\"value\" is missing: the text with its blanks.")
            return nil
        case "": return nil
        default:
            report(.badField, at: "from", "\"from\" must be status, result, logs, kept or template.")
            return nil
        }
    }

    private mutating func check(_ output: ProviderManifest.Output) {
        var isTemplate = false
        if case .template = output.origin { isTemplate = true }
        if output.pattern != nil, output.origin != .logs {
            report(.badField, at: "regex", "\"regex\" is only for outputs from logs.")
        }
        if output.form == .file, !isTemplate {
            report(
                .badField, at: "as",
                "A file of this machine is only named by a template of ours, never by the provider.")
        }
        if output.download != nil, output.form != .bytes {
            report(.badField, at: "download", "\"download\" is only for \"as: bytes\".")
        }
        if output.path == nil, output.pattern == nil, !isTemplate { report(.missingField, "\"path\" is missing.") }
    }

    mutating func fixture(_ yaml: YAML) -> ProviderManifest.Fixture? {
        guard var fields = Fields(yaml, file: file, subject: "\(subject), fixtures") else {
            report(.badField, line: yaml.line, "A fixture is {name, exchange: […], expect: {…}}.")
            return nil
        }
        defer { add(fields.problems) }
        let exchange = fields.list("exchange").compactMap { fields.exchange($0) }
        let known: Set<String> = [
            "answer", "state", "code", "message", "progress", "queuePosition", "transient", "retryAfter", "captured",
            "logTail", "items",
            "limit",
        ]
        let fixture = ProviderManifest.Fixture(
            name: fields.requiredText("name"), line: yaml.line, with: fields.object("with"), exchange: exchange,
            expect: fields.object("expect"))
        fields.refuseTheRest()
        if exchange.isEmpty { fields.report(.missingField, at: "exchange", "\"exchange\" is empty.") }
        if fixture.expect.isEmpty {
            fields.report(.missingField, at: "expect", "\"expect\" is empty: such a fixture cannot fail.")
        }
        for key in fixture.expect.keys where !known.contains(key) {
            fields.report(.unknownKey, line: fields.line(of: "expect", key), "\"\(key)\" can not be expected.")
        }
        return fixture
    }

    private mutating func exchange(_ yaml: YAML) -> ProviderManifest.Fixture.Exchange? {
        guard var fields = Fields(yaml, file: file, subject: subject) else {
            report(.badField, line: yaml.line, "An exchange is {request: status, http: 200, body: …}.")
            return nil
        }
        defer { add(fields.problems) }
        let exchange = ProviderManifest.Fixture.Exchange(
            request: fields.requiredText("request"), status: fields.whole("http") ?? 200,
            headers: fields.object("headers"),
            body: fields.take("body")?.json ?? "", sends: fields.object("sends"))
        fields.refuseTheRest()
        for key in exchange.sends.keys where !["method", "url", "headers", "json", "form"].contains(key) {
            fields.report(.unknownKey, line: fields.line(of: "sends", key), "\"\(key)\" is not known of what is sent.")
        }
        return exchange
    }
}
