import CaseNames
import Harness
import Testing

/// Lines from a pipe that are not taken: nothing of them is carried out, and what stands after them is.
@Suite(.process) struct LongLineTests {
    private static let order = "list files\n"
    private static let long = String(repeating: "x", count: 1_114_112)

    /// What a pipe says, and how many of its lines are refused with which code.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var input: String
        var code: String
        var refused: Int
        var lists: Int
    }

    static let cases = [
        Case(testDescription: "an order at its end", input: long + order, code: "lineTooLong", refused: 1, lists: 0),
        Case(
            testDescription: "an order after it", input: long + "\n" + order, code: "lineTooLong", refused: 1, lists: 1),
        Case(
            testDescription: "no newline at the end of input", input: long + "list files", code: "lineTooLong",
            refused: 1, lists: 0),
        Case(
            testDescription: "several after one another", input: long + order + long + order + order,
            code: "lineTooLong", refused: 2,
            lists: 1),
        Case(testDescription: "a NUL in it", input: "list\0 files\n", code: "badLine", refused: 1, lists: 0),
        Case(
            testDescription: "a NUL before an order", input: "list files\0\n" + order, code: "badLine", refused: 1,
            lists: 1),
    ]

    @Test("finding 2: nothing of a line that is not taken is carried out", arguments: cases) func nothingIsCarriedOut(
        _ line: Case
    ) async throws {
        let lab = try ProgramLab()
        try lab.write("one two\n", to: "notes.txt")
        let ending = try await lab.run("chat", "--plain", input: line.input)
        // One sentence, a code and what to do.
        let fault = line.code == "badLine" ? "has a NUL in it" : "has more than 262144 bytes"
        let remedy = line.code == "badLine" ? "Send text" : "Say it in fewer words"
        let words = "✗ This line \(fault); nothing of it was carried out. (\(line.code)) \(remedy)"
        #expect(ending.said.components(words) == line.refused, "\(ending.output.prefix(2000))\(ending.errors)")
        #expect(try await lab.json("list").count == line.lists, "\(ending.output.prefix(2000))")
        #expect(ending.exit == 2, "\(ending.exit)")
    }
}
