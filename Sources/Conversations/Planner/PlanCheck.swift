import JSON
import Vocabulary

/// A check of a plan against its sentence. If the plan lacks something that the sentence says, it is refused before
/// anything runs.
///
/// The planner refuses words that it does not use. This check looks only at the plan, so that a mistake of the planner
/// has no effect.
struct PlanCheck {
    let catalogue: Catalogue
    private let nodes: [Node]
    /// The nodes to which edges lead, with the ports where they begin, by the node where they begin.
    private let next: [Int: [(node: Int, port: String)]]
    /// The texts of all parameters, in lower case.
    private let texts: [String]

    private struct Node {
        var tool: ToolManifest
        var params: JSON.Object
    }

    init(_ plan: JSON, catalogue: Catalogue) {
        self.catalogue = catalogue
        var numbers: [String: Int] = [:]
        var nodes: [Node] = []
        for node in plan["nodes"]?.array ?? [] {
            guard let tool = catalogue[node["kind"]?.string ?? ""], let id = node["id"]?.string else { continue }
            numbers[id] = nodes.count
            nodes.append(Node(tool: tool, params: node["params"]?.object ?? JSON.Object()))
        }
        var next: [Int: [(node: Int, port: String)]] = [:]
        for edge in plan["edges"]?.array ?? [] {
            guard let from = numbers[edge["from"]?[0]?.string ?? ""], let to = numbers[edge["to"]?[0]?.string ?? ""]
            else { continue }
            next[from, default: []].append((to, edge["from"]?[1]?.string ?? ""))
        }
        (self.nodes, self.next) = (nodes, next)
        texts = nodes.flatMap { node in
            node.params.members.flatMap { $0.value.array ?? [$0.value] }.compactMap { $0.string?.lowercased() }
        }
    }

    /// Returns why a plan does not do what its sentence says, or nil if it does.
    func refusal(of parts: [Part], _ tokens: [Token]) -> Refusal? {
        if let limit = brokenLimit {
            return Refusal("\(limit) would not be the last step, so its limit might not hold. Say it last.")
        }
        if let name = textUnderOtherName {
            return Refusal("\(name) would be a text, whatever its name says. Give it a name such as notes.txt.")
        }
        let missing = missing(parts, tokens)
        return missing.isEmpty ? nil : .notUnderstood(missing)
    }

    /// Returns the words without anything in the plan.
    private func missing(_ parts: [Part], _ tokens: [Token]) -> [String] {
        var missing = joints(parts).map(\.text)
        let roles = Clauses(parts).roles
        let hasTemplate = parts.contains { $0.meaning?.template != nil }
        for (number, part) in parts.enumerated() {
            guard let meaning = part.meaning, meaning.kind != .idle, meaning.kind != .kept else { continue }
            // A square of a size is made by the step with the size.
            let isSquare = meaning.gives.contains { $0.name == "square" }
            // "run web-ready on cat.jpg": the words beside a template may be those of a tool.
            let isBeside = meaning.joins && hasTemplate
            if !meaning.tools.isEmpty, !isBeside, !isSquare, !isDone(meaning) { missing.append(part.text) }
            for token in tokens[part.range] {
                switch token.kind {
                case .file, .missing, .outside, .url:
                    let isThere = token.reference?.plainName.map(names) ?? names(token.text)
                    if isThere == ((roles[number] ?? meaning.role) == "except") { missing.append(token.text) }
                case .number(let value, let unit):
                    if meaning.filters.isEmpty, meaning.answer == nil, !says(token.text), !holds(value, unit) {
                        missing.append(token.text)
                    }
                case .size(let width, let height):
                    if !says(token.text), !holds(width, .pixels) || !holds(height, .pixels) {
                        missing.append(token.text)
                    }
                case .word, .quoted, .code, .glob, .dotted, .comma, .stop: break
                }
            }
        }
        return missing
    }

    // MARK: Rules

    /// The name of an archive, a picture or another file that is no text, under which a text would be saved. Returns
    /// nil if there is none.
    private var textUnderOtherName: String? {
        for (number, node) in nodes.enumerated() {
            for (other, port) in next[number] ?? [] where nodes[other].tool.isSaver {
                guard let path = nodes[other].params["path"]?.string, !path.hasSuffix("/"),
                    let output = node.tool.outputs.first(where: { $0.name == port }),
                    output.type == .text || output.type == .json, FileName.isNoText(path)
                else { continue }
                return path
            }
        }
        return nil
    }

    /// The tool of a byte limit after which the picture is changed again, or nil if there is none.
    private var brokenLimit: String? {
        for (number, node) in nodes.enumerated() where node.params.keys.contains(where: { $0.hasPrefix("target") }) {
            var open = next[number] ?? []
            while let (place, _) = open.popLast() {
                let tool = nodes[place].tool
                // Packing and saving keep the bytes of each file, and a wait changes nothing.
                if tool.makesFiles, !tool.gathers, !tool.hasOpenPorts {
                    return node.tool.title
                }
                if tool.hasOpenPorts { open += next[place] ?? [] }
            }
        }
        return nil
    }

    /// Returns the joints that have an order, a file or a figure on one side only.
    private func joints(_ parts: [Part]) -> [Part] {
        let said = parts.indices.filter { number in
            guard let meaning = parts[number].meaning else { return false }
            return meaning.kind != .idle && meaning.kind != .start && !isJoint(meaning)
        }
        return parts.indices.filter { number in
            guard let meaning = parts[number].meaning, isJoint(meaning) || meaning.kind == .start else { return false }
            return !said.contains { $0 > number } || meaning.kind == .and && !said.contains { $0 < number }
        }.map { parts[$0] }
    }

    private func isJoint(_ meaning: Meaning) -> Bool { meaning.kind == .and || meaning.kind == .then }

    /// Whether the plan has a step of one of a word's tools. A word for a smaller picture may also mean a limit in
    /// bytes.
    private func isDone(_ meaning: Meaning) -> Bool {
        let resizes = meaning.tools.contains { catalogue[$0]?.param("width") != nil }
        return nodes.contains { node in
            meaning.tools.contains(node.tool.kind) || resizes && node.params.keys.contains { $0.hasPrefix("target") }
        }
    }

    /// Whether a parameter in the plan contains the name of a file, or ends with the last part of its path.
    private func names(_ name: String) -> Bool {
        let name = FileName.withoutSlash(name).lowercased()
        let bare = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
        return texts.contains { $0.contains(bare) } || texts.contains { $0.hasSuffix(FileName.base(of: bare)) }
    }

    private func says(_ text: String) -> Bool { texts.contains { $0.contains(text.lowercased()) } }

    /// Whether a parameter with the unit holds the figure.
    private func holds(_ value: Double, _ unit: Token.Unit?) -> Bool {
        nodes.contains { node in
            node.params.members.contains { member in
                guard let number = member.value.number, let param = node.tool.param(member.key) else { return false }
                return Self.figures(value, unit, in: param).contains { abs(abs($0) - abs(number)) < 1e-5 }
            }
        }
    }

    /// Returns the values that a parameter may hold for a figure. The list is empty if the parameter has another unit.
    private static func figures(_ value: Double, _ unit: Token.Unit?, in param: ToolManifest.Param) -> [Double] {
        switch (unit, param.unit) {
        case (nil, _): [value]
        case (.pixels?, "px"), (.degrees?, "°"), (.megapixels?, "MP"): [value]
        // "by 30 % smaller" is 70 %.
        case (.percent?, "%"): [value, 100 - value, 100 + value]
        case (.percent?, nil): [value, value / 100]
        case (.bytes(let factor)?, "KB"): [value * factor / 1e3]
        case (.bytes(let factor)?, "MB"): [value * factor / 1e6]
        case (.seconds(let factor)?, "s"): [value * factor]
        default: []
        }
    }
}
