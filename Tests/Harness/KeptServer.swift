import Glibc
import Synchronization

/// A server from PyPI (`make peers`) on a port of 127.0.0.1. `Peer/keep.py` starts it and ends everything that came of
/// it: with `end`, with the last reference, or with this process, however that ends.
final class KeptServer: Sendable {
    let port: Int
    private let folder: ScratchFolder
    private let keeper: Mutex<ProgramProcess>

    /// Blocks until every one of `paths` has been answered with 200.
    /// - Parameters:
    ///   - peer: the name of its environment.
    ///   - environment: what it is given beside `PATH`, and `HOME` and `TMPDIR`, which are its own scratch folder.
    ///   - words: the program of the environment's `bin` and its arguments, by port and scratch folder.
    ///   - headers: of the requests for `paths`, lines without their end.
    init(
        _ peer: String, environment: [String: String], ready paths: [String], headers: [String] = [],
        words: (_ port: Int, _ folder: String) throws -> [String]
    ) throws {
        let programs = PeerFiles.environment(peer) + "/bin/"
        guard access(programs + "python3", X_OK) == 0 else {
            throw ScriptFailure("\(peer) is not installed: make peers")
        }
        folder = try ScratchFolder()
        port = try KeptServer.freePort()
        let path = folder.path
        var arguments = try words(port, path)
        arguments[0] = programs + arguments[0]
        let own = [
            "PATH": "\(programs):/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": path, "TMPDIR": path,
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
        let process = try ProgramProcess(
            "/usr/bin/python3", [PeerFiles.folder + "/keep.py", "\(getpid())", path] + arguments,
            environment: own.merging(environment) { $1 }, folder: path, files: path)
        keeper = Mutex(process)
        let end = ContinuousClock.now + .seconds(patienceSeconds)
        for question in paths {
            while ScriptSocket.status(of: question, port: port, headers: headers) != 200 {
                let said = process.errors.suffix(4000)
                guard !process.hasEnded, ContinuousClock.now < end else {
                    throw ScriptFailure("\(peer) did not start: \(said)")
                }
                usleep(50_000)
            }
        }
    }

    deinit { end() }

    /// Ends the server, and blocks until all its processes have ended. May be called twice.
    func end() { keeper.withLock { _ = $0.end(with: SIGTERM) } }

    /// The process ids of the keeper and of all its descendants.
    var processes: [Int32] {
        var found = [keeper.withLock { $0.pid }]
        var index = 0
        while index < found.count {
            let pid = found[index]
            for thread in ScratchFolder.names(in: "/proc/\(pid)/task") {
                let children = ScratchFolder.text("/proc/\(pid)/task/\(thread)/children") ?? ""
                found += children.split(separator: " ").compactMap { Int32($0) }
            }
            index += 1
        }
        return found
    }

    /// Returns a free port. It lies below the ports that the kernel gives out, so that no other process gets it by
    /// chance before it is used.
    static func freePort() throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 16_000..<32_000)
            if let socket = ScriptSocket.bound(toPort: port) {
                socket.close()
                return port
            }
        }
        throw ScriptFailure("no free port of 127.0.0.1 below 32000")
    }
}

/// The places of the files in `Peer`, and of the programs that `make peers` installed.
package enum PeerFiles {
    static let folder = #filePath.replacing("/KeptServer.swift", with: "/Peer")

    static func environment(_ peer: String) -> String {
        #filePath.replacing("/Tests/Harness/KeptServer.swift", with: "/.build/peers/") + peer
    }
}
