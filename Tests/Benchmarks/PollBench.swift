import CCurl
import Engine
import Files
import Glibc
import HTTP
import JSON
import Jobs
import Manifests
import Storage
import Vocabulary
import Workflows

/// What a status check costs: a thousand remote jobs under the whole engine, beside a bare loop over curl's multi
/// interface that asks as often for the same answers and throws them away. The rate is that of the default: a thousand
/// jobs, each every ten seconds.
enum PollBench {
    private static let jobs = 1_000
    private static let every = 10.0
    private static let seconds = 20.0

    static func run() throws -> [Figure] {
        let server = try Server()
        defer { server.end() }
        let ours = try withScratchFolder { try engine(at: server, in: $0) }
        let bare = try bareLoop(at: server, burst: 1)
        let inBursts = try bareLoop(at: server, burst: Int(Double(jobs) * Limits.pollGridSeconds / every))
        func figure(_ name: String, _ seconds: Double, _ bar: Figure.Bar) -> Figure {
            Figure(
                name: "CPU a status check of 1,000 jobs", value: ours * 1e6, unit: "µs",
                reference: (name, seconds * 1e6), bar: bar)
        }
        return [
            figure("bare curl multi loop, each when it is due", bare, .ratioAtMost(2)),
            figure("bare curl multi loop in bursts like ours", inBursts, .none),
        ]
    }

    /// CPU seconds of this process a status check, once all jobs are under way.
    private static func engine(at server: Server, in folder: String) throws -> Double {
        let (providers, problems) = readProviders(manifest(server.host), file: "bench", isShipped: false) { _ in
            .ofNothing
        }
        guard let provider = providers.first, problems.isEmpty else { throw Failed(words: "\(problems)") }
        let tool = ToolManifest(
            kind: "Job", title: "Job", outputs: [Port("json", .json)], effects: [.sends], queue: .remote,
            action: .job(ToolManifest.JobAction(provider: provider.id)))
        let catalogue = Catalogue([tool], providers: [provider.terms])
        let store = AssetStore(folder: folder + "/assets")
        let own = OwnFolders(config: folder, data: folder, cache: folder)
        let asking = Jobs.jobs(
            through: HTTPClient(),
            JobClient.Surroundings(
                provider: { _ in provider }, store: store, own: own, secret: { _ in nil }, onWorker: { workers.run($0) }
            ))
        let checks = Counter()
        let tools = World.Tools(
            catalogue: { catalogue },
            prepare: { .success(Call(tool: $0.manifest.kind, toolVersion: .ofNothing, effects: [.sends])) },
            run: { _, _ in .lost }, recover: { _ in .lost }, kill: { _ in },
            job: { request, reply in
                if request.verb == .status { checks.add() }
                asking(request, reply)
            })
        let archive = try EngineBench.stored(template(), catalogue, in: folder)
        let engine = EngineBench.started(archive, tools, slots: World.Slots(local: 2, remote: jobs))
        while checks.count < jobs { usleep(50_000) }
        let (before, cpu) = (checks.count, cpuSeconds())
        usleep(UInt32(seconds * 1e6))
        let spent = cpuSeconds() - cpu
        let made = checks.count - before
        EngineBench.stop(engine)
        archive.close()
        guard made > Int(0.8 * Double(jobs) * seconds / every) else {
            throw Failed(words: "only \(made) status checks were made")
        }
        return spent / Double(made)
    }

    private static func template() -> String {
        let nodes = (1...jobs).map { #"{"id":"j\#($0)","kind":"Job"}"# }.joined(separator: ",")
        return
            #"{"schema":"app.workflow/v2","name":"jobs","nodes":[\#(nodes)],"options":{"concurrency":{"remote":1000}}}"#
    }

    private static func manifest(_ host: String) -> String {
        """
        kind: jobs.http/v1
        id: bench
        title: Bench
        hosts: ["\(host)"]
        auth: {type: none}
        limits: {concurrent: 1000, pollEvery: \(Int(every))s}
        idempotency: {mode: clientId, id: "{jobKey}", probe: status, ambiguous: retry}
        requests:
          submit: {method: POST, url: "http://\(host)/jobs", json: {id: "{jobKey}", kind: bench}, ok: [200, 201], capture: {jobId: $.id}}
          status: {url: "http://\(host)/jobs/{jobId}"}
          cancel: {method: POST, url: "http://\(host)/jobs/{jobId}/cancel"}
        states:
          - {when: {path: $.status, in: [queued]}, to: queuedRemote}
          - {when: {path: $.status, in: [running]}, to: runningRemote}
          - {when: {path: $.status, in: [succeeded]}, to: downloading}
          - {when: {path: $.status, in: [failed]}, to: failed}
        outputs: [{port: json, type: json, from: status, path: $.output, as: json}]
        cancel: {request: cancel, settle: poll}
        """
    }

    // MARK: The bare loop

    /// Handles are used again and connections are kept.
    ///
    /// - Parameter burst: how many go out at once.
    private static func bareLoop(at server: Server, burst: Int) throws -> Double {
        guard let multi = curl_multi_init() else { throw Failed(words: "no curl") }
        defer { curl_multi_cleanup(multi) }
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
        let url = "http://\(server.host)/jobs/\(try server.anyJob())"
        var idle: [OpaquePointer] = []
        defer { for handle in idle { curl_easy_cleanup(handle) } }
        let interval = every * Double(burst) / Double(jobs)
        let (start, cpu) = (Clock.seconds(), cpuSeconds())
        var (asked, done) = (0, 0)
        while true {
            let passed = Clock.seconds() - start
            while Double(asked / burst) * interval <= min(passed, seconds) {
                for _ in 0..<burst {
                    guard let handle = idle.popLast() ?? curl_easy_init() else { throw Failed(words: "no handle") }
                    ccurl_set_str(handle, CURLOPT_URL, url)
                    ccurl_set_data_cb(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
                    curl_multi_add_handle(multi, handle)
                }
                asked += burst
            }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            var code = CURLE_OK
            while let handle = ccurl_multi_next_done(multi, &code) {
                guard code == CURLE_OK else { throw Failed(words: "curl says \(code.rawValue)") }
                curl_multi_remove_handle(multi, handle)
                idle.append(handle)
                done += 1
            }
            if passed > seconds, running == 0 { break }
            let next = Double(asked / burst) * interval - (Clock.seconds() - start)
            curl_multi_poll(multi, nil, 0, Int32(max(0, min(1000, next * 1000)).rounded(.up)), nil)
        }
        return (cpuSeconds() - cpu) / Double(done)
    }

    private static func cpuSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    struct Failed: Error { let words: String }
}

/// The scripted provider, as a process of its own whose time is not ours: jobs that never end.
private final class Server {
    let host: String
    private let control: String
    private let pid: pid_t

    init() throws {
        let (pid, ready) = try withScratchFolder { folder in
            let script = folder + "/script.json"
            BenchFiles.write(
                #"{"jobs":[{"life":{"runningPolls":1000000,"end":"never"}}],"ledger":{"entries":10}}"#, to: script)
            let ready = folder + "/ready.json"
            let pid = Programs.start(
                [
                    "sh", "-c", #"exec "$0" "$@" > /dev/null"#, try Self.program(), "--script", script, "--ready-file",
                    ready,
                ])
            let limit = Clock.seconds() + 20
            while access(ready, F_OK) != 0, Clock.seconds() < limit { usleep(10_000) }
            return (pid, BenchFiles.text(ready))
        }
        self.pid = pid
        guard let places = try? JSONReader.read(ready), let jobs = places["jobs"]?.string,
            let control = places["control"]?.string
        else {
            throw PollBench.Failed(words: "assent-harness does not start")
        }
        host = jobs.replacing("http://", with: "")
        self.control = control
    }

    private static func program() throws -> String {
        let path = try Terminal.program() + "-harness"
        guard access(path, X_OK) == 0 else { throw PollBench.Failed(words: "\(path) is not built: make bench") }
        return path
    }

    /// One of the jobs that the engine left there.
    func anyJob() throws -> String {
        try withScratchFolder { folder in
            Programs.run(["sh", "-c", "curl -s '\(control)/_jobs' > \(folder)/jobs"])
            guard let id = try JSONReader.read(BenchFiles.text(folder + "/jobs"))["jobs"]?.array?.first?["id"]?.string
            else {
                throw PollBench.Failed(words: "there are no jobs")
            }
            return id
        }
    }

    func end() {
        kill(pid, SIGTERM)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }
}
