import CaseNames
import Harness
import Testing
import Vocabulary

@testable import Actions

/// The names behind `@` in a line, and the files that they mean.
@Suite struct AttachmentsTests {
    @Test(arguments: [
        ("why does @main.py fail?", ["main.py"]), ("@a and @b/c.txt", ["a", "b/c.txt"]), ("(see @a.txt)", ["a.txt)"]),
        ("@\"my notes.txt\" and @'x y'", ["my notes.txt", "x y"]), ("write to me@example.com", []), ("@ alone @", []),
        ("@app.route('/')", ["app.route('/')"]), ("@@a", ["@a"]), ("@\"open", ["open"]), ("", []),
    ])
    func namesBeginWords(line: String, names: [String]) { #expect(Attachments.names(in: line) == names) }

    @Test(arguments: [
        ("a.txt", "a.txt"), ("a.txt).", "a.txt"), ("a.txt?", "a.txt"), ("b/c", "b/c"), ("b", nil), ("b/", nil),
        ("../work/a.txt", nil), ("b/../a.txt", nil), ("nothing", nil), ("a.txt\u{0}", nil), ("/etc/passwd", nil),
        ("", nil),
    ])
    func onlyFilesOfTheWorkspaceCount(word: String, file: String?) throws {
        let scratch = try ScratchFolder()
        try ScratchFolder.makeFolder("\(scratch.path)/work")
        try ScratchFolder.makeFolder("\(scratch.path)/work/b")
        for name in ["a.txt", "b/c"] { try ScratchFolder.write("x", to: "\(scratch.path)/work/\(name)") }
        #expect(Attachments.file(word, in: "\(scratch.path)/work") == file)
    }
}
