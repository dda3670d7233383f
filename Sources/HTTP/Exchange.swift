import CCurl

/// A request on the curl thread: its easy handle, and the memory that libcurl uses until it is done. It never leaves
/// that thread.
final class Exchange {
    let delivery: Delivery
    let handle: OpaquePointer
    private let now: @Sendable () -> SuspendingClock.Instant
    private let startedAt: SuspendingClock.Instant
    private var lastByteAt: SuspendingClock.Instant
    private var uploadedBytes: curl_off_t = 0
    private var isPaused = false
    private var head: ResponseHeadParser
    /// The reason why a callback ended the transfer. libcurl itself reports only that a callback did.
    private var refusal: HTTPFailure?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let words: UnsafeMutablePointer<CChar>

    /// Prepares a handle for a request.
    ///
    /// - Parameter handle: a handle without options. Its creator frees it, after this exchange.
    init(
        _ delivery: Delivery, on handle: OpaquePointer, now: @escaping @Sendable () -> SuspendingClock.Instant,
        network: NetworkSettings
    ) {
        self.delivery = delivery
        self.handle = handle
        self.now = now
        startedAt = now()
        lastByteAt = startedAt
        head = ResponseHeadParser(url: delivery.request.url)
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setTarget(delivery.request, network)
        setHeaders(delivery.request.headers, network)
        setBody(delivery.request)
        setCallbacks()
    }

    deinit {
        curl_slist_free_all(headerList)
        words.deallocate()
    }

    static func of(_ handle: OpaquePointer) -> Exchange? {
        var pointer: UnsafeMutableRawPointer?
        ccurl_info_ptr(handle, CURLINFO_PRIVATE, &pointer)
        return pointer.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    }

    func unpause() {
        isPaused = false
        lastByteAt = now()
        curl_easy_pause(handle, 0)
    }

    func finish(_ code: CURLcode) {
        if let refusal {
            delivery.finish(.failure(refusal))
        } else if code == CURLE_OUT_OF_MEMORY, head.hasBegun, !head.isComplete {
            // libcurl reports a line that is too long for it as a lack of memory.
            delivery.finish(.failure(.headTooLarge))
        } else if code == CURLE_OK {
            delivery.finish(.success(()))
        } else {
            let text = String(cString: words[0] == 0 ? curl_easy_strerror(code) : UnsafePointer(words))
            delivery.finish(.failure(HTTPFailure(code, words: text, timeouts: delivery.request.timeouts)))
        }
    }

    // MARK: Time

    /// The next moment at which `overdue` may return a failure, or nil if there is none.
    var deadline: SuspendingClock.Instant? {
        let timeouts = delivery.request.timeouts
        let idle = isPaused ? nil : lastByteAt + .seconds(timeouts.idle)
        let total = timeouts.total.map { startedAt + .seconds($0) }
        return [idle, total].compactMap { $0 }.min()
    }

    func overdue(at now: SuspendingClock.Instant) -> HTTPFailure? {
        let timeouts = delivery.request.timeouts
        if let total = timeouts.total, now >= startedAt + .seconds(total) { return .totalTimeout(seconds: total) }
        guard !isPaused, now >= lastByteAt + .seconds(timeouts.idle) else { return nil }
        return .idleTimeout(seconds: timeouts.idle)
    }

    /// Updates the time of the last byte if bytes were sent. libcurl reports sent bytes only when asked, so this is
    /// called whenever it has worked. Otherwise they would seem to be sent when the limit was reached.
    func lookAtUpload() {
        guard uploadedBytes < delivery.request.body.count else { return }
        var bytes: curl_off_t = 0
        ccurl_info_off(handle, CURLINFO_SIZE_UPLOAD_T, &bytes)
        guard bytes > uploadedBytes else { return }
        uploadedBytes = bytes
        lastByteAt = now()
    }

    // MARK: What comes

    fileprivate func receive(header line: UnsafeBufferPointer<UInt8>) -> Int {
        lastByteAt = now()
        do throws(HTTPFailure) {
            if let head = try head.feed(line) { delivery.put(head) }
            return line.count
        } catch {
            refusal = error
            return 0
        }
    }

    fileprivate func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Int {
        lastByteAt = now()
        if delivery.put(bytes) { return bytes.count }
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
    }

    // MARK: What goes

    private func setTarget(_ request: HTTPRequest, _ network: NetworkSettings) {
        ccurl_set_str(handle, CURLOPT_URL, request.url)
        ccurl_set_str(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_long(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // If a reused connection fails before a byte of the answer, libcurl sends the request again by itself, a POST,
        // too. Its effect would then happen twice, unnoticed. (Nor is a connection shared while it is in use: see
        // `CurlThread`.)
        if !request.isRead { ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1) }
        ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(request.timeouts.connect * 1_000))
        // Time limits must not use signals, which would reach any thread.
        ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        ccurl_set_str(handle, CURLOPT_ACCEPT_ENCODING, "")
        ccurl_set_str(handle, CURLOPT_PROXY, network.proxy(for: request.url))
        ccurl_set_str(handle, CURLOPT_NOPROXY, network.noProxy)
        ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let file = network.certificateFile { ccurl_set_str(handle, CURLOPT_CAINFO, file) }
        if let folder = network.certificateFolder { ccurl_set_str(handle, CURLOPT_CAPATH, folder) }
    }

    private func setHeaders(_ headers: HTTPHeaders, _ network: NetworkSettings) {
        func append(_ line: String) { headerList = curl_slist_append(headerList, line) }
        for field in headers.fields {
            // A field without a value is written with ";", since libcurl would leave it out with ":".
            append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if headers["content-type"] == nil { append("Content-Type:") }
        // Waiting for a 100-continue costs a second with servers that do not know it.
        if headers["expect"] == nil { append("Expect:") }
        ccurl_set_slist(handle, CURLOPT_HTTPHEADER, headerList)
        ccurl_set_str(handle, CURLOPT_USERAGENT, network.userAgent)
    }

    private func setBody(_ request: HTTPRequest) {
        switch request.method {
        case "GET" where request.body.isEmpty: return
        case "HEAD":
            ccurl_set_long(handle, CURLOPT_NOBODY, 1)
            return
        default: ccurl_set_str(handle, CURLOPT_CUSTOMREQUEST, request.method)
        }
        guard !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) else { return }
        ccurl_set_off(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
        // Never a null pointer, or libcurl would read the body from standard input.
        if request.body.isEmpty { ccurl_set_str(handle, CURLOPT_COPYPOSTFIELDS, "") }
        request.body.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            ccurl_set_ptr(handle, CURLOPT_COPYPOSTFIELDS, start)
        }
    }

    private func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_ptr(handle, CURLOPT_PRIVATE, me)
        ccurl_set_ptr(handle, CURLOPT_ERRORBUFFER, words)
        ccurl_set_ptr(handle, CURLOPT_HEADERDATA, me)
        ccurl_set_data_cb(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, exchange in
            receiving(bytes, size * count, exchange) { $0.receive(header: $1) }
        }
        ccurl_set_ptr(handle, CURLOPT_WRITEDATA, me)
        ccurl_set_data_cb(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, exchange in
            receiving(bytes, size * count, exchange) { $0.receive(body: $1) }
        }
    }
}

private func receiving(
    _ bytes: UnsafeMutablePointer<CChar>, _ count: Int, _ exchange: UnsafeMutableRawPointer?,
    _ receive: (Exchange, UnsafeBufferPointer<UInt8>) -> Int
) -> Int {
    guard let exchange else { return 0 }
    return bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
        receive(
            Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(), UnsafeBufferPointer(start: $0, count: count)
        )
    }
}
