@testable import Sandbox
import Testing
import Vocabulary

/// What the proxy of a command makes of what it is told, before anything is connected.
@Suite struct ProxyRequestTests {
    private static let hosts = ["example.org", "127.0.0.1:8080", "[::1]:81", "xn--bcher-kva.example:8443"].compactMap {
        try? NamedHost($0)
    }

    private func decide(_ text: String) -> ProxyRequest.Decision {
        ProxyRequest.decide(Array(text.utf8), hosts: Self.hosts)
    }

    @Test(
        arguments: [
            ("CONNECT example.org:443 HTTP/1.1", "example.org", 443),
            ("CONNECT EXAMPLE.org:80 HTTP/1.0", "example.org", 80),
            ("CONNECT 127.0.0.1:8080 HTTP/1.1", "127.0.0.1", 8080),
            ("CONNECT 2130706433:8080 HTTP/1.1", "127.0.0.1", 8080),
            ("CONNECT 0x7f.1:8080 HTTP/1.1", "127.0.0.1", 8080), ("CONNECT [::1]:81 HTTP/1.1", "[::1]", 81),
            ("CONNECT [0:0::1]:81 HTTP/1.1", "[::1]", 81),
            ("CONNECT xn--bcher-kva.example:8443 HTTP/1.1", "xn--bcher-kva.example", 8443),
        ] as [(String, String, Int)])
    func aTunnelGoesToAHostThatIsNamed(line: String, host: String, port: Int) {
        guard case .connect(let connection) = decide("\(line)\r\nUser-Agent: x\r\n\r\nfirst") else {
            Issue.record("\(decide("\(line)\r\n\r\n"))")
            return
        }
        #expect(connection.named.host == host && connection.port == port)
        #expect(connection.toServer == Array("first".utf8))
        #expect(connection.toClient.starts(with: "HTTP/1.1 200 ".utf8))
    }

    @Test(
        arguments: [
            ("CONNECT example.com:443 HTTP/1.1", 403), ("CONNECT example.org:444 HTTP/1.1", 403),
            ("CONNECT a.example.org:443 HTTP/1.1", 403),
            ("CONNECT example.org.:443 HTTP/1.1", 403), ("CONNECT 127.0.0.1:8081 HTTP/1.1", 403),
            ("CONNECT 127.0.0.2:8080 HTTP/1.1", 403),
            ("CONNECT localhost:8080 HTTP/1.1", 403), ("CONNECT [::ffff:127.0.0.1]:8080 HTTP/1.1", 403),
            ("CONNECT example.org HTTP/1.1", 400), ("CONNECT example.org: HTTP/1.1", 400),
            ("CONNECT example.org:x HTTP/1.1", 400),
            ("CONNECT example.org:99999 HTTP/1.1", 400), ("CONNECT me@example.org:443 HTTP/1.1", 400),
            ("CONNECT evil.com:443@example.org:443 HTTP/1.1", 400), ("CONNECT example.org:443/ HTTP/1.1", 400),
            ("CONNECT example.org:443#a:443 HTTP/1.1", 400), ("CONNECT http://example.org:443 HTTP/1.1", 400),
            ("CONNECT  example.org:443 HTTP/1.1", 400), ("CONNECT example.org:443", 400),
            ("CONNECT example.org:443 HTTP/2", 400),
            ("CONNECT ex\u{E4}mple.org:443 HTTP/1.1", 400), ("CONNECT example.org:443 HTTP/1.1\r\nbad field", 400),
            ("CONNECT example.org:443 HTTP/1.1\r\n folded: x", 400),
            ("CONNECT example.org:443 HTTP/1.1\r\nA: b\u{0}c", 400),
            ("CONNECT example.org:443 HTTP/1.1\r\nA: b\rc", 400), ("CONNECT example.org:443 HTTP/1.1\nA: b", 400),
            ("GET http://example.com/ HTTP/1.1", 403), ("GET http://example.org:443:80/ HTTP/1.1", 400),
            ("GET https://example.org/ HTTP/1.1", 400), ("GET / HTTP/1.1\r\nHost: example.org", 400),
            ("GET ftp://example.org/ HTTP/1.1", 400),
            ("GET http://example.org@example.com/ HTTP/1.1", 400),
            ("GET http://example.com#@example.org/ HTTP/1.1", 403),
            ("GET http://example.com?x@example.org/ HTTP/1.1", 403),
            ("GET http://example.org\\@example.com/ HTTP/1.1", 400),
            ("\u{16}\u{3}\u{1}", 400), ("\r\n", 400), ("", 400),
        ] as [(String, Int)])
    func whatIsNotNamedOrCannotBeReadIsRefused(line: String, status: Int) {
        guard case .refuse(let refusal) = decide("\(line)\r\n\r\n") else {
            Issue.record("\(decide("\(line)\r\n\r\n"))")
            return
        }
        #expect(refusal.status == status, "\(refusal.words)")
        #expect(refusal.words.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !refusal.words.contains("me@"))
    }

    @Test func aRefusalSaysWhatToName() {
        guard case .refuse(let refusal) = decide("CONNECT Example.com:8443 HTTP/1.1\r\n\r\n") else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.words.contains("network: [example.com:8443]"))
        let answer = String(decoding: refusal.bytes, as: UTF8.self)
        #expect(
            answer.hasPrefix("HTTP/1.1 403 example.com:8443 ") && answer.hasSuffix("\r\n\r\n\(refusal.words)\n"),
            "\(answer)")
    }

    @Test(
        arguments: [
            (
                "GET http://example.org HTTP/1.1\r\nHost: evil.com\r\nAccept: */*",
                "GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\nAccept: */*"
            ),
            (
                "GET http://EXAMPLE.org:80?q=1#f HTTP/1.0\r\nHost: example.org\r\nhost: evil.com",
                "GET /?q=1 HTTP/1.0\r\nHost: example.org\r\nConnection: close"
            ),
            (
                "POST http://127.0.0.1:8080/a/../b?c HTTP/1.1\r\nProxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\n"
                    + "Connection: x-mine, Keep-Alive\r\nX-Mine: 1\r\nContent-Length: 4",
                "POST /a/../b?c HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\nContent-Length: 4"
            ),
            (
                "GET http://example.org/x HTTP/1.1\r\nUpgrade: websocket\r\nTE: trailers\r\nX-\u{E4}: 1", nil
            ),
        ] as [(String, String?)])
    func aPlainRequestIsAskedOfTheServerItself(head: String, forwarded: String?) {
        let decision = decide("\(head)\r\n\r\nbody")
        guard let forwarded else {
            #expect(decision == .refuse(.malformed))
            return
        }
        guard case .connect(let connection) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(String(decoding: connection.toServer, as: UTF8.self) == "\(forwarded)\r\n\r\nbody")
        #expect(connection.toClient.isEmpty)
    }

    @Test func aHeadIsWaitedForUntilItIsTooLong() {
        for start in ["\u{5}", "\u{16}\u{3}", "\r", " GET"] { #expect(decide(start) == .refuse(.malformed)) }
        for line in ["CONNECT example.org:443 HTTP/1.1\n", "GET http://example.org/ HTTP/1.1\r\nA: b\n", "\n"] {
            #expect(decide(line) == .refuse(.malformed))
        }
        #expect(decide("") == .incomplete && decide("CONNECT example.org:443 HTTP/1.1\r\nA: b\r\n") == .incomplete)
        let long = "GET http://example.org/ HTTP/1.1\r\nA: " + String(repeating: "b", count: Limits.proxyHeadBytes)
        for end in ["", "\r\n\r\n"] {
            guard case .refuse(let refusal) = decide(long + end) else {
                Issue.record("it is waited for")
                continue
            }
            #expect([400, 431].contains(refusal.status))
        }
    }

    // MARK: Names

    @Test(
        arguments: [
            ("example.org", "example.org", [443, 80]), ("Example.ORG:8443", "example.org", [8443]),
            ("localhost:80", "localhost", [80]),
            ("127.1:99", "127.0.0.1", [99]), ("[::1]", "[::1]", [443, 80]), ("[::1]:8080", "[::1]", [8080]),
            ("my_host", "my_host", [443, 80]),
        ] as [(String, String, [Int])])
    func aHostIsANameWithAPortOrWithoutOne(written: String, host: String, ports: [Int]) throws {
        let named = try NamedHost(written)
        #expect(named.host == host && named.ports == ports)
        #expect(
            named.targets.map(\.place) == ports.map { .host("\(host):\($0)") }
                && named.targets.allSatisfy { $0.reach == .remote })
    }

    @Test(arguments: [
        "*", "*.example.org", "example.*", "http://example.org", "example.org/", "example.org/x", "me@example.org", "",
        " example.org",
        "example.org ", "a b", "example.org:", "example.org:0", "example.org:70000", "example.org:x", "::1",
        "example.org.",
        "b\u{FC}cher.example",
        "example.org\u{202E}", "example.org?", "example.org#", "exam%70le.org", "[::1", "[fe80::1%25eth0]", "a,b",
        ":80",
    ]) func whatIsNotOneHostIsNone(written: String) {
        #expect(throws: Failure.self) { try NamedHost(written) }
    }

    @Test(
        arguments: [
            ("example.org", "93.184.215.14", true), ("example.org", "2001:db8::1", true),
            ("example.org", "127.0.0.1", false),
            ("example.org", "10.1.2.3", false), ("example.org", "192.168.0.1", false),
            ("example.org", "169.254.169.254", false),
            ("example.org", "169.254.1.1", false), ("example.org", "0.0.0.0", false), ("example.org", "::1", false),
            ("example.org", "::", false),
            ("example.org", "fe80::1%eth0", false), ("example.org", "fd00::1", false),
            ("example.org", "::ffff:10.0.0.1", false),
            ("example.org", "64:ff9b::a00:1", false), ("example.org", "2002:7f00:1::", false),
            ("example.org", "::10.0.0.1", false),
            ("example.org", "64:ff9b::808:808", true), ("localhost", "127.0.0.1", true), ("localhost", "::1", true),
            ("localhost", "10.0.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("10.0.0.1", "10.0.0.1", true),
            ("metadata.google.internal", "169.254.169.254", true),
            ("metadata.google.internal", "127.0.0.1", false), ("169.254.169.254", "169.254.169.254", true),
        ] as [(String, String, Bool)])
    func aNameLeadsToNoPrivateAddressThatIsNotNamed(host: String, address: String, holds: Bool) throws {
        #expect(try NamedHost(host).mayLead(to: address) == holds)
    }
}
