import CaseNames
import Files
import Glibc
import Harness
import JSON
import Services
import Storage
import Testing
import Tools
import Vocabulary

@testable import Actions

/// The checks and repairs of `doctor`.
@Suite struct DiagnosticsTests {
    private let opened: OpenedWorkspace
    private var diagnostics: Diagnostics { Diagnostics(opened.shared) }

    init() throws { opened = try OpenedWorkspace() }

    private func ran() async throws -> WorkflowID { try await opened.ran([("text", "Text", ["text": "hello"])]) }

    private func finding(_ name: String, isThorough: Bool = false) async -> Finding? {
        await diagnostics.examine(isThorough: isThorough).first { $0.name == name }
    }

    // MARK: Checks

    @Test func whatIsSoundIsFine() async throws {
        _ = try await ran()
        let findings = await diagnostics.examine(isThorough: true)
        for name in ["data folder", "database", "states", "assets"] {
            let finding = try #require(findings.first { $0.name == name }, "\(name)")
            #expect(finding.isFine && finding.status == .succeeded && !finding.words.isEmpty, "\(finding)")
        }
    }

    @Test func aContentThatIsGoneOrDamagedIsNamed() async throws {
        let id = try await ran()
        let asset = try #require(try WorkflowRecords(opened.shared).assets(id).first)
        let path = try opened.shared.toolbox.get().store.path(asset.hash)
        chmod(path, 0o600)
        try ScratchFolder.write([UInt8](repeating: 0x2A, count: asset.bytes), to: path)
        let damaged = await finding("assets", isThorough: true)
        #expect(damaged?.isFine == false && damaged?.words.contains("1 are damaged: ") == true)
        unlink(path)
        let gone = await finding("assets")
        #expect(gone?.status == .failed && gone?.words.contains("1 are gone: ") == true)
    }

    @Test func aWrongFileOfTheUserIsNamed() async throws {
        try ScratchFolder.makeFolder(opened.shared.folders.config)
        try ScratchFolder.write("mode: sometimes\n", to: "\(opened.shared.folders.config)/settings.yaml")
        let found = await finding("settings")
        #expect(found?.isFine == false && found?.words.contains("settings.yaml:1") == true, "\(found as Any)")
    }

    // MARK: Repairs

    @Test func aSoundDatabaseNeedsNoRepair() async throws {
        _ = try await ran()
        let repaired = try await diagnostics.repair()
        #expect(repaired.map(\.isFine) == [true] && repaired[0].words == "nothing is set aside as damaged")
        let rebuilt = try await diagnostics.rebuild()
        #expect(rebuilt.map(\.words) == ["1 workflows looked at; every row was as its events tell it"])
    }

    /// An engine has the old states in memory.
    @Test func nothingIsRebuiltWhileAnEngineRuns() async throws {
        let id = try await ran()
        let other = opened.openedAgain()
        try WorkflowActions(other).startEngine()
        let failure = await #expect(throws: Failure.self) { _ = try await diagnostics.rebuild() }
        #expect(failure?.code == "engineRuns")
        await other.close()
        #expect(try await diagnostics.rebuild().map(\.isFine) == [true])
        #expect(try WorkflowRecords(opened.shared).summary(id)?.record.outcome == .succeeded)
    }

    @Test func onlyAWorkflowThatIsSetAsideIsReleased() async throws {
        let id = try await ran()
        #expect(try diagnostics.quarantined().isEmpty)
        for asItIs in [false, true] {
            let failure = #expect(throws: Failure.self) { try diagnostics.release(id, asItIs: asItIs) }
            #expect(failure?.code == "notHeld")
        }
        try opened.shared.archive.get().quarantine(id, reason: "It was odd.", at: OpenWorkspace.now())
        let aside = await finding("\(id)")
        #expect(aside?.isFine == false && aside?.words == "set aside: It was odd. · 'assent doctor --repair'")
        #expect(try await diagnostics.repair().map(\.words) == ["is sound and goes on"])
        #expect(try diagnostics.quarantined().isEmpty)
    }

    @Test func aDatabaseIsSalvagedIntoAnEmptyFolder() async throws {
        _ = try await ran()
        let findings = try await diagnostics.salvage(into: "saved")
        #expect(findings.allSatisfy(\.isFine) && findings.first { $0.name == "workflows" }?.words == "1 rows")
        #expect(ScratchFolder.names(in: "\(opened.shared.workspace)/saved").contains("assent.db"))
        let again = await #expect(throws: Failure.self) { _ = try await diagnostics.salvage(into: "saved") }
        #expect(again?.code == "targetExists")
    }

    @Test func theSupportFileReplacesNoFile() async throws {
        _ = try await ran()
        let written = try await diagnostics.support("help.zip")
        let bytes = try #require(ScratchFolder.bytes("\(opened.shared.workspace)/help.zip"))
        #expect(written.map(\.name) == ["support"] && written[0].words.contains("\(bytes.count) bytes"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hello"))
        let again = await #expect(throws: Failure.self) { _ = try await diagnostics.support("help.zip") }
        #expect(again?.code == "targetExists")
        #expect(ScratchFolder.bytes("\(opened.shared.workspace)/help.zip") == bytes)
    }
}
