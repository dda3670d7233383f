import JSON
import Vocabulary

extension Limits {
    /// The most names of fields in a list of fields that are sent back to a server.
    fileprivate static let echoedFields = 16

    /// The most bytes of a server's own word, such as that for effort, and of the name of a field.
    fileprivate static let modelWordBytes = 64

    /// The highest price of a model, in dollars for a million tokens. A higher number is a typing error.
    fileprivate static let mostDollars = 100_000.0
}

/// Readers for the settings that servers of models, some of their models, and connections have in common.
extension Fields {
    mutating func modelSettings() -> ModelSettings {
        var settings = ModelSettings()
        settings.dialect = choice("dialect", ModelProfile.Dialect.self)
        settings.keyHeader = header("key_header")
        settings.window = tokens("window")
        settings.maxTokens = tokens("max_tokens")
        settings.maxTokensField = choice("max_tokens_field", ModelProfile.MaxTokensField.self)
        settings.effort = word("effort")
        settings.prices = prices()
        settings.hasTools = flag("tools")
        settings.hasVision = flag("vision")
        settings.hasStrictSchemas = flag("strict")
        settings.usageInStream = flag("usage_in_stream")
        settings.parallelCalls = flag("parallel_calls")
        settings.systemRole = choice("system_role", ModelProfile.SystemRole.self)
        settings.cumulativeContent = flag("cumulative")
        settings.alternatesRoles = flag("alternates_roles")
        settings.echoFields = fieldNames("echo_fields")
        settings.messageEchoFields = fieldNames("message_echo_fields")
        settings.requiredEchoFields = fieldNames("required_echo_fields")
        settings.callIDForm = choice("call_ids", ModelProfile.CallIDForm.self)
        settings.foreignSignature = word("foreign_signature")
        settings.connectSeconds = duration("connect")
        settings.idleSeconds = duration("idle")
        settings.totalSeconds = duration("total")
        return settings
    }

    /// Returns an http or https address with its host.
    ///
    /// - Parameter host: the host of an address, or `nil` if the address is not valid.
    mutating func address(_ key: String, host: (String) -> RemoteHost?) -> (url: String, host: RemoteHost)? {
        guard let url = text(key) else { return nil }
        let authority = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first ?? ""
        guard url.utf8.count <= Limits.hostBytes, url.hasPrefix("http://") || url.hasPrefix("https://"),
            let host = host(url)
        else {
            report(.badURL, at: key, "\"\(key)\" must be an http or https address such as https://api.example.com/v1.")
            return nil
        }
        guard !authority.contains("@") else {
            report(
                .badURL, at: key,
                "\"\(key)\" has a name or a password in it; take it out, and say with \"key\" how the key is called.")
            return nil
        }
        return (url, host)
    }

    /// Returns the name of a key.
    mutating func keyName(_ key: String) -> String? {
        guard let name = text(key) else { return nil }
        let isName = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0))
        }
        guard isName, !name.isEmpty, name.utf8.count <= 128 else {
            report(
                .badField, at: key,
                "\"\(key)\" must be the name of a key, such as OPENAI_API_KEY: letters, digits and _.")
            return nil
        }
        return name
    }

    private mutating func tokens(_ key: String) -> Int? {
        guard let number = whole(key) else { return nil }
        guard (1...Limits.mostTokens).contains(number) else {
            report(.badField, at: key, "\"\(key)\" is from 1 to \(Limits.mostTokens) tokens.")
            return nil
        }
        return number
    }

    /// Returns a word of the server's own, which is sent unchanged.
    private mutating func word(_ key: String) -> String? {
        guard let word = text(key) else { return nil }
        guard !word.isEmpty, word.utf8.count <= Limits.modelWordBytes, word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            report(.badField, at: key, "\"\(key)\" must be one word such as low or high.")
            return nil
        }
        return word
    }

    /// Returns the name of a header field in lower case.
    private mutating func header(_ key: String) -> String? {
        guard let name = word(key) else { return nil }
        let isToken = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0)
        }
        guard isToken else {
            report(.badField, at: key, "\"\(key)\" must be the name of a header such as x-api-key.")
            return nil
        }
        return name.lowercased()
    }

    private mutating func fieldNames(_ key: String) -> Set<String>? {
        guard let names = texts(key) else { return nil }
        guard names.count <= Limits.echoedFields,
            names.allSatisfy({ !$0.isEmpty && $0.utf8.count <= Limits.modelWordBytes })
        else {
            report(.badField, at: key, "\"\(key)\" has at most \(Limits.echoedFields) names of fields.")
            return nil
        }
        return Set(names)
    }

    /// Returns prices in dollars for a million tokens, written as `{input: 1.25, cached: 0.125, output: 10}`.
    private mutating func prices() -> ModelProfile.Prices? {
        var found: ModelProfile.Prices?
        nested("prices") { fields in
            let (input, cached, output) = (fields.price("input"), fields.price("cached"), fields.price("output"))
            guard let input, let output else { return }
            // Cached input costs at most as much as other input, which is therefore the default.
            found = ModelProfile.Prices(input: input, cached: cached ?? input, output: output)
        }
        return found
    }

    private mutating func price(_ key: String) -> Double? {
        let before = problems.count
        if let dollars = number(key) {
            if (0...Limits.mostDollars).contains(dollars) { return dollars }
            report(.badField, at: key, "\"\(key)\" is a price in dollars for a million tokens.")
        } else if problems.count == before, key != "cached" {
            report(.missingField, "\"\(key)\" is missing: a price in dollars for a million tokens.")
        }
        return nil
    }
}
