/// What may flow along an edge: a lower-case word such as `image`, `mask`, `text`, `json`, `file`, `any`.
package struct PortType: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    /// `ImageRef`, `Image` and `image` are the same type (`semantics.md` 22).
    package init(_ written: String) {
        let stem = written.count > 3 && written.hasSuffix("Ref") ? String(written.dropLast(3)) : written
        name = stem.lowercased()
    }

    package static let any = PortType("any")
    package static let image = PortType("image")
    package static let mask = PortType("mask")
    package static let text = PortType("text")
    package static let json = PortType("json")
    package static let file = PortType("file")

    /// Whether a value of type `source` may be plugged in here. Every asset is stored as a file, so `file` takes all of
    /// them; the reverse would need a look inside. A text may be JSON: the tool that takes it reads it and says so if
    /// it is not.
    package func accepts(_ source: PortType) -> Bool {
        self == source || self == .any || source == .any || self == .file || (self == .json && source == .text)
    }

    package var description: String { name }
}

/// One input or output of a node or a tool.
package struct Port: Hashable, Sendable {
    package var name: String
    package var type: PortType
    package var isOptional: Bool
    /// `files: file*` in a manifest: a node declares `files.1 … files.N`.
    package var isVariadic: Bool

    package init(_ name: String, _ type: PortType, isOptional: Bool = false, isVariadic: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isVariadic = isVariadic
    }
}
