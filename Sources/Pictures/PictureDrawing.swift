package import Files
import Glibc
import Sandbox
import Vips
package import Vocabulary

extension Limits {
    /// The processor time of a program that makes a picture smaller or draws it, in seconds.
    fileprivate static let drawingProcessorSeconds = 3

    /// The memory of a program that draws a picture that was made smaller, in bytes. A program that reads the original
    /// picture has `pictureMemoryBytes`, which count addresses rather than memory in use.
    fileprivate static let drawingMemoryBytes = 200 << 20

    /// The least pixels on the longer side of a page of a PDF before it is made smaller.
    fileprivate static let pdfPagePixels = 1200
}

/// The functions that make pictures and pages small enough for a screen. Programs in the sandbox do this in a short
/// time, since the files may be hostile.
extension PicturePrograms {
    /// Makes a PNG of a picture, turned as its EXIF says, and reduced to fit. It is never enlarged. It blocks.
    ///
    /// - Parameters:
    ///   - path: a real path.
    ///   - format: the format by its first bytes, such as `jpg`.
    package func smallPNG(
        of path: String, format: String, width: Int, height: Int, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> [UInt8] {
        try brief { folder throws(Failure) in
            let input = "in-1.\(format)"
            let isInSRGB = ImageHeader.read(path)?.needsSRGB ?? false
            let files = PictureFiles(folder: folder, reading: [input: path])
            return try smallPNG(of: input, isInSRGB: isInSRGB, width, height, files, cancel)
        }
    }

    /// Makes a PNG of a page of a PDF. It blocks.
    ///
    /// - Parameter page: the number of the page, from 1.
    /// - Throws: `toolNotInstalled` if the programs of `poppler-utils` are missing.
    package func pagePNG(
        _ page: Int, of path: String, width: Int, height: Int, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> [UInt8] {
        try brief { folder throws(Failure) in
            guard symlink(path, "\(folder.path)/in-1.pdf") == 0 else { throw fileFailure("link", folder.path) }
            let side = "\(max(width, height, Limits.pdfPagePixels))"
            _ = try run(
                [
                    "pdftoppm", "-png", "-singlefile", "-f", "\(page)", "-l", "\(page)", "-scale-to", side, "in-1.pdf",
                    "page",
                ],
                of: "poppler-utils", reading: path, in: folder, memory: Limits.pictureMemoryBytes, cancel)
            return try smallPNG(
                of: "page.png", isInSRGB: false, width, height, PictureFiles(folder: folder), cancel)
        }
    }

    /// Returns the number of pages of a PDF, by its own list. It blocks.
    ///
    /// - Throws: `toolNotInstalled` if the programs of `poppler-utils` are missing, and `badPDF` if it has no pages.
    package func pages(of path: String, cancel: Cancellation = Cancellation()) throws(Failure) -> Int {
        try brief { folder throws(Failure) in
            guard symlink(path, "\(folder.path)/in-1.pdf") == 0 else { throw fileFailure("link", folder.path) }
            let told = try run(
                ["pdfinfo", "in-1.pdf"], of: "poppler-utils", reading: path, in: folder,
                memory: Limits.pictureMemoryBytes, cancel)
            let line = String(decoding: told, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Pages:") }
            guard let count = line.flatMap({ Int($0.dropFirst(6).drop { $0 == " " }) }), count > 0 else {
                throw Failure(.badPDF, "The PDF does not say how many pages it has.")
            }
            return count
        }
    }

    /// Draws a PNG by chafa. The output is not checked here. It blocks.
    ///
    /// - Parameters:
    ///   - isSixel: whether it is drawn in pixels instead of coloured characters.
    ///   - size: the cells to fill, or the pixels if `isSixel`.
    /// - Throws: `toolNotInstalled` if chafa is missing.
    package func drawn(
        _ png: [UInt8], isSixel: Bool, in size: (width: Int, height: Int), cancel: Cancellation = Cancellation()
    ) throws(Failure) -> [UInt8] {
        try brief { folder throws(Failure) in
            try OpenFile("\(folder.path)/in-1.png", O_WRONLY | O_CREAT | O_EXCL).write(png)
            // For pixels, chafa treats a cell as a square of eight.
            let (width, height) = isSixel ? (max(1, size.width / 8), max(1, size.height / 8)) : size
            let form = isSixel ? ["sixels", "--font-ratio", "1"] : ["symbols", "--colors", "256"]
            return try run(
                ["chafa", "--threads", "1", "--animate", "off", "--size", "\(width)x\(height)", "--format"] + form + [
                    "in-1.png"
                ],
                of: "chafa", reading: nil, in: folder, memory: Limits.drawingMemoryBytes, cancel)
        }
    }

    // MARK: Programs

    /// The programs for viewing that are not installed, with their purposes and Debian packages.
    package static var missingForViewing: [(name: String, what: String, package: String)] {
        [("chafa", "drawing pictures with characters", "chafa"), ("pdftoppm", "looking at a PDF", "poppler-utils")]
            .filter { Programs.find($0.0) == nil }
    }

    private func smallPNG(
        of input: String, isInSRGB: Bool, _ width: Int, _ height: Int, _ files: PictureFiles, _ cancel: Cancellation
    ) throws(Failure) -> [UInt8] {
        let small = VipsImage.file(input).thumbnail(width: width, height: height, .down, isInSRGB: isInSRGB)
        try draw(small, "[strip]", files, cancel)
        let out = "\(files.folder.path)/out.png"
        guard Keepsake(out) != nil, ImageHeader.read(out)?.format == "png" else {
            throw Failure(.outputMissing, "libvips ended well but left no picture.")
        }
        return try readWhole(out, limit: Limits.drawnBytes)
    }

    /// Has a picture computed for a screen, as `out.png` of the folder.
    func draw(_ image: VipsImage, _ options: String, _ files: PictureFiles, _ cancel: Cancellation) throws(Failure) {
        let job = VipsJob(
            image, .save(file: "out.png", options: options), seconds: Limits.drawingSeconds,
            processorSeconds: Limits.drawingProcessorSeconds)
        if let failure = try compute(job, files, cancel).failure { throw failure }
    }

    package func brief<Result>(_ body: (RunFolder) throws(Failure) -> Result) throws(Failure) -> Result {
        let folder = RunFolder("\(temporaryFolder)/assent-view-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        defer { removeFolder(folder.path) }
        try makeFolders(folder.path)
        return try body(folder)
    }

    /// Runs a program to its end, and returns its output.
    func run(
        _ words: [String], of package: String, reading path: String?, in folder: RunFolder, memory: Int,
        _ cancel: Cancellation
    ) throws(Failure) -> [UInt8] {
        let ran = try brought(
            words, of: package, reading: [path].compactMap(\.self), in: folder, seconds: Limits.drawingSeconds,
            processorSeconds: Limits.drawingProcessorSeconds, memory: memory, cancel)
        if let failure = ran.failure { throw failure }
        return try ran.traces.output(limit: Limits.drawnBytes)
    }

    /// Runs a program to its end, and returns how it ended. Besides the system, it sees only its folder and some files.
    ///
    /// - Parameter processorSeconds: the most processor time, or 0 for no limit.
    /// - Throws: `toolNotInstalled` with the Debian package, or an error if the program could not be started.
    func brought(
        _ words: [String], of package: String, reading paths: [String] = [], in folder: RunFolder, seconds: Double,
        processorSeconds: Int = 0, memory: Int, fileBytes: Int = Limits.drawnBytes,
        logBytes: Int = Limits.drawnBytes, _ cancel: Cancellation
    ) throws(Failure) -> (traces: any Traces, ending: Child.Ending, failure: Failure?) {
        guard Programs.find(words[0]) != nil else {
            throw Failure(
                .toolNotInstalled, "\(words[0]) is not installed, which is needed for this.",
                remedy: "apt-get install \(package)")
        }
        var command = ProgramCommand(words, in: folder.path)
        command.readable = paths
        command.timeoutSeconds = seconds
        command.processorSeconds = processorSeconds
        command.memoryBytes = memory
        command.fileBytes = fileBytes
        command.logBytes = logBytes
        let child = try Child.start(command, sandbox: sandbox, in: folder)
        let ending = child.wait(cancel: cancel)
        let failure = child.traces.failure(
            for: ending, of: words[0], seconds: seconds, processorSeconds: processorSeconds,
            isSandboxed: sandbox.writesRecord(for: command))
        return (child.traces, ending, failure)
    }
}
