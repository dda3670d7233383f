package import JSON

/// Cuts parts of a text that may be keys by what stands around them: `API_KEY=…`, `"password": "…"`, and the password
/// of an address (`https://ana:…@example.org`).
///
/// This is a guess, unlike the forms of `KeyFilter`. So it holds only for what a model hears, and what is stored stays
/// as it is. A text is cut whole, before a part of it is chosen: a part may begin behind the name that tells.
package enum WeakKeys {
    /// Returns the text without what may be a key. Its steps are bounded by the length of the text.
    package static func cut(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: { canTell[Int($0)] }) else { return nil as String? }
            return cut(Array(bytes))
        } ?? text
    }

    private static func cut(_ bytes: [UInt8]) -> String? {
        var (kept, from, index) = ([UInt8](), 0, 0)
        while index < bytes.count {
            guard canTell[Int(bytes[index])], let (range, name) = found(in: bytes, at: index) else {
                index += 1
                continue
            }
            kept += bytes[from..<range.lowerBound]
            kept += Array(KeyFilter.mark(name, range.count).utf8)
            (from, index) = (range.upperBound, max(range.upperBound, index + 1))
        }
        return from == 0 ? nil : String(decoding: kept + bytes[from...], as: UTF8.self)
    }

    /// Returns the JSON with every text in it cut, names of members included. A member whose name is that of a key has
    /// its text cut too.
    package static func cut(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): .string(cut(text))
        case .array(let elements): .array(elements.map(cut))
        case .object(let object): .object(cut(object))
        case .null, .bool, .int, .double: json
        }
    }

    private static func cut(_ object: JSON.Object) -> JSON.Object {
        JSON.Object(
            members: object.members.map { member in
                if let text = member.value.string, WeakKeyValue.isKey(text, called: member.key) {
                    return .init(key: cut(member.key), value: .string(KeyFilter.mark(valueName, text.utf8.count)))
                }
                return .init(key: cut(member.key), value: cut(member.value))
            })
    }

    /// Returns the failure with its words for a model cut.
    package static func cut(_ failure: Failure) -> Failure {
        var failure = failure
        failure.message = cut(failure.message)
        failure.remedy = failure.remedy.map(cut)
        return failure
    }

    /// Returns the problem with its place and its words cut.
    package static func cut(_ problem: Problem) -> Problem {
        var problem = problem
        problem.place = cut(problem.place)
        problem.message = cut(problem.message)
        return problem
    }

    // MARK: Places

    private static let valueName = "the value of a key"
    private static let passwordName = "a password in an address"

    /// A table by byte: whether a key may be told by the byte.
    private static let canTell: [Bool] = {
        var canTell = [Bool](repeating: false, count: 256)
        for byte in "=:/\\% >".utf8 { canTell[Int(byte)] = true }
        return canTell
    }()

    private static func found(in bytes: [UInt8], at index: Int) -> (Range<Int>, String)? {
        switch bytes[index] {
        case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: ">"):
            return WeakKeyValue.range(in: bytes, at: index, end: index + 1, isEncoded: false).map { ($0, valueName) }
        default:
            let sign = AddressSign(in: bytes, at: index)
            if sign.byte == UInt8(ascii: "/") {
                return AddressPassword.range(in: bytes, from: sign).map { ($0, passwordName) }
            }
            guard sign.byte == UInt8(ascii: "="), sign.end > index + 1 else { return nil }
            return WeakKeyValue.range(in: bytes, at: index, end: sign.end, isEncoded: sign.isPercent).map {
                ($0, valueName)
            }
        }
    }
}

extension ChatRequest {
    /// Returns the request as a model hears it: without what may be a key, whoever wrote it. What is stored of the
    /// conversation stays whole, and so do sealed parts, which must come back as they were.
    package func withoutWeakKeys() -> ChatRequest {
        var request = self
        request.messages = messages.map { message in
            var message = message
            message.text = WeakKeys.cut(message.text)
            message.reasoning = WeakKeys.cut(message.reasoning)
            message.aside = message.aside.map {
                ChatMessage.Aside(words: WeakKeys.cut($0.words), whole: WeakKeys.cut($0.whole))
            }
            message.calls = message.calls.map { call in
                var call = call
                call.arguments = WeakKeys.cut(call.arguments)
                return call
            }
            return message
        }
        return request
    }
}

extension String {
    /// Returns the text without a key that a server has said back. A short key stays: as a part of words it would cut
    /// them.
    package func without(key: String?) -> String {
        guard let key, key.utf8.count >= Limits.leastKeyBytes else { return self }
        return split(separator: key, omittingEmptySubsequences: false).joined(separator: "(the key)")
    }
}
