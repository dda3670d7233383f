import Conversations
import Embedded
import JSON
import Manifests
import Vocabulary

/// The tools that ship, as the program reads them.
let catalogue: Catalogue = {
    let files = Embedded.paths.filter { $0.hasPrefix("Config/tools/") }
    return Catalogue(
        files.flatMap { path in
            readTools(PlacedJSON(Embedded.text(at: path)!), file: path, isShipped: true, hash: { _ in .ofNothing })
                .tools
        })
}()

/// English, as the program reads it.
let english = readPlannerLanguage(PlacedJSON(Embedded.text(at: "Config/planner/en.yaml")!), file: "en.yaml").language

func listing(_ names: String) -> Listing {
    Listing(
        workspace: "/work",
        files: names.split(separator: ",").map { name in
            let name = name.trimmed
            return FileEntry(
                name: name.hasSuffix("/") ? String(name.dropLast()) : name,
                bytes: name.hasPrefix("big") ? 5_000_000 : 1_000,
                isFolder: name.hasSuffix("/"))
        })
}

extension StringProtocol {
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// An answer on one line: `ImageLoader(path=cat.jpg) Resize(width=800) SaveFile`, or the words after a colon.
func inShort(_ answer: BuiltInPlanner.Answer) -> String {
    switch answer {
    case .words(let words), .console(_, let words): ": \(words)"
    case .workflow(let workflow), .part(let workflow, _):
        (workflow["nodes"]?.array ?? []).map { node in
            let params = (node["params"]?.object?.members ?? []).map { "\($0.key)=\($0.value.string ?? $0.value.text)" }
                .joined(
                    separator: ", ")
            return (node["kind"]?.string ?? "?") + (params.isEmpty ? "" : "(\(params))")
        }.joined(separator: " ")
    }
}
