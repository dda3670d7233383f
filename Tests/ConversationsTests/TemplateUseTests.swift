import Conversations
import Embedded
import JSON
import Testing
import Vocabulary
import Workflows

@Suite struct TemplateUseTests {
    static let shipped = Embedded.paths.filter { $0.hasPrefix("Config/templates/") }
    let planner = BuiltInPlanner(
        catalogue: catalogue, templates: shipped.compactMap { TemplateReader.read(Embedded.bytes(at: $0)!).0 },
        language: english)
    let files = listing("cat.jpg, dog.png, my holiday.JPG, notes.txt, small.webp")

    @Test(arguments: shipped) func aShippedTemplatePassesTheCheck(path: String) throws {
        let (template, problems) = TemplateReader.read(try #require(Embedded.bytes(at: path)))
        #expect(problems.isEmpty)
        let (graph, faults) = check(try #require(template), against: catalogue)
        #expect(graph != nil && faults.isEmpty, "\(faults)")
        #expect(path == "Config/templates/\(template?.name ?? "").json")
    }

    /// Else a person who skips their part lets the provider be paid for nothing.
    @Test(arguments: shipped) func noShippedTemplatePaysWithoutTheWordsThatItAsksFor(path: String) throws {
        let bytes = try #require(Embedded.bytes(at: path))
        let template = try #require(TemplateReader.read(bytes).0)
        let graph = try #require(check(template, against: catalogue).0)
        for (index, node) in graph.nodes.enumerated()
        where node.isPerson && catalogue[node.kind]?.outputs.first?.type == .text {
            for consumer in graph.consumers[index] {
                #expect(
                    graph.nodes[consumer].inputs.allSatisfy { $0.producer?.node != index || !$0.isOptional }, "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("make cat.jpg web ready", "ImageLoader(path=cat.jpg) Resize ConvertImage CompressLocal SaveFile"),
        ("make cat.jpg web-ready", "ImageLoader(path=cat.jpg) Resize ConvertImage CompressLocal SaveFile"),
        (
            "Could you make a web-ready version of my holiday.JPG, please?",
            "ImageLoader(path=my holiday.JPG) Resize ConvertImage CompressLocal SaveFile"
        ),
        ("run the thumbnail template on cat.jpg", "ImageLoader(path=cat.jpg) Resize CompressLocal SaveFile"),
        (
            "run the thumbnail template on ../other/cat.jpg",
            "ImageLoader(path=../other/cat.jpg) Resize CompressLocal SaveFile"
        ),
        ("make a square thumbnail of cat.jpg", ": How large is the square"),
        ("use template thumbnail for dog.png", "ImageLoader(path=dog.png) Resize CompressLocal SaveFile"),
        ("run web-ready on cat.jpg", "ImageLoader(path=cat.jpg) Resize ConvertImage CompressLocal SaveFile"),
        ("make a thumbnail of dog.png", "ImageLoader(path=dog.png) Resize CompressLocal SaveFile"),
        (
            "make a thumbnail of cat.jpg and save it as tiny.jpg",
            "ImageLoader(path=cat.jpg) Resize CompressLocal SaveFile(path=tiny.jpg)"
        ),
        (
            "apply the thumbnail template to cat.jpg and dog.png",
            "ImageLoader(path=cat.jpg) Resize CompressLocal SaveFile ImageLoader(path=dog.png) Resize CompressLocal SaveFile"
        ),
        ("run word-report on notes.txt", "ReadFile(path=notes.txt) CountWords SaveFile"),
        (
            "run the word-report template on http://127.0.0.1:9/p.txt",
            "HTTPFetch(url=http://127.0.0.1:9/p.txt) CountWords SaveFile"
        ),
        // Figures say more than a template.
        ("make a 200 px thumbnail of cat.jpg", "ImageLoader(path=cat.jpg) Resize SaveFile"),
        ("run the web-ready template on notes.txt", ": takes a picture"),
        (
            "run the vintage template on cat.jpg",
            ": no such template"
        ),
        ("run the thumbnail template", ": Which file?"),
        ("run the thumbnail template on ghost.jpg", ": There is no ghost.jpg here"),
        ("make cat.jpg web ready and delete notes.txt", ": line of its own"),
        ("make cat.jpg web ready and save it as small.webp", ": there already"),
        ("don't make cat.jpg web ready", ": forbids"),
    ])
    func aNamedTemplateIsUsed(sentence: String, expected: String) throws {
        let answer = planner.answer(sentence, listing: files)
        guard case .workflow(let plan) = answer else {
            return #expect(
                inShort(answer).contains(expected.dropFirst(2)) && expected.hasPrefix(":"), "\(inShort(answer))")
        }
        // What the template sets is its own affair; what the sentence names is shown.
        let shown = inShort(answer).replacing(#/\((?!path=|url=)[^)]*\)/#, with: "")
        #expect(shown == expected)
        let (template, problems) = TemplateReader.read(plan)
        #expect(problems.isEmpty)
        let (graph, faults) = check(try #require(template), against: catalogue)
        #expect(graph != nil && faults.isEmpty, "\(faults)")
    }
}
