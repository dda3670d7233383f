import Glibc
package import Manifests
package import Vocabulary

/// The settings of the user: `settings.yaml` in the config folder. The file is read whenever a setting is.
package struct Settings: Sendable {
    let folder: String

    /// Creates the settings of a config folder. The file is not read yet.
    package init(folder: String) { self.folder = folder }

    /// The path of `settings.yaml`.
    package var path: String { folder + "/settings.yaml" }
    var file: ConfigFile { ConfigFile(path, emptyRemedy: "delete it for the defaults") }

    /// Returns the settings in the file, and its problems.
    package func read() -> (settings: WrittenSettings, problems: [Problem]) {
        do throws(Problem) { return readSettings(try file.text() ?? "", file: path) } catch {
            return (WrittenSettings(), [error])
        }
    }

    /// Returns the settings in the file. A single problem makes all of them unusable, since any line may have been
    /// meant to make Assent ask more.
    ///
    /// - Throws: `badSettings`.
    private func written() throws(Failure) -> WrittenSettings {
        let (settings, problems) = read()
        guard problems.isEmpty else { throw .badSettings(problems) }
        return settings
    }

    /// Returns the mode, which decides how much Assent asks.
    ///
    /// - Throws: `badSettings`.
    package func mode() throws(Failure) -> ConfirmationMode { try written().mode ?? .adaptive }

    /// Changes the line of the mode, and leaves the rest of the file as the user wrote it.
    ///
    /// - Throws: `badSettings` if the file cannot be read, or if no change of one line gives this mode.
    package func setMode(_ mode: ConfirmationMode) throws(Failure) { try set("mode", to: mode.rawValue) }

    /// Returns the model of `model:`, the form from before there were connections.
    ///
    /// - Throws: `badSettings`.
    package func oldModel() throws(Failure) -> ModelSources.OldModel? { try written().oldModel }

    /// Returns the user's settings for providers of jobs: `providers: {ID: {host: …}}`.
    ///
    /// The list is empty if the file cannot be used. No command that decides runs then (`Configuration`).
    func providers() -> [WrittenSettings.Provider] {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.providers : []
    }

    /// Returns how many steps run at once, over all workflows: `slots: {local: 4, remote: 16}`.
    ///
    /// - Throws: `badSettings`.
    package func slots() throws(Failure) -> (local: Int, remote: Int) {
        let settings = try written()
        return (settings.localSlots ?? Limits.localSlots, settings.remoteSlots ?? Limits.remoteSlots)
    }

    /// Returns how much a workflow may spend before it asks: `budget: {workflow: 0.5}`, in dollars.
    ///
    /// - Throws: `badSettings`.
    package func budget() throws(Failure) -> Dollars { try written().budget ?? Limits.workflowBudget }

    /// The code of the language in which sentences are read: `language: de`. It is nil if the file names none, or
    /// cannot be used.
    package var language: String? {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.language : nil
    }

    /// The way in which the terminal shows pictures: `pictures: kitty`. If the file cannot be used, it is the default.
    package var pictures: PictureSetting {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.pictures ?? .auto : .auto
    }

    /// Whether texts may go to the clipboard of the terminal: `clipboard: true`. It is false if the file cannot be
    /// used.
    package var clipboard: Bool {
        let (settings, problems) = read()
        return problems.isEmpty && settings.clipboard == true
    }

    /// The occasions and the way of notifications: `notify: {when: always, by: bell}`. If the file cannot be used, it
    /// is the default.
    package var notify: NoticePreference {
        let (settings, problems) = read()
        guard problems.isEmpty else { return NoticePreference() }
        return NoticePreference(
            when: settings.notifyWhen ?? .unfocused, way: settings.notifyWay ?? .auto, command: settings.notifyCommand)
    }

    /// The words of the program that returns keys: `key_command: [pass, show, "assent/{name}"]`. `{name}` is the key's
    /// name. It is empty if the file names none, and nil if the file cannot be used.
    package var keyCommand: [String]? {
        let (settings, problems) = read()
        return problems.isEmpty ? settings.keyCommand : nil
    }

    /// Returns the words of the program that takes a photograph: `camera: {command: [fswebcam, "{file}"]}`. The default
    /// is `ffmpeg`.
    ///
    /// - Throws: `badSettings`.
    package func cameraCommand() throws(Failure) -> [String] {
        let words = try written().cameraCommand
        return words.isEmpty ? CameraCommand.usual : words
    }
}
