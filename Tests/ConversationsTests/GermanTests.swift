import CaseNames
import Conversations
import Embedded
import Manifests
import Testing
import Vocabulary

/// German: a second language is a file, `Config/planner/de.yaml`.
@Suite struct GermanTests {
    static let german = readPlannerLanguage(
        PlacedJSON(Embedded.text(at: "Config/planner/de.yaml")!), file: "de.yaml")

    let planner = BuiltInPlanner(catalogue: catalogue, language: german.language)

    @Test func theFileCanBeRead() {
        #expect(Self.german.problems.isEmpty && planner.problems.isEmpty, "\(Self.german.problems) \(planner.problems)")
        #expect(Self.german.language.idle.count <= Limits.idleWords)
    }

    /// The guides are in English, and so are sentences of people whose machine speaks another language.
    @Test(arguments: [
        ("make cat.jpg gray", "ImageLoader(path=cat.jpg) Grayscale SaveFile"),
        ("mach cat.jpg grau", "ImageLoader(path=cat.jpg) Grayscale SaveFile"),
        ("make cat.jpg glorgy", ": "), ("make cat.jpg grau", ": "),
    ])
    func englishIsUnderstoodToo(line: String, expected: String) {
        let other = BuiltInPlanner(catalogue: catalogue, language: english)
        let short = inShort(planner.answer(line, or: { [other] }, listing: listing("cat.jpg")))
        #expect(expected == ": " ? short.hasPrefix(": ") : short == expected, "\(short)")
    }

    @Test func understands() {
        expectNoFaults(in: Sentence.sentences(in: Sentence.german, called: "German")) { sentence in
            let short = inShort(planner.answer(sentence.text, listing: listing(sentence.files)))
            let isExpected =
                sentence.expected.hasPrefix(":")
                ? short.hasPrefix(":") && short.contains(sentence.expected.dropFirst().trimmed)
                : short == sentence.expected
            return isExpected ? [] : ["\(sentence.testDescription) → \(short)\n   expected \(sentence.expected)"]
        }
    }
}

extension Sentence {
    static let german = #"""
        files: cat.jpg, dog.png, logo.png, notes.txt, a.txt, data.json, pack.zip, photos/

        # Bilder
        Mach cat.jpg 800 px breit
          ImageLoader(path=cat.jpg) Resize(width=800) SaveFile
        Verkleinere cat.jpg auf 640x480
          ImageLoader(path=cat.jpg) Resize(width=640, height=480, enlarge=false) SaveFile
        Mach cat.jpg grau
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        Mach cat.jpg halb so groß
          ImageLoader(path=cat.jpg) Resize(scale=50) SaveFile
        Verkleinere cat.jpg auf 50 %
          ImageLoader(path=cat.jpg) Resize(scale=50, enlarge=false) SaveFile
        Mach cat.jpg doppelt so groß
          ImageLoader(path=cat.jpg) Resize(scale=200) SaveFile
        Verkleinere cat.jpg auf höchstens 200 KB
          ImageLoader(path=cat.jpg) CompressLocal(targetKB=200) SaveFile
        Dreh cat.jpg um 90 Grad nach links
          ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile
        Drehe alle Bilder um 180 Grad
          ImageLoader(path=cat.jpg) Rotate(angle=180) SaveFile ImageLoader(path=dog.png) Rotate(angle=180) SaveFile ImageLoader(path=logo.png) Rotate(angle=180) SaveFile
        Wandle dog.png in jpg um
          ImageLoader(path=dog.png) ConvertImage(format=jpg) SaveFile
        Konvertiere bitte alle Bilder in webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile ImageLoader(path=dog.png) ConvertImage(format=webp) SaveFile ImageLoader(path=logo.png) ConvertImage(format=webp) SaveFile
        Speichere cat.jpg als klein.webp
          ImageLoader(path=cat.jpg) ConvertImage(format=webp) SaveFile(path=klein.webp)
        Zeichne cat.jpg weich
          ImageLoader(path=cat.jpg) Blur SaveFile
        Schneide cat.jpg auf 400x300 zu
          ImageLoader(path=cat.jpg) Crop(width=400, height=300) SaveFile
        Mach cat.jpg grau, 800 px breit und unter 60 KB
          ImageLoader(path=cat.jpg) Grayscale Resize(width=800) CompressLocal(targetKB=60) SaveFile
        Mach cat.jpg grau und speichere es als grau.jpg
          ImageLoader(path=cat.jpg) Grayscale SaveFile(path=grau.jpg)
        Setze logo.png auf cat.jpg
          ImageLoader(path=cat.jpg) ImageLoader(path=logo.png) Composite SaveFile
        Wie groß ist cat.jpg?
          ImageLoader(path=cat.jpg) ImageInfo

        Mach aus cat.jpg ein graues Bild
          ImageLoader(path=cat.jpg) Grayscale SaveFile
        Füge cat.jpg einen Rand von 20 Pixel hinzu
          ImageLoader(path=cat.jpg) Margin(size=20) SaveFile
        Mach jedes png grau und packe sie in ein Zip
          ImageLoader(path=dog.png) Grayscale ImageLoader(path=logo.png) Grayscale Zip SaveFile(path=files.zip)

        # Texte
        Sortiere die Zeilen von notes.txt rückwärts
          ReadFile(path=notes.txt) SortLines(descending=true) SaveFile
        Hänge "ende" an notes.txt an
          ReadFile(path=notes.txt) AppendText(text=ende) SaveFile(path=notes.txt, overwrite=true)
        Zähle die Wörter in notes.txt
          ReadFile(path=notes.txt) CountWords
        Wie viele Zeilen hat notes.txt?
          ReadFile(path=notes.txt) CountWords
        Sortiere die Zeilen von notes.txt
          ReadFile(path=notes.txt) SortLines SaveFile
        Ersetze foo durch bar in notes.txt
          ReadFile(path=notes.txt) ReplaceText(find=foo, replacement=bar) SaveFile
        Entferne doppelte Zeilen aus notes.txt
          ReadFile(path=notes.txt) UniqueLines SaveFile
        Zeig mir die ersten 10 Zeilen von notes.txt
          ReadFile(path=notes.txt) TakeLines(count=10, from=start)
        Schreib notes.txt in Großbuchstaben
          ReadFile(path=notes.txt) ChangeCase(case=upper) SaveFile

        # Dateien
        Kopiere alle Bilder in den Ordner sommer
          ImageLoader(path=cat.jpg) SaveFile(path=sommer/cat.jpg) ImageLoader(path=dog.png) SaveFile(path=sommer/dog.png) ImageLoader(path=logo.png) SaveFile(path=sommer/logo.png)
        Packe alle Bilder in ein Zip
          FileLoader(path=cat.jpg) FileLoader(path=dog.png) FileLoader(path=logo.png) Zip SaveFile(path=files.zip)
        Zippe cat.jpg und dog.png als bilder.zip
          FileLoader(path=cat.jpg) FileLoader(path=dog.png) Zip(name=bilder.zip) SaveFile(path=bilder.zip)
        Zippe alles außer a.txt
          FileLoader(path=cat.jpg) FileLoader(path=data.json) FileLoader(path=dog.png) FileLoader(path=logo.png) FileLoader(path=notes.txt) FileLoader(path=pack.zip) Zip(paths=["photos"]) SaveFile(path=files.zip)
        Entpacke pack.zip
          FileLoader(path=pack.zip) Unpack
        Benenne notes.txt in alt.txt um
          MoveFile(from=notes.txt, to=alt.txt)
        Kopiere cat.jpg nach kopie.jpg
          ImageLoader(path=cat.jpg) SaveFile(path=kopie.jpg)
        Verschiebe notes.txt nach photos/
          MoveFile(from=notes.txt, to=photos/notes.txt)
        Verschiebe alle Bilder in den Ordner sommer
          MoveFile(from=cat.jpg, to=sommer/cat.jpg) MoveFile(from=dog.png, to=sommer/dog.png) MoveFile(from=logo.png, to=sommer/logo.png)
        Lösche notes.txt
          DeleteFile(path=notes.txt)
        Zeige alle txt-Dateien
          ListFiles(pattern=*.txt)
        Zeig mir notes.txt
          ReadFile(path=notes.txt)

        # Was nicht verstanden wird, wird genannt
        Mach cat.jpg grau mit Glitzer
          : Das verstehe ich nicht: “mit Glitzer”
        Drehe cat.jpg blubbernd um 90 Grad
          : “blubbernd”
        Sortiere notes.txt kunterbunt
          : “kunterbunt”
        Zippe alle Bilder mit Passwort geheim
          : verschlüsselt
        """#
}
