import JSON
import Vocabulary

/// The check for blanks such as `{{ask.text}}` in parameters. Parameters are literal, so such a blank would end up in a
/// file name or a text as it is written.
struct BlankCheck {
    /// The ids of nodes and the names of inputs that a blank could mean.
    private let names: Set<String>
    private let tools: Catalogue
    private var problems: [Problem] = []

    /// Returns a problem for each parameter with such a blank.
    static func problems(of template: Template, _ tools: Catalogue) -> [Problem] {
        var check = BlankCheck(template, tools)
        for node in template.nodes { check.look(at: node) }
        return check.problems
    }

    private init(_ template: Template, _ tools: Catalogue) {
        names = Set(template.nodes.map(\.id) + template.inputs.map(\.name))
        self.tools = tools
    }

    /// Reports the blanks in the parameters of a node that name a node or an input of the template. Parameters that are
    /// literal, and texts with blanks of their own, may hold anything.
    private mutating func look(at node: Template.Node) {
        guard let tool = tools[node.kind] else { return }
        for member in node.params.members {
            guard let param = tool.param(member.key), !param.isLiteral,
                tool.action != .builtin("textTemplate") || param.name != "template"
            else { continue }
            for blank in Self.blanks(in: member.value) where names.contains(blank.node) {
                problems.append(problem(blank, node, tool, param.name))
                break
            }
        }
    }

    private typealias Blank = (text: String, node: String, port: String?)

    private func problem(_ blank: Blank, _ node: Template.Node, _ tool: ToolManifest, _ param: String) -> Problem {
        let taker = tool.inputs.first { $0.name == param } ?? tool.inputs.first
        let start = "\(blank.text) in a parameter is taken as it is written."
        guard let taker else {
            return Problem(.badParam, at: "\(node.id).\(param)", "\(start) \(tool.kind) has no input; write the value.")
        }
        let port = taker.isVariadic ? "\(taker.name).1" : taker.name
        return Problem(
            .badParam, at: "\(node.id).\(param)",
            """
            \(start) A value comes over an edge: \
            {"from": ["\(blank.node)", "\(blank.port ?? "text")"], "to": ["\(node.id)", "\(port)"]}.
            """)
    }

    /// The most blanks that are looked at in one parameter.
    private static let mostBlanks = 64

    private static func blanks(in json: JSON) -> [Blank] {
        switch json {
        case .string(let text): blanks(in: text)
        case .array(let elements): elements.flatMap(blanks)
        case .object(let object): object.members.flatMap { blanks(in: $0.value) }
        case .null, .bool, .int, .double: []
        }
    }

    private static func blanks(in text: String) -> [Blank] {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return [] }
        var (found, rest) = ([Blank](), text[...])
        while found.count < mostBlanks, let start = rest.firstRange(of: "{{") {
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: "}}") else { break }
            let inner = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            let parts = inner.split(separator: ".", maxSplits: 1).map { $0.filter { $0 != " " } }
            guard let node = parts.first else { continue }
            found.append(("{{\(inner)}}", node, parts.count > 1 ? parts[1] : nil))
        }
        return found
    }
}
