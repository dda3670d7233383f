import CaseNames
import JSON
import Manifests
import Testing
import Vocabulary

/// `settings.yaml`: what is read, what is refused, and how the program changes its one line.
@Suite struct SettingsTests {
    private static let good = """
        # mine
        mode: always-ask
        slots: {local: 2, remote: 3}
        budget:
          workflow: 0.5
        providers: {generic: {host: "127.0.0.1:7777"}}
        key_command: [pass, show, "assent/{name}"]
        camera: {command: [fswebcam, "{file}"]}
        model: {url: "http://127.0.0.1:9/v1", name: m, key_variable: OLD_KEY}
        """

    @Test func whatIsWrittenIsRead() {
        var wanted = WrittenSettings()
        wanted.mode = .alwaysAsk
        (wanted.localSlots, wanted.remoteSlots) = (2, 3)
        wanted.budget = Dollars(millionths: 500_000)
        wanted.keyCommand = ["pass", "show", "assent/{name}"]
        wanted.cameraCommand = ["fswebcam", "{file}"]
        wanted.oldModel = ModelSources.OldModel(url: "http://127.0.0.1:9/v1", model: "m", keyVariable: "OLD_KEY")
        for text in [Self.good, Self.good.replacing("\n", with: "\r\n"), "\u{FEFF}" + Self.good] {
            var (settings, problems) = readSettings(text, file: "s.yaml")
            #expect(problems == [])
            #expect(
                settings.providers.map(\.id) == ["generic"]
                    && settings.providers.first?.values["host"] == "127.0.0.1:7777")
            settings.providers = []
            #expect(settings == wanted)
        }
    }

    @Test func aFileThatSaysNothingIsRight() {
        expectNoFaults(in: [
            "", "\n", "# only a comment\n", "---\n", "{}\n", "\u{FEFF}", "\u{FEFF}# a\r\n",
            "slots:\nbudget:\n  # workflow: 1\nproviders:\nmodel:\n",
        ]) { text in
            let (settings, problems) = readSettings(text, file: "s.yaml")
            return problems.isEmpty && settings == WrittenSettings() ? [] : ["\(text.debugDescription): \(problems)"]
        }
    }

    /// The old words, the new words, the line, and what the problem must say.
    private static let wrong: [(String, String, Int, String)] = [
        ("mode: always-ask", "mode: always", 2, "always-ask, adaptive, auto"),
        ("mode: always-ask", "mode: 3", 2, "must be one of"),
        ("mode: always-ask", "mode:", 2, "must be one of"),
        ("mode: always-ask", "Mode: always-ask", 2, "Did you mean \"mode\"?"),
        ("mode: always-ask", "moed: always-ask", 2, "Did you mean \"mode\"?"),
        ("mode: always-ask", "mode: auto\nmode: auto", 3, "twice, the first time in line 2"),
        ("budget:", "budgett:", 4, "Did you mean \"budget\"?"),
        ("budget:", "allowance:", 4, "Known here are"),
        ("  workflow: 0.5", "  workflows: 0.5", 5, "Did you mean \"workflow\"?"),
        ("  workflow: 0.5", "  workflow: lots", 5, "workflow"), ("local: 2", "local: 0", 3, "whole number from 1"),
        ("local: 2", "local: two", 3, "local"), ("local: 2", "locale: 2", 3, "Did you mean \"local\"?"),
        ("slots: {local: 2, remote: 3}", "slots: 4", 3, "slots"), ("slots: {", "slots: [", 3, ""),
        ("{generic: {host: \"127.0.0.1:7777\"}}", "{generic: 7}", 6, "must be variables"),
        ("{generic: {host: \"127.0.0.1:7777\"}}", "generic", 6, "must be an object"),
        ("[pass, show, \"assent/{name}\"]", "[pass, 3]", 7, "must be a program"),
        ("[pass, show, \"assent/{name}\"]", "7", 7, "must be a program"),
        ("[fswebcam, \"{file}\"]", "[fswebcam]", 8, "must have {file}"),
        ("[fswebcam, \"{file}\"]", "[]", 8, "must be a program"),
        ("{command: [fswebcam, \"{file}\"]}", "fswebcam", 8, "camera"),
        ("{command: [", "{comand: [", 8, "Did you mean \"command\"?"),
        ("[fswebcam, \"{file}\"]", "[a, \"{file}\", \"{file}\"]", 8, "must have {file}"),
        ("[pass, show, \"assent/{name}\"]", "[]", 7, "must be a program"),
        ("key_command", "key-command", 7, "Did you mean \"key_command\"?"),
        ("name: m, ", "nane: m, ", 9, "Did you mean \"name\"?"),
        ("url: \"http://127.0.0.1:9/v1\", ", "", 9, "\"url\" is missing"),
        ("OLD_KEY", "old key", 9, "name of a key"), ("# mine\n", "# mine\n- mode: auto\n", 3, ""),
        ("# mine\n", "a: &b 1\n", 1, ""),
        ("# mine", "# mine \rmode: auto", 1, "U+000D"), ("# mine", "# mine \u{2028}mode: auto", 1, "U+2028"),
        ("local: 2", "local: 2 # \u{85}mode: auto", 3, "U+0085"),
    ]

    @Test func whatIsWrongIsRefusedWithItsLine() {
        expectNoFaults(in: Self.wrong) { old, new, line, words in
            guard Self.good.contains(old) else { return ["\(old) is not in the file"] }
            let text = Self.good.replacing(old, with: new, maxReplacements: 1)
            return [text, text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text].flatMap { text -> [String] in
                let problems = readSettings(text, file: "s.yaml").problems
                let isTold = problems.contains { problem in
                    problem.message.contains(words) && (problem.place + ":").hasPrefix("s.yaml:\(line):")
                }
                return isTold
                    ? [] : ["\(new.debugDescription): expected line \(line) and \"\(words)\", found \(problems)"]
            }
        }
    }

    @Test func aFileOfAnotherFormIsRefused() {
        expectNoFaults(in: [
            "mode", "[mode, auto]", "3", "mode: auto\n---\nmode: always-ask\n", "mode: [", "{mode: auto",
        ]) { text in
            let problems = readSettings(text, file: "s.yaml").problems
            return problems.contains { $0.place.hasPrefix("s.yaml:") } ? [] : ["\(text.debugDescription): \(problems)"]
        }
    }

    @Test func theNearestKeyIsNamed() {
        let known = ["mode", "budget", "slots", "providers", "key_command"]
        let rows = [
            ("Mode", "mode"), ("bugdet", "budget"), ("slot", "slots"), ("mdoe", "mode"), ("lsot", "slots"),
            ("keycommand", "key_command"),
            ("KEY-COMMAND", "key_command"),
            ("provider", "providers"), ("x", nil), ("entirely", nil), ("", nil),
        ]
        expectNoFaults(in: rows) { word, nearest in
            let found = NearestWord.of(word, among: known)
            return found == nearest ? [] : ["\(word): \(found ?? "none")"]
        }
    }

    // MARK: Changes

    /// The text before and after the mode becomes `auto`.
    private static let changes: [(String, String)] = [
        ("", "mode: auto\n"), ("# a\n", "# a\nmode: auto\n"), ("mode: adaptive\n", "mode: auto\n"),
        ("mode: adaptive", "mode: auto"),
        (
            "# a\n\n  \nmode:   always-ask   # why\nslots: {local: 2}\n",
            "# a\n\n  \nmode:   auto   # why\nslots: {local: 2}\n"
        ),
        ("mode: adaptive\r\nslots: {local: 2}\r\n", "mode: auto\r\nslots: {local: 2}\r\n"),
        ("slots: {local: 2}\r\nmode: adaptive\r\n", "slots: {local: 2}\r\nmode: auto\r\n"),
        ("slots: {local: 2}\r\n", "slots: {local: 2}\r\nmode: auto\r\n"),
        ("slots: {local: 2}", "slots: {local: 2}\nmode: auto"),
        ("a: 1\nmode: adaptive\r\nb: 2\n", "a: 1\nmode: auto\r\nb: 2\n"),
        ("\"mode\": 'always-ask' # it's\n", "\"mode\": auto # it's\n"), ("mode:\n  adaptive\n", "mode: auto\n"),
        ("mode :  adaptive\n", "mode :  auto\n"),
        ("# mode: adaptive\nmode: adaptive\n", "# mode: adaptive\nmode: auto\n"),
        ("providers:\n  mode: {mode: 1}\nmode: adaptive\n", "providers:\n  mode: {mode: 1}\nmode: auto\n"),
        ("e\u{301}: 1\nmode: adaptive # \u{301}\n", "e\u{301}: 1\nmode: auto # \u{301}\n"),
        ("mode: adaptive#x\n", "mode: auto\n"),
    ]

    /// A row that would not read as it was meant is in the table, too: who stores a text reads it first.
    @Test func aChangeOfTheModeIsOneLine() {
        expectNoFaults(in: Self.changes) { before, after in
            let found = SettingsWriter.setting(["mode"], to: "auto", in: before)
            return Array(found.utf8) == Array(after.utf8)
                ? [] : ["\(before.debugDescription) became \(found.debugDescription)"]
        }
    }

    /// The text before and after a setting has another value, or none.
    private static let settingChanges: [(before: String, name: String, value: String?, after: String)] = [
        ("", "slots.local", "4", "slots:\n  local: 4\n"),
        ("mode: auto\n", "slots.local", "4", "mode: auto\nslots:\n  local: 4\n"),
        ("slots:\n  local: 2\n", "slots.local", "4", "slots:\n  local: 4\n"),
        (
            "slots:\n    remote: 2 # r\n\n# m\nmode: auto\n", "slots.local", "4",
            "slots:\n    remote: 2 # r\n    local: 4\n\n# m\nmode: auto\n"
        ),
        ("slots: {remote: 2}  # both\n", "slots.local", "4", "slots: {remote: 2, local: 4}  # both\n"),
        ("slots: {local: 2, remote: 2}\n", "slots.local", nil, "slots: {remote: 2}\n"),
        ("slots: {local: 2}\nmode: auto\n", "slots.local", nil, "mode: auto\n"),
        ("slots:\n  local: 2\nmode: auto\n", "slots.local", nil, "mode: auto\n"),
        ("slots:\n  local: 2\n", "slots.remote", nil, "slots:\n  local: 2\n"),
        ("mode: auto\r\nlanguage: de\r\n", "mode", nil, "language: de\r\n"), ("mode: auto", "mode", nil, ""),
        ("key_command:\n- pass\n- show\nmode: auto\n", "key_command", "[a, b]", "key_command: [a, b]\nmode: auto\n"),
        ("key_command:\n  - pass\nmode: auto\n", "key_command", nil, "mode: auto\n"),
        ("providers:\n  x: {host: \"a:1\"}\n", "providers.x.host", "\"b:2\"", "providers:\n  x: {host: \"b:2\"}\n"),
        (
            "providers:\n  x: {host: \"a:1\"}\n", "providers.y.size", "\"4\"",
            "providers:\n  x: {host: \"a:1\"}\n  y:\n    size: \"4\"\n"
        ),
        ("providers:\n  x:\n    host: a\nmode: auto\n", "providers.x.host", nil, "mode: auto\n"),
        ("slots: # both\n  local: 2\n", "slots.local", "3", "slots: # both\n  local: 3\n"),
        // These forms are not changed: who stores a text reads it first, and refuses.
        ("slots: {local: 2,\n  remote: 3}\n", "slots.local", "4", "slots: {local: 2,\n  remote: 3}\n"),
    ]

    @Test func aChangeOfASettingLeavesTheOtherLines() {
        expectNoFaults(in: Self.settingChanges) { row in
            let found = SettingsWriter.setting(
                row.name.split(separator: ".").map(String.init), to: row.value, in: row.before)
            return Array(found.utf8) == Array(row.after.utf8)
                ? [] : ["\(row.before.debugDescription) became \(found.debugDescription)"]
        }
    }

    /// A value, and how it is written.
    @Test func aTypedValueReadsAsWhatWasTyped() {
        let rows = [
            ("4", "4"), ("0.5", "0.5"), ("true", "true"), ("de", "de"), ("a b", "\"a b\""), ("a: b", "\"a: b\""),
            ("#x", "\"#x\""),
            ("", "\"\""),
            ("127.0.0.1:9000", "\"127.0.0.1:9000\""), ("[pass, show]", "[pass, show]"), ("[open", "\"[open\""),
            ("{a: 1}", "\"{a: 1}\""),
            ("null", "\"null\""), ("~", "\"~\""), ("\u{1B}[2J", "\"\\u001b[2J\""),
            ("a\nmode: auto", "\"a\\nmode: auto\""), ("-", "\"-\""),
        ]
        expectNoFaults(in: rows) { typed, written in
            let found = SettingsWriter.written(typed)
            return found == written ? [] : ["\(typed.debugDescription): \(found.debugDescription)"]
        }
    }

    /// Each setting that the reader knows is listed, with a value that the reader takes.
    @Test func eachSettingHasARule() {
        let examples = [
            "mode": "auto", "budget.workflow": "0.5", "slots.local": "3", "slots.remote": "5", "language": "de",
            "pictures": "kitty",
            "clipboard": "true", "notify.when": "always", "notify.by": "bell", "notify.command": "[ntfy, publish, me]",
            "key_command": "[pass, show]",
            "camera.command": "[fswebcam, \"{file}\"]",
        ]
        #expect(Set(examples.keys) == Set(SettingRule.all.map(\.name)))
        for (name, value) in examples {
            let text = SettingsWriter.setting(name.split(separator: ".").map(String.init), to: value, in: "")
            #expect(readSettings(text, file: "").problems == [], "\(text)")
        }
        let fields = Mirror(reflecting: WrittenSettings()).children.compactMap(\.label).sorted()
        let listed = [
            "mode", "budget", "localSlots", "remoteSlots", "language", "pictures", "clipboard", "keyCommand",
            "cameraCommand", "notifyWhen", "notifyWay", "notifyCommand",
        ]
        // The variables of providers are listed by their providers, and the old model is not to be set.
        #expect(fields == (listed + ["providers", "oldModel"]).sorted(), "a new field wants a rule")
    }
}
