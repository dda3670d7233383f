import Glibc
import JSON
package import Vocabulary

extension Limits {
    /// Of a picture that is drawn in characters.
    fileprivate static let sketchSeconds = 5.0
    fileprivate static let sketchBytes = 64 << 10
}

extension Toolbox {
    /// Takes in what a person gives, if it is what the port, and all that it feeds, can use (`semantics.md` 102). It is
    /// looked at as it lies in the store, where nobody changes it any more; what is refused stays there as content that
    /// nothing refers to. Blocks.
    ///
    /// - Parameters:
    ///   - wanted: the types that the content must be of, all of them.
    ///   - picture: what a mask is for: it must have its proportions, or it would be stretched.
    ///   - inputs: what is plugged into the step: what comes of keys is private in a person's hands, too. One of these
    ///     itself is what it is.
    ///   - allowsEmpty: whether a mask in which nothing is painted is taken.
    /// - Returns: an asset without a run: the engine gives it one.
    /// - Throws: `badAnswer`; `emptyMask` for what may be meant nevertheless; faults of files.
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

    /// By more than the pixel that scaling rounds away.
    private func refuseStretched(_ mask: Asset, over picture: ContentHash) throws(Failure) {
        guard let (width, height) = store.pictureSize(picture), let own = store.pictureSize(mask.hash) else { return }
        let isFitting = abs(own.width * height - own.height * width) <= max(width, height, own.width, own.height)
        guard !isFitting else { return }
        throw Failure(
            "badAnswer",
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

    /// Of a file that the person named: under their home it may be written with `~`.
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
            throw Failure("badAnswer", "\(written) is not a file.")
        }
        let limit = types.contains { $0 == .text || $0 == .json } ? Limits.readFileBytes : Limits.answerFileBytes
        guard status.st_size <= limit else {
            throw Failure(
                "badAnswer", "\(written) has \(status.st_size) bytes; at most \(limit) are taken.",
                remedy: "Choose a smaller one.")
        }
        // Seen before it is copied where that is cheap; what counts is the copy.
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
                    "badAnswer", "A mask is a PNG; \(name) is \(header?.format ?? "something else").",
                    remedy: "Save it as a PNG.")
            }
            let mask = try MaskFile(try readWhole(path, limit: Limits.answerFileBytes))
            if !allowsEmpty, try mask.isEmpty() {
                throw Failure(
                    "emptyMask", "Nothing is painted in the mask: everything is transparent or black.",
                    remedy: "Paint what is to count, or say --allow-empty if this is meant.")
            }
        }
        if types.contains(where: { $0 == .text || $0 == .json }) {
            let bytes = try readWhole(path, limit: Limits.readFileBytes)
            guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
                throw Failure("badAnswer", "\(name) is no text in UTF-8.", remedy: "Save it as UTF-8.")
            }
            if types.contains(.json) {
                do { _ = try JSONReader.read(bytes) } catch {
                    throw Failure("badAnswer", "\(name) is no JSON: \(error).", remedy: "Mend it, and give it again.")
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
            "badAnswer", "\(name) is no picture that is known here.",
            remedy: "Give a jpg, png, webp, gif, tiff, avif or heic.")
    }

    private static func mismatch(_ what: String, _ types: [PortType]) -> Failure {
        let wanted = types.first { $0 != .any && $0 != .file }?.name ?? "file"
        return Failure(
            "badAnswer", "\(what) does not fit where \(wanted) is wanted.", remedy: "Give a file with --asset.")
    }
}

// MARK: - Looking at pictures

extension AssetStore {
    /// Width and height of a picture as people see it; `nil` for what is none, or does not say.
    package func pictureSize(_ hash: ContentHash) -> (width: Int, height: Int)? {
        guard let meta = ImageHeader.read(path(hash))?.meta(adding: JSON.Object()), let width = meta["width"]?.int,
            let height = meta["height"]?.int, width > 0, height > 0
        else { return nil }
        return (width, height)
    }
}

extension Toolbox {
    /// A picture drawn in characters, where chafa is installed. Without colours, so that it is only text. Blocks, for a
    /// moment.
    ///
    /// - Returns: the lines; empty where it cannot be drawn.
    package func sketch(_ hash: ContentHash, columns: Int, rows: Int) -> [String] {
        guard Programs.find("chafa") != nil else { return [] }
        let folder = RunFolder("\(temporaryFolder)/assent-sketch-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        defer { removeFolder(folder.path) }
        do throws(Failure) {
            try makeFolders(folder.path)
            var command = Command(
                ["chafa", "--format", "symbols", "--colors", "none", "--size", "\(columns)x\(rows)", store.path(hash)],
                in: folder.path)
            command.readable = [store.path(hash)]
            command.timeoutSeconds = Limits.sketchSeconds
            command.logBytes = Limits.sketchBytes
            let child = try Child.start(command, sandbox: sandbox, in: folder)
            guard child.wait(cancel: Cancellation()) == .exited(0) else { return [] }
            let text = String(decoding: try child.traces.output(limit: Limits.sketchBytes), as: UTF8.self)
            return text.split(separator: "\n").prefix(rows).map { String($0) }
        } catch {
            return []
        }
    }
}
