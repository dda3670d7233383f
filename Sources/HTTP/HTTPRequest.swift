/// A request, as a value. Times are in seconds, sizes in bytes.
package struct HTTPRequest: Sendable {
    package var url: String
    package var method: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    package var timeouts: Timeouts
    package var redirects: Redirects
    /// The largest body that `collect` accepts. A streamed body is bounded by its reader.
    package var maxBodyBytes: Int

    package init(
        _ url: String, method: String = "GET", headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        timeouts: Timeouts = Timeouts(),
        redirects: Redirects = .none, maxBodyBytes: Int = HTTPLimits.collectedBytes
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.redirects = redirects
        self.maxBodyBytes = maxBodyBytes
    }

    /// Whether the request only reads, so that it may be sent twice.
    var isRead: Bool { method == "GET" || method == "HEAD" }

    package struct Timeouts: Sendable, Hashable {
        /// The longest time until the connection is established, TLS included.
        package var connect: Double
        /// The longest time between two bytes, in either direction. It does not run while the reader of the body
        /// pauses.
        package var idle: Double
        /// The longest time from the start to the last byte of one hop, or nil for no limit.
        package var total: Double?

        package init(connect: Double = 10, idle: Double = 120, total: Double? = 900) {
            self.connect = connect
            self.idle = idle
            self.total = total
        }

        /// The timeouts within safe bounds: at least a millisecond, at most some days. A settings file may say
        /// anything.
        var bounded: Timeouts {
            func bound(_ seconds: Double) -> Double { seconds.isNaN ? 1_000_000 : min(max(seconds, 0.001), 1_000_000) }
            return Timeouts(connect: bound(connect), idle: bound(idle), total: total.map(bound))
        }
    }

    /// Whether and where answers with a `Location` are followed. Never from https to http.
    package struct Redirects: Sendable {
        package var limit: Int
        /// Returns whether a hop to an origin is allowed. It is called before each hop.
        package var allows: @Sendable (Origin) -> Bool

        package static let none = Redirects(limit: 0)

        package init(limit: Int = 5, allows: @escaping @Sendable (Origin) -> Bool = { _ in true }) {
            self.limit = limit
            self.allows = allows
        }
    }
}

/// The limits of this module. Sizes are in bytes.
package enum HTTPLimits {
    /// The most bytes of a body that is collected in memory, unless the request has its own limit. A larger body fails.
    package static let collectedBytes = 16 << 20
    /// The most bytes of one server-sent event, unless a parser has its own limit.
    package static let eventBytes = 4 << 20
    /// The bytes of a body that wait in memory for their reader. Beyond them, the transfer pauses.
    static let bufferedBytes = 64 << 10
    /// The most bytes of the head of an answer. A larger one ends the transfer with `headTooLarge`.
    static let headBytes = 256 << 10
}
