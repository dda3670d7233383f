/// A real BentoML server with the tasks of `Peer/service.py`. It sends nothing anywhere.
package final class BentoService: Sendable {
    private let server: KeptServer

    /// Returns the server of this test run. It starts at the first call, and ends with this process.
    package static func shared() async throws -> BentoService { try await one.value }
    private static let one = Task { try await BentoService.start() }

    package static func start() async throws -> BentoService { try await onOwnThread { try BentoService() } }

    private init() throws {
        server = try KeptServer("bento", environment: ["BENTOML_DO_NOT_TRACK": "True"], ready: ["/readyz"]) {
            port, folder in
            [
                "bentoml", "serve", "service:Peer", "--host", "127.0.0.1", "--port", "\(port)", "--working-dir",
                PeerFiles.folder,
            ]
        }
    }

    /// `127.0.0.1:PORT`
    package var host: String { "127.0.0.1:\(server.port)" }
    /// The address `http://127.0.0.1:PORT`. A task lies below it: `/work/submit`, `/work/status?task_id=`,
    /// `/work/get?task_id=`.
    package var url: String { "http://\(host)" }

    /// Ends the server, and blocks until all its processes have ended. May be called twice.
    package func end() { server.end() }

    /// The ids of all processes of the server.
    package var processes: [Int32] { server.processes }
}
