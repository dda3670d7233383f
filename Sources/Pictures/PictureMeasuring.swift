package import Files
import Glibc
import Sandbox
import Vips
package import Vocabulary

extension Limits {
    /// The longer side of the small copy by which a picture is measured, in pixels.
    fileprivate static let measuredSide = 512

    /// The most bytes of the small copy by which a picture is measured.
    fileprivate static let measuredBytes = 512 << 10

    /// The processor time for making a small copy, in seconds, by which a picture is measured or in which codes are
    /// looked for.
    fileprivate static let measuringProcessorSeconds = 10

    /// The processor time for looking for codes in one copy, in seconds.
    fileprivate static let codeProcessorSeconds = 20

    /// How long either may take, in seconds. On a busy machine it takes many times its processor time.
    fileprivate static let measuringSeconds = 60.0

    /// The longer sides of the copies in which codes are looked for, in pixels. They are tried in turn.
    fileprivate static let codeSides = [1600, 4096]

    /// The most bytes of a copy in which codes are looked for.
    fileprivate static let codePictureBytes = 20 << 20

    /// The most codes of a picture that are returned.
    fileprivate static let codes = 50
}

/// Figures and codes of stored pictures. Programs in the sandbox decode a picture and make it small and gray. All else
/// happens here.
extension PicturePrograms {
    /// Measures a stored picture, upright. Blocks for some 0.1 s, so that it belongs on a worker.
    ///
    /// - Parameters:
    ///   - name: the name of the user's file, for the words of a failure.
    ///   - errors: the rules of the picture tools for standard error.
    /// - Throws: `notAPicture`, `fileDamaged` or `tooLarge`, or the failure of the program.
    package func figures(
        of hash: ContentHash, named name: String, errors: ErrorRules, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> PictureFigures {
        try brief { folder throws(Failure) in
            let source = try GraySource(store.path(hash), named: name, errors: errors)
            let gray = try gray(of: source, side: Limits.measuredSide, limit: Limits.measuredBytes, in: folder, cancel)
            // A header may not say how the picture is turned. The small picture is upright.
            var (width, height) = try size(of: source, in: folder, cancel)
            if (width > height) != (gray.width > gray.height), width != height, gray.width != gray.height {
                swap(&width, &height)
            }
            return PictureFigures(
                gray: gray.pixels, width: gray.width, height: gray.height, originalWidth: width, originalHeight: height)
        }
    }

    /// Reads the codes in a stored picture: QR codes and bars. Blocks for some 0.2 s, so that it belongs on a worker.
    ///
    /// - Parameters:
    ///   - name: the name of the user's file, for the words of a failure.
    ///   - errors: the rules of the picture tools for standard error.
    /// - Returns: the text of each code, as the stranger wrote it who made the code. It may hold control characters.
    /// - Throws: `noCode` if there is none, `notAPicture`, `fileDamaged` or `tooLarge`, or the failure of a program.
    package func codes(
        of hash: ContentHash, named name: String, errors: ErrorRules, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> [String] {
        try brief { folder throws(Failure) in
            let source = try GraySource(store.path(hash), named: name, errors: errors)
            for side in Limits.codeSides {
                let gray = try gray(of: source, side: side, limit: Limits.codePictureBytes, in: folder, cancel)
                let codes = try codes(in: folder, cancel)
                guard codes.isEmpty else { return codes }
                // The picture was not made smaller, so a larger one is the same.
                if max(gray.width, gray.height) < side { break }
            }
            throw Failure(
                .noCode, "No code was found in \(source.name).")
        }
    }

    // MARK: Programs

    /// Makes a picture small, upright and gray. The file is `gray.pgm` of the folder.
    private func gray(
        of source: GraySource, side: Int, limit: Int, in folder: RunFolder, _ cancel: Cancellation
    ) throws(Failure) -> (pixels: [UInt8], width: Int, height: Int) {
        let out = "\(folder.path)/gray.pgm"
        let job = VipsJob(
            VipsImage.file(source.input).thumbnail(width: side, height: side, .down),
            .save(file: "gray.pgm", options: "[strip]"), seconds: Limits.measuringSeconds,
            processorSeconds: Limits.measuringProcessorSeconds, fileBytes: limit)
        let ran = try compute(job, source.files(in: folder), cancel)
        if let sentence = source.errors.sentence(for: String(decoding: ran.traces.heededErrors, as: UTF8.self)) {
            throw ErrorRules.failure(sentence, file: source.name)
        }
        if let failure = ran.failure { throw failure.code == .processFailed ? .notAPicture(source.name) : failure }
        guard Keepsake(out) != nil, let gray = Self.portableGray(try readWhole(out, limit: limit)),
            max(gray.width, gray.height) <= side
        else { throw Failure(.outputMissing, "libvips ended well but left no picture.") }
        return gray
    }

    /// Returns the size of a picture as its first bytes say, or else as libvips says.
    func size(of source: GraySource, in folder: RunFolder, _ cancel: Cancellation) throws(Failure) -> (Int, Int) {
        if let width = source.header.width, let height = source.header.height {
            return source.header.orientation >= 5 ? (height, width) : (width, height)
        }
        let job = VipsJob(
            .file(source.input), .fields, seconds: Limits.measuringSeconds,
            processorSeconds: Limits.measuringProcessorSeconds)
        let ran = try compute(job, source.files(in: folder), cancel)
        if let failure = ran.failure { throw failure }
        let fields = headerFields(try ran.traces.output(limit: Limits.drawnBytes))
        guard let width = fields["width"].flatMap({ Int($0) }), let height = fields["height"].flatMap({ Int($0) })
        else {
            throw .notAPicture(source.name)
        }
        return (width, height)
    }

    /// Reads a PGM of 8 bits, of which the comments are skipped.
    static func portableGray(_ bytes: [UInt8]) -> (pixels: [UInt8], width: Int, height: Int)? {
        guard bytes.starts(with: Array("P5".utf8)) else { return nil }
        var (place, numbers) = (2, [Int]())
        while numbers.count < 3 {
            guard place < bytes.count, place < Limits.errorTailBytes else { return nil }
            switch bytes[place] {
            case UInt8(ascii: "#"): while place < bytes.count, bytes[place] != 10 { place += 1 }
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digits = bytes[place...].prefix(6).prefix { (48...57).contains($0) }
                numbers.append(Int(String(decoding: digits, as: UTF8.self)) ?? 0)
                place += digits.count
            case 9, 10, 13, 32: place += 1
            default: return nil
            }
        }
        let (width, height) = (numbers[0], numbers[1])
        let pixels = bytes.dropFirst(place + 1)
        guard numbers[2] == 255, width > 0, height > 0, pixels.count == width * height else { return nil }
        return (Array(pixels), width, height)
    }

    /// Has zbarimg look for codes in `gray.pgm`.
    private func codes(in folder: RunFolder, _ cancel: Cancellation) throws(Failure) -> [String] {
        func look(_ options: [String]) throws(Failure) -> [UInt8] {
            let ran = try brought(
                ["zbarimg", "--quiet", "--nodbus"] + options + ["PGM:gray.pgm"], of: "zbar-tools", in: folder,
                seconds: Limits.measuringSeconds, processorSeconds: Limits.codeProcessorSeconds,
                memory: Limits.pictureMemoryBytes, cancel)
            // It ends with 4 if there is no code.
            if ran.ending == .exited(4) { return [] }
            if let failure = ran.failure { throw failure }
            return try ran.traces.output(limit: Limits.drawnBytes)
        }
        // The list tells codes apart, but guesses the encoding of their texts. Of a single code the bytes can be had.
        let listed = Self.listedCodes(String(decoding: try look(["--xml"]), as: UTF8.self))
        let certain = listed.compactMap(\.self)
        guard listed.count == 1, certain.first?.utf8.allSatisfy({ $0 < 0x80 }) != true else { return certain }
        let bytes = try look(["--raw", "-Sbinary"])
        return String(validating: bytes, as: UTF8.self).map { [$0] } ?? certain
    }

    /// Returns the texts in the XML that zbarimg writes, with `nil` for a code whose text zbarimg cannot write there.
    static func listedCodes(_ xml: String) -> [String?] {
        let (start, end) = ("<![CDATA[", "]]></data>")
        return xml.split(separator: "<symbol ", omittingEmptySubsequences: false).dropFirst().prefix(Limits.codes).map {
            symbol in
            guard let from = symbol.ranges(of: start).first?.upperBound,
                let to = symbol[from...].ranges(of: end).first?.lowerBound,
                !symbol[..<from].contains("format='base64'")
            else { return nil }
            return String(symbol[from..<to])
        }
    }

    /// The programs of guides that are installed, and those that are missing, with their use and their Debian packages.
    package static var programsOfGuides: [(name: String, use: String, package: String, isThere: Bool)] {
        [
            ("ffmpeg", "photographs with a camera", "ffmpeg"), ("zbarimg", "reading codes", "zbar-tools"),
            ("espeak-ng", "spoken instructions", "espeak-ng"),
        ].map { ($0.0, $0.1, $0.2, Programs.find($0.0) != nil) }
    }
}

/// A stored picture that is to be made gray. It was checked as far as is possible without decoding it.
struct GraySource {
    let path: String
    /// The name of the user's file, with signs for control characters.
    let name: String
    let header: ImageHeader
    let errors: ErrorRules
    /// The name of the picture in the folder of the program.
    var input: String { "in-1.\(header.format)" }

    func files(in folder: RunFolder) -> PictureFiles { PictureFiles(folder: folder, reading: [input: path]) }

    /// Looks at the first bytes and the end of a file.
    ///
    /// - Throws: `pinnedInputMissing`, `notAPicture`, `fileDamaged`, or `tooLarge`.
    init(_ path: String, named name: String, errors: ErrorRules) throws(Failure) {
        (self.path, self.name, self.errors) = (path, name.withSignsForControls, errors)
        guard access(path, R_OK) == 0 else {
            throw Failure(
                .pinnedInputMissing, "The content of \(self.name) is gone.", remedy: "Give the picture again.")
        }
        guard let header = ImageHeader.read(path) else { throw .notAPicture(self.name) }
        self.header = header
        try PictureEnd.check(path, header.format, name: name)
        let (width, height) = (header.width ?? 0, header.height ?? 0)
        guard max(width, height) <= Limits.pictureSide, width * height <= Limits.resizedPixels else {
            throw Failure(
                .tooLarge,
                "\(self.name) has \(width)×\(height) pixels, and at most \(Limits.resizedPixels / 1_000_000) million are read.",
                remedy: "Give a smaller picture.")
        }
    }
}
