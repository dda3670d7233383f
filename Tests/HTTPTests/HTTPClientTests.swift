import Harness
import Testing

@testable import HTTP

extension HTTPRequest: CustomTestStringConvertible {
    package var testDescription: String { "\(method) \(url) \(headers.fields.map { "\($0.name): \($0.value)" })" }
}

@Suite(.timeLimit(.minutes(10))) struct HTTPClientTests {
    let client = HTTPClient(NetworkSettings())

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func collectsStatusHeadersAndBody() async throws {
        let server = try ScriptedServer([.text("not here", status: 404, headers: ["X-Thing": "a b "])])
        let (response, body) = try await client.collect(
            HTTPRequest(server.url + "/x?q=1", headers: ["Accept": "text/plain"]))
        #expect(response.status == 404)
        #expect(response.headers["X-THING"] == "a b")
        #expect(response.headers.fields.contains { $0.name == "x-thing" })
        #expect(body == Self.bytes("not here"))
        let request = try #require(server.requests.first)
        #expect(request.path == "/x?q=1")
        #expect(request.headers["accept"] == "text/plain")
        #expect(request.headers["user-agent"] == "assent")
    }

    @Test func givesEachPieceBeforeTheServerSendsTheNext() async throws {
        let gate = ScriptGate()
        let answer = ScriptAnswer.stream([Self.bytes("one"), Self.bytes("two")], gates: [gate]).ending(with: .hang)
        let server = try ScriptedServer([answer])
        let (response, body) = try await client.send(HTTPRequest(server.url))
        #expect(response.status == 200)
        var pieces = body.makeAsyncIterator()
        #expect(try await pieces.next() == Self.bytes("one"))
        gate.open()
        #expect(try await pieces.next() == Self.bytes("two"))
    }

    @Test func makesTheServerWaitForItsReader() async throws {
        let size = 96 << 20
        let server = try ScriptedServer { request in
            request.path == "/flood" ? ScriptAnswer(framing: .chunked, steps: [.flood(bytes: size)]) : .text("")
        }
        let clock = HeldClock()
        let client = HTTPClient(NetworkSettings(), now: clock.now)
        let (_, body) = try await client.send(HTTPRequest(server.url + "/flood", timeouts: .init(idle: 1.5)))
        var pieces = body.makeAsyncIterator()
        var count = try await pieces.next()?.count ?? 0
        #expect(try await eventually { body.lease.delivery.isPaused })
        // Longer than the idle timeout, too: a server that must wait is not idle.
        try await clock.advance(seconds: 60, client, asking: server.url)
        #expect(server.sentBytes < size / 2)
        while let piece = try await pieces.next() { count += piece.count }
        #expect(count == size)
    }

    @Test func cancellingTheTaskEndsTheTransferOnBothSides() async throws {
        let server = try ScriptedServer([ScriptAnswer.stream([Self.bytes("one")]).ending(with: .hang)])
        let (_, body) = try await client.send(HTTPRequest(server.url))
        let hasBegun = ScriptGate()
        let reader = Task {
            var pieces = body.makeAsyncIterator()
            while try await pieces.next() != nil { hasBegun.open() }
        }
        #expect(try await eventually { hasBegun.isOpen })
        reader.cancel()
        await #expect(throws: HTTPFailure.cancelled) { try await reader.value }
        #expect(try await eventually { server.openConnections == 0 })
    }

    @Test func cancellingBeforeTheHeadEndsTheWait() async throws {
        let server = try ScriptedServer([.hanging])
        let task = Task { [client] in _ = try await client.send(HTTPRequest(server.url)) }
        #expect(try await eventually { !server.requests.isEmpty })
        task.cancel()
        await #expect(throws: HTTPFailure.cancelled) { try await task.value }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let server = try ScriptedServer([.text("no")])
        let task = Task { [client] in
            while !Task.isCancelled { await Task.yield() }
            _ = try await client.collect(HTTPRequest(server.url))
        }
        task.cancel()
        await #expect(throws: HTTPFailure.cancelled) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test func lettingGoOfTheBodyEndsTheTransfer() async throws {
        let server = try ScriptedServer([ScriptAnswer.stream([Self.bytes("one")]).ending(with: .hang)])
        _ = try await client.send(HTTPRequest(server.url)).0
        #expect(try await eventually { server.openConnections == 0 })
    }

    @Test func aBodyOutlivesItsClient() async throws {
        let gate = ScriptGate()
        let server = try ScriptedServer([.stream([Self.bytes("one"), Self.bytes("two")], gates: [gate])])
        let body = try await HTTPClient(NetworkSettings()).send(HTTPRequest(server.url)).1
        gate.open()
        #expect(try await body.collected(upTo: 100) == Self.bytes("onetwo"))
    }

    @Test func carriesManyRequestsAtOnce() async throws {
        let server = try ScriptedServer { .text($0.text) }
        try await withThrowingTaskGroup(of: Bool.self) { [client] group in
            for number in 0..<60 {
                group.addTask {
                    let body = Self.bytes("request \(number)")
                    return try await client.collect(HTTPRequest(server.url, method: "POST", body: body)).1 == body
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"], ["", "body"])
    func sendsMethodAndBodyAsGiven(method: String, text: String) async throws {
        guard method != "HEAD" || text.isEmpty else { return }
        let server = try ScriptedServer([.text("ok")])
        let (response, _) = try await client.collect(HTTPRequest(server.url, method: method, body: Self.bytes(text)))
        #expect(response.status == 200)
        let request = try #require(server.requests.first)
        #expect(request.method == method)
        #expect(request.text == text)
        #expect(request.headers["content-type"] == nil)
    }

    @Test func sendsALargeBodyWithoutAskingFirst() async throws {
        let server = try ScriptedServer { .text("\($0.body.count) \($0.headers["expect"] ?? "-")") }
        let body = [UInt8](repeating: 7, count: 8 << 20)
        let (_, answer) = try await client.collect(HTTPRequest(server.url, method: "PUT", body: body))
        #expect(answer == Self.bytes("\(8 << 20) -"))
    }

    @Test(arguments: [
        HTTPRequest("file:///etc/hostname"), HTTPRequest("no url"), HTTPRequest("http://"),
        HTTPRequest("http://127.0.0.1:1", headers: ["x": "a\r\nauthorization: b"]),
        HTTPRequest("http://127.0.0.1:1", headers: ["a b": "c"]), HTTPRequest("http://127.0.0.1:1", method: "GET /x"),
    ])
    func refusesRequestsThatSayMoreThanTheyShould(request: HTTPRequest) async throws {
        let failure = await #expect(throws: HTTPFailure.self) { try await client.collect(request) }
        #expect(failure?.kind == "invalidRequest")
    }
}
