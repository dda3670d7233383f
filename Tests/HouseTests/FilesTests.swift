import Embedded
import Testing

private let embeddable = ["Prompts", "Config"].flatMap { House.files(under: $0) }

@Test func everyFileOfPromptsAndConfigIsEmbeddedOnce() {
    #expect(embeddable.count >= 6)
    #expect(Embedded.paths.sorted() == embeddable.sorted())
}

@Test(arguments: embeddable) func embeddedFilesAreThoseOnDisk(path: String) throws {
    let onDisk = try #require(House.bytes(at: path))
    #expect(Embedded.bytes(at: path) == onDisk)
    #expect(!onDisk.isEmpty)
}

/// A file of 400 lines has a second idea in it.
@Test(arguments: House.swiftFiles) func filesStayShort(path: String) {
    #expect(House.lines(of: path).count <= 400, "\(path)")
}

/// Names that say "stuff" (`contributing.md`, "Style rules").
@Test(arguments: House.swiftFiles) func namesSayWhatAThingIs(path: String) {
    let stuff = ["Manager", "Helper", "Utils"]
    let file = path.split(separator: "/").last ?? ""
    #expect(!stuff.contains { file.contains($0) })
    let declarators: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias", "extension"]
    for line in House.lines(of: path) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
        let words = line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
        for (word, name) in zip(words, words.dropFirst()) where declarators.contains(word) {
            #expect(!stuff.contains { name.hasSuffix($0) }, "\(name) in \(path)")
        }
    }
}

@Test func manyFilesWereLookedAt() {
    #expect(House.swiftFiles.count > 40)
    #expect(House.swiftFiles.contains("Sources/Consent/Deciding.swift"))
}
