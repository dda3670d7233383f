import CaseNames
import Consent
@testable import Files
import Foundation
import Glibc
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Archives that are unpacked into a new folder: good ones, and such as were made to do harm.
@Suite(.process) struct UnpackTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    /// Makes an archive with Python, whose writers take any name. `z` is a zip file, `t` a tar file, `g` a tar.gz.
    private func archive(_ lines: String..., name: String, in other: Lab? = nil) throws -> Asset {
        let lab = other ?? lab
        let head = """
            import io, os, stat, tarfile, zipfile
            n = 'made.bin'
            def link(name, target):
                i = zipfile.ZipInfo(name); i.create_system = 3; i.external_attr = (stat.S_IFLNK | 0o777) << 16
                z.writestr(i, target)
            def add(name, data=b'x', kind=tarfile.REGTYPE, to='', size=None, mode=0o644):
                i = tarfile.TarInfo(name); i.type = kind; i.linkname = to; i.mode = mode
                i.size = len(data) if kind == tarfile.REGTYPE else 0
                t.addfile(i, io.BytesIO(data))

            """
        let open =
            name.hasSuffix(".zip")
            ? "z = zipfile.ZipFile(n, 'w', zipfile.ZIP_DEFLATED)\n"
            : "t = tarfile.open(n, 'w\(name.hasSuffix("gz") ? ":gz" : "")', format=tarfile.GNU_FORMAT)\n"
        let folder = lab.root + "/make"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let close = name.hasSuffix(".zip") ? "z.close()\n" : "t.close()\n"
        // What comes after `---` works on the closed file.
        let parts = lines.joined(separator: "\n").split(separator: "\n---\n", maxSplits: 1).map { String($0) }
        let after = parts.count > 1 ? parts[1] : ""
        try Lab.program(["python3", "-c", head + open + parts[0] + "\n" + close + after], in: folder)
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: folder + "/made.bin")))
        return try lab.asset(bytes, .file, name: name)
    }

    private func unpack(_ asset: Asset, _ folder: String? = nil, in other: Lab? = nil) async throws -> String {
        let lab = other ?? lab
        let params: JSON = folder.map { ["folder": .string($0)] } ?? [:]
        return try lab.text(
            try #require(try await lab.run("Unpack", params, [("file", asset)]).first { $0.port == "text" }))
    }

    private func code(_ asset: Asset, _ folder: String? = nil, in other: Lab? = nil) async -> String {
        do { return "unpacked: " + (try await unpack(asset, folder, in: other)) } catch {
            return (error as? Failure)?.code.text ?? "\(error)"
        }
    }

    /// All that is in the workspace, hidden things too.
    private func everything(in other: Lab? = nil) -> [String] {
        (FileManager.default.enumerator(atPath: (other ?? lab).workspace)?.allObjects as? [String] ?? []).sorted()
    }

    private static let good = (
        zip:
            "z.writestr('a.txt', 'one'); z.writestr('b/c d.txt', 'two'); z.writestr('é.txt', 'three'); z.writestr('empty/', '')",
        tar:
            "add('a.txt', b'one'); add('b', kind=tarfile.DIRTYPE, mode=0o755); add('b/c d.txt', b'two'); add('é.txt', b'three')"
    )

    @Test func anArchiveIsUnpackedIntoANewFolder() async throws {
        for name in ["photos.zip", "p.tar", "q.tar.gz", "r.tgz"] {
            let asset = try archive(name.hasSuffix("zip") ? Self.good.zip : Self.good.tar, name: name)
            let folder = String(name.prefix { $0 != "." })
            #expect(try await unpack(asset) == "\(folder)/a.txt\n\(folder)/b/c d.txt\n\(folder)/é.txt\n")
            #expect(lab.read("\(folder)/a.txt") == "one" && lab.read("\(folder)/b/c d.txt") == "two")
            #expect(lab.read("\(folder)/é.txt") == "three")
            #expect(await code(asset) == "targetExists")
        }
        #expect(lab.names("photos") == ["a.txt", "b", "empty", "é.txt"])
        let zip = try archive(Self.good.zip, name: "x.zip")
        #expect(try await unpack(zip, "deep/new").hasPrefix("new/a.txt\n") && lab.read("deep/new/a.txt") == "one")
        try FileManager.default.createDirectory(atPath: lab.path("empty"), withIntermediateDirectories: true)
        #expect(try await unpack(zip, "empty").hasPrefix("empty/a.txt\n") && lab.read("empty/a.txt") == "one")
        try lab.write("file", "mine")
        #expect(await code(zip, "file") == "targetExists" && lab.read("file") == "mine")
        #expect(lab.names().allSatisfy { !$0.hasPrefix(".") })
    }

    @Test func rightsAndInnerLinksAreKeptWithinReason() async throws {
        let tar = try archive(
            """
            add('run.sh', mode=0o4777); add('shut/a', mode=0)
            add('d/link', kind=tarfile.SYMTYPE, to='../run.sh'); add('hard', kind=tarfile.LNKTYPE, to='run.sh')
            """, name: "x.tar")
        #expect(try await unpack(tar) == "x/d/link\nx/hard\nx/run.sh\nx/shut/a\n")
        var status = stat()
        #expect(lstat(lab.path("x/run.sh"), &status) == 0 && status.st_mode & 0o7100 == 0o100 && status.st_nlink == 1)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: lab.path("x/d/link")) == "../run.sh")
        #expect(lab.read("x/shut/a") == "x" && lab.read("x/hard") == "x")
    }

    /// In the sandbox, and where there is none: then the programs themselves and the checks afterwards hold it.
    @Test(arguments: [false, true]) func hostileArchivesLeaveNothing(isBare: Bool) async throws {
        let lab = isBare ? try Lab(sandbox: .none("none for a test")) : lab
        let rows: [(name: String, lines: String, codes: Set<String>)] = [
            ("slip.zip", "z.writestr('a.txt', 'x'); z.writestr('../out.txt', 'x')", ["leadsOut"]),
            ("deep-slip.zip", "z.writestr('a/../../out.txt', 'x')", ["leadsOut"]),
            ("absolute.zip", "z.writestr('/tmp/assent-out.txt', 'x')", ["leadsOut"]),
            ("windows.zip", "z.writestr('..\\\\out.txt', 'x')", ["badName"]),
            ("drive.zip", "z.writestr('C:/out.txt', 'x')", ["leadsOut"]),
            ("link.zip", "link('l', '/etc/passwd')", ["leadsOut"]),
            ("link-up.zip", "link('a/l', '../../out')", ["leadsOut"]),
            ("link-through.zip", "link('l', '/tmp'); z.writestr('l/assent-out.txt', 'x')", ["badArchive"]),
            (
                "link-inside-through.zip", "link('l', 'd'); z.writestr('d/a', 'x'); z.writestr('l/b', 'x')",
                ["badArchive"]
            ),
            ("tricky-link.zip", "link('p/q/d', '.'); link('x', 'p/q/d/../../..')", ["leadsOut"]),
            ("newline.zip", "z.writestr('a\\nb', 'x')", ["badName"]),
            ("escape.zip", "z.writestr('a\\x1b[2Jb', 'x')", ["badName"]),
            (
                "password.zip",
                """
                z.writestr('a.txt', 'x')
                ---
                os.mkdir('s'); open('s/a.txt', 'w').write('secret')
                os.remove(n); os.system('zip -q -j -P hunter2 made.zip s/a.txt'); os.rename('made.zip', n)
                """, ["needsPassword"]
            ),
            ("bomb.zip", "z.writestr('zeros', bytes(80 << 20))", ["tooLarge"]),
            (
                "lying-bomb.zip",
                """
                z.writestr('zeros', bytes(80 << 20))
                ---
                import struct
                b = open(n, 'rb').read().replace(struct.pack('<I', 80 << 20), struct.pack('<I', 80)); open(n, 'wb').write(b)
                """, ["fileDamaged"]
            ),
            (
                "other-name.zip",
                """
                z.writestr('a.txt', 'x')
                ---
                b = open(n, 'rb').read(); open(n, 'wb').write(b.replace(b'a.txt', b'b.txt', 1))
                """, ["badArchive"]
            ),
            (
                "unknown-method.zip",
                """
                z.writestr('a.txt', 'x')
                ---
                b = bytearray(open(n, 'rb').read()); b[b.index(b'PK\\x01\\x02') + 10] = 97; open(n, 'wb').write(b)
                """, ["badArchive"]
            ),
            (
                "lying-count.zip",
                """
                z.writestr('a', 'x'); z.writestr('b', 'x')
                ---
                b = bytearray(open(n, 'rb').read()); e = b.rindex(b'PK\\x05\\x06'); b[e + 8] = b[e + 10] = 1; open(n, 'wb').write(b)
                """, ["badArchive"]
            ),
            (
                "device.zip",
                "i = zipfile.ZipInfo('d'); i.create_system = 3; i.external_attr = 0o020666 << 16; z.writestr(i, '')",
                ["badArchive"]
            ),
            ("many.zip", "for i in range(20_001): z.writestr(str(i), '')", ["tooLarge"]),
            ("deep.zip", "z.writestr('d/' * 40 + 'a', 'x')", ["badName"]),
            ("long.zip", "z.writestr('n' * 300, 'x')", ["badName"]),
            (
                "cut.zip", "z.writestr('a', 'x' * 999)\n---\nb = open(n, 'rb').read(); open(n, 'wb').write(b[:-30])",
                ["fileDamaged"]
            ),
            (
                "damaged.zip",
                "z.writestr('a', os.urandom(5000))\n---\nb = bytearray(open(n, 'rb').read()); b[3000] ^= 255; open(n, 'wb').write(b)",
                ["fileDamaged"]
            ),
            ("slip.tar", "add('a'); add('../out.txt')", ["leadsOut"]),
            ("absolute.tar.gz", "add('/tmp/assent-out.txt')", ["leadsOut"]),
            ("link.tar", "add('l', kind=tarfile.SYMTYPE, to='/etc/passwd')", ["leadsOut"]),
            ("link-up.tgz", "add('a/l', kind=tarfile.SYMTYPE, to='../../out')", ["leadsOut"]),
            ("link-through.tar", "add('l', kind=tarfile.SYMTYPE, to='/tmp'); add('l/assent-out.txt')", ["badArchive"]),
            ("hard-link-out.tar", "add('l', kind=tarfile.LNKTYPE, to='/etc/passwd')", ["badArchive"]),
            ("device.tar", "add('null', kind=tarfile.CHRTYPE)", ["badArchive"]),
            ("pipe.tar", "add('p', kind=tarfile.FIFOTYPE)", ["badArchive"]),
            ("folder-link.tar", "add('d/a'); add('l', kind=tarfile.SYMTYPE, to='d')", ["badArchive"]),
            ("dangling.tar", "add('l', kind=tarfile.SYMTYPE, to='later')", ["badArchive"]),
            (
                "circle.tar", "add('l', kind=tarfile.SYMTYPE, to='m'); add('m', kind=tarfile.SYMTYPE, to='l')",
                ["badArchive"]
            ),
            ("newline.tar", "add('a\\nb')", ["badName"]), ("latin.tar", "add('\\udce4.txt')", ["badName"]),
            ("backslash.tar", "add('a\\\\b')", ["badName"]),
            ("bomb.tar.gz", "add('zeros', bytes(80 << 20))", ["tooLarge"]),
            ("many.tar", "for i in range(20_001): add(str(i), b'')", ["tooLarge"]),
            (
                "cut.tar.gz",
                "add('a', os.urandom(9999))\n---\nb = open(n, 'rb').read(); open(n, 'wb').write(b[:-3000])",
                ["fileDamaged"]
            ),
            ("empty.zip", "pass", ["badArchive"]), ("empty.tar", "pass", ["badArchive"]),
            ("text.zip", "z.writestr('a', 'x')\n---\nopen(n, 'w').write('hello')", ["badArchive"]),
            ("gzip.tar.gz", "add('a')\n---\nimport gzip; gzip.open(n, 'w').write(b'no archive')", ["badArchive"]),
        ]
        try lab.write("mine.txt", "mine")
        var seen: [(name: String, codes: Set<String>, code: String, left: [String])] = []
        for row in rows {
            let found = await code(try archive(row.lines, name: row.name, in: lab), "new", in: lab)
            seen.append((row.name, row.codes, found, everything(in: lab)))
            try? FileManager.default.removeItem(atPath: lab.root + "/make")
        }
        expectNoFaults(in: seen) { row in
            (row.codes.contains(row.code) ? [] : ["\(row.name): \(row.code)"])
                + (row.left == ["mine.txt"] ? [] : ["\(row.name) left \(row.left)"])
        }
        #expect(access("/tmp/assent-out.txt", F_OK) != 0)
        for name in ["/out.txt", "/out"] { #expect(!FileManager.default.fileExists(atPath: lab.root + name)) }
    }

    @Test func aQuestionNamesWhatComes() throws {
        let asset = try archive("z.writestr('b/Makefile', 'x'); z.writestr('a.txt', 'x')", name: "x.zip")
        let call = try lab.toolbox.prepare(try lab.assignment("Unpack", [:], [("file", asset)]))
        #expect(call.targets.map(\.path) == ["x", "x/b/Makefile", "x/a.txt"].map { lab.path($0) })
        #expect(call.targets.allSatisfy { $0.effect == .creates && $0.before == .absent && $0.reach == .workspace })
        let many = try archive("for i in range(600): add(str(i))", name: "many.tar.gz")
        let told = try lab.toolbox.prepare(try lab.assignment("Unpack", [:], [("file", many)]))
        #expect(
            told.targets.count == 1 && told.targets[0].change?.kind == .folder && told.targets[0].change?.entries == 601
        )
        let outside = try lab.toolbox.prepare(
            try lab.assignment("Unpack", ["folder": .string(lab.root + "/new")], [("file", asset)]))
        #expect(outside.reach == .outside)
        let own = #expect(throws: Failure.self) {
            try lab.toolbox.prepare(
                try lab.assignment("Unpack", ["folder": .string(lab.own.data + "/new")], [("file", asset)]))
        }
        #expect(own?.code == "ownFolder")
    }

    /// What comes is judged by its names: a build file, a hook, or names that nobody could read one by one.
    @Test func adaptiveModeAsksForWhatWouldRunLater() throws {
        let rows: [(name: String, lines: String, asks: Bool)] = [
            ("plain.zip", Self.good.zip, false), ("plain.tar.gz", Self.good.tar, false),
            ("build.zip", "z.writestr('a/Makefile', 'x')", true), ("hook.tgz", "add('.git/hooks/pre-commit')", true),
            ("unseen.zip", "z.writestr('a\\u200bb/c.txt', 'x')", true), ("dash.tar", "add('-rf')", true),
            ("many.tar", "for i in range(\(Limits.unpackedTargets + 1)): add(str(i))", true),
        ]
        let policy = try EverydayTests.builtInPolicy()
        let surroundings = Surroundings(
            workspace: lab.workspace, ownFolders: [lab.own.config, lab.own.data, lab.own.cache])
        var seen: [(name: String, asks: Bool, found: String)] = []
        for row in rows {
            let call = try lab.toolbox.prepare(
                try lab.assignment("Unpack", ["folder": "new"], [("file", try archive(row.lines, name: row.name))]))
            let decision = policy.decide(call, mode: .adaptive, in: surroundings, at: Moment(milliseconds: 0))
            seen.append((row.name, row.asks, decision.name))
        }
        expectNoFaults(in: seen) { $0.found == ($0.asks ? "ask" : "allow") ? [] : ["\($0.name): \($0.found)"] }
    }

    @Test func aFolderThatAppearedAfterTheYesIsLeftAlone() async throws {
        let assignment = try lab.assignment("Unpack", [:], [("file", try archive(Self.good.zip, name: "x.zip"))])
        let call = try lab.toolbox.prepare(assignment)
        try lab.write("x/mine.txt", "mine")
        let toolbox = lab.toolbox
        let ending = await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }
        #expect(ending.failure != nil && everything() == ["x", "x/mine.txt"])
    }

    /// If the engine ends in between, what was begun is taken away, and what was done is not done twice.
    @Test func whatWasCutIsFinishedOrTakenAway() async throws {
        let assignment = try lab.assignment("Unpack", [:], [("file", try archive(Self.good.zip, name: "x.zip"))])
        let hidden = ".assent-1-1.part"
        try lab.write(hidden + "/half/a.txt", "x")
        func inode(_ name: String) -> (UInt64, UInt64) {
            var status = stat()
            lstat(lab.path(name), &status)
            return (UInt64(status.st_dev), UInt64(status.st_ino))
        }
        let (device, number) = inode(hidden)
        let folder = RunFolder(assignment.runFolder)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.write(FileIntent(path: lab.path("x"), device: device, inode: number, hidden: lab.path(hidden)))
        #expect(lab.toolbox.adopt(assignment) == .gone && everything().isEmpty)
        try lab.write("x/a.txt", "x")
        let (newDevice, newNumber) = inode("x")
        try folder.write(FileIntent(path: lab.path("x"), device: newDevice, inode: newNumber, hidden: lab.path(hidden)))
        guard case .finished(.succeeded(let assets)) = lab.toolbox.adopt(assignment) else {
            Issue.record("not adopted")
            return
        }
        #expect(try lab.text(try #require(assets.first { $0.port == "text" })) == "x/a.txt\n")
    }

    @Test func onlyLinksThatStayInsideAreTaken() {
        let rows: [(target: String, depth: Int, stays: Bool)] = [
            ("a", 0, true), ("a/b", 0, true), ("./a", 0, true), ("../a", 0, false), ("../a", 1, true),
            ("../../a", 1, false),
            ("..", 1, true),
            ("..", 0, false), ("/a", 5, false), ("", 1, false), ("a/../b", 5, false), (".././../a", 2, true),
            ("./../..", 1, false),
            ("a/..", 1, false),
        ]
        expectNoFaults(in: rows) { row in
            UnpackedTree.staysInside(row.target, depth: row.depth) == row.stays ? [] : ["\(row.target) at \(row.depth)"]
        }
    }

    /// A writer of zip files that knows no UTF-8, and one that does not mark it.
    @Test(arguments: [
        ("caf\\x82.txt", "latin1", "café.txt", true), ("caf\\xc3\\xa9.txt", "latin1", "café.txt", false),
        ("\\xe4q.txt", "latin1", "Σq.txt", true),
    ])
    func aNameWithoutTheMarkIsReadAndTold(raw: String, encoding: String, name: String, isTold: Bool) async throws {
        let asset = try archive(
            """
            class Raw(zipfile.ZipInfo):
                def _encodeFilenameFlags(self): return self.filename.encode('\(encoding)'), self.flag_bits
            z.writestr(Raw('\(raw)'), b'x'); z.writestr('plain.txt', b'y')
            """, name: "a.zip")
        let made = try await lab.run("Unpack", [:], [("file", asset)])
        #expect(Set(lab.names("a")) == [name, "plain.txt"])
        #expect(made.allSatisfy { ($0.warning?.contains(name) ?? false) == isTold }, "\(made)")
    }

    @Test(arguments: ["a.zip", "a.tar"]) func aNameThatComesTwiceIsTold(name: String) async throws {
        let add =
            name.hasSuffix("zip") ? "z.writestr('x', b'1'); z.writestr('x', b'2')" : "add('x', b'1'); add('x', b'2')"
        let made = try await lab.run("Unpack", [:], [("file", try archive(add, name: name))])
        #expect(lab.read("a/x") == "2")
        #expect(made.allSatisfy { $0.partial == [LeftOut(.repeated, 1, names: ["x"])] }, "\(made)")
    }

    /// m7: two names that look alike, from one archive.
    @Test func namesThatLookAlikeAreAskedAbout() throws {
        let asset = try archive("z.writestr('n/notes.txt', b'1'); z.writestr('n/n\\u043Etes.txt', b'2')", name: "a.zip")
        let call = try lab.toolbox.prepare(lab.assignment("Unpack", [:], [("file", asset)]))
        #expect(call.targets.map(\.resembles).contains("notes.txt"), "\(call.targets)")
        let surroundings = Surroundings(workspace: lab.workspace, home: "/home/ana")
        let decision = Policy.modesOnly.decide(call, mode: .adaptive, in: surroundings, at: Moment(milliseconds: 0))
        #expect(decision.name == "ask", "\(decision)")
    }

    /// A folder that only its owner may enter stays so: what lies in it may be readable for all.
    @Test(arguments: ["a.zip", "a.tar"]) func aPrivateFolderStaysPrivate(name: String) async throws {
        let add =
            name.hasSuffix("zip")
            ? "i = zipfile.ZipInfo('p/'); i.create_system = 3; i.external_attr = (stat.S_IFDIR | 0o700) << 16; z.writestr(i, b'')\nz.writestr('p/x', b'1')"
            : "add('p', kind=tarfile.DIRTYPE, mode=0o700); add('p/x', b'1')"
        _ = try await unpack(archive(add, name: name))
        var status = Glibc.stat()
        #expect(lstat(lab.path("a/p"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
}
