import CaseNames
import Testing

/// The calls that stand in few files only, so that a process has one reader of its terminal and one way to ask
/// (`architecture.md`, "Invariant 10. Text from outside is hostile").
private let places: [(words: [String], folders: [String], files: Set<String>)] = [
    // Bytes of an input are read by its owner. The mailbox reads its own pipe.
    (
        ["Glibc.read(", "= read(", "readLine("], ["Sources/Terminal", "Sources/Console", "Sources/assent"],
        ["Sources/Terminal/InputOwner.swift", "Sources/Terminal/EditorMailbox.swift"]
    ),
    (["InputOwner("], ["Sources"], ["Sources/Terminal/Screen.swift", "Sources/assent/Screens.swift"]),
    // The terminal by its name, and the editor of the person's own, which is another process.
    (["\"/dev/tty\""], ["Sources"], ["Sources/assent/Screens.swift", "Sources/Services/PersonsEditor.swift"]),
    // Every question and picker lets the person look around first.
    (["screen.ask("], ["Sources/Console", "Sources/assent"], ["Sources/Console/QuestionDialogue.swift"]),
]

@Test func oneFileReadsTheTerminalAndOneAsks() {
    expectNoFaults(in: places) { place in
        let paths = Set(place.folders.flatMap { House.files(under: $0) }.filter { $0.hasSuffix(".swift") })
        let found = paths.filter { path in
            House.lines(of: path).contains { line in place.words.contains { line.contains($0) } }
        }
        return found == place.files ? [] : ["\(place.words) stands in \(found.sorted())"]
    }
}
