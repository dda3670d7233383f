import CaseNames
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Services

/// The one reader and the one writer of files of the config folder.
@Suite struct ConfigFileTests {
    private let scratch: ScratchFolder
    private let folder: String
    private var path: String { "\(folder)/settings.yaml" }
    private var settings: Settings { Settings(folder: folder) }

    init() throws {
        scratch = try ScratchFolder()
        folder = "\(scratch.path)/config"
        mkdir(folder, 0o700)
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func clear() {
        // Also a pipe, a folder and a link to nowhere.
        unlink(path)
        rmdir(path)
    }

    // MARK: Read

    /// Bytes that are a text, and the mode that they say.
    @Test func aTextIsReadWhateverItsLineEnds() throws {
        let rows: [([UInt8], ConfirmationMode)] = [
            (Self.mark, .adaptive), (Array("\n".utf8), .adaptive), (Array("mode: auto".utf8), .auto),
            (Self.mark + Array("mode: auto\n".utf8), .auto),
            (Self.mark + Array("mode: always-ask\r\nslots: {local: 2}\r\n".utf8), .alwaysAsk),
            (Array("mode: auto # \u{FEFF}\n".utf8), .auto),
        ]
        try expectNoFaults(in: rows) { bytes, mode in
            try ScratchFolder.write(bytes, to: path)
            let (found, problems) = settings.read()
            return problems.isEmpty && (try? settings.mode()) == mode ? [] : ["\(bytes): \(found), \(problems)"]
        }
    }

    @Test func anAbsentFileIsNoFault() throws {
        #expect(settings.read().problems == [])
        #expect(try settings.mode() == .adaptive)
        #expect(Settings(folder: "\(scratch.path)/none/at/all").read().problems == [])
    }

    /// Bytes that are no text, the line, and words of the problem.
    @Test func whatIsNoTextIsRefusedWithItsLine() throws {
        func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }
        let wide = Array("mode: always-ask\n".utf16)
        let rows: [([UInt8], Int, String)] = [
            (latin("mode: always-ask\n# fa\u{E7}ade\n"), 2, "0xE7"), (latin("a\r\nb\r\n# \u{FC}\r\n"), 3, "0xFC"),
            (latin("\u{E9}"), 1, "0xE9"),
            (latin("a\rb\r\u{E9}"), 3, "0xE9"), (Array("# \u{1F600}é\n# ".utf8) + [0xC3], 2, "0xC3"),
            ([0xED, 0xA0, 0x80], 1, "UTF-8"),
            (Array("a: 1\n# ".utf8) + [0xC0, 0xAF], 2, "0xC0"), (Array("a: 1\n\u{0}".utf8), 2, "value 0"),
            ([0xFF, 0xFE] + wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, 1, "UTF-16"),
            ([0xFE, 0xFF] + wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, 1, "UTF-16"),
            (wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, 1, "UTF-16"),
        ]
        try expectNoFaults(in: rows) { bytes, line, words in
            try ScratchFolder.write(bytes, to: path)
            let problem = settings.read().problems.first
            let isTold = problem?.place == "\(path):\(line)" && problem?.message.contains(words) == true
            let isRefused = #expect(throws: Failure.self) { try settings.mode() }?.code == "badSettings"
            let isKept =
                #expect(throws: Failure.self) { try settings.setMode(.alwaysAsk) } != nil
                && ScratchFolder.bytes(path) == bytes
            return isTold && isRefused && isKept
                ? [] : ["\(bytes): \(problem.map { "\($0)" } ?? "no problem"), \(isRefused), \(isKept)"]
        }
    }

    @Test func whatIsNoFileIsRefused() throws {
        let rows: [(String, String, () -> Void)] = [
            ("folder", "it is a folder", { mkdir(self.path, 0o700) }),
            ("pipe", "it is a pipe", { mkfifo(self.path, 0o600) }),
            ("nowhere", "link to something that is missing", { symlink("/nowhere/at/all", self.path) }),
            ("circle", "circle", { symlink("settings.yaml", self.path) }),
            ("device", "it is a device", { symlink("/dev/zero", self.path) }),
            ("made up", "no file of a disk", { symlink("/proc/self/status", self.path) }),
        ]
        expectNoFaults(in: rows) { name, words, make in
            clear()
            make()
            let problems = settings.read().problems
            let isKept = (try? settings.setMode(.alwaysAsk)) == nil
            return problems.first?.message.contains(words) == true && isKept ? [] : ["\(name): \(problems), \(isKept)"]
        }
        clear()
        rmdir(folder)
        symlink("/nowhere/at/all", folder)
        #expect(settings.read().problems.count == 1, "a link to no folder is no empty folder")
        unlink(folder)
        try ScratchFolder.write("", to: folder)
        #expect(settings.read().problems.first?.message.contains("a part of its path is a file") == true)
    }

    @Test func aFileIsBounded() throws {
        try ScratchFolder.write([UInt8](repeating: 0x23, count: Limits.configBytes + 1), to: path)
        #expect(settings.read().problems.first?.code == "tooLarge")
    }

    // MARK: Written

    @Test func aChangeKeepsEveryOtherByte() throws {
        let rows: [([UInt8], [UInt8])] = [
            (
                Self.mark + Array("# é\r\nmode: adaptive\r\nslots: {local: 2}".utf8),
                Self.mark + Array("# é\r\nmode: auto\r\nslots: {local: 2}".utf8)
            ),
            (Self.mark, Self.mark + Array("mode: auto\n".utf8)), (Array("\n".utf8), Array("\nmode: auto\n".utf8)),
            (Array("budget: {workflow: 0.05}\r\n".utf8), Array("budget: {workflow: 0.05}\r\nmode: auto\r\n".utf8)),
        ]
        try expectNoFaults(in: rows) { before, after in
            try ScratchFolder.write(before, to: path)
            chmod(path, 0o640)
            try settings.setMode(.auto)
            var status = stat()
            let isKept = stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640
            let left = ScratchFolder.names(in: folder) == ["settings.yaml"]
            return ScratchFolder.bytes(path) == after && isKept && left
                ? [] : ["\(before): \(ScratchFolder.bytes(path) ?? [])"]
        }
    }

    @Test func aFormThatNoLineCanChangeIsRefusedAndKept() throws {
        let rows = ["{mode: adaptive}\n", "mode: \"adap\\\n  tive\"\n", "{slots: {local: 2}}\n"]
        try expectNoFaults(in: rows) { text in
            try ScratchFolder.write(text, to: path)
            let failure = #expect(throws: Failure.self) { try settings.setMode(.auto) }
            return failure?.remedy?.contains("mode: auto") == true && ScratchFolder.text(path) == text
                ? [] : ["\(text): \(ScratchFolder.text(path) ?? "gone")"]
        }
    }

    /// Whatever its form: quotes, an alias of the word in a flow, a tag, and a value that no change of one line could
    /// write.
    @Test func whatIsSetAlreadyIsNotWritten() throws {
        let rows = [
            "mode: \"auto\"\n", "mode: 'auto' # mine\n", "{mode: auto}\n", "mode: !!str auto\n", "mode: >-\n  auto\n",
            "\"mode\": auto\r\n",
        ]
        try expectNoFaults(in: rows) { text in
            try ScratchFolder.write(text, to: path)
            let before = inode(path)
            try settings.setMode(.auto)
            return ScratchFolder.text(path) == text && inode(path) == before
                ? [] : ["\(text): \(ScratchFolder.text(path) ?? "gone")"]
        }
        let connections = "default: \"a\"\nconnections:\n  a: {url: 'http://127.0.0.1:9', model: 'm'}\n"
        try ScratchFolder.write(connections, to: "\(folder)/connections.yaml")
        chmod("\(folder)/connections.yaml", 0o600)
        let before = inode("\(folder)/connections.yaml")
        try ModelFiles(folder: folder).setDefault("a", KeyRing { [] })
        #expect(
            ScratchFolder.text("\(folder)/connections.yaml") == connections
                && inode("\(folder)/connections.yaml") == before)
    }

    private func inode(_ path: String) -> ino_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_ino : 0
    }

    @Test func linksStayLinks() throws {
        mkdir("\(scratch.path)/dotfiles", 0o700)
        try ScratchFolder.write("mode: adaptive\n", to: "\(scratch.path)/dotfiles/s.yaml")
        symlink("../dotfiles/s.yaml", path)
        try settings.setMode(.auto)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(ScratchFolder.text("\(scratch.path)/dotfiles/s.yaml") == "mode: auto\n")
        #expect(ScratchFolder.names(in: "\(scratch.path)/dotfiles") == ["s.yaml"])
    }

    @Test func connectionsAndHostsAreChangedTheSameWay() throws {
        mkdir("\(scratch.path)/dotfiles", 0o700)
        let text =
            "# mine\r\ndefault: a # x\r\nconnections:\r\n  a: {url: 'http://127.0.0.1:9', model: m}\r\n  b: {url: 'http://127.0.0.1:9', model: m}\r\n"
        let hosts = "{\"v\":1,\"hosts\":[]}\r\n"
        for (name, text) in [("connections.yaml", text), ("hosts.json", hosts)] {
            try ScratchFolder.write(Self.mark + Array(text.utf8), to: "\(scratch.path)/dotfiles/\(name)")
            chmod("\(scratch.path)/dotfiles/\(name)", 0o600)
            symlink("../dotfiles/\(name)", "\(folder)/\(name)")
        }
        let (files, ring, consents) = (ModelFiles(folder: folder), KeyRing { [] }, HostConsents(folder: folder))
        try files.setDefault("b", ring)
        let wanted = Self.mark + Array(text.replacing("default: a", with: "default: b").utf8)
        #expect(ScratchFolder.bytes("\(scratch.path)/dotfiles/connections.yaml") == wanted)
        let connection = ModelConnection(name: "a", url: "http://127.0.0.1:9", model: "other")
        try files.connect(connection, ring)
        #expect(files.connections(ring)["a"] == connection && files.connections(ring).usual == "a")
        try files.takeBack()
        #expect(ScratchFolder.bytes("\(scratch.path)/dotfiles/connections.yaml") == wanted)
        let host = try HostConsents.read("api.example.com")
        #expect(try consents.allow(host, for: .model, at: Moment(milliseconds: 1)))
        #expect(try consents.list().map(\.host) == [host])
        #expect(try consents.allow(host, for: .model, at: Moment(milliseconds: 2)) == false)
        #expect(try consents.revoke(host, for: nil).count == 1 && consents.list().isEmpty)
        for name in ["connections.yaml", "hosts.json"] {
            var status = stat()
            #expect(lstat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK, "\(name)")
            #expect(stat("\(folder)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600, "\(name)")
            #expect(ScratchFolder.bytes("\(folder)/\(name)")?.starts(with: Self.mark) == true, "\(name)")
        }
    }

    /// A rename would replace it: the rights of a file do not hold that up.
    @Test func aReadOnlyFileIsNotReplaced() throws {
        try ScratchFolder.write("mode: adaptive\n", to: path)
        chmod(path, 0o444)
        let failure = #expect(throws: Failure.self) { try settings.setMode(.auto) }
        #expect(failure?.code == "storageReadOnly" && ScratchFolder.text(path) == "mode: adaptive\n")
        #expect(ScratchFolder.names(in: folder) == ["settings.yaml"])
    }

    @Test func aHardLinkIsNotParted() throws {
        try ScratchFolder.write("mode: adaptive\n", to: path)
        link(path, "\(folder)/other")
        #expect(throws: Failure.self) { try settings.setMode(.auto) }
        #expect(
            ScratchFolder.text(path) == "mode: adaptive\n"
                && ScratchFolder.names(in: folder) == ["other", "settings.yaml"])
    }

    /// Another program saves the file between the reading and the writing: its words are not lost.
    @Test func aChangeOfAnotherProgramIsKept() throws {
        try ScratchFolder.write("mode: adaptive\n", to: path)
        var calls = 0
        try ConfigFile(path).change("a") { text throws(Failure) in
            calls += 1
            if calls == 1 { try? ScratchFolder.write("mode: adaptive\n# theirs\n", to: path) }
            return text + "# ours\n"
        }
        #expect(calls == 2 && ScratchFolder.text(path) == "mode: adaptive\n# theirs\n# ours\n")
        let failure = #expect(throws: Failure.self) {
            try ConfigFile(path).change("a") { text throws(Failure) in
                calls += 1
                try? ScratchFolder.write("# \(calls)\n", to: path)
                return text + "# ours\n"
            }
        }
        #expect(
            failure?.code == "badSettings" && calls == 2 + Limits.configTries
                && ScratchFolder.names(in: folder) == ["settings.yaml"])
    }

    @Test func aFolderThatIsMissingIsMade() throws {
        rmdir(folder)
        try settings.setMode(.alwaysAsk)
        #expect(try settings.mode() == .alwaysAsk)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
}
