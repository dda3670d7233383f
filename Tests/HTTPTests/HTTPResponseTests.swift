import HTTP
import Harness
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPResponseTests {
    /// Sat, 21 Nov 2026 07:00:00 GMT
    static let now = 1_795_244_400.0

    @Test(
        arguments: [
            (["retry-after": "7"], 7), (["retry-after": "0.5"], 0.5), (["retry-after": "0"], 0),
            (["retry-after-ms": "1500"], 1.5), (["retry-after-ms": "1500", "retry-after": "7"], 1.5),
            (["retry-after-ms": "soon", "retry-after": "7"], 7),
            (["retry-after": "Sat, 21 Nov 2026 07:00:30 GMT"], 30),
            (["retry-after": "Saturday, 21-Nov-26 07:00:30 GMT"], 30),
            (["retry-after": "Sat Nov 21 07:00:30 2026"], 30), (["retry-after": "Sat, 21 Nov 2026 06:00:00 GMT"], 0),
            (["retry-after": "-5"], nil), (["retry-after": "nan"], nil), (["retry-after": "1e999"], nil),
            (["retry-after": "later"], nil),
            ([:], nil),
        ] as [([String: String], Double?)])
    func readsRetryAfterInAllItsForms(fields: [String: String], seconds: Double?) {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(name, value) }
        #expect(HTTPResponse(status: 429, headers: headers, url: "", receivedAt: Self.now).retryAfter == seconds)
    }

    @Test func retryAfterComesThrough() async throws {
        let server = try ScriptedServer([.text("slow down", status: 429, headers: ["Retry-After": "7"])])
        #expect(try await HTTPClient(NetworkSettings()).collect(HTTPRequest(server.url)).0.retryAfter == 7)
    }

    @Test func passesOverInformationalHeadsAndTrailers() async throws {
        let text =
            "HTTP/1.1 100 Continue\r\nx-a: 1\r\n\r\nHTTP/1.1 200 OK\r\nx-b: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nx-c: 3\r\n\r\n"
        let server = try ScriptedServer([ScriptAnswer(framing: .raw, steps: [.send(Array(text.utf8))])])
        let (response, body) = try await HTTPClient(NetworkSettings()).collect(HTTPRequest(server.url))
        #expect(response.status == 200)
        #expect(response.headers.fields.map(\.name) == ["x-b", "transfer-encoding"])
        #expect(body == Array("hi".utf8))
    }
}
