import JSON
import Vocabulary

/// Readers for values that manifests of providers have and manifests of tools lack: times, rates, paths, patterns.
extension Fields {
    /// Reads the mapping under a key, if it exists, and reports its members that `read` does not use.
    mutating func nested(_ key: String, _ read: (inout Fields) -> Void) {
        guard let yaml = take(key) else { return }
        guard var fields = Fields(yaml, file: file, subject: "\(subject), \(key)", hasColumns: hasColumns) else {
            report(.badField, at: yaml, "\"\(key)\" must be an object, not \(yaml.json.kindInWords).")
            return
        }
        read(&fields)
        fields.refuseTheRest()
        add(fields.problems)
    }

    /// Returns an object as it is written, or an empty one if the key is missing.
    mutating func object(_ key: String) -> JSON.Object {
        guard let yaml = take(key) else { return JSON.Object() }
        if let object = yaml.json.object { return object }
        report(.badField, at: yaml, "\"\(key)\" must be an object, not \(yaml.json.kindInWords).")
        return JSON.Object()
    }

    mutating func whole(_ key: String) -> Int? {
        guard let yaml = take(key) else { return nil }
        if let number = yaml.json.int { return number }
        report(.badField, at: yaml, "\"\(key)\" must be a whole number.")
        return nil
    }

    /// Returns HTTP statuses, written as `404` or `[400, 404]`.
    mutating func wholes(_ key: String) -> [Int] {
        guard let yaml = take(key) else { return [] }
        let numbers = yaml.json.array ?? [yaml.json]
        let statuses = numbers.compactMap(\.int).filter { (100...599).contains($0) }
        if statuses.count != numbers.count {
            report(.badField, at: yaml, "\"\(key)\" must be statuses of HTTP such as 404.")
        }
        return statuses
    }

    /// Returns a time in seconds, written as `10s`, `500ms`, `2m`, `1h`, `7d`, or a number of seconds.
    mutating func duration(_ key: String) -> Double? {
        guard let yaml = take(key) else { return nil }
        if let seconds = Self.seconds(yaml.json) { return seconds }
        report(.badField, at: yaml, "\"\(key)\" must be a time such as 10s, 2m or 1h, ten years at most.")
        return nil
    }

    private static func seconds(_ json: JSON) -> Double? {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
        let text = json.string ?? ""
        let unit = units.first { text.hasSuffix($0.0) }
        let seconds =
            json.number ?? unit.flatMap { unit in plainNumber(text.dropLast(unit.0.count)).map { $0 * unit.1 } }
        return seconds.flatMap { $0 > 0 && $0 <= Limits.longestWaitSeconds ? $0 : nil }
    }

    private static func plainNumber(_ text: Substring) -> Double? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(text) : nil
    }

    /// Returns a rate, written as `600/1m`.
    mutating func rate(_ key: String) -> ProviderManifest.Rate? {
        guard let yaml = take(key) else { return nil }
        let parts = (yaml.json.string ?? "").split(separator: "/")
        if parts.count == 2, let requests = Int(parts[0]), requests > 0,
            let seconds = Self.seconds(.string(String(parts[1])))
        {
            return ProviderManifest.Rate(requests: requests, seconds: seconds)
        }
        report(.badField, at: yaml, "\"\(key)\" must be requests in a time, such as 600/1m.")
        return nil
    }

    /// Returns a price or a limit in dollars, written as `0.04`.
    mutating func dollars(_ key: String) -> Dollars? {
        guard let yaml = take(key) else { return nil }
        if let dollars = Dollars(yaml.json) { return dollars }
        report(
            .badField, line: yaml.line,
            "\"\(key)\" must be dollars such as 0.04: not negative, with six places at most, and no more than \(Limits.mostPriceDollars)."
        )
        return nil
    }

    mutating func path(_ key: String) -> JobPath? {
        guard let yaml = take(key) else { return nil }
        if let path = yaml.json.string.flatMap({ JobPath($0) }) { return path }
        report(.badPath, at: yaml, "\"\(key)\" must be a path such as $.status, $.items[0].url or $.files[*].")
        return nil
    }

    /// Returns a source, written as `$.path`, `header:Name`, or fixed words.
    mutating func source(_ key: String) -> ProviderManifest.Source? {
        take(key).flatMap { source(of: $0) }
    }

    mutating func sources(_ key: String) -> [ProviderManifest.Source] {
        guard let yaml = take(key) else { return [] }
        if case .list(let elements) = yaml.value { return elements.compactMap { source(of: $0) } }
        return source(of: yaml).map { [$0] } ?? []
    }

    mutating func source(of yaml: YAML) -> ProviderManifest.Source? {
        guard let text = yaml.json.string, !text.isEmpty else {
            report(.badField, at: yaml, "Here belongs a path such as $.error, or header:Name.")
            return nil
        }
        if text.hasPrefix("header:") { return .header(String(text.dropFirst("header:".count)).lowercased()) }
        guard text.hasPrefix("$") else { return .words(text) }
        if let path = JobPath(text) { return .path(path) }
        report(.badPath, at: yaml, "\(text) is no path.")
        return nil
    }

    /// Returns the text of a regular expression that can be read and always ends in bounded time.
    mutating func pattern(_ key: String) -> String? {
        guard let yaml = take(key) else { return nil }
        let text = yaml.json.string ?? ""
        do throws(LinePatternFault) {
            _ = try LinePattern(text)
            return text
        } catch {
            report(.badPattern, at: yaml, "\"\(key)\" cannot be used: it \(error.words).")
            return nil
        }
    }

    /// Reads `{jobId: $.id, statusUrl: "header:Location", name: {from: $.self, regex: "([^/]+)$"}}`.
    mutating func captures(_ key: String) -> [ProviderManifest.Request.Capture] {
        mapping(key).compactMap { member in
            guard case .mapping = member.value.value,
                var part = Fields(member.value, file: file, subject: "\(subject), \(member.key)")
            else {
                return source(of: member.value).map { ProviderManifest.Request.Capture(member.key, $0) }
            }
            defer { add(part.problems) }
            let (source, pattern) = (part.source("from"), part.pattern("regex"))
            part.refuseTheRest()
            if part.problems.isEmpty, source == nil || pattern == nil {
                part.report(.missingField, "A part of an answer is {from: $.path, regex: '…'}.")
            }
            return source.map { ProviderManifest.Request.Capture(member.key, $0, pattern: pattern) }
        }
    }
}
