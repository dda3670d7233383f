import JSON
import Vocabulary

/// The answer that a model gives beside the last call of a reply, as its argument `then_say`. The person gets it
/// without another request if each call of the reply did all that it wanted. It is pure.
struct ForeseenAnswer {
    static let argument = "then_say"

    private static let notShown = "Your then_say was not shown, since this has more to tell. Read it, and answer."

    private var last: ChatCall?
    private var isWhole = false

    /// Begins a reply with these calls.
    mutating func begin(_ calls: [ChatCall]) { (last, isWhole) = (calls.last, true) }

    /// Resumes a reply with these calls.
    ///
    /// - Parameter open: those without a result. The results of the others are not known any more, nor whether a
    ///   workflow was kept as a template, so the answer is not given then.
    mutating func resume(_ calls: [ChatCall], open: [ChatCall]) {
        (last, isWhole) = (calls.last, calls.count == open.count && calls.allSatisfy { $0.arguments["keep_as"] == nil })
    }

    /// Takes note that a call of the reply was answered.
    mutating func count(_ result: CallResult) { isWhole = isWhole && result.isWhole }

    /// Returns the remark for the model beside the result of a call whose answer is not given, or nil.
    func remark(on call: ChatCall) -> String? {
        guard Self.words(of: call) != nil, call.id != last?.id || !isWhole else { return nil }
        return Self.notShown
    }

    /// The answer, once all calls of the reply have their results, or nil if the model is to be asked.
    var words: String? { isWhole ? last.flatMap(Self.words) : nil }

    private static func words(of call: ChatCall) -> String? {
        guard let words = call.arguments[argument]?.string, words.contains(where: { !$0.isWhitespace }) else {
            return nil
        }
        return words
    }
}
