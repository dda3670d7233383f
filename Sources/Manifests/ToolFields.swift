import JSON
import Vocabulary

/// Readers for parameters, and for the way in which a tool is run.
extension Fields {
    mutating func param(_ member: YAML.Member) -> ToolManifest.Param? {
        guard var fields = Fields(member.value, file: file, subject: "\(subject), parameter \"\(member.key)\"") else {
            report(.badField, line: member.line, "The parameter \"\(member.key)\" must be an object of fields.")
            return nil
        }
        defer { add(fields.problems) }
        let kind = fields.choice("type", ToolManifest.Param.Kind.self)
        if kind == nil, fields.problems.isEmpty { fields.report(.missingField, "\"type\" is missing.") }
        var param = ToolManifest.Param(name: member.key, kind: kind ?? .text)
        param.isRequired = fields.flag("required") ?? false
        param.defaultValue = fields.take("default")?.json
        param.plannedValue = fields.take("planned")?.json
        param.minimum = fields.number("min")
        param.maximum = fields.number("max")
        param.choices = fields.texts("choices") ?? []
        param.unit = fields.text("unit")
        param.summary = fields.text("summary") ?? ""
        param.isSecret = fields.flag("secret") ?? false
        param.isLiteral = fields.flag("literal") ?? false
        fields.refuseTheRest()
        fields.check(param)
        return param
    }

    private mutating func check(_ param: ToolManifest.Param) {
        if param.kind == .choice, param.choices.isEmpty { report(.missingField, "A choice needs \"choices\".") }
        if let least = param.minimum, let most = param.maximum, least > most {
            report(.badField, at: "min", "\"min\" is above \"max\".")
        }
        for (key, value) in [("default", param.defaultValue), ("planned", param.plannedValue)] {
            guard let value, !Self.fits(value, param) else { continue }
            report(.badField, at: key, "The \(key) value does not fit the parameter's own type and bounds.")
        }
    }

    private static func fits(_ value: JSON, _ param: ToolManifest.Param) -> Bool {
        let number = value.number ?? 0
        guard number >= param.minimum ?? number, number <= param.maximum ?? number else { return false }
        return switch param.kind {
        case .text, .path, .url: value.string != nil
        case .integer: value.int != nil
        case .number: value.number != nil
        case .flag: value.bool != nil
        case .choice: value.string.map(param.choices.contains) ?? false
        case .list: value.array != nil
        case .json: true
        }
    }

    private static var longestSeconds: Double { 86_400 }

    mutating func action() -> ToolManifest.Action? {
        guard let yaml = take("run") else {
            report(.missingField, "\"run\" is missing.")
            return nil
        }
        guard var fields = Fields(yaml, file: file, subject: "\(subject), run") else {
            report(.badField, line: yaml.line, "\"run\" must be {builtin: …}, {program: …}, {job: …} or {person: …}.")
            return nil
        }
        defer { add(fields.problems) }
        if fields.take("job") != nil || fields.take("person") != nil {
            let (job, person) = (fields.jobAction(), fields.personAction())
            fields.refuseTheRest()
            return job.map { .job($0) } ?? person.map { .person($0) }
        }
        let builtin = fields.text("builtin")
        let commands = fields.list("program").compactMap { fields.command($0) }
        var action = ToolManifest.ProgramAction(
            commands: commands, files: fields.files(),
            timeoutSeconds: fields.number("timeoutSeconds") ?? Limits.programSeconds,
            memoryBytesLimit: fields.memoryBytes())
        action.stdout = fields.text("stdout")
        action.environment = fields.environment()
        if let place = fields.text("in") {
            action.isInWorkspace = place == "workspace"
            if !action.isInWorkspace { fields.report(.badField, at: "in", "\"in\" can only be workspace.") }
        }
        fields.refuseTheRest()
        if builtin != nil, !commands.isEmpty || !action.files.isEmpty {
            fields.report(.badField, at: "builtin", "Either \"builtin\" or \"program\", not both.")
        }
        if !(action.timeoutSeconds > 0 && action.timeoutSeconds <= Self.longestSeconds) {
            fields.report(
                .badField, at: "timeoutSeconds",
                "\"timeoutSeconds\" must be above 0 and at most \(Int(Self.longestSeconds)).")
        }
        if let builtin { return .builtin(builtin) }
        if commands.isEmpty, fields.problems.isEmpty {
            fields.report(.missingField, "\"builtin\" or \"program\" is missing.")
        }
        return .program(action)
    }

    private mutating func environment() -> [String: String] {
        var variables: [String: String] = [:]
        for member in mapping("env") {
            guard let value = member.value.json.string, !member.key.isEmpty,
                member.key.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x5F })
            else {
                report(.badField, line: member.line, "\"env\" has names of capitals and _, each with a text.")
                continue
            }
            variables[member.key] = value
        }
        return variables
    }

    private mutating func memoryBytes() -> Int {
        guard let megabytes: Double = number("memoryMB") else { return Limits.programMemoryBytes }
        guard megabytes >= 1, megabytes <= 1_048_576 else {
            report(.badField, at: "memoryMB", "\"memoryMB\" must be from 1 to 1048576.")
            return Limits.programMemoryBytes
        }
        return Int(megabytes * 1_048_576)
    }

    /// Reads a command, written as `[vips, rotate, "{image}"]`, or as `{when: param, words: […]}`.
    private mutating func command(_ yaml: YAML) -> ToolManifest.Command? {
        if case .list = yaml.value { return words(of: yaml).map { ToolManifest.Command(words: $0) } }
        guard var fields = Fields(yaml, file: file, subject: subject) else {
            report(.badField, line: yaml.line, "A command is a list of words; a shell string is never run.")
            return nil
        }
        defer { add(fields.problems) }
        let when = fields.requiredText("when")
        let words = fields.take("words").flatMap { fields.words(of: $0) }
        if words == nil { fields.report(.missingField, "\"words\" is missing.") }
        fields.refuseTheRest()
        return words.map { ToolManifest.Command(words: $0, when: when) }
    }

    private mutating func words(of yaml: YAML) -> [String]? {
        let elements = yaml.json.array ?? []
        let words = elements.compactMap { element -> String? in
            switch element {
            case .string(let word): word
            case .int(let number): String(number)
            case .double, .bool: element.text
            case .null, .array, .object: nil
            }
        }
        guard !words.isEmpty, words.count == elements.count, let program = words.first, !program.isEmpty,
            !program.contains("{")
        else {
            report(.badCommand, line: yaml.line, "A command is a list of words that begins with the program's name.")
            return nil
        }
        return words
    }

    private mutating func files() -> [String: String] {
        var files: [String: String] = [:]
        for member in mapping("files") {
            guard let name = member.value.json.string, !name.isEmpty, !name.contains("/") else {
                report(
                    .badField, line: member.line,
                    "The file of output \"\(member.key)\" must be a name without slashes.")
                continue
            }
            files[member.key] = name
        }
        return files
    }

    /// Reports every `{placeholder}` without a meaning, and every output without a file.
    mutating func checkPlaceholders(of tool: ToolManifest) {
        if case .job(let action) = tool.action, problems.isEmpty { checkPlaceholders(of: action, in: tool) }
        guard case .program(let action) = tool.action, problems.isEmpty else { return }
        let outputs = Set(tool.outputs.map(\.name))
        guard !action.isInWorkspace else { return checkCommand(action, of: tool) }
        if let port = action.stdout, !outputs.contains(port) {
            report(.unknownPort, line: line(of: "run", "stdout"), "\"stdout\" names \"\(port)\", which is no output.")
        }
        for port in outputs.subtracting(action.files.keys).sorted() {
            report(.missingField, line: line(of: "outputs", port), "Output \"\(port)\" has no file under \"run\".")
        }
        for port in Set(action.files.keys).subtracting(outputs).sorted() {
            report(
                .unknownPort, line: line(of: "run", "files", port), "\"files\" names \"\(port)\", which is no output.")
        }
        let known = Set(tool.inputs.map(\.name)).union(tool.params.map(\.name)).union(["stem", "ext"]).union(
            outputs.flatMap { ["out.\($0)", "vips.\($0)"] }
        ).union(tool.inputs.map { "all.\($0.name)" })
        let words = action.commands.flatMap(\.words) + Array(action.files.values) + Array(action.environment.values)
        for word in words {
            for name in Placeholders.names(in: word) where !known.contains(name) {
                report(
                    .unknownPlaceholder, line: line(of: "run", holding: word),
                    "\"{\(name)}\" is no input, parameter or output.")
            }
        }
        for when in action.commands.compactMap(\.when) where tool.param(when) == nil {
            report(.unknownPlaceholder, line: line(of: "run", holding: when), "\"when: \(when)\" is no parameter.")
        }
    }
}

extension Fields {
    /// Reports what a command on the workspace cannot have: inputs, files of its own, several commands.
    private mutating func checkCommand(_ action: ToolManifest.ProgramAction, of tool: ToolManifest) {
        if !tool.inputs.isEmpty || !action.files.isEmpty || action.stdout != nil || action.commands.count != 1
            || !action.environment.isEmpty
        {
            report(
                .badField, at: "run",
                "A command \"in: workspace\" is one command without inputs, files, stdout and env; it prints its output text."
            )
        }
        if tool.touches != .workspace || !tool.effects.contains(.executes) {
            report(.badField, at: "run", "A command \"in: workspace\" has effects: [executes] and changes: workspace.")
        }
        for word in action.commands.flatMap(\.words) {
            for name in Placeholders.names(in: word) where tool.param(name) == nil {
                report(
                    .unknownPlaceholder, line: line(of: "run", holding: word), "\"{\(name)}\" is no parameter.")
            }
        }
    }
}

/// The placeholders `{name}` and `{name?}` in a word of a command. `{{` and `}}` stand for literal braces.
enum Placeholders {
    static func names(in word: String) -> [String] {
        var names: [String] = []
        var rest = Substring(word).utf8
        while let brace = rest.popFirst() {
            if brace == UInt8(ascii: "}"), rest.first == brace { rest.removeFirst() }
            guard brace == UInt8(ascii: "{") else { continue }
            if rest.first == brace {
                rest.removeFirst()
                continue
            }
            let name = Substring(rest.prefix { $0 != UInt8(ascii: "}") })
            rest.removeFirst(min(rest.count, name.utf8.count + 1))
            names.append(String(name.hasSuffix("?") ? name.dropLast() : name))
        }
        return names
    }
}
