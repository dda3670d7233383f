import HTTP
import Jobs
package import Vocabulary

/// A request of the toolbox. Redirects are not followed, and the answer contains their address.
package struct FetchRequest: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String
    package var url: String
    package var fields: [Field]
    /// The path of a file to send.
    package var body: String?
    /// The path of the file that the answer's body is written to.
    package var saveTo: String
    /// The most bytes of the answer's body. A larger one ends the request with `outputLimit`.
    package var bytesLimit: Int
    package var timeoutSeconds: Double

    package init(
        _ method: String, _ url: String, fields: [Field] = [], body: String? = nil, saveTo: String,
        bytesLimit: Int = Limits.fetchBytes,
        timeoutSeconds: Double = Limits.totalSeconds
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.saveTo = saveTo
        self.bytesLimit = bytesLimit
        self.timeoutSeconds = timeoutSeconds
    }
}

package enum FetchAnswer: Hashable, Sendable {
    /// An HTTP answer of any status, with its body in the file. `retryAfter` is the number of seconds for which the
    /// server asks to wait.
    case answered(status: Int, fields: [FetchRequest.Field], retryAfter: Double? = nil)
    /// A request without an answer: unknown host, no connection, interrupted, too large, or cancelled (code
    /// `cancelled`).
    case failed(Failure)
}
