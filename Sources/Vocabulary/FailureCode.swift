/// The code of a failure, a problem or a reason: one of ours, or one that came from outside.
///
/// Codes come from outside in words of a provider, and in rows and bundles that another version of Assent wrote.
package enum FailureCode: Hashable, Sendable {
    case ours(Code)
    case other(String)

    /// Reads a stored code.
    package init(_ text: String) { self = Code(text: text).map(Self.ours) ?? .other(text) }

    /// The code as scripts and stored rows have it.
    package var text: String {
        switch self {
        case .ours(let code): code.rawValue
        case .other(let text): text
        }
    }

    /// The code if it is one of ours.
    package var ours: Code? { if case .ours(let code) = self { code } else { nil } }

    /// The exit code of a command that ends with a failure of this code.
    package var exit: ExitStatus { ours?.exit ?? .failed }

    /// Returns whether the code is one of these.
    package func isOne(of codes: Code...) -> Bool { isOne(of: codes) }

    /// Returns whether the code is one of these.
    package func isOne(of codes: [Code]) -> Bool { ours.map(codes.contains) ?? false }

    package static func == (code: FailureCode, other: Code) -> Bool { code.ours == other }
    package static func != (code: FailureCode, other: Code) -> Bool { code.ours != other }
}

extension FailureCode: CustomStringConvertible {
    package var description: String { text }
}

extension FailureCode? {
    package static func == (code: FailureCode?, other: Code) -> Bool { code?.ours == other }
    package static func != (code: FailureCode?, other: Code) -> Bool { code?.ours != other }
}
