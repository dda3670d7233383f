import ArgumentParser
import Glibc
import Harness
import JSON

/// A job provider and a model on 127.0.0.1 that do what a script says, and keep books of what they were asked. For
/// tests and benchmarks.
@main
struct AssentHarness: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assent-harness",
        abstract: "A scripted job provider and a scripted model on 127.0.0.1, for tests.",
        subcommands: [DrawPicture.self])

    @Option(help: "The port of jobs and model; 0 for a free one.")
    var port = 0
    @Option(help: "A script (JSON); without it all goes well.")
    var script: String?
    @Option(help: "A file for the line that says where it listens.")
    var readyFile: String?
    @Flag(help: "End when standard input ends.")
    var untilEof = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number up to 65535.") }
    }

    func run() throws {
        // Before there are other threads: they inherit the mask.
        var ends = sigset_t()
        sigemptyset(&ends)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ends, number) }
        pthread_sigmask(SIG_BLOCK, &ends, nil)
        signal(SIGPIPE, SIG_IGN)
        Self.allowManyConnections()
        let peer: Peer
        do {
            peer = try Peer(readScript(), port: port)
        } catch {
            Self.write("assent-harness: \(error)\n", to: 2)
            throw ExitCode(2)
        }
        try sayReady(peer.places)
        if untilEof {
            inBackground {
                var byte: UInt8 = 0
                while read(0, &byte, 1) > 0 || errno == EINTR {}
                Glibc.exit(0)
            }
        }
        var number: Int32 = 0
        withExtendedLifetime(peer) { _ = sigwait(&ends, &number) }
        Glibc.exit(0)
    }

    private func readScript() throws -> Script {
        guard let script else { return try Script([:]) }
        guard let bytes = ScratchFolder.bytes(script) else { throw ScriptFault(script, "it cannot be read") }
        return try Script(JSONReader.read(bytes, allowingComments: true))
    }

    private func sayReady(_ places: Places) throws {
        let line: JSON = [
            "ready": true, "jobs": .string(places.jobs), "model": .string(places.model),
            "foreign": .string(places.foreign),
            "control": .string(places.control), "pid": .int(Int(getpid())),
        ]
        if let readyFile {
            // Whole or not at all.
            try ScratchFolder.write(line.text + "\n", to: readyFile + ".new")
            guard rename(readyFile + ".new", readyFile) == 0 else {
                throw ValidationError("\(readyFile) cannot be written.")
            }
        }
        Self.write(line.text + "\n", to: 1)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    private static func allowManyConnections() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
