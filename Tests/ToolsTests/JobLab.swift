import CaseNames
@testable import Files
import HTTP
import Harness
import JSON
@testable import Jobs
import Manifests
import Synchronization
import Testing
import Vocabulary

/// A provider on 127.0.0.1 by a manifest of our own, and the client that asks it.
struct JobLab {
    let lab: Lab
    let provider: ProviderManifest
    let keys: [String: String]
    var isOffline = false
    /// Ids of jobs that other runs have.
    var held: Set<String> = []

    /// - Parameter change: text of the manifest → another text in its place.
    init(port: Int, keys: [String: String] = ["TEST_KEY": "s3cret-key"], _ change: [String: String] = [:]) throws {
        lab = try Lab()
        var text = Self.manifest
        for (old, new) in change {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        let read = readProviders(text, file: "test.yaml", isShipped: false) { id in
            WrittenSettings.Provider(id: id, values: object(["host": .string("127.0.0.1:\(port)")]))
        } hash: {
            .of($0)
        }
        #expect(read.problems.map(\.description) == [])
        provider = try #require(read.providers.first)
        self.keys = keys
    }

    /// For a server that never answers there is less time, for all others plenty.
    init(port: Int, answering script: ScriptAnswer) throws {
        try self.init(port: port, script.steps == [.hang] ? ["request: 30s": "request: 5s"] : [:])
    }

    static let manifest = """
        kind: jobs.http/v1
        id: test
        title: Test
        variables: {host: "127.0.0.1:1"}
        hosts: ["{host}"]
        auth: {type: bearer, secret: TEST_KEY}
        inputs: ["input?"]
        timeouts: {connect: 30s, request: 30s}
        idempotency: {mode: clientId, id: "{jobKey}", probe: status, duplicate: {http: [409], bodyMatches: exists}, ambiguous: retry}
        requests:
          submit: {method: POST, url: "http://{host}/jobs", json: {id: "{jobKey}", input: "{input?}"}, capture: {jobId: $.id, statusUrl: "$.statusUrl?"}}
          status: {url: "http://{host}/jobs/{jobId}"}
          result: {url: "http://{host}/jobs/{jobId}/result"}
          cancel: {method: POST, url: "http://{host}/jobs/{jobId}/cancel"}
        states:
          - {when: {path: $.state, in: [waiting]}, to: queuedRemote}
          - {when: {path: $.state, in: [working]}, to: runningRemote}
          - {when: {path: $.state, in: [done]}, to: downloading}
          - {when: {path: $.state, in: [failed]}, to: failed, code: $.code, message: $.why}
        progress: {path: $.percent, scale: 100}
        logs: {path: $.log, mode: whole}
        outputs:
          - {port: image, type: image, from: result, path: "$.images[*].url", as: url, many: true}
          - {port: json, type: json, from: result, path: $.value, as: json}
          - {port: text, type: text, from: result, path: $.words, as: text}
        cancel: {request: cancel, settle: poll, noop: [{path: $.state, equals: done}], unsupported: [405]}
        errors: {message: $.error}
        """

    static func tool(
        _ with: JSON.Object = object(["input": "{words?}"]), inputs: [Vocabulary.Port] = [],
        outputs: [Vocabulary.Port] = [Port("image", .image)]
    ) -> ToolManifest {
        ToolManifest(
            kind: "TestJob", title: "Test job", inputs: inputs, outputs: outputs,
            params: [.init(name: "words", kind: .text)],
            effects: [.sends, .spends], queue: .remote, action: .job(.init(provider: "test", with: with)))
    }

    func assignment(
        _ tool: ToolManifest = tool(), _ params: JSON = .object(JSON.Object()), _ inputs: [(String, Asset)] = [],
        outputs: [Vocabulary.Port]? = nil
    ) throws -> Assignment { try lab.assignment(tool, params, inputs, outputs: outputs) }

    var job: JobRecord {
        var job = JobRecord(
            provider: "test", key: "assent-t-w3-2-1", intendedAt: Moment(milliseconds: 1_795_248_000_000))
        job.captured["jobId"] = "j1"
        return job
    }

    /// Through the function that an engine calls.
    func ask(_ verb: JobRequest.Verb, _ assignment: Assignment? = nil, _ job: JobRecord? = nil) async throws
        -> JobAnswer
    {
        let (provider, keys, isOffline, held) = (provider, keys, isOffline, held)
        let surroundings = JobClient.Surroundings(
            provider: { $0 == provider.id ? provider : nil }, store: lab.store, own: lab.own, secret: { keys[$0] },
            onWorker: { inBackground($0) }, isOffline: { isOffline }, isHeld: { _, id, _ in held.contains(id) })
        let jobs = jobs(through: HTTPClient(), surroundings)
        let request = JobRequest(verb, try assignment ?? self.assignment(), job ?? self.job)
        return await withCheckedContinuation { continuation in
            jobs(request) { continuation.resume(returning: $0) }
        }
    }
}

func object(_ json: JSON) -> JSON.Object { json.object ?? JSON.Object() }

extension JobAnswer {
    var name: String {
        switch self {
        case .accepted: "accepted"
        case .notTaken: "notTaken"
        case .unclear: "unclear"
        case .notFound: "notFound"
        case .several: "several"
        case .status: "status"
        case .unreachable: "unreachable"
        case .stuck: "stuck"
        case .strike: "strike"
        case .collected: "collected"
        case .spoiled: "spoiled"
        case .cancelTaken: "cancelTaken"
        case .cancelRefused: "cancelRefused"
        }
    }

    var failure: Failure? {
        switch self {
        case .notTaken(let failure), .unclear(let failure), .unreachable(let failure), .stuck(let failure),
            .strike(let failure, _),
            .spoiled(let failure),
            .cancelRefused(let failure):
            failure
        case .status(let status):
            if case .failed(let failure) = status.state { failure } else { nil }
        case .accepted, .notFound, .several, .collected, .cancelTaken: nil
        }
    }

    var status: JobStatus? {
        switch self {
        case .status(let status): status
        case .accepted(_, let status): status
        case .notTaken, .unclear, .notFound, .several, .unreachable, .stuck, .strike, .collected, .spoiled,
            .cancelTaken, .cancelRefused:
            nil
        }
    }

    var assets: [Asset] { if case .collected(let assets) = self { assets } else { [] } }
}
