import Vocabulary

/// The kinds and formats of files, by their names.
enum FileName {
    /// Returns a name in quotes if it would not stand by itself in a sentence.
    static func quoted(_ name: String) -> String { name.contains(" ") ? "\"\(name)\"" : name }

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    static let images = set("jpg jpeg png webp tiff tif gif avif heic bmp svg")
    private static let texts = set(
        "txt md markdown csv tsv log html htm xml yaml yml toml ini cfg conf swift c h py js ts sh css rst tex text")
    private static let others = set(
        "json pdf zip tar gz tgz mp3 mp4 mov avi mkv wav ogg flac doc docx xls xlsx ppt pptx odt ods dat db sqlite exe iso tmp bak out old psd raw"
    )
    private static let binary = set(
        "pdf zip tar gz tgz mp3 mp4 mov avi mkv wav ogg flac doc docx xls xlsx ppt pptx odt ods db sqlite exe iso psd")
    static let archives = set("zip tar gz tgz")
    /// The suffixes by which a file name is recognised.
    static let extensions = images.union(texts).union(others)
    /// The suffixes that are also words, and so are not used as nouns: "the old file".
    static let words = set("old out raw c h log text")
    /// The formats that users ask for, even if there is no tool for them.
    static let formats = images.union([
        "pdf", "docx", "doc", "mp4", "mp3", "html", "csv", "xml", "yaml", "epub", "ico", "eps", "jp2", "jxl",
    ])

    /// Returns the suffix of a path in lower case, such as the `jpg` of `photos/Cat.JPG`, or nil if it has none.
    static func suffix(of path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let suffix = name[name.index(after: dot)...].lowercased()
        return suffix.isEmpty || !suffix.allSatisfy({ $0.isLetter || $0.isNumber }) ? nil : suffix
    }

    /// Returns the path of a folder with a slash at its end.
    static func folder(_ path: String) -> String { path.hasSuffix("/") ? path : path + "/" }

    /// Returns a path without the slash at its end. The root stays.
    static func withoutSlash(_ path: String) -> String {
        path.hasSuffix("/") && path.count > 1 ? String(path.dropLast()) : path
    }

    /// Returns the folder of a relative path, which is empty for a name alone.
    static func parent(of path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }

    static func base(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns one suffix for each format: `jpeg` becomes `jpg`.
    static func format(_ suffix: String) -> String {
        ["jpeg": "jpg", "tif": "tiff", "markdown": "md", "htm": "html"][suffix] ?? suffix
    }

    private static let kinds: [String: Set<String>] = [
        "csv": set("csv tsv"), "pdf": set("pdf"), "sound": set("mp3 wav ogg flac m4a opus"),
        "film": set("mp4 mov mkv avi webm"), "archive": archives,
    ]

    /// Returns the types of ports that a file of this name fits, the closest first: `csv`, `text`, `file`.
    static func types(of path: String) -> [String] {
        let suffix = suffix(of: path) ?? ""
        let close = kinds.filter { $0.value.contains(suffix) }.map(\.key)
        let type = type(of: path)
        return close + (type == "file" ? [] : type == "json" ? ["json", "text"] : [type]) + ["file"]
    }

    /// The distance of a tool that does not take a file.
    static let farthest = 3

    /// Returns how far the inputs of a tool are from a file of this name: 0 if one is of its closest type, `farthest` if
    /// none takes it.
    static func distance(of path: String, from tool: ToolManifest) -> Int {
        let types = types(of: path)
        let places = tool.inputs.compactMap { input in
            input.type == .any ? types.count - 1 : types.firstIndex(of: input.type.name)
        }
        return min(farthest, places.min() ?? farthest)
    }

    /// Whether a name certainly belongs to a file that is no text: a picture, an archive, a film.
    static func isNoText(_ path: String) -> Bool {
        guard let suffix = suffix(of: path) else { return false }
        return suffix != "svg" && (images.contains(suffix) || binary.contains(suffix))
    }

    /// Returns the type of a file's content, by its name.
    static func type(of path: String) -> String {
        let suffix = suffix(of: path) ?? ""
        if images.contains(suffix) { return "image" }
        if texts.contains(suffix) { return "text" }
        return suffix == "json" ? "json" : "file"
    }
}
