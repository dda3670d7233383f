package import JSON
package import Vocabulary

/// An asset, a file or a folder that is looked at.
package struct ViewedContent: Hashable, Sendable {
    /// The name of the asset, or the path as it was typed. It is text from outside.
    package var name: String
    /// The word by which a verb takes the content: `w3.2.1.image`, or a path.
    package var target: String
    /// The real path of the file or folder.
    package var path: String
    package var bytes: Int
    package var isFolder = false
    /// The format of a picture, such as `png`, or nil for other contents.
    package var picture: String?
    /// The known facts about the content, such as the size of a picture in pixels.
    package var meta: JSON.Object
    /// The asset, or nil for a file or folder of the user's.
    package var asset: Asset?
    /// Whether the content may hold keys, or results from keys.
    package var isPrivate: Bool

    /// Creates a content.
    package init(
        name: String, target: String, path: String, bytes: Int, isFolder: Bool = false, picture: String? = nil,
        meta: JSON.Object = JSON.Object(), asset: Asset? = nil, isPrivate: Bool
    ) {
        self.name = name
        self.target = target
        self.path = path
        self.bytes = bytes
        self.isFolder = isFolder
        self.picture = picture
        self.meta = meta
        self.asset = asset
        self.isPrivate = isPrivate
    }
}
