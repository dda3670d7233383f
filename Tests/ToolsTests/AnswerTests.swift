import CaseNames
@testable import Files
import Foundation
import JSON
@testable import Pictures
import Testing
@testable import Tools
import Vocabulary

private typealias Port = Vocabulary.Port

/// What a person gives for an output of a step (`semantics.md` 102, 161).
@Suite(.process) struct AnswerTests {
    private func failure(_ lab: Lab, _ content: AnswerContent, _ port: Port, _ wanted: [PortType] = []) -> String? {
        do throws(Failure) {
            _ = try lab.toolbox.takeIn(content, for: port, wanted: wanted)
            return nil
        } catch {
            return error.code.text
        }
    }

    private func mask(_ shapes: MaskDrawing.Shape...) -> MaskDrawing {
        var mask = MaskDrawing(width: 40, height: 30)
        mask.shapes = shapes
        return mask
    }

    @Test func aPictureIsTakenWithItsSize() throws {
        let lab = try Lab()
        try Lab.program(["vips", "black", "cat.jpg", "40", "30", "--bands", "3"], in: lab.workspace)
        let asset = try lab.toolbox.takeIn(.file(lab.path("cat.jpg")), for: Port("image", .image), wanted: [])
        #expect(asset.port == "image" && asset.type == .image && asset.name == "cat.jpg")
        #expect(asset.meta["width"] == 40 && asset.meta["height"] == 30)
        #expect(try lab.store.read(asset).count == asset.bytes)
        #expect(lab.store.pictureSize(asset.hash).map { [$0.width, $0.height] } == [40, 30])
    }

    @Test(
        arguments: [
            ("note.txt", PortType.image, "badAnswer"), ("note.txt", .mask, "badAnswer"), ("note.txt", .text, nil),
            ("note.txt", .json, "badAnswer"),
            ("note.txt", .file, nil), ("note.txt", .any, nil), ("data.json", .json, nil), ("data.json", .text, nil),
            ("latin.txt", .text, nil), ("latin.txt", .json, "badAnswer"),
            ("nul.txt", .text, "badAnswer"), ("cat.jpg", .image, nil), ("cat.jpg", .mask, "badAnswer"),
            ("grey.png", .mask, nil),
            ("black.png", .mask, "emptyMask"), ("grey.png", .image, nil), ("ghost.png", .image, "fileNotFound"),
            (".", .file, "badAnswer"),
            ("pipe", .file, "badAnswer"),
        ] as [(String, PortType, String?)])
    func aFileMustBeWhatIsWanted(name: String, type: PortType, code: String?) throws {
        let lab = try Lab()
        try lab.write("note.txt", "not {json")
        try lab.write("data.json", #"{"steps": 30}"#)
        try lab.write("latin.txt", [0x63, 0x61, 0x66, 0xE9])
        try lab.write("nul.txt", [0x61, 0, 0x62])
        try lab.write("grey.png", mask(.rectangle(x: 1, y: 1, width: 5, height: 5)).png())
        try lab.write("black.png", mask().png())
        mkfifo(lab.path("pipe"), 0o600)
        try Lab.program(["vips", "black", "cat.jpg", "40", "30", "--bands", "3"], in: lab.workspace)
        #expect(failure(lab, .file(lab.path(name)), Port("out", type)) == code)
        // What it feeds counts as much as what the port says of itself.
        #expect(failure(lab, .file(lab.path(name)), Port("out", .any), [type]) == code)
    }

    @Test func anEmptyMaskIsTakenIfItIsMeant() throws {
        let lab = try Lab()
        #expect(failure(lab, .mask(mask()), Port("mask", .mask)) == "emptyMask")
        let asset = try lab.toolbox.takeIn(.mask(mask()), for: Port("mask", .mask), wanted: [], allowsEmpty: true)
        #expect(asset.name == "mask.png" && asset.meta["width"] == 40)
    }

    @Test(
        arguments: [
            (40, 30, nil), (80, 60, nil), (400, 300, nil), (13, 10, nil), (100, 100, "badAnswer"),
            (30, 40, "badAnswer"), (41, 30, nil),
            (40, 40, "badAnswer"), (400, 310, "badAnswer"),
        ] as [(Int, Int, String?)])
    func aMaskHasTheProportionsOfItsPicture(width: Int, height: Int, code: String?) throws {
        let lab = try Lab()
        let picture = try lab.picture("cat.png", [["vips", "black", "out.png", "400", "300"]])
        var mask = MaskDrawing(width: width, height: height)
        mask.shapes = [.rectangle(x: 1, y: 1, width: 5, height: 5)]
        try lab.write("mask.png", mask.png())
        var found: Failure?
        do throws(Failure) {
            _ = try lab.toolbox.takeIn(
                .file(lab.path("mask.png")), for: Port("mask", .mask), wanted: [], fitting: picture.hash)
        } catch { found = error }
        #expect(found?.code == code)
        if let found {
            #expect(found.message.contains("\(width)×\(height)") && found.remedy?.contains("400×300") == true)
        }
    }

    @Test func textAndJSONFitOnlyWhereTheyAreWanted() throws {
        let lab = try Lab()
        #expect(
            failure(lab, .text("red"), Port("t", .text)) == nil && failure(lab, .text("red"), Port("t", .any)) == nil)
        #expect(
            failure(lab, .text("red"), Port("t", .image)) == "badAnswer"
                && failure(lab, .text("{}"), Port("t", .json)) == nil)
        #expect(failure(lab, .text("{"), Port("t", .json)) == "badAnswer")
        #expect(
            failure(lab, .json(["a": 1]), Port("j", .json)) == nil
                && failure(lab, .json(["a": 1]), Port("j", .mask)) == "badAnswer")
    }

    @Test func aCandidateIsTheSameContentUnderTheNewPort() throws {
        let lab = try Lab()
        let made = try lab.picture("cat.png", [["vips", "black", "out.png", "20", "10"]])
        let input = AwaitRequest.Input(port: "candidates.2", made)
        let asset = try lab.toolbox.takeIn(.candidate(input), for: Port("asset", .any), wanted: [.image])
        #expect(
            asset.hash == made.hash && asset.name == "cat.png" && asset.port == "asset" && asset.meta["width"] == 20)
        #expect(failure(lab, .candidate(input), Port("asset", .any), [.text]) == "badAnswer")
        var gone = input
        gone.hash = .of("gone")
        #expect(failure(lab, .candidate(gone), Port("asset", .any)) == "pinnedInputMissing")
    }

    @Test func whatComesOfAFileWithKeysIsPrivate() throws {
        let lab = try Lab()
        try lab.write(".env", "KEY=1")
        let asset = try lab.toolbox.takeIn(.file(lab.path(".env")), for: Port("text", .text), wanted: [])
        #expect(lab.store.isPrivate(asset.hash))
    }

    /// Whatever they make of it; but what lay there beside it is what it was.
    @Test func whatAPersonMakesOfKeysIsPrivate() throws {
        let lab = try Lab()
        let (secret, plain) = (try lab.asset("KEY=1"), try lab.asset("plain"))
        try lab.store.markPrivate([secret])
        try lab.write("given.txt", "from a file")
        var drawing = mask(.rectangle(x: 1, y: 1, width: 5, height: 5))
        drawing.width = 41
        let port = Port("out", .any)
        for content in [.text("KEY was 1"), .json(["key": 1]), .file(lab.path("given.txt")), .mask(drawing)]
            as [AnswerContent]
        {
            let alone = try lab.toolbox.takeIn(content, for: port, wanted: [], of: [plain.hash])
            #expect(!lab.store.isPrivate(alone.hash), "\(content)")
            let made = try lab.toolbox.takeIn(content, for: port, wanted: [], of: [plain.hash, secret.hash])
            #expect(lab.store.isPrivate(made.hash), "\(content)")
        }
        for (asset, isPrivate) in [(plain, false), (secret, true)] {
            let chosen = try lab.toolbox.takeIn(
                .candidate(AwaitRequest.Input(port: "candidates.1", asset)), for: port, wanted: [],
                of: [plain.hash, secret.hash])
            #expect(lab.store.isPrivate(chosen.hash) == isPrivate)
        }
    }

    @Test func aLargeFileIsRefusedBeforeItIsCopied() throws {
        let lab = try Lab()
        let path = try lab.write("vast.bin", "")
        truncate(path, off_t(Limits.answerFileBytes) + 1)
        #expect(failure(lab, .file(path), Port("out", .file)) == "badAnswer")
        #expect(((try? FileManager.default.contentsOfDirectory(atPath: lab.store.folder)) ?? []).isEmpty)
    }
}
