import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// What obeys the schema of a tool is read, and what is refused says what would be right.
struct OfferedToolsTests {
    private static func read(_ name: String, _ json: String) throws(Failure) -> PlannerCall {
        let arguments = (try? JSONReader.read(json)) ?? .null
        return try PlannerTools.read(ChatCall(id: "c", name: name, arguments: arguments), catalogue: catalogue)
    }

    @Test(
        arguments: [
            ("read", #"{"path":"a.py"}"#, "ReadLines path=a.py from=1 lines=400"),
            ("read", #"{"path":"a.py","from":"40","lines":20}"#, "ReadLines path=a.py from=40 lines=20"),
            ("read", #"{"path":"./w3.2.text"}"#, "ReadLines path=./w3.2.text from=1 lines=400"),
            ("read", #"{"path":"a.pdf","page":3}"#, "ReadLines path=a.pdf from=1 lines=400 page=3"),
            ("read", #"{"path":"w3.2.text","from":5}"#, "result w3.2.text from 5"),
            (
                "search", #"{"text":"a","glob":"*.py","ignore_case":true}"#,
                "SearchFiles text=a path=. glob=*.py ignoreCase=true"
            ),
            ("search", #"{"regex":"a.b","path":"src","max":"5"}"#, "SearchFiles regex=a.b path=src max=5"),
            ("list", "{}", "ListTree path=."), ("list", #"{"depth":3,"glob":null}"#, "ListTree path=. depth=3"),
            ("run", #"{"command":"ls -l"}"#, "Shell command=ls -l exits=[\"told\"] 120 s"),
            (
                "run", #"{"command":"curl x","network":"example.org","seconds":600}"#,
                "Shell command=curl x network=[\"example.org\"] exits=[\"told\"] 600 s"
            ),
            ("edit", #"{"edits":[{"path":"a","text":"b"}]}"#, "Edit edits=[{\"path\":\"a\",\"text\":\"b\"}] 600 s"),
            (
                "edit", #"{"edits":[{"path":"a","text":"b"}],"check":"make","ask_anyway":"true"}"#,
                "Edit edits=[{\"path\":\"a\",\"text\":\"b\"}] check=make askAnyway=true 600 s"
            ),
            ("wait", #"{"workflow":"w7"}"#, "wait w7 120"), ("wait", #"{"workflow":"7","seconds":600}"#, "wait w7 600"),
            ("ask_person", #"{"question":"Which?"}"#, "AskPerson question=Which? · question"),
            (
                "ask_person", #"{"question":"Which?","choices":["a","b"],"several":true,"text":true}"#,
                #"AskPerson question=Which? choices=["a","b"] leadsTo=["",""] several=true long=true · question"#
            ),
            (
                "ask_person", #"{"question":"Which?","choices":[{"label":"a","leads_to":"b"},"c"]}"#,
                #"AskPerson question=Which? choices=["a","c"] leadsTo=["b",""] · question"#
            ),
            ("workflow", #"{"workflow":"w3","do":"retry","step":2}"#, "retry w3 2"),
            ("workflow", #"{"workflow":"w3","do":"cancel"}"#, "cancel w3"),
            ("results", "{}", "list"), ("results", #"{"workflow":"w3"}"#, "show w3"),
            ("find_tools", #"{"words":"pdf"}"#, "find pdf"), ("find_tools", #"{"query":"pdf"}"#, "find pdf"),
        ])
    func aCallThatObeysTheSchemaIsRead(name: String, json: String, words: String) throws {
        #expect(Self.words(of: try Self.read(name, json)) == words)
    }

    @Test(
        arguments: [
            ("read", "{}", #"needs "path""#), ("read", #"{"path":"a","line":3}"#, #"Did you mean "lines"?"#),
            ("read", #"{"path":"a","from":0}"#, "a whole number from 1"),
            ("read", #"{"path":"a","from":9223372036854775807}"#, "a whole number from 1"),
            ("read", #"{"path":["a"]}"#, "is a text"), ("read", #"{"path":"a","page":0}"#, "a whole number from 1"),
            ("search", "{}", #"either "text" or "regex""#),
            ("search", #"{"text":"a","regex":"b"}"#, #"either "text" or "regex""#),
            ("search", #"{"text":"a","context":50}"#, "from 0 to 10"),
            ("run", #"{"cmd":"ls"}"#, "no argument"), ("run", #"{"command":"ls","seconds":900}"#, "from 1 to 600"),
            ("run", #"{"command":"ls","network":[1]}"#, "a list of texts"),
            ("edit", #"{"edits":[]}"#, #"needs "edits""#),
            ("edit", #"{"edits":[{"path":"a"}],"ask_anyway":1}"#, "true or false"),
            ("wait", #"{"workflow":"x"}"#, "such as w3"), ("wait", "{}", #"needs "workflow""#),
            ("ask_person", #"{"question":"?","choices":["one"]}"#, "2 to 12"),
            ("workflow", "{}", #"needs "steps""#), ("workflow", #"{"workflow":"w1"}"#, "retry or cancel"),
            ("workflow", #"{"do":"retry"}"#, #"needs "workflow""#),
            ("Shell", #"{"command":"ls"}"#, "Shell is a kind: use it in a step of workflow"),
            ("read_file", #"{"path":"a"}"#, "There are read, search, list, edit"),
        ])
    func aCallThatIsRefusedSaysWhatWouldBeRight(name: String, json: String, words: String) throws {
        let failure = #expect(throws: Failure.self) { try Self.read(name, json) }
        #expect(failure?.message.contains(words) ?? false, "\(failure?.message ?? "")")
    }

    /// All names of the version before are still taken.
    @Test(
        arguments: [
            ("call_tool", #"{"kind":"Shell","params":{"command":"ls"}}"#), ("list_workflows", "{}"),
            ("show_workflow", #"{"workflow":"w1","output":"text","offset":"5"}"#), ("retry", #"{"workflow":"w1"}"#),
            ("propose_workflow", #"{"name":"n","nodes":[],"edges":[]}"#), ("cancel", #"{"workflow":"w1"}"#),
            ("read_inbox", "{}"), ("read_mode", "{}"),
        ])
    func aNameOfTheVersionBeforeIsTaken(name: String, json: String) throws {
        _ = try Self.read(name, json)
        #expect(!PlannerTools.all(catalogue).map(\.name).contains(name))
    }

    // MARK: Steps

    private static func graph(_ steps: String) throws -> JSON {
        guard case .workflow(let json, _) = try read("workflow", #"{"name":"n","steps":\#(steps)}"#) else {
            return .null
        }
        return json
    }

    @Test func stepsBecomeAGraph() throws {
        let graph = try Self.graph(
            #"[{"id":"small","kind":"Resize","params":{"width":"300"},"in":{"image":"file:cat.jpg"}},"#
                + #"{"id":"grey","kind":"Grayscale","in":{"image":"small"},"after":"small"},"#
                + #"{"id":"all","kind":"Zip","in":{"files":["small.image","grey.image","file:cat.jpg"]}},"#
                + #"{"id":"say","kind":"Shell","command":"ls","after":["all"]}]"#)
        let nodes = (graph["nodes"]?.array ?? []).map { node in
            "\(node["id"]?.string ?? "") \(node["kind"]?.string ?? "") \(node["params"]?.text ?? "") \(node["after"]?.text ?? "")"
        }
        #expect(
            nodes == [
                #"file1 ImageLoader {"path":"cat.jpg"} "#, #"small Resize {"width":300} "#,
                #"grey Grayscale {} ["small"]"#, #"file2 FileLoader {"path":"cat.jpg"} "#, "all Zip {} ",
                #"say Shell {"command":"ls"} ["all"]"#,
            ] || Set(nodes).count == 6, "\(nodes)")
        let edges = (graph["edges"]?.array ?? []).map(\.text)
        #expect(edges.contains(#"{"from":["file1","image"],"to":["small","image"]}"#), "\(edges)")
        #expect(edges.contains(#"{"from":["small","image"],"to":["grey","image"]}"#))
        #expect(edges.contains { $0.contains(#""to":["all","files.3"]"#) })
    }

    @Test func allProblemsOfStepsComeAtOnce() throws {
        let json =
            #"{"name":"n","steps":[{"id":"a","kind":"Resise"},{"id":"b","kind":"Resize","in":{"picture":"file:x","image":"c.image"}},{"kind":"Shell"},{"id":"d","kind":"Grayscale","in":{"image":7},"width":3}]}"#
        guard case .workflow(_, let terms) = try Self.read("workflow", json) else {
            Issue.record("It is no workflow.")
            return
        }
        #expect(terms.doubtful == ["a", "b", "d"])
        let words = terms.problems.map(\.description).joined(separator: "\n")
        for part in [
            #"no kind "Resise""#, "Near are Resize", #"no input "picture": it has image"#, #"there is no step "c""#,
            #"needs "id" and "kind""#, #""step.port" or "file:PATH""#, #"no "width""#,
            #"Write: {"id":"a","kind":"Resize"}"#,
            #"Write: {"id":"b","kind":"Resize","in":{"image":"file:c.image"}}"#,
        ] { #expect(words.contains(part), "\(part) in \(words)") }
    }

    // MARK: Words

    private static func words(of call: PlannerCall) -> String {
        func params(_ object: JSON.Object) -> String {
            object.members.map { " \($0.key)=\($0.value.string ?? $0.value.text)" }.joined()
        }
        switch call {
        case .workflow(let json, let terms):
            let node = json["nodes"]?.array?.first ?? .null
            let time = terms.seconds.map { " \($0) s" } ?? ""
            return "\(node["kind"]?.string ?? "")\(params(node["params"]?.object ?? JSON.Object()))\(time)"
                + (terms.isQuestion ? " · question" : "") + (terms.keepAs.map { " · keep as \($0)" } ?? "")
        case .look(let kind, let object): return kind + params(object)
        case .readResult(let name, let range): return "result \(name) from \(range.from)"
        case .wait(let id, let seconds): return "wait \(id) \(seconds)"
        case .retry(let id, let step): return "retry \(id) \(step ?? "")"
        case .cancel(let id): return "cancel \(id)"
        case .listWorkflows: return "list"
        case .showWorkflow(let id, _): return "show \(id)"
        case .findTools(let words): return "find \(words)"
        case .readInbox, .readMode: return "\(call)"
        }
    }
}
