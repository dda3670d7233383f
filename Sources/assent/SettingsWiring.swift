import Console
import Services
import Vocabulary

/// The settings of this person, and their editor for them.
struct SettingsAtHand: SettingsTable {
    let wiring: Wiring

    var path: String { wiring.settings.path }

    func entries() throws(Failure) -> [SettingEntry] {
        try wiring.settings.entries(environment: Folders.environment).map { entry in
            var entry = entry
            entry.value = wiring.keyRing.filter.cut(entry.value)
            return entry
        }
    }

    func set(_ name: String, to value: String?) throws(Failure) { try wiring.settings.set(name, to: value) }

    func providerProblems() -> [Problem] {
        Shelves(folders: wiring.folders, workspace: wiring.workspace).providers().faults
    }

    func text() throws(Failure) -> String { try wiring.settings.text() }

    func problems(of text: String) -> [Problem] { wiring.settings.problems(of: text) }

    func store(_ text: String, over edited: String) throws(Failure) { try wiring.settings.store(text, over: edited) }

    func edit(_ text: String, at terminal: Int32) -> String? {
        OwnEditor.ofThePerson?.write(text, named: "settings.yaml", at: terminal)
    }
}
