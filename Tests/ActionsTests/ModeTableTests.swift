import Actions
import CaseNames
import Harness
import Testing
import Vocabulary

/// The table of the README is what `/mode`, `/status` and the question before a looser mode say.
@Suite struct ModeTableTests {
    @Test func theTableOfTheReadmeSaysWhatTheModesSay() throws {
        let readme = try #require(
            ScratchFolder.text(#filePath.replacing("/Tests/ActionsTests/ModeTableTests.swift", with: "/README.md")))
        expectNoFaults(in: ConfirmationMode.allCases) { mode in
            let name = mode == .adaptive ? "`adaptive` (default)" : "`\(mode.rawValue)`"
            let row = "| \(name) | \(mode.runsUnasked) | \(mode.asksFirst) |"
            return readme.contains(row) && mode.words.contains(mode.runsUnasked) && mode.words.contains(mode.asksFirst)
                ? [] : ["The README has no row \(row)"]
        }
    }
}
