package import JSON
package import Vocabulary

extension ToolManifest.Param {
    /// Returns a sentence with the error of a value and the values that are allowed. `nil` if the value is allowed.
    package func fault(of value: JSON) -> String? {
        // A sealed value was checked before it was sealed.
        isAllowed(value) || SealedValue(value) != nil
            ? nil : "\(name) is \(isSecret ? "•••" : shown(value)); \(allowedInWords)."
    }

    private func isAllowed(_ value: JSON) -> Bool {
        switch kind {
        case .integer: value.int.map { isInRange(Double($0)) } ?? false
        case .number: value.number.map(isInRange) ?? false
        case .flag: value.bool != nil
        case .choice: value.string.map(choices.contains) ?? false
        case .text: value.string != nil
        case .path: value.string.map { !$0.isEmpty && !$0.utf8.contains(0) } ?? false
        // A scheme is the same in upper case (RFC 3986, 3.1).
        case .url:
            value.string.map { url in ["http://", "https://"].contains { url.prefix($0.count).lowercased() == $0 } }
                ?? false
        case .json: true
        case .list: value.array?.allSatisfy(isAllowedElement) ?? false
        }
    }

    /// Returns whether a list may have this element: a whole number within the bounds, or one of the words. A list
    /// without bounds and words accepts any.
    private func isAllowedElement(_ element: JSON) -> Bool {
        guard minimum != nil || maximum != nil || !choices.isEmpty else { return true }
        return element.int.map { isInRange(Double($0)) } ?? element.string.map(choices.contains) ?? false
    }

    private func isInRange(_ number: Double) -> Bool {
        (minimum.map { number >= $0 } ?? true) && (maximum.map { number <= $0 } ?? true)
    }

    private func shown(_ value: JSON) -> String {
        var text = value.text
        // A double without a fraction is written as a whole number, which is what it is not.
        if kind == .integer, case .double = value,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) })
        {
            text += ".0"
        }
        return text.count > 60 ? "\(text.prefix(60))…" : text
    }

    /// "allowed is a whole number from 1 to 65535 px".
    var allowedInWords: String {
        let unit = unit.map { " \($0)" } ?? ""
        switch kind {
        case .integer: return "allowed is a whole number\(range)\(unit)"
        case .number: return "allowed is a number\(range)\(unit)"
        case .flag: return "allowed are true and false"
        case .choice: return "allowed are \(choices.joined(separator: ", "))"
        case .text: return "allowed is a text"
        case .path: return "allowed is the path of a file"
        case .url: return "allowed is an address that begins with http:// or https://"
        case .json: return "allowed is any JSON"
        case .list:
            guard !range.isEmpty else { return "allowed is a list" }
            let words = choices.isEmpty ? "" : " or of \(choices.joined(separator: ", "))"
            return "allowed is a list of whole numbers\(range)\(words)"
        }
    }

    private var range: String {
        func written(_ number: Double) -> String { JSON.double(number).text }
        switch (minimum, maximum) {
        case (let low?, let high?): return " from \(written(low)) to \(written(high))"
        case (let low?, nil): return " from \(written(low))"
        case (nil, let high?): return " up to \(written(high))"
        case (nil, nil): return ""
        }
    }
}
