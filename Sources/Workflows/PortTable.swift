import Vocabulary

/// The inputs or outputs of one node, found by name. Small tables are searched, large ones indexed, so that a node with
/// a hundred thousand edges costs no more per edge than one with two.
struct PortTable {
    private(set) var ports: [Port]
    /// Whether names that are not here yet may be added by edges.
    let isOpen: Bool
    private var index: [String: Int]?

    init(_ ports: [Port], isOpen: Bool) {
        self.ports = ports
        self.isOpen = isOpen
        if ports.count > 8 { indexAll() }
    }

    func position(of name: String) -> Int? {
        index.map { $0[name] } ?? ports.firstIndex { $0.name == name }
    }

    /// Returns the position of a name. If the name is missing and the table is open, a new port of this type is added.
    mutating func position(of name: String, appending type: PortType) -> Int? {
        position(of: name) ?? (isOpen ? append(Port(name, type)) : nil)
    }

    @discardableResult
    mutating func append(_ port: Port) -> Int {
        ports.append(port)
        index?[port.name] = ports.count - 1
        if index == nil, ports.count > 8 { indexAll() }
        return ports.count - 1
    }

    mutating func replace(_ position: Int, by port: Port) { ports[position] = port }

    private mutating func indexAll() {
        index = Dictionary(ports.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }
}
