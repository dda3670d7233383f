extension Limits {
    /// The least hexadecimal digits that name a content by its hash.
    fileprivate static let hashPrefixDigits = 6
}

/// The name by which a person refers to an asset. It is either the provenance, `w3.2.1.image` (workflow, step, attempt,
/// port), or the first digits of the content's SHA-256. The attempt can be left out (the newest counts), and so can the
/// port if the step has only one.
package enum AssetName: Hashable, Sendable, CustomStringConvertible {
    case output(step: StepID, attempt: Int?, port: String?)
    /// Lower-case hexadecimal digits, at least `Limits.hashPrefixDigits`.
    case content(prefix: String)

    package init?(parsing text: String) {
        let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        if text.hasPrefix("w"), parts.count >= 2, let workflow = WorkflowID(parsing: parts[0]),
            let step = Int(parts[1]), step > 0
        {
            let id = StepID(workflow, step)
            let attempt = parts.count > 2 ? Int(parts[2]) : nil
            if let attempt, attempt < 1 { return nil }
            let rest = parts.dropFirst(attempt == nil ? 2 : 3).joined(separator: ".")
            self = .output(step: id, attempt: attempt, port: rest.isEmpty ? nil : rest)
            return
        }
        let digits = text.lowercased()
        guard (Limits.hashPrefixDigits...64).contains(digits.utf8.count), digits.utf8.allSatisfy(ContentHash.isDigit)
        else { return nil }
        self = .content(prefix: digits)
    }

    package var description: String {
        switch self {
        case .output(let step, let attempt, let port):
            step.description + (attempt.map { ".\($0)" } ?? "") + (port.map { ".\($0)" } ?? "")
        case .content(let prefix): prefix
        }
    }
}

extension ContentHash {
    package static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Reads a hash of 64 lower-case hexadecimal digits. Returns `nil` for any other text.
    package init?(checking text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.init(hex: text)
    }

    /// Returns the hashes that a text contains: every run of exactly 64 lower-case hexadecimal digits.
    package static func named(in text: String) -> Set<ContentHash> {
        var found: Set<ContentHash> = []
        var digits: [UInt8] = []
        func end() {
            if digits.count == 64 { found.insert(ContentHash(hex: String(decoding: digits, as: UTF8.self))) }
            digits.removeAll(keepingCapacity: true)
        }
        for byte in text.utf8 {
            if isDigit(byte) { digits.append(byte) } else if !digits.isEmpty { end() }
        }
        end()
        return found
    }
}
