import CaseNames
@testable import Files
import Foundation
import Glibc
import Harness
import Testing
@testable import Tools
import Vocabulary

/// The lists of archives, read without any program.
@Suite struct ArchiveListingTests {
    private func listing(_ names: [[UInt8]]) -> String {
        do throws(Failure) {
            let written = names.map { (name: $0, isFolder: $0.last == UInt8(ascii: "/")) }
            return try ArchiveListing(.tar, of: "a.tar", written).entries.map { $0.path + ($0.isFolder ? "/" : "") }
                .joined(separator: " ")
        } catch { return error.code.text }
    }

    @Test func namesAreTakenOrRefused() {
        let rows: [(names: [String], found: String)] = [
            (["a", "b/c"], "a b/c"), (["./", "./a", "b//c/"], "a b/c/"), (["a", "a", "d/", "d/"], "a d/"),
            (["é", "a b", "-rf"], "é a b -rf"),
            (["a/b", "a/"], "a/b"), (["a/", "a/b"], "a/ a/b"), ([], "badArchive"), (["a", "a/b"], "badArchive"),
            (["a/b", "a"], "badArchive"), (["/a"], "leadsOut"),
            (["../a"], "leadsOut"), (["a/.."], "leadsOut"), (["a/../b"], "leadsOut"), (["C:/a"], "leadsOut"),
            (["C:a"], "C:a"),
            (["a\\b"], "badName"), (["a\nb"], "badName"), (["a\u{7F}"], "badName"), (["a\u{85}b"], "badName"),
            (["a\u{2028}b"], "badName"),
            ([String(repeating: "n", count: 256)], "badName"),
            ([String(repeating: "d/", count: Limits.unpackedDepth) + "a"], "badName"),
            (["..a", "a..", "..."], "..a a.. ..."),
        ]
        expectNoFaults(in: rows) { row in
            let found = listing(row.names.map { Array($0.utf8) })
            return found == row.found ? [] : ["\(row.names): \(found)"]
        }
        #expect(listing([[0x61, 0xE4]]) == "badName")
        #expect(listing((0...Limits.unpackedFiles).map { Array("\($0)".utf8) }) == "tooLarge")
    }

    @Test func escapesOfTarAreRead() {
        let rows: [(line: String, name: [UInt8])] = [
            ("a b", Array("a b".utf8)), ("a\\nb", Array("a\nb".utf8)), ("\\303\\251", Array("é".utf8)),
            ("a\\\\b", Array("a\\b".utf8)),
            ("a\\", Array("a\\".utf8)), ("\\377", [0xFF]), ("\\12", Array("\\12".utf8)), ("\\q", Array("\\q".utf8)),
        ]
        expectNoFaults(in: rows) { row in
            let found = TarList.names(in: Array(row.line.utf8)).map(\.name)
            return found == [row.name] ? [] : ["\(row.line): \(found)"]
        }
    }

    /// Whatever bytes an archive has, its list is read or refused, and no name in it leads out.
    @Test func randomBytesAreReadOrRefused() throws {
        let lab = try Lab()
        var zip = try ZipWriter(in: lab.workspace)
        for name in ["a.txt", "b/c.txt", "d"] { try zip.add(name, Array("hello".utf8)) }
        _ = try zip.finish(as: lab.path("a.zip"))
        let whole = [UInt8](try #require(FileManager.default.contents(atPath: lab.path("a.zip"))))
        func read(_ bytes: [UInt8]) throws -> [String]? {
            try lab.write("changed.zip", bytes)
            let file = try OpenFile(lab.path("changed.zip"), O_RDONLY)
            do throws(Failure) {
                return try ZipDirectory.listing(of: file, "changed.zip", most: 1 << 20).entries.map(\.path)
            } catch { return nil }
        }
        #expect(try read(whole) == ["a.txt", "b/c.txt", "d"])
        for count in 0..<whole.count { #expect(try read(Array(whole.prefix(count))) == nil, "\(count) bytes") }
        // The list and the record at the end are the last 216 bytes.
        for seed in 0..<3_000 {
            var random = Seeded(UInt64(seed))
            var changed = whole
            for _ in 0..<Int.random(in: 1..<12, using: &random) {
                let place = Int.random(in: max(0, changed.count - 216)..<changed.count, using: &random)
                changed[place] = Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
            }
            for path in try read(changed) ?? [] {
                #expect(
                    !path.isEmpty && !path.hasPrefix("/") && !path.split(separator: "/").contains(".."),
                    "seed \(seed): \(path)")
            }
        }
    }

    @Test func anArchiveNamesItsFolder() {
        let rows = [
            ("photos.zip", "photos"), ("a.b.tar.gz", "a.b"), ("A.TGZ", "A"), ("x.tar", "x"), ("notes", "notes-files"),
            (".zip", ".zip-files"),
            ("../x.zip", ".._x"), ("..zip", "file"),
        ]
        expectNoFaults(in: rows) { name, folder in
            let found = UnpackTool.folderName(for: name)
            return found == folder ? [] : ["\(name): \(found)"]
        }
    }
}
