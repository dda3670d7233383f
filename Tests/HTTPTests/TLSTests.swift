import CaseNames
import HTTP
import Harness
import Testing

/// Against a real server: HTTP/2 over TLS, certificates, tunnels.
@Suite(.process, .timeLimit(.minutes(10))) struct TLSTests {
    let peer: TLSPeer
    let client: HTTPClient

    init() throws {
        let peer = try TLSPeer()
        self.peer = peer
        client = HTTPClient(NetworkSettings { ["SSL_CERT_FILE": peer.certificateFile][$0] })
    }

    private func text(_ path: String, _ client: HTTPClient? = nil) async throws -> String {
        let (response, body) = try await (client ?? self.client).collect(HTTPRequest(peer.url + path))
        #expect(response.status == 200)
        return String(decoding: body, as: UTF8.self)
    }

    @Test func speaksHTTP2() async throws {
        let request = HTTPRequest(
            peer.url + "/look?q=1", method: "POST", headers: ["X-Thing": "a"], body: Array("hello".utf8))
        let (response, body) = try await client.collect(request)
        let seen = String(decoding: body, as: UTF8.self)
        #expect(response.status == 200 && response.headers["content-type"] == "application/json")
        for part in [
            #""version": "2""#, #""method": "POST""#, #""body": 5"#, #""x-thing": "a""#, #""user-agent": "assent""#,
        ] {
            #expect(seen.contains(part), "\(part) in \(seen)")
        }
    }

    /// At once each has its own: on a shared one, libcurl would keep up to 32 MiB of a stream that nobody reads
    /// (`CurlThread`).
    @Test func oneAfterTheOtherUsesTheSameConnection() async throws {
        func connection() async throws -> Substring? {
            try await text("/look").firstMatch(of: /"connection": ([0-9]+)/)?.1
        }
        let first = try #require(try await connection())
        for _ in 0..<5 { #expect(try await connection() == first) }
        let all = try await withThrowingTaskGroup(of: Substring?.self) { group in
            for _ in 0..<20 { group.addTask { try await connection() } }
            return try await group.reduce(into: Set<Substring?>()) { $0.insert($1) }
        }
        #expect(all.contains(first) && !all.contains(nil))
    }

    @Test func aStreamsPiecesComeAsTheyAreSentWhileOthersTalk() async throws {
        let (_, body) = try await client.send(HTTPRequest(peer.url + "/steps?a"))
        var pieces = body.makeAsyncIterator()
        #expect(try await pieces.next().map { String(decoding: $0, as: UTF8.self) } == "data: one\n\n")
        // The server does not go on before it has heard this one.
        _ = try await text("/open?a")
        #expect(try await pieces.next().map { String(decoding: $0, as: UTF8.self) } == "data: two\n\n")
        #expect(try await pieces.next() == nil)
    }

    @Test func aStreamThatNobodyReadsHoldsUpNoOther() async throws {
        let blocks = 64 << 4
        let (_, body) = try await client.send(HTTPRequest(peer.url + "/flood?\(blocks)", timeouts: .init(idle: 30)))
        for _ in 0..<20 { #expect(try await text("/look").contains(#""version": "2""#)) }
        var count = 0
        for try await piece in body { count += piece.count }
        #expect(count == blocks * 65536)
    }

    @Test func cancellingTellsTheServerAndLeavesTheConnection() async throws {
        do {
            let (_, body) = try await client.send(HTTPRequest(peer.url + "/hang?b"))
            var pieces = body.makeAsyncIterator()
            #expect(try await pieces.next().map { String(decoding: $0, as: UTF8.self) } == "begun")
        }
        // Answers once the server has seen that the client is gone.
        _ = try await text("/await?b")
    }

    @Test func aServerThatDiesInTheMiddleIsNoEnd() async throws {
        let (_, body) = try await client.send(HTTPRequest(peer.url + "/cut?c"))
        var text = ""
        do {
            for try await piece in body {
                text += String(decoding: piece, as: UTF8.self)
                _ = try? await self.text("/open?c")
            }
            Issue.record("ended well after \(text)")
        } catch {
            #expect(error.kind == "truncated", "\(error)")
        }
        #expect(text == "begun")
    }

    // Whom it believes.

    @Test func aFolderOfCertificatesServesToo() async throws {
        let client = HTTPClient(NetworkSettings { [peer] in ["SSL_CERT_DIR": peer.certificateFolder][$0] })
        #expect(try await text("/look", client).contains(#""version": "2""#))
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        await #expect { try await text("/look", HTTPClient(NetworkSettings())) } throws: {
            ($0 as? HTTPFailure)?.kind == "tls"
        }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        let request = HTTPRequest("https://localhost:\(peer.port)/look")
        await #expect { try await client.collect(request) } throws: { ($0 as? HTTPFailure)?.kind == "tls" }
    }

    @Test func aFileThatHoldsNoCertificateIsNamed() async throws {
        let client = HTTPClient(NetworkSettings { ["CURL_CA_BUNDLE": "/nowhere/ca.pem"][$0] })
        await #expect { try await text("/look", client) } throws: { failure in
            (failure as? HTTPFailure)?.kind == "tls" && "\(failure)".contains("/nowhere/ca.pem")
        }
    }

    // Through a proxy.

    @Test func aTunnelLeadsToThePeerAndNobodyInBetweenIsBelieved() async throws {
        let proxy = try TunnelProxy(to: peer.port)
        let settings = NetworkSettings { [peer] in
            ["https_proxy": proxy.url, "SSL_CERT_FILE": peer.certificateFile][$0]
        }
        let request = HTTPRequest("https://peer.test/look", headers: ["Authorization": "Bearer sk-secret"])
        let (_, body) = try await HTTPClient(settings).collect(request)
        #expect(String(decoding: body, as: UTF8.self).contains(#""version": "2""#))
        await #expect { try await HTTPClient(settings).collect(HTTPRequest("https://other.test/look")) } throws: {
            ($0 as? HTTPFailure)?.kind == "tls"
        }
        #expect(
            proxy.requests.map { $0.prefix { $0 != "\r\n" } }
                == ["peer", "other"].map { "CONNECT \($0).test:443 HTTP/1.1" })
        #expect(proxy.requests.allSatisfy { !$0.lowercased().contains("authorization") && !$0.contains("sk-secret") })
    }
}
