/// A workflow instance, shown as `w3`. Numbers are given by the database and never reused.
package struct WorkflowID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let number: Int64

    package init(_ number: Int64) {
        self.number = number
    }

    /// Reads `w3` and `3`.
    package init?(parsing text: String) {
        guard let number = Int64(text.hasPrefix("w") ? text.dropFirst() : text[...]), number > 0 else { return nil }
        self.number = number
    }

    package static func < (one: WorkflowID, other: WorkflowID) -> Bool { one.number < other.number }
    package var description: String { "w\(number)" }
}

/// A node in a workflow instance. `index` counts from 1 in the order of the template, and is the number of the step
/// that users see.
package struct StepID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let workflow: WorkflowID
    package let index: Int

    package init(_ workflow: WorkflowID, _ index: Int) {
        self.workflow = workflow
        self.index = index
    }

    package static func < (one: StepID, other: StepID) -> Bool {
        (one.workflow, one.index) < (other.workflow, other.index)
    }

    package var description: String { "\(workflow).\(index)" }
}

/// An attempt of a step. Attempts count from 1, so that the name of a run follows from its step.
package struct RunID: Hashable, Sendable, CustomStringConvertible {
    package let step: StepID
    package let attempt: Int

    package init(_ step: StepID, attempt: Int) {
        self.step = step
        self.attempt = attempt
    }

    package var description: String { "\(step).\(attempt)" }
}

/// A conversation, shown as `s2`.
package struct SessionID: Hashable, Sendable, CustomStringConvertible {
    package let number: Int64

    package init(_ number: Int64) {
        self.number = number
    }

    package init?(parsing text: String) {
        guard let number = Int64(text.hasPrefix("s") ? text.dropFirst() : text[...]), number > 0 else { return nil }
        self.number = number
    }

    package var description: String { "s\(number)" }
}

/// The SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
    package let hex: String

    package init(hex: String) {
        self.hex = hex
    }

    /// - Parameter digest: 32 bytes.
    package init(digest: some Sequence<UInt8>) {
        hex = digest.hexDigits
    }

    package var description: String { hex }

    /// The hash of an empty content, as it comes from a source that passes nothing on.
    package static let ofNothing = ContentHash(hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
}

extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits in lower case, two for each byte.
    package var hexDigits: String { map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined() }
}
