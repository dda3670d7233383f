import CaseNames
@testable import Files
import Foundation
import JSON
import Testing
import Vocabulary

/// Archives that are packed, read again by the programs for them.
@Suite(.process) struct ArchiveToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private func pack(_ names: [(String, String)], _ params: JSON = [:]) async throws -> Asset {
        let inputs = try names.enumerated().map { index, file in
            ("files.\(index + 1)", try lab.asset(file.1, .file, name: file.0))
        }
        return try #require(try await lab.run("Tar", params, inputs).first)
    }

    @Test func filesArePackedUnderTheirNames() async throws {
        let asset = try await pack([
            ("b.txt", "two"), ("-rf", "dash"), ("a b.txt", "one"), ("b.txt", "three"), ("a\nb", "x"), ("é.txt", "e"),
        ])
        #expect(asset.name == "files.tar.gz" && asset.port == "file")
        try Lab.program(["cp", lab.store.path(asset.hash), "a.tar.gz"], in: lab.workspace)
        let listed = try Lab.program(
            ["env", "TZ=UTC", "tar", "-tvzf", "a.tar.gz", "--full-time", "--quoting-style=literal"], in: lab.workspace)
        #expect(
            listed
                == """
                -rw-r--r-- 0/0               4 2000-01-01 12:00:00 -rf
                -rw-r--r-- 0/0               3 2000-01-01 12:00:00 a b.txt
                -rw-r--r-- 0/0               1 2000-01-01 12:00:00 a_b
                -rw-r--r-- 0/0               5 2000-01-01 12:00:00 b-1.txt
                -rw-r--r-- 0/0               3 2000-01-01 12:00:00 b.txt
                -rw-r--r-- 0/0               1 2000-01-01 12:00:00 é.txt

                """)
        try Lab.program(["tar", "-xzf", "a.tar.gz"], in: lab.workspace)
        #expect(lab.read("b.txt") == "two" && lab.read("b-1.txt") == "three" && lab.read("-rf") == "dash")
    }

    @Test func theSameFilesGiveTheSameArchive() async throws {
        let one = try await pack([("a.txt", "1"), ("b.txt", "2")])
        let other = try await pack([("b.txt", "2"), ("a.txt", "1")], ["name": "x"])
        #expect(one.hash == other.hash && other.name == "x.tar.gz")
    }

    @Test func anArchiveHasTheNameThatIsAskedFor() async throws {
        let rows: [(asked: String, name: String)] = [
            ("x.tgz", "x.tgz"), ("X.TAR.GZ", "X.TAR.GZ"), ("x.zip", "x.zip.tar.gz"), ("../x", ".._x.tar.gz"),
            ("", "file.tar.gz"),
        ]
        var seen: [(asked: String, name: String, found: String)] = []
        for row in rows {
            seen.append((row.asked, row.name, try await pack([("a", "1")], ["name": .string(row.asked)]).name))
        }
        expectNoFaults(in: seen) { $0.name == $0.found ? [] : ["\($0.asked): \($0.found)"] }
        let failure = await #expect(throws: Failure.self) { try await lab.run("Tar") }
        #expect(failure?.code == "missingInput")
    }
}
