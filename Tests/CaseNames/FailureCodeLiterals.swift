package import Vocabulary

/// Lets tests write codes as the texts that scripts see. Sources cannot: there a code is a case of `Code`.
extension FailureCode: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

/// Compares a code with a text that a table of a test holds.
package func == (code: FailureCode?, text: String) -> Bool { code?.text == text }
package func == (code: FailureCode?, text: String?) -> Bool { code?.text == text }
package func != (code: FailureCode?, text: String) -> Bool { code?.text != text }
package func == (codes: [FailureCode], texts: [String]) -> Bool { codes.map(\.text) == texts }
package func == (code: Code, text: String) -> Bool { code.rawValue == text }

extension Failure {
    /// Creates a failure with a code that a table of a test holds.
    package init(_ code: String, _ message: String, remedy: String? = nil, isTransient: Bool = false) {
        self.init(FailureCode(code), message, remedy: remedy, isTransient: isTransient)
    }
}

extension Reason {
    /// Creates a reason with a code that a table of a test holds.
    package init(_ code: String, _ words: String) { self.init(FailureCode(code), words) }
}
