import HTTP
import Vocabulary

/// What is said of an address at which something answers, and no model does.
extension ModelProfile {
    /// Whether its address names a version, such as `/v1`.
    var hasVersion: Bool {
        url.prefix { $0 != "?" }.split(separator: "/").dropFirst(2).contains {
            $0.first == "v" && $0.dropFirst().first?.isNumber == true
        }
    }

    /// What is set already is not advised.
    var addressAdvice: String {
        hasVersion || dialect == .ollama
            ? "Check the model's address." : "Check the model's address; for most servers it ends in /v1."
    }

    /// It was reached, and what it sent is no answer.
    func unreadable(_ failure: HTTPFailure) -> Failure {
        Failure(
            "modelBadReply", "\(place) was reached, and its answer cannot be read. \(failure)", remedy: addressAdvice,
            cause: failure)
    }

    /// A success without an answer in it: a web page, some text, or nothing at all.
    ///
    /// - Parameter isLong: whether what was asked could be too long for a model.
    func noAnswer(_ bytes: [UInt8], isLong: Bool = false) -> Failure {
        let text = String(decoding: bytes.prefix(Limits.errorBodyBytes), as: UTF8.self).drop { $0.isWhitespace }
        guard !text.isEmpty else {
            return Failure(
                "modelEmpty", "\(place) answers with nothing at all.",
                remedy: isLong ? "The conversation may be too long for it: begin a new session." : addressAdvice)
        }
        guard text.first != "<" else {
            return Failure(
                "modelWrongDialect", "\(place) answers with a web page, not as a model does.", remedy: addressAdvice)
        }
        return Failure(
            "modelWrongDialect",
            "\(place) answers with a text that no model's server sends: “\(inWords(String(text)))”.",
            remedy: "Check the model's address and its dialect.")
    }
}
