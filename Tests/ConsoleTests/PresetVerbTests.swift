import CaseNames
import Glibc
import Harness
import JSON
import Pictures
import Testing
import Vocabulary

@testable import Actions

/// Values of one tool under a name: saved from a step, used by runs, and refused where they no longer fit.
@Suite(.process) struct PresetVerbTests {
    private static func lab() async throws -> VerbLab {
        let lab = try VerbLab()
        var picture = MaskDrawing(width: 64, height: 48)
        picture.shapes = [.rectangle(x: 1, y: 1, width: 9, height: 9)]
        try lab.write(picture.png(), to: "a.png")
        try await lab.succeeds("ask", "resize a.png to 40 px wide and blur it")
        return lab
    }

    private static func file(_ lab: VerbLab) -> String { "\(lab.home)/config/presets.yaml" }

    private static func write(_ text: String, _ lab: VerbLab) throws {
        _ = mkdir("\(lab.home)/config", 0o700)
        try ScratchFolder.write(text, to: file(lab))
        chmod(file(lab), 0o600)
    }

    private static func params(_ workflow: String, _ node: String, _ lab: VerbLab) async throws -> JSON? {
        try await lab.json("show", workflow, node).first?["runs"]?.array?.last?["params"]
    }

    @Test func aPresetIsSavedUsedAndDeleted() async throws {
        let lab = try await Self.lab()
        let saved = try await lab.run("presets", "save", "web", "w1.1")
        #expect(saved.exit == 0 && saved.output.contains("Saved: web of Resize  width=40 px"), "\(saved)")
        var status = stat()
        #expect(stat(Self.file(lab), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(lab.text(Self.file(lab))?.contains("web: {width: 40") == true)

        try await lab.succeeds("run", "w1", "--set", "resize.width=30", "--preset", "a lot")
        #expect(try await Self.params("w2", "blur", lab)?["radius"] == 8)
        try await lab.succeeds("run", "w2", "--preset", "web")
        #expect(try await Self.params("w3", "resize", lab)?["width"] == 40)
        try await lab.succeeds("run", "w2", "--preset", "web@1", "--set", "1.width=20")
        #expect(try await Self.params("w4", "resize", lab)?["width"] == 20, "--set counts more")
        try await lab.succeeds("rerun", "w4", "1", "--preset", "web")
        #expect(try await Self.params("w4", "resize", lab)?["width"] == 40)

        let again = try await lab.run("presets", "save", "web", "w4.1")
        #expect(again.exit == 0 && !again.output.contains("in place of"), "the same values: \(again)")
        try await lab.succeeds("presets", "save", "web", "w4.2")
        let both = try await lab.run("presets", "delete", "web")
        #expect(both.exit == 2 && both.errors.contains("Blur and Resize"), "\(both)")
        let gone = try await lab.run("presets", "delete", "web", "Blur")
        #expect(gone.exit == 0 && gone.output.contains("Deleted: web of Blur"), "\(gone)")
        try await lab.succeeds("presets", "delete", "web")
        #expect(try await lab.json("presets").allSatisfy { $0["shipped"] == true })
    }

    /// A digest knows a preset only by its values, so the call with them is the call without a name.
    @Test func aPresetCountsOnlyByItsValues() async throws {
        let lab = try await Self.lab()
        try await lab.succeeds("presets", "save", "web", "w1.1")
        try await lab.succeeds("run", "w1", "--preset", "web")
        var digests: [ContentHash?] = []
        for workflow: Int64 in 1...2 {
            let steps = try WorkflowRecords(lab.shared).steps(WorkflowID(workflow))
            let step = try #require(steps.first { $0.kind == "Resize" })
            digests.append(try WorkflowRecords(lab.shared).runs(step.id).last?.callDigest)
        }
        #expect(digests[0] == digests[1])
        #expect(try await !lab.shown("w2").text.contains("web"))
    }

    @Test func wrongCallsAreRefusedInOneSentence() async throws {
        let lab = try await Self.lab()
        let cases: [(call: [String], words: String)] = [
            (["presets", "save", "a/b", "w1.1"], "cannot be the name of a preset"),
            (["presets", "save", "../x", "w1.1"], "cannot be the name of a preset"),
            (["presets", "save", "a\nb", "w1.1"], "cannot be the name of a preset"),
            (["presets", "save", "\u{1B}[2J", "w1.1"], "cannot be the name of a preset"),
            (["presets", "save", String(repeating: "a", count: 41), "w1.1"], "cannot be the name of a preset"),
            (["presets", "save", "", "w1.1"], "cannot be the name of a preset"),
            (["presets", "save", "some", "w1.2"], "part of its manifest"),
            (["presets", "save", "web", "w1"], "names no step"),
            (["presets", "save", "web", "w1.9"], "has no step"),
            (["presets", "save", "web", "w9.1"], "There is no workflow w9"),
            (["presets", "Resise"], "Did you mean Resize"),
            (["presets", "delete", "some"], "cannot be deleted"),
            (["presets", "delete", "nix"], "no preset \"nix\""),
            (["run", "w1", "--preset", "nix"], "has a preset \"nix\""),
            (["run", "w1", "--preset", "some@9"], "there is no such step"),
            (["run", "w1", "--preset", "some@1"], "Resize has no preset \"some\""),
            (["run", "w1", "--preset", "\u{1B}[2J"], "No step is of a kind"),
            (["rerun", "w1", "--preset", "some"], "belong to one step"),
            (["rerun", "w1", "2", "--preset", "some@1"], "names another step"),
            (["run", "w9"], "There is no workflow w9"),
        ]
        for (call, words) in cases {
            let ending = try await lab.run(call)
            let said = ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(
                ending.exit != 0 && said.contains(words) && !ending.errors.contains("\u{1B}"),
                "\(call): \(ending.exit) \(said)")
        }
        #expect(!lab.exists(Self.file(lab)), "nothing was stored")
        #expect(try await lab.json("list").count == 1, "nothing was started")
    }

    /// A file that cannot be used never counts as one without presets, and nothing is written over it.
    @Test func aFaultyFileIsRefused() async throws {
        let lab = try await Self.lab()
        let deep = String(repeating: "[", count: 4_000)
        let cases: [(text: String, words: String)] = [
            ("", "0 bytes"), ("- a\n", "kinds of tools"), ("Resize: 3\n", "names of presets"),
            ("Resize:\n  web: 3\n", "parameters with values"), ("Resize:\n  web: {}\n", "no values"),
            ("Resize:\n  web: {width: }\n", "no value"), ("Resize:\n  a/b: {width: 3}\n", "a name of a preset"),
            ("\"\\e[2J\":\n  web: {width: 3}\n", "letters and digits"),
            ("Resize:\n  \"\\e[2J\": {width: 3}\n", "a name of a preset"),
            ("Resize:\n  web: &a {width: 3}\n  two: *a\n", "not read"),
            ("Resize:\n  web: {width: 3}\n  web: {width: 4}\n", "twice"), ("Resize:\n  web: \(deep)\n", ""),
            ("# " + String(repeating: "x", count: 1 << 20), "more than"), ("Resize:\n\u{0}", ""),
        ]
        for (text, words) in cases {
            try Self.write(text, lab)
            for call in [
                ["presets"], ["presets", "save", "web", "w1.1"], ["presets", "delete", "web"],
                ["run", "w1", "--preset", "some"], ["rerun", "w1", "2", "--preset", "some"],
            ] {
                let ending = try await lab.run(call)
                let said = ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(
                    ending.exit == 2 && said.contains(words) && !ending.errors.contains("\u{1B}"),
                    "\(text.prefix(40)) \(call): \(ending.exit) \(said)")
            }
            #expect(lab.text(Self.file(lab)) == text, "\(text.prefix(40)) was changed")
        }
        let doctor = try await lab.run("doctor")
        #expect(doctor.output.contains("presets.yaml"), "doctor names the file")
        try Self.write("Resize:\n  web: {width: 9}\n", lab)
        chmod(Self.file(lab), 0o646)
        #expect(try await lab.run("presets").exit == 2, "others can write it")
        try await lab.succeeds("run", "w1")
    }

    /// The manifest may have changed since a preset was saved.
    @Test func aPresetThatNoLongerFitsIsNotUsed() async throws {
        let lab = try await Self.lab()
        let cases: [(text: String, words: String)] = [
            ("Resize:\n  web: {breadth: 9}\n", "no parameter \"breadth\""),
            ("Resize:\n  web: {width: wide}\n", "width is \"wide\""), ("Resize:\n  web: {width: -4}\n", "width is -4"),
            ("Resize:\n  web: {width: [1, 2]}\n", "width is"),
            (
                "Resize:\n  web: {width: {sealed: \"sha256:\(String(repeating: "a", count: 64))\", shown: x}}\n",
                "secret"
            ),
            ("Blur:\n  some: {radius: 9}\n", "a preset of that name"),
            ("Nothing:\n  web: {width: 9}\n", "No step is of a kind"),
        ]
        for (text, words) in cases {
            try Self.write(text, lab)
            let ending = try await lab.run("run", "w1", "--preset", text.hasPrefix("Blur") ? "some" : "web")
            let said = ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(ending.exit == 2 && said.contains(words), "\(text): \(ending.exit) \(said)")
        }
        #expect(try await lab.json("list").count == 1, "nothing was started")
        try await lab.succeeds("presets", "Nothing")
        try await lab.succeeds("presets", "delete", "web")
    }

    @Test func theRestOfTheFileStays() async throws {
        let lab = try await Self.lab()
        let text = "# mine\nCrop:\n  face: {left: 1}  # for cards\nResize:\n  big: {width: 900}\n"
        try Self.write(text, lab)
        try await lab.succeeds("presets", "save", "web", "w1.1")
        let now = try #require(lab.text(Self.file(lab)))
        #expect(now.hasPrefix(text) && now.contains("  web: {width: 40"), "\(now)")
        try await lab.succeeds("presets", "delete", "web")
        #expect(lab.text(Self.file(lab)) == text)
    }

    @Test func severalStepsOfAKindMustBeNamed() async throws {
        let lab = try VerbLab()
        let text: JSON = [
            "schema": "app.workflow/v2", "name": "two",
            "nodes": [
                ["id": "a", "kind": "Text", "params": ["text": "x"]],
                ["id": "b", "kind": "Text", "params": ["text": "y"]],
            ], "edges": [],
        ]
        try lab.write(text, to: "two.json")
        try await lab.succeeds("run", lab.path("two.json"))
        try await lab.succeeds("presets", "save", "hello", "w1.1")
        let ending = try await lab.run("run", lab.path("two.json"), "--preset", "hello")
        #expect(ending.exit == 2 && ending.errors.contains("hello@a"), "\(ending)")
        try await lab.succeeds("run", lab.path("two.json"), "--preset", "hello@2")
        #expect(try await Self.params("w2", "b", lab)?["text"] == "x")
    }

    @Test func secretsAndKeysAreNotStored() async throws {
        let lab = try VerbLab()
        let key = "ghp_" + String(repeating: "aB3", count: 12)
        let text: JSON = [
            "schema": "app.workflow/v2", "name": "key",
            "nodes": [["id": "a", "kind": "Text", "params": ["text": .string("token \(key)")]]], "edges": [],
        ]
        try lab.write(text, to: "key.json")
        try await lab.succeeds("run", lab.path("key.json"))
        let ending = try await lab.run("presets", "save", "mine", "w1.a")
        #expect(!(lab.text(Self.file(lab)) ?? "").contains(key) && !ending.output.contains(key), "\(ending)")
        #expect((ending.output + ending.errors).contains("ecret"), "\(ending)")
        try Self.write("Text:\n  mine: {text: \"token \(key)\"}\n", lab)
        let used = try await lab.run("run", lab.path("key.json"), "--preset", "mine")
        #expect(used.exit == 2 && used.errors.contains("never taken from a preset"), "\(used)")
        #expect(!(used.output + used.errors).contains(key))
        let listed = try await lab.run("presets")
        #expect(!listed.output.contains(key), "\(listed.output)")
    }
}
