import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct PresetsCommand: Verb {
    package static let description = CommandDescription(
        "presets", in: .workflow,
        summary: "Keep the parameters of a step under a name, for later runs.",
        details: """
            A preset holds the values of one step, for all steps of its kind. 'run --preset NAME' and \
            'rerun --preset NAME' use it, and --set counts more. Secret values and keys are never stored. Some tools \
            have presets of their own.
            """,
        examples: ["presets", "presets Resize", "presets save web w1.2", "presets delete web"],
        takes: [[.choice(["save", "delete"]), .tool], [.preset], [.result, .tool]])

    @Argument(help: "A kind of tool, or: save NAME w1.2, or: delete NAME [KIND].")
    var words: [String] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { ["save", "delete"].contains(words.first) ? .decides : .looks }

    package func validate() throws {
        switch words.first {
        case "save" where words.count != 3: throw ValidationError("Write: presets save NAME w1.2")
        case "delete" where !(2...3).contains(words.count): throw ValidationError("Write: presets delete NAME")
        case "save", "delete": break
        default:
            guard words.count < 2 else { throw ValidationError("Write: presets KIND, presets save, or presets delete") }
        }
    }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        switch words.first {
        case "save": try save(words[1], of: words[2], in: context, output)
        case "delete":
            let gone = try context.presets.delete(words[1], of: words.count > 2 ? words[2] : nil)
            let row = StyledText("Deleted: \(gone.name) of \(gone.kind)  ") + Self.values(gone, in: context)
            output.show(Layout.wrapped(row, columns: output.columns), json: [Self.json(gone, ["deleted": true])])
        default:
            let all = try context.presets.list(of: words.first)
            output.show(lines(all, in: context, output.columns), json: all.map { Self.json($0) })
        }
        return .succeeded
    }

    private func save(_ name: String, of word: String, in context: CommandContext, _ output: Output) throws(Failure) {
        guard let place = WorkflowWord(argument: word), let step = place.step else {
            throw Failure(
                .badUsage, "\"\(VisibleText.cut(word, to: 40))\" names no step.",
                remedy: "Write the workflow and the step, such as w1.2.")
        }
        let saved = try context.presets.save(name, of: try Find.step(step, of: place.workflow, in: context))
        let preset = saved.preset
        var row = StyledText("Saved: \(name) of \(preset.kind)  ") + Self.values(preset, in: context)
        if let before = saved.before, before != preset.params {
            row.append("  in place of  ", .dim)
            row += Values.digest(before, of: nil)
        }
        var lines = Layout.wrapped(row, columns: output.columns, hanging: 2)
        if !saved.secret.isEmpty {
            let names = NameList.words(saved.secret)
            let words = "Not stored, since \(saved.secret.count == 1 ? "it is" : "they are") secret: \(names)"
            lines += Layout.wrapped(StyledText(words, .warning), columns: output.columns)
        }
        output.show(
            lines, json: [Self.json(preset, ["saved": true, "secret": .array(saved.secret.map { .string($0) })])])
    }

    private func lines(_ all: [Preset], in context: CommandContext, _ columns: Int) -> [StyledText] {
        let rows = all.map { preset in
            [
                StyledText(preset.name, .bold), StyledText(preset.kind, .dim), Self.values(preset, in: context),
                StyledText(preset.isShipped ? "of the tool" : "", .dim),
            ]
        }
        let hint =
            (all.isEmpty ? "No presets. " : "")
            + "\(Voice.call("presets save NAME w1.2")) keeps the values of a step."
        return Layout.ledger(rows, columns: columns, below: 6, gap: 2).flatMap(\.self)
            + Layout.wrapped(StyledText(hint, .dim), columns: columns, indent: 2)
    }

    private static func values(_ preset: Preset, in context: CommandContext) -> StyledText {
        var tool = context.catalogue()[preset.kind]
        // All values are shown, even if they are the usual ones.
        for index in tool?.params.indices ?? 0..<0 { tool?.params[index].plannedValue = nil }
        return Values.digest(preset.params, of: tool)
    }

    private static func json(_ preset: Preset, _ more: KeyValuePairs<String, JSON?> = [:]) -> JSON {
        let own = JSON.of([
            "kind": .string(preset.kind), "name": .string(preset.name), "params": .object(preset.params),
            "shipped": .bool(preset.isShipped),
        ])
        return .object(JSON.Object(members: (own.object?.members ?? []) + (JSON.of(more).object?.members ?? [])))
    }
}
