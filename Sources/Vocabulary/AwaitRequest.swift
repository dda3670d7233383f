package import JSON

/// What an editor needs to know of the step that it works for: what comes in, what is to come out, and the parameters
/// (`semantics.md` 100). It is stored with the await, as `AwaitRecord.question`.
package struct AwaitRequest: Hashable, Sendable {
    /// What is plugged into the step: a candidate to choose, the picture to draw a mask for.
    package struct Input: Hashable, Sendable {
        package var port: String
        package var type: PortType
        package var name: String
        package var hash: ContentHash
        package var bytes: Int
        package var meta: JSON.Object
        /// Run and port that made it: `w3.1.1.image`.
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
                port: port, type: asset.type, name: asset.name, hash: asset.hash, bytes: asset.bytes, meta: asset.meta,
                asset: "\(asset.run).\(asset.port)")
        }
    }

    /// By port.
    package var inputs: [Input]
    package var outputs: [Port]
    /// As the step would use them, without secrets.
    package var params: JSON.Object
    /// Whether completing it gives the step's outputs; else it lets the step go on (`semantics.md` 2).
    package var isPerson: Bool
    package var canSkip: Bool
    /// The demands on the answer; `nil` where it is taken as it is.
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

    /// `nil` for what is no such request, such as a question about a call.
    package init?(json: JSON) {
        guard let isPerson = json["isPerson"]?.bool else { return nil }
        // Demands that cannot be read are no lack of demands.
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

extension AwaitRecord {
    /// `nil` for a question about a call, and for what the engine asks of its own accord.
    package var request: AwaitRequest? { question.flatMap { AwaitRequest(json: $0) } }

    /// Whether it asks about a call, and so needs consent; a `confirmCall` that the template put there is a gate like
    /// any other.
    package var isAboutCall: Bool { type == .confirmCall && request == nil }

    /// Whether its title and reason are a template's words, or a tool's, and not ours.
    package var isWrittenByTemplate: Bool { !isAboutCall && type != .submitUnknown && type != .connect }
}

/// What a person gives for an output of a step, before it is taken in.
package enum AnswerContent: Hashable, Sendable {
    /// A file, with a real or relative path.
    case file(String)
    case text(String)
    case json(JSON)
    case mask(MaskDrawing)
    /// What is in the store already: one of the candidates.
    case candidate(AwaitRequest.Input)
}
