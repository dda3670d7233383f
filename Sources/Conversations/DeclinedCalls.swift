import JSON
import Vocabulary

/// A call of a model, as far as it is the same call when it is made again: its tool and its arguments.
struct CallKey: Hashable {
    private let name: String
    private let arguments: String

    init(_ call: ChatCall) { (name, arguments) = (call.name, call.arguments.canonical) }
}

/// The calls of a turn that the person or the policy has declined. The same call again gets the same answer, and
/// the person is not asked a second time. It is pure.
struct DeclinedCalls {
    private var words: [CallKey: String] = [:]

    /// Takes note of a call that was declined, if it was.
    mutating func add(_ call: ChatCall, _ result: CallResult) {
        guard case .declined(let words) = result else { return }
        self.words[CallKey(call)] = words
    }

    /// Returns the answer to a call that was declined before in this turn, or nil for any other call.
    func answer(to call: ChatCall) -> CallResult? {
        guard let words = words[CallKey(call)] else { return nil }
        return .declined("The same call was declined before in this turn, so it was not asked again: \(words)")
    }
}
