import Services
package import Vocabulary

/// The settings of this person, and their editor for them.
package struct SettingsAtHand: SettingsTable {
    package let wiring: OpenWorkspace

    /// Creates the settings of this process.
    package init(wiring: OpenWorkspace) { self.wiring = wiring }

    package var path: String { wiring.settings.path }

    package func entries() throws(Failure) -> [SettingEntry] {
        try wiring.settings.entries(environment: Folders.environment).map { entry in
            var entry = entry
            entry.value = wiring.keyRing.filter.cut(entry.value)
            return entry
        }
    }

    package func set(_ name: String, to value: String?) throws(Failure) { try wiring.settings.set(name, to: value) }

    package func providerProblems() -> [Problem] {
        Shelves(folders: wiring.folders, workspace: wiring.workspace).providers().faults
    }

    package func text() throws(Failure) -> String { try wiring.settings.text() }

    package func problems(of text: String) -> [Problem] { wiring.settings.problems(of: text) }

    package func store(_ text: String, over edited: String) throws(Failure) {
        try wiring.settings.store(text, over: edited)
    }

    package func edit(_ text: String, at terminal: Int32) -> String? {
        OwnEditor.ofThePerson?.write(text, named: "settings.yaml", at: terminal)
    }
}
