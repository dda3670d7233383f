package import JSON

/// A part of its work that a tool left out, such as three of four frames.
package struct LeftOut: Hashable, Sendable {
    /// A kind of what was left out. The raw values are in stored assets and in JSON.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Files or folders above a limit.
        case files
        /// Frames of an animation, or pages of a document.
        case frames, pages
        /// Files and folders whose names are no text in UTF-8.
        case names
        /// Folders with everything in them.
        case folders
        /// The files that were not searched, because they are too large, were found elsewhere too, or cannot be read,
        /// and folders that are too deep.
        case large, linked, unreadable, deep
        /// Entries of an archive whose name comes again in it.
        case repeated
        /// The uncounted rest after some point.
        case rest
        /// A property of the file itself that could not be kept, such as its access list.
        case traits
        /// A sentence of an earlier version.
        case words
    }

    package var kind: Kind
    /// The number of omitted entries, or `nil` if they were not counted.
    package var count: Int?
    /// The number of all entries, if it is known.
    package var total: Int?
    /// Some of the names, at most `Limits.leftOutNames`. Bytes that are not text are written as `\xe9`.
    package var names: [String]
    /// The reason of `rest`, and the sentence of `words`.
    package var why: String?

    package init(_ kind: Kind, _ count: Int? = nil, of total: Int? = nil, names: [String] = [], why: String? = nil) {
        self.kind = kind
        self.count = count
        self.total = total
        self.names = Array(names.prefix(Limits.leftOutNames))
        self.why = why
    }
}

extension LeftOut {
    package var json: JSON {
        .of([
            "kind": .string(kind.rawValue), "count": count.map { .int($0) }, "of": total.map { .int($0) },
            "names": names.isEmpty ? nil : .array(names.map { .string($0) }), "why": why.map { .string($0) },
        ])
    }

    /// Reads one part.
    ///
    /// - Returns: `nil` for a kind that this version does not know.
    package init?(json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(
            kind, json["count"]?.int, of: json["of"]?.int, names: (json["names"]?.array ?? []).compactMap(\.string),
            why: json["why"]?.string)
    }

    /// Returns one line for a user, such as `left out: 3 of 4 frames; 2 files whose names are not text: caf\xe9.txt,
    /// x\xff`. It is `nil` if nothing was left out. Names with control characters are written as JSON writes them.
    package static func words(_ parts: [LeftOut]) -> String? {
        guard !parts.isEmpty else { return nil }
        let sentences = parts.filter { $0.kind == .words }.compactMap(\.why)
        let lost = parts.filter { $0.kind == .traits }.map(\.phrase)
        let counted = parts.filter { $0.kind != .words && $0.kind != .traits }.map(\.phrase)
        let lists = [("left out", counted), ("not kept", lost)].filter { !$0.1.isEmpty }
        return (sentences + lists.map { "\($0): \($1.joined(separator: "; "))" }).joined(separator: " ")
    }

    private var phrase: String {
        let number = (count.map(String.init) ?? "") + (total.map { " of \($0)" } ?? "")
        let isOne = (total ?? count) == 1
        func counted(_ one: String, _ many: String) -> String { "\(number) \(isOne ? one : many)" }
        let what =
            switch kind {
            case .files: counted("file", "files")
            case .frames: counted("frame", "frames")
            case .pages: counted("page", "pages")
            case .names: counted("file whose name is not text", "files whose names are not text")
            case .folders: counted("folder", "folders")
            case .large: counted("file that is too large", "files that are too large")
            case .linked:
                counted(
                    "file found elsewhere too, by a hard link or a mount",
                    "files found elsewhere too, by hard links or mounts")
            case .unreadable: counted("file or folder that cannot be read", "files or folders that cannot be read")
            case .deep: counted("folder that lies too deep", "folders that lie too deep")
            case .repeated:
                counted("entry whose name comes again in the archive", "entries whose names come again in the archive")
            case .rest: "the rest" + (why.map { ", since \($0)" } ?? "")
            case .traits: why ?? "what belongs to the file"
            case .words: why ?? ""
            }
        guard !names.isEmpty else { return what }
        // A name with a comma must not pass for two.
        let shown = names.map { name in
            name.hasUnseenCharacter || name.utf8.contains { ",;\"".utf8.contains($0) } ? JSON.string(name).text : name
        }
        return "\(what): \(shown.joined(separator: ", "))" + ((count ?? 0) > names.count ? ", …" : "")
    }
}

extension Asset {
    /// The parts of its work that the tool omitted when it made this asset. The list is empty if it did everything.
    package var partial: [LeftOut] {
        get { [LeftOut](partial: meta["partial"]) }
        set { meta["partial"] = newValue.isEmpty ? nil : .array(newValue.map(\.json)) }
    }
}

extension Event.Output {
    /// The parts of its work that the tool omitted when it made this output. The list is empty if it did everything.
    package var partial: [LeftOut] { [LeftOut](partial: meta["partial"]) }
}

extension [LeftOut] {
    /// Reads the omitted parts that are stored with an asset. Assets of earlier versions have a sentence in their
    /// place.
    package init(partial json: JSON?) {
        if let sentence = json?.string {
            self = [LeftOut(.words, why: sentence)]
        } else {
            self = (json?.array ?? []).compactMap(LeftOut.init(json:))
        }
    }

    package var json: JSON? { isEmpty ? nil : .array(map(\.json)) }
}
