import HTTP
import Vocabulary

/// Failures of an address where a server answers, but not as a model does.
extension ModelProfile {
    /// Whether the address names a version, such as `/v1`.
    var hasVersion: Bool {
        url.prefix { $0 != "?" }.split(separator: "/").dropFirst(2).contains {
            $0.first == "v" && $0.dropFirst().first?.isNumber == true
        }
    }

    /// The advice to check the address. It suggests /v1 only if the address has no version yet.
    var addressAdvice: String {
        hasVersion || dialect == .ollama
            ? "Check the model's address." : "Check the model's address; for most servers it ends in /v1."
    }

    /// Returns the failure of a server that was reached, and whose answer cannot be read.
    func unreadable(_ failure: HTTPFailure) -> Failure {
        Failure(
            .modelBadReply, "\(place) was reached, and its answer cannot be read. \(failure)", remedy: addressAdvice,
            cause: failure)
    }

    /// Returns the failure of a success status whose body is not an answer: a web page, some text, or nothing.
    ///
    /// - Parameter isLong: whether the request may be too long for a model.
    func noAnswer(_ bytes: [UInt8], isLong: Bool = false) -> Failure {
        let text = String(decoding: bytes.prefix(Limits.errorBodyBytes), as: UTF8.self).drop { $0.isWhitespace }
        guard !text.isEmpty else {
            return Failure(
                .modelEmpty, "\(place) answers with nothing at all.",
                remedy: isLong ? "The conversation may be too long for it: begin a new session." : addressAdvice)
        }
        guard text.first != "<" else {
            return Failure(
                .modelWrongDialect, "\(place) answers with a web page, not as a model does.", remedy: addressAdvice)
        }
        return Failure(
            .modelWrongDialect,
            "\(place) answers with a text that no model's server sends: “\(inWords(String(text)))”.",
            remedy: "Check the model's address and its dialect.")
    }
}
