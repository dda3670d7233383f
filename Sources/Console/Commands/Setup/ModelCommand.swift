import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct ModelCommand: Verb {
    package static let description = CommandDescription(
        "model", in: .setup,
        summary: "Show the models that are connected, or choose one.",
        details: """
            A name makes a connection of connections.yaml the default. In the chat it holds for that session from the next request on, \
            and may also be PROFILE/MODEL, or a model of the server that is used; alone, '/model' lets you choose. 'built-in' is the \
            planner, which needs no model.
            """,
        examples: [
            "model work",
            "model",
            "model list",
            "model test",
            "model forget",
            .init("model openai/gpt-5", note: "in the chat"),
        ],
        takes: [[.connection, .choice(["list", "test", "forget"])], [.connection]])

    @Argument(help: "list, test, forget, or the name of a connection.")
    var word: String?

    @Argument(help: "With test: the connection, if it is not the one that is used. With forget: the model, if not all.")
    var name: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// The role of the command. A test sends data and may cost money, and learned settings belong to the user. Without
    /// arguments, a chat asks which model to use, and a shell only lists the models.
    package var role: CommandRole {
        switch action {
        case .list: .looks
        case .choose: .starts
        case .test, .forget, .use: .decides
        }
    }

    /// False for the choice of a model, since none is offered with `--json`, so that the call only looks.
    package var endsWithEndLine: Bool {
        if case .choose = action { false } else { role != .looks }
    }

    private enum Action { case choose, list, test(String?), forget(String?), use(String) }

    private var action: Action {
        switch word {
        case nil: .choose
        case "list": .list
        case "test": .test(name)
        case "forget": .forget(name)
        case let name?: .use(name)
        }
    }

    package func validate() throws {
        if name != nil, word != "test", word != "forget" { throw ValidationError("Only one name is taken here.") }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        switch action {
        case .list: try show(in: context, output)
        case .test(let name):
            let (words, trial) = try await context.models.test(name)
            output.show(
                ModelsView.trial(trial, of: words, columns: output.columns), json: [ModelsView.json(trial, of: words)])
            return trial.callsTools ? .succeeded : .failed
        case .forget(let model):
            let count = try context.setup.forget(model)
            output.show(
                [
                    StyledText(
                        count == 0
                            ? "Nothing was learned from refusals."
                            : "Forgotten: \(count). What is refused is learned again.", .dim)
                ],
                json: [["forgotten": .int(count)]])
        case .choose:
            guard output.isChat, output.canAsk, !context.isOwnChild else {
                try show(in: context, output)
                break
            }
            guard let name = try await chosen(in: context, output) else { break }
            try use(name, in: context, output)
        case .use(let name) where output.isChat:
            try await requireOffered(name, in: context)
            try use(name, in: context, output)
        case .use(let name):
            try context.models.keep(name)
            try show(in: context, output)
        }
        return .succeeded
    }

    private func show(in context: CommandContext, _ output: Output) throws(Failure) {
        let list = try context.models.list()
        output.show(ModelsView.lines(list, columns: output.columns), json: ModelsView.json(list))
    }

    private func use(_ name: String, in context: CommandContext, _ output: Output) throws(Failure) {
        let use = try context.models.use(name, .session)
        output.show(ModelsView.used(use, columns: output.columns), json: [ModelsView.json(use)])
    }

    /// Throws unless a name is a connection, PROFILE/MODEL, or a model of the server in use.
    ///
    /// - Throws: `unknownModel` if the server lists its models without this one.
    private func requireOffered(_ name: String, in context: CommandContext) async throws(Failure) {
        let list = try context.models.list()
        guard !Self.isNamed(name, list) else { return }
        let offered: [String]
        // A server that does not answer now may have the model.
        do throws(Failure) { offered = try await context.models.offered() } catch { return }
        guard !offered.isEmpty, offered.count <= Limits.listedModels, !offered.contains(name) else { return }
        let near = ModelPicker.near(name, in: offered)
        let have = near.isEmpty ? "It has \(NameList.words(offered))." : "It has \(NameList.words(near))."
        throw Failure(
            .unknownModel, "The server has no model \"\(name.prefix(80))\".",
            remedy: "\(have) \(Voice.call("model")) lists them.")
    }

    private static func isNamed(_ name: String, _ list: ModelList) -> Bool {
        name == ModelConnection.builtIn || list.connections.contains { $0.name == name }
            || list.profiles.contains { name.hasPrefix($0.name + "/") }
    }

    /// Asks for the model to use.
    ///
    /// - Returns: its name, or nil if the person changes nothing.
    private func chosen(in context: CommandContext, _ output: Output) async throws(Failure) -> String? {
        let list = try context.models.list()
        var notes: [StyledText] = []
        var offered: [String] = []
        do throws(Failure) { offered = try await context.models.offered() } catch {
            notes = FailureLine.lines(error, columns: output.columns)
        }
        let asking = QuestionDialogue(context: context, screen: output.screen)
        let names = list.connections.map(\.name) + [ModelConnection.builtIn]
        var shown = offered
        while true {
            let lines = ModelsView.choices(list, models: shown, of: offered.count, columns: output.columns) + notes
            let typed = await asking.pick(lines, hint: "number, name or PROFILE/MODEL")
            guard let typed, !typed.isEmpty else { return nil }
            notes = []
            let models = Array(shown.prefix(Limits.shownModels))
            if let number = Int(typed) {
                if (names + models).indices.contains(number - 1) { return (names + models)[number - 1] }
                notes = [StyledText("   Numbers go from 1 to \(names.count + models.count).", .warning)]
                continue
            }
            if offered.contains(typed) || Self.isNamed(typed, list) { return typed }
            let near = ModelPicker.near(typed, in: offered)
            if near.isEmpty { notes = [ModelPicker.none(typed)] } else { shown = near }
        }
    }
}

/// The option `--model` of commands that talk with a model.
package struct ModelOption: ParsableArguments, Sendable {
    @Option(
        help:
            "Which model is asked: a connection, PROFILE/MODEL, or a model of the server that is used. 'assent model list' names them."
    )
    var model: String?

    package init() {}

    func take(in context: CommandContext) throws(Failure) {
        if let model { _ = try context.models.use(model, .option) }
    }
}
