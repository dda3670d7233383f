package import Files
import Glibc
import JSON
import Pictures
import Sandbox
package import Vocabulary

/// The answer to a look at a picture or a PDF: a line of text, and the picture itself if the model can see.
package struct LookedPicture: Hashable, Sendable {
    /// The picture, or nil if the model gets words alone.
    package var picture: ChatPicture?
    /// The text for the model, such as `cat.jpg · jpeg, 4032×3024, 2.1 MB, shown as 1568×1176`.
    package var text: String
    /// The words for the screen, such as `cat.jpg · jpeg 4032×3024`.
    package var words: String
    /// Whether a model that sees would have got a picture.
    package var isUnseen: Bool
}

/// A look of a language model at a file that may be a picture or a PDF.
struct PictureLook {
    private let head: [UInt8]
    private let size: Int
    private let name: String
    private let page: Int?

    /// The kind of the file in words, such as `PNG picture · 640×480 · 12 KB`, or nil if its lines are read.
    private let kind: String?

    private var isPDF: Bool { head.starts(with: Array("%PDF-".utf8)) }

    /// Creates a look.
    ///
    /// - Parameters:
    ///   - head: the first `FileKind.headBytes` of the file, or all of a shorter one.
    ///   - size: the bytes of the whole file.
    ///   - name: the name of the file, for the model and for failures.
    ///   - page: the page of a PDF that is wanted, or nil.
    init(head: [UInt8], size: Int, name: String, page: Int?) {
        (self.head, self.size, self.name, self.page) = (head, size, name, page)
        kind = FileKind.words(of: head, size: size)
    }

    /// Whether a model that sees gets a picture.
    var hasPicture: Bool { kind != nil && (!isPDF || page != nil) }

    /// Looks at the file, and makes the picture in the sandbox.
    ///
    /// - Parameters:
    ///   - errors: the rules of the picture tools for standard error.
    ///   - path: the path of a copy that does not change, or nil if no picture is made.
    ///   - isSeen: whether the model sees pictures.
    /// - Returns: nil for a file that is no picture and no PDF.
    /// - Throws: `badParam` for a page of another file, or the failures of `PicturePrograms.seen`.
    func look(
        _ programs: PicturePrograms, errors: ErrorRules, cancel: Cancellation, path: String?, isSeen: Bool = true
    ) throws(Failure) -> LookedPicture? {
        guard page == nil || isPDF else {
            throw Failure(.badParam, "\(name) is no PDF, so it has no pages.", remedy: "Leave page out.")
        }
        guard let kind else { return nil }
        let words = "\(name) · \(kind)"
        guard let path, isSeen, hasPicture else {
            let remark = isSeen ? "To see a page of it, read it with page.\n" : ""
            return LookedPicture(text: "\(words)\n\(remark)", words: words, isUnseen: hasPicture)
        }
        guard let page else {
            let seen = try programs.seen(path, named: name, errors: errors, cancel: cancel)
            let sides = "\(seen.width)×\(seen.height)"
            let line = "\(name) · \(seen.format), \(sides), \(FileSize.words(size))"
            return looked(seen, line, shown: sides, words: "\(name) · \(seen.format) \(sides)")
        }
        let seen = try programs.seenPage(page, of: path, named: name, errors: errors, cancel: cancel)
        let line = "\(name) · page \(page) of \(seen.pages)"
        return looked(seen, line, shown: nil, words: line)
    }

    private func looked(_ seen: SeenPicture, _ line: String, shown: String?, words: String) -> LookedPicture {
        let sides = "\(seen.picture.width)×\(seen.picture.height)"
        return LookedPicture(
            picture: seen.picture, text: line + (sides == shown ? "\n" : ", shown as \(sides)\n"), words: words,
            isUnseen: false)
    }
}

extension Toolbox {
    /// Looks at a stored content as a language model sees it.
    ///
    /// - Parameters:
    ///   - name: the name for the model, such as `w3.2.image`.
    ///   - page: the page of a PDF that is wanted, or nil.
    ///   - isSeen: whether the model sees pictures.
    ///   - errors: the rules of the picture tools for standard error.
    /// - Returns: nil for a content that is no picture and no PDF.
    /// - Throws: `badParam`, `notAPicture`, `fileDamaged`, `tooLarge`, or the failure of a program.
    package func look(
        at asset: Asset, named name: String, page: Int?, isSeen: Bool, errors: ErrorRules,
        cancel: Cancellation = Cancellation()
    ) throws(Failure) -> LookedPicture? {
        let path = try store.path(of: asset)
        let head = try OpenFile(path, O_RDONLY | O_NONBLOCK).read(FileKind.headBytes)
        let look = PictureLook(head: head, size: asset.bytes, name: name, page: page)
        return try look.look(pictures, errors: errors, cancel: cancel, path: path, isSeen: isSeen)
    }
}

extension Toolbox {
    /// Deletes the pictures of a look that is no workflow, since the conversation has its own copies, which are deleted
    /// with it. A picture that was stored before, or again meanwhile, stays.
    package func dropPictures(of look: [Asset]) throws(Failure) {
        for asset in look {
            guard let added = asset.meta[LookedPicture.Key.added]?.int else { continue }
            try store.free(asset.hash, added: Moment(milliseconds: Int64(added)))
        }
    }
}

extension LookedPicture {
    /// The keys of the metadata of the text and of the picture.
    fileprivate enum Key {
        static let (words, isUnseen, name, width, height) = ("words", "unseen", "of", "width", "height")
        static let added = "added"
    }

    /// Reads the stored outputs of a look.
    ///
    /// - Parameters:
    ///   - text: the asset of the text, and the text itself.
    ///   - picture: the asset of the picture and its content, or nil.
    package init(_ text: (asset: Asset, text: String), picture: (asset: Asset, bytes: [UInt8])?) {
        self.text = text.text
        words = text.asset.meta[Key.words]?.string ?? ""
        isUnseen = text.asset.meta[Key.isUnseen]?.bool ?? false
        guard let picture, let width = picture.asset.meta[Key.width]?.int,
            let height = picture.asset.meta[Key.height]?.int
        else { return }
        self.picture = ChatPicture(
            name: picture.asset.meta[Key.name]?.string ?? picture.asset.name,
            mime: picture.bytes.first == 0xFF ? "image/jpeg" : "image/png", width: width, height: height,
            bytes: picture.bytes)
    }

    /// Stores the text, and the picture if there is one.
    func assets(_ context: Builtin.Context, _ name: String) throws(Failure) -> [Asset] {
        var assets = try context.text(text, name: Builtin.Context.name(after: name, "look", ".txt"))
        for index in assets.indices {
            assets[index].meta[Key.words] = .string(words)
            if isUnseen { assets[index].meta[Key.isUnseen] = true }
        }
        guard let picture else { return assets }
        let suffix = picture.mime == "image/jpeg" ? ".jpg" : ".png"
        var meta = JSON.Object()
        meta[Key.name] = .string(picture.name)
        (meta[Key.width], meta[Key.height]) = (.int(picture.width), .int(picture.height))
        let isNew = context.store.size(of: .of(picture.bytes)) == nil
        let content = try context.store.add(picture.bytes)
        if isNew { meta[Key.added] = context.store.added(content.hash).map { .int(Int($0.milliseconds)) } }
        let asset = context.assignment.asset(
            "picture", content, name: Builtin.Context.name(after: name, "look", suffix), meta: meta)
        return assets + [asset].compactMap(\.self)
    }
}
