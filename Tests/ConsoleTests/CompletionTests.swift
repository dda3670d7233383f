import CaseNames
import Conversations
import Terminal
import Testing
import Vocabulary

@testable import Console

/// A world of a few names, and folders of any size.
private struct FewNames: CompletionWorld, FolderReading {
    var files: [String: [FolderName]] = [
        ".": [
            .init("cat.jpg"), .init("my cat.jpg"), .init("docs", isFolder: true), .init(".hidden"), .init("it's.txt"),
            .init("a\"b'c.txt"),
        ],
        "docs/": [.init("plan.json"), .init("old plans", isFolder: true)],
        "/home/u/": [.init("notes.txt"), .init("my notes.txt")],
        "/": [.init("etc", isFolder: true)],
    ]

    func workflows() -> [LineCandidate] {
        [LineCandidate("w12", about: "cat.jpg: resize"), LineCandidate("w3", about: "zip")]
    }
    func steps(of workflow: WorkflowID) -> [LineCandidate] {
        workflow == WorkflowID(3) ? [LineCandidate("1", about: "Load image"), LineCandidate("2", about: "Resize")] : []
    }
    func entries() -> [LineCandidate] { [LineCandidate("4", about: "Draw a mask")] }
    func conversations() -> [LineCandidate] { [LineCandidate("s2", about: "pictures")] }
    func templates() -> [LineCandidate] { [LineCandidate("thumbnail", about: "Make it small (needs photo)")] }
    func inputs(ofTemplate name: String) -> [LineCandidate] { name == "thumbnail" ? [LineCandidate("photo")] : [] }
    func tools() -> [LineCandidate] {
        [LineCandidate("Resize", about: "Resize"), LineCandidate("ReadFile", about: "Read")]
    }
    func presets() -> [LineCandidate] { [LineCandidate("some", about: "Blur"), LineCandidate("web", about: "Resize")] }
    func connections() -> [LineCandidate] { [LineCandidate("work", about: "gpt-5 at api.example.com")] }
    func providers() -> [LineCandidate] {
        [LineCandidate("openai", about: "OpenAI"), LineCandidate("replicate", about: "Replicate")]
    }
    func hosts() -> [LineCandidate] { [LineCandidate("api.example.com")] }
    func settings() -> [LineCandidate] { [LineCandidate("mode"), LineCandidate("slots.local")] }
    var folders: any FolderReading { self }

    func names(in folder: String, startingWith stem: String, most: Int) -> (names: [FolderName], areAll: Bool) {
        let all = (files[folder] ?? []).filter { $0.name.hasPrefix(stem) }
        return (Array(all.prefix(most)), all.count <= most)
    }
    func listing() async -> [FileEntry] { [] }
    var home: String? { "/home/u" }
}

private func completed(_ line: String) -> LineCompletions { LineCompletion(FewNames()).completions(of: line) }

/// What Tab offers, by verb and position.
@Suite struct CompletionTests {
    @Test(
        arguments: [
            // Verbs.
            ("/sh", "/sh", ["/show"]), ("/un", "/un", ["/unarchive", "/undo", "/unpin"]), ("/paus", "/paus", []),
            ("/cha", "/cha", []),
            // Files that a line attaches.
            ("look at @ca", "@ca", ["@cat.jpg"]), ("@docs/p", "@docs/p", ["@docs/plan.json"]),
            ("@\"my", "@\"my", ["@\"my cat.jpg\""]), ("/now @ca", "@ca", ["@cat.jpg"]), ("/now ca", "ca", ["cat.jpg"]),
            ("a@ca", "a@ca", []),
            ("/help sn", "sn", ["snooze"]), ("/help snooze ", "", []), ("show", "show", []), ("", "", []),
            ("/nosuch ", "", []),
            // Workflows and steps.
            ("/show ", "", ["w12", "w3"]), ("/show w1", "w1", ["w12"]), ("/show w3 ", "", ["1", "2"]),
            ("/why w3 2", "2", ["2"]),
            ("/show w12 ", "", ["--revision", "--part", "--all", "--from", "--lines", "--json", "--plain"]),
            ("/logs w3 --run ", "", []),
            ("/compare w3 2", "2", ["2"]),
            ("/rerun w3 2 --set ", "", ["1.", "2."]), ("/undo w", "w", ["w12", "w3"]),
            ("/poll w3 o", "o", ["off", "on"]),
            ("/view w3.", "w3.", ["w3.1", "w3.2"]), ("/copy w3.2", "w3.2", ["w3.2"]), ("/view w", "w", ["w12", "w3"]),
            // Templates with their inputs, tools, modes, flags.
            ("/run th", "th", ["thumbnail"]), ("/run thumbnail --input ", "", ["photo="]),
            ("/run thumbnail --input photo=c", "c", ["cat.jpg"]),
            ("/run thumbnail --preset w", "w", ["web"]), ("/rerun w3 2 --preset ", "", ["some", "web"]),
            ("/run w3 --set ", "", ["1.", "2."]), ("/presets ", "", ["save", "delete", "Resize", "ReadFile"]),
            ("/presets delete w", "w", ["web"]), ("/presets save web w3.", "w3.", ["w3.1", "w3.2"]),
            ("/archive w3 w1", "w1", ["w12"]),
            ("/run thumbnail --mo", "--mo", ["--mode"]),
            ("/run thumbnail --mode a", "a", ["always-ask", "adaptive", "auto"]),
            ("/tools Re", "Re", ["Resize", "ReadFile"]), ("/mode ad", "ad", ["adaptive"]),
            ("/settings s", "s", ["slots.local"]),
            ("/settings mode ", "", ["--reset", "--edit", "--json", "--plain"]), ("/list --fa", "--fa", ["--failed"]),
            ("/list --sort r", "r", ["recent"]), ("/usage --by ", "", ["session", "model", "day"]),
            // The inbox, conversations, models and providers.
            ("/approve ", "", ["4"]), ("/complete 4 --asset c", "c", ["cat.jpg"]), ("/resume ", "", ["s2"]),
            ("/history ex", "ex", ["export"]),
            ("/history export s", "s", ["s2"]), ("/history export s2 j", "j", ["jsonl"]), ("/model w", "w", ["work"]),
            ("/model test ", "", ["work"]), ("/connect r", "r", ["replicate"]), ("/hosts re", "re", ["revoke"]),
            ("/hosts revoke ", "", ["api.example.com"]),
            // Files, in orders and for verbs.
            ("resize c", "c", ["cat.jpg"]), ("/view c", "c", ["cat.jpg"]),
            ("/view docs/", "docs/", ["docs/plan.json", "\"docs/old plans/"]),
            ("resize m", "m", ["\"my cat.jpg\""]), ("resize \"my", "\"my", ["\"my cat.jpg\""]),
            ("resize 'my c", "'my c", ["'my cat.jpg'"]),
            ("zip i", "i", ["\"it's.txt\""]), ("zip a", "a", []), ("read .h", ".h", [".hidden"]),
            ("read ~/n", "~/n", ["~/notes.txt"]),
            ("read ~/m", "~/m", ["\"/home/u/my notes.txt\""]), ("list /e", "/e", ["/etc/"]),
            ("/check d", "d", ["docs/"]),
            ("resize ", "", []),
        ] as [(String, String, [String])])
    func tabOffers(line: String, replaced: String, words: [String]) {
        let found = completed(line)
        #expect(found.candidates.map(\.word).filter { $0 != "" } == words, "\(found)")
        if !words.isEmpty { #expect(found.replaced == replaced, "\(found)") }
    }

    @Test func whatHasATitleIsListedWithIt() {
        #expect(completed("/show ").candidates.first == LineCandidate("w12", about: "cat.jpg: resize"))
        #expect(completed("/run t").candidates.first?.about == "Make it small (needs photo)")
        #expect(completed("/show w3 2").candidates.first?.about == "Resize")
    }

    @Test func theMenuFollowsWhatIsTyped() {
        #expect(LineCompletion.menu(for: "/").count == SlashVerb.all.count)
        #expect(
            LineCompletion.menu(for: "/sh") == [LineCandidate("/show", about: "Show a workflow, or one of its steps.")])
        for line in ["", "show", "/show w3", "/nosuch", "/sh\nx", " /sh"] {
            #expect(LineCompletion.menu(for: line).isEmpty, "\(line)")
        }
    }

    @Test func ofTooManyFilesTheFirstAreOffered() {
        var world = FewNames()
        world.files["."] = (0..<100_000).map { FolderName("file-\($0).txt") }
        let found = LineCompletion(world).completions(of: "zip file")
        #expect(found.candidates.count == Limits.completedFiles && !found.areAll)
    }
}

/// The declarations that completion is computed from.
@Suite struct WordKindTests {
    @Test func everyVerbDeclaresWhatCompletesEachOfItsWords() {
        expectNoFaults(in: Root.verbs) { verb in
            let (help, description) = (CommandHelp(of: verb), verb.description)
            let positions = help.usage.filter { $0.hasPrefix("<") || $0.hasPrefix("[<") }
            let isRepeated = positions.last?.hasSuffix("...]") ?? false || positions.last?.hasSuffix("...") ?? false
            var faults: [String] = []
            // What is said in words may have as many kinds as its first words.
            if isRepeated ? description.takes.count < positions.count : description.takes.count != positions.count {
                faults.append("takes \(positions) and declares \(description.takes.count) positions")
            }
            if description.takes.contains(where: \.isEmpty) { faults.append("a position is of no kind") }
            let options = help.options.filter { $0.label.contains("<") }.flatMap {
                $0.label.split(whereSeparator: { " ,".contains($0) }).filter { $0.hasPrefix("--") }.map(String.init)
            }
            let declared = Set(description.values.keys)
            if !declared.isSuperset(of: options) || !declared.isSubset(of: options + ["--search"]) {
                faults.append("has the options \(options.sorted()) and declares \(declared.sorted())")
            }
            return faults.map { "\(description.name) \($0)" }
        }
    }

    @Test func whatStandsBeforeTheCursorIsCut() {
        #expect(TypedWords("/view \"my c") == TypedWords("/view \"my c"))
        let typed = TypedWords("/view a\"b c\" \"my c")
        #expect(
            typed.finished == ["/view", "ab c"] && typed.raw == "\"my c" && typed.word == "my c"
                && typed.openQuote == "\"")
        #expect(TypedWords("a ").raw.isEmpty && TypedWords("a ").finished == ["a"])
    }
}

/// How words are read that mean a workflow, a folder, or an order.
@Suite struct TypedWordTests {
    @Test(
        arguments: [
            ("w3", WorkflowID(3), nil), ("w3.2", WorkflowID(3), "2"), ("w3.blur", WorkflowID(3), "blur"),
            ("2", WorkflowID(2), nil),
        ] as [(String, WorkflowID?, String?)])
    func aWorkflowMayHaveAStep(text: String, workflow: WorkflowID?, step: String?) {
        let word = WorkflowWord(argument: text)
        #expect(word != nil && word?.workflow == workflow && word?.step == step)
    }

    @Test(arguments: ["", "w", "w3.", "blur", "s3", ".2"]) func otherWordsAreNone(text: String) {
        #expect(WorkflowWord(argument: text) == nil)
    }

    @Test(arguments: [
        ("view ~/a.txt", "view /home/u/a.txt"), ("view ~", "view /home/u"), ("view '~/a.txt'", "view ~/a.txt"),
        ("view \"~\"", "view ~"),
        ("view a~/b", "view a~/b"), ("view ~u/b", "view ~u/b"),
        ("run ~/a.json --mode auto", "run /home/u/a.json --mode auto"),
        ("reject 3 ~/a", "reject 3 ~/a"),
        ("complete 3 --asset ~/m.png --text ~/x", "complete 3 --asset /home/u/m.png --text ~/x"),
        ("check ~/a ~/b", "check /home/u/a /home/u/b"), ("nosuch ~/a", "nosuch ~/a"),
        ("view ~/'my a.txt'", "view /home/u/my a.txt"),
    ])
    func theHomeFolderIsMeantWhereAFileIs(line: String, expected: String) {
        #expect(ChatWords(home: "/home/u").split(line).joined(separator: " ") == expected)
        #expect(ChatWords(home: nil).split(line) == Words.split(line))
    }

    @Test(arguments: [
        ("resize cat.jpg to 200 px wide\nzip cat.jpg and a.txt", 2),
        ("/list\n/show w3\n\nhow many words are in a.txt\n", 3),
        ("  resize cat.jpg to 200 px\nblur cat.jpg", 2),
    ])
    func linesAreOrders(text: String, count: Int) {
        let orders = PastedOrders.orders(in: text)
        #expect(
            orders?.count == count && orders?.allSatisfy { !$0.hasPrefix(" ") && !$0.isEmpty } == true,
            "\(orders ?? [])")
    }

    @Test(arguments: [
        "write this:\nhello", "replace \"a\nb\" in a.txt", "do this\n  and that", "make a list:\n- one\n- two",
        "run a \\\nb", "f(\nx)",
        "say\n> a quote", "one line", "", "\n\n", "zip a.txt,\nb.txt", "```\nx\n```", "# Title\ntext",
        (0..<21).map { "blur \($0).jpg" }.joined(separator: "\n"),
    ])
    func otherTextsAreOneOrder(text: String) { #expect(PastedOrders.orders(in: text) == nil) }

    @Test func ordersAreTakenOneByOneAndStandStillWhenHeld() {
        var waiting = WaitingOrders()
        #expect(!waiting.resume() && waiting.next() == nil)
        #expect(waiting.add(["a", "b", "c"]) && !waiting.resume())
        #expect(waiting.next() == "a" && waiting.begun == 1 && waiting.all == 3)
        waiting.hold()
        #expect(waiting.next() == nil && waiting.lines == ["b", "c"])
        #expect(waiting.resume() && !waiting.resume() && waiting.next() == nil && waiting.lines == ["b", "c"])
        waiting.goOn(isAsked: true)
        #expect(waiting.next() == nil && waiting.resume())
        waiting.goOn(isAsked: false)
        #expect(waiting.next() == "b" && waiting.takeLines() == ["c"] && waiting.next() == nil)
        #expect(waiting.add(["d"]) && !waiting.add(["e"]))
        #expect(waiting.next() == "d" && waiting.begun == 1 && waiting.all == 2)
    }

    /// The task that waits for the user's line does the orders of a paste that comes meanwhile.
    @Test func ordersThatAreDroppedWhileTheyAreResumedAreNotBegunTwice() {
        var waiting = WaitingOrders()
        _ = waiting.add(["a", "b"])
        waiting.hold()
        #expect(waiting.resume() && waiting.takeLines() == ["a", "b"] && !waiting.add(["c"]))
        waiting.goOn(isAsked: true)
        #expect(waiting.next() == "c" && waiting.next() == nil && waiting.add(["d"]))
        waiting.hold()
        #expect(waiting.takeLines() == ["d"] && !waiting.resume() && waiting.add(["e"]))
    }
}
