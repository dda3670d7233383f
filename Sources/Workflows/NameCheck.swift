package import Vocabulary

/// Finds the names in a received workflow that are too long or have signs which are not allowed: ids of nodes, kinds,
/// ports and inputs of the workflow.
///
/// Names appear in `NODE.PORT=FILE`, in links, in lists and in file names. They are therefore letters and digits of any
/// language, `_` and `-`. Stored workflows are not checked, since they must stay readable.
///
/// - Parameters:
///   - known: names that may stay as they are.
///   - cut: returns a name without the keys in it. It gets whole names, since a part of a key is not recognised.
/// - Returns: one problem for each such name, at its first place. The names in it are shortened.
package func nameProblems(
    in template: Template, besides known: Set<String> = [], cut: @escaping (String) -> String = { $0 }
) -> [Problem] {
    var check = NameCheck(told: known, cut: cut)
    check.look(at: template)
    return check.problems
}

private struct NameCheck {
    var told: Set<String>
    let cut: (String) -> String
    var problems: [Problem] = []

    mutating func look(at template: Template) {
        for (index, node) in template.nodes.enumerated() {
            look(at: node.id, { "nodes \(index + 1).id" }, "the id of a step")
            look(at: node.kind, { "nodes \(index + 1).kind" }, "a kind")
            for port in node.inputs ?? [] { look(atPort: port.name) { "nodes \(index + 1).inputs" } }
            for port in node.outputs ?? [] { look(atPort: port.name) { "nodes \(index + 1).outputs" } }
        }
        for (index, edge) in template.edges.enumerated() {
            look(at: edge.from) { "edges \(index + 1).from" }
            look(at: edge.to) { "edges \(index + 1).to" }
        }
        for (index, input) in template.inputs.enumerated() {
            look(at: input.name, { "inputs \(index + 1)" }, "an input")
            for end in input.to { look(at: end) { "inputs \(index + 1).to" } }
        }
    }

    private mutating func look(at end: Template.Endpoint, _ place: () -> String) {
        look(at: end.node, place, "the id of a step")
        look(atPort: end.port, place)
    }

    private mutating func look(atPort name: String, _ place: () -> String) {
        // Most names have no full stop, and there may be hundreds of thousands.
        guard name.utf8.contains(UInt8(ascii: ".")) else { return look(at: name, place, "a port") }
        // `files.3` is the third of the files that a port takes.
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0].isName, !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            name.utf8.count <= Limits.nameBytes
        {
            return
        }
        look(at: name, place, "a port")
    }

    private mutating func look(at name: String, _ place: () -> String, _ what: String) {
        guard !name[...].isName, told.insert(name).inserted else { return }
        let name = cut(name)
        let shown = name.unicodeScalars.count > 40 ? "\(String(name.unicodeScalars.prefix(40)))…" : name
        problems.append(
            Problem(
                .badName, at: place(),
                "\"\(shown)\" cannot be \(what): a name has letters, digits, _ and -, no - at its beginning, and at most \(Limits.nameBytes) bytes."
            ))
    }
}

extension Template {
    /// Returns all names that a workflow contains.
    package var names: Set<String> {
        var names = Set(nodes.flatMap { [$0.id, $0.kind] + (($0.inputs ?? []) + ($0.outputs ?? [])).map(\.name) })
        for end in edges.flatMap({ [$0.from, $0.to] }) + inputs.flatMap(\.to) { names.formUnion([end.node, end.port]) }
        return names.union(inputs.map(\.name))
    }
}

extension Substring {
    fileprivate var isName: Bool {
        guard let first = unicodeScalars.first, utf8.count <= Limits.nameBytes else { return false }
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
            default: false
            }
        }
        if isPlain { return first != "-" }
        return first != "-" && first.properties.generalCategory.begins
            && unicodeScalars.allSatisfy {
                // Fillers are letters that nobody sees.
                $0 == "-" || $0.properties.isXIDContinue && !$0.properties.isDefaultIgnorableCodePoint
            }
    }
}

extension Unicode.GeneralCategory {
    /// Whether a name may begin with a character of this category. A combining mark may not, since it would join the
    /// character before the name.
    fileprivate var begins: Bool {
        switch self {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber,
            .connectorPunctuation:
            true
        default: false
        }
    }
}
