package import Vocabulary

/// Changes one line of a `settings.yaml`. Before the result is stored, it is read: a file of an unusual form may have changed otherwise.
package enum SettingsWriter {
    /// Returns the text with another mode, in the place of the old one or at the end.
    package static func settingMode(_ mode: ConfirmationMode, in text: String) -> String {
        settingTop("mode", to: mode.rawValue, in: text)
    }

    /// Returns the text with another value of a key that stands at the left margin.
    static func settingTop(_ key: String, to value: String, in text: String) -> String {
        var lines = ConfigLines(text)
        for (index, words) in lines.words.enumerated() {
            guard let member = ConfigMember(words), member.indent == 0, member.key == key else { continue }
            lines.replace(index, with: member.line(withValue: value))
            return lines.text
        }
        lines.append(["\(key): \(value)"])
        return lines.text
    }
}
