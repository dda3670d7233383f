import JSON
import Vocabulary

extension Plan {
    /// As the template that the engine reads.
    var text: String {
        let edges = nodes.indices.flatMap { index in
            nodes[index].isRemoved
                ? []
                : nodes[index].inputs.map { input in
                    #"{"from":["\#(nodes[input.producer].id)","out"],"to":["\#(nodes[index].id)","\#(input.port)"]}"#
                }
        }
        return
            #"{"schema":"app.workflow/v2","name":"w","nodes":[\#(nodes.map { $0.text(of: self) }.joined(separator: ","))],"#
            + #""edges":[\#(edges.joined(separator: ","))],"options":{"errorPolicy":"\#(isFailFast ? "fail-fast" : "isolate-node")","#
            + #""concurrency":{"local":\#(local),"remote":\#(remote)}}}"#
    }
}

extension Plan.Node {
    fileprivate func text(of plan: Plan) -> String {
        // As `Revision.merge` leaves it in its place.
        if isRemoved { return #"{"id":"\#(id)","kind":"Removed","inputs":{},"outputs":{}}"# }
        let ports = inputs.map { #""\#($0.port)\#($0.isOptional ? "?" : "")":"any""# }.joined(separator: ",")
        var params = kind == .delay ? #""seconds":\#(seconds)"# : kind == .ghost ? "" : #""v":\#(value)"#
        if isOffering { params += kind == .human(.choose) ? #","choices":["\#(id)"]"# : #","values":{"of":"\#(id)"}"# }
        if fate == .told { params += #","exits":["told"]"# }
        if kind == .load { params += #","path":"/w/\#(id)""# }
        var text = #"{"id":"\#(id)","kind":"\#(kind.tool)","params":{\#(params)},"inputs":{\#(ports)}"#
        if kind == .ghost { text += #","outputs":{"out":"any"}"# }
        if let wait { text += #","await":\#(wait.text)"# }
        func names(_ places: [Int]) -> String { places.map { #""\#(plan.nodes[$0].id)""# }.joined(separator: ",") }
        if !after.isEmpty { text += #","after":[\#(names(after))]"# }
        if !skipsWith.isEmpty { text += #","skipsWith":[\#(names(skipsWith))]"# }
        if !follows.isEmpty { text += #","follows":[\#(names(follows))]"# }
        if !startsAfter.isEmpty { text += #","startsAfter":[\#(names(startsAfter))]"# }
        if let when { text += #","when":"\#(plan.nodes[when.node].id) = '\#(when.word)'""# }
        return text + "}"
    }
}

extension Plan.Wait {
    fileprivate var text: String {
        let expiry = expiresSeconds.map { #","expiresIn":"PT\#($0)S""# } ?? ""
        return #"{"type":"\#(type.rawValue)"\#(expiry),"resumePolicy":{"onTimeout":"\#(onTimeout.rawValue)"}}"#
    }
}

extension Scenario {
    /// The tools that its workflows name, as they are at a moment of the story: as they should be, if that is `nil`.
    func catalogue(at elapsed: Int? = nil) -> Catalogue {
        func tool(
            _ kind: Plan.Kind, effects: Set<Effect> = [], isIdempotent: Bool = true, queue: Queue = .local,
            params: [ToolManifest.Param] = [.init(name: "v", kind: .integer, defaultValue: 0)],
            action: ToolManifest.Action = .builtin("x")
        ) -> ToolManifest {
            ToolManifest(
                kind: kind.tool, title: kind.tool, outputs: [Port("out", .any)], hasOpenPorts: true, params: params,
                effects: effects,
                isIdempotent: isIdempotent, queue: queue, action: action)
        }
        let value = ToolManifest.Param(name: "v", kind: .integer, defaultValue: 0)
        let exits = ToolManifest.Param(name: ExitRule.parameter, kind: .list)
        var tools = [
            tool(.load, effects: [.reads], params: [value, .init(name: "path", kind: .path, isRequired: true)]),
            tool(.work, params: [value, exits]),
            tool(.fetch, queue: .remote),
            tool(.once, effects: [.creates], isIdempotent: false, params: [value, exits]),
            tool(.write, effects: [.overwrites]),
            tool(.pass, queue: .none),
            tool(
                .delay, queue: .none, params: [.init(name: "seconds", kind: .number, isRequired: true)],
                action: .builtin("delay")),
        ]
        for (number, script) in providers.enumerated() {
            tools.append(tool(.job(number), queue: .remote, action: .job(.init(provider: script.terms.provider))))
        }
        let named = ["choices", "values"].map { ToolManifest.Param(name: $0, kind: .json) }
        for type in [AwaitType.drawMask, .selectAsset, .choose, .text, .capture, .confirmParams] {
            tools.append(tool(.human(type), queue: .none, params: [value] + named, action: .person(type)))
        }
        for change in toolChanges where elapsed.map({ $0 >= change.from }) ?? false {
            guard let place = tools.firstIndex(where: { $0.kind == change.kind.tool }) else { continue }
            switch change.what {
            case .newVersion: tools[place].version = Content.hash("version \(change.from)")
            case .missing where elapsed! < change.to: tools.remove(at: place)
            case .otherPorts where elapsed! < change.to:
                (tools[place].outputs, tools[place].hasOpenPorts) = ([Port("made", .any)], false)
            case .missing, .otherPorts: break
            }
        }
        return Catalogue(tools, providers: providers.map(\.terms))
    }
}

/// What comes out of a step, by what went in: known to the tools, and on its own to the interpreter.
enum Content {
    /// The answers that a person may type at a step.
    static let answers = ["no", "yes"]

    /// The content of what a person made by hand at a step.
    static func byHand(_ id: String, _ choice: Int) -> ContentHash { hash("by hand \(id) \(choice)") }

    /// 64 hexadecimal digits of a well-known small hash (FNV-1a), four times over.
    static func hash(_ text: String) -> ContentHash {
        var number: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { number = (number ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(number, radix: 16)
        let word = String(repeating: "0", count: 16 - digits.count) + digits
        return ContentHash(hex: word + word + word + word)
    }

    /// - Parameter inputs: port and hash of what is plugged in.
    static func made(by node: Plan.Node, value: Int, inputs: [(String, ContentHash)]) -> ContentHash {
        if node.isBlunt { return hash("blunt \(node.id)") }
        return hash(
            inputs.sorted { $0.0 < $1.0 }.reduce("\(node.id) \(value)") { "\($0) \($1.0)=\($1.1.hex.prefix(16))" })
    }
}
