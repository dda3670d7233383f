import Files
import Glibc
import JSON
import Sandbox
package import Vocabulary

extension Limits {
    /// The processor time for drawing a picture in plain characters, in seconds.
    fileprivate static let sketchProcessorSeconds = 5

    /// The most bytes of a picture that is drawn in plain characters.
    fileprivate static let sketchBytes = 64 << 10
}

extension PicturePrograms {
    /// Draws a picture in characters without colours, by chafa. It blocks for a moment.
    ///
    /// - Returns: the lines, or an empty list if chafa is not installed or fails.
    package func sketch(_ hash: ContentHash, columns: Int, rows: Int) -> [String] {
        let path = store.path(hash)
        let form = ["--format", "symbols", "--colors", "none", "--size", "\(columns)x\(rows)"]
        do throws(Failure) {
            return try brief { folder throws(Failure) in
                let ran = try brought(
                    ["chafa"] + form + [path], of: "chafa", reading: [path], in: folder,
                    seconds: Limits.drawingSeconds, processorSeconds: Limits.sketchProcessorSeconds,
                    memory: Limits.programMemoryBytes, logBytes: Limits.sketchBytes, Cancellation())
                if let failure = ran.failure { throw failure }
                let text = String(decoding: try ran.traces.output(limit: Limits.sketchBytes), as: UTF8.self)
                return text.split(separator: "\n").prefix(rows).map { String($0) }
            }
        } catch {
            return []
        }
    }
}

extension AssetStore {
    /// Returns the width and height of a picture as it is displayed, or `nil` if the content is not a picture or has no
    /// size.
    package func pictureSize(_ hash: ContentHash) -> (width: Int, height: Int)? {
        guard let meta = ImageHeader.read(path(hash))?.meta(adding: JSON.Object()), let width = meta["width"]?.int,
            let height = meta["height"]?.int, width > 0, height > 0
        else { return nil }
        return (width, height)
    }
}
