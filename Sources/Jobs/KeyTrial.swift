package import HTTP
package import Vocabulary

/// A test of a key at its provider of jobs, before the key is stored. It sends the request that the manifest names
/// (`auth.probe`).
package struct KeyTrial: Sendable {
    private let wire: JobWire

    package init(through client: HTTPClient, isOffline: @escaping @Sendable () -> Bool = Offline.isNow) {
        wire = JobWire(client: client, pacing: JobPacing(), isOffline: isOffline)
    }

    /// Tests a key.
    ///
    /// - Returns: false if the manifest names no request for this. Nothing is sent then.
    /// - Throws: `keyRefused`, another failure that the reply means, or the reason why there was no reply.
    package func isAccepted(_ key: String, by provider: ProviderManifest) async throws(Failure) -> Bool {
        guard let auth = provider.auth, let name = auth.probe, let request = provider.requests[name] else {
            return false
        }
        let blanks = JobBlanks(
            provider: provider, job: JobRecord(provider: provider.id, key: "", intendedAt: Moment(milliseconds: 0)),
            workspace: "",
            said: { (_) throws(Failure) in nil })
        let rendered = try blanks.render(name) { (_) throws(Failure) in
            throw Failure(.badManifest, "A key is tried without inputs.")
        }
        let reply: JobReply
        do throws(JobSilence) {
            reply = try await wire.send(
                rendered, to: provider, secret: key, limit: Limits.readFileBytes, timeoutSeconds: request.timeoutSeconds
            ).get()
        } catch {
            throw error.failure
        }
        if reply.status == 401 || reply.status == 403 {
            throw Failure(
                .keyRefused,
                "\(provider.title) does not accept the key (\(reply.status))\(provider.said(reply, hiding: key))",
                remedy: "Look at the key there, and begin again: 'assent connect \(provider.id)'")
        }
        guard request.ok.contains(reply.status) else { throw provider.failure(reply, hiding: key) }
        return true
    }
}
