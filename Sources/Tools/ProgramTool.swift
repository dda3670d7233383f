import Files
import Glibc
import JSON
import Pictures
import Sandbox
import Vocabulary

/// A tool whose manifest has `run.program`. It fills in the words of the commands, runs them, and collects the files.
struct ProgramTool {
    let action: ToolManifest.ProgramAction
    let assignment: Assignment
    /// The stem and the suffix of the first input's name, such as `cat` and `jpg`. A picture's suffix is that of its
    /// content.
    private let stem: (stem: String, ext: String)

    init(_ action: ToolManifest.ProgramAction, _ assignment: Assignment, store: AssetStore) {
        self.action = action
        self.assignment = assignment
        guard let asset = assignment.inputs.lazy.compactMap(\.asset).first else {
            stem = (assignment.manifest.kind.lowercased(), "bin")
            return
        }
        let isPicture = asset.type == .image || asset.type == .mask
        let name =
            isPicture
            ? ImageFormat.saved(from: ImageHeader.read(store.path(asset.hash))?.format).name(for: asset.name)
            : asset.name
        let (stem, suffix) = stemAndSuffix(name)
        self.stem = (stem, suffix.isEmpty ? "bin" : String(suffix.dropFirst()))
    }

    func run(_ bench: inout Workbench) throws(Failure) -> [Asset] {
        var leftOut: [LeftOut] = []
        let values = try place(on: &bench, &leftOut)
        let commands = action.commands.filter { command in
            command.when.map { assignment.params[$0].map { !$0.isNull } ?? false } ?? true
        }
        for (index, command) in commands.enumerated() {
            let words = try words(of: command, values)
            let isLast = index == commands.count - 1
            let variables = try action.environment.sorted { $0.key < $1.key }.map { name, value throws(Failure) in
                "\(name)=\(try fill(value, values))"
            }
            try bench.run(words) { command in
                if isLast, !assignment.leavesNothing || action.stdout != nil {
                    command.output = .files(keepsErrors: false)
                }
                if isLast, action.stdout != nil { command.logBytes = Limits.standardOutputBytes }
                command.variables = variables
                command.timeoutSeconds = action.timeoutSeconds
                command.memoryBytes = action.memoryBytesLimit
                if assignment.manifest.effects.contains(.sends) { command.network = .shared }
            }
        }
        return try collect(bench).map { $0.type == .image ? $0.leavingOut(leftOut) : $0 }
    }

    /// Returns the files of the last command as assets, even if an earlier engine started the command.
    func collect(_ bench: Workbench) throws(Failure) -> [Asset] {
        var assets: [Asset] = []
        for port in assignment.outputs {
            guard let template = action.files[port.name] else { continue }
            let file = file(for: port.name)
            if port.name == action.stdout { try bench.takeStandardOutput(as: file) }
            if port.isOptional, bench.size(of: file) == nil { continue }
            assets += try bench.collect(port.name, from: file, name: name(template))
        }
        return assets
    }

    /// Returns the name of an asset. Its file in the work folder has a name that Assent chooses.
    private func name(_ template: String) -> String {
        safeName(template.replacing("{stem}", with: stem.stem).replacing("{ext}", with: stem.ext))
    }

    private func file(for port: String) -> String {
        let suffix = action.files[port].map { stemAndSuffix($0.replacing("{ext}", with: stem.ext)).suffix } ?? ""
        return "out-" + plain(port) + (suffix.isEmpty ? "" : "." + plain(String(suffix.dropFirst())))
    }

    /// Places the inputs, and returns the values of all placeholders.
    ///
    /// - Parameter leftOut: gets the frames and pages that the commands leave out.
    private func place(on bench: inout Workbench, _ leftOut: inout [LeftOut]) throws(Failure) -> [String: String] {
        var values: [String: String] = [:]
        for (index, input) in assignment.inputs.enumerated() {
            guard let asset = input.asset else { continue }
            guard asset.type == .image || asset.type == .mask else {
                let placed = try bench.place(asset, as: "in-\(index + 1)" + plainSuffix(asset.name))
                (values[input.port], values["all.\(input.port)"]) = (placed, placed)
                continue
            }
            let picture = try bench.picture(asset, index + 1)
            let keepsPages =
                PageRule.holds(stem.ext) && action.commands.contains { $0.words.contains("{all.\(input.port)}") }
            let file = try bench.file(of: picture, index + 1)
            values[input.port] = file
            values["all.\(input.port)"] = keepsPages && picture.allPages != nil ? file + "[n=-1]" : file
            if !keepsPages || picture.allPages == nil { leftOut += picture.leftOut }
        }
        for port in assignment.outputs {
            let file = file(for: port.name)
            values["out.\(port.name)"] = file
            values["vips.\(port.name)"] =
                ImageFormat(suffix: stemAndSuffix(file).suffix).map { file + $0.saveOptions() } ?? file
        }
        for param in assignment.manifest.params {
            guard let value = assignment.params[param.name], !value.isNull else { continue }
            values[param.name] = value.string ?? value.text
            guard param.kind == .path, let path = value.string else { continue }
            let real = try Paths(workspace: assignment.workspace).existing(path)
            try bench.allowReading(real)
            values[param.name] = real
        }
        (values["stem"], values["ext"]) = stem
        return values
    }

    private func words(of command: ToolManifest.Command, _ values: [String: String]) throws(Failure) -> [String] {
        var isAfterDashes = false
        var words: [String] = []
        for word in command.words {
            if let port = listPort(word) {
                words += assignment.inputs.filter { $0.port == port || $0.port.hasPrefix(port + ".") }.compactMap {
                    values[$0.port]
                }
                continue
            }
            let filled = try fill(word, values)
            // A value of a user or a model must not become an option of the program.
            let isFilledFirst = word.hasPrefix("{") && !word.hasPrefix("{{")
            let isNumeral = Double(filled) != nil
            if isFilledFirst, filled.hasPrefix("-"), !isAfterDashes, !isNumeral {
                throw Failure(
                    .badParam,
                    "A value of \(assignment.manifest.title) begins with \"-\" and would be taken for an option.")
            }
            isAfterDashes = isAfterDashes || word == "--"
            words.append(filled)
        }
        return words
    }

    /// Returns the name of the list port for which a word stands with all its files, or `nil` for other words.
    private func listPort(_ word: String) -> String? {
        guard word.hasPrefix("{"), word.hasSuffix("}") else { return nil }
        return assignment.manifest.inputs.first { $0.isVariadic && "{\($0.name)}" == word }?.name
    }

    /// Returns the words of a command that works on the workspace. Its parameters are the only values.
    static func words(inWorkspace assignment: Assignment, _ action: ToolManifest.ProgramAction) throws(Failure)
        -> [String]
    {
        guard let command = action.commands.first else { throw Failure(.badCommand, "The tool has no command.") }
        var values: [String: String] = [:]
        for param in assignment.manifest.params {
            if let value = assignment.params[param.name], !value.isNull {
                values[param.name] = value.string ?? value.text
            }
        }
        return try ProgramTool(action, assignment).words(of: command, values)
    }

    private init(_ action: ToolManifest.ProgramAction, _ assignment: Assignment) {
        (self.action, self.assignment) = (action, assignment)
        stem = (assignment.manifest.kind.lowercased(), "txt")
    }

    /// Fills in a word: `{name}`, `{name?}` (empty if there is no value), and `{{` and `}}` for the braces themselves.
    /// Inserted values are not read again.
    ///
    /// - Throws: `badParam` if a required value is missing.
    private func fill(_ word: String, _ values: [String: String]) throws(Failure) -> String {
        var filled = ""
        var rest = word[...]
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            filled += rest[..<brace]
            let after = rest.index(after: brace)
            if after < rest.endIndex, rest[after] == rest[brace] {
                filled.append(rest[brace])
                rest = rest[rest.index(after: after)...]
                continue
            }
            guard rest[brace] == "{", let end = rest[after...].firstIndex(of: "}") else {
                filled.append(rest[brace])
                rest = rest[after...]
                continue
            }
            var name = String(rest[after..<end])
            let isOptional = name.hasSuffix("?")
            if isOptional { name.removeLast() }
            guard let value = values[name] ?? (isOptional ? "" : nil) else {
                throw Failure(.badParam, "\(assignment.manifest.title) needs \"\(name)\".")
            }
            filled += value
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}
