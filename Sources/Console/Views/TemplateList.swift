import Actions
import Terminal
import Vocabulary

/// The templates that can be run by name.
enum TemplateList {
    static func lines(_ templates: [(entry: TemplateEntry, inputs: [Template.WorkflowInput])], columns: Int)
        -> [StyledText]
    {
        guard !templates.isEmpty else {
            return Layout.wrapped(StyledText("No templates.", .dim), columns: columns, indent: 2)
        }
        // The title and the inputs are never cut, since users choose by them.
        let rows = templates.map { entry, inputs in
            [
                StyledText(entry.name, .bold),
                StyledText(entry.path.hasPrefix("embedded:") ? "shipped" : entry.path, .dim),
                StyledText(inputs.map(words).joined(separator: ", "), .accent),
                StyledText(entry.title == entry.name ? "" : entry.title),
            ]
        }
        let list =
            columns < Layout.narrowColumns
            ? Layout.stacked(rows.map { .init(title: $0[0], rest: Array($0.dropFirst())) }, columns: columns)
            : Layout.ledger(rows, columns: columns, below: 6, gap: 2).flatMap(\.self)
        return list
            + Layout.wrapped(
                StyledText("\(Voice.call("run NAME")) starts one, \(Voice.call("check NAME")) only looks at it.", .dim),
                columns: columns,
                indent: 2)
    }

    /// Returns an input as it is listed, such as `photo: image`. An optional input ends with a question mark.
    private static func words(_ input: Template.WorkflowInput) -> String {
        VisibleText.line("\(input.name): \(input.type.name)\(input.isOptional ? "?" : "")")
    }
}
