import CaseNames
import Testing
import Vocabulary

@testable import Workflows

/// Names of what comes in: steps, kinds, ports, inputs.
@Suite struct NameCheckTests {
    private func template(_ nodes: String, _ rest: String = "") throws -> Template {
        let text =
            #"{"schema":"app.workflow/v2","name":"any name, with: everything/in it","nodes":[\#(nodes)]\#(rest)}"#
        return try #require(TemplateReader.read(Array(text.utf8)).0)
    }

    private static let pass = #"{"id":"a","kind":"Pass"}"#

    @Test(
        "finding 11: each kind of name is looked at, once, where it stands",
        arguments: [
            (#"{"id":"a b","kind":"Pass"}"#, "", ["nodes 1.id"]),
            (#"{"id":"a","kind":"Pass/2"}"#, "", ["nodes 1.kind"]),
            (
                pass + #",{"id":"b","kind":"X","inputs":{"in put":"text","ok?":"text","files.3":"file"}}"#, "",
                ["nodes 2.inputs"]
            ),
            (pass + #",{"id":"b","kind":"X","outputs":{"out.put":"text","out.1":"text"}}"#, "", ["nodes 2.outputs"]),
            (
                pass, #","edges":[{"from":["a","x"],"to":["a","y"]},{"from":["a","x"],"to":["a","../y"]}]"#,
                ["edges 2.to"]
            ),
            (
                pass, #","edges":[{"from":["a.b","x"],"to":["a","y"]},{"from":["a.b","x"],"to":["a","z"]}]"#,
                ["edges 1.from"]
            ),
            (
                pass,
                #","inputs":{"photo":{"type":"image","to":[["a","in"]]},"pho.to":{"type":"image","to":[["a","x"]]}}"#,
                ["inputs 2"]
            ),
            (pass, #","inputs":{"photo":{"type":"image","to":[["a","i\u0000n"]]}}"#, ["inputs 1.to"]),
            (#"{"id":"a.b","kind":"Pass"},{"id":"a.b","kind":"Pass"}"#, "", ["nodes 1.id"]),
            (
                pass + #",{"id":"b","kind":"X","inputs":{"files.3x":"file","files.":"file"}}"#, "",
                ["nodes 2.inputs", "nodes 2.inputs"]
            ),
        ])
    func eachNameIsLookedAt(nodes: String, rest: String, places: [String]) throws {
        let problems = nameProblems(in: try template(nodes, rest))
        #expect(problems.map(\.place) == places && problems.allSatisfy { $0.code == "badName" }, "\(problems)")
    }

    @Test("finding 11: a name that is known may stay, and the graph of what is stored is read")
    func aNameThatIsKnownMayStay() throws {
        let old = try template(
            #"{"id":"a.b c","kind":"Pass"},{"id":"x/y","kind":"Pass"}"#,
            #","edges":[{"from":["a.b c","o"],"to":["x/y","i.i"]}]"#)
        #expect(check(old, against: CheckTests.catalogue).0 != nil)
        #expect(nameProblems(in: old, besides: old.names).isEmpty)
        #expect(nameProblems(in: old).count == 3)
    }

    /// Bad ids are said without being repeated at length.
    @Test func aLongNameIsCut() throws {
        let problem = try #require(
            nameProblems(in: try template(#"{"id":"\#(String(repeating: "x", count: 1 << 20))","kind":"Pass"}"#)).first)
        #expect(problem.description.utf8.count < 300)
    }
}
