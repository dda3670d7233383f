import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// What a plan leaves out is said before it runs.
@Suite struct PlanLeavingsTests {
    private let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    private static let here: Listing = {
        var listing = Listing(
            workspace: "/work",
            files: [
                FileEntry(name: "anim.gif", hasPages: true), FileEntry(name: "cat.gif"),
                FileEntry(name: "scan.tif", hasPages: true),
                FileEntry(name: "notes.txt"), FileEntry(name: "photos", isFolder: true),
                FileEntry(name: "photos/a.txt"),
                FileEntry(name: "photos/in", isFolder: true), FileEntry(name: "docs", isFolder: true),
            ])
        listing.notText = ["caf\\xe9.txt", "photos/x\\xff"]
        return listing
    }()

    @Test(
        arguments: [
            (
                "convert anim.gif to jpg",
                "anim.gif has several frames or pages: Convert image takes only the first one."
            ),
            ("blur scan.tif", "scan.tif has several frames or pages: Blur takes only the first one."),
            ("convert anim.gif to webp", nil), ("resize anim.gif to 20 px wide", nil), ("convert cat.gif to jpg", nil),
            (
                "convert anim.gif to webp and blur it",
                "anim.gif has several frames or pages: Blur takes only the first one."
            ),
            ("zip anim.gif and notes.txt", nil),
            ("zip everything", "Left out: 1 file whose name is not text: caf\\xe9.txt."),
            ("zip all files in photos", "Left out: 1 file whose name is not text: photos/x\\xff."),
            ("zip all txt files", "1 more txt lies in a folder below: “in all folders” takes it."),
            ("zip all txt files in all folders", nil),
            (
                "zip everything except txt files",
                "Left out: 1 folder: photos; 1 file whose name is not text: caf\\xe9.txt."
            ),
            ("count the words of notes.txt", nil),
        ] as [(String, String?)])
    func whatIsLeftOutIsSaidBefore(sentence: String, words: String?) {
        switch planner.answer(sentence, listing: Self.here) {
        case .part(_, let said): #expect(said == words)
        case .workflow: #expect(words == nil)
        case .words(let said), .console(_, let said): Issue.record("\(said)")
        }
    }

    /// Where a sentence means all files, those whose names begin with a dot are said, and its words can take them.
    @Test(arguments: [
        (
            "zip everything", "3 hidden files are left out, such as .env: “also the hidden files” takes them.",
            #"FileLoader(path=a.txt) Zip(paths=["docs"]) SaveFile(path=files.zip)"#
        ),
        (
            "zip everything, also the hidden files", "",
            #"FileLoader(path=.env) FileLoader(path=.n.txt) FileLoader(path=a.txt) Zip(paths=[".git","docs"]) SaveFile(path=files.zip)"#
        ),
        (
            "zip all txt files", "1 hidden file is left out, .n.txt: “also the hidden files” takes it.",
            "FileLoader(path=a.txt) Zip(name=a.zip) SaveFile(path=a.zip)"
        ),
        (
            "zip all txt files including dotfiles", "",
            "FileLoader(path=.n.txt) FileLoader(path=a.txt) Zip SaveFile(path=files.zip)"
        ),
        ("zip a.txt", "", "FileLoader(path=a.txt) Zip(name=a.zip) SaveFile(path=a.zip)"),
        ("zip .n*", "", "FileLoader(path=.n.txt) Zip(name=.n.zip) SaveFile(path=.n.zip)"),
    ])
    func hiddenFilesAreSaid(sentence: String, words: String, plan: String) {
        var listing = Listing(
            workspace: "/work", files: [FileEntry(name: "a.txt"), FileEntry(name: "docs", isFolder: true)])
        listing.hidden = [
            FileEntry(name: ".env"), FileEntry(name: ".n.txt"), FileEntry(name: ".git", isFolder: true),
            FileEntry(name: "docs/.x.pdf"),
        ]
        switch planner.answer(sentence, listing: listing) {
        case .part(let made, let said): #expect(said == words && inShort(.workflow(made)) == plan, "\(said)")
        case .workflow(let made): #expect(words.isEmpty && inShort(.workflow(made)) == plan)
        case .words(let said), .console(_, let said): Issue.record("\(said)")
        }
    }

    @Test(arguments: [
        ("run `sort x > sorted.txt`", "sort x > sorted.txt"), ("run `ls   -l\t|  wc`", "ls -l | wc"),
        ("run: ls -la", "ls -la"),
        ("run: `ls`", "ls"),
        ("run `find . -name a -o -name b -o -name c -o -name d`", "find . -name a -o -name b -o -name c -o…"),
    ]) func aCommandIsTheTitleOfItsWorkflow(sentence: String, title: String) {
        guard case .workflow(let workflow) = planner.answer(sentence, listing: Self.here) else {
            Issue.record("no plan")
            return
        }
        #expect(workflow["name"]?.string == title)
    }
}
