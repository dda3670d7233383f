import Terminal
import Vocabulary

/// The view of the settings, each with the source of its value.
enum SettingsView {
    /// Draws the settings.
    ///
    /// - Parameters:
    ///   - path: the path of the settings file.
    ///   - isWhole: whether these are all settings. Then a remark says how to change one.
    static func lines(_ entries: [SettingEntry], path: String, isWhole: Bool, columns: Int) -> [StyledText] {
        let rows = entries.map { entry in
            [
                StyledText(entry.name, .bold),
                StyledText(VisibleText.line(entry.value), entry.source == .usual ? [] : .accent),
                StyledText(origin(of: entry), .dim), StyledText(words(of: entry, isWhole: isWhole)),
            ]
        }
        let table = Layout.ledger(rows, columns: columns, below: 6, gap: Layout.gap).flatMap(\.self)
        guard isWhole else { return table }
        let ways =
            "\(Voice.call("settings NAME VALUE")) sets one, --reset puts it back, \(Voice.call("settings --edit")) opens \(path)"
        return table + Layout.wrapped(StyledText(ways, .dim), columns: columns, indent: 2)
    }

    private static func words(of entry: SettingEntry, isWhole: Bool) -> String {
        isWhole || entry.form.isEmpty ? entry.summary : "\(entry.summary) It takes \(entry.form)."
    }

    private static func origin(of entry: SettingEntry) -> String {
        let origin =
            switch entry.source {
            case .usual: "default"
            case .file(let line): "line \(line)"
            case .session: "this session"
            case .environment(let name): name
            }
        return entry.beaten.map { "\(origin); else \($0)" } ?? origin
    }
}
