package import Vocabulary

/// The file by which an asset can be looked at.
package struct PreviewFile: Hashable, Sendable {
    package let asset: Asset
    /// The path of a PNG in the cache for a picture, or else of the content itself.
    package let path: String
}
