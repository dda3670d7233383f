package import Files
import Glibc
package import Sandbox
import Vips
package import Vocabulary

extension Limits {
    /// The longer side of a cached thumbnail, in pixels.
    fileprivate static let thumbnailPixels = 256

    /// The longer side of a cached preview, in pixels.
    fileprivate static let previewPixels = 4096

    /// The most bytes of a cached picture.
    fileprivate static let previewBytes = 4 << 30
}

/// Pictures of assets that are created on demand and can be deleted without harm (`semantics.md` 125). The thumbnails
/// that were used longest ago are removed first, and previews are removed after a week. libvips creates
/// them in the sandbox, as in the picture tools.
package struct PictureCache: Sendable {
    package let folder: String
    package let store: AssetStore
    let sandbox: Isolation
    /// The rules for standard error, as in the picture tools.
    let errors: ErrorRules

    package init(folder: String, store: AssetStore, sandbox: Isolation = .here, errors: ErrorRules = ErrorRules()) {
        self.errors = errors
        self.folder = folder
        self.store = store
        self.sandbox = sandbox
    }

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case thumbnails, previews

        var pixels: Int {
            switch self {
            case .thumbnails: Limits.thumbnailPixels
            case .previews: Limits.previewPixels
            }
        }
    }

    /// Returns the path of the picture of a content, or `nil` if it was not created.
    package func made(_ kind: Kind, of hash: ContentHash) -> String? {
        let path = place(kind, hash)
        return Keepsake(path) == nil ? nil : path
    }

    /// Returns the path of an asset's picture as a PNG, and creates it if necessary. It blocks meanwhile.
    ///
    /// - Throws: `notAPicture`, `fileDamaged`, `pinnedInputMissing`, or the failure of the program.
    package func picture(_ kind: Kind, of asset: Asset, cancel: Cancellation = Cancellation()) throws(Failure) -> String
    {
        let place = place(kind, asset.hash)
        if Keepsake(place) != nil {
            // The time of a thumbnail is its last use. A preview's week counts from its creation.
            if kind == .thumbnails { utimensat(AT_FDCWD, place, nil, 0) }
            return place
        }
        let content = try store.path(of: asset)
        guard let header = ImageHeader.read(content) else {
            throw Failure(.notAPicture, "\(asset.name) is no picture.", remedy: "Look at its content: \(content)")
        }
        try PictureEnd.check(content, header.format, name: asset.name)
        let work = RunFolder("\(folder)/making/\(getpid())-\(UInt64.random(in: .min ... .max))")
        try makeFolders(work.path)
        defer { removeFolder(work.path) }
        let input = "in-1.\(header.format)"
        let small = VipsImage.file(input).thumbnail(
            width: kind.pixels, height: kind.pixels, .down, isInSRGB: header.needsSRGB)
        let job = VipsJob(
            small, .save(file: "out.png", options: "[strip]"), seconds: Limits.pictureSeconds,
            processorSeconds: Limits.pictureProcessorSeconds, fileBytes: Limits.previewBytes)
        let ran = try PicturePrograms(store: store, sandbox: sandbox).compute(
            job, PictureFiles(folder: work, reading: [input: content]), cancel)
        if let sentence = errors.sentence(for: String(decoding: ran.traces.heededErrors, as: UTF8.self)) {
            throw ErrorRules.failure(sentence, file: asset.name)
        }
        if let failure = ran.failure { throw failure }
        let out = "\(work.path)/out.png"
        guard Keepsake(out) != nil, ImageHeader.read(out)?.format == "png" else {
            throw Failure(.outputMissing, "libvips ended well but left no picture.")
        }
        try makeFolders(parent(of: place))
        guard chmod(out, 0o600) == 0, rename(out, place) == 0 else { throw fileFailure("store", place) }
        return place
    }

    /// Returns all pictures of a kind, the oldest first.
    package func all(_ kind: Kind) -> [Keepsake] {
        Keepsake.all(in: "\(folder)/\(kind.rawValue)").sorted { ($0.modified, $0.path) < ($1.modified, $1.path) }
    }

    /// Returns the thumbnails that must be removed for the rest to fit: those that were used longest ago, and kept ones
    /// last.
    package func thumbnailsTooMany(limit: Int = Limits.thumbnailsBytes, kept: Set<ContentHash> = []) -> [Keepsake] {
        let all = all(.thumbnails)
        var excess = all.reduce(0) { $0 + $1.bytes } - limit
        let order = all.filter { !Self.isOf($0, kept) } + all.filter { Self.isOf($0, kept) }
        return Array(
            order.prefix { file in
                defer { excess -= file.bytes }
                return excess > 0
            })
    }

    /// Returns the previews of contents that are not kept: those created before a time, or all.
    package func previews(before: Moment? = nil, kept: Set<ContentHash>) -> [Keepsake] {
        all(.previews).filter { file in !Self.isOf(file, kept) && before.map { file.modified < $0 } ?? true }
    }

    /// Returns the temporary files of pictures that are being created, including those of processes that died.
    package func leftovers() -> [Keepsake] { Keepsake.all(under: "\(folder)/making") }

    package func clearLeftovers(before: Moment) {
        for name in (try? namesIn("\(folder)/making")) ?? [] {
            var status = stat()
            let path = "\(folder)/making/\(name)"
            guard lstat(path, &status) == 0, Int64(status.st_mtim.tv_sec) * 1000 < before.milliseconds else { continue }
            removeFolder(path)
        }
    }

    private func place(_ kind: Kind, _ hash: ContentHash) -> String { "\(folder)/\(kind.rawValue)/\(hash.hex).png" }

    private static func isOf(_ file: Keepsake, _ hashes: Set<ContentHash>) -> Bool {
        ContentHash(checking: String(file.name.prefix(64))).map(hashes.contains) ?? false
    }
}

extension Keepsake {
    /// Deletes a file that can be created again.
    ///
    /// - Returns: whether it was deleted.
    @discardableResult
    package func remove() -> Bool { unlink(path) == 0 }
}
