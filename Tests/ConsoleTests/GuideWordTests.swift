import CaseNames
import Testing
import Vocabulary

@testable import Console

/// What a person types at a step of a guide, as it is meant.
@Suite struct GuideWordTests {
    @Test(
        arguments: [
            ("", .text, .nothing), ("  ", .media, .nothing), ("skip", .text, .answer("skip")),
            ("/skip", .text, .skip(words: "")),
            ("skip", .media, .skip(words: "")), ("skip", .number, .skip(words: "")),
            ("/skip no card", .media, .skip(words: "no card")), ("skip it", .number, .answer("skip it")),
            ("skip it.jpg", .media, .files(["skip it.jpg"])),
            ("back", .choice, .back(to: nil)), ("/back 3", .text, .back(to: "3")), ("pause", .date, .pause),
            ("/pause", .text, .pause),
            ("list", .media, .list), ("/guide", .text, .list), ("take it rained", .media, .take(why: "it rained")),
            ("take", .number, .take(why: "")), ("camera", .media, .camera), ("camera", .text, .answer("camera")),
            ("file a b.jpg", .media, .files(["a b.jpg"])), ("/home/a.jpg", .media, .files(["/home/a.jpg"])),
            ("a.jpg", .code, .files(["a.jpg"])),
            ("'/home/a b.jpg'", .media, .files(["/home/a b.jpg"])),
            (#"/home/a\ b.jpg"#, .media, .files(["/home/a b.jpg"])),
            (#"'/home/a b.jpg' '/home/c.jpg' "#, .media, .files(["/home/a b.jpg", "/home/c.jpg"])),
            (#"/home/a\ b.jpg file:///c.jpg"#, .media, .files(["/home/a b.jpg", "/c.jpg"])),
            ("/home/my photo.jpg", .media, .files(["/home/my photo.jpg"])),
            ("it's.jpg /a.jpg", .media, .files(["it's.jpg /a.jpg"])),
            ("file:///home/a%20b.jpg", .media, .files(["/home/a b.jpg"])),
            ("file:///home/%FF.jpg", .media, .files(["file:///home/%FF.jpg"])),
            ("12,5", .number, .answer("12,5")), ("/etc", .text, .answer("/etc")), ("help", .choices, .help),
            ("done", .media, .done),
        ] as [(String, Acceptance.Form, GuideWord)])
    func aLineIsReadAsItIsMeant(line: String, form: Acceptance.Form, meant: GuideWord) {
        #expect(GuideWord.read(line, form: form) == meant)
    }
}
