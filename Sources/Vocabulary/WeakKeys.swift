package import JSON

/// Cuts parts of a text that may be keys according to the text around them: `API_KEY=…`, `"password": "…"`, and the
/// password of an address (`https://ana:…@example.org`).
///
/// This is a guess, unlike the forms of `KeyFilter`. So it applies only to text for a model, and stored text stays as
/// it is. A text must be cut as a whole before a part of it is selected, since the part may begin behind the name of
/// the key.
package enum WeakKeys {
    /// Returns the text without parts that may be keys. The number of steps is bounded by the length of the text.
    package static func cut(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: { canTell[Int($0)] }) else { return nil as String? }
            return cut(Array(bytes))
        } ?? text
    }

    private static func cut(_ bytes: [UInt8]) -> String? {
        var (kept, from, index) = ([UInt8](), 0, 0)
        var marked = WeakKeyWords.marked(in: bytes)[...]
        while index < bytes.count {
            if let next = marked.first, next.lowerBound <= index {
                marked.removeFirst()
                guard next.lowerBound == index else { continue }
                kept += bytes[from..<index] + Array(KeyFilter.mark(valueName, next.count).utf8)
                (from, index) = (next.upperBound, next.upperBound)
                continue
            }
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

    /// Returns the JSON in which every text is cut, also in the names of members. The text of a member is cut as a
    /// whole if its name is that of a key.
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

    /// Returns the failure in which the words for a model are cut.
    package static func cut(_ failure: Failure) -> Failure {
        var failure = failure
        failure.message = cut(failure.message)
        failure.remedy = failure.remedy.map(cut)
        return failure
    }

    /// Returns the problem in which place and words are cut.
    package static func cut(_ problem: Problem) -> Problem {
        var problem = problem
        problem.place = cut(problem.place)
        problem.message = cut(problem.message)
        return problem
    }

    // MARK: Places

    private static let valueName = "the value of a key"
    private static let passwordName = "a password in an address"

    /// Whether a byte may stand between the name and the value of a key, by byte.
    private static let canTell: [Bool] = {
        var canTell = [Bool](repeating: false, count: 256)
        for byte in "=:/\\% >".utf8 { canTell[Int(byte)] = true }
        return canTell
    }()

    private static func found(in bytes: [UInt8], at index: Int) -> (Range<Int>, String)? {
        switch bytes[index] {
        case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: ">"):
            let named = WeakKeyValue.range(in: bytes, at: index, end: index + 1, isEncoded: false)
            return (named ?? WeakKeyWords.range(in: bytes, at: index)).map { ($0, valueName) }
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
    /// Returns the request as it is sent to a model, without parts that may be keys, regardless of their author. The
    /// stored conversation stays whole, and so do sealed parts, which must be sent back unchanged.
    package func withoutWeakKeys() -> ChatRequest {
        var request = self
        request.messages = messages.map { message in
            var message = message
            message.text = WeakKeys.cut(message.text)
            message.reasoning = WeakKeys.cut(message.reasoning)
            message.aside = message.aside.map { aside in
                var cut = ChatMessage.Aside(
                    news: WeakKeys.cut(aside.news), words: WeakKeys.cut(aside.words), whole: WeakKeys.cut(aside.whole))
                cut.attached = WeakKeys.cut(aside.attached)
                return cut
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
    /// Returns the text without a key that a server repeated. A short key is not removed, since it may be a part of
    /// ordinary words.
    package func without(key: String?) -> String {
        guard let key, key.utf8.count >= Limits.leastKeyBytes else { return self }
        return split(separator: key, omittingEmptySubsequences: false).joined(separator: "(the key)")
    }
}
