package import Vocabulary

/// A copy of a picture for a package, with the metadata that a guide lets through. The pixels are those of the
/// original, byte for byte.
package struct PictureCopy: Hashable {
    package var bytes: [UInt8]
    package var treatment: Treatment

    /// The treatment of the metadata.
    package enum Treatment: Hashable {
        /// Only data that are needed to show the picture are kept.
        case cut
        /// Only EXIF is kept of the metadata, without the place and the notes of the camera's maker.
        case withoutPlace
        /// The copy is the original, as the guide requires.
        case kept
        /// The copy is the original, although the guide requires that metadata are removed. The text is the reason.
        case notCut(String)

        /// The word for the treatment in `provenance.json`.
        package var word: String {
            switch self {
            case .cut: "cut"
            case .withoutPlace: "keptWithoutPlace"
            case .kept: "kept"
            case .notCut: "notCut"
            }
        }

        package var reason: String? { if case .notCut(let reason) = self { reason } else { nil } }
    }

    /// Makes the copy. The same bytes always give the same copy, and a copy of a copy does not change it.
    package init(of original: [UInt8], metadata: Guide.Metadata, place: Guide.Place) {
        if metadata == .keep, place == .exif {
            (bytes, treatment) = (original, .kept)
            return
        }
        let keepsEXIF = metadata == .keep
        do throws(PictureFault) {
            switch ImageHeader(original)?.format {
            case "jpg": bytes = try JPEGFile(original).copy(keepsEXIF: keepsEXIF)
            case "png": bytes = try PNGFile(original).copy(keepsEXIF: keepsEXIF)
            case let format?: throw PictureFault("the metadata of \(format) is not removed")
            case nil: throw PictureFault("it is no picture that is known")
            }
            treatment = keepsEXIF ? .withoutPlace : .cut
        } catch {
            (bytes, treatment) = (original, .notCut(error.words))
        }
    }
}

extension EXIFBlock {
    /// Returns the block for a copy: its entries without the place, or the orientation alone.
    ///
    /// - Returns: `nil` if nothing is left.
    static func forCopy(of block: [UInt8], keepsEXIF: Bool) -> [UInt8]? {
        guard let read = EXIFBlock(block) else { return nil }
        if keepsEXIF, let plain = read.withoutPlace() { return plain }
        return read.orientation == 1 ? nil : EXIFBlock.withOrientation(read.orientation)
    }

    /// Returns the block of a picture, or `nil` if it has none that can be read.
    package static func of(picture bytes: [UInt8]) -> EXIFBlock? {
        do throws(PictureFault) {
            switch ImageHeader(bytes)?.format {
            case "jpg": return try JPEGFile(bytes).exif.flatMap { EXIFBlock($0) }
            case "png": return try PNGFile(bytes).exif.flatMap { EXIFBlock($0) }
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
