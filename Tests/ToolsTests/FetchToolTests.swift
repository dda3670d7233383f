import CaseNames
@testable import Files
import Foundation
import JSON
import Synchronization
import Testing
@testable import Tools
import Vocabulary

/// The web as a function: what is asked, and what becomes of the answer.
@Suite struct FetchToolTests {
    private final class Web: Sendable {
        let asked = Mutex<[FetchRequest]>([])
        let answers: [(Int, [FetchRequest.Field], String)]
        init(_ answers: [(Int, [FetchRequest.Field], String)]) { self.answers = answers }

        @Sendable func fetch(_ request: FetchRequest, _ cancel: Cancellation) -> FetchAnswer {
            let index = asked.withLock {
                $0.append(request); return $0.count - 1
            }
            let (status, fields, body) = answers[min(index, answers.count - 1)]
            _ = FileManager.default.createFile(atPath: request.saveTo, contents: Data(body.utf8))
            return .answered(status: status, fields: fields)
        }
    }

    private func run(_ kind: String, _ web: Web, _ params: JSON) async throws -> ([Asset], Lab) {
        let lab = try Lab(fetch: web.fetch)
        return (try await lab.run(kind, params), lab)
    }

    @Test func aBodyComesOutAsBytesTextAndJSONWhereItParses() async throws {
        let web = Web([(200, [.init("Content-Type", "application/json; charset=utf-8")], #"{"a": 1}"#)])
        let (assets, lab) = try await run(
            "HTTPFetch", web, ["url": "http://h/api/v1?k=v#f", "headers": ["Accept": "x"]])
        #expect(assets.map(\.port) == ["body", "text", "json"])
        #expect(try lab.text(assets[2]) == #"{"a":1}"#)
        #expect(assets[0].name == "v1.json" && assets[0].meta["status"] == 200)
        let request = web.asked.withLock { $0[0] }
        #expect(
            request.url == "http://h:80/api/v1?k=v" && request.method == "GET"
                && request.fields == [.init("Accept", "x")])
        let (plain, _) = try await run("HTTPFetch", Web([(200, [], "hello")]), ["url": "http://h/"])
        #expect(plain.map(\.port) == ["body", "text"])
    }

    /// Said by a caller they could make another request of one that was approved.
    @Test(arguments: [
        "Host", "hOsT", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade",
        "Expect",
        "Proxy-Authorization",
    ])
    func whatTheConnectionSaysItselfIsNoCallersToSay(name: String) async throws {
        let web = Web([(200, [], "hello")])
        let lab = try Lab(fetch: web.fetch)
        let assignment = try lab.assignment("HTTPFetch", ["url": "http://h/", "headers": [name: "x", "Accept": "y"]])
        #expect(throws: Failure.self) { try lab.toolbox.prepare(assignment) }
        #expect(await lab.run(assignment).failure?.code == "badParam")
        #expect(web.asked.withLock { $0.isEmpty })
    }

    /// In no mode: nobody is even asked.
    @Test func whatMayHoldKeysIsNotSent() async throws {
        let web = Web([(200, [], "hello")])
        let lab = try Lab(fetch: web.fetch)
        try lab.write(".env", "TOKEN=hunter2")
        let key = try #require(try await lab.run("ReadFile", ["path": ".env"]).first)
        let post = try lab.assignment("HTTPFetch", ["url": "http://h/", "method": "POST"], [("body", key)])
        let failure = #expect(throws: Failure.self) { try lab.toolbox.prepare(post) }
        #expect(failure?.code == "secretFile")
        #expect(await lab.run(post).failure?.code == "secretFile")
        #expect(web.asked.withLock { $0.isEmpty })
    }

    @Test func theTimeThatAServerAsksForIsHeard() async throws {
        let lab = try Lab(fetch: { request, _ in
            _ = FileManager.default.createFile(atPath: request.saveTo, contents: nil)
            return .answered(status: 429, fields: [], retryAfter: 4000)
        })
        let failure = await lab.run(try lab.assignment("HTTPFetch", ["url": "http://h/a"])).failure
        #expect(failure?.code == "httpStatus" && failure?.retryAfterSeconds == 4000 && failure?.isTransient == true)
    }

    @Test func redirectsAreFollowedOnlyOnTheSameHostAndPort() async throws {
        let web = Web([
            (302, [.init("Location", "/b/c")], ""), (301, [.init("location", "d?x")], ""), (200, [], "there"),
        ])
        let (assets, lab) = try await run("HTTPFetch", web, ["url": "http://h:8080/a"])
        #expect(try lab.text(assets[0]) == "there")
        #expect(
            web.asked.withLock { $0.map(\.url) } == ["http://h:8080/a", "http://h:8080/b/c", "http://h:8080/b/d?x"])
        for location in ["http://other:8080/", "http://h/", "//evil/", "https://h:8080/x", "http://h:8080@evil/"] {
            let away = Web([(302, [.init("Location", location)], ""), (200, [], "stolen")])
            let failure = await #expect(throws: Failure.self) {
                try await run("HTTPFetch", away, ["url": "http://h:8080/a"])
            }
            #expect(["redirected", "badURL"].contains(failure?.code))
            #expect(away.asked.withLock { $0.count } == 1)
        }
        let circle = Web([(302, [.init("Location", "/a")], "")])
        let failure = await #expect(throws: Failure.self) { try await run("HTTPFetch", circle, ["url": "http://h/a"]) }
        #expect(failure?.code == "redirected")
    }

    @Test(arguments: [
        (404, "GET", false), (429, "GET", true), (503, "GET", true), (503, "POST", false), (500, "HEAD", true),
    ])
    func errorStatusesFail(status: Int, method: String, isTransient: Bool) async throws {
        let failure = await #expect(throws: Failure.self) {
            try await run("HTTPFetch", Web([(status, [], "no")]), ["url": "http://h/", "method": .string(method)])
        }
        #expect(
            failure?.code == "httpStatus" && failure?.isTransient == isTransient
                && failure?.message.contains("\(status)") == true)
    }

    @Test func aHeaderFieldCannotSmuggleAnother() async throws {
        let web = Web([(200, [], "")])
        for headers in [["A": "b\r\nEvil: 1"], ["A\r\nB": "c"], ["A:": "c"]] as [JSON] {
            let failure = await #expect(throws: Failure.self) {
                try await run("HTTPFetch", web, ["url": "http://h/", "headers": headers])
            }
            #expect(failure?.code == "badParam")
        }
        #expect(web.asked.withLock { $0.isEmpty })
    }

    @Test func aDownloadHasTheNameOfItsAddress() async throws {
        let (assets, _) = try await run(
            "URLLoader", Web([(200, [.init("content-type", "image/png")], "x")]),
            ["url": "http://h/pics/..%2Fcat.png?size=2"])
        #expect(assets.map(\.port) == ["file"] && assets[0].name == "..%2Fcat.png")
        let (bare, _) = try await run(
            "URLLoader", Web([(200, [.init("content-type", "image/png")], "x")]), ["url": "http://h"])
        #expect(bare[0].name == "h.png")
    }

    @Test func aPostSendsItsBody() async throws {
        let web = Web([(200, [], "ok")])
        let lab = try Lab(fetch: web.fetch)
        let body = try lab.asset("payload")
        _ = try await lab.run("HTTPFetch", ["url": "http://h/", "method": "POST"], [("body", body)])
        #expect(web.asked.withLock { $0[0].body } == lab.store.path(body.hash))
    }
}
