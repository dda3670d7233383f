import Files
package import Sandbox
package import Vips
package import Vocabulary

/// The functions that have libvips compute a picture for a step: in a child of the process that has libvips open, or
/// else by its programs, a command for each part.
extension Workbench {
    /// Writes a picture to a file of the work folder.
    ///
    /// - Parameter options: how libvips saves it, such as `[Q=92]`.
    /// - Throws: `processFailed`, `fileDamaged`, `timedOut`, `outputLimit`, `cancelled`, `toolNotInstalled`.
    package func save(_ image: VipsImage, as file: String, options: String = "") throws(Failure) {
        try compute(VipsJob(image, .save(file: file, options: options)))
    }

    /// Reads all pixels, so that damage shows. Throws as `save(_:as:options:)`.
    package func read(_ image: VipsImage) throws(Failure) { try compute(VipsJob(image, .read)) }

    /// Reads all pixels of the one of two pictures that is computed with another one then. Damage that is found later
    /// then names the other one.
    package func readAlone(_ image: VipsImage) throws(Failure) {
        try read(image)
        for file in VipsPlan(image).files { complaints.unname(file) }
    }

    /// Returns the fields of the header, as `vipsheader -a` prints them: width, height, bands, interpretation and
    /// others.
    package func fields(of image: VipsImage) throws(Failure) -> [String: String] {
        let traces = try compute(VipsJob(image, .fields))
        var fields = headerFields(try traces.output(limit: Limits.programLogBytes))
        // The same loader has a name of its own for each way to read.
        for way in ["_source", "_buffer"] {
            fields["vips-loader"] = fields["vips-loader"].map {
                $0.hasSuffix(way) ? String($0.dropLast(way.count)) : $0
            }
        }
        return fields
    }

    @discardableResult
    private func compute(_ job: VipsJob) throws(Failure) -> any Traces {
        if cancel.isCancelled { throw Failure(.cancelled, "Cancelled.") }
        let zygote = VipsZygote.of(sandbox)
        if let run = try VipsRun.of(job, in: folder, placed: placed, on: zygote, cancel: cancel) {
            let words = ["vips"] + job.plan.files
            let failure = complaints.heed(run.traces, of: words, run.failure(of: job), isKept: false)
            if let failure { throw failure }
            return run.traces
        }
        var last: (any Traces)?
        for words in try job.commands(in: folder) { last = try run(words) }
        guard let last else { throw Failure(.processFailed, "There is nothing to compute.") }
        return last
    }
}

/// Reads lines such as `width: 640`, of which the first with a name counts.
func headerFields(_ bytes: [UInt8]) -> [String: String] {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let pairs = lines.compactMap { line -> (String, String)? in
        guard let colon = line.ranges(of: ": ").first else { return nil }
        return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
    }
    return Dictionary(pairs) { first, _ in first }
}
