import Engine
import Glibc
import Synchronization

/// A model on 127.0.0.1 that says numbered tokens, at once or 50 a second, to the first who asks for them.
final class TokenServer: Sendable {
    enum Kind: Sendable { case burst, paced }

    /// How its stream is written; each with the names that its servers send along.
    enum Dialect: String, CaseIterable, Sendable {
        case chatCompletions = "Chat Completions"
        case messages = "Messages"
        case responses = "Responses"
        case ollama = "Ollama"

        /// Of the chat's profiles, one that speaks it; none is needed for what is spoken without one.
        var profile: String? {
            switch self {
            case .chatCompletions: nil
            case .messages: "anthropic"
            case .responses: "openai"
            case .ollama: "ollama"
            }
        }

        /// The path of the address that the chat is given.
        var base: String { self == .ollama ? "" : "/v1" }
    }

    let port: UInt16
    private let dialect: Dialect
    private let times = Mutex<[Double]>([])

    init(_ kind: Kind, _ dialect: Dialect, count: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 4) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw Terminal.Failed(words: "no port for the benchmark's server") }
        port = UInt16(bigEndian: address.sin_port)
        self.dialect = dialect
        workers.run { [self] in
            while !answerNext(listener, kind, count) {}
            close(listener)
        }
    }

    var startedAt: Double { times.withLock { $0.first ?? 0 } }
    var sentAt: [Double] { times.withLock { $0 } }

    /// - Returns: whether it was asked for the tokens.
    private func answerNext(_ listener: Int32, _ kind: Kind, _ count: Int) -> Bool {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return true }
        defer { close(client) }
        var one: Int32 = 1
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        var request = [UInt8](repeating: 0, count: 1 << 18)
        // The request is small and comes whole, or its rest comes while we answer: nobody here looks at it.
        let length = read(client, &request, request.count)
        // Ollama is asked first what the model can do.
        guard !String(decoding: request[..<max(0, min(length, 100))], as: UTF8.self).hasPrefix("POST /api/show") else {
            let abilities = #"{"capabilities":["completion","tools"],"model_info":{"bench.context_length":32768}}"#
            send(
                client,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: \(abilities.utf8.count)\r\n\r\n"
                    + abilities)
            return false
        }
        answer(client, kind, count)
        return true
    }

    private func answer(_ client: Int32, _ kind: Kind, _ count: Int) {
        let type = dialect == .ollama ? "application/x-ndjson" : "text/event-stream"
        send(client, "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n" + dialect.beginning)
        switch kind {
        case .burst:
            var text = ""
            for number in 0..<count {
                text += dialect.delta("word\(number % 10) " + (number % 12 == 11 ? #"\n\n"# : ""))
            }
            times.withLock { $0 = [Clock.seconds()] }
            send(client, text)
        case .paced:
            for number in 0..<count {
                times.withLock { $0.append(Clock.seconds()) }
                send(client, dialect.delta("Q\(number)Q "))
                usleep(20_000)
            }
        }
        send(client, dialect.delta("Zend") + dialect.end)
    }

    private func send(_ client: Int32, _ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension TokenServer.Dialect {
    fileprivate var beginning: String {
        switch self {
        case .chatCompletions, .ollama: ""
        case .messages:
            event(
                "message_start",
                #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"bench","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}"#
            )
                + event(
                    "content_block_start",
                    #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#)
        case .responses:
            event(
                "response.created",
                #"{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress"}}"#)
        }
    }

    /// - Parameter text: as it stands between the quotes of JSON.
    fileprivate func delta(_ text: String) -> String {
        switch self {
        case .chatCompletions:
            #"data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{"content":""#
                + text + #""},"finish_reason":null}]}"# + "\n\n"
        case .messages:
            event(
                "content_block_delta",
                #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""# + text + #""}}"#)
        case .responses:
            event(
                "response.output_text.delta",
                #"{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":""#
                    + text
                    + #"","logprobs":[],"sequence_number":4}"#)
        case .ollama:
            #"{"model":"bench","created_at":"2026-01-01T00:00:00.000000Z","message":{"role":"assistant","content":""#
                + text
                + #""},"done":false}"# + "\n"
        }
    }

    fileprivate var end: String {
        switch self {
        case .chatCompletions:
            #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\ndata: [DONE]\n\n"
        case .messages:
            event("content_block_stop", #"{"type":"content_block_stop","index":0}"#)
                + event(
                    "message_delta",
                    #"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20000}}"#
                )
                + event("message_stop", #"{"type":"message_stop"}"#)
        case .responses:
            event(
                "response.completed",
                #"{"type":"response.completed","sequence_number":5,"response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":9,"output_tokens":20000,"total_tokens":20009}}}"#
            )
        case .ollama:
            #"{"model":"bench","created_at":"2026-01-01T00:00:00.000000Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":20000}"#
                + "\n"
        }
    }

    private func event(_ name: String, _ data: String) -> String { "event: \(name)\ndata: \(data)\n\n" }
}
