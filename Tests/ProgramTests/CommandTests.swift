import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The verbs as scripts see them: exit codes and `--json`.
@Suite(.process) struct CommandTests {
    static let note = workflow(
        "a note", [node("text", "Text", ["text": "hello"]), node("write", "WriteFile", ["path": "note.txt"])],
        [edge("text.text", "write.text")])

    /// The rest of the table is in `VerbTests`.
    @Test(arguments: [["frobnicate"], ["--frobnicate"], ["ask"]])
    func badUsageExits2AndSaysWhatToDo(arguments: [String]) async throws {
        let ending = try await ProgramLab().run(arguments)
        #expect(ending.exit == 2, "\(arguments): \(ending.exit)")
        #expect(
            ending.output.isEmpty && ending.errors.contains("Error:") && ending.errors.contains("--help"),
            "\(ending.errors)")
    }

    /// The rest of the table is in `VerbTests`.
    @Test(arguments: [(["show", "w7"], "unknownWorkflow"), (["list", "--done", "--failed"], "badUsage")])
    func whatIsNotThereIsSaidInOneSentenceWithItsCode(arguments: [String], code: String) async throws {
        let lab = try ProgramLab()
        let json = try await lab.run(arguments + ["--json"])
        #expect(json.exit == 2, "\(arguments): \(json.exit) \(json.output)")
        let error = try #require(json.lines(of: "error").first, "\(json.output)")
        #expect(error["code"]?.string == code && error["remedy"]?.string?.isEmpty == false, "\(error.text)")
        let plain = try await lab.run(arguments)
        #expect(
            plain.exit == 2 && plain.output.isEmpty && plain.errors.contains("(\(code))"),
            "\(plain.output)\(plain.errors)")
    }

    /// The other verbs are called in `VerbTests`.
    @Test func aVerbPrintsObjectsOnLines() async throws {
        let lab = try ProgramLab()
        try lab.write(Self.note, to: ".note.json")
        expectEvents(try await lab.run("run", ".note.json", "--json"), exit: 0)
        let ending = try await lab.run("show", "w1", "--json")
        #expect(ending.exit == 0 && ending.lines.count == 1 && ending.complaints.isEmpty, "\(ending.output)")
        let plain = try await lab.run("show", "w1")
        #expect(!plain.output.isEmpty && !plain.output.contains("\u{1B}") && plain.exit == 0)
    }

    /// Files are named from the folder in which the program starts.
    @Test func aFileIsNamedFromTheFolderOfTheProgram() async throws {
        let lab = try ProgramLab()
        try lab.write(Self.note, to: "good.json")
        let ending = try await lab.run("check", "good.json", "missing.json", "--json")
        #expect(ending.exit == 2)
        #expect(ending.lines.map { $0["ok"]?.bool } == [true, false])
        #expect(ending.lines.map { $0["file"]?.string } == ["good.json", "missing.json"])
        expectEvents(try await lab.run("run", "good.json", "--mode", "always-ask", "--json"), exit: 3)
    }

    @Test func wordsThatWereNotUnderstoodAreNoSuccess() async throws {
        let lab = try ProgramLab()
        expectEvents(try await lab.run("ask", "frobnicate the gizmo", "--json"), exit: 2)
        expectEvents(try await lab.run("ask", "hello", "--json"), exit: 0)
    }

    @Test func runTakesParametersAndFiles() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 400, height: 300)
        let shrink: JSON = .of([
            "schema": "app.workflow/v2", "name": "shrink",
            "inputs": ["photo": ["type": "image", "to": [["resize", "image"]]]],
            "nodes": [node("resize", "Resize", ["width": 50]), node("save", "SaveFile", ["path": "small.jpg"])],
            "edges": [edge("resize.image", "save.file")],
        ])
        try lab.write(shrink, to: ".shrink.json")
        expectEvents(
            try await lab.run("run", ".shrink.json", "--input", "photo=cat.jpg", "--set", "resize.width=120", "--json"),
            exit: 0)
        #expect(try await lab.picture("small.jpg")[0] == 120)
        for wrong in [
            [], ["--input", "photo"], ["--input", "picture=cat.jpg"],
            ["--input", "photo=cat.jpg", "--set", "resize.width=wide"],
            ["--input", "photo=cat.jpg", "--set", "resize.wdith=5"],
            ["--input", "photo=cat.jpg", "--set", "shrink.width=5"],
        ] {
            let ending = try await lab.run(["run", ".shrink.json", "--json"] + wrong)
            #expect(ending.exit == 2, "\(wrong): \(ending.output)")
            #expect(ending.types.last == "end")
        }
        #expect(try await lab.run("run", ".shrink.json", "--input", "photo=dog.jpg", "--json").exit != 0)
    }

    @Test(arguments: [
        ("Resize", "image", "cat.jpg"), ("CountWords", "text", "notes.txt"), ("JSONQuery", "json", "x.json"),
        ("Zip", "files.1", "notes.txt"),
    ])
    func aFileIsBoundToAnyPortOfATool(kind: String, port: String, file: String) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 40, height: 30)
        try lab.write("one two", to: "notes.txt")
        try lab.write(#"{"a": 1}"#, to: "x.json")
        let params: JSON = kind == "Resize" ? ["width": 10] : kind == "JSONQuery" ? ["path": "a"] : [:]
        try lab.write(workflow("bound", [node("it", kind, params)]), to: ".bound.json")
        expectEvents(try await lab.run("run", ".bound.json", "--input", "it.\(port)=\(file)", "--json"), exit: 0)
        #expect(try await lab.states() == ["succeeded", "succeeded"])
    }

    /// `semantics.md` 25: what a tool says where the template says nothing is frozen with the workflow.
}
