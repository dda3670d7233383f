import Conversations
import Testing

/// The examples of what can be said, which the guide and `/help say` show.
@Suite struct SayingsTests {
    /// What the page shows is understood: each example is a plan, or a question about what an example cannot name.
    @Test func theExamplesAreUnderstood() {
        let planner = BuiltInPlanner(catalogue: catalogue, language: english)
        let here = listing(
            "cat.jpg, notes.txt, data.json, people.csv, report.pdf, song.mp3, clip.mp4, backup.zip, photos/, photos/a.jpg"
        )
        let strange = Sayings(catalogue, english).entries.flatMap(\.examples).filter { example in
            switch planner.answer(example, listing: here) {
            case .workflow, .part, .console: false
            case .words(let words): words.hasPrefix("I do not understand")
            }
        }
        #expect(strange.count <= 12, "\(strange)")
    }
}
