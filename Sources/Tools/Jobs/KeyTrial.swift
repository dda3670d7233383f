package import HTTP
package import Vocabulary

/// Tries a key at its provider of jobs before it is stored: by the request that the manifest names for it
/// (`auth.probe`).
package struct KeyTrial: Sendable {
    private let wire: JobWire

    package init(through client: HTTPClient, isOffline: @escaping @Sendable () -> Bool = Offline.isNow) {
        wire = JobWire(client: client, pacing: JobPacing(), isOffline: isOffline)
    }

    /// - Returns: false where the manifest names no such request: then nothing was sent.
    /// - Throws: `keyRefused`; what else the answer means, or why there was none.
    package func isAccepted(_ key: String, by provider: ProviderManifest) async throws(Failure) -> Bool {
        guard let auth = provider.auth, let name = auth.probe, let request = provider.requests[name] else {
            return false
        }
        let blanks = JobBlanks(
            provider: provider, job: JobRecord(provider: provider.id, key: "", intendedAt: Moment(milliseconds: 0)),
            workspace: "",
            said: { (_) throws(Failure) in nil })
        let rendered = try blanks.render(name) { (_) throws(Failure) in
            throw Failure("badManifest", "A key is tried without inputs.")
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
                "keyRefused",
                "\(provider.title) does not accept the key (\(reply.status))\(provider.said(reply, hiding: key))",
                remedy: "Look at the key there, and begin again: assent connect \(provider.id)")
        }
        guard request.ok.contains(reply.status) else { throw provider.failure(reply, hiding: key) }
        return true
    }
}
