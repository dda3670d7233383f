import CaseNames
import Console
import Terminal
import Testing
import Vocabulary

private func tokens(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

extension [StyledText] {
    fileprivate var tokens: [Substring] { flatMap { ConsoleTests.tokens($0.plain) } }
}

extension [Substring] {
    /// Whether `part` stands here in one piece.
    fileprivate func contains(inOnePiece part: [Substring]) -> Bool {
        !part.isEmpty && indices.contains { self[$0...].starts(with: part) }
    }
}

@Suite struct HelpTests {
    /// A row is broken only at spaces, so the words are those of the declarations, one after another.
    @Test(arguments: [40, 80, 120]) func everyVerbStandsWholeInItsGroup(columns: Int) throws {
        let lines = HelpView.lines(columns: columns)
        let shown = lines.tokens
        let expected = HelpGroup.allCases.flatMap { group in
            tokens(group.title)
                + SlashVerb.all.filter { $0.group == group }.flatMap {
                    tokens("/\($0.example.words)") + tokens($0.summary)
                }
        }
        #expect(shown.contains(inOnePiece: expected), "\(lines.plain)")
        #expect(HelpGroup.allCases.count == 6 && lines.filter { $0.plain.isEmpty }.count == 7)
        #expect(lines.widest() <= columns && lines.isHarmless)
    }

    @Test func whereThereIsRoomTheSummaryStandsBesideTheExample() {
        let wide = HelpView.lines(columns: 120).map(\.plain)
        #expect(
            wide.contains { $0.hasPrefix("    /cancel w3  ") && $0.hasSuffix("  Cancel a workflow that is under way.") }
        )
        let narrow = HelpView.lines(columns: 40).map(\.plain)
        #expect(narrow.contains("    /cancel w3") && narrow.contains("      Cancel a workflow that is under"))
    }

    @Test(arguments: [40, 80, 120]) func theHelpOfAVerbHasItsSummaryUsageAndExamples(columns: Int) throws {
        try expectNoFaults(in: Root.verbs) { verb in
            let description = verb.description
            let lines = try HelpView.lines(for: [description.name], columns: columns)
            let shown = lines.tokens
            let caller = description.notInChat == nil ? "/" : "assent "
            var parts = [
                description.summary, description.details, "Usage \(caller)\(description.name)",
                "--json Print JSON, one object a line.",
            ]
            parts += description.examples.flatMap { ["\(caller)\($0.words)", $0.note ?? ""] }
            var faults = parts.filter { !$0.isEmpty && !shown.contains(inOnePiece: tokens($0)) }
            if lines.widest() > columns { faults.append("\(lines.widest()) columns") }
            if !lines.isHarmless { faults.append("signs that do harm") }
            return faults.map { "\(description.name): \($0)" }
        }
    }

    @Test func theHelpOfAVerbListsItsArgumentsAndOptions() throws {
        let lines = try HelpView.lines(for: ["logs"], columns: 80).map(\.plain)
        #expect(
            lines == [
                "  Show the last lines that a run of a step wrote: of a command both streams,",
                "  with its exit code.",
                "",
                "  Usage",
                "    /logs [<workflow>] [<step>] [--run <run>] [--log] [--from <from>]",
                "    [--lines <lines>] [--json] [--plain]",
                "",
                "  Arguments",
                "    <workflow>  The workflow, such as w3, or one of its steps, such as w3.2.",
                "                Without it, the newest.",
                "    <step>      A step, by its number or node id. Without it, the one that",
                "                failed last, else the one that ran last.",
                "",
                "  Options",
                "    --run <run>      Its run; without it, the last.",
                "    --log            Of a command, what was noted of its run rather than what it",
                "                     printed.",
                "    --from <from>    The first entry that is printed, from 1. Nothing is left",
                "                     out from there on.",
                "    --lines <lines>  How many entries are printed.",
                "    --json           Print JSON, one object a line.",
                "    --plain          No colours, no drawing in place; as with NO_COLOR or",
                "                     TERM=dumb.",
                "",
                "  Examples",
                "    /logs w3 2",
                "    /logs w3 2 --run 1",
                "    /logs w3 2 --from 1 --lines 40",
            ], "\(lines.joined(separator: "\n"))")
    }

    /// A label that leaves no room beside it has its words below it in ArgumentParser's text.
    @Test func everyArgumentIsExplained() throws {
        try expectNoFaults(in: Root.verbs) { verb in
            let lines = try HelpView.lines(for: [verb.description.name], columns: 500).map(\.plain)
            let start = lines.firstIndex { $0 == "  Arguments" || $0 == "  Options" } ?? lines.endIndex
            let end = lines.firstIndex { $0 == "  Examples" || $0 == "  Example" } ?? lines.endIndex
            return lines[start..<end].filter { $0.hasPrefix("    ") && !$0.dropFirst(4).contains("  ") }.map {
                "\(verb.description.name): \($0)"
            }
        }
    }

    @Test(arguments: [
        ("new", "/new"), ("quit", "/quit"), ("exit", "/quit"), ("help", "/help show"), ("?", "/help show"),
        ("/show", "/show w3 2"),
    ])
    func verbsOfTheChatAreExplainedToo(word: String, example: String) throws {
        #expect(try HelpView.lines(for: [word], columns: 80).plain.contains(example))
    }

    @Test(arguments: [
        ("shwo", "Did you mean /show? "), ("lits", "Did you mean /list? "), ("quti", "Did you mean /quit? "),
        ("nosuch", ""),
        ("undoo", "Did you mean /undo? "),
    ])
    func helpOfAWordThatIsNoVerbNamesTheNearest(word: String, hint: String) {
        let failure = #expect(throws: Failure.self) { try HelpView.lines(for: [word], columns: 80) }
        #expect(failure?.message == "There is no command \"\(word)\"." && failure?.remedy == hint + "/help lists them.")
    }

    @Test func inAShellTheNearestIsNamedAsItIsTypedThere() {
        let failure = Voice.$isShell.withValue(true) { Root.noCommand("lits", remedy: "See 'assent --help'.") }
        #expect(failure.remedy == "Did you mean 'assent list'? See 'assent --help'.")
    }
}
