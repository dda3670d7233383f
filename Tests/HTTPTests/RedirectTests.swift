import HTTP
import Harness
import Testing

@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
    let client = HTTPClient(NetworkSettings())

    @Test func isNotFollowedUnlessAsked() async throws {
        let server = try ScriptedServer([.redirect(to: "/b")])
        #expect(try await client.collect(HTTPRequest(server.url)).0.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        (301, "POST", "GET", ""), (302, "POST", "GET", ""), (303, "PUT", "GET", ""), (307, "POST", "POST", "body"),
        (308, "PUT", "PUT", "body"), (302, "DELETE", "DELETE", "body"),
    ])
    func keepsOrChangesTheMethod(status: Int, method: String, next: String, body: String) async throws {
        let server = try ScriptedServer([.redirect(to: "b?x=1", status: status), .text("there")])
        let request = HTTPRequest(server.url + "/a/a", method: method, body: Array("body".utf8), redirects: .init())
        let (response, _) = try await client.collect(request)
        #expect(response.status == 200)
        #expect(response.url == server.url + "/a/b?x=1")
        #expect(server.requests.last?.method == next)
        #expect(server.requests.last?.path == "/a/b?x=1")
        #expect(server.requests.last?.text == body)
    }

    @Test func keysDoNotFollowToAnotherOrigin() async throws {
        let other = try ScriptedServer { _ in .text("other") }
        let server = try ScriptedServer([.redirect(to: "/here"), .redirect(to: other.url + "/there")])
        let headers: HTTPHeaders = [
            "authorization": "Bearer k", "x-api-key": "k", "cookie": "c", "accept": "text/plain",
        ]
        _ = try await client.collect(HTTPRequest(server.url, headers: headers, redirects: .init()))
        #expect(server.requests.last?.headers["authorization"] == "Bearer k")
        let seen = try #require(other.requests.first?.headers)
        #expect(seen["authorization"] == nil && seen["x-api-key"] == nil && seen["cookie"] == nil)
        #expect(seen["accept"] == "text/plain")
    }

    @Test func goesOnlyWhereTheCallerAllows() async throws {
        let other = try ScriptedServer { _ in .text("other") }
        let server = try ScriptedServer([.redirect(to: other.url + "/x")])
        let home = Origin(of: server.url)
        let request = HTTPRequest(server.url, redirects: .init { $0 == home })
        await #expect(throws: HTTPFailure.redirectRefused(to: other.url + "/x")) { try await client.collect(request) }
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)"])
    func goesToNoOtherScheme(location: String) async throws {
        let server = try ScriptedServer([.redirect(to: location), .text("came back")])
        let request = HTTPRequest(server.url, redirects: .init())
        let failure = await #expect(throws: HTTPFailure.self) { try await client.collect(request) }
        #expect(failure?.kind == "redirectRefused")
    }

    @Test func aRingOfRedirectsEnds() async throws {
        let server = try ScriptedServer { _ in .redirect(to: "/again") }
        let request = HTTPRequest(server.url, redirects: .init(limit: 3))
        await #expect(throws: HTTPFailure.tooManyRedirects(limit: 3)) { try await client.collect(request) }
        #expect(server.requests.count == 4)
    }

    @Test(
        arguments: [
            ("https://API.Example.com/v1", "https://api.example.com:443", false),
            ("http://localhost:8080", "http://localhost:8080", true),
            ("http://127.0.0.1/", "http://127.0.0.1:80", true), ("http://[::1]:9/", "http://[::1]:9", true),
            ("http://127.0.0.1.example.com/", "http://127.0.0.1.example.com:80", false),
            ("http://user:pw@example.com:81/x", "http://example.com:81", false),
            ("http://127.0.0.1@example.com/", "http://example.com:80", false),
            ("ftp://example.com", nil, false), ("example.com", nil, false), ("", nil, false),
        ] as [(String, String?, Bool)])
    func anOriginIsReadAsCurlReadsIt(url: String, origin: String?, isLoopback: Bool) {
        #expect(Origin(of: url)?.description == origin)
        #expect(Origin(of: url)?.isLoopback ?? false == isLoopback)
    }
}
