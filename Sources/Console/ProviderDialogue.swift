import Actions
import JSON
import Terminal
import Vocabulary

/// Connects a provider of jobs with the user. It asks for consent and for the key, and tests the key. Nothing but the
/// consent is stored before the test.
struct ProviderDialogue {
    let context: CommandContext
    let output: Output
    /// The screen for questions, or nil if the user cannot be asked.
    let screen: (any Screen)?

    private var keys: KeyDialogue { KeyDialogue(context: context, screen: screen) }

    /// Connects a provider of jobs: asks for consent and for a key, tests the key, and stores it.
    ///
    /// - Parameter given: a key that need not be asked for.
    func connect(_ provider: JobProvider, key given: String?) async throws(Failure) {
        guard let name = provider.keyName else {
            throw Failure(.badUsage, "\(provider.title) wants no key, so there is nothing to connect.")
        }
        try await allow(provider)
        var typed = given
        if given == nil, try await context.providers.hasKey(name) {
            screen?.show(StyledText("The key \(name) is there.", .dim))
        } else if given == nil {
            typed = try await keys.typed(name, of: provider.title)
        }
        let isTried = try await keys.retried(
            &typed, refusal: .keyRefused,
            type: { () async throws(Failure) in try await keys.typed(name, of: provider.title) },
            { key async throws(Failure) in try await context.providers.trial(key, provider) })
        if let typed, try await keys.keep(typed, name, isScript: given != nil) == false {
            context.providers.hold(typed, name)
        }
        show(provider, name, isTried: isTried)
    }

    private func allow(_ provider: JobProvider) async throws(Failure) {
        guard let question = try context.providers.question(provider) else { return }
        try await HostAsker(context: context, screen: screen).requireYes(to: question)
    }

    private func show(_ provider: JobProvider, _ name: String, isTried: Bool) {
        let words =
            isTried
            ? "Connected: \(provider.title) accepts the key \(name)."
            : "Connected: the key \(name) is stored untried, since \(provider.title) has no request known here that tries it without cost."
        output.show(
            [StyledText(VisibleText.line(words))],
            json: [["provider": .string(provider.id), "key": .string(name), "tried": .bool(isTried)]])
    }
}
