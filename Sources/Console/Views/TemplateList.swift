package import Terminal

/// The templates that can be run by name.
package enum TemplateList {
    package static func lines(_ templates: [(name: String, title: String, path: String)], columns: Int) -> [StyledText] {
        guard !templates.isEmpty else { return Layout.wrapped(StyledText("No templates.", .dim), columns: columns, indent: 2) }
        let rows = templates.map { [StyledText($0.name, .bold), StyledText($0.title), StyledText($0.path, .dim)] }
        return Layout.table(rows, columns: columns)
            + Layout.wrapped(StyledText("/run NAME starts one, /check NAME only looks at it.", .dim), columns: columns, indent: 2)
    }
}
