import Glibc
import JSON
import Manifests
package import Vocabulary

/// What the person has set: `settings.yaml` in the config folder, and the environment, which wins.
package struct Settings: Sendable {
    let folder: String

    /// Creates the settings of a config folder; the file is read whenever a setting is.
    package init(folder: String) { self.folder = folder }

    private var path: String { folder + "/settings.yaml" }

    /// Returns how much the person wants to be asked.
    ///
    /// - Throws: `badSettings`.
    package func mode() throws(Failure) -> ConfirmationMode {
        guard let written = try values()["mode"]?.string else { return .adaptive }
        if let mode = ConfirmationMode(rawValue: written) { return mode }
        let known = ConfirmationMode.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure("badSettings", "\(path): the mode \"\(written)\" is not known.", remedy: "Known are \(known).")
    }

    /// Changes the one line and leaves the rest of the file as the person wrote it.
    package func setMode(_ mode: ConfirmationMode) throws(Failure) {
        try Folders.make(folder)
        var lines = (Files.text(path) ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        let line = "mode: \(mode.rawValue)"
        if let place = lines.firstIndex(where: { $0.hasPrefix("mode:") }) { lines[place] = line } else { lines.append(line) }
        try Files.replace(path, with: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// `model:` as it was written before there were connections.
    package func oldModel() throws(Failure) -> ModelSources.OldModel? {
        guard let model = try values()["model"], let url = model["url"]?.string else { return nil }
        return ModelSources.OldModel(url: url, model: model["name"]?.string, keyVariable: model["key_variable"]?.string)
    }

    /// What the person has set for a provider of jobs: `providers: {ID: {host: …}}`.
    func variables(ofProvider id: String) -> JSON.Object { (try? values())?["providers"]?[id]?.object ?? JSON.Object() }

    /// `slots: {local: 4, remote: 16}`: how much runs at once, over all workflows.
    package func slots() throws(Failure) -> (local: Int, remote: Int) {
        let written = try values()["slots"]
        func slot(_ name: String, _ usual: Int) throws(Failure) -> Int {
            guard let value = written?[name] else { return usual }
            guard let number = value.int, (1...Limits.mostSlots).contains(number) else {
                throw Failure(
                    "badSettings", "\(path): slots.\(name) is \(value.text).", remedy: "It is a whole number from 1 to \(Limits.mostSlots)."
                )
            }
            return number
        }
        return (try slot("local", Limits.localSlots), try slot("remote", Limits.remoteSlots))
    }

    /// `budget: {workflow: 0.5}`: what a workflow may spend before it asks, in dollars.
    package func budget() throws(Failure) -> Dollars {
        let (limit, problems) = readBudget(Files.text(path) ?? "", file: path)
        guard let problem = problems.first else { return limit ?? Limits.workflowBudget }
        throw Failure("badSettings", "\(problem.place): \(problem.message)", remedy: "Write budget: {workflow: 0.5}, or leave it out.")
    }

    /// `key_command: [pass, show, "assent/{name}"]`, or the same words in one text, parted by spaces. `{name}` is the key's.
    package var keyCommand: [String] {
        let written = (try? values())?["key_command"]
        if let words = written?.array { return words.compactMap(\.string) }
        return (written?.string ?? "").split(separator: " ").map(String.init)
    }

    private func values() throws(Failure) -> JSON {
        guard let text = Files.text(path) else { return [:] }
        do {
            return try readYAML(text, file: path)
        } catch {
            throw Failure("badSettings", "\(path) cannot be read: \(error).", remedy: "Mend it or take it away.")
        }
    }
}
