import Actions
import Terminal
import Vocabulary

/// Pictures of contents in the form that this terminal shows.
extension Looks {
    /// The way in which this terminal shows pictures, or nil if it shows none.
    var pictureProtocol: PictureProtocol? {
        switch pictureSetting {
        case .auto: PictureProtocol.detect()
        case .kitty: .kitty
        case .iterm: .iterm
        case .sixel: .sixel
        case .symbols: .symbols
        case .none: nil
        }
    }

    /// The way in which pictures are shown without an order, or nil if they are not. Coloured characters are used only
    /// if the user chose them, on a terminal with enough colours.
    var thumbnailProtocol: PictureProtocol? {
        switch (pictureSetting, pictureProtocol) {
        case (.auto, .symbols): nil
        case (_, .symbols): PictureProtocol.hasManyColours() ? .symbols : nil
        case (_, let form): form
        }
    }

    /// Makes a picture, or a page of a PDF, small enough for a room.
    ///
    /// - Parameter page: the number of a page, from 1, or nil for a picture.
    /// - Throws: `toolNotInstalled`, `badDrawing`, or the failure of a program.
    func picture(
        of content: ViewedContent, page: Int?, by form: PictureProtocol, in room: PictureRoom
    ) async throws(Failure) -> TerminalPicture {
        try TerminalPicture(drawn: try await drawing(of: content, page: page, DrawingOrder(form, in: room)), form, room)
    }

    /// Makes a small picture of a content of the store. A failure is written to the log.
    ///
    /// - Returns: nil if the content is not a picture, is private, or could not be drawn in time.
    func thumbnail(of hash: ContentHash, by form: PictureProtocol, in room: PictureRoom) async -> TerminalPicture? {
        do throws(Failure) {
            guard let bytes = try await drawing(of: hash, DrawingOrder(form, in: room)) else { return nil }
            return try TerminalPicture(drawn: bytes, form, room)
        } catch {
            // A picture that is no longer wanted is not a failure.
            if !Task.isCancelled { logThumbnail(error) }
            return nil
        }
    }

    /// Makes a picture of a mask as a tint over its picture.
    ///
    /// - Throws: `notAPicture`, `toolNotInstalled`, `badDrawing`, or the failure of a program.
    func picture(
        of mask: MaskDrawing, over hash: ContentHash, by form: PictureProtocol, in room: PictureRoom
    ) async throws(Failure) -> TerminalPicture {
        try TerminalPicture(drawn: try await drawing(of: mask, over: hash, DrawingOrder(form, in: room)), form, room)
    }
}

extension DrawingOrder {
    fileprivate init(_ form: PictureProtocol, in room: PictureRoom) {
        let drawn: Form =
            switch form {
            case .kitty, .iterm: .png
            case .sixel: .sixel
            case .symbols: .symbols
            }
        self.init(
            drawn, pixels: Size(width: room.width, height: room.height),
            cells: Size(width: room.columns, height: room.rows))
    }
}

extension TerminalPicture {
    /// Creates a picture of the bytes of a drawing.
    ///
    /// - Throws: `badDrawing` if the bytes have another form.
    fileprivate init(drawn bytes: [UInt8], _ form: PictureProtocol, _ room: PictureRoom) throws(Failure) {
        let picture: TerminalPicture? =
            switch form {
            case .kitty, .iterm: TerminalPicture(png: bytes, form, in: room)
            case .sixel: TerminalPicture(sixel: bytes, in: room)
            case .symbols: TerminalPicture(symbols: bytes, in: room)
            }
        guard let picture else { throw Failure(.badDrawing, "The picture was drawn in a form that is not shown.") }
        self = picture
    }
}
