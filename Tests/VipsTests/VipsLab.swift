import Files
import Glibc
import Harness
import Synchronization
import Testing
import Vocabulary

@testable import Sandbox
@testable import Vips

/// A folder with pictures, and the process that computes them.
final class VipsLab: Sendable {
    let scratch: ScratchFolder
    let zygote: VipsZygote

    init(_ sandbox: Isolation = .here) throws {
        scratch = try ScratchFolder()
        zygote = VipsZygote.of(sandbox)
        try #require(zygote.fault == nil)
    }

    func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    /// Makes a picture of noise in several formats: `photo.jpg`, `photo.png` and so on.
    func makePictures(width: Int = 120, height: Int = 90, _ suffixes: [String] = suffixes) throws {
        let saved = suffixes.map { "vips copy s.v 'photo.\($0)' --interpretation srgb" }.joined(separator: " && ")
        try shell(
            "vips gaussnoise n.v \(width) \(height) --seed 7 --mean 128 --sigma 60 && vips bandjoin 'n.v n.v n.v' j.v"
                + " && vips cast j.v s.v uchar && \(saved) && vips extract_band s.v g.v 0"
                + " && vips bandjoin 's.v g.v' clear.png && vips copy g.v gray.png --interpretation b-w")
    }

    static let suffixes = ["jpg", "png", "gif", "tif", "webp", "avif"]

    func shell(_ line: String) throws {
        let program = try ProgramProcess(
            "/bin/sh", ["-c", line], environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], folder: scratch.path,
            files: scratch.path)
        let ending = program.wait()
        try #require(ending.exit == 0, "\(line): \(ending.errors)")
    }

    /// Computes a picture in a child.
    func run(_ job: VipsJob, cancel: Cancellation = Cancellation()) throws -> VipsRun {
        try #require(try VipsRun.of(job, in: RunFolder(scratch.path), on: zygote, cancel: cancel))
    }

    func bytes(_ name: String) throws -> [UInt8] { try readWhole(path(name), limit: 1 << 30) }
}
