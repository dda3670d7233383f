/// The type of a value on an edge: a lower-case word such as `image`, `mask`, `text`, `json`, `file` or `any`.
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
    package static let csv = PortType("csv")

    /// Returns whether a port of this type accepts a value of type `source`. `file` accepts every type, since every
    /// asset is stored as a file, but a file is accepted only by `file` and `any`. `json` and `csv` accept a text, and the
    /// tool that reads it reports if the text is no JSON or no table. A table is a text.
    package func accepts(_ source: PortType) -> Bool {
        self == source || self == .any || source == .any || self == .file
            || source == .text && (self == .json || self == .csv) || self == .text && source == .csv
    }

    package var description: String { name }
}

/// An input or output of a node or a tool.
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
