import CaseNames
import Files
import Glibc
import Harness
import JSON
import Pictures
import Services
import Storage
import Testing
import Tools
import Vocabulary

@testable import Actions

/// The space of stored assets, pins and previews (`semantics.md` 162).
@Suite struct AssetRetentionTests {
    private let opened: OpenedWorkspace
    private var retention: AssetRetention { AssetRetention(opened.shared) }
    private var store: AssetStore { get throws { try opened.shared.toolbox.get().store } }

    init() throws { opened = try OpenedWorkspace() }

    private func text(_ text: String = "hello") async throws -> WorkflowID {
        try await opened.ran([("text", "Text", ["text": .string(text)])])
    }

    private func name(_ id: WorkflowID, _ step: Int = 1, port: String? = nil) -> AssetName {
        .output(step: StepID(id, step), attempt: nil, port: port)
    }

    private func age(_ path: String, seconds: Int) {
        let time = timespec(tv_sec: Glibc.time(nil) - seconds, tv_nsec: 0)
        #expect([time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path, $0.baseAddress, 0) } == 0, "\(path)")
    }

    // MARK: Pins

    @Test func anAssetIsPinnedAndUnpinnedOnce() async throws {
        let id = try await text()
        let pinned = try retention.pin(name(id))
        #expect(pinned.isChanged && pinned.asset.bytes == 5)
        #expect(try !retention.pin(name(id, port: "text")).isChanged)
        let hash = AssetName.content(prefix: String(pinned.asset.hash.hex.prefix(8)))
        #expect(try retention.pins().map(\.hash) == [pinned.asset.hash])
        #expect(try retention.unpin(hash).isChanged && retention.pins().isEmpty)
        #expect(try !retention.unpin(name(id)).isChanged)
    }

    /// The pin has the name of an asset, since the workflow of the asset may be deleted.
    @Test func thePinOfADeletedWorkflowIsRemovedByItsName() async throws {
        let id = try await text()
        _ = try retention.pin(name(id))
        try Reruns(opened.shared).delete(id)
        #expect(try retention.unpin(name(id)).isChanged && retention.pins().isEmpty)
    }

    @Test func anAssetWhoseContentIsGoneIsNotPinned() async throws {
        let id = try await text()
        let asset = try #require(try WorkflowRecords(opened.shared).assets(id).first)
        unlink(try store.path(asset.hash))
        let failure = #expect(throws: Failure.self) { try retention.pin(name(id)) }
        #expect(failure?.code == "pinnedInputMissing")
        #expect(try retention.pins().isEmpty)
    }

    /// The use cases that name an asset.
    enum UseCase: CaseIterable {
        case pin, unpin, preview, thumbnail

        func run(_ name: AssetName, _ retention: AssetRetention) async throws {
            switch self {
            case .pin: _ = try retention.pin(name)
            case .unpin: _ = try retention.unpin(name)
            case .preview: _ = try await retention.preview(name, isSmall: false)
            case .thumbnail: _ = try await retention.preview(name, isSmall: true)
            }
        }
    }

    @Test(arguments: UseCase.allCases) func aNameMeansOneContent(useCase: UseCase) async throws {
        let unknown = try #require(AssetName(parsing: "w7.1"))
        let failure = await #expect(throws: Failure.self) { try await useCase.run(unknown, retention) }
        #expect(failure?.code == "unknownAsset")
        // A step with a text and its JSON.
        let id = try await opened.ran(
            [("text", "Text", ["text": "one two"]), ("count", "CountWords", [:])], [("text.text", "count.text")])
        let both = await #expect(throws: Failure.self) { try await useCase.run(name(id, 2), retention) }
        let remedy = try #require(both?.remedy)
        #expect(both?.code == "badUsage" && remedy.contains("w1.2.1.json") && remedy.contains("w1.2.1.text"))
        #expect(try retention.pins().isEmpty)
    }

    // MARK: Previews

    @Test func aPictureHasAPreviewAndAnotherTypeIsItsOwn() async throws {
        _ = try opened.write(MaskDrawing(width: 600, height: 40).png(), to: "wide.png")
        let id = try await opened.ran([("load", "ImageLoader", ["path": "wide.png"]), ("text", "Text", ["text": "x"])])
        let asset = try #require(try WorkflowRecords(opened.shared).assets(id).first { $0.type == .image })
        #expect(retention.thumbnail(asset.hash) == nil)
        let preview = try await retention.preview(name(id), isSmall: false)
        #expect(preview.asset == asset && preview.path.hasPrefix(opened.shared.folders.cache))
        let small = try await retention.preview(name(id), isSmall: true)
        #expect(retention.thumbnail(asset.hash) == small.path && small.path != preview.path)
        #expect(try Looks(opened.shared).content(at: small.path).meta["width"] == 256)
        let again = try await retention.preview(name(id), isSmall: true)
        #expect(again == small)
        let text = try await retention.preview(name(id, 2), isSmall: false)
        #expect(try text.path == store.path(text.asset.hash) && ScratchFolder.text(text.path) == "x")
        let failure = await #expect(throws: Failure.self) { try await retention.preview(name(id, 2), isSmall: true) }
        #expect(failure?.code == "notAPicture")
    }

    // MARK: Space

    @Test func whatNoRowNamesIsFreedAfterAnHour() async throws {
        let id = try await text()
        let named = try store.path(try #require(try WorkflowRecords(opened.shared).assets(id).first).hash)
        let (old, new) = (try store.path(store.add("left").hash), try store.path(store.add("coming").hash))
        for path in [named, old] { age(path, seconds: 7200) }
        let before = try await retention.usage()
        #expect(before.unnamed == FileAmount(files: 2, bytes: 10) && before.parts[.contents]?.files == 3)
        #expect(before.users.map(\.id) == [id] && before.userCount == 1)
        #expect(before.users.first?.own == FileAmount(files: 1, bytes: 5) && before.users.first?.title == "Test")
        #expect(before.parts[.runs]?.files ?? 0 > 0)
        let dry = try await retention.free(isDryRun: true)
        #expect(dry.isDryRun && dry.parts[.contents] == FileAmount(files: 1, bytes: 4))
        #expect(ScratchFolder.exists(old))
        let freed = try await retention.free(isDryRun: false)
        #expect(!freed.isDryRun && freed.parts == dry.parts && freed.parts[.runs] == before.parts[.runs])
        #expect(!ScratchFolder.exists(old) && ScratchFolder.exists(new) && ScratchFolder.exists(named))
        let after = try await retention.usage()
        #expect(after.parts[.runs] == FileAmount() && after.parts[.contents]?.files == 2)
        #expect(try await retention.free(isDryRun: false).total == FileAmount())
    }

    @Test func theSizesAreThoseOfTheFileSystem() async throws {
        _ = try await text()
        let usage = try await retention.usage()
        let (data, cache) = (opened.shared.folders.data, opened.shared.folders.cache)
        let files = (ScratchFolder.files(under: data) + ScratchFolder.files(under: cache)).compactMap {
            ScratchFolder.bytes($0)?.count
        }
        #expect(usage.total == FileAmount(files: files.count, bytes: files.reduce(0, +)))
        #expect(usage.kept.isEmpty && usage.parts[.database]?.bytes ?? 0 > 0)
    }

    /// An unfinished workflow needs its files.
    @Test func theFilesOfAnUnfinishedWorkflowStay() async throws {
        let id = try await opened.ran(
            [("text", "Text", ["text": "kept"]), ("write", "WriteFile", ["path": "note.txt"])],
            [("text.text", "write.text")], mode: .alwaysAsk)
        let folder = "\(opened.shared.folders.runs)/\(id)"
        try ScratchFolder.makeFolder(folder)
        let noted = try store.add("noted")
        try ScratchFolder.write(#"{"assets":[{"sha256":"\#(noted.hash.hex)"}]}"#, to: "\(folder)/2-1.result")
        for file in ScratchFolder.files(under: try store.folder) where file.hasSuffix(noted.hash.hex) {
            age(file, seconds: 7200)
        }
        #expect(try await retention.free(isDryRun: false).parts[.contents] == nil)
        #expect(ScratchFolder.exists("\(folder)/2-1.result"))
        #expect(ScratchFolder.exists(try store.path(noted.hash)))
    }
}
