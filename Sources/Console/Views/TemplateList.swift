package import Terminal

/// The templates that can be run by name.
package enum TemplateList {
    package static func lines(_ templates: [(name: String, title: String, path: String)], columns: Int) -> [StyledText] {
        guard !templates.isEmpty else { return Layout.wrapped(StyledText("No templates.", .dim), columns: columns, indent: 2) }
        // What is told of one is never cut: that is what one chooses by.
        let rows = templates.map { template in
            [
                StyledText(template.name, .bold), StyledText(template.path.hasPrefix("embedded:") ? "shipped" : template.path, .dim),
                StyledText(template.title == template.name ? "" : template.title),
            ]
        }
        return Layout.ledger(rows, columns: columns, below: 6, gap: 2).flatMap(\.self)
            + Layout.wrapped(
                StyledText("\(Voice.call("run NAME")) starts one, \(Voice.call("check NAME")) only looks at it.", .dim), columns: columns,
                indent: 2)
    }
}
