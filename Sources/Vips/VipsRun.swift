import CVips
package import Files
import Glibc
package import Sandbox
package import Vocabulary

extension Limits {
    /// The milliseconds between two checks of a running job for its limits.
    fileprivate static let checkMilliseconds: Int32 = 100
}

/// A job that a child of the zygote computes.
package struct VipsRun {
    package let traces: TracePipes
    package let ending: Child.Ending

    /// Returns the failure that the ending means, or nil for success.
    package func failure(of job: VipsJob) -> Failure? {
        traces.failure(
            for: ending, of: "vips", seconds: job.seconds, processorSeconds: job.processorSeconds, isSandboxed: false)
    }

    /// Computes a job. Blocks until it is done, or was ended.
    ///
    /// - Parameters:
    ///   - folder: the folder of the files. A link in it is not followed, and a file that has the name of the one that is
    ///     made is replaced.
    ///   - placed: the paths of files that lie elsewhere, by their names in the job.
    /// - Returns: nil if no process can compute pictures here.
    /// - Throws: an error if a file cannot be opened.
    package static func of(
        _ job: VipsJob, in folder: RunFolder, placed: [String: String] = [:], on zygote: VipsZygote,
        cancel: Cancellation
    ) throws(Failure) -> VipsRun? {
        let files = job.plan.files.map { placed[$0] ?? "\(folder.path)/\($0)" }
        var output: String?
        if case .save(let file, _) = job.goal { output = "\(folder.path)/\(file)" }
        // A process may end just when it is asked.
        for _ in 0..<2 {
            guard let run = try once(job, files: files, output: output, on: zygote, cancel: cancel) else { return nil }
            if run.ending != .unknown, run.ending != .exited(VipsChild.notBegun) { return run }
        }
        return nil
    }

    private static func once(
        _ job: VipsJob, files: [String], output: String?, on zygote: VipsZygote, cancel: Cancellation
    ) throws(Failure) -> VipsRun? {
        let traces = TracePipes(limit: job.logBytes)
        guard try send(job, files, output, traces, to: zygote) else { return nil }
        return VipsRun(traces: traces, ending: wait(job, traces, cancel))
    }

    private static func send(
        _ job: VipsJob, _ files: [String], _ output: String?, _ traces: TracePipes, to zygote: VipsZygote
    ) throws(Failure) -> Bool {
        let ends = try traces.open(withRecord: true)
        var opened: [OpenSource] = []
        if let output {
            unlink(output)
            opened.append(try OpenSource(output, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW))
        }
        for file in files { opened.append(try OpenSource(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)) }
        let descriptors = [ends.output.descriptor, ends.errors.descriptor, ends.record.descriptor]
        return zygote.send(job.request, descriptors + opened.map { $0.file.descriptor })
    }

    /// A file that stays open until the request is sent.
    private final class OpenSource {
        let file: OpenFile
        init(_ path: String, _ flags: Int32) throws(Failure) { file = try OpenFile(path, flags, mode: 0o600) }
    }

    private static func wait(_ job: VipsJob, _ traces: TracePipes, _ cancel: Cancellation) -> Child.Ending {
        let deadline = runningMilliseconds() + Int64(job.seconds * 1000)
        // The code comes after the end of the child, so that all that it wrote has arrived then.
        while let record = traces.recordDescriptor, traces.exitCode == nil {
            var waits = ([record, cancel.descriptor] + traces.incoming).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&waits, nfds_t(waits.count), Limits.checkMilliseconds)
            traces.takeIn()
            let ending: Child.Ending? =
                cancel.isCancelled
                ? .cancelled
                : runningMilliseconds() >= deadline ? .timedOut : traces.size > job.logBytes ? .wroteTooMuch : nil
            if let ending, traces.exitCode == nil {
                // The child is ended when its record has no reader.
                traces.closeRecord()
                return ending
            }
        }
        traces.takeIn()
        return traces.size > job.logBytes ? .wroteTooMuch : traces.exitCode.map { .exited($0) } ?? .unknown
    }
}
