package import Files
import Glibc
import Sandbox
import Vips
package import Vocabulary

extension Limits {
    /// The most bytes of a file that a program writes on the way to a picture for a model.
    fileprivate static let seenDraftBytes = 40 << 20
}

/// A picture that a language model sees: small, upright, and without any metadata.
package struct SeenPicture: Hashable, Sendable {
    package var picture: ChatPicture
    /// The format of the original, such as `jpeg`, or `pdf`.
    package var format: String
    /// The size of the original in pixels, upright, or that of the picture for a page.
    package var width: Int
    package var height: Int
    /// The number of pages of a PDF, or 1.
    package var pages = 1
}

extension PicturePrograms {
    /// Makes a picture for a language model: upright, in sRGB, with at most `Limits.seenSide` pixels on its longer side
    /// and at most `Limits.seenBytes` bytes. Nothing but pixels is left of the file. Blocks for some 0.3 s, so that it
    /// belongs on a worker.
    ///
    /// - Parameters:
    ///   - path: a real path of a copy that does not change meanwhile.
    ///   - name: the name of the user's file, for the model and for failures.
    ///   - errors: the rules of the picture tools for standard error.
    /// - Throws: `notAPicture`, `fileDamaged` or `tooLarge`, or the failure of the program.
    package func seen(
        _ path: String, named name: String, errors: ErrorRules, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> SeenPicture {
        try brief { folder throws(Failure) in
            let source = try GraySource(path, named: name, errors: errors)
            let draft = SeenDraft(
                input: source.input, files: PictureFiles(folder: folder, reading: [source.input: path]),
                name: source.name,
                isExact: ["png", "gif"].contains(source.header.format),
                hasAlpha: source.header.colors?.hasAlpha ?? false, isInSRGB: source.header.needsSRGB,
                errors: errors)
            let picture = try picture(of: draft, cancel)
            var (width, height) = try size(of: source, in: folder, cancel)
            // A header may not say how the picture is turned.
            if (width > height) != (picture.width > picture.height), width != height, picture.width != picture.height {
                swap(&width, &height)
            }
            let format = source.header.format == "jpg" ? "jpeg" : source.header.format
            return SeenPicture(picture: picture, format: format, width: width, height: height)
        }
    }

    /// Makes a picture of a page of a PDF, as `seen(_:named:errors:cancel:)` does of a picture.
    ///
    /// - Parameter page: the number of the page, from 1.
    /// - Throws: `badParam` if the PDF has no such page, `toolNotInstalled` if the programs of `poppler-utils` are
    ///   missing, or `badPDF`.
    package func seenPage(
        _ page: Int, of path: String, named name: String, errors: ErrorRules, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> SeenPicture {
        let name = name.withSignsForControls
        let pages: Int
        do throws(Failure) { pages = try self.pages(of: path, cancel: cancel) } catch {
            throw error.code == .processFailed ? Self.unreadable(name) : error
        }
        guard page <= pages else {
            throw Failure(
                .badParam, "\(name) has \(pages) page\(pages == 1 ? "" : "s"), so it has no page \(page).",
                remedy: pages == 1 ? "Read page=1." : "Read a page between 1 and \(pages).")
        }
        return try brief { folder throws(Failure) in
            guard symlink(path, "\(folder.path)/in-1.pdf") == 0 else { throw fileFailure("link", folder.path) }
            let words = [
                "pdftoppm", "-png", "-singlefile", "-f", "\(page)", "-l", "\(page)", "-scale-to", "\(Limits.seenSide)",
                "in-1.pdf", "page",
            ]
            let ran = try brought(
                words, of: "poppler-utils", reading: [path], in: folder, seconds: Limits.pictureSeconds,
                processorSeconds: Limits.pictureProcessorSeconds, memory: Limits.pictureMemoryBytes,
                fileBytes: Limits.seenDraftBytes, cancel)
            if let failure = ran.failure {
                throw failure.code == .processFailed ? Self.unreadable(name) : failure
            }
            guard Keepsake("\(folder.path)/page.png") != nil else {
                throw Failure(.outputMissing, "pdftoppm ended well but left no picture.")
            }
            let draft = SeenDraft(
                input: "page.png", files: PictureFiles(folder: folder), name: name, isExact: true, errors: errors)
            let picture = try picture(of: draft, cancel)
            return SeenPicture(
                picture: picture, format: "pdf", width: picture.width, height: picture.height, pages: pages)
        }
    }

    private static func unreadable(_ name: String) -> Failure {
        Failure(
            .notAPicture, "\(name) cannot be read as a picture: it is damaged, locked, or of a kind that is not known.",
            remedy: "Ask the person what it shows.")
    }

    // MARK: Programs

    /// Returns the ways to make a picture. The first one counts whose picture is small enough.
    private static func ways(_ draft: SeenDraft) -> [(format: ImageFormat, side: Int, options: String)] {
        let exact = (ImageFormat.png, Limits.seenSide, "[compression=7,bitdepth=8,strip]")
        let coded = [(Limits.seenSide, 85), (Limits.seenSide, 70), (1024, 70), (640, 60)].map { side, quality in
            (ImageFormat.jpg, side, ImageFormat.jpg.saveOptions(quality: quality, stripping: true))
        }
        return (draft.isExact || draft.hasAlpha ? [exact] : []) + coded
    }

    private func picture(of draft: SeenDraft, _ cancel: Cancellation) throws(Failure) -> ChatPicture {
        for (number, way) in Self.ways(draft).enumerated() {
            let file = "out-\(number).\(way.format.rawValue)"
            let out = "\(draft.files.folder.path)/\(file)"
            let small = VipsImage.file(draft.input).thumbnail(
                width: way.side, height: way.side, .down, isInSRGB: draft.isInSRGB)
            let job = VipsJob(
                small, .save(file: file, options: way.options), seconds: Limits.pictureSeconds,
                processorSeconds: Limits.pictureProcessorSeconds, fileBytes: Limits.seenDraftBytes)
            let ran = try compute(job, draft.files, cancel)
            if let sentence = draft.errors.sentence(for: String(decoding: ran.traces.heededErrors, as: UTF8.self)) {
                throw ErrorRules.failure(sentence, file: draft.name)
            }
            if let failure = ran.failure {
                throw failure.code == .processFailed ? Self.unreadable(draft.name) : failure
            }
            guard Keepsake(out) != nil else {
                throw Failure(.outputMissing, "libvips ended well but left no picture.")
            }
            let bytes = try Self.pixels(of: try readWhole(out, limit: Limits.seenDraftBytes), way.format)
            unlink(out)
            guard bytes.count <= Limits.seenBytes else { continue }
            guard let header = ImageHeader(bytes), let width = header.width, let height = header.height,
                width > 0, height > 0, max(width, height) <= way.side
            else { throw Failure(.outputMissing, "libvips ended well but left another picture.") }
            return ChatPicture(
                name: draft.name, mime: way.format == .jpg ? "image/jpeg" : "image/png", width: width, height: height,
                bytes: bytes)
        }
        throw Failure(
            .tooLarge, "\(draft.name) cannot be made smaller than \(Limits.seenBytes / 1_000_000) MB.",
            remedy: "Crop it first.")
    }

    /// Returns the file without anything but pixels. Its parts are read here, since a program that was taken over by a
    /// hostile picture could have written others.
    private static func pixels(of bytes: [UInt8], _ format: ImageFormat) throws(Failure) -> [UInt8] {
        do throws(PictureFault) {
            return try format == .jpg ? JPEGFile(bytes).pixels() : PNGFile(bytes).pixels()
        } catch {
            throw Failure(.outputMissing, "libvips left no picture that can be read: \(error.words).")
        }
    }
}

/// A file of which a picture for a model is made.
struct SeenDraft {
    /// The name of the file.
    var input: String
    var files: PictureFiles
    /// The name of the user's file, with signs for control characters.
    var name: String
    /// Whether its pixels are kept as they are, if they are few enough, as lines and letters need.
    var isExact: Bool
    var hasAlpha = false
    var isInSRGB = false
    var errors: ErrorRules
}
