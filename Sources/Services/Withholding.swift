package import JSON
import Vocabulary

/// What looks like a secret where no manifest says so: by the name it goes under. For what leaves this machine in a
/// file.
package enum Withholding {
    static let word: JSON = "(withheld)"

    private static let names = [
        "authorization", "apikey", "accesskey", "privatekey", "secret", "password", "passwd", "passphrase", "token",
        "cookie", "credential",
        "signature", "bearer",
    ]

    /// Returns whether a member of this name may hold a secret.
    package static func isSecret(_ key: String) -> Bool {
        let plain = key.lowercased().filter { $0.isLetter || $0.isNumber }
        // Header fields are whoever's sends them. A count of tokens is none; `key` alone may be that of a map.
        return plain == "headers" || names.contains { plain.contains($0) } && plain != "maxtokens"
    }

    /// With the values of such members replaced, however deep they lie. What has none is given back as it is.
    package static func applied(to json: JSON) -> JSON {
        switch json {
        case .object(let object):
            return .object(
                JSON.Object(
                    members: object.members.map { member in
                        .init(
                            key: member.key,
                            value: isSecret(member.key) && !isFingerprint(member.value) && !isFingerprint(json)
                                ? word : applied(to: member.value))
                    }))
        case .array(let elements): return .array(elements.map(applied))
        case .null, .bool, .int, .double, .string: return json
        }
    }

    /// `{"secret": "sha256:…"}` (`Consent.redacted`): of no use to find the secret.
    private static func isFingerprint(_ json: JSON) -> Bool {
        json.object?.keys == ["secret"] && json["secret"]?.string?.hasPrefix("sha256:") == true
    }

    /// The same for JSON in a column: a text that has no secret stays as it is, to the byte.
    package static func applied(toText text: String) -> String {
        guard let json = try? JSONReader.read(text) else { return text }
        let withheld = applied(to: json)
        return withheld == json ? text : withheld.text
    }
}
