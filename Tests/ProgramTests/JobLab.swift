import CaseNames
import Harness
import JSON
import Testing

/// The program beside a scripted provider of jobs, which it knows by one manifest for each way of not buying twice.
struct JobLab {
    let lab: ProgramLab
    let harness: JobHarness
    /// Providers that only jobs of one mode go to.
    let others: [String: JobHarness]

    static let modes = ["put", "clientId", "header", "reconcile", "none"]

    /// - Parameter others: what the providers of some modes do, each in a process of its own.
    init(_ script: JSON, others: [String: JSON] = [:], environment: [String: String] = [:]) throws {
        lab = try ProgramLab(environment: environment)
        harness = try JobHarness(script)
        self.others = try others.mapValues { try JobHarness($0) }
        for mode in Self.modes {
            try ScratchFolder.makeFolder("\(lab.home)/config/providers")
            try ScratchFolder.makeFolder("\(lab.home)/config/tools")
            try ScratchFolder.write(manifest(mode), to: "\(lab.home)/config/providers/\(mode).yaml")
            try ScratchFolder.write(Self.tool(mode), to: "\(lab.home)/config/tools/\(mode).yaml")
        }
    }

    /// Who is asked for jobs of a mode.
    func provider(of mode: String) -> JobHarness { others[mode] ?? harness }

    private func manifest(_ mode: String) -> String {
        let host = provider(of: mode).host
        let idempotency =
            switch mode {
            case "put": #"{mode: put, id: "{jobKey}", ambiguous: retry}"#
            case "clientId":
                #"{mode: clientId, id: "{jobKey}", probe: status, duplicate: {http: [409]}, ambiguous: retry}"#
            case "header": #"{mode: header, id: "{jobKey}", ambiguous: retry}"#
            case "reconcile":
                #"{mode: reconcile, find: find, match: {path: "$.jobs[*]", equal: [[$.key, "{jobKey}"]]}, ambiguous: ask}"#
            default: "{mode: none, ambiguous: ask}"
            }
        let submit =
            switch mode {
            case "put": #"{method: PUT, url: "http://{host}/jobs/{jobKey}", json: {kind: "{kind}", input: "{input?}"}"#
            case "clientId":
                #"{method: POST, url: "http://{host}/jobs", json: {id: "{jobKey}", kind: "{kind}", input: "{input?}"}"#
            case "header":
                #"{method: POST, url: "http://{host}/jobs", headers: {Idempotency-Key: "{jobKey}"}, json: {kind: "{kind}", input: "{input?}"}"#
            case "reconcile": #"{method: POST, url: "http://{host}/jobs", json: {kind: "{kind}", key: "{jobKey}"}"#
            default: #"{method: POST, url: "http://{host}/jobs", json: {kind: "{kind}", input: "{input?}"}"#
            }
        return """
            kind: jobs.http/v1
            id: \(mode.lowercased())
            title: The \(mode) server
            hosts: ["\(host)"]
            variables: {host: "\(host)"}
            auth: {type: bearer, secret: JOB_KEY, optional: true}
            inputs: [kind, "input?"]
            limits: {concurrent: 100, pollEvery: 100ms, pollMin: 50ms}
            idempotency: \(idempotency)
            requests:
              submit: \(submit), ok: [200, 201], capture: {jobId: $.id}}
              status: {url: "http://{host}/jobs/{jobId}"}
              result: {url: "http://{host}/jobs/{jobId}/result"}
              cancel: {method: POST, url: "http://{host}/jobs/{jobId}/cancel", ok: [200]}
              \(mode == "reconcile" ? #"find: {url: "http://{host}/jobs?limit=100"}"# : "")
            states:
              - {when: {path: $.status, in: [queued]}, to: queuedRemote}
              - {when: {path: $.status, in: [running]}, to: runningRemote}
              - {when: {path: $.status, in: [succeeded]}, to: downloading}
              - {when: {path: $.status, in: [failed]}, to: failed, code: $.error.code, message: $.error.message}
              - {when: {path: $.status, in: [cancelled]}, to: cancelled}
              - {http: 404, to: failed, code: jobLost, after: 2}
            progress: {path: $.progress, scale: 100}
            queuePosition: $.queue_position
            logs: {path: $.log, mode: whole}
            outputs: [{port: json, type: json, from: result, path: $.value, as: json}]
            cancel: {request: cancel, settle: poll, unsupported: [405]}
            errors: {message: $.error.message, code: $.error.code, retryAfter: {header: Retry-After}}
            """
    }

    /// Puts other words into the manifest of a mode.
    func rewrite(_ mode: String, _ changes: [String: String]) throws {
        let path = "\(lab.home)/config/providers/\(mode).yaml"
        var text = ScratchFolder.text(path) ?? ""
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        try ScratchFolder.write(text, to: path)
    }

    /// `Putjob`, `Clientidjob`, …
    static func kind(_ mode: String) -> String { mode.prefix(1).uppercased() + mode.dropFirst().lowercased() + "Job" }

    private static func tool(_ mode: String) -> String {
        """
        tool: assent.tool/v1
        kind: \(kind(mode))
        title: \(mode) job
        outputs: {json: json}
        params: {kind: {type: text, default: ok}, input: {type: json}}
        inputs: {after: "any?"}
        effects: [sends]
        class: remote
        idempotent: \(mode != "none")
        run: {job: {provider: \(mode.lowercased()), with: {kind: "{kind}", input: "{input?}"}}}
        """
    }

    /// A workflow of jobs that do not know each other: id and mode and the kind that the script goes by.
    func plan(_ jobs: [(id: String, mode: String, kind: String)], concurrency: Int = 20) -> JSON {
        workflow(
            "jobs", jobs.map { node($0.id, Self.kind($0.mode), ["kind": .string($0.kind)]) },
            options: ["concurrency": ["remote": .int(concurrency), "local": 2], "errorPolicy": "isolate-node"])
    }

    /// Runs one job of a kind to its end, or to where somebody is needed.
    func run(_ mode: String, kind: String = "ok") async throws -> ProgramEnding {
        try lab.write(plan([("j", mode, kind)]), to: "plan.json")
        return try await lab.run("run", "plan.json", "--mode", "auto", "--json")
    }

    /// Carries out all that can go on, also what a verb has left to a process of its own.
    @discardableResult
    func workUntilIdle() async throws -> ProgramEnding {
        var ending = try await lab.run("work", "--until-idle", "--json")
        let engines = "\(lab.home)/data/engines"
        let isIdle = try await eventually {
            guard !ScratchFolder.names(in: engines).allSatisfy({ $0.hasPrefix("chat-") }) else { return true }
            ending = try await lab.run("work", "--until-idle", "--json")
            return false
        }
        #expect(isIdle, "\(ScratchFolder.names(in: engines))")
        return ending
    }

    func step(_ workflow: String = "w1", _ number: Int = 1) async throws -> JSON {
        try await lab.json("show", workflow).first?["steps"]?.array?.first { $0["step"]?.int == number } ?? .null
    }
}
