import CaseNames
import Console
import Testing
import Vocabulary

@testable import Conversations

/// What the start of a chat suggests is understood by the built-in planner, whatever the folder holds.
@Suite struct StartSuggestionTests {
    private static let folders = [
        "", "cat.jpg", "notes.txt", "cat.jpg, notes.txt", "a.md, b.txt, IMG_2031.JPEG",
        "main.swift, Makefile, docs/, docs/a.txt",
        "hello.txt, pack.zip",
        "data.json, report.pdf", "my cat.jpg, x\u{202E}gpj.txt, -rf.txt, $(id).jpg", "hello.txt, Hello.TXT, list.png",
        "the.txt, files.txt, all.jpg",
        "2026.txt, 50.jpg", "write.txt, wide.png, black.md",
    ]

    @Test(arguments: folders) func everySuggestionIsPlanned(files: String) {
        let here = listing(files)
        let sentences = StartSuggestions.sentences(for: here.files) { catalogue }
        #expect(sentences.count == Limits.startSuggestions && Set(sentences).count == sentences.count, "\(sentences)")
        let planner = BuiltInPlanner(catalogue: catalogue, language: english)
        for sentence in sentences {
            guard case .workflow = planner.answer(sentence, listing: here) else {
                Issue.record("\(sentence) → \(inShort(planner.answer(sentence, listing: here)))")
                continue
            }
        }
    }

    @Test func filesThatAreThereAreNamed() {
        #expect(
            StartSuggestions.sentences(for: listing("cat.jpg, notes.txt").files) { catalogue } == [
                "resize cat.jpg to 200 px wide", "how many words are in notes.txt",
                "zip cat.jpg and notes.txt into pack.zip",
            ])
        #expect(
            StartSuggestions.sentences(for: []) { catalogue } == [
                "write \"hello\" to hello.txt", "list the files", "wait 5 seconds",
            ])
    }

    /// Without a file that a program would read, the tools are not even read.
    @Test func anEmptyFolderReadsNoTools() {
        let sentences = StartSuggestions.sentences(for: listing("notes.txt, data.json").files) {
            Issue.record("the tools were read")
            return catalogue
        }
        #expect(sentences.count == Limits.startSuggestions)
    }

    @Test func hostileNamesAndKeysAreLeftOut() {
        let names = [
            "a\u{1B}[2J.jpg", "x y.jpg", "$(id).jpg", "-rf.jpg", "..jpg", "\u{202E}a.jpg",
            String(repeating: "a", count: 60) + ".jpg",
            "'.jpg",
        ]
        var files = names.map { FileEntry(name: $0) }
        files.append(FileEntry(name: "keys.txt", mayHoldKeys: true))
        #expect(
            StartSuggestions.sentences(for: files) { catalogue } == StartSuggestions.sentences(for: []) { catalogue })
    }

    @Test func whatCannotRunHereIsNotSuggested() {
        var lacking = catalogue
        lacking.unavailable["Resize"] = Reason("toolNotInstalled", "")
        let sentences = StartSuggestions.sentences(for: listing("cat.jpg").files) { lacking }
        #expect(!sentences.contains { $0.hasPrefix("resize") } && sentences.count == Limits.startSuggestions)
    }
}
