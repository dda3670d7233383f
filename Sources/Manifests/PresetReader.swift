package import JSON
package import Vocabulary

extension Limits {
    /// The most presets of one tool.
    package static let presetsOfKind = 100
}

/// Reads a `presets.yaml`: the values by parameter, by name, by kind of tool.
///
/// ```yaml
/// Resize:
///   web: {width: 800, height: 600}
/// ```
///
/// A single problem makes the whole file unusable, so that a preset never has other values than those that are written.
///
/// - Parameter file: the name of the file in problems (`presets.yaml:3`).
package func readPresets(_ text: String, file: String) -> (presets: [Preset], problems: [Problem]) {
    let read: YAML?
    do throws(Problem) { read = try readConfigDocument(text, file: file) } catch { return ([], [error]) }
    guard let document = read else { return ([], []) }
    var reader = PresetReader(file: file)
    reader.read(document)
    return (reader.problems.isEmpty ? reader.presets : [], reader.problems)
}

/// Changes of one preset in a `presets.yaml`, which leave every other line as it is.
package enum PresetWriter {
    /// Returns the text with other values of a preset, or without it. The result must be read before it is stored.
    ///
    /// - Parameter params: the values, or `nil` to remove the preset.
    package static func text(_ text: String, with params: JSON.Object?, of kind: String, _ name: String) -> String {
        SettingsWriter.setting([kind, name], to: params.map { SettingsWriter.flow(.object($0)) }, in: text)
    }
}

private struct PresetReader {
    let file: String
    var presets: [Preset] = []
    var problems: [Problem] = []

    mutating func read(_ document: YAML) {
        for (kind, presets) in members(of: document, "The presets must be kinds of tools with names below them") {
            guard Preset.isKind(kind.key) else {
                report(kind.line, "The kind of a tool has letters and digits, such as Resize.")
                continue
            }
            let such = "\(kind.key) must have names of presets below it, such as \"web: {width: 800}\""
            let named = presets.isNull ? [] : members(of: presets, such)
            if named.count > Limits.presetsOfKind {
                report(kind.line, "\(kind.key) has more than \(Limits.presetsOfKind) presets.")
            }
            for (name, values) in named { read(values, kind.key, name) }
        }
    }

    private mutating func read(_ yaml: YAML, _ kind: String, _ name: YAML.Member) {
        guard Preset.isName(name.key) else {
            return report(name.line, "\(kind): a name of a preset has \(Preset.nameInWords).")
        }
        let values = members(of: yaml, "\(kind), \(name.key): a preset is parameters with values, such as {width: 800}")
        for (param, value) in values where value.isNull {
            report(param.line, "\(kind), \(name.key): a parameter has no value. Remove it, or write one.")
        }
        if values.isEmpty, problems.isEmpty { report(name.line, "\(kind), \(name.key): the preset has no values.") }
        guard let params = yaml.json.object else { return }
        presets.append(Preset(kind: kind, name: name.key, params: params))
    }

    private mutating func members(of yaml: YAML, _ words: String) -> [(YAML.Member, YAML)] {
        if case .mapping(let members) = yaml.value { return members.map { ($0, $0.value) } }
        report(yaml.line, "\(words), not \(yaml.json.kindInWords).")
        return []
    }

    private mutating func report(_ line: Int, _ words: String) {
        problems.append(Problem(.badField, at: "\(file):\(line)", words))
    }
}
