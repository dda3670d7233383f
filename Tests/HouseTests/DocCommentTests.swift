import Glibc
import Harness
import Testing

/// The rule: a doc comment names its subject, and a function's doc comment opens with a verb. Comments from before the
/// rule are listed in `known-doc-comments.txt`, and `make comments` removes the rewritten ones from the list.
@Suite struct DocCommentTests {
    /// The most hashes that the list may have. Lower it whenever `make comments` has removed some.
    private static let most = 0
    private static let list = "Tests/HouseTests/known-doc-comments.txt"

    @Test func everyNewDocCommentOpensPlainly() throws {
        let files = ["Sources", "Tests/Harness"].flatMap { House.files(under: $0) }.filter { $0.hasSuffix(".swift") }
        let comments = files.flatMap { path in
            DocComment.all(in: House.bytes(at: path) ?? []).map { (path: path, comment: $0) }
        }
        let bad = comments.compactMap { path, comment in comment.fault.map { (path: path, comment: comment, fault: $0) }
        }
        let badFingerprints = Set(bad.map(\.comment.fingerprint))

        var known = KnownComments(House.bytes(at: Self.list) ?? [])
        if let value = getenv("WRITE_KNOWN_COMMENTS").map({ String(cString: $0) }) {
            let rewriting = try #require(
                KnownComments.Rewriting(rawValue: value), "WRITE_KNOWN_COMMENTS is \"\(value)\", not 1 or all")
            known.rewrite(for: badFingerprints, rewriting)
            try ScratchFolder.write(known.text, to: "\(House.top)/\(Self.list)")
        }

        let new = bad.filter { !known.fingerprints.contains($0.comment.fingerprint) }
        let gone = known.fingerprints.subtracting(badFingerprints)
        #expect(
            known.fingerprints.count <= Self.most,
            "the list of known bad comments has grown: rewrite the comment instead")
        printFigures(of: comments.map(\.comment), known: known.fingerprints.count, new: new.count, gone: gone.count)
        #expect(comments.count > 3000)
        if !new.isEmpty {
            let lines = new.map { "\($0.path):\($0.comment.line): \($0.comment.text.firstWords) — \($0.fault.advice)" }
            Issue.record("New doc comments that open badly: \(new.count)\n\(lines.joined(separator: "\n"))")
        }
        if !gone.isEmpty {
            Issue.record(
                "Comments of \(Self.list) that no longer exist: \(gone.count). Run `make comments` to remove them from the list."
            )
        }
    }

    private func printFigures(of comments: [DocComment], known: Int, new: Int, gone: Int) {
        let functions = comments.filter { $0.declaration != .other }
        let verbs = functions.filter { Openings.beginsWithVerb($0.text) }
        let openers = comments.filter { if case .opener = $0.fault { true } else { false } }
        print(
            """
            doc comments: \(comments.count); open with a pronoun, a wh-word or a preposition: \(share(openers, of: comments)); \
            open badly in any way: \(share(comments.filter { $0.fault != nil }, of: comments))
            docs of functions: \(functions.count); open with a verb: \(share(verbs, of: functions))
            known bad openings: \(known); new: \(new); gone: \(gone)
            """)
    }

    private func share(_ part: [DocComment], of whole: [DocComment]) -> String {
        "\(part.count) (\(whole.isEmpty ? 0 : (part.count * 100 + whole.count / 2) / whole.count) %)"
    }

    @Test(
        arguments: [
            "/// Returns the size.\nfunc size() -> Int",
            "/// Starts the engine.\n@discardableResult\nprivate static func start() {",
            "/// Whether it is open.\nfunc isOpen(_ name: (Int) -> Int) async throws -> Bool {",
            "/// Checks that a name is free.\nfunc f()",
            "/// Whether a lock is held.\nvar isHeld: Bool", "/// The number of rows.\nvar count: Int",
            "/// How long to wait.\nlet delay: Int",
            "/// `nil` if the file is missing.\nvar size: Int?", "/// Makes an engine.\ninit()",
            "/// An engine.\ninit(_ name: String) {",
            "/// One-time keys.\nstruct Keys {", "/// In-memory files.\nstruct Files {",
            "/// If a lock is held, its owner.\nvar owner: String?",
            "/// Processes the rows.\n// A note.\nfunc process()", "/// Calls the step.\nstatic func name()",
            "    /// Draws\n    /// the page.\n    package nonisolated(unsafe) static func draw() {",
        ])
    func plainOpeningsAreAccepted(source: String) throws {
        let comments = DocComment.all(in: Array(source.utf8))
        #expect(try #require(comments.first).fault == nil)
        #expect(comments.count == 1)
    }

    @Test(
        arguments: [
            ("/// What is asked.\nstruct Question {", "What"), ("/// One of the rows.\nlet row: Int", "One"),
            ("/// Of all.\ncase all", "Of"),
            ("/// It is done.\nfunc end()", "It"), ("/// As a URL.\nvar url: String", "As"),
            ("/// \"This\" is bad.\nlet a = 1", "This"),
            ("/// Where keys are kept.\nenum Place {", "Where"), ("/// Without a reason.\ninit()", "Without"),
            ("/// For tests.", "For"),
            ("/// (Its) name.\nvar name: String", "Its"),
            ("/// Nothing, if there is no file.\nvar file: String?", "Nothing"),
        ])
    func openingsWithoutASubjectAreBad(source: String, word: String) throws {
        #expect(try #require(DocComment.all(in: Array(source.utf8)).first).fault == .opener(word))
    }

    @Test(
        arguments: [
            "/// The size.\nfunc size() -> Int", "/// Whether it is open.\nfunc isOpen() -> String {",
            "/// `nil` if missing.\nfunc f() -> Int?",
            "/// Whether it is open.\nfunc f(_ test: () -> Bool) -> Int {", "/// Rows of a page.\nfunc rows()",
            "/// - Returns: the size.\nfunc f()",
            "/// Runs of letters.\nfunc runs()", "/// Links that are broken.\nfunc links()",
            "/// Always returns.\nfunc f()",
            "/// Status.\nfunc f()",
            "/// Pass it on.\nfunc f()", "/// returns the size.\nfunc f()", "/// Process rows.\nfunc f()",
            "/// 3 rows.\nfunc f()",
            "/// A size.\n@available(*, message: \"func\")\n@inlinable mutating func f()",
        ])
    func docsOfFunctionsWithoutAVerbAreBad(source: String) throws {
        #expect(try #require(DocComment.all(in: Array(source.utf8)).first).fault == .noVerb)
    }

    @Test func theFingerprintIsThatOfTheFirstSentenceWithoutParentheses() throws {
        let texts = [
            "A lease on a row. More.", "A lease (`wire.md` 3) on a row. Less.",
            "A lease on\n/// a row.\n///\n/// A paragraph.",
            "A lease on a row.",
        ]
        let prints = texts.flatMap { DocComment.all(in: Array("/// \($0)\nlet a = 1".utf8)) }.map(\.fingerprint)
        #expect(prints.count == 4)
        #expect(Set(prints).count == 1)
        #expect(DocComment(line: 1, text: "", declaration: .other).fingerprint == "cbf29ce484222325")
        #expect(DocComment(line: 1, text: "a", declaration: .other).fingerprint == "af63dc4c8601ec8c")
    }

    @Test func theListShrinksAndGrowsOnlyOnRequest() {
        var known = KnownComments(Array("# a note\n00000000000000bb\n00000000000000aa\n".utf8))
        #expect(known.fingerprints == ["00000000000000aa", "00000000000000bb"])
        known.rewrite(for: ["00000000000000bb", "00000000000000cc"], .shrink)
        #expect(known.fingerprints == ["00000000000000bb"])
        known.rewrite(for: ["00000000000000dd", "00000000000000cc"], .all)
        #expect(known.text.hasSuffix("\n00000000000000cc\n00000000000000dd\n"))
        #expect(KnownComments(Array(known.text.utf8)).fingerprints == known.fingerprints)
    }
}

extension String {
    /// The first eight words.
    fileprivate var firstWords: String {
        let words = split(maxSplits: 8, whereSeparator: \.isWhitespace)
        return words.prefix(8).joined(separator: " ") + (words.count > 8 ? " …" : "")
    }
}
