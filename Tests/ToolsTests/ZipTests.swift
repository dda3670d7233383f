import CaseNames
@testable import Files
import Foundation
import Harness
import Testing
@testable import Tools
import Vocabulary

@Suite struct ZipTests {
    private func lab() throws -> (Lab, AssetStore) {
        let lab = try Lab()
        return (lab, lab.store)
    }

    private func write(_ lab: Lab, _ entries: [(String, [UInt8])], as name: String = "a.zip") throws -> String {
        var zip = try ZipWriter(in: lab.workspace)
        for (name, bytes) in entries { try zip.add(name, bytes) }
        _ = try zip.finish(as: lab.path(name))
        return lab.path(name)
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: path)))
    }

    private func refusal(_ path: String) -> String? {
        do throws(Failure) {
            let zip = try ZipReader(path)
            for name in zip.names { _ = try zip.read(name, limit: 1 << 20) }
            return nil
        } catch { return error.code.text }
    }

    @Test(.process) func whatIsWrittenIsReadAndOtherProgramsReadItToo() throws {
        let (lab, store) = try lab()
        let content = try store.add([UInt8](repeating: 7, count: 600_000))
        var zip = try ZipWriter(in: lab.workspace)
        try zip.add("manifest.json", Array("{}".utf8))
        try zip.add("empty", [])
        try zip.add("contents/\(content.hash.hex)", content.hash, of: store)
        let size = try zip.finish(as: lab.path("a.zip"))
        #expect(try bytes(lab.path("a.zip")).count == size)
        let reader = try ZipReader(lab.path("a.zip"))
        #expect(reader.names == ["contents/\(content.hash.hex)", "empty", "manifest.json"])
        #expect(try reader.read("manifest.json", limit: 10) == Array("{}".utf8) && reader.read("empty", limit: 0) == [])
        #expect(
            try reader.holds(content.hash, as: "contents/\(content.hash.hex)")
                && !reader.holds(content.hash, as: "empty"))
        let other = AssetStore(folder: lab.root + "/other")
        #expect(try reader.add("contents/\(content.hash.hex)", to: other) == content)
        #expect(try bytes(other.path(content.hash)).count == 600_000)
        #expect(
            try Lab.program(
                [
                    "python3", "-c",
                    "import zipfile,sys;z=zipfile.ZipFile('a.zip');print(z.testzip(),len(z.namelist()))",
                ], in: lab.workspace)
                == "None 3\n")
    }

    @Test func equalContentsGiveEqualFilesAndNoneIsReplaced() throws {
        let (lab, _) = try lab()
        let entries = [("a.json", Array("1".utf8)), ("b/c", Array("2".utf8))]
        let (one, two) = (try write(lab, entries, as: "1.zip"), try write(lab, entries, as: "2.zip"))
        #expect(try bytes(one) == bytes(two))
        let failure = #expect(throws: Failure.self) { _ = try write(lab, [("x", [])], as: "1.zip") }
        #expect(failure?.code == "targetExists")
        #expect(try bytes(one) == bytes(two) && lab.names() == ["1.zip", "2.zip"])
    }

    @Test func aContentThatIsNotWhatItWasIsNotGivenAway() throws {
        let (lab, store) = try lab()
        let content = try store.add(Array("hello".utf8))
        chmod(store.path(content.hash), 0o600)
        try Data("jello".utf8).write(to: URL(fileURLWithPath: store.path(content.hash)))
        var zip = try ZipWriter(in: lab.workspace)
        var failure: Failure?
        do throws(Failure) { try zip.add("contents/x", content.hash, of: store) } catch { failure = error }
        #expect(failure?.code == "contentDamaged" && lab.names().isEmpty)
    }

    @Test(arguments: [
        "", "/", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/", "a/.b", "a\\b", "a\u{0}", "ü", "a b", "C:x",
        String(repeating: "a", count: 201),
    ])
    func aNameThatLeadsElsewhereIsNone(name: String) { #expect(!ZipForm.isPlain(name)) }

    /// Every byte of it counts: whichever is changed, the file is refused, or the content is.
    @Test func everyChangedByteIsSeen() throws {
        let (lab, _) = try lab()
        let whole = try bytes(try write(lab, [("a.json", Array("hello".utf8)), ("b", Array("there".utf8))]))
        let path = lab.path("changed.zip")
        for place in whole.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[place] ^= change
                try lab.write("changed.zip", changed)
                #expect(refusal(path) != nil, "byte \(place)")
            }
        }
        for count in 0..<whole.count {
            try lab.write("changed.zip", Array(whole.prefix(count)))
            #expect(refusal(path) == "badBundle", "\(count) bytes")
        }
        try lab.write("changed.zip", whole + [0])
        #expect(refusal(path) == "badBundle")
        try lab.write("changed.zip", [0] + whole)
        #expect(refusal(path) == "badBundle")
    }

    /// What other programs make: compressed, with folders, with comments, with names of the old kind.
    @Test(.process) func aZipFileOfAnotherProgramIsRefused() throws {
        let (lab, _) = try lab()
        try lab.write("x.txt", String(repeating: "hello ", count: 100))
        try Lab.program(["zip", "-q", "deflated.zip", "x.txt"], in: lab.workspace)
        try Lab.program(["zip", "-q", "-0", "stored.zip", "x.txt"], in: lab.workspace)
        try Lab.program(
            ["python3", "-c", "import zipfile;z=zipfile.ZipFile('slip.zip','w');z.writestr('../../x','y');z.close()"],
            in: lab.workspace)
        for name in ["deflated.zip", "stored.zip", "slip.zip", "x.txt"] {
            #expect(refusal(lab.path(name)) == "badBundle", "\(name)")
        }
        #expect(
            refusal(lab.workspace) == "notAFile" && refusal(lab.path("none")) == "fileNotFound"
                && refusal("/dev/zero") == "notAFile")
    }

    @Test func randomBytesAreRefused() throws {
        let (lab, _) = try lab()
        let whole = try bytes(try write(lab, [("a.json", Array("hello".utf8)), ("b", Array("there".utf8))]))
        for seed in 0..<500 {
            var random = Seeded(UInt64(seed))
            var changed = whole
            for _ in 0..<Int.random(in: 1..<30, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                changed[place] = UInt8.random(in: 0...255, using: &random)
            }
            try lab.write("changed.zip", changed)
            #expect(changed == whole || refusal(lab.path("changed.zip")) != nil, "seed \(seed)")
        }
    }

    @Test func theChecksumIsThatOfZip() {
        var crc = CRC32()
        crc.add(Array("123456789".utf8))
        #expect(crc.value == 0xCBF4_3926)
    }
}
