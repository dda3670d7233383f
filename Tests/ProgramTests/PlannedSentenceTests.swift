import CaseNames
import Harness
import JSON
import Testing

/// Sentences of the built-in planner, through the program to their results.
@Suite(.process) struct PlannedSentenceTests {
    @Test func twoFilesMayComeIntoOneNewFolder() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("a.jpg", width: 30, height: 20)
        try await lab.photograph("b.jpg", width: 30, height: 20)
        let ending = try await lab.run("ask", "copy all pictures into the folder pics", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.bytes("pics/a.jpg") != nil && lab.bytes("pics/b.jpg") != nil, "\(lab.names())")
    }

    @Test(arguments: [
        ("how big is cat.jpg?", "cat.jpg is 60×40 pixels, JPEG, "),
        ("how wide is cat.jpg?", "cat.jpg is 60×40 pixels, JPEG, "),
        ("which format does cat.jpg have?", "cat.jpg is 60×40 pixels, JPEG, "),
        ("count the words in notes.txt", "notes.txt: 3 words, 1 line, 14 characters"),
    ])
    func aQuestionAboutAFileIsAnsweredInASentence(question: String, answer: String) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 60, height: 40)
        try lab.write("one two three\n", to: "notes.txt")
        let ending = try await lab.run("ask", question, "--mode", "auto")
        #expect(ending.exit == 0 && ending.output.contains(answer) && !ending.output.contains("{"), "\(ending.output)")
    }

    @Test(arguments: [
        ("make cat.jpg gray frobnicated", ["frobnicated"]),
        ("zip cat.jpg with password hunter2", ["with password hunter2"]),
        ("make dog.png gray", []),
    ])
    func aRefusalForWordsTellsThemInItsEvent(sentence: String, words: [String]) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 60, height: 40)
        let ending = try await lab.run("ask", sentence, "--json")
        expectEvents(ending, exit: 2)
        let told = try #require(ending.lines(of: "message.completed").last { $0["role"] == "assistant" })
        #expect(told["code"]?.string == (words.isEmpty ? nil : "notUnderstood"), "\(told.text)")
        #expect((told["words"]?.array ?? []).compactMap(\.string) == words, "\(told.text)")
        #expect(!ending.types.contains("workflow.created"))
    }

    @Test(arguments: [("language: de\n", "C.UTF-8"), ("", "de_DE.UTF-8")])
    func theLanguageIsASettingOrThatOfTheEnvironment(settings: String, variable: String) async throws {
        let lab = try ProgramLab(environment: ["LANG": variable])
        try await lab.photograph("cat.jpg", width: 60, height: 40)
        if !settings.isEmpty { try Self.write(settings, lab) }
        let ending = try await lab.run(
            "ask", "Mach cat.jpg grau und speichere es als grau.jpg", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.bytes("grau.jpg") != nil)
        let refused = try await lab.run("ask", "Mach cat.jpg grau mit Glitzer", "--mode", "auto")
        #expect(
            refused.exit == 2 && refused.output.contains("Das verstehe ich nicht: “mit Glitzer”"), "\(refused.output)")
    }

    @Test func aLanguageThatIsNotThereIsToldByDoctor() async throws {
        let lab = try ProgramLab()
        try Self.write("language: xx\n", lab)
        let doctor = try await lab.run("doctor", "--json")
        let finding = doctor.lines.first { $0["name"] == "language" }
        #expect(
            finding?["ok"]?.bool == false && finding?["words"]?.string?.contains("no language xx") == true,
            "\(doctor.output)")
        try await lab.photograph("cat.jpg", width: 60, height: 40)
        try await lab.succeeds("ask", "make cat.jpg gray", "--mode", "auto")
    }

    private static func write(_ settings: String, _ lab: ProgramLab) throws {
        try ScratchFolder.makeFolder("\(lab.home)/config")
        try ScratchFolder.write(settings, to: "\(lab.home)/config/settings.yaml")
    }

    @Test func anAnswerToItsQuestionIsJoinedWithTheOrder() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 60, height: 40)
        let asked = try await lab.run("ask", "make it gray", "--mode", "auto")
        #expect(asked.exit == 2 && asked.output.contains("Which file?"), "\(asked.output)")
        try await lab.succeeds("ask", "--continue", "cat.jpg", "--mode", "auto")
        #expect(lab.bytes("cat-1.jpg") != nil)
        let chat = try await lab.run(["--mode", "auto"], input: "rename cat-1.jpg\nkitty.jpg\n")
        #expect(lab.bytes("kitty.jpg") != nil && lab.bytes("cat-1.jpg") == nil, "\(chat.output)")
    }

    @Test func allPicturesDoesNotMeanWhatAssentMade() async throws {
        let lab = try ProgramLab()
        for name in ["cat.jpg", "dog.jpg", "bird.jpg"] { try await lab.photograph(name, width: 30, height: 20) }
        try await lab.succeeds("ask", "make cat.jpg gray", "--mode", "auto")
        #expect(lab.bytes("cat-1.jpg") != nil)
        let ending = try await lab.run("ask", "blur all pictures", "--mode", "auto")
        #expect(ending.exit == 0 && ending.output.contains("also the results"), "\(ending.output)")
        let made = lab.names().filter { $0.contains("-") }.sorted()
        #expect(made == ["bird-1.jpg", "cat-1.jpg", "cat-2.jpg", "dog-1.jpg"], "\(made)")
        // Other orders take all.
        try await lab.succeeds("ask", "zip all pictures as more.zip", "--mode", "auto")
        #expect(try await lab.tool("unzip", "-Z1", lab.path("more.zip")).output.contains("cat-1.jpg"))
    }
}
