package import Harness
package import JSON
import Testing
package import Vocabulary

/// An argument of a parameterised test that has a name of its own: by itself it would print all that it holds.
package struct Named<Value: Sendable>: Sendable, CustomTestStringConvertible {
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }

    package var testDescription: String { name }
}

extension JSON: CustomTestStringConvertible {
    package var testDescription: String { brief(text) }
}

extension ScriptAnswer: CustomTestStringConvertible {
    package var testDescription: String {
        let words = steps.map { step in
            switch step {
            case .send(let bytes): brief(String(decoding: bytes.prefix(200), as: UTF8.self))
            case .flood(let count): "\(count) bytes"
            case .wait, .gate, .reached, .hang, .cut, .reset: brief("\(step)")
            }
        }
        return brief("\(status) " + words.joined(separator: " · "))
    }
}

extension Call: CustomTestStringConvertible {
    package var testDescription: String {
        brief("\(tool) " + JSON.object(params).text + targets.map { " \($0.effect.rawValue) \($0.place)" }.joined())
    }
}

extension WorkflowSummary: CustomTestStringConvertible {
    package var testDescription: String {
        brief("\(record.id) \"\(record.title)\" \(record.outcome?.rawValue ?? "open")")
    }
}

extension StepRecord: CustomTestStringConvertible {
    package var testDescription: String {
        brief("\(id) \(kind) \(state.rawValue) \(reason?.code ?? "") \(failure?.code ?? "")")
    }
}

private func brief(_ text: String) -> String { text.count <= 100 ? text : text.prefix(99) + "…" }
