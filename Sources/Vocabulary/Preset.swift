package import JSON

extension Limits {
    /// The most bytes of a preset's name.
    package static let presetNameBytes = 40
}

/// Values for the parameters of one tool, which have a name. A preset counts in a call only by its values.
package struct Preset: Hashable, Sendable {
    /// The kind of the tool, such as `Resize`.
    package var kind: String
    package var name: String
    package var params: JSON.Object
    /// Whether the manifest of the tool has the preset, so that the user can neither replace nor delete it.
    package var isShipped: Bool

    package init(kind: String, name: String, params: JSON.Object, isShipped: Bool = false) {
        self.kind = kind
        self.name = name
        self.params = params
        self.isShipped = isShipped
    }

    /// The form of a name, for messages.
    package static let nameInWords =
        "letters, digits, - and _, begins with a letter, and has at most \(Limits.presetNameBytes) signs"

    /// Whether a text can be the name of a preset: a letter, then letters, digits, `-` and `_`, all of them ASCII.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= Limits.presetNameBytes && isWord(text) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Whether a text has the form of a tool's kind: letters and digits.
    package static func isKind(_ text: String) -> Bool { text.utf8.count <= 100 && isWord(text) { _ in false } }

    private static func isWord(_ text: String, or isSign: (UInt8) -> Bool) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        return text.utf8.first.map(isLetter) ?? false
            && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || isSign($0) }
    }
}

extension ToolManifest {
    /// The presets that the manifest has: figures with words in the summary of a parameter, such as "Sigma of the blur:
    /// 1.5 a little, 3 some, 8 a lot". Spaces in a name become `-`.
    package var presets: [Preset] {
        params.flatMap { param -> [Preset] in
            guard param.kind == .number || param.kind == .integer, let colon = param.summary.firstIndex(of: ":") else {
                return []
            }
            let parts = param.summary[param.summary.index(after: colon)...].split(separator: ",")
            let read = parts.compactMap { part -> Preset? in
                let words = part.split(separator: " ")
                let name = words.dropFirst().joined(separator: "-")
                guard let figure = words.first.flatMap({ Double($0) }), Preset.isName(name) else { return nil }
                let isWhole = figure == figure.rounded() && abs(figure) < 1e15
                let value: JSON = isWhole ? .int(Int(figure)) : .double(figure)
                return Preset(
                    kind: kind, name: name, params: JSON.Object(members: [.init(key: param.name, value: value)]),
                    isShipped: true)
            }
            return parts.count > 1 && read.count == parts.count ? read : []
        }
    }
}
