import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Manifests
import Testing
@testable import Tools
import Vocabulary

/// The package of a guide is a function of stored rows: file by file, the same each time, and safe for the programs
/// that open it.
@Suite struct GuidePackageTests {
    private static let names = [
        "answers.json", "guide.yaml", "media/02-plate.jpg", "media/03-corners-front-left.png",
        "media/03-corners-rear-right.jpg",
        "media/04-damage-1.gif", "media/04-damage-2.gif", "annotations.json", "checks.json", "provenance.json",
        "report.html",
    ]

    private func json(_ lab: GuideLab, _ name: String) throws -> JSON {
        try JSONReader.read(Array(try lab.text(name).utf8))
    }

    @Test func theFilesStandInAFixedOrder() throws {
        let package = try GuideLab().package()
        #expect(package.entries.map(\.name) == Self.names && package.fileName == "damage-2026-11-30.zip")
        #expect(package.uncut.map(\.file) == ["media/04-damage-1.gif", "media/04-damage-2.gif"])
        let lab = GuideLab()
        for entry in package.entries {
            #expect(try package.bytes(of: entry, read: lab.read).count == entry.size, "\(entry.name)")
        }
        var plain = GuideLab()
        plain.export = "export: {zip: \"x{date}.zip\", report: false}"
        #expect(
            try plain.package().entries.map(\.name) == Self.names.dropLast()
                && plain.package().fileName == "x2026-11-30.zip")
    }

    @Test func theAnswersCanBeGivenAgain() throws {
        let lab = GuideLab()
        let wanted: JSON = [
            "answers": "assent.answers/v1", "guide": "damage",
            "steps": [
                "hurt": "nobody", "plate": ["file": "media/02-plate.jpg", "take": "rain & <dark>"],
                "corners": [
                    "front left": "media/03-corners-front-left.png", "rear right": "media/03-corners-rear-right.jpg",
                ],
                "damage": ["media/04-damage-1.gif", "media/04-damage-2.gif"], "card": ["skip": "lost it"],
                "parts": ["door", "wing"],
                "km": "1202.50", "story": "It rained.\nThen it stopped.",
            ],
            "notes": [
                ["step": "corners", "part": "rear right", "text": "scratch"],
                ["step": "story", "text": "told by phone"],
            ],
        ]
        #expect(try json(lab, "answers.json") == wanted)
        let (answers, problems) = readAnswers(
            try lab.text("answers.json"), file: "answers.json", guide: try lab.guide())
        #expect(problems == [] && answers?.json == wanted, "\(problems)")
        #expect(try lab.text("guide.yaml") == lab.guideText)
    }

    @Test func theChecksSayWhatWasWantedAndTheProvenanceWhatWasRefused() throws {
        let checks = try json(GuideLab(), "checks.json")
        let steps = try #require(checks["steps"]?.array)
        #expect(
            steps.compactMap { $0["step"]?.string } == [
                "hurt", "plate", "corners", "damage", "card", "parts", "km", "story", "later",
            ])
        #expect(
            steps.compactMap { $0["state"]?.string }
                == [
                    "answered", "answered", "answered", "answered", "skipped", "answered", "answered", "answered",
                    "asked",
                ])
        #expect(steps[1]["limits"] == ["sharp": 90, "minimum": [640, 480]] && steps[4]["words"] == "lost it")
        #expect(steps[1]["taken"] == [["why": "rain & <dark>"]] && steps[1]["media"]?[0]?["figures"]?["sharp"] == 212)
        let refused: JSON = [
            "attempt": 1, "check": "picture", "code": "blurred", "words": "blurred: hold still, or step closer",
            "figures": ["sharp": 12, "wanted": 90],
        ]
        #expect(steps[1]["refused"] == nil)
        #expect(try json(GuideLab(), "provenance.json")["steps"]?[1]?["refused"] == [refused])
        #expect(steps[6]["tests"] == [["test": "answer > 0", "say": "A car has been driven."]])
        let notes = try json(GuideLab(), "annotations.json")
        #expect(
            notes["items"] == [
                [
                    "step": "corners", "part": "rear right", "file": "media/03-corners-rear-right.jpg",
                    "text": "scratch",
                ],
                ["step": "story", "text": "told by phone"],
            ])
    }

    @Test func theProvenanceNamesTheOriginals() throws {
        let lab = GuideLab()
        let files = try lab.files()
        let provenance = try json(lab, "provenance.json")
        #expect(
            provenance["workflow"]?["id"] == "w12" && provenance["program"] == "assent 0.1.0"
                && provenance["guide"]?["version"] == 3)
        #expect(provenance["guide"]?["sha256"]?.string == ContentHash.of(lab.guideText).hex)
        let media = try #require(provenance["media"]?.array)
        #expect(media.compactMap { $0["exif"]?.string } == ["cut", "cut", "cut", "notCut", "notCut"])
        #expect(
            media[3]["why"] == "the metadata of gif is not removed" && media[0]["original"]?["name"] == "IMG 12.jpg")
        for medium in media {
            let file = try #require(files[medium["file"]?.string ?? ""])
            #expect(medium["sha256"]?.string == ContentHash.of(file).hex && medium["bytes"]?.int == file.count)
            #expect(medium["at"] != nil && medium["place"] == nil && medium["device"] == nil)
        }
        #expect(media[0]["original"]?["sha256"]?.string == ContentHash.of(MadePictures.jpeg()).hex)
        #expect(provenance["steps"]?.array?.count == 8 && provenance["steps"]?[0]?["by"] == "ann")
        for (name, bytes) in files where name.hasPrefix("media/0") && !name.hasSuffix("gif") {
            for mark in MadePictures.marks + ["Acme"] { #expect(!bytes.contains(mark), "\(name) has \(mark)") }
        }
    }

    @Test func aGuideMayLetThePlaceThrough() throws {
        var lab = GuideLab()
        lab.export = "place: exif"
        #expect(
            try json(lab, "provenance.json")["media"]?[0]?["place"] == ["latitude": -33.85975, "longitude": 151.211111])
        #expect(try !(lab.files()["media/02-plate.jpg"] ?? []).contains("Acme"))
        lab.export = "place: exif\nexif: keep"
        let medium = try #require(try json(lab, "provenance.json")["media"]?[0])
        #expect(medium["exif"] == "kept" && medium["device"] == "Acme P1" && medium["takenAt"] == "2026:11:25 14:02:31")
        #expect(try lab.files()["media/02-plate.jpg"] == MadePictures.jpeg())
    }

    /// Two runs differ in `provenance.json`, and in lines of the report that have the class `provenance`.
    @Test func equalAnswersGiveEqualFiles() throws {
        var quick = GuideLab(workflow: 40)
        // In the other run nothing was refused.
        quick.events.removeAll { $0.type == "await.refused" }
        let (one, other) = (try GuideLab().files(), try quick.files())
        #expect(try GuideLab().files() == one && one.keys == other.keys)
        #expect(one.keys.filter { one[$0] != other[$0] }.sorted() == ["provenance.json", "report.html"])
        func lines(_ files: [String: [UInt8]]) -> [Substring] {
            String(decoding: files["report.html"] ?? [], as: UTF8.self).split(separator: "\n").filter {
                !$0.contains("class=\"provenance\"")
            }
        }
        #expect(lines(one) == lines(other) && lines(one).count > 100)
    }

    /// A package that is replayed with its own pictures has the same pictures again.
    @Test func aPackageOfAPackageIsThePackage() throws {
        let lab = GuideLab()
        let files = try lab.files()
        var again = lab
        for index in again.assets.indices where again.assets[index].type == .image {
            let medium = try #require(
                PackedMedium.all(of: lab.rows().record, read: lab.read).first { $0.asset == lab.assets[index] })
            let bytes = try #require(files[medium.file])
            (again.assets[index].hash, again.assets[index].bytes) = (ContentHash.of(bytes), bytes.count)
            again.contents[ContentHash.of(bytes)] = bytes
        }
        let second = try again.files()
        #expect(files.keys.filter { files[$0] != second[$0] }.sorted() == ["provenance.json"])
    }

    @Test func namesOfPicturesAreSafe() {
        func file(_ step: String, _ part: String? = nil, _ files: Set<String> = []) -> String {
            PackedMedium.file(number: 3, step: step, part: part, suffix: "jpg", besides: files)
        }
        #expect(file("plate") == "media/03-plate.jpg" && file("card.otherwise", "2") == "media/03-card-otherwise-2.jpg")
        #expect(
            file("../../etc/passwd") == "media/03-etc-passwd.jpg" && file("a\u{1B}[2J\0\n", "..") == "media/03-a-2j.jpg"
        )
        #expect(
            file("車") == "media/03.jpg"
                && file("a", "b", ["media/03-a-b.jpg", "media/03-a-b-2.jpg"]) == "media/03-a-b-3.jpg")
        let long = String(repeating: "a", count: 300)
        let (first, second) = (file(long), file(long, nil, [file(long)]))
        #expect(first.utf8.count == 100 && second.utf8.count == 100 && second.hasSuffix("a-2.jpg"))
        for name in [first, second, file("車"), file("a\u{202E}b")] { #expect(ZipForm.isPlain(name), "\(name)") }
    }

    @Test(.process) func otherProgramsReadThePackage() throws {
        let (lab, guide) = (try Lab(), GuideLab())
        for bytes in guide.contents.values { _ = try lab.store.add(bytes) }
        let package = try GuidePackage(guide.rows(), read: lab.store.beginning(of:limit:))
        for name in ["1.zip", "2.zip"] { #expect(try package.write(to: lab.path(name), from: lab.store) > 5000) }
        let written = FileManager.default.contents(atPath: lab.path("1.zip"))
        #expect(written != nil && written == FileManager.default.contents(atPath: lab.path("2.zip")))
        #expect(
            #expect(throws: Failure.self) { _ = try package.write(to: lab.path("1.zip"), from: lab.store) }?.code
                == "targetExists")
        let script =
            "import zipfile;z=zipfile.ZipFile('1.zip');print(z.testzip(),*[i.filename for i in z.infolist()],z.infolist()[0].date_time)"
        #expect(
            try Lab.program(["python3", "-c", script], in: lab.workspace)
                == "None \(Self.names.joined(separator: " ")) (2026, 11, 30, 12, 53, 20)\n")
        try Lab.program(["unzip", "-q", "1.zip", "-d", "out"], in: lab.workspace)
        for (name, bytes) in try guide.files() {
            #expect(FileManager.default.contents(atPath: lab.path("out/\(name)")) == Data(bytes), "\(name)")
        }
    }

    @Test func whatIsTooLargeIsRefused() throws {
        var lab = GuideLab()
        // Larger than what is cut, so that only its beginning is read; together more than a package may have.
        for index in lab.assets.indices where lab.assets[index].type == .image { lab.assets[index].bytes = 500_000_000 }
        #expect(#expect(throws: Failure.self) { _ = try lab.package() }?.code == "tooLarge")
        for index in lab.assets.indices where lab.assets[index].type == .image { lab.assets[index].bytes = 200_000_000 }
        #expect(try lab.package().uncut.first?.reason.contains("larger than") ?? false)
    }
}
