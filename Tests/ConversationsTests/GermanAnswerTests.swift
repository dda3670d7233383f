import CaseNames
import Conversations
import Harness
import JSON
import Testing
import Vocabulary

/// The answers to a German sentence are German, whatever the machine speaks.
@Suite struct GermanAnswerTests {
    private static let english = BuiltInPlanner(catalogue: catalogue, language: ConversationsTests.english)
    private static let german = BuiltInPlanner(catalogue: catalogue, language: GermanTests.german.language)

    @Test(arguments: [
        ("was kannst du?", "Ich bin der eingebaute Planer: "), ("danke", "Gern geschehen."),
        ("wie viele bilder sind hier?", "Es gibt 2 Bilder hier."),
        ("mach das bild grau", "Welche ist „das bild“? Es gibt cat.jpg, dog.png."),
        ("mach hunf.png grau", "Hier gibt es hunf.png nicht."),
        ("mach dogg.png grau", "Hier gibt es dogg.png nicht. Meinst du dog.png?"),
        ("benenne cat.jpg in dog.png um", "dog.png ist schon da"),
        ("drehe notes.txt nach links", "“drehe notes.txt nach links” nimmt "),
    ])
    func anAnswerIsInTheLanguageOfTheSentence(sentence: String, answer: String) {
        let here = listing("cat.jpg, dog.png, notes.txt")
        guard case .words(let words) = Self.english.answer(sentence, or: { [Self.german] }, listing: here) else {
            Issue.record("a plan for “\(sentence)”")
            return
        }
        #expect(words.hasPrefix(answer), "\(words)")
    }

    @Test func whatAPlanLeavesOutIsInTheLanguageOfTheSentence() {
        var here = listing("cat.jpg, dog.png, photos/, photos/x.jpg")
        here.hidden = [FileEntry(name: ".x.png")]
        guard case .part(_, let words) = Self.german.answer("mach alle bilder grau", listing: here) else {
            Issue.record("nothing is left out")
            return
        }
        #expect(
            words
                == "1 versteckte Datei bleibt weg, .x.png: „auch die versteckten Dateien“ nimmt sie dazu. 1 weitere (Bild) liegt in einem Ordner darunter: „in allen Ordnern“ nimmt sie dazu."
        )
        for more in ["auch die versteckten Dateien", "in allen Ordnern"] {
            #expect(Self.german.answer("mach alle bilder grau, \(more)", listing: here) != .words(""), "\(more)")
            guard case .part(_, let rest) = Self.german.answer("mach alle bilder grau, \(more)", listing: here) else {
                Issue.record("“\(more)” is not understood")
                continue
            }
            #expect(!rest.contains(more), "\(rest)")
        }
    }

    /// A changed English text would lose its translation without a word.
    @Test func everyTranslationIsOfWordsThatAreSaid() throws {
        let said = SourceTexts.of("Sources/Conversations")
        let translations = GermanTests.german.language.translations
        #expect(translations.count > 100)
        for (words, translation) in translations.sorted(by: { $0.key < $1.key }) {
            let isSaid = said.contains(words)
            #expect(isSaid, "“\(words)” is said nowhere")
            let (holes, filled) = (words.split(separator: "{").count, translation.split(separator: "{").count)
            let opens = (words.hasPrefix("{"), translation.hasPrefix("{"))
            #expect(holes + (opens.0 ? 1 : 0) == filled + (opens.1 ? 1 : 0), "“\(translation)” has other values")
        }
    }
}

/// The texts in the sources of a module, with `{}` in the place of each value.
private enum SourceTexts {
    static func of(_ folder: String) -> Set<String> {
        let root = #filePath.replacing("/Tests/ConversationsTests/GermanAnswerTests.swift", with: "/\(folder)")
        var texts: Set<String> = []
        for path in ScratchFolder.files(under: root) where path.hasSuffix(".swift") {
            for line in (ScratchFolder.text(path) ?? "").split(separator: "\n") {
                texts.formUnion(Self.texts(in: line))
            }
        }
        return texts
    }

    /// Returns the texts of a line of Swift.
    private static func texts(in line: Substring) -> [String] {
        var signs = Array(line)[...]
        var found: [String] = []
        while let sign = signs.popFirst() {
            if sign == "/", signs.first == "/" { break }
            if sign == "\"" { found.append(text(&signs)) }
        }
        return found
    }

    /// Returns a text up to its closing quotes.
    private static func text(_ signs: inout ArraySlice<Character>) -> String {
        var text = ""
        while let sign = signs.popFirst(), sign != "\"" {
            guard sign == "\\", let next = signs.popFirst() else {
                text.append(sign)
                continue
            }
            guard next == "(" else {
                text.append(next)
                continue
            }
            text += "{}"
            skipValue(&signs)
        }
        return text
    }

    private static func skipValue(_ signs: inout ArraySlice<Character>) {
        var depth = 1
        while depth > 0, let sign = signs.popFirst() {
            if sign == "\"" { _ = text(&signs) }
            depth += sign == "(" ? 1 : sign == ")" ? -1 : 0
        }
    }
}
