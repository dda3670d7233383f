import Terminal
package import Vocabulary

extension House {
    /// Hosts that data may go to. Refusals are failures: `hostNotAllowed`, `insecureHost`, `hostsBroken`, `badHost`.
    package struct Hosts: Sendable {
        /// What a person wrote as a host.
        package var read: @Sendable (String) throws(Failure) -> RemoteHost
        package var list: @Sendable () throws(Failure) -> [AllowedHost]
        /// False where it was allowed already.
        package var allow: @Sendable (RemoteHost, HostUse) throws(Failure) -> Bool
        /// What was allowed until now; for all uses if none is named.
        package var revoke: @Sendable (RemoteHost, HostUse?) throws(Failure) -> [AllowedHost]
        /// Whom a workflow's jobs would be submitted to that nobody has allowed yet.
        package var wanted: @Sendable (Template) throws(Failure) -> [HostQuestion]

        package init(
            read: @escaping @Sendable (String) throws(Failure) -> RemoteHost,
            list: @escaping @Sendable () throws(Failure) -> [AllowedHost],
            allow: @escaping @Sendable (RemoteHost, HostUse) throws(Failure) -> Bool,
            revoke: @escaping @Sendable (RemoteHost, HostUse?) throws(Failure) -> [AllowedHost],
            wanted: @escaping @Sendable (Template) throws(Failure) -> [HostQuestion]
        ) {
            self.read = read
            self.list = list
            self.allow = allow
            self.revoke = revoke
            self.wanted = wanted
        }

        /// Nothing is allowed, and nothing wants to be.
        package static let none = Hosts(
            read: { written throws(Failure) in throw Failure(.badHost, "\(written) cannot be allowed here.") },
            list: { () throws(Failure) in [] },
            allow: { host, _ throws(Failure) in throw Failure(.badHost, "\(host.name) cannot be allowed here.") },
            revoke: { _, _ throws(Failure) in [] }, wanted: { _ throws(Failure) in [] })
    }
}

/// Asks the person at this terminal whether a host may be spoken to.
struct HostAsker: Sendable {
    let house: House
    /// `nil` where nobody can be asked.
    let screen: (any Screen)?

    /// Keeps a yes. Whoever sends looks there, not here.
    func ask(_ question: HostQuestion) async {
        do throws(Failure) {
            guard try await isConfirmed(question) else { return }
            for host in question.hosts { _ = try house.hosts.allow(host, question.use) }
        } catch {
            screen?.show(FailureLine.lines(error, columns: screen?.columns ?? 80))
        }
    }

    /// - Throws: `hostNotAllowed` where a host that jobs of the workflow need was not allowed, here and now.
    func require(for template: Template) async throws(Failure) {
        for question in try house.hosts.wanted(template) { await ask(question) }
        if let question = try house.hosts.wanted(template).first { throw .hostNotAllowed(question) }
    }

    /// Asks, and stores the yes.
    ///
    /// - Throws: `hostNotAllowed`.
    func requireYes(to question: HostQuestion) async throws(Failure) {
        guard try await isConfirmed(question) else { throw .hostNotAllowed(question) }
        for host in question.hosts { _ = try house.hosts.allow(host, question.use) }
    }

    func isConfirmed(_ question: HostQuestion) async throws(Failure) -> Bool {
        // No person sits where a program that Assent ran does.
        guard let screen, screen.canAsk, !house.isOwnChild else { return false }
        let word = HostView.word(of: question)
        let answer = await QuestionDialogue(house: house, screen: screen).ask(
            HostView.question(question, columns: screen.columns))
        switch answer {
        case .key("y"): return true
        case .word(let typed) where typed == word:
            screen.show(StyledText("   › ", .dim) + StyledText(typed))
            return true
        case .key, .word, .verb, .none:
            screen.show(StyledText("Not allowed.", .dim))
            return false
        }
    }
}
