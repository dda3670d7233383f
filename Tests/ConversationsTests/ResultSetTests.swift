import CaseNames
import Conversations
import Testing
import Vocabulary

/// "All pictures" means the files of the person. What Assent made is meant if it is said, or named.
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

    @Test(arguments: [
        ("zip all pictures", "bird.jpg cat.jpg dog.png"), ("zip every jpg", "bird.jpg cat.jpg"),
        ("zip all files", "bird.jpg cat.jpg dog.png notes.txt"),
        ("zip all pictures including the results", "bird.jpg cat-1.jpg cat.jpg dog.png"),
        ("zip all pictures, also the results", "bird.jpg cat-1.jpg cat.jpg dog.png"),
        ("zip all results", "all.txt cat-1.jpg"), ("zip all the results", "all.txt cat-1.jpg"),
        ("zip *.jpg", "bird.jpg cat-1.jpg cat.jpg"),
        ("zip cat.jpg and cat-1.jpg", "cat.jpg cat-1.jpg"), ("zip all txt files", "notes.txt"),
    ])
    func whatAssentMadeIsLeftOutUnlessItIsSaid(sentence: String, files: String) {
        let here = listing("cat.jpg dog.png bird.jpg notes.txt", results: "cat-1.jpg all.txt")
        let plan = inShort(planner.answer(sentence, listing: here))
        #expect(
            plan == files.split(separator: " ").map { "FileLoader(path=\($0)) " }.joined() + "Zip SaveFile", "\(plan)")
    }

    @Test(arguments: [
        ("zip all pictures", ": All 3 pictures here are results of mine. Say “also the results”."),
        ("zip every txt", ": The only txt here, a.txt, is a result of mine. Say “also the results”."),
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
