import CaseNames
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Services

/// Settings are listed with where they come from, and changed one by one.
@Suite struct SettingsTableTests {
    private let scratch: ScratchFolder
    private let settings: Settings

    init() throws {
        scratch = try ScratchFolder()
        settings = Settings(folder: scratch.path)
    }

    private func write(_ text: String) throws { try ScratchFolder.write(text, to: settings.path) }

    private func entry(_ name: String, _ environment: [String: String] = [:]) throws -> SettingEntry? {
        try settings.entries { environment[$0] }.first { $0.name == name }
    }

    @Test func eachEntrySaysWhereItsValueComesFrom() throws {
        #expect(
            try entry("mode")?.source == .usual && entry("mode")?.value == "adaptive"
                && entry("budget.workflow")?.value == "1")
        try write("# mine\nslots: {local: 3}\nlanguage: en\nproviders:\n  x:\n    host: a\n")
        #expect(try entry("slots.local")?.source == .file(line: 2) && entry("slots.local")?.value == "3")
        #expect(try entry("providers.x.host")?.source == .file(line: 6) && entry("slots.remote")?.source == .usual)
        #expect(try entry("language", ["LANG": "de_DE.UTF-8"])?.source == .file(line: 3))
        try write("\n")
        #expect(try entry("language", ["LANG": "de_DE.UTF-8"])?.source == .environment("LANG"))
        #expect(
            try entry("language", ["LANG": "de_DE.UTF-8"])?.value == "de"
                && entry("language", ["LANG": "C"])?.value == "en")
    }

    /// What is typed, and what is said of it; nothing is stored then.
    @Test func whatIsNoSettingOrNoValueIsRefused() throws {
        try write("mode: auto\n")
        let rows = [
            ("mod", "auto", "Did you mean mode?"), ("nothing", "1", "There are mode, "), ("mode", "loud", "always-ask"),
            ("slots", "4", "There are"),
            ("slots.local", "0", "from 1 to"), ("slots.local", "many", "number"), ("budget.workflow", "-1", "dollars"),
            ("clipboard", "yes", "true or false"), ("camera.command", "fswebcam x.jpg", "{file}"),
            ("language", "xx", "There are de, en"), ("pictures", "big", "kitty"), ("providers.x", "1", "There are"),
            ("", "1", "There are"),
        ]
        for (name, value, words) in rows {
            let failure = #expect(throws: Failure.self) { try settings.set(name, to: value) }
            #expect(
                failure?.code == "badUsage" && failure?.description.contains(words) == true,
                "\(name): \(failure.map { "\($0)" } ?? "")")
        }
        #expect(ScratchFolder.text(settings.path) == "mode: auto\n")
    }

    @Test func aSettingIsSetAndPutBack() throws {
        try settings.set("slots.local", to: "4")
        try settings.set("key_command", to: "pass show {name}")
        #expect(try settings.slots().local == 4 && settings.keyCommand == ["pass", "show", "{name}"])
        try settings.set("slots.local", to: nil)
        try settings.set("slots.local", to: nil)
        #expect(ScratchFolder.text(settings.path) == "key_command: \"pass show {name}\"\n")
        try settings.set("key_command", to: nil)
        #expect(try entry("key_command")?.source == .usual)
    }

    /// The effect of a value on what is asked, by the value that the file would have.
    @Test func aValueThatAsksLessIsSeenInEverySpelling() throws {
        try write("mode: always-ask\nbudget: {workflow: 0.5}\n")
        let half = Dollars(millionths: 500_000)
        let rows: [(name: String, value: String?, effect: SettingEffect)] = [
            ("mode", "auto", .mode(.auto)), ("mode", nil, .mode(.adaptive)),
            ("budget.workflow", nil, .moreSpending(from: half, to: Limits.workflowBudget)),
            ("budget.workflow", "20", .moreSpending(from: half, to: Dollars(millionths: 20_000_000))),
            ("budget.workflow", "0.5", .asksNoLess), ("budget.workflow", "0", .asksNoLess),
            ("slots.local", "4", .asksNoLess), ("slots.local", nil, .asksNoLess),
        ]
        for (name, value, effect) in rows {
            #expect(try settings.effect(of: name, to: value) == effect, "\(name) \(value ?? "-")")
        }
        for spelling in ["+20", "2e1", "20.0", "020", "0x14", "0o24", "0b10100", "2_0", " 20", "20 # dollars", "[20]"] {
            try write("budget: {workflow: 0.5}\n")
            let effect = try? settings.effect(of: "budget.workflow", to: spelling)
            let isStored = (try? settings.set("budget.workflow", to: spelling)) != nil
            let isMore = try settings.budget() > half
            // A spelling that cannot be stored as it is may have an effect, but what is stored has the effect that was seen.
            #expect(effect != nil || !isStored, "\(spelling)")
            #expect(!isStored || (effect.map { $0 != .asksNoLess } ?? false) == isMore, "\(spelling)")
        }
        for (name, value) in [("mod", "auto"), ("mode", "loud"), ("budget.workflow", "-1")] {
            let failure = #expect(throws: Failure.self) { try settings.effect(of: name, to: value) }
            #expect(failure?.code == "badUsage", "\(name)")
        }
    }

    /// Forms of the file in which no single line can be changed: refused with what to write, and kept.
    @Test func anUnusualFormIsKept() throws {
        for text in [
            "{slots: {local: 2}}\n", "slots: {local: 2,\n  remote: 3}\n", "slots: &a {local: 2}\n",
            "slots:\n  local: 2\n  locl: 3\n",
        ] {
            try write(text)
            let failure = #expect(throws: Failure.self) { try settings.set("slots.local", to: "4") }
            #expect(failure?.code == "badSettings" && ScratchFolder.text(settings.path) == text, "\(text)")
        }
    }

    @Test func anEditedTextIsStoredOnlyIfNobodyElseChangedTheFile() throws {
        try write("mode: auto\n")
        try settings.store("mode: adaptive\n", over: "mode: auto\n")
        #expect(ScratchFolder.text(settings.path) == "mode: adaptive\n")
        #expect(throws: Failure.self) { try settings.store("mode: always-ask\n", over: "mode: auto\n") }
        #expect(throws: Failure.self) { try settings.store("mode: loud\n", over: "mode: adaptive\n") }
        #expect(ScratchFolder.text(settings.path) == "mode: adaptive\n" && settings.problems(of: "mod: x\n").count == 1)
    }
}
