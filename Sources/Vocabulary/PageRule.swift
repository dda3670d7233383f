package import JSON

/// The rule by which shipped tools keep all frames of an animation and all pages of a document, or use only the first.
package enum PageRule {
    /// Whether a format has frames or pages that tools keep: `gif`, `webp`, `tiff`.
    package static func holds(_ format: String) -> Bool {
        ["gif", "webp", "tiff", "tif"].contains(format.lowercased())
    }

    /// Returns whether a tool that turns a picture into a picture keeps all frames or pages.
    ///
    /// - Parameters:
    ///   - kind: the kind of the tool.
    ///   - params: its parameters. A box that is filled is cut out of one frame.
    ///   - format: the format of its input.
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
