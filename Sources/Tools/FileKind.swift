import Files
import JSON
import Pictures
import Vocabulary

/// The kind of a file by its first bytes, for files that are no text with lines.
enum FileKind {
    /// The bytes from which it is recognized. Most headers of pictures end within them.
    static let headBytes = 1 << 18

    /// The beginnings of files by which programs recognize them, each with its place.
    private static let beginnings: [(place: Int, bytes: [UInt8], name: String)] = [
        (0, [0x7F] + Array("ELF".utf8), "a program (ELF)"), (0, Array("PK\u{3}\u{4}".utf8), "a zip archive"),
        (0, [0x1F, 0x8B], "gzip data"), (0, Array("BZh".utf8), "bzip2 data"),
        (0, [0xFD] + Array("7zXZ".utf8), "xz data"), (0, [0x28, 0xB5, 0x2F, 0xFD], "zstd data"),
        (0, Array("7z".utf8) + [0xBC, 0xAF], "a 7z archive"), (257, Array("ustar".utf8), "a tar archive"),
        (0, Array("SQLite format 3".utf8), "a database (SQLite)"), (0, Array("\0asm".utf8), "a program (WebAssembly)"),
        (0, [0xCA, 0xFE, 0xBA, 0xBE], "a program (Java class)"), (0, Array("OggS".utf8), "sound or film (Ogg)"),
        (0, Array("ID3".utf8), "sound (MP3)"), (0, Array("fLaC".utf8), "sound (FLAC)"),
        (8, Array("WAVE".utf8), "sound (WAV)"), (4, Array("ftyp".utf8), "sound or film (MP4)"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "film (Matroska)"), (0, Array("wOF2".utf8), "a font (WOFF2)"),
        (0, Array("\0\u{1}\0\0".utf8), "a font (TrueType)"),
    ]

    private static let pictures = [
        "jpg": "JPEG", "png": "PNG", "webp": "WebP", "tiff": "TIFF", "gif": "GIF", "avif": "AVIF", "heic": "HEIC",
    ]

    /// Returns what a file is that is no text, or `nil` if its first bytes are no known ones.
    static func name(of head: [UInt8]) -> String? {
        beginnings.first { head.dropFirst($0.place).starts(with: $0.bytes) }?.name
    }

    /// Returns words for a picture or a PDF, such as `PNG picture · 640×480 · 12 KB`, or `nil` for other files.
    ///
    /// - Parameters:
    ///   - head: the first `headBytes` of the file, or all of a shorter one.
    ///   - size: the bytes of the whole file.
    static func words(of head: [UInt8], size: Int) -> String? {
        if head.starts(with: Array("%PDF-".utf8)) {
            let pages = pages(ofPDF: head, size: size).map { "\($0) page\($0 == 1 ? "" : "s") · " }
            return "PDF · \(pages ?? "")\(FileSize.words(size))"
        }
        // A text can begin with the letters of a format, and the header of a picture has small numbers behind them.
        guard let header = ImageHeader(head), head.prefix(64).contains(0) else {
            return nil
        }
        let meta = header.meta(adding: JSON.Object())
        let sides = meta["width"]?.int.flatMap { width in meta["height"]?.int.map { "\(width)×\($0) · " } }
        return "\(pictures[header.format] ?? header.format) picture · \(sides ?? "")\(FileSize.words(size))"
    }

    /// Returns the number of pages that a PDF says at its beginning, if it was written for the web and not changed
    /// since (ISO 32000-1, F.3.3), or `nil` if only its whole structure says it.
    private static func pages(ofPDF head: [UInt8], size: Int) -> Int? {
        let words = head.prefix(1 << 10).split { " \t\r\n<>[]/".utf8.contains($0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        guard let start = words.firstIndex(of: "Linearized") else { return nil }
        func number(_ key: String) -> Int? {
            words[start...].firstIndex(of: key).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
        }
        guard number("L") == size, let pages = number("N"), pages > 0 else { return nil }
        return pages
    }
}
