package import JSON

/// The data that an editor needs about the step that it works for: inputs, expected outputs and parameters
/// (`semantics.md` 100). It is stored with the await, as `AwaitRecord.question`.
package struct AwaitRequest: Hashable, Sendable {
    /// An asset that feeds the step, such as a candidate to choose or the picture to draw a mask for.
    package struct Input: Hashable, Sendable {
        package var port: String
        package var type: PortType
        package var name: String
        package var hash: ContentHash
        package var bytes: Int
        package var meta: JSON.Object
        /// The run and the port that made the asset, such as `w3.1.1.image`.
        package var asset: String

        package init(
            port: String, type: PortType, name: String, hash: ContentHash, bytes: Int,
            meta: JSON.Object = JSON.Object(), asset: String = ""
        ) {
            self.port = port
            self.type = type
            self.name = name
            self.hash = hash
            self.bytes = bytes
            self.meta = meta
            self.asset = asset
        }

        package init(port: String, _ asset: Asset) {
            self.init(
                port: port, type: asset.type, name: asset.name, hash: asset.hash, bytes: asset.bytes,
                meta: asset.shownMeta,
                asset: "\(asset.run).\(asset.port)")
        }
    }

    /// The inputs, each with its port.
    package var inputs: [Input]
    package var outputs: [Port]
    /// The parameters as the step would use them, without secrets.
    package var params: JSON.Object
    /// Whether a person does the step, so that the completion gives its outputs. Otherwise the completion only lets the
    /// step go on (`semantics.md` 2).
    package var isPerson: Bool
    package var canSkip: Bool
    /// The demands on the answer, or `nil` if every answer is accepted.
    package var accept: Acceptance?

    /// Creates a request.
    package init(
        inputs: [Input] = [], outputs: [Port] = [], params: JSON.Object = JSON.Object(), isPerson: Bool = false,
        canSkip: Bool = false,
        accept: Acceptance? = nil
    ) {
        self.inputs = inputs
        self.outputs = outputs
        self.params = params
        self.isPerson = isPerson
        self.canSkip = canSkip
        self.accept = accept
    }

    package var json: JSON {
        .of([
            "inputs": .array(
                inputs.map { input in
                    [
                        "port": .string(input.port), "type": .string(input.type.name), "name": .string(input.name),
                        "sha256": .string(input.hash.hex), "bytes": .int(input.bytes), "meta": .object(input.meta),
                        "asset": .string(input.asset),
                    ]
                }),
            "outputs": .array(outputs.map { ["port": .string($0.name), "type": .string($0.type.name)] }),
            "params": .object(params),
            "isPerson": .bool(isPerson), "canSkip": .bool(canSkip), "accept": accept?.json,
        ])
    }

    /// Reads the request of an await. Returns `nil` if the JSON holds something else, such as a question about a call.
    package init?(json: JSON) {
        guard let isPerson = json["isPerson"]?.bool else { return nil }
        // Demands that cannot be read must not count as missing demands.
        let accept = json["accept"].map { written in (try? Acceptance(json: written)) ?? .nothing }
        self.init(
            inputs: (json["inputs"]?.array ?? []).compactMap { input in
                guard let port = input["port"]?.string, let type = input["type"]?.string,
                    let hash = input["sha256"]?.string
                else {
                    return nil
                }
                return Input(
                    port: port, type: PortType(type), name: input["name"]?.string ?? "", hash: ContentHash(hex: hash),
                    bytes: input["bytes"]?.int ?? 0, meta: input["meta"]?.object ?? JSON.Object(),
                    asset: input["asset"]?.string ?? "")
            },
            outputs: (json["outputs"]?.array ?? []).compactMap { output in
                guard let port = output["port"]?.string, let type = output["type"]?.string else { return nil }
                return Port(port, PortType(type))
            },
            params: json["params"]?.object ?? JSON.Object(), isPerson: isPerson,
            canSkip: json["canSkip"]?.bool ?? false,
            accept: accept)
    }
}

extension AwaitRequest {
    /// The parameter of a question that takes other words, too. It says what each choice leads to.
    package static let meanings = "leadsTo"

    /// Whether other words than the choices are an answer. The answer then is JSON.
    package var takesWords: Bool { params[Self.meanings] != nil }
}

extension AwaitRecord {
    /// The request that the editor works for. It is `nil` for a question about a call, and for a question of the engine
    /// itself.
    package var request: AwaitRequest? { question.flatMap { AwaitRequest(json: $0) } }

    /// Whether the await asks about a call, and therefore needs consent. A `confirmCall` that a template defines is an
    /// ordinary gate instead.
    package var isAboutCall: Bool { type == .confirmCall && request == nil }

    /// Whether the title and the reason are the words of a template or a tool, rather than Assent's.
    package var isWrittenByTemplate: Bool { !isAboutCall && type != .submitUnknown && type != .connect }
}

/// The content that a person gives for an output of a step, before it is accepted.
package enum AnswerContent: Hashable, Sendable {
    /// A file, with a real or relative path.
    case file(String)
    case text(String)
    case json(JSON)
    case mask(MaskDrawing)
    /// A candidate that a person chose. Its content is in the asset store already.
    case candidate(AwaitRequest.Input)
}
