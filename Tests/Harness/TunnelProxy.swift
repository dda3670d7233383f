import Glibc
import Synchronization

/// A proxy on a free port of 127.0.0.1 that opens a tunnel for each request and leads all of them to the same port.
package final class TunnelProxy: Sendable {
    private let listener: ScriptSocket
    package let port: Int
    private let asked = Mutex<[String]>([])

    package init(to target: Int) throws {
        (listener, port) = try ScriptSocket.bound(backlog: 16)
        let listener = listener
        inBackground { [weak self] in
            while let client = listener.accepted() {
                inBackground { [weak self] in
                    Self.serve(client, to: target) { words in self?.asked.withLock { $0.append(words) } }
                }
            }
            listener.close()
        }
    }

    deinit { listener.shutDown() }

    package var url: String { "http://127.0.0.1:\(port)" }
    /// The heads of all requests, as they came.
    package var requests: [String] { asked.withLock { $0 } }

    private static func serve(_ client: ScriptSocket, to target: Int, heard: (String) -> Void) {
        defer { client.close() }
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let bytes = client.received()
            if bytes.isEmpty { return }
            head += bytes
        }
        heard(String(decoding: head, as: UTF8.self))
        guard let server = ScriptSocket.connected(toPort: target) else { return }
        _ = client.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)[...])
        // Neither is closed before both directions have ended: its number would be another's.
        defer { server.close() }
        let back = startThread { pass(from: server, to: client) }
        pass(from: client, to: server)
        pthread_join(back, nil)
    }

    private static func pass(from source: ScriptSocket, to target: ScriptSocket) {
        while case let bytes = source.received(), !bytes.isEmpty { if target.send(bytes[...]) < bytes.count { break } }
        target.shutDown()
    }
}
