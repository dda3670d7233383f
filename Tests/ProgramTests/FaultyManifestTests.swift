import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A manifest that cannot be used says why where it is used, not only in `doctor`.
@Suite(.process) struct FaultyManifestTests {
    private let lab: ProgramLab

    init() throws {
        lab = try ProgramLab()
        for folder in ["tools", "providers"] { try ScratchFolder.makeFolder("\(lab.home)/config/\(folder)") }
    }

    private func tool(_ kind: String, _ more: String = "") -> String {
        """
        tool: assent.tool/v1
        kind: \(kind)
        title: Mine
        outputs: {text: text}
        run: {program: [[printf, "{nothing}"]], files: {text: a.txt}}
        \(more)
        """
    }

    private func said(_ arguments: String...) async throws -> String {
        let ending = try await lab.run(arguments)
        #expect(ending.exit != 0, "\(ending.output)")
        // As it stands on lines of a width.
        return (ending.output + ending.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func run(_ kind: String, _ params: JSON = [:]) async throws -> String {
        try lab.write(workflow("w", [node("n", kind, params)]), to: "plan.json")
        return try await said("run", "plan.json", "--mode", "auto")
    }

    @Test func doctorNamesAPhraseThatCannotBeRead() async throws {
        try ScratchFolder.write(
            """
            tool: assent.tool/v1
            kind: Shout
            title: Shout
            phrases:
              en: ["(~shout {in}", "~yell {in}"]
              de: ["rufe <niemand> {in}"]
            inputs: {in: text}
            outputs: {text: text}
            run: {program: [[sort, "{in}"]], stdout: text, files: {text: "{stem}.txt"}}
            """, to: "\(lab.home)/config/tools/shout.yaml")
        let words = try await said("doctor")
        #expect(words.contains(#"shout.yaml:5: A ")" is missing in the pattern "(~shout {in}"."#), "\(words)")
        #expect(
            words.contains(#"shout.yaml:6: The group <niemand> is not known in"#) && !words.contains("yell"), "\(words)"
        )
    }

    @Test("finding 11: a tool's fault is told where the tool is used")
    func aToolsFaultIsTold() async throws {
        try ScratchFolder.write(tool("MineTool"), to: "\(lab.home)/config/tools/mine.yaml")
        let words = "/config/tools/mine.yaml:5: MineTool: \"{nothing}\" is no input, parameter or output."
        #expect(try await run("MineTool").contains(words))
        let asked = try await said("ask", "use MineTool please")
        #expect(asked.contains(words), "\(asked)")
        // Its file, which is no YAML at all, is named, too.
        try ScratchFolder.write("kind: MineTool\nrun: {", to: "\(lab.home)/config/tools/mine.yaml")
        #expect(try await run("MineTool").contains("/config/tools/mine.yaml:"))
        // So is one that is no text.
        try ScratchFolder.write(
            Array("# fa".utf8) + [0xE7] + Array("ade\n\(tool("MineTool"))".utf8),
            to: "\(lab.home)/config/tools/mine.yaml")
        #expect(try await run("MineTool").contains("/config/tools/mine.yaml:1: The byte 0xE7 is not UTF-8."))
        // What is not there is said as before.
        #expect(try await run("Frobnicate").contains("nothing here is called \"Frobnicate\""))
    }

    /// A shipped tool is not taken in the place of what the person has written.
    @Test("finding 11: a person's faulty tool hides the shipped one, and says so")
    func aFaultyToolHidesTheShippedOne() async throws {
        try ScratchFolder.write(tool("CountWords"), to: "\(lab.home)/config/tools/mine.yaml")
        try lab.write("one two", to: "notes.txt")
        let words = "/config/tools/mine.yaml:5: CountWords:"
        #expect(try await said("ask", "count the words in notes.txt", "--mode", "auto").contains(words))
        // A file of a shipped file's name takes its place also if it cannot be read.
        unlink("\(lab.home)/config/tools/mine.yaml")
        try ScratchFolder.write([0xE7], to: "\(lab.home)/config/tools/text.yaml")
        let unread = "/config/tools/text.yaml:1: The byte 0xE7 is not UTF-8."
        #expect(try await said("ask", "count the words in notes.txt", "--mode", "auto").contains(unread))
    }

    @Test(
        "finding 11: so is a provider's",
        arguments: [("mine", "mine.yaml"), ("generic", "mine.yaml"), ("generic", "settings")])
    func aProvidersFaultIsTold(id: String, place: String) async throws {
        if place == "settings" {
            try ScratchFolder.write(
                "providers: {generic: {hots: \"127.0.0.1:1\"}}\n", to: "\(lab.home)/config/settings.yaml")
        } else {
            try ScratchFolder.write(
                "kind: jobs.http/v1\nid: \(id)\ntitle: Mine\nhost: x\n", to: "\(lab.home)/config/providers/mine.yaml")
        }
        try ScratchFolder.write(
            """
            tool: assent.tool/v1
            kind: MineJob
            title: Mine
            outputs: {json: json}
            effects: [sends]
            class: remote
            run: {job: {provider: \(id), with: {kind: a}}}
            """, to: "\(lab.home)/config/tools/mine.yaml")
        let text = try await run("MineJob")
        #expect(text.contains("The manifest of the provider \(id) has "), "\(text)")
        let words =
            place == "settings"
            ? "/config/settings.yaml:1: generic: The settings give \"hots\", which is no variable of this provider. Did you mean \"host\"?"
            : "/config/providers/mine.yaml:4: \(id): \"host\" is not known here."
        #expect(text.contains(words), "\(text)")
    }
}
