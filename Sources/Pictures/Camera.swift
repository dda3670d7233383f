package import Files
import Glibc
package import JSON
import Sandbox
package import Vocabulary

extension Limits {
    /// How long taking one photograph may take, in seconds.
    fileprivate static let cameraSeconds = 20.0

    /// The most bytes of a photograph.
    fileprivate static let photographBytes = 64 << 20
}

/// A photograph that a camera of this machine has taken.
package struct Photograph: Sendable {
    package let content: AssetStore.Content
    /// The name of the asset, such as `camera.jpg`.
    package let name: String
    /// The width and the height, if the first bytes contain them.
    package let meta: JSON.Object
}

extension PicturePrograms {
    /// Takes a photograph with the program of the settings, and stores it. Blocks for up to `Limits.cameraSeconds`.
    ///
    /// The program runs outside the sandbox, since it needs the device. The user chose it in the settings. No shell
    /// reads its words.
    ///
    /// - Parameters:
    ///   - command: the words, with `{file}` where the program writes the photograph.
    ///   - seconds: the time that the camera has.
    /// - Throws: `toolNotInstalled`, `noCamera`, `cameraBusy`, `cameraDenied`, `noFrame`, `cameraFailed` or
    ///   `cancelled`.
    package func photograph(
        _ command: [String], seconds: Double = Limits.cameraSeconds, cancel: Cancellation = Cancellation()
    ) throws(Failure) -> Photograph {
        guard let program = command.first, command.contains(where: { $0.contains("{file}") }) else {
            throw Failure(.badSettings, "The command of the camera has no {file}, where it writes the photograph.")
        }
        guard Programs.find(program) != nil else {
            throw Failure(
                .toolNotInstalled,
                "\(program.withSignsForControls) is not installed, which takes photographs with the camera.",
                remedy: program == "ffmpeg" ? "apt-get install ffmpeg" : "Look at camera.command in the settings.")
        }
        return try brief { folder throws(Failure) in
            let file = "\(folder.path)/camera.jpg"
            var words = ProgramCommand(CameraCommand.words(command, file: file), in: folder.path)
            words.view = .machine
            words.timeoutSeconds = seconds
            words.fileBytes = Limits.photographBytes
            let child = try Child.start(words, sandbox: sandbox, in: folder)
            let ending = child.wait(cancel: cancel)
            if let failure = Self.cameraFailure(ending, child.traces, program, seconds) { throw failure }
            guard let header = ImageHeader.read(file) else {
                throw Failure(
                    .noFrame, "The camera gave no picture.", remedy: "Look whether it works in another program.")
            }
            try PictureEnd.check(file, header.format, name: "The photograph")
            let content = try store.add(file: file, isCancelled: { cancel.isCancelled })
            return Photograph(
                content: content, name: "camera.\(header.format)", meta: header.meta(adding: JSON.Object()))
        }
    }

    /// Returns the failure of a camera, with a remedy, or `nil` if its program succeeded.
    private static func cameraFailure(
        _ ending: Child.Ending, _ traces: any Traces, _ program: String, _ seconds: Double
    ) -> Failure? {
        switch ending {
        case .exited(0): return nil
        case .timedOut:
            return Failure(
                .noFrame, "The camera gave no picture in \(Int(seconds)) seconds.",
                remedy: "Look whether it is switched on, and try again.", isTransient: true)
        case .cancelled: return Failure(.cancelled, "Cancelled.")
        case .exited, .wroteTooMuch, .filledDisk, .startedTooMany, .unknown: break
        }
        let errors = String(decoding: traces.heededErrors, as: UTF8.self)
        func says(_ codes: Int32...) -> Bool { codes.contains { errors.contains(String(cString: strerror($0))) } }
        if says(EBUSY) {
            return Failure(
                .cameraBusy, "Another program uses the camera.",
                isTransient: true)
        }
        if says(ENOENT, ENODEV, ENXIO, ENOTTY) {
            return Failure(
                .noCamera, "There is no camera\(traces.lastErrorLine.map { ": \($0)" } ?? ".")")
        }
        if says(EACCES, EPERM) {
            return Failure(
                .cameraDenied, "The camera may not be used\(traces.lastErrorLine.map { ": \($0)" } ?? ".")")
        }
        let why = traces.lastErrorLine.map { ": \($0)" } ?? "."
        return Failure(
            .cameraFailed, "\(program.withSignsForControls) took no photograph\(why)")
    }
}
