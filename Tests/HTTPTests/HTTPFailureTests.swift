import HTTP
import Harness
import Testing

@Suite(.timeLimit(.minutes(10))) struct HTTPFailureTests {
    let client = HTTPClient(NetworkSettings())
    static let piece = Array("one".utf8)

    func failure(_ url: String, timeouts: HTTPRequest.Timeouts = .init(), maxBodyBytes: Int = 1_000) async
        -> HTTPFailure?
    {
        do {
            _ = try await client.collect(HTTPRequest(url, timeouts: timeouts, maxBodyBytes: maxBodyBytes))
            return nil
        } catch { return error }
    }

    @Test func silenceEndsInAnIdleTimeout() async throws {
        let server = try ScriptedServer([.hanging, ScriptAnswer.stream([Self.piece]).ending(with: .hang)])
        #expect(await failure(server.url, timeouts: .init(idle: 0.2)) == .idleTimeout(seconds: 0.2))
        #expect(await failure(server.url, timeouts: .init(idle: 0.2)) == .idleTimeout(seconds: 0.2))
    }

    /// What was sent in the first moment was counted when the limit had been reached, and doubled it.
    @Test func whatWentOutInTheBeginningIsNoNewsAtTheEnd() async throws {
        let server = try ScriptedServer { $0.path == "/post" ? .hanging : .text("") }
        let clock = HeldClock()
        let client = HTTPClient(NetworkSettings(), now: clock.now)
        let post = Task { () -> HTTPFailure? in
            do throws(HTTPFailure) {
                _ = try await client.collect(
                    HTTPRequest(
                        server.url + "/post", method: "POST", body: Self.piece, timeouts: .init(idle: 10),
                        maxBodyBytes: 1_000))
                return nil
            } catch { return error }
        }
        #expect(try await eventually { server.requests.contains { $0.path == "/post" } })
        // Once around, so that what went out has been seen; and once more when it is late.
        _ = try await client.collect(HTTPRequest(server.url + "/a"))
        clock.advance(seconds: 10.5)
        _ = try await client.collect(HTTPRequest(server.url + "/b"))
        #expect(await post.value == .idleTimeout(seconds: 10))
    }

    @Test func aTrickleIsNotIdleButEndsInATotalTimeout() async throws {
        let gates = (0..<10).map { _ in ScriptGate() }
        let trickle = ScriptAnswer.stream([[UInt8]](repeating: Self.piece, count: 11), gates: gates).ending(with: .hang)
        let server = try ScriptedServer { $0.path == "/trickle" ? trickle : .text("") }
        let clock = HeldClock()
        let client = HTTPClient(NetworkSettings(), now: clock.now)
        let (_, body) = try await client.send(
            HTTPRequest(server.url + "/trickle", timeouts: .init(idle: 10, total: 100)))
        var pieces = body.makeAsyncIterator()
        // Nearly idle before each piece, and for much longer than that in all.
        for gate in gates {
            #expect(try await pieces.next() == Self.piece)
            try await clock.advance(seconds: 9.9, client, asking: server.url)
            gate.open()
        }
        #expect(try await pieces.next() == Self.piece)
        try await clock.advance(seconds: 1.1, client, asking: server.url)
        await #expect(throws: HTTPFailure.totalTimeout(seconds: 100)) { try await pieces.next() }
    }

    @Test func aPortThatDoesNotAnswerEndsInAConnectTimeout() async throws {
        let deaf = try ScriptedDeafPort()
        #expect(
            await failure("http://127.0.0.1:\(deaf.port)", timeouts: .init(connect: 0.3))
                == .connectTimeout(seconds: 0.3))
    }

    @Test func aClosedPortRefuses() async throws {
        let refusing = try ScriptedRefusingPort()
        let failure = await failure("http://127.0.0.1:\(refusing.port)")
        #expect(failure?.kind == "refused")
    }

    @Test(arguments: [
        ScriptAnswer.stream([piece]).ending(with: .cut),
        ScriptAnswer(headers: ["content-length": "10"], steps: [.send(piece)]).ending(with: .cut),
        ScriptAnswer.text("hello").cut(afterBytes: 20),
        ScriptAnswer(framing: .raw, steps: [.cut]),
    ])
    func anAnswerThatIsCutIsTruncated(answer: ScriptAnswer) async throws {
        let server = try ScriptedServer([answer])
        let failure = await failure(server.url)
        #expect(failure?.kind == "truncated")
    }

    /// libcurl sends anew what got no byte of an answer on a connection that was used before: a read may be, an order
    /// must not (row 8).
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"], [ScriptAnswer.Step.cut, .reset])
    func whatMayBuyIsSentOnceOnAWarmConnection(method: String, end: ScriptAnswer.Step) async throws {
        let server = try ScriptedServer {
            $0.method == "GET" ? .text("warm") : ScriptAnswer(framing: .raw, steps: [end])
        }
        _ = try await client.collect(HTTPRequest(server.url))
        _ = try await client.collect(HTTPRequest(server.url))
        await #expect(throws: HTTPFailure.self) {
            try await client.collect(HTTPRequest(server.url, method: method, body: Self.piece))
        }
        #expect(server.requests.map(\.method) == ["GET", "GET", method])
        #expect(server.requests[0].connection == server.requests[1].connection, "reads go on sharing one")
    }

    @Test func everythingThatCameBeforeTheCutIsGiven() async throws {
        let server = try ScriptedServer([ScriptAnswer.stream([Self.piece, Self.piece]).ending(with: .cut)])
        var pieces = try await client.send(HTTPRequest(server.url)).1.makeAsyncIterator()
        var count = 0
        do {
            while let piece = try await pieces.next() { count += piece.count }
            Issue.record("the cut was not seen")
        } catch {
            #expect(count == 6)
        }
    }

    @Test func aBodyPastItsLimitIsTooLarge() async throws {
        let server = try ScriptedServer([
            .text("12345"), .text("123456"), ScriptAnswer(framing: .chunked, steps: [.flood(bytes: 1 << 30)]),
        ])
        #expect(await failure(server.url, maxBodyBytes: 5) == nil)
        #expect(await failure(server.url, maxBodyBytes: 5) == .tooLarge(limit: 5))
        #expect(await failure(server.url, maxBodyBytes: 1 << 20) == .tooLarge(limit: 1 << 20))
    }

    @Test func aHeadWithoutEndIsTooLarge() async throws {
        let line = "x-y: " + String(repeating: "z", count: 50_000) + "\r\n"
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 20)
        let server = try ScriptedServer([ScriptAnswer(framing: .raw, steps: [.send(Array(text.utf8)), .hang])])
        #expect(await failure(server.url) == .headTooLarge)
    }

    /// libcurl itself takes no line of more than some 100 KB.
    @Test func aHeaderLineWithoutEndIsTooLarge() async throws {
        let text = "HTTP/1.1 200 OK\r\nx-y: " + String(repeating: "z", count: 1_000_000) + "\r\n\r\n"
        let server = try ScriptedServer([ScriptAnswer(framing: .raw, steps: [.send(Array(text.utf8)), .hang])])
        #expect(await failure(server.url) == .headTooLarge)
    }

    @Test func aPlainServerBehindHTTPSIsATLSFailure() async throws {
        let server = try ScriptedServer { _ in .text("plain") }
        let failure = await failure("https://127.0.0.1:\(server.port)")
        #expect(failure?.kind == "tls")
    }

    @Test(arguments: [Double.infinity, .nan, 1e300]) func timesBeyondReasonAreBounded(seconds: Double) async throws {
        let server = try ScriptedServer { _ in .text("ok") }
        #expect(await failure(server.url, timeouts: .init(connect: seconds, idle: seconds, total: seconds)) == nil)
    }

    @Test func garbageIsAFailure() async throws {
        let server = try ScriptedServer([ScriptAnswer(framing: .raw, steps: [.send(Array("SSH-2.0-x\r\n".utf8))])])
        #expect(await failure(server.url) != nil)
    }
}

extension HeldClock {
    /// Moves it, and waits until the client has looked at all it has under way: whatever it asks wakes it.
    func advance(seconds: Double, _ client: HTTPClient, asking url: String) async throws {
        advance(seconds: seconds)
        _ = try await client.collect(HTTPRequest(url))
    }
}
