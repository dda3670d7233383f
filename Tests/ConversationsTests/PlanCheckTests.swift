import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// A plan that lacks what its sentence says is refused, whatever made it.
@Suite struct PlanCheckTests {
    private static let planner = BuiltInPlanner(catalogue: catalogue, language: english)
    private static let files = listing("cat.jpg, dog.png, notes.txt, docs/")

    /// Plans made by hand, each with its sentence and what the refusal says. Steps follow one another; `|` begins a
    /// chain of its own.
    private static let wrong: [(line: String, plan: String, words: String)] = [
        // Each file reaches an output.
        ("make cat.jpg and dog.png gray", "ImageLoader(path=cat.jpg) Grayscale SaveFile", "dog.png"),
        ("make cat.jpg gray and save it as out.png", "ImageLoader(path=cat.jpg) Grayscale SaveFile", "out.png"),
        ("move notes.txt to docs/", "MoveFile(from=notes.txt, to=old/notes.txt)", "docs/"),
        ("delete notes.txt", "DeleteFile(path=cat.jpg)", "notes.txt"),
        (
            "zip everything except dog.png",
            "FileLoader(path=cat.jpg) Zip SaveFile(path=files.zip) | FileLoader(path=dog.png)",
            "dog.png"
        ),
        // A limit in bytes comes last.
        (
            "make cat.jpg gray, under 60 KB", "ImageLoader(path=cat.jpg) CompressLocal(targetKB=60) Grayscale SaveFile",
            "last step"
        ),
        (
            "wait 5 seconds, then make cat.jpg gray, under 60 KB",
            "ImageLoader(path=cat.jpg) CompressLocal(targetKB=60) Delay(seconds=5) Grayscale SaveFile", "last step"
        ),
        // Each order gave a step.
        ("blur cat.jpg and make it gray", "ImageLoader(path=cat.jpg) Blur SaveFile", "gray"),
        ("resize cat.jpg to 100 px, then blur it", "ImageLoader(path=cat.jpg) Resize(width=100) SaveFile", "blur"),
        ("blur cat.jpg and", "ImageLoader(path=cat.jpg) Blur SaveFile", "and"),
        // Each number stands in a parameter of its unit.
        ("make cat.jpg 800 px wide", "ImageLoader(path=cat.jpg) Resize(width=80) SaveFile", "800 px"),
        ("make cat.jpg under 60 KB", "ImageLoader(path=cat.jpg) CompressLocal(targetMB=60) SaveFile", "60 KB"),
        ("rotate cat.jpg by 90 degrees", "ImageLoader(path=cat.jpg) Rotate(angle=45) SaveFile", "90 degrees"),
        ("wait 2 minutes, then blur cat.jpg", "ImageLoader(path=cat.jpg) Delay(seconds=2) Blur SaveFile", "2 minutes"),
        ("fit cat.jpg into 400x300", "ImageLoader(path=cat.jpg) Resize(width=400) SaveFile", "400x300"),
        ("resize cat.jpg to 50%", "ImageLoader(path=cat.jpg) Resize(width=50) SaveFile", "50%"),
    ]

    @Test func aPlanWithoutWhatItsSentenceSaysIsRefused() {
        expectNoFaults(in: Self.wrong) { row in
            let words = Self.planner.fault(of: Self.plan(row.plan), for: row.line, listing: Self.files)
            return words?.contains(row.words) ?? false ? [] : ["\(row.line): \(row.plan) → \(words ?? "no fault")"]
        }
    }

    @Test func theSamePlansAreAcceptedForTheirOwnSentences() {
        let right = [
            ("make cat.jpg gray", "ImageLoader(path=cat.jpg) Grayscale SaveFile"),
            (
                "make cat.jpg under 60 KB and zip it",
                "ImageLoader(path=cat.jpg) CompressLocal(targetKB=60) Zip SaveFile(path=files.zip)"
            ),
            ("make cat.jpg under 1.5 MB", "ImageLoader(path=cat.jpg) CompressLocal(targetKB=1500) SaveFile"),
            ("rotate cat.jpg 90 left", "ImageLoader(path=cat.jpg) Rotate(angle=-90) SaveFile"),
            (
                "replace 2023 with 2024 in notes.txt",
                "ReadFile(path=notes.txt) ReplaceText(find=2023, replacement=2024) SaveFile"
            ),
        ]
        expectNoFaults(in: right) { line, plan in
            Self.planner.fault(of: Self.plan(plan), for: line, listing: Self.files).map { ["\(line): \($0)"] } ?? []
        }
    }

    /// The planner checks its plans itself: here it is checked that the check is no stricter than the tables.
    @Test func everyPlanOfTheTablesPasses() {
        expectNoFaults(in: Sentence.answered) { sentence, answer in
            guard case .workflow(let plan) = answer else { return [] }
            return Self.planner.fault(of: plan, for: sentence.text, listing: listing(sentence.files)).map {
                ["\(sentence.text): \($0)"]
            }
                ?? []
        }
    }

    private static func plan(_ short: String) -> JSON {
        var nodes: [JSON] = []
        var edges: [JSON] = []
        for chain in short.split(separator: "|") {
            var last: (id: String, tool: ToolManifest)?
            for text in steps(chain) {
                let parts = text.split(separator: "(", maxSplits: 1)
                let kind = String(parts[0])
                guard let tool = catalogue[kind] else { continue }
                var params = JSON.Object()
                for pair in parts.count > 1 ? parts[1].dropLast().split(separator: ",") : [] {
                    let sides = pair.trimmed.split(separator: "=").map(String.init)
                    params[sides[0]] =
                        (try? JSONReader.read(sides[1])).flatMap { $0.number == nil ? nil : $0 } ?? .string(sides[1])
                }
                let id = "n\(nodes.count)"
                nodes.append(["id": .string(id), "kind": .string(kind), "params": .object(params)])
                if let last, let output = last.tool.outputs.first, let input = tool.inputs.first {
                    edges.append([
                        "from": [.string(last.id), .string(output.name)], "to": [.string(id), .string(input.name)],
                    ])
                } else if let last {
                    edges.append(["from": [.string(last.id), "image"], "to": [.string(id), "image"]])
                }
                last = (id, tool)
            }
        }
        return ["nodes": .array(nodes), "edges": .array(edges)]
    }

    /// The steps of a chain: spaces within parentheses part none.
    private static func steps(_ chain: Substring) -> [String] {
        var steps: [String] = [""]
        var depth = 0
        for character in chain {
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            if character == " ", depth == 0 { steps.append("") } else { steps[steps.count - 1].append(character) }
        }
        return steps.filter { !$0.isEmpty }
    }
}
