package import JSON
package import Vocabulary

/// The stored form of a question with its whole call, so that the question after a restart is the same as before.
extension Question {
    package var json: JSON {
        .of([
            "v": 1, "title": .string(title), "subject": .string(subject), "call": call.json,
            "digest": .string(digest.hex),
            "because": .array(because.map { .string($0) }), "word": wordToType.map { .string($0) },
            "plan": .array(plan.map(\.json)), "leftOut": leftOut.isEmpty ? nil : .array(leftOut.map(\.json)),
            "mode": .string(mode.rawValue),
        ])
    }

    /// Reads a stored question. Calls are hashed again, and a row that was changed is refused. Title and word are
    /// derived from the call again, so that no words of a changed row or an older program are shown.
    ///
    /// - Throws: `badQuestion`, or `badCall`.
    package init(json: JSON) throws(Failure) {
        guard json["v"] == 1, case .object(var stored) = json, let subject = json["subject"]?.string,
            let because = json["because"]?.array, let plan = json["plan"]?.array,
            let mode = json["mode"]?.string.flatMap(ConfirmationMode.init(rawValue:))
        else { throw Failure.badQuestion("something is missing") }
        let (call, digest) = try Self.verified(json)
        var planned: [Planned] = []
        for entry in plan { planned.append(try Planned(json: entry)) }
        var leftOut: [LeftOut] = []
        for entry in json["leftOut"]?.array ?? [] { leftOut.append(try LeftOut(json: entry)) }
        self.init(
            title: Consent.title(of: call), subject: subject, call: call, digest: digest,
            because: because.compactMap(\.string),
            wordToType: Consent.wordToType(for: call), plan: planned, leftOut: leftOut, mode: mode)
        stored["title"] = .string(title)
        stored["word"] = wordToType.map { .string($0) }
        guard self.json.canonical == JSON.object(stored).canonical else {
            throw Failure.badQuestion("something in it is not known")
        }
    }

    fileprivate static func verified(_ json: JSON) throws(Failure) -> (Call, ContentHash) {
        let call = try Call(json: json["call"] ?? .null)
        let digest = Consent.digest(of: call)
        guard json["digest"]?.string == digest.hex else { throw Failure.badQuestion("a call does not have its digest") }
        return (call, digest)
    }
}

extension Question.Planned {
    package var json: JSON {
        .of(["step": .int(step), "call": call.json, "digest": .string(digest.hex)])
    }

    fileprivate init(json: JSON) throws(Failure) {
        guard let step = json["step"]?.int else { throw Failure.badQuestion("a planned call has no step") }
        let (call, digest) = try Question.verified(json)
        guard wordToType(for: call) == nil else { throw Failure.badQuestion("a planned call cannot be undone") }
        self.init(step: step, call: call, digest: digest)
    }
}

extension Question.LeftOut {
    package var json: JSON { ["step": .int(step), "tool": .string(tool), "reason": .string(reason)] }

    fileprivate init(json: JSON) throws(Failure) {
        guard let step = json["step"]?.int, let tool = json["tool"]?.string, let reason = json["reason"]?.string else {
            throw Failure.badQuestion("a step that is left out does not say which and why")
        }
        self.init(step: step, tool: tool, reason: reason)
    }
}

extension Failure {
    fileprivate static func badQuestion(_ what: String) -> Failure {
        Failure(
            .badQuestion, "A stored question cannot be trusted: \(what).",
            remedy: "Answer no; the step can be retried and asks anew.")
    }
}
