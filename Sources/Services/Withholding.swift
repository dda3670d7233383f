package import JSON
import Vocabulary

/// A filter for data that leaves this machine in a file: it replaces values whose name looks like that of a secret,
/// even if no manifest marks them.
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
        // Header fields may hold a secret of the sender. A count of tokens is not a secret, and a bare `key` may be
        // that of a map.
        return plain == "headers" || names.contains { plain.contains($0) } && plain != "maxtokens"
    }

    /// Returns JSON with the values of secret members replaced, at any depth.
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

    /// Returns whether JSON is the fingerprint of a secret, `{"secret": "sha256:…"}` (`Consent.redacted`), which does
    /// not help to find the secret.
    private static func isFingerprint(_ json: JSON) -> Bool {
        json.object?.keys == ["secret"] && json["secret"]?.string?.hasPrefix("sha256:") == true
    }

    /// Returns the JSON text of a column with secret values replaced. A text without secrets stays the same to the
    /// byte.
    package static func applied(toText text: String) -> String {
        guard let json = try? JSONReader.read(text) else { return text }
        let withheld = applied(to: json)
        return withheld == json ? text : withheld.text
    }
}
