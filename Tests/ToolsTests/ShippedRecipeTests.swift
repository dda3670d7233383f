import CaseNames
@testable import Files
import Harness
import JSON
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// Shipped tools that are programs of Debian, on small files: what they say is computed from the file.
@Suite(.process, .enabled(if: Isolation.here.reasonForNone == nil)) struct ShippedRecipeTests {
    private static let people = "name,age,city\nAnna,34,Berlin\nBob,,Paris\nCarl,x,Berlin\nDana,20,\"Rome, Italy\"\n"

    /// A call of a tool with one file, and its result.
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: String
        let params: JSON
        let name: String
        let text: String
        let result: String

        init(_ kind: String, _ params: JSON, _ name: String, _ text: String, _ result: String) {
            (self.kind, self.params, self.name, self.text, self.result) = (kind, params, name, text, result)
        }

        var testDescription: String { "\(kind) \(params.text) of \(name)" }
    }

    private static let tables = [
        Row(
            "ColumnFigure", ["column": "age", "figure": "sum"], "people.csv", people,
            "54\nLeft out: 1 empty cell, 1 cell that is no number (“x”)."),
        Row("ColumnFigure", ["column": "AGE", "figure": "average"], "people.csv", "age;n\r\n1;a\r\n2;b\r\n", "1.5"),
        Row("ColumnFigure", ["column": "n", "figure": "median"], "a.csv", "n\n1e3\n0.5\n-2\n", "0.5"),
        Row(
            "GroupFigure", ["by": "city", "figure": "count"], "people.csv", people,
            "Berlin: 2\nParis: 1\nRome, Italy: 1"),
        Row(
            "KeepRows", ["column": "city", "test": "equals", "value": "Berlin"], "people.csv", people,
            "name,age,city\nAnna,34,Berlin\nCarl,x,Berlin"),
        Row(
            "KeepRows", ["column": "age", "test": "above", "value": "20", "drop": true], "people.csv", people,
            "name,age,city\nBob,,Paris\nCarl,x,Berlin\nDana,20,\"Rome, Italy\""),
        Row("SortRows", ["column": "n", "order": "down"], "a.csv", "n,t\n9,a\n10,b\n2,c\n", "n,t\n10,b\n9,a\n2,c"),
        Row("RemoveColumn", ["column": "age"], "a.csv", "name,age\nA,1\n", "name\nA"),
        Row("CSVToJSON", [:], "a.csv", "a,b\n1,x\n", #"[{"a":1,"b":"x"}]"#),
        Row("JSONToCSV", [:], "a.json", #"[{"a":1,"b":"x,y"}]"#, "a,b\n1,\"x,y\""),
        Row("SetJSON", ["path": "port", "value": "3000"], "a.json", #"{"port":1,"big":12345678901234}"#, ""),
        Row(
            "FormatJSON", ["style": "sorted"], "a.json", #"{"b":1,"a":{"d":2,"c":3}}"#,
            "{\n  \"a\": {\n    \"c\": 3,\n    \"d\": 2\n  },\n  \"b\": 1\n}"),
        Row("CountJSON", [:], "a.json", "[1,2,3]", "3"),
        Row(
            "MarkdownToHTML", [:], "a.md", "# One\n\n<script>x</script>\n\n<div>kept</div>\n\n| a |\n|---|\n| 1 |\n",
            "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>a</title>\n</head>\n<body>\n<h1>One</h1>\n"
                + "&lt;script>x&lt;/script>\n<div>kept</div>\n<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n"
                + "</tr>\n</tbody>\n</table>\n</body>\n</html>"),
    ]

    private func made(_ lab: Lab, _ row: Row) async throws -> Asset? {
        let tool = try #require(Lab.catalogue[row.kind])
        let port = try #require(tool.inputs.first)
        let file = try lab.asset(row.text, port.type, name: row.name)
        let ending = await lab.run(try lab.assignment(tool, row.params, [(port.name, file)]))
        return try #require(ending.assets, "\(ending)").first
    }

    @Test(arguments: tables) func aRecipeSaysWhatIsInTheFile(row: Row) async throws {
        let lab = try Lab()
        let made = try #require(try await made(lab, row))
        var text = try lab.text(made)
        while text.last?.isNewline ?? false { text.removeLast() }
        guard row.kind != "SetJSON" else {
            // No figure is changed on the way.
            #expect(text.contains("3000") && text.contains("12345678901234"))
            return
        }
        if row.kind == "CSVToJSON" { text = try JSONReader.read(text).text }
        #expect(text == row.result)
    }

    /// The text of a PDF is the text that it was made of, and can be searched.
    @Test(
        arguments: [
            ("a.txt", "Größe <b> & „so“\n\n  indented\n", "Größe <b> & „so“\n\n  indented"),
            // A word that is wider than a page goes on below.
            (
                "a.txt", String(repeating: "x", count: 200),
                [76, 76, 48].map { String(repeating: "x", count: $0) }.joined(separator: "\n")
            ),
            ("a.md", "# Head\n\n**bold** text\n", "Head\nbold text"),
        ] as [(String, String, String)])
    func aPDFHasItsText(name: String, text: String, found: String) async throws {
        let lab = try Lab()
        let pdf = try #require(try await made(lab, Row("TextToPDF", [:], name, text, "")))
        #expect(pdf.name == "a.pdf")
        try lab.write("a.pdf", try lab.store.read(pdf))
        let words = try Lab.program(["pdftotext", "-layout", "a.pdf", "-"], in: lab.workspace)
            .split(whereSeparator: \.isWhitespace)
        #expect(words == found.split(whereSeparator: \.isWhitespace))
        #expect(try Lab.program(["pdfinfo", "a.pdf"], in: lab.workspace).contains("595 x 842"))
    }

    /// Numbers are numbers, all else is text: no formula, no lost zero.
    @Test func anExcelFileHasTheCellsOfItsTable() async throws {
        let lab = try Lab()
        let table = "zip,sum,note\n01234,-1.5,=1+1\n12345678901234567890,007,\"a <b> & c\"\n"
        let sheet = try #require(try await made(lab, Row("CSVToExcel", [:], "a.csv", table, "")))
        #expect(sheet.name == "a.xlsx")
        try lab.write("a.xlsx", try lab.store.read(sheet))
        let cells = try Lab.program(["unzip", "-p", "a.xlsx", "xl/worksheets/sheet1.xml"], in: lab.workspace)
        func text(_ place: String, _ words: String) -> String {
            #"<c r="\#(place)" t="inlineStr"><is><t xml:space="preserve">\#(words)</t></is></c>"#
        }
        for cell in [
            text("A1", "zip"), text("A2", "01234"), #"<c r="B2"><v>-1.5</v></c>"#, text("C2", "=1+1"),
            text("A3", "12345678901234567890"), text("B3", "007"), text("C3", "a &lt;b&gt; &amp; c"),
        ] {
            #expect(cells.contains(cell), "\(cells)")
        }
    }

    @Test(arguments: [
        Row("ColumnFigure", ["column": "nothing", "figure": "sum"], "people.csv", people, "There is no column"),
        Row("ColumnFigure", ["column": "name", "figure": "sum"], "people.csv", people, "has no numbers"),
        Row("SortRows", ["column": "a"], "a.csv", "a,b\n1\n", "more or fewer cells"),
        Row("CSVToExcel", [:], "a.csv", "", "empty"), Row("TextToPDF", [:], "a.txt", " \n", "empty"),
    ]) func aRecipeThatCannotSaysWhy(row: Row) async throws {
        let lab = try Lab()
        let tool = try #require(Lab.catalogue[row.kind])
        let port = try #require(tool.inputs.first)
        let file = try lab.asset(row.text, port.type, name: row.name)
        let ending = await lab.run(try lab.assignment(tool, row.params, [(port.name, file)]))
        #expect("\(ending)".contains(row.result), "\(ending)")
        #expect(ending.assets == nil)
    }
}
