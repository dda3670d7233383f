import Actions
import JSON
import Terminal
import Vocabulary

/// Makes a connection with the user. It asks for the server, the consent, the key and the model, and tests the
/// connection. Known answers are not asked for, and nothing but the consent is stored before the test has succeeded.
struct ConnectDialogue {
    let context: CommandContext
    let output: Output
    /// The screen for questions, or nil if the user cannot be asked.
    let screen: (any Screen)?

    private var setup: ConnectionSetup { context.setup }
    private var keys: KeyDialogue { KeyDialogue(context: context, screen: screen) }

    mutating func connect(_ word: String?, model: String?, name: String?, key: String?) async throws(Failure)
        -> ExitStatus
    {
        guard let word = try await chosenServer(word) else { return .succeeded }
        guard var draft = try await draft(word, model: model, name: name, key: key) else { return .succeeded }
        if let name { draft.connection.name = name }
        guard ModelConnection.isName(draft.connection.name) else {
            throw Failure(
                .badUsage, "A connection's name \(ModelConnection.nameRule).", remedy: "Give one with --name.")
        }
        if draft.needsAddress { draft.connection.url = try await address(of: draft.title) }
        try await allow(draft.connection)
        do throws(Failure) {
            try await finish(&draft.connection, model: model, key)
        } catch {
            // A key that did not work is forgotten.
            try? setup.tryKey("", draft.connection)
            throw error
        }
        return .succeeded
    }

    /// Finds the key and the model, tests them, and stores the connection. The key comes first, since a server may list
    /// its models only to those who have a key. It is stored last, after the test.
    private func finish(_ connection: inout ModelConnection, model: String?, _ given: String?) async throws(Failure) {
        var typed = given
        if let given { try setup.tryKey(given, connection) }
        let state = try await setup.keyState(connection)
        if given == nil, case .missing = state { typed = try await typedKey(state.name, connection) }
        if case .found(let name) = state, given == nil { say("The key \(name) is there.") }
        var isKeyless = typed == nil
        if case .found = state { isKeyless = false }
        var tries = 0
        let listed: [String] = try await retried(connection, state.name, &typed) { () async throws(Failure) in
            tries += 1
            do throws(Failure) {
                return try await setup.models(connection)
            } catch  where isKeyless && tries == 1 && error.mayWantKey && model == nil && screen != nil {
                throw error.forWantOfKey
            } catch  where error.code.isOne(of: .modelForbidden, .modelBadRequest) {
                // The server may have models all the same.
                return []
            } catch  where model != nil && error.isOfNoModelList {
                // The first request will show whether the model exists.
                return []
            }
        }
        connection.model = try await chosenModel(model, connection.model, listed)
        say("Trying \(connection.model) …")
        let chosen = connection
        let trial: ModelTrial = try await retried(connection, state.name, &typed) { () async throws(Failure) in
            try await setup.trial(chosen)
        }
        // The connection is stored first, and then its key. An interruption between them leaves no unused key.
        if let typed {
            var named = connection
            named.keyName = state.name
            let stored = named
            let isKept = try await keys.keep(
                typed, state.name, isScript: given != nil, first: { () throws(Failure) in try setup.put(stored) },
                takeBack: { () throws(Failure) in try setup.takeBack() })
            if isKept { connection = named } else { try setup.put(connection) }
        } else {
            try setup.put(connection)
        }
        show(connection, trial)
    }

    /// Asks for another key if the present one was refused.
    private func retried<Value: Sendable>(
        _ connection: ModelConnection, _ name: String, _ typed: inout String?, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await keys.retried(
            &typed, refusal: .modelRefusedKey,
            type: { () async throws(Failure) in try await typedKey(name, connection) }
        ) {
            _ async throws(Failure) in try await body()
        }
    }

    // MARK: Who

    /// Returns the draft of a connection.
    ///
    /// - Returns: nil if the word is a provider of jobs, which is now connected.
    private func draft(
        _ word: String, model: String?, name: String?, key: String?
    ) async throws(Failure) -> ConnectionDraft? {
        let unknown: Failure
        do throws(Failure) { return try setup.draft(word) } catch { unknown = error }
        guard unknown.code == .unknownConnection,
            let provider = try context.providers.list().first(where: { $0.id == word })
        else {
            throw unknown
        }
        guard model == nil, name == nil else {
            throw Failure(.badUsage, "\(provider.title) is a provider of jobs: it has no model and no other name.")
        }
        try await ProviderDialogue(context: context, output: output, screen: screen).connect(provider, key: key)
        return nil
    }

    private func chosenServer(_ word: String?) async throws(Failure) -> String? {
        if let word { return word.trimmed }
        let profiles = try context.models.list().profiles
        let jobs = try context.providers.list().filter { provider in
            provider.keyName != nil && !profiles.contains { $0.name == provider.id }
        }
        let choices = profiles.map { ($0.name, $0.title) } + jobs.map { ($0.id, "\($0.title): jobs") }
        let rows = choices.enumerated().map { number, choice in
            [StyledText("\(number + 1)", .accent), StyledText(choice.0), StyledText(VisibleText.line(choice.1), .dim)]
        }
        guard let screen else {
            throw Failure(
                .badUsage, "It is not said what is connected.",
                remedy: "Name a profile or an address: 'assent connect openai'")
        }
        let head = StyledText(" ? ", [.question, .bold]) + StyledText("which server is connected", .bold)
        var lines = [head] + Layout.table(rows, columns: screen.columns, indent: 3)
        while true {
            let typed = await QuestionDialogue(context: context, screen: screen).pick(
                lines, hint: "number, name or address")
            guard let typed, !typed.isEmpty else { return nil }
            if let number = Int(typed) {
                if choices.indices.contains(number - 1) { return choices[number - 1].0 }
                lines = [StyledText("   Numbers go from 1 to \(choices.count).", .warning)]
                continue
            }
            if choices.contains(where: { $0.0 == typed }) { return typed }
            do throws(Failure) {
                _ = try setup.draft(typed)
                return typed
            } catch {
                lines = FailureLine.lines(error, columns: screen.columns)
            }
        }
    }

    private func address(of title: String) async throws(Failure) -> String {
        guard let screen else {
            throw Failure(
                .badUsage, "The address of \(title) is your own.", remedy: "Give it: 'assent connect https://…'")
        }
        let head =
            StyledText(" ? ", [.question, .bold]) + StyledText("the address of \(title), such as https://…/v1", .bold)
        let typed = await Talk(asking: QuestionDialogue(context: context, screen: screen)).line([head])
        guard let typed, !typed.isEmpty else {
            throw Failure(.badUsage, "Without an address nothing can be connected.")
        }
        return typed
    }

    private func allow(_ connection: ModelConnection) async throws(Failure) {
        let question = try setup.question(connection)
        let allowed = try context.hosts.list().filter { $0.use == .model }
        let isNew = question.hosts.contains { host in
            host.place != .thisMachine && !allowed.contains { $0.host.covers(host) }
        }
        guard isNew else { return }
        try await HostAsker(context: context, screen: screen).requireYes(to: question)
    }

    private func typedKey(_ name: String, _ connection: ModelConnection) async throws(Failure) -> String {
        let typed = try await keys.typed(name, of: connection.name)
        try setup.tryKey(typed, connection)
        return typed
    }

    // MARK: Which model

    private func chosenModel(_ named: String?, _ known: String, _ listed: [String]) async throws(Failure) -> String {
        if let named { return named }
        if listed.count == 1 { return listed[0] }
        guard let screen else {
            if !known.isEmpty { return known }
            let words = listed.isEmpty ? "names no models" : "has \(Self.count(listed)) models"
            throw Failure(.badUsage, "The server \(words).", remedy: "Name one with --model.")
        }
        let picked = await ModelPicker(
            asking: QuestionDialogue(context: context, screen: screen), listed: listed, known: known
        ).pick()
        guard let picked else { throw Failure(.badUsage, "No model was chosen; nothing was connected.") }
        return picked
    }

    private static func count(_ listed: [String]) -> String {
        listed.count > Limits.listedModels ? "more than \(Limits.listedModels)" : "\(listed.count)"
    }

    // MARK: Does it work

    private func show(_ connection: ModelConnection, _ trial: ModelTrial) {
        let now = StyledText("Connected as \(connection.name), from the next request on.", .dim)
        output.show(
            ModelsView.trial(trial, of: connection.model, columns: output.columns) + [now],
            json: [ModelsView.json(trial, of: connection.model)])
    }

    // MARK: Words

    private func say(_ words: String) { screen?.show(StyledText(VisibleText.line(words), .dim)) }
}
