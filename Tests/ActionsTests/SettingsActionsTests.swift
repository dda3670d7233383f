import CaseNames
import Harness
import Services
import Testing
import Vocabulary

@testable import Actions

/// The user's settings, as the use cases list and change them.
@Suite struct SettingsActionsTests {
    private let opened: OpenedWorkspace
    private var settings: SettingsActions { SettingsActions(opened.shared) }

    init() throws {
        opened = try OpenedWorkspace()
        try ScratchFolder.makeFolder(opened.shared.folders.config)
    }

    private func write(_ text: String) throws { try ScratchFolder.write(text, to: settings.path) }

    @Test func aSettingIsListedSetAndPutBack() throws {
        func entry() throws -> SettingEntry? { try settings.entries().first { $0.name == "slots.local" } }
        #expect(try entry()?.source == .usual)
        #expect(try settings.effect(of: "slots.local", to: "3") == .asksNoLess)
        try settings.set("slots.local", to: "3")
        #expect(try entry()?.value == "3" && settings.text() == "slots:\n  local: 3\n")
        try settings.set("slots.local", to: nil)
        #expect(try entry()?.source == .usual && !settings.text().contains("slots"))
    }

    @Test(
        arguments: [
            ("slot.local", "3"), ("slots.local", "none"), ("mode", "bold"), ("budget.workflow", "much"),
        ])
    func whatIsNoSettingOrNoValueIsRefused(name: String, value: String) throws {
        try write("mode: always-ask\n")
        let failure = #expect(throws: Failure.self) { try settings.set(name, to: value) }
        #expect(failure?.code == "badUsage")
        if name != "slots.local" {
            let failure = #expect(throws: Failure.self) { _ = try settings.effect(of: name, to: value) }
            #expect(failure?.code == "badUsage")
        }
        #expect(try settings.text() == "mode: always-ask\n")
    }

    @Test func aChangeThatAsksLessIsReported() throws {
        try write("mode: always-ask\nbudget: {workflow: 2}\n")
        #expect(try settings.effect(of: "mode", to: "auto") == .mode(.auto))
        let spending = try settings.effect(of: "budget.workflow", to: "20")
        guard case .moreSpending(let from, let to) = spending else {
            Issue.record("\(spending)")
            return
        }
        #expect(from < to)
        #expect(try settings.effect(of: "budget.workflow", to: "1") == .asksNoLess)
        #expect(try settings.text() == "mode: always-ask\nbudget: {workflow: 2}\n", "An effect changes nothing.")
    }

    @Test func theModeOfLaterSessionsIsStored() throws {
        #expect(try settings.mode() == .adaptive)
        try settings.setMode(.alwaysAsk)
        #expect(try settings.mode() == .alwaysAsk && SettingsActions(opened.openedAgain()).mode() == .alwaysAsk)
    }

    /// A list still shows the values of a file with a wrong one.
    @Test(arguments: ["mode: sometimes\n", "mode: [\n"]) func aFileThatCannotBeUsedChangesNothing(text: String) throws {
        try write(text)
        for useCase in UseCase.allCases where useCase != .entries || text.contains("[") {
            let failure = #expect(throws: Failure.self) { try useCase.run(settings) }
            #expect(failure?.code == "badSettings", "\(useCase)")
        }
        #expect(try settings.text() == text)
    }

    enum UseCase: CaseIterable {
        case entries, mode, setMode, set

        func run(_ settings: SettingsActions) throws(Failure) {
            switch self {
            case .entries: _ = try settings.entries()
            case .mode: _ = try settings.mode()
            case .setMode: try settings.setMode(.auto)
            case .set: try settings.set("slots.local", to: "3")
            }
        }
    }

    @Test func anEditedTextIsStoredIfItIsRightAndNobodyWasFaster() throws {
        try write("mode: auto\n")
        let edited = try settings.text()
        #expect(settings.problems(of: "mode: always-ask\n").isEmpty)
        #expect(!settings.problems(of: "mode: sometimes\n").isEmpty)
        let wrong = #expect(throws: Failure.self) { try settings.store("mode: sometimes\n", over: edited) }
        #expect(wrong?.code == "badSettings" && ScratchFolder.text(settings.path) == edited)
        try write("mode: adaptive\n")
        let late = #expect(throws: Failure.self) { try settings.store("mode: always-ask\n", over: edited) }
        #expect(late?.code == "badSettings" && ScratchFolder.text(settings.path) == "mode: adaptive\n")
        try settings.store("mode: always-ask\n", over: "mode: adaptive\n")
        #expect(try settings.mode() == .alwaysAsk)
    }

    @Test func noValueShowsAKey() throws {
        let key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"
        try write("providers:\n  replicate:\n    host: \(key)\n")
        let values = try settings.entries().map(\.value)
        #expect(values.contains { $0.contains("⟨cut: ") } && !values.contains { $0.contains(key) }, "\(values)")
    }
}
