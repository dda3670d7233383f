/// Header fields in their order. Names are kept in lower case, so `headers["retry-after"]` finds `Retry-After`.
package struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// The value of the last field of this name, or nil if there is none. Setting it replaces all fields of the name,
    /// and setting nil removes them.
    package subscript(name: String) -> String? {
        get {
            let name = name.lowercased()
            return fields.last { $0.name == name }?.value
        }
        set {
            let lower = name.lowercased()
            fields.removeAll { $0.name == lower }
            if let newValue { append(lower, newValue) }
        }
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: value))
    }

    func keeping(_ names: Set<String>) -> HTTPHeaders {
        var kept = self
        kept.fields.removeAll { !names.contains($0.name) }
        return kept
    }
}

extension HTTPHeaders.Field {
    /// Whether the name is a token (RFC 9110 §5.1) and the value one line. So a value from a file or a model cannot add
    /// headers of its own.
    var isWellFormed: Bool {
        let separators = Set("()<>@,;:\\\"/[]?={}".utf8)
        return !name.isEmpty
            && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !separators.contains($0) }
            && value.utf8.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    }
}
