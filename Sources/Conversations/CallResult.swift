package import JSON
package import Vocabulary

extension Limits {
    /// The most bytes of the result of a call that a model receives. A longer result is cut.
    package static let toolResultBytes = 24 << 10

    /// The most problems of a plan that the result of a call lists.
    fileprivate static let problemsInResult = 50
}

/// The result of a call that a model made. It goes back to the model as the text of a tool message.
package indirect enum CallResult: Hashable, Sendable {
    /// A result of which all was done: each command ended with 0, and nothing was refused, left out or warned of.
    case whole(CallResult)
    /// The call succeeded, with the JSON for the model, such as `{"workflow": "w3", "outcome": "succeeded"}`.
    case succeeded(JSON)
    case failed(Failure)
    /// The result as the model reads it, such as the lines of a file or the output of a command. Its first line is
    /// always of Assent. The failure is set if what the call started has failed.
    case report(String, failure: Failure?)
    /// A picture that the model sees, with a line about it.
    case picture(ChatPicture, String)
    /// The call cannot be read: there is no such tool, or its arguments are wrong. Nothing of it was run.
    case faulty(Failure)
    /// The workflow of the call failed. The JSON holds more for the model, such as the output of its commands.
    case ended(Failure, JSON)
    /// The person or the policy declined, with the words.
    case declined(String)
    /// The proposed plan has problems. The model may correct it, as any faulty call.
    case problems([Problem])
    /// The call's workflow waits for a person who has not answered. The turn ends, and continues with the answer. The
    /// JSON is the result for the model if the person says something else first.
    case waiting(JSON)

    /// The tool message: one line of JSON, cut to `Limits.toolResultBytes`. Its first key says whether the call
    /// succeeded.
    package var text: String { text(remark: nil) }

    /// Returns the tool message with a remark for the model in front of the result.
    ///
    /// - Parameter limit: the most bytes. Head and tail of a longer text stay.
    func text(remark: String?, bytes limit: Int = Limits.toolResultBytes) -> String {
        if case .whole(let result) = self { return result.text(remark: remark, bytes: limit) }
        let json: JSON =
            switch self {
            case .succeeded(let result), .waiting(let result): .of(["result": result])
            case .failed(let failure), .faulty(let failure): .of(["error": failure.json])
            case .ended(let failure, let result): .of(["error": failure.json, "result": result])
            case .report(let text, _), .picture(_, let text): .string(text)
            case .declined(let words): .of(["declined": .string(words)])
            case .problems(let problems): .of(["problems": .array(Self.words(of: problems))])
            case .whole: .null
            }
        if let text = report {
            return Self.ends(of: (remark.map { "[\($0)]\n" } ?? "") + text, bytes: limit)
        }
        let remarked = remark.map { remark in
            JSON.object(
                JSON.Object(members: [.init(key: "remark", value: .string(remark))] + (json.object?.members ?? [])))
        }
        return Self.ends(of: (remarked ?? json).text, bytes: limit)
    }

    /// The text of a result that is not JSON, or nil.
    private var report: String? {
        switch self {
        case .report(let text, _), .picture(_, let text): text
        case .whole(let result): result.report
        default: nil
        }
    }

    /// The pictures that stand beside the text.
    var pictures: [ChatPicture] { if case .picture(let picture, _) = self { [picture] } else { [] } }

    /// Whether all of what the call wanted was done.
    var isWhole: Bool { if case .whole = self { true } else { false } }

    /// Whether the model must call in another way, since nothing could be run.
    var isFaulty: Bool {
        switch self {
        case .faulty, .problems: true
        case .whole, .succeeded, .failed, .report, .picture, .ended, .declined, .waiting: false
        }
    }

    /// Returns the result for a model, without keys, and without texts that may be keys by the words around them. Call
    /// it before the text is cut, since a cut may remove the word that reveals a key. The user sees the whole result.
    package func withoutKeys(_ filter: KeyFilter) -> CallResult {
        switch self {
        case .succeeded(let json): .succeeded(WeakKeys.cut(filter.cut(json)))
        case .waiting(let json): .waiting(WeakKeys.cut(filter.cut(json)))
        case .failed(let failure): .failed(WeakKeys.cut(filter.cut(failure)))
        case .faulty(let failure): .faulty(WeakKeys.cut(filter.cut(failure)))
        case .ended(let failure, let json): .ended(WeakKeys.cut(filter.cut(failure)), WeakKeys.cut(filter.cut(json)))
        case .report(let text, let failure):
            .report(WeakKeys.cut(filter.cut(text)), failure: failure.map { WeakKeys.cut(filter.cut($0)) })
        case .picture(let picture, let text):
            .picture(picture.named(WeakKeys.cut(filter.cut(picture.name))), WeakKeys.cut(filter.cut(text)))
        case .declined(let words): .declined(WeakKeys.cut(filter.cut(words)))
        case .problems(let problems): .problems(problems.map { WeakKeys.cut(filter.cut($0)) })
        case .whole(let result): .whole(result.withoutKeys(filter))
        }
    }

    /// Returns the result with what became of keeping its workflow as a template. If that is not as the call wished,
    /// not all of it was done.
    package func noting(_ kept: String, asWished: Bool) -> CallResult {
        if case .whole(let result) = self, !asWished { return result.noting(kept, asWished: false) }
        return telling { $0.replacing("template", with: .string(kept)) }
    }

    /// Returns the result with another JSON for the model, if it has one.
    package func telling(_ told: (JSON) -> JSON) -> CallResult {
        switch self {
        case .succeeded(let json): .succeeded(told(json))
        case .waiting(let json): .waiting(told(json))
        case .ended(let failure, let json): .ended(failure, told(json))
        case .whole(let result): .whole(result.telling(told))
        case .failed, .faulty, .report, .picture, .declined, .problems: self
        }
    }

    /// The result of a call whose outcome is unknown.
    package static let lost = CallResult.failed(Failure(.lost, "The program ended before this call was answered."))

    package var state: Event.CallState {
        switch self {
        case .whole(let result): result.state
        case .succeeded, .report(_, nil), .picture: .succeeded
        case .waiting: .waiting
        case .failed(let failure), .faulty(let failure), .ended(let failure, _), .report(_, let failure?):
            .failed(failure)
        case .declined(let words): .declined(words)
        case .problems(let problems):
            .failed(Failure(.badPlan, problems.first?.message ?? "The plan does not hold."))
        }
    }

    /// Returns the words of the first problems, and the number of the others, if there are any.
    private static func words(of problems: [Problem]) -> [JSON] {
        let told = problems.prefix(Limits.problemsInResult).map { JSON.string($0.description) }
        guard problems.count > told.count else { return told }
        return told + [
            .string("… \(problems.count - told.count) more of \(problems.count) problems; mend these first …")
        ]
    }

    /// Leaves out the middle of a text, and says so there.
    private static func ends(of text: String, bytes limit: Int) -> String {
        let all = text.utf8.count
        guard all > limit else { return text }
        let room = max(0, limit - 120)
        let (head, tail) = (text.beginning(bytes: room * 2 / 3), text.ending(bytes: room / 3))
        let rest = all - head.utf8.count - tail.utf8.count
        return
            "\(head)\n[… \(rest) of \(all) bytes are left out here. Ask for a smaller part …]\n\(tail)"
    }

    /// Cuts a text between characters, and adds how much is left out and how to get it.
    static func cut(_ text: String, bytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= limit else { break }
            kept.append(character)
        }
        let (rest, all) = (text.utf8.count - kept.utf8.count, text.utf8.count)
        return kept
            + " … [\(rest) of \(all) bytes are left out. Ask for a smaller part, such as one step with results]"
    }
}
