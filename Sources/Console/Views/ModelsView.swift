import Actions
import JSON
import Terminal
import Vocabulary

/// The views of connected models, and of servers that can be connected.
enum ModelsView {
    static func lines(_ list: ModelList, columns: Int) -> [StyledText] {
        let rows = list.connections.map { row($0, number: nil) }
        var lines = Layout.ledger(rows, columns: columns, below: 6, gap: Layout.gap).flatMap(\.self)
        if list.connections.isEmpty {
            let words = "No connection yet: they are written into \(list.file), such as"
            lines += Layout.wrapped(StyledText(words, .dim), columns: columns)
            lines.append(StyledText("  connections: {work: {profile: openai, model: gpt-5}}", .dim))
        }
        lines += Layout.wrapped(now(list), columns: columns, hanging: 2)
        for fault in faults(list) {
            lines += Layout.wrapped(StyledText("✗ \(fault)", .failure), columns: columns, hanging: 2)
        }
        lines += Layout.wrapped(StyledText("profiles, for PROFILE/MODEL and connections:", .dim), columns: columns)
        return lines
            + Layout.ledger(list.profiles.map(row), columns: columns, below: 6, gap: Layout.gap).flatMap(\.self)
    }

    /// Draws the result of a tiny request to a model.
    static func trial(_ trial: ModelTrial, of model: String, columns: Int) -> [StyledText] {
        let tenths = (trial.milliseconds + 50) / 100
        var lines = Layout.wrapped(
            StyledText("✓ ", .success)
                + StyledText("\(VisibleText.line(model)) answers (\(tenths / 10).\(tenths % 10) s)"),
            columns: columns)
        lines += Layout.wrapped(
            trial.callsTools
                ? StyledText("✓ ", .success) + StyledText("it calls tools")
                : StyledText("✗ it called no tool: it can talk, but plan nothing", .warning), columns: columns)
        for notice in trial.notices {
            lines += Layout.wrapped(StyledText(VisibleText.line(notice), .dim), columns: columns, indent: 2)
        }
        return lines
    }

    static func json(_ trial: ModelTrial, of model: String) -> JSON {
        [
            "model": .string(model), "tools": .bool(trial.callsTools), "milliseconds": .int(trial.milliseconds),
            "notices": .array(trial.notices.map { .string($0) }),
        ]
    }

    /// Returns the numbered choices: connections, the planner, and the models of the server in use.
    ///
    /// - Parameter count: the number of models that the server lists.
    static func choices(_ list: ModelList, models: [String] = [], of count: Int = 0, columns: Int) -> [StyledText] {
        let head = StyledText(" ? ", [.question, .bold]) + StyledText("which model is asked from now on", .bold)
        let rows = list.connections.enumerated().map { row($0.element, number: $0.offset + 1) }
        let planner = [
            StyledText("\(list.connections.count + 1)", .accent), StyledText(ModelConnection.builtIn),
            StyledText("the planner"),
            StyledText(),
            StyledText(),
        ]
        let first = list.connections.count + 2
        let shown = models.prefix(Limits.shownModels)
        let others = shown.enumerated().map {
            [StyledText("\(first + $0.offset)", .accent), StyledText(VisibleText.line($0.element))]
        }
        var lines =
            [head] + Layout.ledger(rows + [planner], columns: columns, below: 6, gap: Layout.gap).flatMap(\.self)
        if !others.isEmpty {
            lines += Layout.wrapped(StyledText("models of the server that is used:", .dim), columns: columns, indent: 2)
            lines += Layout.table(others, columns: columns)
        }
        if shown.count < count {
            lines += Layout.wrapped(
                StyledText("\(shown.count) of \(count): type a part of the name", .dim), columns: columns, indent: 2)
        }
        return lines + Layout.wrapped(now(list), columns: columns, indent: 3)
    }

    static func used(_ use: ModelList.Use?, columns: Int) -> [StyledText] {
        let words = use?.words ?? "the built-in planner"
        return Layout.wrapped(
            StyledText("From the next request on: ", .dim) + StyledText(words), columns: columns, hanging: 2)
    }

    /// Returns the problems of a list, each once. The failure of a model often repeats a problem of a file.
    private static func faults(_ list: ModelList) -> [String] {
        let problems = list.problems.map(\.description)
        let failure = list.failure.map(\.description).flatMap { words in
            problems.contains(where: words.contains) ? nil : words
        }
        return [failure].compactMap(\.self) + problems
    }

    private static func now(_ list: ModelList) -> StyledText {
        let none = StyledText(list.failure == nil ? "the built-in planner" : "none")
        let words = list.use.map { StyledText($0.words) + StyledText(" · \($0.reason)", .dim) } ?? none
        return StyledText("now: ", .dim) + words
    }

    private static func row(_ connection: ModelList.Connection, number: Int?) -> [StyledText] {
        let mark = number.map { StyledText("\($0)", .accent) } ?? StyledText(connection.isUsed ? "▸" : " ", .accent)
        let name = StyledText(connection.name, connection.isUsed ? [.accent, .bold] : [])
        let notes = [
            connection.isDefault ? "default" : nil, connection.keyName.map { "key \($0)" },
            connection.fallback.map { "else \($0)" },
        ]
        return [
            mark, name, StyledText(connection.model), StyledText(connection.place, .dim),
            StyledText(notes.compactMap(\.self).joined(separator: " · "), .dim),
        ]
    }

    private static func row(_ profile: ModelList.Profile) -> [StyledText] {
        [
            StyledText(profile.name, .accent), StyledText(profile.title), StyledText(profile.keyName ?? "", .dim),
            StyledText(profile.url ?? "an address of your own", .dim),
        ]
    }

    // MARK: For programs

    static func json(_ list: ModelList) -> [JSON] {
        let connections = list.connections.map { one in
            JSON.of([
                "connection": .string(one.name), "profile": one.profile.map { .string($0) },
                "model": .string(one.model),
                "host": .string(one.place), "key": one.keyName.map { .string($0) },
                "fallback": one.fallback.map { .string($0) },
                "used": .bool(one.isUsed), "default": .bool(one.isDefault),
            ])
        }
        let profiles = list.profiles.map { one in
            JSON.of([
                "profile": .string(one.name), "title": .string(one.title), "url": one.url.map { .string($0) },
                "key": one.keyName.map { .string($0) },
            ])
        }
        return connections + [json(list.use)] + faults(list).map { ["fault": .string($0)] } + profiles
    }

    /// Returns the model in use as JSON. `null` is the built-in planner.
    static func json(_ use: ModelList.Use?) -> JSON {
        guard let use else { return ["now": .null] }
        return ["now": .string(use.words), "reason": .string(use.reason)]
    }
}
