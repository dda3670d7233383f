import CaseNames
import Embedded
import Testing

private let embeddable = ["Prompts", "Config"].flatMap { House.files(under: $0) }

@Test func everyFileOfPromptsAndConfigIsEmbeddedOnce() {
    #expect(embeddable.count >= 6)
    #expect(Embedded.paths.sorted() == embeddable.sorted())
}

@Test(arguments: embeddable) func embeddedFilesAreThoseOnDisk(path: String) throws {
    let place = EmbeddedFormTests.paths.contains(path) ? EmbeddedFormTests.place(of: path) : path
    let onDisk = try #require(House.bytes(at: place))
    #expect(Embedded.bytes(at: path) == onDisk)
    #expect(!onDisk.isEmpty)
}

/// A file of 400 lines has a second idea in it.
@Test func filesStayShort() {
    expectNoFaults(in: House.swiftFiles) { path in
        let count = House.lines(of: path).count
        return count <= 400 ? [] : ["\(path) has \(count) lines"]
    }
}

/// Names that say "stuff" (`contributing.md`, "Style rules").
@Test func namesSayWhatAThingIs() {
    let stuff = ["Manager", "Helper", "Utils"]
    let declarators: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias", "extension"]
    expectNoFaults(in: House.swiftFiles) { path in
        let file = path.split(separator: "/").last ?? ""
        var faults = stuff.contains { file.contains($0) } ? [path] : []
        for line in House.lines(of: path) where stuff.contains(where: line.contains) {
            guard !line.drop(while: \.isWhitespace).hasPrefix("//") else { continue }
            let words = line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
            for (word, name) in zip(words, words.dropFirst()) where declarators.contains(word) {
                if stuff.contains(where: { name.hasSuffix($0) }) { faults.append("\(name) in \(path)") }
            }
        }
        return faults
    }
}

@Test func manyFilesWereLookedAt() {
    #expect(House.swiftFiles.count > 800)
    #expect(House.swiftFiles.contains("Sources/Consent/Deciding.swift"))
}
