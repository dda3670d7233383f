package import Files
import Glibc
package import Sandbox
import Vips
import Vocabulary

/// The functions that measure, draw, shrink and take pictures. Programs in the sandbox do the work, since pictures may
/// be hostile.
package struct PicturePrograms: Sendable {
    package let store: AssetStore
    package let sandbox: Isolation

    package init(store: AssetStore, sandbox: Isolation) {
        self.store = store
        self.sandbox = sandbox
    }
}

/// The way in which pictures are computed on this machine.
package enum VipsState {
    /// A process has libvips open, of this version.
    case ready(version: String)
    /// The programs of libvips do it, for a reason.
    case programs(String)
    case missing
}

extension PicturePrograms {
    /// Finds out how pictures are computed, by starting the process. It blocks.
    package static func vips(in sandbox: Isolation) -> VipsState {
        let zygote = VipsZygote.of(sandbox)
        guard let fault = zygote.fault else { return .ready(version: zygote.version) }
        return Programs.find("vips") == nil ? .missing : .programs(fault)
    }
}

/// The files of a job of libvips, and the limits that all jobs of this module share.
struct PictureFiles {
    /// The folder in which the job makes its file.
    let folder: RunFolder
    /// The real paths of the files that are read and do not lie in the folder, by the names under which the job has
    /// them.
    var reading: [String: String] = [:]
}

extension PicturePrograms {
    /// Has libvips compute a picture: in a child of the process that has libvips open, or else by its programs, a
    /// command for each part.
    ///
    /// - Returns: how it ended. A job that failed has a failure.
    /// - Throws: `toolNotInstalled`, or an error if a file cannot be opened or nothing could be started.
    func compute(_ job: VipsJob, _ files: PictureFiles, _ cancel: Cancellation) throws(Failure) -> (
        traces: any Traces, failure: Failure?
    ) {
        let folder = files.folder
        let zygote = VipsZygote.of(sandbox)
        if let run = try VipsRun.of(job, in: folder, placed: files.reading, on: zygote, cancel: cancel) {
            return (run.traces, run.failure(of: job))
        }
        for (name, path) in files.reading {
            unlink("\(folder.path)/\(name)")
            guard symlink(path, "\(folder.path)/\(name)") == 0 else { throw fileFailure("link", folder.path) }
        }
        var last: (traces: any Traces, failure: Failure?)?
        for words in try job.commands(in: folder) {
            let ran = try brought(
                words, of: "libvips-tools", reading: Array(files.reading.values), in: folder, seconds: job.seconds,
                processorSeconds: job.processorSeconds, memory: job.memoryBytes, fileBytes: job.fileBytes,
                logBytes: job.logBytes, cancel)
            last = (ran.traces, ran.failure)
            if ran.failure != nil { break }
        }
        guard let last else { throw Failure(.processFailed, "There is nothing to compute.") }
        return last
    }
}

extension VipsJob {
    /// Creates a job with the limits of a picture that is looked at. One thread computes it.
    init(
        _ image: VipsImage, _ goal: Goal, seconds: Double, processorSeconds: Int = 0, fileBytes: Int = Limits.drawnBytes
    ) {
        self.init(image, goal)
        self.seconds = seconds
        self.processorSeconds = processorSeconds
        self.fileBytes = fileBytes
        memoryBytes = Limits.pictureMemoryBytes
        logBytes = Limits.drawnBytes
        threads = 1
    }
}
