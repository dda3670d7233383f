package import Files
import Glibc
import Pictures
import Sandbox
package import Vocabulary

/// The clipboard and the speech output of the user's desktop. Both are programs of the user's machine.
extension Toolbox {
    /// Stores the picture in the clipboard. It blocks for a moment.
    ///
    /// - Throws: `noClipboard` if there is no picture in it, or no desktop.
    package func clipboardPicture() throws(Failure) -> AssetStore.Content {
        let isWayland = getenv("WAYLAND_DISPLAY") != nil
        guard isWayland || getenv("DISPLAY") != nil else {
            throw Failure(
                .noClipboard, "There is no desktop here, so there is no clipboard.",
                remedy: "Name the file of the picture.")
        }
        let words =
            isWayland
            ? ["wl-paste", "-t", "image/png"] : ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"]
        let package = isWayland ? "wl-clipboard" : "xclip"
        guard Programs.find(words[0]) != nil else {
            throw Failure(
                .toolNotInstalled, "\(words[0]) is not installed, which reads the clipboard.",
                remedy: "apt-get install \(package)")
        }
        return try pictures.brief { folder throws(Failure) in
            var command = ProgramCommand(words, in: folder.path)
            command.view = .machine
            command.timeoutSeconds = Limits.clipboardSeconds
            command.logBytes = Limits.answerFileBytes
            let child = try Child.start(command, sandbox: sandbox, in: folder)
            guard child.wait(cancel: Cancellation()) == .exited(0) else { throw Self.noPictureInClipboard }
            let bytes = try child.traces.output(limit: Limits.answerFileBytes)
            guard !bytes.isEmpty else { throw Self.noPictureInClipboard }
            return try store.add(bytes)
        }
    }

    private static var noPictureInClipboard: Failure {
        Failure(.noClipboard, "There is no picture in the clipboard.", remedy: "Copy one, or name its file.")
    }

    /// Speaks a text by espeak-ng, if it is installed. It blocks until the text ends, or for `Limits.speechSeconds`.
    package func speak(_ text: String, cancel: Cancellation = Cancellation()) {
        guard Programs.find("espeak-ng") != nil else { return }
        let said = String(text.prefix(Limits.speechCharacters))
        _ = try? pictures.brief { folder throws(Failure) -> Bool in
            var command = ProgramCommand(["espeak-ng", "--", said], in: folder.path)
            command.view = .machine
            command.timeoutSeconds = Limits.speechSeconds
            let child = try Child.start(command, sandbox: sandbox, in: folder)
            return child.wait(cancel: cancel) == .exited(0)
        }
    }
}

extension Limits {
    /// How long reading a picture from the clipboard may take, in seconds.
    fileprivate static let clipboardSeconds = 5.0

    /// How long speaking a text may take, in seconds.
    fileprivate static let speechSeconds = 20.0

    /// The characters at the beginning of a text that are spoken.
    fileprivate static let speechCharacters = 300
}
