import Files
import Glibc
import JSON
import Pictures
package import Vocabulary

extension Toolbox {
    /// Stores a user's answer, if the port and all inputs that it feeds accept it (`semantics.md` 102). It blocks.
    ///
    /// The copy in the store is checked, since no process changes it any more. A refused content stays there, and
    /// nothing refers to it.
    ///
    /// - Parameters:
    ///   - wanted: the types that the content must have, all of them.
    ///   - picture: the picture of a mask, which must have the same proportions.
    ///   - inputs: the inputs of the step. If one of them results from keys, the answer becomes private, unless it is
    ///     one of the inputs itself.
    ///   - allowsEmpty: whether a mask with nothing painted is accepted.
    /// - Returns: an asset without a run, which the engine adds.
    /// - Throws: `badAnswer`, `emptyMask` if the mask may be intended, or failures of files.
    package func takeIn(
        _ content: AnswerContent, for port: Port, wanted: [PortType], fitting picture: ContentHash? = nil,
        of inputs: [ContentHash] = [],
        allowsEmpty: Bool = false
    ) throws(Failure) -> Asset {
        let asset = try takeIn(content, port, [port.type] + wanted, allowsEmpty)
        if let picture { try refuseStretched(asset, over: picture) }
        if !inputs.contains(asset.hash), inputs.contains(where: store.isPrivate) { try store.markPrivate([asset]) }
        return asset
    }

    /// Throws `badAnswer` if a mask does not have the proportions of its picture. A difference of the pixel that
    /// scaling rounds away is allowed.
    private func refuseStretched(_ mask: Asset, over picture: ContentHash) throws(Failure) {
        guard let (width, height) = store.pictureSize(picture), let own = store.pictureSize(mask.hash) else { return }
        let isFitting = abs(own.width * height - own.height * width) <= max(width, height, own.width, own.height)
        guard !isFitting else { return }
        throw Failure(
            .badAnswer,
            "The mask has \(own.width)×\(own.height) pixels, the picture \(width)×\(height): it would be stretched.",
            remedy: "Make it \(width)×\(height), or smaller in the same proportions.")
    }

    private func takeIn(
        _ content: AnswerContent, _ port: Port, _ types: [PortType], _ allowsEmpty: Bool
    ) throws(Failure) -> Asset {
        switch content {
        case .file(let path): return try takeIn(file: path, port, types, allowsEmpty)
        case .text(let text):
            guard types.allSatisfy({ $0.accepts(.text) || $0 == .json }) else { throw Self.mismatch("A text", types) }
            return try checked(try store.add(text), name: "\(port.name).txt", port, types, allowsEmpty)
        case .json(let json):
            guard types.allSatisfy({ $0.accepts(.json) || $0 == .text }) else { throw Self.mismatch("JSON", types) }
            return try checked(try store.add(json.text), name: "\(port.name).json", port, types, allowsEmpty)
        case .mask(let drawing):
            return try checked(try store.add(drawing.png()), name: "\(port.name).png", port, types, allowsEmpty)
        case .candidate(let input):
            let asset = Self.asset(
                port, AssetStore.Content(hash: input.hash, bytes: input.bytes), input.name, input.meta)
            _ = try store.path(of: asset)
            guard types.allSatisfy({ $0.accepts(input.type) }) else {
                throw Self.mismatch("\"\(input.name)\" is \(input.type). It", types)
            }
            return try checked(
                AssetStore.Content(hash: input.hash, bytes: input.bytes), name: input.name, port, types, allowsEmpty,
                input.meta)
        }
    }

    /// Stores a file that the user named. A path in the home folder may begin with `~`.
    private func takeIn(file written: String, _ port: Port, _ types: [PortType], _ allowsEmpty: Bool) throws(Failure)
        -> Asset
    {
        let path = withHome(written)
        try refuseNUL(path)
        guard
            let real = realpath(path, nil).map({ pointer -> String in
                defer { free(pointer) }
                return String(cString: pointer)
            })
        else { throw fileFailure("open", written) }
        var status = stat()
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.badAnswer, "\(written) is not a file.")
        }
        let limit = types.contains { $0 == .text || $0 == .json } ? Limits.readFileBytes : Limits.answerFileBytes
        guard status.st_size <= limit else {
            throw Failure(
                .badAnswer, "\(written) has \(status.st_size) bytes; at most \(limit) are taken.",
                remedy: "Choose a smaller one.")
        }
        // A cheap check before the copy. The check of the copy decides.
        if types.contains(where: { $0 == .image || $0 == .mask }), ImageHeader.read(real) == nil {
            throw Self.noPicture(written)
        }
        let asset = try checked(try store.add(file: real), name: safeName(lastName(of: real)), port, types, allowsEmpty)
        if SecretFiles.holds(real) { try store.markPrivate([asset]) }
        return asset
    }

    private func checked(
        _ content: AssetStore.Content, name: String, _ port: Port, _ types: [PortType], _ allowsEmpty: Bool,
        _ known: JSON.Object = JSON.Object()
    ) throws(Failure) -> Asset {
        let path = store.path(content.hash)
        let header = ImageHeader.read(path)
        if types.contains(where: { $0 == .image || $0 == .mask }), header == nil { throw Self.noPicture(name) }
        if types.contains(.mask) {
            guard header?.format == "png" else {
                throw Failure(
                    .badAnswer, "A mask is a PNG; \(name) is \(header?.format ?? "something else").",
                    remedy: "Save it as a PNG.")
            }
            let mask = try MaskFile(try readWhole(path, limit: Limits.answerFileBytes))
            if !allowsEmpty, try mask.isEmpty() {
                throw Failure(
                    .emptyMask, "Nothing is painted in the mask: everything is transparent or black.")
            }
        }
        if types.contains(where: { $0 == .text || $0 == .json }) {
            let bytes = try readWhole(path, limit: Limits.readFileBytes)
            let text: EncodedText
            do throws(Failure) { text = try EncodedText(bytes, name) } catch {
                throw Failure(.badAnswer, error.message, remedy: "Save it as UTF-8.")
            }
            if types.contains(.json) {
                do throws(JSONReader.Failure) { _ = try WrittenJSON.read(text.utf8) } catch {
                    throw Failure(.badAnswer, error.sentence(about: name), remedy: "Mend it, and give it again.")
                }
            }
        }
        return Self.asset(port, content, name, header?.meta(adding: known) ?? known)
    }

    private static func asset(_ port: Port, _ content: AssetStore.Content, _ name: String, _ meta: JSON.Object) -> Asset
    {
        Asset(
            run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: port.name, type: port.type, hash: content.hash,
            bytes: content.bytes,
            name: name, meta: meta)
    }

    private static func noPicture(_ name: String) -> Failure {
        Failure(
            .badAnswer, "\(name) is no picture that is known here.",
            remedy: "Give a jpg, png, webp, gif, tiff, avif or heic.")
    }

    private static func mismatch(_ what: String, _ types: [PortType]) -> Failure {
        let wanted = types.first { $0 != .any && $0 != .file }?.name ?? "file"
        return Failure(
            .badAnswer, "\(what) does not fit where \(wanted) is wanted.", remedy: "Give a file with --asset.")
    }
}
