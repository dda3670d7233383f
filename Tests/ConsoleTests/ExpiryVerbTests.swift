import CaseNames
import Harness
import JSON
import Testing

/// Entries of the inbox that no person answers in time (`semantics.md` 41).
@Suite struct ExpiryVerbTests {
    /// A gate that nobody came to in time lets through what it showed, and nothing else (`semantics.md` 2, 41).
    @Test func aGateWhoseTimeIsOverAsksAgainAboutOtherContent() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "gate",
            [
                node("said", "Text", ["text": "red"]),
                asking(
                    "swap", "ReplaceText",
                    ["type": "confirmParams", "expiresIn": "PT5S", "resumePolicy": ["onTimeout": "autoDefault"]],
                    ["find": "red", "replacement": "blue"]),
            ], [edge("said.text", "swap.text")])
        try await inbox.ended(["succeeded", "succeeded"])
        let rerun = try await inbox.lab.run("rerun", "w1", "1", "--set", "text=red and red", "--below")
        #expect(rerun.exit == 3, "\(rerun.output)\(rerun.errors)")
        // A further engine might let this content through, too, since its second is over by then.
        #expect(try await inbox.entry(2)["kind"] == "confirmParams")
    }

    @Test func whatNobodyAnswersInTimeFails() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.startMask(["type": "drawMask", "expiresIn": "PT1S"])
        try await inbox.ended(["succeeded", "failed", "blocked", "blocked"])
        #expect(try await inbox.lab.shown()["steps"]?[1]?["failure"]?["code"] == "awaitExpired")
        #expect(try await inbox.entry()["resolution"] == "expired")
        let late = try await inbox.complete("1", "--asset", inbox.lab.path("cat.png"))
        #expect(late.exit == 1 && late.lines.first?["code"] == "alreadyAnswered", "\(late.output)")
    }

    @Test func theOnlyCandidateIsTheDefault() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "pick",
            [
                node("load", "ImageLoader", ["path": "cat.png"]),
                asking(
                    "pick", "UserAssetPicker",
                    ["type": "selectAsset", "expiresIn": "PT1S", "resumePolicy": ["onTimeout": "autoDefault"]]),
                node("grey", "Grayscale"),
            ], [edge("load.image", "pick.candidates.1"), edge("pick.asset", "grey.image")])
        try await inbox.ended(["succeeded", "succeeded", "succeeded"])
        #expect(try await inbox.entry()["resolution"] == "default")
    }

    /// Where nothing is plugged in: the values as they stand, and the only choice; several would be a guess.
    @Test(
        arguments: [
            ("ParamConfirm", "confirmParams", ["values": ["width": 8]], "succeeded", #"{"width":8}"#),
            ("Choose", "choose", ["choices": ["red"]], "succeeded", "red"),
            ("Choose", "choose", ["choices": ["red", "blue"]], "failed", nil),
        ] as [(String, String, JSON, String, String?)])
    func whatAStepOffersIsTheDefault(kind: String, type: String, params: JSON, state: String, text: String?)
        async throws
    {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "offer",
            [
                asking(
                    "offer", kind,
                    ["type": .string(type), "expiresIn": "PT1S", "resumePolicy": ["onTimeout": "autoDefault"]], params)
            ])
        try await inbox.ended([state])
        let hash = try await inbox.lab.shown()["assets"]?.array?.first?["sha256"]?.string
        let stored = hash.flatMap { hash in
            ScratchFolder.files(under: "\(inbox.lab.home)/data/assets").first { $0.hasSuffix(hash) }
        }
        #expect(stored.flatMap { ScratchFolder.text($0) } == text)
    }

    @Test func whatMayBeSkippedIs() async throws {
        let inbox = try InboxVerbLab()
        try await inbox.start(
            "note",
            [
                asking(
                    "note", "AskText", ["type": "text", "expiresIn": "PT1S", "resumePolicy": ["onTimeout": "skip"]],
                    ["question": "Why?"])
            ])
        try await inbox.ended(["succeeded"])
        #expect(try await inbox.entry()["resolution"] == "skipped")
        #expect(try await inbox.lab.shown()["assets"] == [])
    }
}
