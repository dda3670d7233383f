package import JSON
package import Vocabulary

/// Reads `app.workflow/v2` strictly: every key must be known, and every problem is reported with its place
/// (`semantics.md` 22, 23, 29).
package struct TemplateReader {
    private var problems: [Problem] = []
    /// The edges of a text, which were read one by one, or `nil` if they are values like all others.
    private var edges: Edges?
    /// Whether the text was stored by Assent, so that it may have the keys of the computed order.
    private let isStored: Bool

    /// The edges that were read so far, their problems, and the number of all.
    private struct Edges {
        var read: [Template.Edge] = []
        var problems: [Problem] = []
        var count = 0

        mutating func add(_ json: JSON) {
            count += 1
            var reader = TemplateReader(isStored: false)
            if let edge = reader.edge(json, number: count) { read.append(edge) }
            if !reader.problems.isEmpty { problems += reader.problems }
        }
    }

    private init(isStored: Bool) { self.isStored = isStored }

    /// Reads a template and reports all problems of its form. Whether the graph makes sense is left to `check`.
    ///
    /// - Parameter isStored: whether Assent stored the text. Only then may nodes have `follows` and `startsAfter`.
    /// - Returns: the template, or nil if the text is no workflow at all, and the problems.
    package static func read(_ bytes: [UInt8], isStored: Bool = false) -> (Template?, [Problem]) {
        let limits = JSONReader.Limits(bytes: Limits.templateBytes, depth: Limits.templateDepth)
        do throws(JSONReader.Failure) {
            var edges = Edges()
            let json = try JSONReader.read(bytes, limits: limits, allowingComments: true, elementsOf: "edges") {
                edges.add($0)
            }
            return read(json, edges, isStored: isStored)
        } catch {
            let place = error.code == .tooLarge ? "" : "line \(error.line), column \(error.column)"
            let code: Code =
                switch error.code {
                case .badJSON: .badJSON
                case .repeatedKey: .repeatedKey
                case .tooLarge: .tooLarge
                }
            return (nil, [Problem(code, at: place, error.message + ".")])
        }
    }

    package static func read(_ json: JSON, isStored: Bool = false) -> (Template?, [Problem]) {
        read(json, nil, isStored: isStored)
    }

    private static func read(_ json: JSON, _ edges: Edges?, isStored: Bool) -> (Template?, [Problem]) {
        var reader = TemplateReader(isStored: isStored)
        reader.edges = edges
        let template = reader.template(json)
        return (template, reader.problems)
    }

    private mutating func report(_ code: Code, at place: String, _ message: String) {
        problems.append(Problem(code, at: place, message))
    }

    private mutating func template(_ json: JSON) -> Template? {
        guard let object = json.object else {
            report(.badTemplate, at: "", "A workflow is an object; this is \(json.kindInWords).")
            return nil
        }
        refuseUnknownKeys(
            of: object, at: "",
            known: ["schema", "name", "description", "nodes", "edges", "inputs", "options", "guide"])
        switch object["schema"] {
        case .string(Template.schema)?: break
        case let other?:
            report(.badSchema, at: "schema", "The schema is \(other.text); this program reads \"\(Template.schema)\".")
        case nil: report(.badSchema, at: "schema", "The schema is missing: write \"schema\": \"\(Template.schema)\".")
        }
        let name = string(object["name"], at: "name", code: .badTemplate) ?? "workflow"
        let nodes = list(object["nodes"], at: "nodes", isRequired: true)
        guard nodes.count <= Limits.templateNodes else {
            report(
                .tooLarge, at: "nodes",
                "The workflow has \(nodes.count) nodes; at most \(Limits.templateNodes) are read.")
            return nil
        }
        if nodes.isEmpty, object["nodes"]?.array != nil {
            report(.badTemplate, at: "nodes", "The workflow has no nodes.")
        }
        return Template(
            name: name,
            nodes: nodes.enumerated().compactMap { node($1, number: $0 + 1) },
            edges: edges(object["edges"]),
            inputs: (members(object["inputs"], at: "inputs") ?? []).compactMap { workflowInput($0.key, $0.value) },
            options: options(object["options"]), guide: words(object["guide"], at: "guide"))
    }

    // MARK: Nodes

    private mutating func node(_ json: JSON, number: Int) -> Template.Node? {
        guard let object = json.object else {
            report(.badTemplate, at: "nodes \(number)", "A node is an object; this is \(json.kindInWords).")
            return nil
        }
        let fallback = "nodes \(number)"
        guard let id = string(object["id"], at: "\(fallback).id", code: .badTemplate), !id.isEmpty else {
            if object["id"] == "" { report(.badTemplate, at: "\(fallback).id", "The id is empty.") }
            return nil
        }
        // A place is shown as a whole, so an id that is too long is none.
        let place = id.utf8.count <= Limits.nameBytes ? id : fallback
        refuseUnknownKeys(
            of: object, at: place,
            known: ["id", "kind", "params", "inputs", "outputs", "await", "resources", "after", "when", "skipsWith"]
                + (isStored ? ["follows", "startsAfter", "folded"] : []))
        let kind = string(object["kind"], at: "\(place).kind", code: .badTemplate) ?? ""
        var params = JSON.Object()
        if let written = object["params"] {
            if let given = written.object {
                params = given
            } else {
                report(.badParam, at: "\(place).params", "Parameters are an object; this is \(written.kindInWords).")
            }
        }
        var node = Template.Node(
            id: id, kind: kind, params: params,
            inputs: ports(object["inputs"], at: "\(place).inputs"),
            outputs: ports(object["outputs"], at: "\(place).outputs"),
            awaits: awaitSpec(object["await"], at: "\(place).await"),
            queue: queue(object["resources"], at: "\(place).resources"),
            after: names(object["after"], at: "\(place).after"), when: condition(object["when"], at: "\(place).when"),
            skipsWith: names(object["skipsWith"], at: "\(place).skipsWith"))
        guard isStored else { return node }
        node.follows = names(object["follows"], at: "\(place).follows")
        node.startsAfter = names(object["startsAfter"], at: "\(place).startsAfter")
        node.folded = object["folded"]?.int
        return node
    }

    private mutating func names(_ json: JSON?, at place: String) -> [String] {
        list(json, at: place).compactMap { string($0, at: place, code: .badTemplate) }
    }

    private mutating func condition(_ json: JSON?, at place: String) -> Condition? {
        guard let json, let text = string(json, at: place, code: .badCondition) else { return nil }
        do throws(ConditionFault) { return try Condition.read(text) } catch {
            report(error.code, at: place, "\(error.message) It is at sign \(error.offset + 1).")
            return nil
        }
    }

    private mutating func ports(_ json: JSON?, at place: String) -> [Port]? {
        guard let members = members(json, at: place) else { return nil }
        return members.compactMap { member in
            let isMarked = member.key.hasSuffix("?")
            let name = isMarked ? String(member.key.dropLast()) : member.key
            switch member.value {
            case .string(let type): return Port(name, PortType(type), isOptional: isMarked)
            case .object(let object):
                refuseUnknownKeys(of: object, at: "\(place).\(name)", known: ["type", "optional"])
                guard let type = string(object["type"], at: "\(place).\(name).type", code: .badTemplate) else {
                    return nil
                }
                return Port(
                    name, PortType(type),
                    isOptional: flag(object["optional"], at: "\(place).\(name).optional") || isMarked)
            default:
                report(
                    .badTemplate, at: "\(place).\(name)",
                    "A port's type is a text or {\"type\", \"optional\"}; this is \(member.value.kindInWords).")
                return nil
            }
        }
    }

    private mutating func queue(_ json: JSON?, at place: String) -> Queue? {
        guard let members = members(json, at: place) else { return nil }
        let object = JSON.Object(members: members)
        refuseUnknownKeys(of: object, at: place, known: ["class"])
        return choice(object["class"], at: "\(place).class", of: Queue.self)
    }

    private mutating func awaitSpec(_ json: JSON?, at place: String) -> Template.AwaitSpec? {
        guard let members = members(json, at: place) else { return nil }
        let object = JSON.Object(members: members)
        let hints = ["ui", "blocking", "schemaRef", "thumbnail"]
        refuseUnknownKeys(
            of: object, at: place,
            known: ["type", "urgency", "expiresIn", "notification", "resumePolicy", "title", "detail", "accept"] + hints
        )
        guard let written = string(object["type"], at: "\(place).type", code: .badAwait) else { return nil }
        guard let type = AwaitType(parsing: written) else {
            let known = AwaitType.allCases.map(\.rawValue).joined(separator: ", ")
            report(.badAwait, at: "\(place).type", "\"\(written)\" is no kind of await; known are \(known).")
            return nil
        }
        var spec = Template.AwaitSpec(type: type)
        // `blocking` is another word for the highest urgency (`semantics.md` 77).
        let urgency = object["urgency"] == "blocking" ? "high" : object["urgency"]
        spec.urgency = choice(urgency, at: "\(place).urgency", of: Urgency.self) ?? .normal
        if let duration = object["expiresIn"] {
            spec.expiresInSeconds = duration.string.flatMap(Self.seconds(ofDuration:)).flatMap {
                $0 <= Limits.longestWaitSeconds ? $0 : nil
            }
            if spec.expiresInSeconds == nil {
                report(
                    .badAwait, at: "\(place).expiresIn",
                    "\(duration.text) is no ISO 8601 duration such as \"PT24H\", ten years at most.")
            }
        }
        if let members = self.members(object["notification"], at: "\(place).notification") {
            let notification = JSON.Object(members: members)
            refuseUnknownKeys(of: notification, at: "\(place).notification", known: ["title", "body"])
            spec.title = words(notification["title"], at: "\(place).notification.title")
            spec.detail = words(notification["body"], at: "\(place).notification.body")
        }
        spec.title = words(object["title"], at: "\(place).title") ?? spec.title
        spec.detail = words(object["detail"], at: "\(place).detail") ?? spec.detail
        if let members = self.members(object["resumePolicy"], at: "\(place).resumePolicy") {
            let policy = JSON.Object(members: members)
            refuseUnknownKeys(of: policy, at: "\(place).resumePolicy", known: ["onTimeout"])
            spec.onTimeout =
                choice(policy["onTimeout"], at: "\(place).resumePolicy.onTimeout", of: OnTimeout.self) ?? .cancel
        }
        if let json = object["accept"] {
            do throws(Acceptance.Fault) { spec.accept = try Acceptance(json: json) } catch {
                report(.badAwait, at: "\(place).accept" + (error.key.isEmpty ? "" : ".\(error.key)"), error.words)
            }
        }
        return spec
    }

    // MARK: Edges, inputs, options

    private mutating func edges(_ json: JSON?) -> [Template.Edge] {
        let list = list(json, at: "edges")
        guard let edges, edges.count > 0 else {
            return list.enumerated().compactMap { edge($1, number: $0 + 1) }
        }
        problems += edges.problems
        return edges.read
    }

    private mutating func edge(_ json: JSON, number: Int) -> Template.Edge? {
        guard let object = json.object else {
            report(
                .badTemplate, at: "edges \(number)",
                "An edge is {\"from\": [node, port], \"to\": [node, port]}; this is \(json.kindInWords).")
            return nil
        }
        refuseUnknownKeys(of: object, at: "edges \(number)", known: ["from", "to"])
        let from = endpoint(object["from"], at: "edges \(number).from")
        let to = endpoint(object["to"], at: "edges \(number).to")
        guard let from, let to else { return nil }
        return Template.Edge(from: from, to: to)
    }

    private mutating func endpoint(_ json: JSON?, at place: String) -> Template.Endpoint? {
        guard let pair = json?.array, pair.count == 2, let node = pair[0].string, let port = pair[1].string else {
            report(.badTemplate, at: place, "One end of an edge is [node, port], both texts.")
            return nil
        }
        return Template.Endpoint(node, port.hasSuffix("?") ? String(port.dropLast()) : port)
    }

    private mutating func workflowInput(_ name: String, _ json: JSON) -> Template.WorkflowInput? {
        let place = "inputs.\(name)"
        guard let object = json.object, let type = string(object["type"], at: "\(place).type", code: .badTemplate)
        else {
            if json.object == nil { report(.badTemplate, at: place, "An input is {\"type\", \"to\", \"optional\"}.") }
            return nil
        }
        refuseUnknownKeys(of: object, at: place, known: ["type", "to", "optional"])
        let ends = list(object["to"], at: "\(place).to", isRequired: true).enumerated().compactMap {
            endpoint($1, at: "\(place).to \($0 + 1)")
        }
        return Template.WorkflowInput(
            name: name, type: PortType(type), to: ends, isOptional: flag(object["optional"], at: "\(place).optional"))
    }

    private mutating func options(_ json: JSON?) -> Template.Options {
        var options = Template.Options()
        guard let members = members(json, at: "options") else { return options }
        let object = JSON.Object(members: members)
        refuseUnknownKeys(of: object, at: "options", known: ["concurrency", "errorPolicy", "order"])
        if let members = self.members(object["concurrency"], at: "options.concurrency") {
            let caps = JSON.Object(members: members)
            refuseUnknownKeys(of: caps, at: "options.concurrency", known: ["local", "remote"])
            options.localConcurrency = cap(caps["local"], at: "options.concurrency.local") ?? options.localConcurrency
            options.remoteConcurrency =
                cap(caps["remote"], at: "options.concurrency.remote") ?? options.remoteConcurrency
        }
        options.errorPolicy =
            choice(object["errorPolicy"], at: "options.errorPolicy", of: Template.ErrorPolicy.self)
            ?? options.errorPolicy
        options.order = choice(object["order"], at: "options.order", of: Template.Order.self) ?? options.order
        return options
    }

    private mutating func cap(_ json: JSON?, at place: String) -> Int? {
        guard let json else { return nil }
        guard let number = json.int, (1...1000).contains(number) else {
            report(.badOption, at: place, "\(json.text) is not a whole number from 1 to 1000.")
            return nil
        }
        return number
    }

    // MARK: Forms

    private mutating func refuseUnknownKeys(of object: JSON.Object, at place: String, known: [String]) {
        for key in object.keys where !known.contains(key) {
            report(
                .unknownKey, at: place.isEmpty ? key : "\(place).\(key)",
                "\"\(key)\" is not known here; known are \(known.joined(separator: ", ")).")
        }
    }

    private mutating func string(_ json: JSON?, at place: String, code: Code) -> String? {
        if let text = json?.string { return text }
        report(code, at: place, json.map { "A text belongs here, not \($0.kindInWords)." } ?? "A text is missing here.")
        return nil
    }

    private mutating func words(_ json: JSON?, at place: String) -> String? {
        json == nil ? nil : string(json, at: place, code: .badAwait)
    }

    private mutating func flag(_ json: JSON?, at place: String) -> Bool {
        guard let json else { return false }
        if json.bool == nil { report(.badTemplate, at: place, "true or false belongs here, not \(json.kindInWords).") }
        return json.bool ?? false
    }

    private mutating func list(_ json: JSON?, at place: String, isRequired: Bool = false) -> [JSON] {
        if let array = json?.array { return array }
        if let json {
            report(.badTemplate, at: place, "A list belongs here, not \(json.kindInWords).")
        } else if isRequired {
            report(.badTemplate, at: place, "A list is missing here.")
        }
        return []
    }

    private mutating func members(_ json: JSON?, at place: String) -> [JSON.Object.Member]? {
        guard let json else { return nil }
        if json.object == nil { report(.badTemplate, at: place, "An object belongs here, not \(json.kindInWords).") }
        return json.object?.members
    }

    private mutating func choice<Value: RawRepresentable & CaseIterable>(
        _ json: JSON?, at place: String, of type: Value.Type
    ) -> Value? where Value.RawValue == String {
        guard let json else { return nil }
        if let value = json.string.flatMap(Value.init(rawValue:)) { return value }
        let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
        report(.badOption, at: place, "\(json.text) is not known here; known are \(known).")
        return nil
    }

    /// Returns the seconds of an ISO 8601 duration in days, hours, minutes and seconds, such as `PT24H` or `P1DT30M`.
    /// Months and years are not accepted, since their length is not fixed.
    private static func seconds(ofDuration text: String) -> Double? {
        guard text.hasPrefix("P"), text.count > 2 else { return nil }
        var total = 0.0
        var digits = ""
        var isTime = false
        for character in text.dropFirst() {
            switch character {
            case "T" where !isTime && digits.isEmpty: isTime = true
            case "0"..."9", ".": digits.append(character)
            case "D", "H", "M", "S":
                let units: [Character: Double] = isTime ? ["H": 3600, "M": 60, "S": 1] : ["D": 86_400]
                guard let unit = units[character], let number = Double(digits) else { return nil }
                total += unit * number
                digits = ""
            default: return nil
            }
        }
        return digits.isEmpty ? total : nil
    }
}
