/// A picture that a model sees beside the result of a call. It is small, and holds pixels alone.
package struct ChatPicture: Hashable, Sendable {
    /// The name of its file or result, such as `cat.jpg`. It can be any text.
    package var name: String
    /// The picture in words, such as `[picture cat.jpg 800×600]`, for views of a conversation.
    package var words: String { "[picture \(name) \(width)×\(height)]" }
    /// The media type: `image/jpeg` or `image/png`.
    package var mime: String
    package var width: Int
    package var height: Int
    /// The file, as it is sent with every request.
    package var bytes: [UInt8]

    package init(name: String, mime: String, width: Int, height: Int, bytes: [UInt8]) {
        (self.name, self.mime, self.width, self.height, self.bytes) = (name, mime, width, height, bytes)
    }
}

extension ChatPicture {
    /// The tokens that the picture takes in a model's window: one for 750 pixels, as servers say for their own models.
    package var tokens: Int {
        let (pixels, isTooMuch) = max(0, width).multipliedReportingOverflow(by: max(0, height))
        return isTooMuch ? .max / 1024 : pixels / 750 + 1
    }

    /// The bytes of text that take as many tokens.
    package var textBytes: Int { tokens * Limits.bytesPerToken }

    /// Returns the picture with another name.
    package func named(_ name: String) -> ChatPicture {
        ChatPicture(name: name, mime: mime, width: width, height: height, bytes: bytes)
    }

    /// The picture as a `data:` URL.
    package var dataURL: String { "data:\(mime);base64,\(Base64.text(of: bytes))" }
}

extension Limits {
    /// The bytes of a text that are counted as one token. It is an estimate on the safe side: texts of all languages
    /// have about this many bytes a token, or more.
    package static let bytesPerToken = 3

    /// The longest side of a picture that a model sees, in pixels. Servers make larger ones smaller.
    package static let seenSide = 1568

    /// The most bytes of a picture that a model sees.
    package static let seenBytes = 1_000_000
}
