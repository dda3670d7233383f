import CaseNames
import Harness
import JSON
import Testing

/// What a workflow that comes in may call its steps, ports and inputs, and which addresses it may name.
@Suite(.process) struct NameTests {
    /// Names that no step may have, by a short word for each.
    static let bad: KeyValuePairs<String, String> = [
        "NUL": "a\0b", "newline": "a\nb", "ESC": "a\u{1B}[2Jb", "C1": "a\u{9B}b", "right to left": "a\u{202E}b",
        "zero width": "a\u{200B}b",
        "filler": "a\u{3164}b", "a dot": "a.b", "a path": "../../x", "a space": "a b", "an equals sign": "a=b",
        "an option": "-a",
        "a megabyte": String(repeating: "a", count: 1 << 20), "129 bytes": String(repeating: "a", count: 129),
        "nothing": "",
        "a tag": "a\u{E0041}b", "a replacement": "a\u{FFFD}b",
    ]

    private func template(id: String) -> String { workflow("odd", [node(id, "Text", ["text": "x"])]).text }

    @Test("finding 11: a step's id is a bounded word", arguments: Array(0..<bad.count)) func anIDIsABoundedWord(
        place: Int
    ) async throws {
        let (name, id) = Self.bad[place]
        let lab = try ProgramLab()
        try lab.write(template(id: id), to: "odd.json")
        let ending = try await lab.run("check", "odd.json", "--json")
        let problems = ending.lines.first?["problems"]?.array ?? []
        let codes = problems.compactMap { $0["code"]?.string }
        #expect(
            ending.exit == 2 && codes == [name == "nothing" ? "badTemplate" : "badName"],
            "\(name): \(ending.output.prefix(500))")
        #expect(
            problems.first?["place"] == "nodes 1.id" && ending.output.utf8.count < 1000,
            "\(name): \(ending.output.prefix(500))")
        let started = try await lab.run("run", "odd.json", "--json")
        #expect(started.exit == 2)
        #expect(try await lab.json("list").isEmpty, "\(name)")
    }

    /// Whoever has such a workflow keeps it: it is taken up, changed and duplicated, and only new names are held
    /// against the rule.
    @Test("finding 11: a name that is stored already stays") func aNameThatIsStoredAlreadyStays() async throws {
        let lab = try ProgramLab()
        let plan = workflow(
            "old", [node("nap", "Text", ["text": "new"]), node("write", "WriteFile", ["path": "new.txt"])],
            [edge("nap.text", "write.text")]
        )
        try lab.write(plan, to: ".old.json")
        #expect(try await lab.run("run", ".old.json", "--mode", "always-ask").exit == 3)
        // As of a version that had such names and no checksums: they are made when it is brought up to date.
        let changes = """
            UPDATE graphs SET template=replace(template,'"write"','"w.r q"'); UPDATE steps SET node='w.r q' WHERE node='write';
            DROP TABLE checksums; DROP TRIGGER messages_indexed; DROP TRIGGER messages_unindexed; DROP TRIGGER messages_reindexed;
            DROP TABLE message_index; DROP TABLE usage; DROP TABLE model_lessons;
            ALTER TABLE sessions DROP COLUMN owner; ALTER TABLE sessions DROP COLUMN model;
            ALTER TABLE messages DROP COLUMN thought; ALTER TABLE messages DROP COLUMN called;
            DELETE FROM grdb_migrations WHERE identifier IN ('7 checksums', '8 history');
            """
        #expect(try await lab.tool("sqlite3", "\(lab.home)/data/assent.db", changes).exit == 0)
        let edited = try await lab.run("edit", "w1", "--set", "2.path=newer.txt")
        #expect(edited.exit == 0, "\(edited.output)\(edited.errors)")
        try lab.write(
            plan.text.replacing("\"write\"", with: "\"w.r q\"").replacing("\"nap\"", with: "\"n.n\""), to: ".new.json")
        let refused = try await lab.run("edit", "w1", ".new.json", "--json")
        #expect(
            refused.exit == 2 && refused.lines(of: "error").map { $0["code"]?.string } == ["badName"],
            "\(refused.output)")
        #expect(refused.output.contains("n.n") && !refused.output.contains("w.r q"), "\(refused.output)")
        try await lab.succeeds("duplicate", "w1")
        // What asks is answered, so that both go on to their ends.
        for _ in 0..<2 {
            _ = try await lab.run("work", "--until-idle")
            for entry in try await lab.json("inbox") {
                let digest = entry["digest"]?.string ?? ""
                let ending = try await lab.run("approve", "\(entry["number"]?.int ?? 0)", "--digest", digest)
                #expect([0, 3].contains(ending.exit), "\(ending.output)\(ending.errors)")
            }
        }
        try await lab.succeeds("work", "--until-idle")
        #expect(try await lab.states("w1") == ["succeeded", "succeeded"])
        #expect(try await lab.states("w2") == ["succeeded", "succeeded"])
        #expect(lab.text("newer.txt") == "new")
        try await lab.succeeds("doctor", "--thorough")
    }

    @Test("finding 11: a lone surrogate is no id") func aLoneSurrogateIsNoID() async throws {
        let lab = try ProgramLab()
        try lab.write(template(id: "ID").replacing("ID", with: "a\\ud800b"), to: "odd.json")
        let ending = try await lab.run("check", "odd.json")
        #expect(ending.exit == 2 && !ending.output.contains("fine"), "\(ending.output)")
    }

    @Test(
        "finding 11: words of any language, numbers and hyphens are ids",
        arguments: ["load1", "12", "größe", "画像", "step-2_b", "слой", "_a", "128 bytes"])
    func wordsAreIDs(name: String) async throws {
        let id = name == "128 bytes" ? String(repeating: "a", count: 128) : name
        let lab = try ProgramLab()
        try lab.write(template(id: id), to: "fine.json")
        try await lab.succeeds("check", "fine.json")
        let ran = try await lab.run("run", "fine.json", "--set", "\(id).text=new")
        #expect(ran.exit == 0, "\(ran.output)\(ran.errors)")
        try await lab.succeeds("show", "w1", id)
    }

    @Test(arguments: [
        ("HTTP://host/", 0), ("hTTps://host/", 0), ("ftp://host/", 2), ("httpx://host/", 2), ("http:/host", 2),
    ])
    func anAddressIsToldByItsScheme(url: String, exit: Int32) async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("fetch", [node("get", "HTTPFetch", ["url": .string(url)])]), to: "plan.json")
        let ending = try await lab.run("check", "plan.json")
        #expect(ending.exit == exit, "\(ending.output)")
    }
}
