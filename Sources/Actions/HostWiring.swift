import Conversations
import HTTP
import Services
package import Vocabulary

/// Which hosts may be spoken to, wired to who asks and who sends.
extension OpenWorkspace {
    var consents: HostConsents { HostConsents(folder: folders.config) }

    package var hosts: HostPermissions {
        HostPermissions(
            read: { written throws(Failure) in try HostConsents.read(written) },
            list: { [consents] () throws(Failure) in try consents.list() },
            allow: { [consents] host, use throws(Failure) in try consents.allow(host, for: use, at: Self.now()) },
            revoke: { [consents] host, use throws(Failure) in try consents.revoke(host, for: use) },
            wanted: { [self] template throws(Failure) in try wanted(by: template) })
    }

    /// Whom the jobs of a template are for that nobody has allowed.
    private func wanted(by template: Template) throws(Failure) -> [HostQuestion] {
        let (catalogue, providers) = (try catalogue.get(), try providers.get())
        var questions: [HostQuestion] = []
        for node in template.nodes {
            guard case .job(let action)? = catalogue[node.kind]?.action, let provider = providers[action.provider],
                !questions.contains(where: { $0.whom == provider.title })
            else { continue }
            let missing = try consents.missing(provider.remoteHosts, for: .jobs)
            if !missing.isEmpty { questions.append(HostQuestion(missing, for: .jobs, whom: provider.title)) }
        }
        return questions
    }

    /// Whether a job may be submitted now; why not.
    package func refusal(of provider: ProviderManifest) -> Failure? {
        do throws(Failure) {
            try consents.require(HostQuestion(provider.remoteHosts, for: .jobs, whom: provider.title))
            return nil
        } catch {
            return error
        }
    }

    /// Before a request to a model: the person is asked for its host, where they can be.
    func admit(_ question: HostQuestion, _ confirm: @Sendable (HostQuestion) async -> Void) async throws(Failure) {
        if try !consents.missing(question.hosts, for: question.use).isEmpty { await confirm(question) }
        try consents.require(question)
    }
}
