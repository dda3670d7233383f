import CCurl
import Glibc

/// The head of a response. Its body is separate, streamed or collected.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The address that answered, after redirects.
    package var url: String
    /// How long the server asks to wait before the next request, in seconds from the arrival of the head. It is nil if
    /// the server does not ask.
    package var retryAfter: Double?

    package init(status: Int, headers: HTTPHeaders, url: String, receivedAt: Double = Double(time(nil))) {
        self.status = status
        self.headers = headers
        self.url = url
        self.retryAfter = Self.retryAfter(headers, now: receivedAt)
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the delay of `retry-after-ms`, otherwise of `retry-after` in seconds or as an HTTP date (RFC 9110
    /// §10.2.3). The result is in seconds, 0 for a date that has passed, and nil if there is none.
    private static func retryAfter(_ headers: HTTPHeaders, now: Double) -> Double? {
        if let milliseconds = headers["retry-after-ms"].flatMap(Double.init), isDelay(milliseconds) {
            return milliseconds / 1_000
        }
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Double(text) { return isDelay(seconds) ? seconds : nil }
        let date = curl_getdate(text, nil)
        return date < 0 ? nil : max(0, Double(date) - now)
    }

    private static func isDelay(_ value: Double) -> Bool { value.isFinite && value >= 0 }
}

/// A parser of response heads, which libcurl hands over line by line.
struct ResponseHeadParser {
    private let url: String
    private var status = 0
    private var headers = HTTPHeaders()
    private(set) var isComplete = false
    /// Whether any line has arrived.
    var hasBegun: Bool { bytesLeft < HTTPLimits.headBytes }
    private var bytesLeft = HTTPLimits.headBytes

    init(url: String) {
        self.url = url
    }

    /// Reads a line, and returns the head at the empty line that ends it. Heads of 1xx answers, and trailers after the
    /// body, are skipped.
    mutating func feed(_ bytes: some BidirectionalCollection<UInt8>) throws(HTTPFailure) -> HTTPResponse? {
        bytesLeft -= bytes.count
        guard bytesLeft >= 0 else { throw .headTooLarge }
        guard !isComplete else { return nil }
        let line = String(decoding: bytes, as: UTF8.self).trimmed
        if line.hasPrefix("HTTP/") {
            status = line.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
            headers = HTTPHeaders()
        } else if line.isEmpty {
            guard status >= 200 else { return nil }
            isComplete = true
            return HTTPResponse(status: status, headers: headers, url: url)
        } else if let colon = line.firstIndex(of: ":") {
            headers.append(String(line[..<colon]), String(line[line.index(after: colon)...]).trimmed)
        }
        return nil
    }
}

extension String {
    /// The text without white space of HTTP at its ends.
    fileprivate var trimmed: String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}
