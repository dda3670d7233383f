import CaseNames
@testable import Files
import HTTP
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// The same tools over a real connection to a server on 127.0.0.1.
@Suite struct HTTPFetchingTests {
    private func lab() throws -> Lab { try Lab(fetch: fetching(through: HTTPClient())) }

    @Test func aFileIsFetched() async throws {
        let server = try ScriptedServer([
            .redirect(to: "/there"), .text(#"{"a":1}"#, headers: ["Content-Type": "application/json"]),
        ])
        defer { server.stop() }
        let lab = try lab()
        let assets = try await lab.run(
            "HTTPFetch", ["url": .string(server.url + "/here"), "headers": ["X-Mine": "yes"]])
        #expect(assets.map(\.port) == ["body", "text", "json"])
        #expect(try lab.text(assets[0]) == #"{"a":1}"#)
        #expect(server.requests.map(\.path) == ["/here", "/there"])
        #expect(server.requests.allSatisfy { $0.headers["x-mine"] == "yes" })
    }

    @Test func aBodyIsSent() async throws {
        let server = try ScriptedServer([.text("ok")])
        defer { server.stop() }
        let lab = try lab()
        _ = try await lab.run(
            "HTTPFetch", ["url": .string(server.url), "method": "POST"], [("body", try lab.asset("payload"))])
        #expect(server.requests.map(\.method) == ["POST"] && server.requests.map(\.text) == ["payload"])
    }

    @Test(arguments: [(404, false), (503, true)]) func statusesAreFailures(status: Int, isTransient: Bool) async throws
    {
        let server = try ScriptedServer([.text("no", status: status)])
        defer { server.stop() }
        let lab = try lab()
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("URLLoader", ["url": .string(server.url)])
        }
        #expect(failure?.code == "httpStatus" && failure?.isTransient == isTransient)
    }

    @Test func nobodyListening() async throws {
        let refusing = try ScriptedRefusingPort()
        let lab = try lab()
        let url = "http://127.0.0.1:\(refusing.port)/"
        let failure = await #expect(throws: Failure.self) { try await lab.run("URLLoader", ["url": .string(url)]) }
        withExtendedLifetime(refusing) {}
        #expect(failure?.code == "networkFailed" && failure?.isTransient == true)
    }

    @Test func aCutAnswerIsNoAnswer() async throws {
        let server = try ScriptedServer([.text(String(repeating: "x", count: 10_000)).cut(afterBytes: 500)])
        defer { server.stop() }
        let lab = try lab()
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("URLLoader", ["url": .string(server.url)])
        }
        #expect(failure?.code == "networkFailed")
    }

    @Test func tooLargeAnAnswerIsCut() async throws {
        let server = try ScriptedServer([.text(String(repeating: "x", count: 10_000))])
        defer { server.stop() }
        let lab = try lab()
        let url = server.url
        let answer = await onThread {
            fetching(through: HTTPClient())(
                FetchRequest("GET", url, saveTo: lab.path("out"), bytesLimit: 1000), Cancellation())
        }
        guard case .failed(let failure) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(failure.code == "outputLimit")
    }

    @Test func cancellingEndsTheRequest() async throws {
        let server = try ScriptedServer([.hanging])
        defer { server.stop() }
        let lab = try lab()
        let cancel = Cancellation()
        async let ending = lab.run(try lab.assignment("URLLoader", ["url": .string(server.url)]), cancel: cancel)
        try await eventually("it was asked") { !server.requests.isEmpty }
        cancel.cancel()
        #expect(try await ending == .cancelled)
    }
}
