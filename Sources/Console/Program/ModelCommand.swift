package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct ModelCommand: Verb {
    package static let configuration = CommandConfiguration(
        commandName: "model",
        abstract: "Show the models that are connected, or choose one.",
        discussion: """
            A name makes a connection of connections.yaml the default. In the chat it holds for that session from the next request on,
            and may also be PROFILE/MODEL, or a model of the server that is used; alone, '/model' lets you choose. 'built-in' is the
            planner, which needs no model. Examples:

              assent model list
              assent model test
              assent model forget
              assent model work
              /model openai/gpt-5
            """)

    @Argument(help: "list, test, forget, or the name of a connection.")
    var word: String?

    @Argument(help: "With test: the connection, if it is not the one that is used. With forget: the model, if not all.")
    var name: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

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

    /// A test sends, and may cost; what was learned is kept for the person.
    var isChange: Bool {
        switch action {
        case .choose, .list: false
        case .test, .forget, .use: true
        }
    }

    package func validate() throws {
        if name != nil, word != "test", word != "forget" { throw ValidationError("Only one name is taken here.") }
    }

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        switch action {
        case .list: try show(in: house, output)
        case .test(let name):
            let (words, trial) = try await house.models.test(name)
            output.show(ModelsView.trial(trial, of: words, columns: output.columns), json: [ModelsView.json(trial, of: words)])
            return trial.callsTools ? .succeeded : .failed
        case .forget(let model):
            let count = try house.setup.forget(model)
            output.show(
                [
                    StyledText(
                        count == 0 ? "Nothing was learned from refusals." : "Forgotten: \(count). What is refused is learned again.", .dim)
                ],
                json: [["forgotten": .int(count)]])
        case .choose:
            guard output.isChat, output.screen.capabilities.isTerminal, !house.isOwnChild else {
                try show(in: house, output)
                break
            }
            guard let name = try await chosen(in: house, output) else { break }
            try use(name, in: house, output)
        case .use(let name) where output.isChat: try use(name, in: house, output)
        case .use(let name):
            try house.models.keep(name)
            try show(in: house, output)
        }
        return .succeeded
    }

    private func show(in house: House, _ output: Output) throws(Failure) {
        let list = try house.models.list()
        output.show(ModelsView.lines(list, columns: output.columns), json: ModelsView.json(list))
    }

    private func use(_ name: String, in house: House, _ output: Output) throws(Failure) {
        let use = try house.models.use(name, .session)
        output.show(ModelsView.used(use, columns: output.columns), json: [ModelsView.json(use)])
    }

    /// - Returns: `nil` if the person leaves it as it is.
    private func chosen(in house: House, _ output: Output) async throws(Failure) -> String? {
        let list = try house.models.list()
        let names = list.connections.map(\.name) + [ModelConnection.builtIn]
        var lines = ModelsView.choices(list, columns: output.columns)
        while true {
            let hint = StyledText("   a number, or PROFILE/MODEL; Enter alone leaves it ", .question)
            guard case .word(let typed) = await output.screen.ask(KeyQuestion(lines + [hint], .text)), !typed.trimmed.isEmpty else {
                return nil
            }
            output.screen.show(StyledText("   › ", .dim) + StyledText(typed))
            guard let number = Int(typed.trimmed) else { return typed.trimmed }
            if names.indices.contains(number - 1) { return names[number - 1] }
            lines = [StyledText("   There are \(names.count).", .warning)]
        }
    }
}

/// `--model` of what talks with a model.
package struct ModelOption: ParsableArguments, Sendable {
    @Option(
        help: "Which model is asked: a connection, PROFILE/MODEL, or a model of the server that is used. 'assent model list' names them.")
    var model: String?

    package init() {}

    func take(in house: House) throws(Failure) {
        if let model { _ = try house.models.use(model, .option) }
    }
}
