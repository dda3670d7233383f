import CaseNames
@testable import Files
import Foundation
import Glibc
import Harness
@testable import Pictures
@testable import Sandbox
import Synchronization
import Testing
import Vocabulary

/// Makes a file as old as that.
func setAge(of path: String, to moment: Moment) {
    let time = timespec(tv_sec: Int(moment.milliseconds / 1000), tv_nsec: 0)
    #expect([time, time].withUnsafeBufferPointer { utimensat(AT_FDCWD, path, $0.baseAddress, 0) } == 0)
}

private let longAgo = Moment(milliseconds: 1_600_000_000_000)

@Suite struct AssetUseTests {
    @Test func theStoreSaysWhatItHoldsAsTheFileSystemDoes() throws {
        let lab = try Lab()
        let contents = try (0..<20).map { try lab.store.add([UInt8](repeating: UInt8($0), count: $0 * 10)) }
        let found = lab.store.contents()
        #expect(
            Set(found.map(\.hash)) == Set(contents.map(\.hash))
                && found.map(\.hash.hex) == found.map(\.hash.hex).sorted())
        #expect(found.reduce(0) { $0 + $1.bytes } == (0..<20).reduce(0) { $0 + $1 * 10 })
        // What does not belong there is passed over.
        #expect(FileManager.default.createFile(atPath: lab.store.folder + "/ab/notes.txt", contents: Data()) || true)
        #expect(lab.store.contents().count == 20)
    }

    @Test func onlyWhatIsOldIsFreedAndWhatIsAddedAgainIsYoung() throws {
        let lab = try Lab()
        let (old, young, again) = (try lab.store.add("old"), try lab.store.add("young"), try lab.store.add("again"))
        for content in [old, again] { setAge(of: lab.store.path(content.hash), to: longAgo) }
        let cutoff = longAgo + 60
        let stored = lab.store.contents()
        // After the look, before the axe: the same bytes come once more.
        _ = try lab.store.add("again")
        #expect(try lab.store.free(stored, olderThan: cutoff).map(\.hash) == [old.hash])
        #expect(Set(lab.store.contents().map(\.hash)) == [young.hash, again.hash])
        // By file, too.
        setAge(of: lab.store.path(again.hash), to: longAgo)
        try lab.write("again.txt", "again")
        _ = try lab.store.add(file: lab.path("again.txt"))
        #expect(try lab.store.free(lab.store.contents(), olderThan: cutoff).isEmpty)
    }

    /// One adds the same contents again and again while another frees: whatever was said to be there is there.
    @Test func whatWasAddedIsThereWhileAnotherFrees() async throws {
        let lab = try Lab()
        let store = lab.store
        let texts = (0..<50).map { "text \($0)" }
        let isDone = Mutex(false)
        let missing = Mutex(0)
        async let freeing: Void = onOwnThread {
            while !isDone.withLock({ $0 }) {
                for content in store.contents() {
                    // Half of the time it looks old.
                    if content.bytes % 2 == 0 {
                        _ = utimensat(
                            AT_FDCWD, store.path(content.hash),
                            [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)], 0)
                    }
                }
                _ = try store.free(store.contents(), olderThan: Moment(milliseconds: 5_000))
            }
        }
        try await onOwnThread {
            for _ in 0..<40 {
                for text in texts {
                    let content = try store.add(text)
                    // Made old by the other at any time, so it may be gone; but what is there is whole.
                    if let size = store.size(of: content.hash), size != text.utf8.count { missing.withLock { $0 += 1 } }
                }
            }
            isDone.withLock { $0 = true }
        }
        try await freeing
        #expect(missing.withLock { $0 } == 0)
        for text in texts { #expect(try store.isSound(store.add(text).hash, bytes: text.utf8.count)) }
    }

    @Test func aContentThatWasChangedIsNotSound() throws {
        let lab = try Lab()
        let content = try lab.store.add("hello")
        #expect(lab.store.isSound(content.hash, bytes: 5) && !lab.store.isSound(content.hash, bytes: 6))
        chmod(lab.store.path(content.hash), 0o600)
        try Data("jello".utf8).write(to: URL(fileURLWithPath: lab.store.path(content.hash)))
        #expect(!lab.store.isSound(content.hash, bytes: 5))
    }

    @Test func notesBesideRunFoldersNameContents() throws {
        let lab = try Lab()
        let runs = RunFolders(folder: lab.root + "/runs")
        try FileManager.default.createDirectory(atPath: runs.folder + "/w3/1-1", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: runs.folder + "/other", withIntermediateDirectories: true)
        let hash = ContentHash.of("x")
        try Data(#"{"assets":[{"sha256":"\#(hash.hex)"}]}"#.utf8).write(
            to: URL(fileURLWithPath: runs.folder + "/w3/1-1.result"))
        #expect(runs.workflows == [WorkflowID(3)] && runs.contentsNoted(by: WorkflowID(3)) == [hash])
        #expect(runs.files(of: WorkflowID(3)).count == 1 && runs.contentsNoted(by: WorkflowID(4)).isEmpty)
        runs.remove(WorkflowID(3))
        #expect(runs.workflows.isEmpty)
    }
}

@Suite(.process) struct PictureCacheTests {
    private func cache(_ lab: Lab, _ sandbox: Isolation = .here) -> PictureCache {
        PictureCache(folder: lab.own.cache, store: lab.store, sandbox: sandbox)
    }

    @Test(arguments: [("a.jpg", 800, 600, 256, 192), ("b.png", 100, 50, 100, 50), ("c.webp", 300, 900, 85, 256)])
    func aThumbnailFitsItsSquareAndIsMadeOnce(name: String, width: Int, height: Int, wide: Int, high: Int) throws {
        let lab = try Lab()
        let out = "out." + (name as NSString).pathExtension
        let picture = try lab.picture(
            name, [["vips", "gaussnoise", "n.v", "\(width)", "\(height)"], ["vips", "copy", "n.v", out]])
        let pictures = cache(lab)
        #expect(pictures.made(.thumbnails, of: picture.hash) == nil)
        let path = try pictures.picture(.thumbnails, of: picture)
        let header = try #require(ImageHeader.read(path))
        #expect(
            header.format == "png" && abs(header.width! - wide) <= 1 && abs(header.height! - high) <= 1, "\(header)")
        let made = try #require(Keepsake(path)).modified
        setAge(of: path, to: longAgo)
        #expect(try pictures.picture(.thumbnails, of: picture) == path)
        // Used now.
        #expect(Keepsake(path)!.modified >= made && pictures.made(.thumbnails, of: picture.hash) == path)
        #expect(pictures.leftovers().isEmpty && pictures.all(.previews).isEmpty)
        let preview = try pictures.picture(.previews, of: picture)
        #expect(ImageHeader.read(preview)?.width == width)
    }

    @Test func whatIsNoPictureIsSaidSo() throws {
        let lab = try Lab()
        let failure = #expect(throws: Failure.self) {
            _ = try cache(lab).picture(.thumbnails, of: try lab.asset("hello"))
        }
        #expect(failure?.code == "notAPicture")
        let broken = try lab.asset(
            [0x89] + Array("PNG\r\n\u{1A}\nbroken and not a picture at all".utf8), .image, name: "x.png")
        let second = #expect(throws: Failure.self) { _ = try cache(lab).picture(.thumbnails, of: broken) }
        #expect(second?.code == "fileDamaged")
        var gone = broken
        gone.hash = .of("nothing")
        let third = #expect(throws: Failure.self) { _ = try cache(lab).picture(.thumbnails, of: gone) }
        #expect(third?.code == "pinnedInputMissing")
        #expect(cache(lab).leftovers().isEmpty && cache(lab).all(.thumbnails).isEmpty)
    }

    private func put(_ lab: Lab, _ kind: PictureCache.Kind, _ letter: Character, bytes: Int, age: Double) throws
        -> ContentHash
    {
        let hash = ContentHash(hex: String(repeating: letter, count: 64))
        let folder = "\(lab.own.cache)/\(kind.rawValue)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: "\(folder)/\(hash.hex).png", contents: Data(count: bytes)))
        setAge(of: "\(folder)/\(hash.hex).png", to: longAgo + -age)
        return hash
    }

    /// Those used longest ago give way, and no more of them than must; what is kept offline goes last.
    @Test func thumbnailsGiveWayInTheOrderOfTheirUse() throws {
        let lab = try Lab()
        for (letter, age) in zip("abcde", [50.0, 40, 30, 20, 10]) {
            _ = try put(lab, .thumbnails, letter, bytes: 100, age: age)
        }
        let pictures = cache(lab)
        func letters(_ limit: Int, kept: Set<ContentHash> = []) -> String {
            pictures.thumbnailsTooMany(limit: limit, kept: kept).map { String($0.name.prefix(1)) }.joined()
        }
        #expect(
            letters(500) == "" && letters(499) == "a" && letters(400) == "a" && letters(250) == "abc"
                && letters(0) == "abcde")
        let kept = ContentHash(hex: String(repeating: "a", count: 64))
        #expect(letters(400, kept: [kept]) == "b" && letters(0, kept: [kept]) == "bcdea")
    }

    @Test func previewsGoAfterTheirTimeUnlessTheyAreKept() throws {
        let lab = try Lab()
        let kept = try put(lab, .previews, "a", bytes: 10, age: 900)
        _ = try put(lab, .previews, "b", bytes: 10, age: 900)
        _ = try put(lab, .previews, "c", bytes: 10, age: 10)
        let pictures = cache(lab)
        #expect(pictures.previews(before: longAgo + -100, kept: [kept]).map { String($0.name.prefix(1)) } == ["b"])
        #expect(pictures.previews(kept: [kept]).map { String($0.name.prefix(1)) } == ["b", "c"])
    }
}
