package import JSON
package import Vocabulary

/// Returns the call with every secret parameter replaced by a fingerprint, so that questions, events and rows can
/// contain it (`consent.md` guarantee 14).
///
/// The digest is computed over the result. Another secret gives another fingerprint and is therefore asked again, and a
/// stored question can be checked without the secret. This function is applied once, where the call is made, before
/// anything is hashed.
///
/// - Parameter written: the parameters as they stand in the workflow, if the call has the values in place of their
///   seals. A seal is a fingerprint already.
package func redacted(_ call: Call, _ manifest: ToolManifest, as written: JSON.Object = JSON.Object()) -> Call {
    var call = call
    for member in written.members where SealedValue.isIn(member.value) {
        if let open = call.params[member.key]?.string, let seal = SealedValue(member.value) {
            call.show(seal.shown, for: open)
        }
        call.params[member.key] = member.value
    }
    for param in manifest.params where param.isSecret {
        guard let value = call.params[param.name], !value.isNull, SealedValue(value) == nil else { continue }
        call.params[param.name] = fingerprint(of: value, tool: call.tool, param: param.name)
    }
    return call
}

extension Call {
    /// Replaces a word of a command that holds a key. The seal among the parameters still identifies the value.
    fileprivate mutating func show(_ shown: String, for open: String) {
        for index in targets.indices {
            guard case .command(let words) = targets[index].place else { continue }
            targets[index].place = .command(words.map { $0 == open ? shown : $0 })
        }
    }
}

/// Returns a fingerprint of 128 bits. It is long enough to tell two secrets apart, and does not help to find a strong
/// one.
private func fingerprint(of secret: JSON, tool: String, param: String) -> JSON {
    let sealed: JSON = ["tool": .string(tool), "param": .string(param), "value": secret]
    return ["secret": .string("sha256:" + sha256(of: sealed.canonical).hex.prefix(32))]
}
