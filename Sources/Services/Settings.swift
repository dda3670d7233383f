import Glibc
package import Manifests
package import Vocabulary

/// The settings of the user: `settings.yaml` in the config folder. The file is read whenever a setting is.
package struct Settings: Sendable {
    let folder: String

    /// Creates the settings of a config folder; nothing is read yet.
    package init(folder: String) { self.folder = folder }

    /// The path of `settings.yaml`.
    package var path: String { folder + "/settings.yaml" }
    private var file: ConfigFile { ConfigFile(path) }

    /// Returns what the file says, with everything that is wrong with it.
    package func read() -> (settings: WrittenSettings, problems: [Problem]) {
        do throws(Problem) { return readSettings(try file.text() ?? "", file: path) } catch { return (WrittenSettings(), [error]) }
    }

    /// Returns what the file says. One problem makes all of it unusable, since any line may have been meant to make Assent ask more.
    ///
    /// - Throws: `badSettings`.
    private func written() throws(Failure) -> WrittenSettings {
        let (settings, problems) = read()
        guard problems.isEmpty else { throw .badSettings(problems) }
        return settings
    }

    /// Returns how much the user wants to be asked.
    ///
    /// - Throws: `badSettings`.
    package func mode() throws(Failure) -> ConfirmationMode { try written().mode ?? .adaptive }

    /// Changes the line of the mode, and leaves the rest of the file as the user wrote it.
    ///
    /// - Throws: `badSettings` if the file cannot be read, or if no change of one line gives this mode.
    package func setMode(_ mode: ConfirmationMode) throws(Failure) {
        let wish = "mode: \(mode.rawValue)"
        try file.change(wish) { text throws(Failure) in
            var wanted = try written(in: text)
            guard wanted.mode != mode else { return nil }
            let new = SettingsWriter.settingMode(mode, in: text)
            wanted.mode = mode
            guard readSettings(new, file: path).problems.isEmpty, readSettings(new, file: path).settings == wanted else {
                throw Failure(
                    "badSettings", "\(path) is not changed: its form allows no change of the line \"mode:\" alone.",
                    remedy: "Write into it: \(wish)")
            }
            return new
        }
    }

    private func written(in text: String) throws(Failure) -> WrittenSettings {
        let (settings, problems) = readSettings(text, file: path)
        guard problems.isEmpty else { throw .badSettings(problems) }
        return settings
    }

    /// Returns the model of `model:`, as it was written before there were connections.
    ///
    /// - Throws: `badSettings`.
    package func oldModel() throws(Failure) -> ModelSources.OldModel? { try written().oldModel }

    /// Returns what the user has set for providers of jobs: `providers: {ID: {host: …}}`.
    ///
    /// Returns nothing if the file cannot be used. No command that decides runs then (`Configuration`).
    func providers() -> [WrittenSettings.Provider] {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.providers : []
    }

    /// Returns how much runs at once, over all workflows: `slots: {local: 4, remote: 16}`.
    ///
    /// - Throws: `badSettings`.
    package func slots() throws(Failure) -> (local: Int, remote: Int) {
        let settings = try written()
        return (settings.localSlots ?? Limits.localSlots, settings.remoteSlots ?? Limits.remoteSlots)
    }

    /// Returns what a workflow may spend before it asks: `budget: {workflow: 0.5}`, in dollars.
    ///
    /// - Throws: `badSettings`.
    package func budget() throws(Failure) -> Dollars { try written().budget ?? Limits.workflowBudget }

    /// The code of the language that sentences are read in: `language: de`. `nil` if the file names none, or cannot be used.
    package var language: String? {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.language : nil
    }

    /// The program that is asked for keys, with its words: `key_command: [pass, show, "assent/{name}"]`. `{name}` is the key's name. Empty
    /// if the file names none, and `nil` if the file cannot be used.
    package var keyCommand: [String]? {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.keyCommand : nil
    }
}
