import CaseNames
import Harness
import JSON
import Services
import Storage
import Testing
import Vocabulary

@testable import Actions

/// Workflows as files: what is written, what is read, and what is refused whole.
@Suite struct BundlesTests {
    private let opened: OpenedWorkspace
    private var bundles: Bundles { Bundles(opened.shared) }
    private var records: WorkflowRecords { WorkflowRecords(opened.shared) }
    private static let steps: [(id: String, kind: String, params: JSON)] = [
        ("text", "Text", ["text": "hello"]), ("write", "WriteFile", ["path": "note.txt"]),
    ]

    init() throws { opened = try OpenedWorkspace() }

    private func ran(mode: ConfirmationMode = .auto) async throws -> WorkflowID {
        try await opened.ran(Self.steps, [("text.text", "write.text")], mode: mode)
    }

    private func path(_ name: String) -> String { "\(opened.shared.workspace)/\(name)" }
    private func count() throws -> Int { try Reruns(opened.shared).list(WorkflowQuery()).count }

    @Test func anImportedWorkflowExportsToTheSameBytes() async throws {
        let id = try await ran()
        let first = try await bundles.write(id, to: "w1.zip")
        #expect(first.workflow == id && first.title == "Test" && first.path == path("w1.zip") && !first.isHeld)
        #expect(first.contents > 0 && first.withheld == 0 && first.bytes == ScratchFolder.bytes(first.path)?.count)
        let read = try await bundles.read("w1.zip")
        #expect(read.workflow == WorkflowID(2) && read.title == "Test" && !read.isHeld)
        #expect(read.contents == first.contents && read.bytes == first.bytes)
        _ = try await bundles.write(read.workflow, to: path("w2.zip"))
        #expect(ScratchFolder.bytes(path("w2.zip")) == ScratchFolder.bytes(path("w1.zip")))
        let record = try #require(try records.summary(read.workflow)).record
        #expect(record.outcome == .succeeded && record.mode == .adaptive && record.workspace == opened.shared.workspace)
        #expect(try records.assets(read.workflow).allSatisfy { $0.run.step.workflow == read.workflow })
    }

    /// An imported workflow never runs by itself, and no yes comes with it.
    @Test func anUnfinishedWorkflowWaitsForItsRelease() async throws {
        let id = try await ran(mode: .alwaysAsk)
        _ = try await bundles.write(id, to: "w1.zip")
        let read = try await bundles.read("w1.zip")
        #expect(read.isHeld)
        let diagnostics = Diagnostics(opened.shared)
        #expect(try diagnostics.quarantined().map { [$0.workflow: $0.cause] } == [[read.workflow: .imported]])
        let before = try records.steps(read.workflow)
        try await opened.work()
        #expect(try records.steps(read.workflow) == before && !ScratchFolder.exists(path("note.txt")))
        try diagnostics.release(read.workflow, asItIs: false)
        #expect(try diagnostics.quarantined().isEmpty)
        let again = #expect(throws: Failure.self) { try diagnostics.release(read.workflow, asItIs: false) }
        #expect(again?.code == "notHeld")
    }

    @Test func aContentWithKeysStaysHere() async throws {
        let key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"
        _ = try opened.write(Array("It is \(key).".utf8), to: "note.md")
        let id = try await opened.ran([("read", "ReadFile", ["path": "note.md"])])
        let written = try await bundles.write(id, to: "w1.zip")
        #expect(written.withheld == 1)
        let bytes = try #require(ScratchFolder.bytes(path("w1.zip")))
        #expect(!String(decoding: bytes, as: UTF8.self).contains(key))
        let read = try await bundles.read("w1.zip")
        #expect(read.withheld == 1 && read.contents == written.contents)
    }

    // MARK: Refusals

    @Test func anExportReplacesNoFileAndNeedsItsFolder() async throws {
        let id = try await ran()
        _ = try opened.write([1], to: "w1.zip")
        for (workflow, file, code) in [
            (id, "w1.zip", "targetExists"), (WorkflowID(7), "w7.zip", "unknownWorkflow"),
            (id, path("nowhere/w1.zip"), "unknownFile"),
        ] {
            let failure = await #expect(throws: Failure.self) { try await bundles.write(workflow, to: file) }
            #expect(failure?.code.text == code, "\(file): \(failure.map { "\($0)" } ?? "none")")
        }
        #expect(ScratchFolder.bytes(path("w1.zip")) == [1])
        #expect(ScratchFolder.names(in: opened.shared.workspace) == ["note.txt", "w1.zip"], "Nothing is left behind.")
    }

    @Test(arguments: [("nothing.zip", "unknownFile"), ("note.txt", "badBundle"), ("", "notAFile")])
    func whatIsNoBundleIsRefused(file: String, code: String) async throws {
        _ = try opened.write(Array("{}".utf8), to: "note.txt")
        let failure = await #expect(throws: Failure.self) { try await bundles.read(file) }
        #expect(failure?.code.text == code, "\(failure.map { "\($0)" } ?? "none")")
        #expect(try count() == 0)
    }

    @Test(arguments: 0..<6) func aBundleThatSomethingHappenedToIsRefusedWhole(seed: Int) async throws {
        let whole = try await {
            _ = try await bundles.write(try await ran(), to: "w1.zip")
            return try #require(ScratchFolder.bytes(path("w1.zip")))
        }()
        let contents = ScratchFolder.files(under: "\(opened.shared.folders.data)/assets").count
        var random = Seeded(UInt64(seed))
        for _ in 0..<5 {
            var changed = whole
            changed[Int.random(in: 0..<changed.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            _ = try opened.write(changed, to: "changed.zip")
            let failure = await #expect(throws: Failure.self) { try await bundles.read("changed.zip") }
            #expect(failure?.code == "badBundle")
        }
        #expect(try count() == 1)
        #expect(ScratchFolder.files(under: "\(opened.shared.folders.data)/assets").count <= contents + 1)
    }
}
