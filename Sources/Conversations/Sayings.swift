package import Vocabulary

/// Example orders for the built-in planner, made from the phrases of the tools. The page of the guide and
/// `/help say` show them, so that neither can grow old.
package struct Sayings {
    /// The examples of one tool.
    package struct Entry: Hashable, Sendable {
        package let title: String
        package let examples: [String]
    }

    /// The most examples of one tool, and the characters of the longest.
    private static let most = 2
    /// The most phrases of one tool that are tried.
    private static let tried = 12
    private static let longest = 64

    /// The tools that can be spoken to, by their titles.
    package let entries: [Entry]

    /// Makes the examples of tools in a language.
    package init(_ catalogue: Catalogue, _ language: PlannerLanguage) {
        let planner = BuiltInPlanner(catalogue: catalogue, language: language)
        entries = catalogue.sorted.compactMap { tool in
            let examples = Self.examples(of: tool, language).filter(planner.takes).prefix(Self.most).map { $0 }
            return examples.isEmpty ? nil : Entry(title: tool.title, examples: examples)
        }.sorted { $0.title < $1.title }
    }

    private static func examples(of tool: ToolManifest, _ language: PlannerLanguage) -> [String] {
        var whole: [String] = []
        var bare: [String] = []
        for pattern in ToolPhrase.written(of: tool, language) {
            let words = pattern.example(of: tool).split(separator: " ").joined(separator: " ")
            guard words.count <= longest else { continue }
            let isWhole = words.contains(".") || tool.inputs.isEmpty
            let isNew = !whole.contains(words) && !bare.contains(words)
            if isNew, isWhole { whole.append(words) } else if isNew { bare.append(words) }
        }
        if let sample = tool.sample { bare = bare.map { "\($0) \(sample)" } }
        return Array((whole + bare).prefix(tried))
    }
}

extension BuiltInPlanner {
    /// Whether a sentence is understood in a folder that has the files of the examples.
    fileprivate func takes(_ sentence: String) -> Bool { understands(sentence, listing: .samples) }
}

extension Listing {
    /// A folder with the files of the examples.
    fileprivate static let samples = Listing(
        workspace: "/",
        files: (ToolManifest.samples.values.sorted() + ["mask.png", "logo.png"]).map {
            FileEntry(name: $0, bytes: 1_000)
        }
            + [FileEntry(name: "photos", isFolder: true)])
}

extension ToolManifest {
    /// A name of a file for each type.
    fileprivate static let samples = [
        "image": "cat.jpg", "text": "notes.txt", "json": "data.json", "csv": "people.csv", "pdf": "report.pdf",
        "sound": "song.mp3", "film": "clip.mp4", "archive": "backup.zip",
    ]

    /// The name of a file that the first input takes, or nil if there is no input.
    fileprivate var sample: String? {
        inputs.first.map { input in
            Self.samples[input.type.name] ?? "notes.txt"
        }
    }
}

extension Pattern {
    /// Returns the plainest sentence that the pattern matches.
    fileprivate func example(of tool: ToolManifest) -> String {
        switch self {
        case .word(let word), .stem(let word): word
        case .slot(_, let slot): slot.example ?? tool.sample ?? "notes.txt"
        case .maybe: ""
        case .choice(let sides): sides.first?.example(of: tool) ?? ""
        case .sequence(let parts): parts.map { $0.example(of: tool) }.joined(separator: " ")
        }
    }
}

extension Slot {
    /// Words that fill the slot, or nil for a file.
    fileprivate var example: String? {
        switch self {
        case .file: nil
        case .number, .count: "3"
        case .length, .side: "300 px"
        case .percent: "50%"
        case .degrees: "90°"
        case .seconds: "5 s"
        case .bytes: "200 KB"
        case .megapixels: "2 MP"
        case .size: "400x300"
        case .name, .label, .place, .new: "Holiday"
        case .folder: "photos"
        case .noun: "pictures"
        case .format: "png"
        case .param: "width"
        case .text, .word, .plain: "Smith"
        case .quoted: "\"some words\""
        case .field: "name"
        case .dotted: "items.0"
        case .url: "https://example.org/a.json"
        case .command: "ls -la"
        case .workflow: "w3"
        case .color: "white"
        case .sign: "comma"
        case .foreign: "5 cm"
        }
    }
}
