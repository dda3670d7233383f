import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct HostsCommand: Verb {
    package static let description = CommandDescription(
        "hosts", in: .setup,
        summary: "Say which hosts may be spoken to, for a model or for jobs.",
        details: """
            Nothing is sent to a model or for a job before its host is allowed; this machine needs no yes to be spoken to. Jobs at an \
            allowed host are not asked about one by one, at this machine neither. A yes is for a host, its port and one use. Without \
            https only private addresses can be allowed, and that is confirmed at the terminal.
            """,
        examples: [
            "hosts allow api.example.com",
            "hosts list",
            "hosts allow http://10.0.0.5:8080 --for model",
            "hosts revoke api.example.com",
        ],
        takes: [[.choice(of: Action.self)], [.host]],
        values: ["--for": [.choice(of: HostUse.self)]])

    package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable { case list, allow, revoke }

    @Argument(help: "list, allow or revoke.")
    var action: Action = .list

    @Argument(help: "HOST or HOST:PORT, with http:// before it where it is not spoken to by https.")
    var hosts: [String] = []

    @Option(
        name: .customLong("for"),
        help: "What it may be spoken to for: model or jobs. Without it, allow means model and revoke both.")
    var use: HostUse?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { isChange ? .decides : .looks }

    var isChange: Bool { action != .list }

    package func validate() throws {
        guard isChange != hosts.isEmpty else {
            throw ValidationError(isChange ? "Which host? Such as api.example.com." : "'hosts list' lists them all.")
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        var read: [RemoteHost] = []
        for host in hosts { read.append(try context.hosts.read(host)) }
        switch action {
        case .list: break
        case .allow:
            for host in read { guard try await allow(host, use ?? .model, in: context, output) else { return .denied } }
        case .revoke:
            for host in read where try context.hosts.revoke(host, use).isEmpty {
                let what = use.map { " for \($0.inWords)" } ?? ""
                throw Failure(.badHost, "\(host.name) was not allowed\(what).", remedy: "See 'assent hosts list'.")
            }
        }
        let now = try context.hosts.list()
        output.show(HostView.lines(now, columns: output.columns), json: now.map(HostView.json))
        return .succeeded
    }

    /// Allows a host. The typed command counts as the yes, and everything beyond it is asked at the terminal.
    ///
    /// - Returns: whether the host is allowed.
    private func allow(_ host: RemoteHost, _ use: HostUse, in context: CommandContext, _ output: Output)
        async throws(Failure)
        -> Bool
    {
        if host.place == .thisMachine {
            // This machine needs no consent. With a yes, its jobs pass without a question for each.
            if use == .jobs { _ = try context.hosts.allow(host, use) }
            return true
        }
        guard !host.isRefused else { throw .insecureHost(host) }
        guard use == .jobs || !host.host.hasPrefix("*.") else {
            throw Failure(.badHost, "A model has one host, not \(host.name).", remedy: "Name that one.")
        }
        let question = HostQuestion([host], for: use, whom: use == .model ? "The model" : "A provider")
        if host.isGrave {
            guard output.canAsk else {
                throw Failure(
                    .hostNotAllowed,
                    "\(host.name) is allowed only at a terminal, after a question: "
                        + (host.isEncrypted
                            ? "it hands out this machine's keys." : "what is sent there is not encrypted."),
                    remedy: "Run this there: \(question.command)")
            }
            guard try await HostAsker(context: context, screen: output.screen).isConfirmed(question) else {
                return false
            }
        }
        _ = try context.hosts.allow(host, use)
        return true
    }
}

extension HostUse: ExpressibleByArgument {}
