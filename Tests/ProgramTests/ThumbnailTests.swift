import CaseNames
import Foundation
import Glibc
import Harness
import JSON
import Testing

/// Small pictures beside results and questions, which nobody asked for: in each form, and where there are none.
@Suite(.process) struct ThumbnailTests {
    private static let resize = workflow(
        "small", [node("load", "ImageLoader", ["path": "cat.jpg"]), node("resize", "Resize", ["width": 64])],
        [edge("load.image", "resize.image")])
    /// Begins a picture in each form.
    private static let forms = [
        ("kitty", "\u{1B}_Ga=T,f=100,q=2,C=1,"), ("iterm", "\u{1B}]1337;File=inline=1;"), ("sixel", "\u{1B}P"),
        ("symbols", "\u{1B}[38;5;"),
    ]

    private func lab(_ form: String?) async throws -> ProgramLab {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 300, height: 200)
        mkdir("\(lab.home)/config", 0o700)
        if let form { try ScratchFolder.write("pictures: \(form)\n", to: "\(lab.home)/config/settings.yaml") }
        try lab.write(Self.resize, to: ".small.json")
        return lab
    }

    /// Returns a part of a PNG with its length and its checksum.
    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        func whole(_ number: UInt32) -> [UInt8] {
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let body = Array(name.utf8) + bytes
        let sum = body.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
        return whole(UInt32(bytes.count)) + body + whole(~sum)
    }

    private func hasPicture(_ output: String) -> Bool { Self.forms.contains { output.contains($0.1) } }

    @Test(arguments: forms) func aResultHasItsPictureBelow(form: String, beginning: String) async throws {
        let lab = try await lab(form)
        let pty = try lab.terminal(["run", ".small.json"])
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        let line = try #require(pty.output.firstRange(of: "64×43"))
        let picture = try #require(pty.output.firstRange(of: beginning), "\(pty.screen.text)")
        #expect(line.lowerBound < picture.lowerBound)
        #expect(pty.screen.text.contains("▣ cat.jpg  w1.1.1.image"), "\(pty.screen.text)")
        if form == "symbols" { #expect(pty.screen.unknown.isEmpty, "\(pty.screen.unknown)") }
    }

    /// Characters are drawn unasked only for those who chose them, and nothing at all is where nothing can be drawn.
    @Test(arguments: ["auto", "none", "few colours", "plain", "pipe", "tmux"]) func elsewhereThereIsNone(place: String)
        async throws
    {
        let lab = try await lab(place == "none" ? "none" : place == "auto" || place == "tmux" ? nil : "symbols")
        if place == "pipe" {
            let ending = try await lab.run("run", ".small.json")
            #expect(ending.exit == 0 && !ending.output.contains("\u{1B}"), "\(ending.output)")
            return
        }
        let environment =
            place == "few colours"
            ? ["TERM": "xterm", "COLORTERM": ""]
            : place == "tmux" ? ["TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"] : [:]
        let pty = try lab.terminal(
            ["run", ".small.json"] + (place == "plain" ? ["--plain"] : []), environment: environment)
        #expect(await pty.exitStatus() == 0 && pty.screen.text.contains("64×43"), "\(pty.screen.text)")
        #expect(!hasPicture(pty.output), "\(pty.screen.text)")
    }

    /// What came of a file with keys is drawn for nobody who has not asked.
    @Test func ofWhatMayHoldKeysThereIsNone() async throws {
        let lab = try await lab("kitty")
        _ = try await lab.tool("cp", "cat.jpg", "id_rsa")
        try lab.write(
            workflow(
                "small", [node("load", "ImageLoader", ["path": "id_rsa"]), node("resize", "Resize", ["width": 64])],
                [edge("load.image", "resize.image")]), to: ".private.json")
        let pty = try lab.terminal(["run", ".private.json", "--mode", "auto"])
        #expect(await pty.exitStatus() == 0)
        #expect(pty.screen.text.contains("64×43"), "\(pty.screen.text)")
        #expect(!hasPicture(pty.output))
    }

    /// A picture that cannot be drawn is missed by nobody, and the log says why.
    @Test func aFailureIsSilentAndInTheLog() async throws {
        let lab = try await lab("sixel")
        // A PNG of a colour type that there is not: its frame is whole, and no program can read its pixels.
        let head: [UInt8] = [0, 0, 1, 44, 0, 0, 0, 200, 8, 5, 0, 0, 0]
        let bytes =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", head) + Self.chunk("IDAT", [1])
            + Self.chunk("IEND", [])
        #expect(FileManager.default.createFile(atPath: lab.path("odd.png"), contents: Data(bytes)))
        try lab.write(workflow("odd", [node("load", "ImageLoader", ["path": "odd.png"])]), to: ".odd.json")
        let pty = try lab.terminal(["run", ".odd.json"])
        #expect(await pty.exitStatus() == 0 && pty.screen.text.contains("300×200"), "\(pty.screen.text)")
        #expect(!hasPicture(pty.output) && !pty.screen.text.contains("vipsthumbnail"), "\(pty.screen.text)")
        let log = ScratchFolder.text("\(lab.home)/data/log") ?? ""
        #expect(log.contains("thumbnail:"), "\(log)")
    }

    @Test(arguments: forms) func aPickerShowsItsPicturesByNumber(form: String, beginning: String) async throws {
        let lab = try await lab(form)
        try await lab.photograph("dog.jpg", width: 200, height: 300)
        let pick = workflow(
            "pick",
            [
                node("cat", "ImageLoader", ["path": "cat.jpg"]), node("dog", "ImageLoader", ["path": "dog.jpg"]),
                asking("pick", "UserAssetPicker", ["type": "selectAsset", "title": "Which one?"]),
                node("small", "Resize", ["width": 20]),
            ],
            [
                edge("cat.image", "pick.candidates.1"), edge("dog.image", "pick.candidates.2"),
                edge("pick.asset", "small.image"),
            ])
        try lab.write(pick, to: ".pick.json")
        let started = try await lab.run("run", ".pick.json", "--on-ask", "park", "--json")
        #expect(started.exit == 3, "\(started.output)\(started.errors)")
        let pty = try lab.terminal(["open", "1"], rows: 50)
        #expect(await pty.seeQuestion { $0.text.contains("2  dog.jpg") }, "\(pty.screen.text)")
        #expect(await pty.see { _ in pty.output.ranges(of: beginning).count >= 2 }, "\(pty.screen.text)")
        pty.send("2\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    @Test(arguments: forms) func aMaskIsDrawnOverItsPhotograph(form: String, beginning: String) async throws {
        let inbox = try await InboxLab()
        mkdir("\(inbox.lab.home)/config", 0o700)
        try ScratchFolder.write("pictures: \(form)\n", to: "\(inbox.lab.home)/config/settings.yaml")
        try await inbox.startMask()
        let pty = try inbox.lab.terminal(["open", "1"], columns: 110, rows: 50)
        #expect(await pty.seeQuestion("mask of 64×48"), "\(pty.screen.text)")
        #expect(await pty.see { _ in pty.output.contains(beginning) }, "\(pty.screen.text)")
        func count() -> Int { pty.output.ranges(of: beginning).count }
        let before = count()
        pty.send("rect 8 8 40 30\r")
        #expect(await pty.see { _ in count() > before }, "\(pty.screen.text)")
        // The tint: where the mask is, the colours are others than in the photograph.
        if form == "symbols" {
            let colours = Set(pty.output.matches(of: /\u{1B}\[[0-9;]*m/).map { String($0.0) })
            #expect(colours.count > 2, "\(colours)")
        }
        pty.send("\u{1B}")
        #expect(await pty.exitStatus() == 3, "\(pty.screen.text)")
    }

    @Test func aMaskHasHelpAndRedo() async throws {
        let inbox = try await InboxLab()
        try await inbox.startMask()
        let pty = try inbox.lab.terminal(["open", "1"], columns: 80, rows: 50)
        #expect(await pty.seeQuestion("mask of 64×48"), "\(pty.screen.text)")
        pty.send("help\r")
        #expect(await pty.seeQuestion("lets the edges fade over N pixels"), "\(pty.screen.text)")
        pty.send("redo\r")
        #expect(await pty.seeQuestion("There is nothing to do again."), "\(pty.screen.text)")
        for line in ["rect 1 2 3 4", "ellipse 5 6 7 8", "undo", "undo", "redo"] {
            let before = pty.screen.text.ranges(of: "mask of 64×48").count
            pty.send(line + "\r")
            #expect(await pty.seeQuestion { $0.text.ranges(of: "mask of 64×48").count > before }, "\(pty.screen.text)")
        }
        #expect(pty.screen.text.ranges(of: "· rect 1 2 3 4").count == 4, "\(pty.screen.text)")
        pty.send("redo\r")
        #expect(await pty.seeQuestion { $0.text.ranges(of: "· ellipse 5 6 7 8").count == 2 }, "\(pty.screen.text)")
        // What is drawn anew makes an end of what was taken back.
        pty.send("undo\r")
        #expect(await pty.seeQuestion { $0.text.ranges(of: "mask of 64×48").count == 9 }, "\(pty.screen.text)")
        pty.send("rect 9 9 9 9\r")
        #expect(await pty.seeQuestion("· rect 9 9 9 9"), "\(pty.screen.text)")
        pty.send("redo\r")
        #expect(
            await pty.seeQuestion { $0.text.ranges(of: "There is nothing to do again.").count == 2 },
            "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.exitStatus() == 3, "\(pty.screen.text)")
    }
}
