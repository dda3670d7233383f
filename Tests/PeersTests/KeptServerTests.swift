import CaseNames
import Glibc
import Testing

@testable import Harness

/// The keeper of real servers. Ray starts its jobs in sessions of their own, and as children of processes that end.
@Suite(.process) struct KeptServerTests {
    private static let script = """
        import http.server, subprocess, sys
        subprocess.Popen("setsid sh -c 'sleep 4321 & sleep 4322' & sleep 3593", shell=True)
        http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler).serve_forever()
        """

    @Test func nothingOfAServerIsLeftAtItsEndNotEvenAJobThatHasLeftItsGroup() async throws {
        let server = try await onOwnThread {
            try KeptServer("ray", environment: [:], ready: ["/"]) { port, _ in
                ["python3", "-c", Self.script, "\(port)"]
            }
        }
        // The keeper, the server, and four programs of its two jobs.
        let hasJobs = try await eventually { server.processes.filter(Self.sleeps).count == 3 }
        let processes = server.processes
        #expect(hasJobs && processes.count >= 5, "\(processes)")
        try await onOwnThread { server.end() }
        #expect(processes.filter { kill($0, 0) == 0 }.isEmpty)
        #expect(ScriptSocket.status(of: "/", port: server.port) != 200)
    }

    private static func sleeps(_ process: Int32) -> Bool {
        ScratchFolder.text("/proc/\(process)/comm") == "sleep\n"
    }
}
