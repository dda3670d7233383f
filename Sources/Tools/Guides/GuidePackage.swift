package import Files
import Glibc
import JSON
import Pictures
package import Vocabulary

/// The package with the results of a guide: all answers, pictures, checks and notes, and a report for a browser. It
/// depends only on stored rows and contents, so the same workflow always gives the same bytes.
package struct GuidePackage: Sendable {
    /// The rows that a package is made from.
    package struct Rows: Sendable {
        package var workflow: WorkflowRecord
        package var record: GuideRecord
        /// The guide as it was written (`Template.guide`).
        package var guide: String
        /// The stored events of the workflow, in order.
        package var events: [EventRecord]
        package var annotations: [Annotation]
        /// The name and the version of the program.
        package var program: String

        /// Creates the rows of a package.
        package init(
            workflow: WorkflowRecord, record: GuideRecord, guide: String, events: [EventRecord],
            annotations: [Annotation] = [],
            program: String
        ) {
            (self.workflow, self.record, self.guide) = (workflow, record, guide)
            (self.events, self.annotations, self.program) = (events, annotations, program)
        }
    }

    /// A text that a user wrote for a step, or for one of its pictures.
    package struct Annotation: Hashable, Sendable {
        /// The ID of the step.
        package var step: String
        /// The name of the picture among several, or its number from 1. It is `nil` for the whole step.
        package var part: String?
        package var text: String

        /// Creates an annotation.
        package init(step: String, part: String? = nil, text: String) {
            (self.step, self.part, self.text) = (step, part, text)
        }
    }

    /// A file of the package.
    package struct Entry: Hashable, Sendable {
        /// The path inside the package: letters, digits, `.`, `-`, `_` and `/`.
        package let name: String
        package let content: Content
        /// The size of the file, in bytes.
        package let size: Int
    }

    package enum Content: Hashable, Sendable {
        case bytes([UInt8])
        /// An unchanged content of the store.
        case stored(ContentHash)
        /// A picture of the store without its metadata, and the hash that the copy must have.
        case cut(ContentHash, becomes: ContentHash)
    }

    /// The files, in the order of the package.
    package let entries: [Entry]
    /// The file name from the guide.
    package let fileName: String
    /// The pictures whose metadata could not be removed although the guide requires it, with the reasons. They are
    /// included unchanged.
    package let uncut: [(file: String, reason: String)]

    private let time: Moment
    private let guide: Guide

    /// Makes the package. It reads the pictures one after another, each once, and keeps none in memory.
    ///
    /// - Parameter read: returns the first bytes of a content, at most `limit`.
    /// - Throws: `tooLarge`, and errors of `read`.
    package init(_ rows: Rows, read: (ContentHash, _ limit: Int) throws(Failure) -> [UInt8]) throws(Failure) {
        (guide, time) = (rows.record.guide, rows.workflow.createdAt)
        let media = try PackedMedium.all(of: rows.record, read: read)
        let texts = PackageTexts(rows: rows, media: media)
        var entries = [
            Self.entry("answers.json", PackageTexts.visible(texts.answers.json)), Self.entry("guide.yaml", rows.guide),
        ]
        entries += media.map { medium in
            let content: Content =
                medium.isCopy ? .cut(medium.asset.hash, becomes: medium.hash) : .stored(medium.asset.hash)
            return Entry(name: medium.file, content: content, size: medium.size)
        }
        entries.append(Self.entry("annotations.json", PackageTexts.visible(texts.annotations)))
        entries.append(Self.entry("checks.json", PackageTexts.visible(texts.checks)))
        entries.append(Self.entry("provenance.json", PackageTexts.visible(texts.provenance)))
        if guide.export.hasReport { entries.append(Self.entry("report.html", GuideReport(texts).html)) }
        guard entries.count <= Limits.packageEntries, entries.reduce(0, { $0 + $1.size }) <= Limits.packageBytes else {
            throw Failure(
                .tooLarge,
                "The package is too large: at most \(FileSize.words(Limits.packageBytes)) in \(Limits.packageEntries) files.",
                remedy: "Give smaller pictures, or fewer.")
        }
        self.entries = entries
        uncut = media.compactMap { medium in medium.treatment.reason.map { (medium.file, $0) } }
        fileName = Self.fileName(
            guide.export.name.replacing("{date}", with: String(time.description.prefix(10))).replacing(
                "{id}", with: guide.id))
    }

    /// Returns a file name that is safe for all programs, with the right ending: it is no option, no home folder and no
    /// shell word.
    private static func fileName(_ wanted: String) -> String {
        let name = safeName(wanted).map { $0.isLetter || $0.isNumber || "-_.+ ()".contains($0) ? $0 : "_" }
        let stem = String(String(name).drop { "-. ~".contains($0) })
        let whole = stem.isEmpty || stem == "zip" ? "package" : stem
        return whole.lowercased().hasSuffix(".zip") ? whole : whole + ".zip"
    }

    private static func entry(_ name: String, _ text: String) -> Entry {
        let bytes = Array(text.utf8)
        return Entry(name: name, content: .bytes(bytes), size: bytes.count)
    }

    /// Returns the bytes of a file.
    ///
    /// - Throws: `contentDamaged` if a picture has changed, and errors of `read`.
    package func bytes(
        of entry: Entry, read: (ContentHash, _ limit: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8] {
        switch entry.content {
        case .bytes(let bytes): return bytes
        case .stored(let hash): return try read(hash, Limits.packageBytes)
        case .cut(let hash, let wanted):
            let copy = PictureCopy(
                of: try read(hash, Limits.packageBytes), metadata: guide.metadata, place: guide.place
            ).bytes
            guard ContentHash.of(copy) == wanted else {
                throw Failure(
                    .contentDamaged, "The content \(hash.hex.prefix(12)) is not what it was when it was stored.",
                    remedy: "Run 'assent doctor --thorough'.")
            }
            return copy
        }
    }

    /// Writes the package as a zip file. An existing file is not replaced.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the new file.
    ///   - store: the store that has the contents.
    ///   - read: the reader with which the package was made, if it was not the store's.
    /// - Returns: the size of the file, in bytes.
    package func write(
        to path: String, from store: AssetStore, read: ((ContentHash, Int) throws(Failure) -> [UInt8])? = nil
    ) throws(Failure) -> Int {
        var zip = try ZipWriter(in: parent(of: path), dated: time)
        for entry in entries {
            if case .stored(let hash) = entry.content {
                try zip.add(entry.name, hash, of: store)
            } else {
                try zip.add(entry.name, try bytes(of: entry, read: read ?? store.beginning(of:limit:)))
            }
        }
        return try zip.finish(as: path)
    }
}

extension Limits {
    /// The most files of a guide's package.
    fileprivate static let packageEntries = 10_000

    /// The most bytes of all files of a guide's package.
    fileprivate static let packageBytes = 2_000_000_000
}

extension AssetStore {
    /// Returns the first bytes of a content, at most `limit`.
    package func beginning(of hash: ContentHash, limit: Int) throws(Failure) -> [UInt8] {
        let file = try OpenFile(path(hash), O_RDONLY | O_NOFOLLOW)
        return try file.read(min(limit, Int(try file.status().st_size)))
    }
}

extension Toolbox {
    /// Makes a package and stores its zip file. It blocks.
    ///
    /// - Returns: the content, and the package, which has the file name from the guide.
    package func add(_ rows: GuidePackage.Rows) throws(Failure) -> (content: AssetStore.Content, package: GuidePackage)
    {
        try pictures.brief { folder throws(Failure) in
            let made =
                rows.record.guide.export.hasOriginals ? [:] : try pictures.smallerCopies(of: rows.record, in: folder)
            func read(_ hash: ContentHash, _ limit: Int) throws(Failure) -> [UInt8] {
                if let path = made[hash] { return try readWhole(path, limit: Limits.smallerCopyBytes) }
                return try store.beginning(of: hash, limit: limit)
            }
            let package = try GuidePackage(rows, read: read)
            let path = "\(folder.path)/package.zip"
            _ = try package.write(to: path, from: store, read: read)
            return (try store.add(file: path), package)
        }
    }
}
