import JSON
import Vocabulary

/// Readers for requests, and for the rules by which answers are read.
extension Fields {
    mutating func request(_ member: YAML.Member) -> ProviderManifest.Request? {
        guard var fields = Fields(member.value, file: file, subject: "\(subject), request \"\(member.key)\"") else {
            report(.badField, line: member.line, "The request \"\(member.key)\" must be an object of fields.")
            return nil
        }
        defer { add(fields.problems) }
        var request = ProviderManifest.Request(method: fields.text("method") ?? "GET", url: fields.requiredText("url"))
        if !["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].contains(request.method) {
            fields.report(.badField, at: "method", "\"method\" must be GET, POST, PUT, PATCH, DELETE or HEAD.")
        }
        request.fallback = fields.text("fallback")
        request.headers = fields.object("headers")
        request.query = fields.object("query")
        request.body = fields.body()
        let ok = fields.wholes("ok")
        if !ok.isEmpty { request.ok = ok }
        request.captures = fields.captures("capture")
        request.keepsAnswer = fields.flag("keep") ?? false
        request.timeoutSeconds = fields.duration("timeout")
        request.isSigned = fields.isSigned(unlessSaid: true)
        fields.refuseTheRest()
        return request
    }

    /// Returns whether the key is sent, written as `auth: same` or `auth: none`.
    private mutating func isSigned(unlessSaid: Bool) -> Bool {
        guard let yaml = take("auth") else { return unlessSaid }
        switch yaml.json.string {
        case "same": return true
        case "none": return false
        default:
            report(.badField, line: yaml.line, "\"auth\" must be same or none.")
            return false
        }
    }

    private mutating func body() -> ProviderManifest.Request.Body {
        var bodies: [ProviderManifest.Request.Body] = []
        if let json = take("json") { bodies.append(.json(json.json)) }
        if take("form") != nil { bodies.append(.form(object("form"))) }
        if take("multipart") != nil { bodies.append(.multipart(object("multipart"))) }
        if let raw = text("raw") { bodies.append(.raw(raw)) }
        if bodies.count > 1 {
            report(.badField, "Only one of \"json\", \"form\", \"multipart\" and \"raw\" can be the body.")
        }
        return bodies.first ?? .none
    }

    mutating func condition(_ yaml: YAML) -> ProviderManifest.Condition? {
        guard var fields = Fields(yaml, file: file, subject: subject) else {
            report(.badField, line: yaml.line, "A condition is an object such as {path: $.status, in: [done]}.")
            return nil
        }
        defer { add(fields.problems) }
        for (key, make) in [("all", ProviderManifest.Condition.all), ("any", ProviderManifest.Condition.any)]
        where fields.take(key) != nil {
            let parts = fields.list(key)
            let conditions = parts.compactMap { fields.condition($0) }
            fields.refuseTheRest()
            if conditions.isEmpty, fields.problems.isEmpty {
                fields.report(.badField, at: key, "\"\(key)\" is empty.")
            }
            return conditions.count == parts.count ? make(conditions) : nil
        }
        guard let path = fields.path("path") else {
            if fields.problems.isEmpty {
                fields.report(.missingField, "A condition needs \"path\", \"all\" or \"any\".")
            }
            return nil
        }
        var conditions: [ProviderManifest.Condition] = []
        if fields.take("in") != nil { conditions.append(.among(path, fields.list("in").map(\.json))) }
        if let equals = fields.take("equals") { conditions.append(.among(path, [equals.json])) }
        if let exists = fields.flag("exists") { conditions.append(.exists(path, exists)) }
        if let pattern = fields.pattern("matches") { conditions.append(.matches(path, pattern)) }
        fields.refuseTheRest()
        if conditions.isEmpty, fields.problems.isEmpty {
            fields.report(.missingField, "A condition needs one of \"in\", \"equals\", \"exists\" and \"matches\".")
        }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    mutating func stateRule(_ yaml: YAML) -> ProviderManifest.StateRule? {
        guard var fields = Fields(yaml, file: file, subject: "\(subject), states") else {
            report(
                .badField, line: yaml.line,
                "A rule is an object such as {when: {path: $.status, in: [done]}, to: downloading}.")
            return nil
        }
        defer { add(fields.problems) }
        let condition = fields.take("when").flatMap { fields.condition($0) }
        let statuses = fields.wholes("http")
        guard let target = fields.choice("to", ProviderManifest.StateRule.Target.self) else {
            if fields.problems.isEmpty { fields.report(.missingField, "\"to\" is missing.") }
            return nil
        }
        var rule = ProviderManifest.StateRule(condition, statuses: statuses, to: target)
        rule.code = fields.source("code")
        rule.message = fields.source("message")
        rule.after = fields.whole("after") ?? 1
        fields.refuseTheRest()
        if condition == nil, statuses.isEmpty, fields.problems.isEmpty {
            fields.report(.missingField, "A rule needs \"when\" or \"http\".")
        }
        if !(1...100).contains(rule.after) { fields.report(.badField, at: "after", "\"after\" is from 1 to 100.") }
        if rule.after > 1, target != .failed {
            fields.report(.badField, at: "after", "\"after\" is only for rules to failed.")
        }
        if condition == nil, statuses.contains(where: { $0 == 404 || $0 == 410 }),
            target != .failed || rule.after < Limits.jobStrikes
        {
            fields.report(
                .badField,
                "A job that the provider does not know is failed, after \(Limits.jobStrikes) answers at least: {http: 404, to: failed, after: 2}."
            )
        }
        return rule
    }

    mutating func progress() -> ProviderManifest.Progress? {
        var progress: ProviderManifest.Progress?
        nested("progress") { fields in
            let scale = fields.number("scale") ?? 1
            if !(scale > 0) { fields.report(.badField, at: "scale", "\"scale\" must be above 0.") }
            if let path = fields.path("path") {
                progress = .path(path, scale: scale)
            } else if let pattern = fields.pattern("regex") {
                let source = fields.text("in") ?? "logs"
                guard source != "logs" else { return progress = .pattern(pattern, in: .logs, scale: scale) }
                guard let path = JobPath(source) else {
                    return fields.report(.badPath, at: "in", "\"in\" must be logs or a path.")
                }
                progress = .pattern(pattern, in: .path(path), scale: scale)
            } else if let done = fields.path("done"), let total = fields.path("total") {
                progress = .ratio(done: done, total: total)
            } else if fields.problems.isEmpty {
                fields.report(.missingField, "Progress is {path, scale}, {regex, in, scale} or {done, total}.")
            }
        }
        return progress
    }

    mutating func logs() -> ProviderManifest.Logs? {
        var logs: ProviderManifest.Logs?
        nested("logs") { fields in
            guard let path = fields.path("path") else { return fields.report(.missingField, "\"path\" is missing.") }
            logs = ProviderManifest.Logs(
                request: fields.text("request"), path: path,
                mode: fields.choice("mode", ProviderManifest.Logs.Mode.self) ?? .whole,
                text: fields.path("text"))
        }
        return logs
    }

    mutating func cancel() -> ProviderManifest.Cancel? {
        var cancel: ProviderManifest.Cancel?
        nested("cancel") { fields in
            var found = ProviderManifest.Cancel(request: fields.requiredText("request"))
            switch fields.text("settle") ?? "poll" {
            case "poll": break
            case "immediate": found.isImmediate = true
            default: fields.report(.badField, at: "settle", "\"settle\" must be poll or immediate.")
            }
            found.noop = fields.list("noop").compactMap { fields.condition($0) }
            found.unsupported = fields.wholes("unsupported")
            cancel = found
        }
        return cancel
    }

    mutating func errors() -> ProviderManifest.Errors {
        var errors = ProviderManifest.Errors()
        nested("errors") { fields in
            errors.message = fields.sources("message")
            errors.code = fields.sources("code")
            if fields.take("transient") != nil { errors.transient = fields.wholes("transient") }
            errors.permanent = fields.wholes("permanent")
            fields.nested("retryAfter") { wait in
                errors.retryAfterHeader = wait.text("header")?.lowercased()
                errors.retryAfterPattern = wait.pattern("body")
            }
            for hint in fields.mapping("hints") {
                if let words = hint.value.json.string {
                    errors.hints[hint.key] = words
                } else {
                    fields.report(.badField, line: hint.line, "A hint is a text.")
                }
            }
        }
        return errors
    }
}
