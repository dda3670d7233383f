import CaseNames
import Conversations
import Testing
import Vocabulary

/// "All pictures" includes what Assent made, except for orders that make pictures of pictures.
@Suite struct ResultSetTests {
    let planner = BuiltInPlanner(catalogue: catalogue, language: english)

    /// - Parameter results: the files that Assent made.
    private func listing(_ files: String, results: String) -> Listing {
        Listing(
            workspace: "/work",
            files: (files + " " + results).split(separator: " ").map {
                FileEntry(name: String($0), bytes: 1000, isResult: results.split(separator: " ").contains($0))
            })
    }

    /// Orders that pack, copy or look take results as any file.
    @Test(arguments: [
        ("zip all pictures", "bird.jpg cat-1.jpg cat.jpg dog.png"), ("zip every jpg", "bird.jpg cat-1.jpg cat.jpg"),
        ("zip all files", "all.txt bird.jpg cat-1.jpg cat.jpg dog.png notes.txt"),
        ("zip all pictures, also the results", "bird.jpg cat-1.jpg cat.jpg dog.png"),
        ("zip all results", "all.txt cat-1.jpg"), ("zip all the results", "all.txt cat-1.jpg"),
        ("zip *.jpg", "bird.jpg cat-1.jpg cat.jpg"),
        ("zip cat.jpg and cat-1.jpg", "cat.jpg cat-1.jpg"), ("zip all txt files", "all.txt notes.txt"),
    ])
    func whatAssentMadeIsPackedLikeTheRest(sentence: String, files: String) {
        let here = listing("cat.jpg dog.png bird.jpg notes.txt", results: "cat-1.jpg all.txt")
        let answer = planner.answer(sentence, listing: here)
        let plan = inShort(answer)
        #expect(
            plan == files.split(separator: " ").map { "FileLoader(path=\($0)) " }.joined()
                + "Zip SaveFile(path=files.zip)", "\(plan)")
        if case .part(_, let words) = answer { Issue.record("\(words)") }
    }

    /// Pictures of pictures are made of the user's own, and the plan says how many are left out, and how to take them.
    @Test(
        arguments: [
            ("make all jpgs gray", "bird.jpg cat.jpg", "1 result is left out, cat-1.jpg: “also the results” takes it."),
            ("make all jpgs gray, also the results", "bird.jpg cat-1.jpg cat.jpg", nil),
            ("make all jpgs gray also the results", "bird.jpg cat-1.jpg cat.jpg", nil),
            ("make all jpgs including the results gray", "bird.jpg cat-1.jpg cat.jpg", nil),
            ("make *.jpg gray", "bird.jpg cat-1.jpg cat.jpg", nil),
        ] as [(String, String, String?)])
    func picturesAreMadeOfTheUsersOwn(sentence: String, files: String, words: String?) {
        let here = listing("cat.jpg dog.png bird.jpg notes.txt", results: "cat-1.jpg all.txt")
        let answer = planner.answer(sentence, listing: here)
        let plan = inShort(answer)
        let steps = files.split(separator: " ").map { "ImageLoader(path=\($0)) Grayscale SaveFile" }
        #expect(plan == steps.joined(separator: " "), "\(plan)")
        var said: String?
        if case .part(_, let left) = answer { said = left }
        #expect(said == words)
    }

    /// The name of a result says what is in it, whatever its source is called.
    @Test(
        arguments: [
            ("convert docs/people.csv to json", "docs/people.json"),
            ("convert people-1.csv to json", "people-1.json"),
            ("sort docs/people.csv by name", "docs/people-1.csv"),
            ("sort people-1.csv by name", "people-2.csv"),
            ("count the pages of docs/report.pdf", nil),
        ] as [(String, String?)])
    func aNameSaysWhatIsInTheFile(sentence: String, name: String?) {
        let here = listing("people.csv docs/people.csv docs/report.pdf", results: "people-1.csv")
        let plan = inShort(planner.answer(sentence, listing: here))
        #expect(plan.contains("(path=") && !plan.hasPrefix(":"), "\(plan)")
        #expect(plan.contains("SaveFile") == (name != nil), "\(plan)")
        if let name { #expect(plan.contains("SaveFile(path=\(name))"), "\(plan)") }
    }

    /// A result of a result is named after the original.
    @Test func aResultOfAResultIsNamedAfterTheOriginal() {
        let here = listing("cat.jpg", results: "cat-1.jpg")
        let plan = inShort(planner.answer("make cat-1.jpg gray", listing: here))
        #expect(plan == "ImageLoader(path=cat-1.jpg) Grayscale SaveFile(path=cat-2.jpg)", "\(plan)")
    }

    @Test(arguments: [
        ("make all pictures gray", ": All 3 pictures here are results of mine. Say “also the results”."),
        ("blur every jpg", ": All 2 jpgs here are results of mine. Say “also the results”."),
        ("blur every png", ": The only png here, b-1.png, is a result of mine. Say “also the results”."),
        ("zip all pdfs", ": There is no pdf here."), ("how many pictures are there?", ": There are 3 pictures here."),
    ])
    func whereOnlyResultsAreThereTheWordsSaySo(sentence: String, words: String) {
        #expect(
            inShort(planner.answer(sentence, listing: listing("", results: "a-1.jpg a-2.jpg b-1.png a.txt"))) == words)
    }

    @Test func noResultsAreSaidSo() {
        let answer = planner.answer("zip all results", listing: listing("cat.jpg", results: ""))
        #expect(inShort(answer) == ": No file here is a result of mine.")
    }
}
