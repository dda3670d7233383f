import JSON
import Progress
package import Terminal
package import Vocabulary

/// The list of tools, which marks those that cannot run here.
package enum ToolList {
    package static func lines(_ catalogue: Catalogue, columns: Int) -> [StyledText] {
        let rows = catalogue.sorted.map { tool in
            let reason = catalogue.unavailable[tool.kind]
            var words = StyledText(tool.summary)
            if let reason { words = ToolCard.missing(tool, reason) + " " + words }
            return [(reason == nil ? StateSign.available : .unavailable).mark, StyledText(tool.kind, .bold), words]
        }
        guard !rows.isEmpty else { return Layout.wrapped(StyledText("No tools.", .dim), columns: columns, indent: 2) }
        let hint = StyledText("\(Voice.call("tools Resize")) shows one of them.", .dim)
        let list =
            columns < Layout.narrowColumns
            ? Layout.stacked(rows.map { .init(head: [$0[0]], title: $0[1] + "  " + $0[2]) }, columns: columns)
            : Layout.table(rows, columns: columns)
        return list + Layout.wrapped(hint, columns: columns, indent: 2)
    }
}

/// The card of one tool: its inputs and outputs, its parameters with their bounds, its effects, and the programs that
/// it needs.
package enum ToolCard {
    package static func lines(_ tool: ToolManifest, unavailable: Reason? = nil, columns: Int) -> [StyledText] {
        let name =
            "  " + StyledText("\(tool.icon) ") + StyledText(tool.title, .bold) + StyledText("  \(tool.kind)", .dim)
        let state = unavailable.map { missing(tool, $0) } ?? StateSign.available.text
        return Layout.spread(name, state, columns: columns, measure: 100, hanging: 4)
            + Layout.wrapped(StyledText(tool.summary), columns: columns, indent: 4) + reason(unavailable, columns)
            + ports("in", tool.inputs, columns) + ports("out", tool.outputs, columns) + params(tool, columns)
            + facts(tool, columns)
    }

    /// Returns the state of a tool that cannot be used, such as `⊖ not installed: login-tools`.
    static func missing(_ tool: ToolManifest, _ reason: Reason) -> StyledText {
        guard reason.code == .toolNotInstalled else {
            return StateSign.unavailable.text + StyledText(" (\(reason.code))", .dim)
        }
        let packages = Array(Set(tool.needs.map(\.debianPackage))).sorted().joined(separator: ", ")
        return StateSign.notInstalled.text + StyledText(packages.isEmpty ? "" : ": \(packages)", .warning)
    }

    private static func reason(_ reason: Reason?, _ columns: Int) -> [StyledText] {
        guard let reason else { return [] }
        return Layout.wrapped(
            StyledText(reason.words, .warning) + StyledText(" (\(reason.code))", .dim), columns: columns, indent: 4)
    }

    private static func ports(_ label: String, _ ports: [Port], _ columns: Int) -> [StyledText] {
        guard !ports.isEmpty else { return [] }
        let words = ports.map {
            "\($0.name): \($0.type)" + ($0.isVariadic ? ", any number" : $0.isOptional ? ", optional" : "")
        }
        return fact(label, words.joined(separator: "; "), columns)
    }

    private static func params(_ tool: ToolManifest, _ columns: Int) -> [StyledText] {
        tool.params.flatMap { param in
            var facts: [String?] = [
                param.kind.rawValue, param.unit, range(param),
                param.choices.isEmpty ? nil : param.choices.joined(separator: " | "),
            ]
            facts += [
                param.isRequired ? "required" : nil, param.isSecret ? "secret" : nil,
                param.isLiteral ? "literal only" : nil,
            ]
            if let value = param.defaultValue, !param.isSecret { facts.append("default \(Values.text(value))") }
            let text =
                StyledText("\(param.name)=", .bold) + StyledText(facts.compactMap(\.self).joined(separator: ", "), .dim)
            return Layout.wrapped(
                text + StyledText(param.summary.isEmpty ? "" : "  \(param.summary)"), columns: columns, indent: 4,
                hanging: 8)
        }
    }

    private static func range(_ param: ToolManifest.Param) -> String? {
        func bare(_ number: Double) -> String { JSON.double(number).text }
        switch (param.minimum, param.maximum) {
        case (let low?, let high?): return "\(bare(low)) to \(bare(high))"
        case (let low?, nil): return "at least \(bare(low))"
        case (nil, let high?): return "at most \(bare(high))"
        case (nil, nil): return nil
        }
    }

    private static func facts(_ tool: ToolManifest, _ columns: Int) -> [StyledText] {
        let effects =
            tool.effects.isEmpty
            ? "none outside the asset store" : tool.effects.sorted().map(\.rawValue).joined(separator: ", ")
        let needs = tool.needs.map { "\($0.program) (\($0.debianPackage))" }.joined(separator: ", ")
        return fact("effects", effects, columns) + fact("undo", CallDetails.undo(tool.reversibility), columns)
            + fact("runs", "\(tool.queue.rawValue), \(twice(tool))", columns)
            + (needs.isEmpty ? [] : fact("needs", needs, columns))
            + (tool.drops.isEmpty ? [] : fact("drops", tool.drops.joined(separator: "; "), columns))
    }

    private static func twice(_ tool: ToolManifest) -> String {
        if tool.isIdempotent { return "may run twice" }
        let cases = tool.idempotentWith.sorted { $0.key < $1.key }.map {
            "\($0.key) \($0.value.joined(separator: " or "))"
        }
        return "never twice without asking" + (cases.isEmpty ? "" : ", but with \(cases.joined(separator: " and "))")
    }

    private static func fact(_ label: String, _ value: String, _ columns: Int) -> [StyledText] {
        Layout.wrapped(StyledText("\(label): ", .dim) + StyledText(value), columns: columns, indent: 4, hanging: 8)
    }
}
