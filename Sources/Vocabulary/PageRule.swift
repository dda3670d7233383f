package import JSON

/// The rule which shipped tools keep all frames of an animation and all pages of a document, and which take the first
/// one.
package enum PageRule {
    /// Whether a format has frames or pages that tools keep: `gif`, `webp`, `tiff`.
    package static func holds(_ format: String) -> Bool {
        ["gif", "webp", "tiff", "tif"].contains(format.lowercased())
    }

    /// Whether a tool that makes a picture of a picture keeps all frames or pages.
    ///
    /// - Parameters:
    ///   - kind: of the tool.
    ///   - params: its parameters. A box that is filled is cut out of one frame.
    ///   - format: of the picture that it gets.
    package static func keeps(_ kind: String, _ params: JSON.Object, format: String) -> Bool {
        guard holds(format) else { return false }
        return switch kind {
        case "Resize": params["fill"]?.bool != true
        case "Grayscale": true
        case "ConvertImage": holds(params["format"]?.string ?? "")
        default: false
        }
    }
}
