package import JSON
import Vocabulary

/// The filter for all input of a turn. It cuts out keys before the input is stored, shown or sent to a model again.
struct Sieve {
    private let filter: KeyFilter
    private let catalogue: Catalogue
    private var stream: KeyStream
    private var thoughts: KeyStream
    private var clusters = ClusterStream()
    /// The number of the request whose reply is arriving.
    private var number = 0

    init(_ filter: KeyFilter, _ catalogue: Catalogue) {
        self.filter = filter
        self.catalogue = catalogue
        stream = KeyStream(filter)
        thoughts = KeyStream(filter)
    }

    mutating func pass(_ input: Turn.Input) -> [Turn.Input] {
        switch input {
        case .said(let line): return [.said(filter.cut(line))]
        case .resumed(let line): return [.resumed(line.map(filter.cut))]
        case .part(.text(let text), let of):
            number = of
            let free = clusters.feed(stream.feed(text))
            return free.isEmpty ? [] : [.part(.text(free), of: of)]
        case .part(.reasoning(let text), let of):
            number = of
            let free = thoughts.feed(text)
            return free.isEmpty ? [] : [.part(.reasoning(free), of: of)]
        case .part(.finished(let reply), let of): return held() + [.part(.finished(cut(reply)), of: of)]
        case .part(.callStarted(let name), let of): return [.part(.callStarted(name: filter.cut(name)), of: of)]
        case .part(.notice(let words), let of): return [.part(.notice(filter.cut(words)), of: of)]
        case .modelFailed(let failure, let of): return held() + [.modelFailed(filter.cut(failure), of: of)]
        case .callFinished(let id, let result): return [.callFinished(id: id, result.withoutKeys(filter))]
        case .interjected(let line): return [.interjected(filter.cut(line))]
        case .interrupted, .left: return held() + [input]
        case .part(.leftOut, _), .goOn, .storageFailed: return [input]
        }
    }

    /// Returns the input that the streams held back, at the end of a reply.
    private mutating func held() -> [Turn.Input] {
        let (thought, rest) = (thoughts.end(), clusters.feed(stream.end()) + clusters.end())
        (thoughts, stream) = (KeyStream(filter), KeyStream(filter))
        return (thought.isEmpty ? [] : [.part(.reasoning(thought), of: number)])
            + (rest.isEmpty ? [] : [.part(.text(rest), of: number)])
    }

    func cut(_ message: ChatMessage) -> ChatMessage {
        var message = message
        message.text = filter.cut(message.text)
        message.reasoning = filter.cut(message.reasoning)
        message.opaque = message.opaque.map(cut)
        message.calls = message.calls.map(cut)
        return message
    }

    private func cut(_ reply: Reply) -> Reply {
        var reply = reply
        reply.text = filter.cut(reply.text)
        reply.reasoning = filter.cut(reply.reasoning)
        reply.opaque = reply.opaque.map(cut)
        reply.calls = reply.calls.map(cut)
        if case .failed(let failure) = reply.verdict { reply.verdict = .failed(filter.cut(failure)) }
        return reply
    }

    private func cut(_ opaque: OpaqueParts) -> OpaqueParts {
        OpaqueParts(origin: opaque.origin, parts: cut(opaque.parts))
    }

    /// Returns opaque parts with keys cut out of their texts. Sealed values stay as they are, since the server must get
    /// them back unchanged, and they hold no readable key.
    private func cut(_ parts: JSON.Object) -> JSON.Object {
        JSON.Object(
            members: parts.members.map { member in
                Self.seals.contains(member.key) && member.value.string != nil
                    ? member : .init(key: member.key, value: cut(member.value))
            })
    }

    private func cut(_ part: JSON) -> JSON {
        switch part {
        case .object(let object): .object(cut(object))
        case .array(let parts): .array(parts.map(cut))
        default: filter.cut(part)
        }
    }

    private static let seals: Set<String> = ["signature", "data", "encrypted_content", "thought_signature"]

    // MARK: Calls

    private func cut(_ call: ChatCall) -> ChatCall {
        var call = call
        call.name = filter.cut(call.name)
        call.opaque = cut(call.opaque)
        call.flaw = call.flaw.map(filter.cut)
        call.arguments = withoutSecrets(filter.cut(call.arguments), call)
        return call
    }

    /// Returns the arguments of a call without values of parameters that a manifest marks as secret, since a model must
    /// not set them. This holds in every form in which a model may wrap its workflow.
    private func withoutSecrets(_ arguments: JSON, _ call: ChatCall) -> JSON {
        if call.name == "call_tool", let kind = arguments["kind"]?.string, let params = arguments["params"]?.object {
            return arguments.replacing("params", with: .object(withoutSecrets(params, of: kind)))
        }
        let read = try? PlannerTools.read(
            ChatCall(id: call.id, name: call.name, arguments: arguments), catalogue: catalogue)
        guard case .workflow(let json, _)? = read else { return arguments }
        // In a workflow that came as a text, escaped characters are visible only now.
        var clean = filter.cut(json)
        if let nodes = clean["nodes"]?.array {
            let open = nodes.map { node in
                guard let kind = node["kind"]?.string, let params = node["params"]?.object else { return node }
                return node.replacing("params", with: .object(withoutSecrets(params, of: kind)))
            }
            clean = clean.replacing("nodes", with: .array(open))
        }
        return clean == json ? arguments : clean
    }

    private func withoutSecrets(_ params: JSON.Object, of kind: String) -> JSON.Object {
        JSON.Object(
            members: params.members.map { member in
                guard catalogue[kind]?.param(member.key)?.isSecret ?? false, !member.value.isNull else { return member }
                return .init(key: member.key, value: .string(KeyFilter.secretParameter))
            })
    }

    /// Whether the arguments hold a key in a spelling that was not recognised before, or a substitute for one: the mark
    /// of a key, or a seal.
    static func isRefused(_ arguments: JSON, _ filter: KeyFilter) -> Bool {
        KeyFilter.isMarked(arguments) || SealedValue.isIn(arguments) || filter.cut(arguments) != arguments
    }

    /// The refusal of a call that holds a key, or the mark of a key that was cut. A model never got a key, so it need
    /// not say one.
    static let refusal = Failure(
        .keyInCall,
        "The call holds a key, the mark of a key that was cut, or a secret parameter. None is taken from a model.",
        remedy:
            "Leave it out. Keys of providers are kept by the person; a secret parameter is given with 'assent run FILE --set'."
    )
}

extension JSON {
    /// Returns an object with another value for a key, or without the key.
    package func replacing(_ key: String, with value: JSON?) -> JSON {
        guard case .object(var object) = self else { return self }
        object[key] = value
        return .object(object)
    }
}
