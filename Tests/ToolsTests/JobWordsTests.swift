import CaseNames
import HTTP
import Harness
import JSON
@testable import Jobs
import Testing
import Vocabulary

/// The small languages of manifests, and the small readers around them, by tables.
@Suite struct JobWordsTests {
    private static let sample: JSON = [
        "a": ["b": [["c": 1], ["c": 2], ["c": .null]], "odd name": "x"], "n": .null, "o": ["x": [1], "y": [2, 3]],
    ]

    @Test(
        arguments: [
            ("$", [sample]), ("$.a.b[0].c", [1]), ("$.a.b[*].c", [1, 2]), ("$.a['odd name']", ["x"]), ("$.n", []),
            ("$.o.*[*]", [1, 2, 3]),
            ("$.a.b[9]", []), ("$.missing?", []), ("$.o.*", [[1], [2, 3]]), ("$.a[0]", []),
        ] as [(String, JSON)])
    func pathsLeadToValues(path: String, values: JSON) throws {
        #expect(try #require(JobPath(path)).values(in: Self.sample) == values.array)
    }

    @Test(arguments: [
        "", "a", "$.", "$..a", "$.a[", "$[?(@.a)]", "$.a[-1]", "$.a.b c", "$[1:2]", "$.a b",
        "$" + String(repeating: ".a", count: 17),
    ])
    func whatIsNoPath(text: String) { #expect(JobPath(text) == nil) }

    @Test func aPathThatCouldExplodeIsBounded() throws {
        let wide = JSON.array((0..<60).map { .int($0) })
        let deep = JSON.array(Array(repeating: .array(Array(repeating: wide, count: 60)), count: 60))
        #expect(try #require(JobPath("$[*][*][*]")).values(in: deep).count == Limits.jobPathValues)
    }

    @Test(arguments: ["{", "}", "{a", "a}", "{}", "{a b}", "{a..b}", "{a|}", "{a{b}}", "{?}"]) func whatIsNoBlank(
        text: String
    ) {
        #expect(Blanks(text) == nil)
    }

    @Test func blanksAreRead() throws {
        #expect(
            try #require(Blanks("x {{y}} {a.b?}")).pieces == [
                .text("x {y} "), .hole(.init(name: "a", parts: ["b"], isOptional: true)),
            ])
        let choice = try #require(Blanks("{a.b|c}")?.only)
        #expect(choice.choices.map(\.name) == ["a", "c"] && choice.description == "a.b|c")
    }

    @Test(
        arguments: [
            ("api.example.com", "https://api.example.com/x", true),
            ("api.example.com", "https://api.example.com:8443/x", false),
            ("api.example.com:8443", "https://api.example.com:8443/", true),
            ("*.example.com", "https://a.b.example.com/", true),
            ("*.example.com", "https://example.com/", false), ("*.example.com", "https://evilexample.com/", false),
            ("*.example.com", "https://example.com.evil.org/", false),
            ("api.example.com", "http://api.example.com/", false),
            ("127.0.0.1:8188", "http://127.0.0.1:8188/", true), ("127.0.0.1:8188", "http://127.0.0.1:8189/", false),
            ("127.0.0.1:*", "http://127.0.0.1:8189/", true), ("127.0.0.1:*", "http://2130706433:8189/", true),
            ("localhost:80", "http://localhost/", true), ("api.example.com", "https://API.Example.COM/", true),
            ("api.example.com", "https://api.example.com@evil.org/", false), ("[::1]:80", "http://[::1]/", true),
        ] as [(String, String, Bool)])
    func hostsAreAllowedOrNot(pattern: String, url: String, isAllowed: Bool) throws {
        let provider = ProviderManifest(id: "p", title: "P", hosts: [try #require(HostGlob(pattern))])
        #expect(((try? provider.allowed(url)) != nil) == isAllowed)
    }

    @Test(arguments: [
        "", "*", "*.com", "a b", "https://x.org", "x.org/y", "x.org:99999", "example.org:*", "[zz]", "a..b",
    ])
    func whatIsNoHost(text: String) { #expect(HostGlob(text) == nil) }

    @Test(
        arguments: [
            ("owner/name", "https://x.org/m/owner/name"), ("a b?c#d", "https://x.org/m/a%20b%3Fc%23d"),
            ("é", "https://x.org/m/%C3%A9"),
            ("../../v1/account", nil), ("a/../b", nil), (".", nil), ("..", nil),
        ] as [(String, String?)])
    func aValueStaysInItsPlaceOfAnAddress(value: String, url: String?) throws {
        var provider = ProviderManifest(id: "p", title: "P")
        provider.requests["status"] = .init(method: "GET", url: "https://x.org/m/{model}")
        let blanks = JobBlanks(
            provider: provider, job: JobRecord(provider: "p", key: "k", intendedAt: Moment(milliseconds: 0)),
            workspace: "/",
            said: { $0 == "model" ? .json(.string(value)) : nil })
        #expect((try? blanks.render("status") { _ in [] })?.url == url)
    }

    /// A value that a server gave cannot even begin another path.
    @Test func aCapturedNameHasNoSlashes() throws {
        var provider = ProviderManifest(id: "p", title: "P")
        provider.requests["status"] = .init(method: "GET", url: "https://x.org/m/{jobId}/status")
        var job = JobRecord(provider: "p", key: "k", intendedAt: Moment(milliseconds: 0))
        job.captured["jobId"] = "a/b"
        let blanks = JobBlanks(provider: provider, job: job, workspace: "/", said: { _ in nil })
        #expect(try blanks.render("status") { _ in [] }.url == "https://x.org/m/a%2Fb/status")
    }

    @Test(
        arguments: [
            ("2026-11-21T08:00:00Z", 1_795_248_000_000), ("2026-11-21T08:00:00", 1_795_248_000_000),
            ("2026-11-21T09:30:00.250+01:30", 1_795_248_000_250),
            (1_795_248_000, 1_795_248_000_000), (1_795_248_000_000, 1_795_248_000_000),
            (1_795_248_000.5, 1_795_248_000_500),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("yesterday", nil), ("2026-13-01T00:00:00Z", nil), (-1, nil), (.null, nil), ("2026-11-21T08:00:00X", nil),
        ] as [(JSON, Int64?)])
    func timesOfServersAreRead(json: JSON, milliseconds: Int64?) {
        #expect(Moment(of: json)?.milliseconds == milliseconds)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 57, 300]) func base64GoesBothWays(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        #expect(Base64.bytes(of: Base64.text(of: bytes).utf8) == bytes)
    }

    @Test(arguments: ["=", "A", "AAAAA", "A=AA", "A A", "AA===", "ä"]) func whatIsNoBase64(text: String) {
        #expect(Base64.bytes(of: text.utf8) == nil)
    }

    @Test func dataURLsHoldBytes() {
        #expect(Base64.bytes(ofDataURL: "data:image/png;base64,iVBORw0=")?.bytes == [0x89, 0x50, 0x4E, 0x47, 0x0D])
        #expect(Base64.bytes(ofDataURL: "data:text/plain,a%20b%zz")?.bytes == Array("a b%zz".utf8))
        #expect(
            Base64.bytes(ofDataURL: "data:image/png;base64,***") == nil
                && Base64.bytes(ofDataURL: "https://x.org") == nil)
    }

    @Test func aPatternSeesLinesAndBounds() throws {
        let pattern = try #require(JobPattern(#"^\s*(\d+)%\s*\|"#))
        #expect(pattern.lastGroup(in: "  5%|a\r 45%|b\nloading 90%|") == "45")
        #expect(pattern.lastGroup(in: String(repeating: "x", count: 1 << 20) + "\n 7%|") == "7")
        #expect(pattern.lastGroup(in: String(repeating: " ", count: 2_000) + "7%|") == nil)
    }

    @Test(
        arguments: [
            ("eth0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0", true),
            ("eth0\t0002A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0", false),
            ("lo\t00000000\t00000000\t0003\t0\t0\t100\t00000000\t0\t0\t0", false),
            ("eth0\t00000000\t00000000\t0200\t0\t0\t100\t00000000\t0\t0\t0", false), ("", false),
        ])
    func aDefaultRouteIsAWayOut(line: String, isOut: Bool) {
        #expect(
            Offline.hasDefaultRoute(
                "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n\(line)\n")
                == isOut)
    }

    @Test(
        arguments: [
            (
                "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 eth0",
                true
            ),
            (
                "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo",
                false
            ),
            (
                "fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001 eth0",
                false
            ),
        ])
    func soIsOneOfVersionSix(line: String, isOut: Bool) { #expect(Offline.hasDefaultRoute6(line + "\n") == isOut) }

    @Test(
        arguments: [
            (HTTPFailure.refused(words: ""), "offline", false), (.resolve(words: ""), "offline", false),
            (.connectTimeout(seconds: 1), "offline", false),
            (.tls(words: ""), "networkFailed", false), (.idleTimeout(seconds: 1), "timedOut", true),
            (.totalTimeout(seconds: 1), "timedOut", true),
            (.truncated(words: ""), "networkFailed", true), (.other(code: 1, words: ""), "networkFailed", true),
            (.other(code: 23, words: "No space left."), "storageFailed", true),
            (.tooLarge(limit: 1), "answerTooLarge", true),
            (.cancelled, "cancelled", true), (.invalidRequest(words: ""), "badURL", false),
        ] as [(HTTPFailure, String, Bool)])
    func silenceWithoutANetworkSpendsNothing(failure: HTTPFailure, code: String, mayHaveArrived: Bool) {
        let silence = JobSilence(failure, from: "P") { true }
        #expect(silence.failure.code == code && silence.mayHaveArrived == mayHaveArrived)
        let answer = JobClient.answer(to: .submit, silence)
        if mayHaveArrived {
            #expect(answer == .unclear(silence.failure))
        } else {
            #expect(answer == .notTaken(silence.failure))
        }
        let lasting = code == "answerTooLarge" || code == "badURL" || code == "redirected"
        #expect(
            JobClient.answer(to: .status, silence)
                == (lasting ? .stuck(silence.failure) : .unreachable(silence.failure)))
    }

    @Test func aProvidersRateIsKept() {
        var provider = ProviderManifest(id: "p", title: "P")
        provider.pace.submit = .init(requests: 2, seconds: 10)
        let (pacing, start) = (JobPacing(), ContinuousClock.now)
        let times = (0..<5).map { _ in pacing.reserve(provider, isSubmit: true, now: start) }
        #expect(times == [nil, nil, start + .seconds(10), start + .seconds(10), start + .seconds(20)])
        #expect(pacing.reserve(provider, isSubmit: false, now: start) == nil)
        #expect(pacing.reserve(provider, isSubmit: true, now: start + .seconds(31)) == nil)
    }

    /// Whoever asks whether there is a place now, and hears no, holds none: the longer way would take a second one.
    @Test func aPlaceThatIsNotFreeIsNotTaken() {
        var provider = ProviderManifest(id: "p", title: "P")
        provider.pace.other = .init(requests: 2, seconds: 10)
        let (pacing, start) = (JobPacing(), ContinuousClock.now)
        #expect(
            (0..<6).map { _ in pacing.takeNow(provider, isSubmit: false, now: start) } == [
                true, true, false, false, false, false,
            ])
        #expect(
            pacing.reserve(provider, isSubmit: false, now: start) == start + .seconds(10),
            "the first place that comes free")
        #expect(pacing.takeNow(provider, isSubmit: true, now: start), "of this there is no rate")
    }

    @Test func ourNameAsAUUIDIsTheSameEveryTime() {
        let job = JobRecord(provider: "p", key: "assent-1f3a-w3-2-1", intendedAt: Moment(milliseconds: 0))
        #expect(
            job.uuid == job.uuid && job.uuid.count == 36 && Array(job.uuid)[14] == "8" && Array(job.uuid)[19] == "a")
        #expect(
            job.uuid != JobRecord(provider: "p", key: "assent-1f3a-w3-2-2", intendedAt: Moment(milliseconds: 0)).uuid)
    }
}
