import JSON
import Manifests
package import Vocabulary

/// The table of single settings, which can be listed, set, reset, and edited as a whole.
extension Settings {
    /// Returns all settings, with the sources of their values: first the fixed ones, then those that only the file has.
    ///
    /// - Parameter environment: returns a variable of the environment.
    /// - Throws: `badSettings`.
    package func entries(environment: (String) -> String?) throws(Failure) -> [SettingEntry] {
        let values = try values(of: try text())
        var entries = SettingRule.all.map { rule in
            let written = values.first { $0.name == rule.name }
            return SettingEntry(
                name: rule.name, value: written?.words ?? rule.usual, usual: rule.usual,
                source: written.map { .file(line: $0.line) } ?? .usual,
                summary: rule.summary, form: rule.form)
        }
        if let place = entries.firstIndex(where: { $0.name == "language" }), entries[place].source == .usual {
            let code = Languages.code(setting: nil, environment: environment)
            let variable = Languages.variables.first { environment($0) != nil }
            entries[place].value = code
            if code != Languages.usual, let variable { entries[place].source = .environment(variable) }
        }
        let known = Set(SettingRule.all.map(\.name))
        entries += values.filter { !known.contains($0.name) }.map { value in
            let rule = SettingRule.named(value.name)
            return SettingEntry(
                name: value.name, value: value.words, usual: rule?.usual ?? "", source: .file(line: value.line),
                summary: rule?.summary ?? "An older way to name a model; 'assent connect' is the newer.",
                form: rule?.form ?? "")
        }
        for place in entries.indices {
            entries[place].isReadAtStart = SettingRule.named(entries[place].name)?.isReadAtStart ?? true
        }
        return entries
    }

    /// Returns the effect that a change of one setting would have on what Assent asks. The value is read as it would be
    /// read in the file, so its spelling does not matter.
    ///
    /// - Parameters:
    ///   - name: the keys that lead to it, with full stops between them.
    ///   - typed: the value as it was typed, or nil for the default.
    /// - Throws: `badUsage` for an unknown name or an invalid value, `badSettings` if the file cannot be read.
    package func effect(of name: String, to typed: String?) throws(Failure) -> SettingEffect {
        guard let rule = SettingRule.named(name) else { throw Self.unknown(name) }
        guard let loosening = rule.loosening else { return .asksNoLess }
        let value = typed.map { SettingsWriter.written($0) }
        if let value { try check(value, for: rule) }
        let new = try written(in: SettingsWriter.setting(rule.path, to: value, in: ""))
        switch loosening {
        case .mode: return .mode(new.mode ?? .adaptive)
        case .budget:
            let (before, after) = (try budget(), new.budget ?? Limits.workflowBudget)
            return after > before ? .moreSpending(from: before, to: after) : .asksNoLess
        }
    }

    /// Changes one setting, and leaves the rest of the file as the user wrote it.
    ///
    /// - Parameters:
    ///   - name: the keys that lead to it, with full stops between them.
    ///   - typed: the value as it was typed, or nil to restore the default.
    /// - Throws: `badUsage` for an unknown name or an invalid value. `badSettings` if the file cannot be read, or if
    ///   its form allows no change of this line alone. Then nothing is stored.
    package func set(_ name: String, to typed: String?) throws(Failure) {
        guard let rule = SettingRule.named(name) else { throw Self.unknown(name) }
        let value = typed.map { SettingsWriter.written($0) }
        let line = SettingsWriter.setting(rule.path, to: value ?? "", in: "").split(separator: "\n").joined(
            separator: " / ")
        if let value { try check(value, for: rule) }
        try file.change(value == nil ? "nothing for \(name)" : line) { text throws(Failure) in
            _ = try written(in: text)
            let before = try valuesByName(of: text)
            var wanted = before
            wanted[name] = try value.flatMap { value throws(Failure) in
                try valuesByName(of: SettingsWriter.setting(rule.path, to: value, in: ""))[name]
            }
            guard wanted != before else { return nil }
            let new = SettingsWriter.setting(rule.path, to: value, in: text)
            guard (try? valuesByName(of: new)) == wanted, readSettings(new, file: path).problems.isEmpty else {
                throw Failure(
                    .badSettings,
                    "\(path) is not changed: its form allows no change of the line \"\(rule.path.last ?? name):\" alone.",
                    remedy: value == nil ? "Take it out there by hand." : "Write into it: \(line)")
            }
            return new
        }
    }

    /// Returns the text of the file, or an empty text if it is absent.
    ///
    /// - Throws: `badSettings` if it cannot be read.
    package func text() throws(Failure) -> String {
        do throws(Problem) { return try file.text() ?? "" } catch { throw .badSettings([error]) }
    }

    /// Returns the problems of a text that is to be stored as the settings.
    package func problems(of text: String) -> [Problem] { readSettings(text, file: path).problems }

    /// Stores a whole text in place of the one that was edited.
    ///
    /// - Throws: `badSettings` if the text has problems, or if the file has changed since it was edited.
    package func store(_ text: String, over edited: String) throws(Failure) {
        _ = try written(in: text)
        try file.change("what you wrote") { now throws(Failure) in
            guard now == edited else {
                throw Failure(
                    .badSettings, "\(path) is not changed: another program has changed it meanwhile.",
                    remedy: "Look at it, and edit it again.")
            }
            return text
        }
    }

    // MARK: Checks

    func written(in text: String) throws(Failure) -> WrittenSettings {
        let (settings, problems) = readSettings(text, file: path)
        guard problems.isEmpty else { throw .badSettings(problems) }
        return settings
    }

    private func values(of text: String) throws(Failure) -> [WrittenValue] {
        do throws(Problem) { return try WrittenValue.all(in: text, file: path) } catch { throw .badSettings([error]) }
    }

    private func valuesByName(of text: String) throws(Failure) -> [String: JSON] {
        Dictionary(try values(of: text).map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Throws if the setting does not accept a value, whatever else the file holds.
    private func check(_ value: String, for rule: SettingRule) throws(Failure) {
        let alone = SettingsWriter.setting(rule.path, to: value, in: "")
        if let problem = readSettings(alone, file: path).problems.first {
            throw Failure(.badUsage, problem.message, remedy: "\(rule.name) takes \(rule.form).")
        }
        guard rule.name == "language", let code = try written(in: alone).language,
            !Languages.known.contains(code.lowercased())
        else {
            return
        }
        throw Failure(
            .badUsage, "There is no language \"\(code.prefix(20))\".",
            remedy: "There are \(Languages.known.joined(separator: ", ")).")
    }

    private static func unknown(_ name: String) -> Failure {
        let names = SettingRule.all.map(\.name)
        let near = NearestWord.of(name, among: names).map { "Did you mean \($0)?" }
        return Failure(
            .badUsage, "There is no setting \"\(name.prefix(60))\".",
            remedy: near ?? "There are \(names.joined(separator: ", ")).")
    }
}
