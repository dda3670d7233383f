package import JSON
package import Vocabulary

/// The call with every secret parameter replaced by a fingerprint, so that questions, events and rows can hold it
/// (`consent.md` guarantee 14).
///
/// The digest is taken of *this* call: another secret is another fingerprint, so it is asked anew, and a stored
/// question can be checked without the secret. Apply it once, where the call is made, before anything is hashed.
///
/// - Parameter written: the parameters as they stand in the workflow, where a call was looked at with the values in
///   place of their seals. A seal is a fingerprint already.
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
    /// A command that holds a key is shown without it; the seal among the parameters says which one it is.
    fileprivate mutating func show(_ shown: String, for open: String) {
        for index in targets.indices {
            guard case .command(let words) = targets[index].place else { continue }
            targets[index].place = .command(words.map { $0 == open ? shown : $0 })
        }
    }
}

/// 128 bits: enough to tell two secrets apart, of no use to find a good one.
private func fingerprint(of secret: JSON, tool: String, param: String) -> JSON {
    let sealed: JSON = ["tool": .string(tool), "param": .string(param), "value": secret]
    return ["secret": .string("sha256:" + sha256(of: sealed.canonical).hex.prefix(32))]
}
