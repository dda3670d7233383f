import CaseNames
import Foundation
import Harness
import JSON
import Manifests
import Testing
@testable import Tools
import Vocabulary

/// The report of a package says what was given, and does nothing else, whatever the texts are.
@Suite struct GuideReportTests {
    @Test func theReportSaysWhatWasGiven() throws {
        let html = try GuideLab().text("report.html")
        for words in [
            "<title>Damage &lt;of&gt; a car</title>", "For the insurer &amp; others.",
            "9 steps: 7 answered, 1 skipped, 1 open.",
            "<em>Skipped: lost it</em>", "<em>Open.</em>", "1202.50 km", "door, wing", "It rained.\nThen it stopped.",
            "<img src=\"media/02-plate.jpg\" alt=\"Licence plate\">", "02-plate.jpg · ", "512×8",
            "sharpness 212, brightness 120",
            "blurred: hold still, or step closer <span class=\"code\">(blurred)</span>",
            "Taken as it is: rain &amp; &lt;dark&gt;",
            "Taken by ann",
            "rear right: scratch", "told by phone", "Guide damage, version 3. Workflow w12",
            "metadata not cut: the metadata of gif",
            "alt=\"Each corner, front left\"",
        ] { #expect(html.contains(words), "\(words)") }
    }

    @Test func theReportReachesNothingOutside() throws {
        let html = try GuideLab().text("report.html")
        #expect(html.contains("default-src 'none'; img-src 'self' file:; style-src 'sha256-"))
        for words in ["<script", "http:", "https:", "@import", "url(", "javascript:", " style=", "<link", "<iframe"] {
            #expect(!html.contains(words), "\(words)")
        }
        let sources = html.split(separator: "\"").filter {
            $0.contains("media/") && !$0.contains(" ") && !$0.contains("<")
        }
        #expect(sources.count == 10 && sources.allSatisfy { $0.hasPrefix("media/") && ZipForm.isPlain(String($0)) })
    }

    private static let hostile =
        "</p><script>alert(\"x\")</script>' onload=x & \u{1B}[2J\u{7}\u{202E}evil\u{2066}\u{85}\u{FEFF}\r\n--> &lt;"

    @Test func hostileTextsAreSeenAndDoNothing() throws {
        var lab = GuideLab(story: Self.hostile)
        lab.annotations = [GuidePackage.Annotation(step: "story", part: Self.hostile, text: Self.hostile)]
        for index in lab.assets.indices { lab.assets[index].name = Self.hostile }
        lab.event("await.refused", ["words": .string(Self.hostile), "code": .string(Self.hostile), "attempt": "x"])
        lab.steps[5].reason = Reason("skipped", Self.hostile)
        let html = try lab.text("report.html")
        #expect(
            !html.contains("<script") && !html.contains("onload=x\"") && !html.contains("\u{1B}")
                && !html.contains("\u{202E}"))
        #expect(
            html.contains(
                "&lt;/p&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39; onload=x &amp; "
                    + "␛[2J␇⟨U+202E⟩evil⟨U+2066⟩⟨U+0085⟩⟨U+FEFF⟩\n--&gt; &amp;lt;"
            ))
        // As many tags as with other texts: no text has opened or closed one.
        let plain = try { () throws in
            var plain = lab
            plain.annotations = [GuidePackage.Annotation(step: "story", part: "x", text: "x")]
            plain.events[plain.events.count - 1].body = ["words": "x", "code": "x", "attempt": "x"]
            return try plain.text("report.html")
        }()
        #expect(
            html.count { $0 == "<" } == plain.count { $0 == "<" }
                && html.count { $0 == "\"" } == plain.count { $0 == "\"" })
        for name in ["answers.json", "annotations.json", "checks.json", "provenance.json"] {
            let text = try lab.text(name)
            _ = try JSONReader.read(Array(text.utf8))
            #expect(
                !text.unicodeScalars.contains { [0x1B, 0x202E, 0x2066, 0x85, 0xFEFF].contains($0.value) }, "\(name)")
        }
        let (answers, problems) = readAnswers(
            try lab.text("answers.json"), file: "answers.json", guide: try lab.guide())
        // A note to a picture that there is not is no note of a guide that was run.
        #expect(
            problems.map(\.code) == ["unknownPart"] && answers?["story"]?.answer == .value(.string(Self.hostile)),
            "\(problems)")
    }

    @Test func longTextsAreCutInTheReportOnly() throws {
        let story = String(repeating: "long <text> ", count: 20_000)
        var lab = GuideLab(story: story)
        for _ in 0..<2000 { lab.event("await.refused", ["words": "no", "code": "x", "attempt": 1]) }
        let html = try lab.text("report.html")
        #expect(
            html.utf8.count < 60_000 && html.contains("the whole text is in answers.json")
                && html.contains("980 more, in provenance.json"))
        #expect(try lab.text("answers.json").utf8.count > story.utf8.count)
    }
}
