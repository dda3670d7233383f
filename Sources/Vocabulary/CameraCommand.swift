/// The program that takes a photograph with a camera of this machine.
package enum CameraCommand {
    /// The words for the first camera of Linux. `{file}` is where the photograph is written.
    package static let usual = [
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-f", "v4l2", "-i", "/dev/video0", "-frames:v", "1", "-y",
        "{file}",
    ]

    /// Returns the words with the path of a file in place of `{file}`. No shell reads them.
    package static func words(_ command: [String], file: String) -> [String] {
        command.map { $0.replacing("{file}", with: file) }
    }
}
