import Terminal
import Vocabulary

/// A picker for one of the models that a server lists, by number, by name or by a part of the name.
struct ModelPicker {
    let asking: QuestionDialogue
    /// The names that the server lists. The list may be empty.
    let listed: [String]
    /// The name that Enter alone chooses, or an empty text.
    let known: String

    /// Asks for a model.
    ///
    /// - Returns: its name, or nil if the person leaves. A name that is not listed is accepted only if the list is
    ///   incomplete.
    func pick() async -> String? {
        var (shown, lines) = (listed, [StyledText]())
        while true {
            let hint = known.isEmpty ? "number or name" : "number or name; Enter: \(known)"
            let typed = await asking.pick(
                lines + rows(shown), hint: hint, takesEmpty: !known.isEmpty || shown != listed)
            guard let typed else { return nil }
            lines = []
            if typed.isEmpty {
                if shown == listed { return known }
                shown = listed
            } else if let number = Int(typed), shown.indices.contains(number - 1), number <= Limits.shownModels {
                return shown[number - 1]
            } else if listed.contains(typed) || listed.isEmpty {
                return typed
            } else {
                let near = Self.near(typed, in: listed)
                if near.isEmpty, listed.count > Limits.listedModels { return typed }
                if near.isEmpty { lines = [Self.none(typed)] } else { shown = near }
            }
        }
    }

    /// Returns the names that contain a text.
    static func near(_ typed: String, in names: [String]) -> [String] {
        names.filter { $0.lowercased().contains(typed.lowercased()) }
    }

    static func none(_ typed: String) -> StyledText {
        StyledText("   \"\(VisibleText.cut(typed, to: 40))\" is none of them.", .warning)
    }

    private func rows(_ shown: [String]) -> [StyledText] {
        let rows = shown.prefix(Limits.shownModels).enumerated().map {
            [StyledText("\($0.offset + 1)", .accent), StyledText(VisibleText.line($0.element))]
        }
        let head = StyledText(" ? ", [.question, .bold]) + StyledText("which model", .bold)
        var lines = [head] + Layout.table(rows, columns: asking.screen.columns, indent: 3)
        if listed.isEmpty { lines.append(StyledText("   the server names no models: type the name of one", .dim)) }
        if shown.count > Limits.listedModels {
            lines.append(StyledText("   and more, of more than \(Limits.listedModels): type a part of the name", .dim))
        } else if shown.count > rows.count {
            lines.append(StyledText("   and \(shown.count - rows.count) more: type a part of the name", .dim))
        }
        return lines
    }
}
