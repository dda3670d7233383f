import Files
import HTTP
import JSON
import Jobs
import Sandbox
import Vocabulary

extension Preparation {
    /// Adds the effects of a job to its call. The job sends data to the provider's host, even if that is this machine,
    /// and spends what its manifest says.
    ///
    /// - Throws: `providerNotInstalled`, `secretFile`, `badURL`.
    func fill(
        _ call: inout Call, for action: ToolManifest.JobAction, _ provider: ProviderManifest?, _ store: AssetStore
    ) throws(Failure) {
        guard let provider else { throw .noProvider(action.provider) }
        try store.refusePrivate(assignment.assets, to: provider.title)
        let host = try host(of: provider, action)
        call.effects.insert(.sends)
        call.targets = [Call.Target(.sends, .host(host), reach: .remote)]
        if call.effects.contains(.spends) { call.targets.append(Call.Target(.spends, .host(host), reach: .remote)) }
    }

    /// Returns the host to which the job will be submitted. The tool's values may determine the host. The rest of the
    /// address is not needed.
    private func host(of provider: ProviderManifest, _ action: ToolManifest.JobAction) throws(Failure) -> String {
        guard let submit = provider.requests["submit"], let written = Blanks(submit.url) else {
            throw Failure(.badManifest, "\(provider.title) has no submit.")
        }
        let values = ToolValues(assignment: assignment) { asset throws(Failure) in
            throw Failure(.badManifest, "A host does not come from an input: \(asset.port).")
        }
        let blanks = JobBlanks(
            provider: provider, job: JobRecord(provider: provider.id, key: "", intendedAt: Moment(milliseconds: 0)),
            workspace: assignment.workspace, said: { (name) throws(Failure) in try values.value(name, in: action.with) }
        )
        var url = ""
        for piece in written.pieces {
            switch piece {
            case .text(let text): url += text
            case .hole(let hole): url += try blanks.value(of: hole)?.text ?? ""
            }
            guard let scheme = url.firstRange(of: "://"), url[scheme.upperBound...].contains("/") else { continue }
            break
        }
        return try provider.allowed(String(url.prefix { $0 != "{" })).hostAndPort
    }
}
