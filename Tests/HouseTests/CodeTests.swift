import CaseNames
import Glibc
import Harness
import Testing
import Vocabulary

/// Codes are cases of `Code`, and the page for scripts lists them with their exit codes. The compiler holds that no
/// source writes a code as a text: only tests can make one of a literal (`Tests/CaseNames`).
@Suite struct CodeTests {
    private static let page = "docs/guide/scripting.md"

    /// The table of codes as the page must have it.
    ///
    /// To write it into the page again, run `WRITE_CODES=1 swift test --filter CodeTests`.
    private static let table: String = {
        let shown: [Vocabulary.ExitStatus] = [.badUsage, .denied, .modelUnreachable, .storage, .interrupted]
        let rows = shown.map { status in
            let codes = Code.allCases.filter { $0.exit == status }.map(\.rawValue).sorted()
            return "| \(status.rawValue) | \(codes.map { "`\($0)`" }.joined(separator: ", ")) |"
        }
        return (["| exit code | codes |", "|---|---|"] + rows).joined(separator: "\n")
    }()

    @Test func thePageForScriptsListsTheCodes() throws {
        var text = try #require(House.bytes(at: Self.page).map { String(decoding: $0, as: UTF8.self) })
        let begin = try #require(text.firstRange(of: "| exit code | codes |"))
        let end = text[begin.lowerBound...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
        if getenv("WRITE_CODES") != nil {
            text.replaceSubrange(begin.lowerBound..<end, with: Self.table)
            try ScratchFolder.write(text, to: "\(House.top)/\(Self.page)")
        } else {
            #expect(String(text[begin.lowerBound..<end]) == Self.table, "WRITE_CODES=1 writes the table again")
        }
    }

    /// Every exit code of the README has a status, and every status is in the README and in `architecture.md`.
    @Test(arguments: ["README.md", "docs/design/architecture.md"])
    func thePagesNameEveryExitCode(page: String) throws {
        let lines = House.lines(of: page)
        let start = try #require(lines.firstIndex { $0.hasPrefix("### Exit codes") || $0.hasPrefix("| exit code |") })
        let rows = lines[start...].drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("|") }
        let named = rows.flatMap { $0.split(separator: "|").first?.split(separator: ",") ?? [] }
            .compactMap { Int32($0.filter(\.isNumber)) }
        #expect(Set(named) == Set(Vocabulary.ExitStatus.allCases.map(\.rawValue)), "\(named)")
    }

    @Test func aCodeIsFoundByItsText() {
        for code in Code.allCases { #expect(Code(text: code.rawValue) == code) }
        #expect(FailureCode("noSuchCode") == FailureCode.other("noSuchCode"))
        #expect(FailureCode("noSuchCode").exit == .failed)
        #expect(FailureCode("denied").exit == .denied)
    }

    /// Bad input ends with 2, whatever verb it was given to.
    @Test(arguments: [
        Code.unknownProgram, .targetExists, .noTerminal, .clipboardOff, .nothingToUndo, .unknownFile, .badParam,
        .badTemplate, .unknownNode, .missingField,
    ])
    func badInputEndsWith2(code: Code) { #expect(code.exit == .badUsage) }
}
