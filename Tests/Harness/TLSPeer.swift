import Glibc

/// A real server behind TLS (hypercorn, which speaks HTTP/2) on a free port of 127.0.0.1. It shows a certificate for
/// 127.0.0.1 and `peer.test`, signed by an authority that nobody knows until a test says so. What it answers:
/// `Peer/peer.py`.
package final class TLSPeer: Sendable {
    private let folder: ScratchFolder
    private let process: ProgramProcess
    package let port: Int

    /// Starts a server with TLS.
    ///
    /// - Parameter replies: the answers to `/v1/chat/completions` in order, each as server-sent events.
    package init(replies: [[[UInt8]]] = []) throws {
        folder = try ScratchFolder()
        let path = folder.path
        try Self.makeCertificates(in: path)
        for (index, events) in replies.enumerated() {
            try ScratchFolder.write(Array(events.joined()), to: "\(path)/reply-\(index + 1)")
        }
        process = try ProgramProcess(
            "/usr/bin/python3",
            [
                "-m", "hypercorn", "--certfile", "cert.pem", "--keyfile", "key.pem", "--bind", "127.0.0.1:0",
                "--graceful-timeout", "0", "--keep-alive", "600",
                "peer:app",
            ],
            environment: ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": Self.sources],
            folder: path, files: path)
        process.wait(forErrors: "(CTRL + C to quit)")
        let said = process.errors
        guard let place = said.firstRange(of: "https://127.0.0.1:"),
            let port = Int(said[place.upperBound...].prefix { $0.isNumber })
        else {
            throw ScriptFailure("the TLS peer did not start: \(said)")
        }
        self.port = port
    }

    deinit { process.end(with: SIGKILL) }

    /// `https://127.0.0.1:PORT`
    package var url: String { "https://127.0.0.1:\(port)" }
    /// The authority's certificate.
    package var certificateFile: String { folder.path + "/trust/authority.pem" }
    /// The folder that holds the certificate, under the name that OpenSSL looks for.
    package var certificateFolder: String { folder.path + "/trust" }

    private static let sources = #filePath.replacing("/TLSPeer.swift", with: "/Peer")

    private static func makeCertificates(in folder: String) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        guard mkdir(folder + "/trust", 0o700) == 0 else { throw ScriptFailure("no folder for certificates") }
        for words in [
            [
                "req", "-x509", "-subj", "/CN=Assent test authority", "-keyout", "authority.key", "-out",
                "trust/authority.pem",
            ] + key,
            [
                "req", "-x509", "-CA", "trust/authority.pem", "-CAkey", "authority.key", "-subj", "/CN=peer", "-keyout",
                "key.pem", "-out",
                "cert.pem", "-addext", "subjectAltName=DNS:peer.test,IP:127.0.0.1", "-addext",
                "basicConstraints=critical,CA:FALSE",
            ] + key, ["rehash", "trust"],
        ] {
            let ending = try ProgramProcess("/usr/bin/openssl", words, environment: [:], folder: folder, files: folder)
                .wait()
            guard ending.exit == 0 else { throw ScriptFailure("openssl \(words[0]): \(ending.errors)") }
        }
    }
}
