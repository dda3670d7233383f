import Glibc
package import JSON

private let secondsOfOneQuestion = 30.0
/// How often a server is started. On a busy machine Ray's agent of jobs may hang from its start on.
private let mostStarts = 3
/// How long a started server may take until it takes jobs.
private let secondsOfOneStart = 180.0

/// A real Ray server of one node with two processors and its Jobs API, which requires a token. It contacts no other
/// host.
package final class RayHead: Sendable {
    /// Shown as `Authorization: Bearer …`.
    package let token: String
    private let server: KeptServer

    /// Returns the server of this test run. It starts at the first call, and ends with this process.
    package static func shared() async throws -> RayHead { try await one.value }
    private static let one = Task {
        try await onOwnThread {
            for _ in 1..<mostStarts { if let head = try? RayHead() { return head } }
            return try RayHead()
        }
    }

    private init() throws {
        let token = String((0..<32).map { _ in "0123456789abcdef".randomElement()! })
        self.token = token
        server = try KeptServer(
            "ray",
            environment: [
                "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token,
                // It reports even that it is not to report.
                "RAY_USAGE_STATS_ENABLED": "0", "RAY_USAGE_STATS_REPORT_URL": "http://127.0.0.1:9/",
                // By its name for other systems; here it keeps the node's own servers on 127.0.0.1.
                "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
            ], ready: ["/api/version", "/api/jobs/"], headers: ["Authorization: Bearer \(token)"]
        ) { port, folder in
            // Without this file in its home it asks the metadata servers of three clouds where it is.
            try ScratchFolder.write("provider: {type: local}\n", to: folder + "/ray_bootstrap_config.yaml")
            return [
                "ray", "start", "--head", "--block", "--node-ip-address=127.0.0.1", "--port=0",
                "--dashboard-host=127.0.0.1",
                "--dashboard-port=\(port)", "--dashboard-agent-listen-port=0", "--dashboard-agent-grpc-port=0",
                "--ray-client-server-port=\(try KeptServer.freePort())", "--min-worker-port=0", "--max-worker-port=0",
                "--include-dashboard=true", "--include-log-monitor=false", "--num-cpus=2",
                "--object-store-memory=80000000",
                "--temp-dir=\(folder)", "--disable-usage-stats",
            ]
        }
        try waitUntilItTakesJobs()
    }

    /// Waits for the agent that starts jobs. The head answers before it is there: until then each submission ends with
    /// 500, or with no answer at all. So no single question may use up the whole patience.
    private func waitUntilItTakesJobs() throws {
        let end = ContinuousClock.now + .seconds(secondsOfOneStart)
        let body = Array((["entrypoint": "true"] as JSON).text.utf8)
        let headers = ["authorization": "Bearer \(token)", "content-type": "application/json"]
        while true {
            let answer = RawConnection.ask("POST", jobs, headers: headers, body: body, seconds: secondsOfOneQuestion)
            if answer.status == 200 { return }
            guard ContinuousClock.now < end else {
                throw ScriptFailure("Ray takes no job: \(answer.status) \(answer.text)")
            }
            usleep(200_000)
        }
    }

    /// `127.0.0.1:PORT`
    package var host: String { "127.0.0.1:\(server.port)" }
    /// `http://127.0.0.1:PORT/api/jobs/`
    package var jobs: String { "http://\(host)/api/jobs/" }

    /// Returns the jobs that Ray lists and whose command contains `text`. Their `status` is one of `PENDING RUNNING
    /// STOPPED SUCCEEDED FAILED`.
    package func jobs(holding text: String) async throws -> [JSON] {
        let (jobs, token) = (jobs, token)
        return try await onOwnThread {
            let answer = RawConnection.ask("GET", jobs, headers: ["authorization": "Bearer \(token)"])
            guard let list = answer.json?.array else {
                throw ScriptFailure("Ray does not list its jobs: \(answer.status) \(answer.text)")
            }
            return list.filter { $0["entrypoint"]?.string?.contains(text) == true }
        }
    }
}
