import Services
package import Vocabulary

/// The use cases of hosts: which of them data may go to. Failures are `hostNotAllowed`, `insecureHost`, `hostsBroken`
/// and `badHost`.
package struct HostPermissions: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of hosts.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    private var consents: HostConsents { shared.consents }

    /// Reads a host that the person typed.
    ///
    /// - Throws: `badHost`.
    package func read(_ written: String) throws(Failure) -> RemoteHost { try HostConsents.read(written) }

    /// Returns the allowed hosts with their uses.
    package func list() throws(Failure) -> [AllowedHost] { try consents.list() }

    /// Allows a host for a use.
    ///
    /// - Returns: false if it was allowed already.
    package func allow(_ host: RemoteHost, _ use: HostUse) throws(Failure) -> Bool {
        try consents.allow(host, for: use, at: OpenWorkspace.now())
    }

    /// Revokes the permissions of a host.
    ///
    /// - Parameter use: the use that is revoked, or nil for all.
    /// - Returns: the permissions that were removed.
    package func revoke(_ host: RemoteHost, _ use: HostUse?) throws(Failure) -> [AllowedHost] {
        try consents.revoke(host, for: use)
    }

    // MARK: Jobs

    /// Checks before a start whether the hosts are allowed that the jobs of a template need. If one is not, the person
    /// is asked first.
    ///
    /// - Parameter confirm: asks the person, if the person can be asked, and stores a yes.
    /// - Throws: `hostNotAllowed`.
    package func require(for template: Template, _ confirm: (HostQuestion) async -> Void) async throws(Failure) {
        for question in try wanted(template) { await confirm(question) }
        if let question = try wanted(template).first { throw .hostNotAllowed(question) }
    }

    /// Returns one question for each provider that a template submits jobs to and whose hosts are not allowed yet.
    func wanted(_ template: Template) throws(Failure) -> [HostQuestion] {
        let (catalogue, providers) = (try shared.catalogue.get(), try shared.providers.get())
        var questions: [HostQuestion] = []
        for node in template.nodes {
            guard case .job(let action)? = catalogue[node.kind]?.action, let provider = providers[action.provider],
                !questions.contains(where: { $0.whom == provider.title })
            else { continue }
            if let question = try question(of: provider) { questions.append(question) }
        }
        return questions
    }

    /// Returns the question about the hosts of a provider that are not allowed for jobs yet, or nil if all are.
    func question(of provider: ProviderManifest) throws(Failure) -> HostQuestion? {
        let missing = try consents.missing(provider.remoteHosts, for: .jobs)
        return missing.isEmpty ? nil : HostQuestion(missing, for: .jobs, whom: provider.title)
    }

    /// Returns why no job may be submitted to a provider now, or nil if it may.
    package func refusal(of provider: ProviderManifest) -> Failure? {
        do throws(Failure) {
            try consents.require(HostQuestion(provider.remoteHosts, for: .jobs, whom: provider.title))
            return nil
        } catch {
            return error
        }
    }

    /// Returns whether the person has allowed jobs to go to the host of a call. This machine counts only if it was
    /// allowed, too.
    ///
    /// - Parameter target: the host and its port, as the call names them.
    package func isJobHost(_ target: String) -> Bool {
        let schemes = HostPlace.ofTarget(target) == .thisMachine ? ["http", "https"] : ["https"]
        let hosts = schemes.compactMap { RemoteHost(of: "\($0)://\(target)/") }
        // A broken list allows no host.
        let allowed = ((try? consents.list()) ?? []).filter { $0.use == .jobs }
        return hosts.contains { host in allowed.contains { $0.host.covers(host) } }
    }

    // MARK: Requests

    /// Checks before a request whether its hosts are allowed. If one is not, the person is asked first.
    ///
    /// - Parameter confirm: asks the person, if the person can be asked, and stores a yes.
    func admit(_ question: HostQuestion, _ confirm: (HostQuestion) async -> Void) async throws(Failure) {
        if try !consents.missing(question.hosts, for: question.use).isEmpty { await confirm(question) }
        try consents.require(question)
    }
}

extension OpenWorkspace {
    /// The stored permissions of hosts.
    var consents: HostConsents { HostConsents(folder: folders.config) }
}
