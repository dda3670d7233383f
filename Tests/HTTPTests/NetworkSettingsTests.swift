import HTTP
import Harness
import Testing

@Suite(.timeLimit(.minutes(10))) struct NetworkSettingsTests {
    @Test func goesThroughTheProxyExceptWhereToldNotTo() async throws {
        let proxy = try ScriptedServer { _ in .text("from the proxy") }
        let viaProxy = HTTPClient(NetworkSettings { ["http_proxy": proxy.url][$0] })
        #expect(try await viaProxy.collect(HTTPRequest("http://example.invalid/x")).1 == Array("from the proxy".utf8))
        #expect(proxy.requests.first?.path == "http://example.invalid/x")
        let direct = HTTPClient(NetworkSettings { ["http_proxy": proxy.url, "no_proxy": "other,example.invalid"][$0] })
        await #expect(throws: HTTPFailure.self) { try await direct.collect(HTTPRequest("http://example.invalid/y")) }
        #expect(proxy.requests.count == 1)
    }

    @Test func whatIsForThisMachineStaysOnIt() async throws {
        let proxy = try ScriptedServer { _ in .text("from the proxy") }
        let server = try ScriptedServer { _ in .text("direct") }
        let client = HTTPClient(NetworkSettings { ["http_proxy": proxy.url][$0] })
        #expect(try await client.collect(HTTPRequest(server.url)).1 == Array("direct".utf8))
        #expect(proxy.requests.isEmpty)
    }

    @Test func anHTTPSProxyIsAskedForATunnel() async throws {
        let proxy = try ScriptedServer { _ in .text("no", status: 403) }
        let client = HTTPClient(NetworkSettings { ["HTTPS_PROXY": proxy.url][$0] })
        await #expect(throws: HTTPFailure.self) { try await client.collect(HTTPRequest("https://example.invalid/x")) }
        #expect(proxy.requests.first?.method == "CONNECT")
        #expect(proxy.requests.first?.path == "example.invalid:443")
    }

    @Test(
        arguments: [
            ([:], "", "", "", nil, nil),
            (["HTTP_PROXY": "p"], "", "", "", nil, nil),
            (["all_proxy": "p", "https_proxy": "q"], "p", "q", "", nil, nil),
            (["http_proxy": "p", "HTTPS_PROXY": "q", "NO_PROXY": "*"], "p", "q", "*", nil, nil),
            (["SSL_CERT_FILE": "f", "SSL_CERT_DIR": "d"], "", "", "", "f", "d"),
            (["CURL_CA_BUNDLE": "c", "SSL_CERT_FILE": "f", "SSL_CERT_DIR": "d"], "", "", "", "c", nil),
            (["CURL_CA_BUNDLE": ""], "", "", "", nil, nil),
        ] as [([String: String], String, String, String, String?, String?)])
    func readsTheEnvironmentAsCurlDoes(
        environment: [String: String], http: String, https: String, none: String, file: String?, folder: String?
    ) {
        let settings = NetworkSettings { environment[$0] }
        #expect(settings.httpProxy == http)
        #expect(settings.httpsProxy == https)
        #expect(settings.noProxy == none)
        #expect(settings.certificateFile == file)
        #expect(settings.certificateFolder == folder)
    }
}
