import CZlib
import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most bytes of the path to which a link in a zip file leads.
    fileprivate static let zippedLinkBytes = 4096
}

/// The unpacking of a zip file into an empty folder of Assent's own. Names come from the list of entries alone, and were
/// checked before (`ArchiveListing`). No link is followed.
struct ZipUnpacking: ~Copyable {
    private let zip: OpenFile
    private let name: String
    private let target: OpenFolder
    private let cancel: Cancellation
    /// The bytes that the entries may still take.
    private var left: Int
    private let most: Int

    /// - Parameters:
    ///   - name: the name of the archive, for messages.
    ///   - most: the most bytes of all entries together.
    init(
        _ zip: consuming OpenFile, _ name: String, to target: consuming OpenFolder, most: Int, cancel: Cancellation
    ) {
        self.zip = zip
        self.name = name
        self.target = target
        self.cancel = cancel
        (self.left, self.most) = (most, most)
    }

    /// Unpacks the entries. Of entries with the same name, the last stays.
    ///
    /// - Throws: `badArchive`, `fileDamaged` or `tooLarge`.
    mutating func unpack(_ entries: [(path: String, entry: ZipDirectory.Written)]) throws(Failure) {
        var folders: [String: Folder] = [:]
        for (path, entry) in entries where !path.isEmpty {
            guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
            var above = parent(of: path)
            while above != ".", folders[above] == nil {
                folders[above] = Folder(mode: 0o755)
                above = parent(of: above)
            }
            guard !entry.isFolder else {
                folders[path] = Folder(mode: entry.mode, modified: entry.modified)
                _ = try target.folderMade(path)
                continue
            }
            above = parent(of: path)
            let folder = try target.folderMade(above == "." ? "" : above)
            let last = lastName(of: path)
            unlinkat(folder.descriptor, last, 0)
            if entry.isLink { try link(entry, last, in: folder) } else { try file(entry, last, in: folder) }
        }
        // What comes into a folder changes its time, and a folder may be one that cannot be read: the innermost first.
        for (path, folder) in folders.sorted(by: { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }) {
            let made = OpenFile(adopting: try target.open(path, O_RDONLY | O_DIRECTORY))
            if let modified = folder.modified { _ = made.setTime(modified) }
            guard fchmod(made.descriptor, mode_t(folder.mode)) == 0 else { throw fileFailure("change", path) }
        }
    }

    /// The permissions and the time of a folder. One that is no entry itself has the usual permissions.
    private struct Folder {
        var mode: Int
        var modified: Int64?
    }

    private mutating func file(_ entry: ZipDirectory.Written, _ last: String, in folder: borrowing OpenFolder)
        throws(Failure)
    {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = OpenFile(adopting: try folder.open(last, flags, mode: 0o600))
        left -= try content(of: entry) { (piece) throws(Failure) in try file.write(piece) }
        guard fchmod(file.descriptor, mode_t(entry.mode)) == 0, file.setTime(entry.modified) else {
            throw fileFailure("write", last)
        }
    }

    private mutating func link(_ entry: ZipDirectory.Written, _ last: String, in folder: borrowing OpenFolder)
        throws(Failure)
    {
        var bytes: [UInt8] = []
        left -= try content(of: entry) { (piece) throws(Failure) in
            bytes += piece
            guard bytes.count <= Limits.zippedLinkBytes else { throw bad("a link leads to a path that is too long") }
        }
        guard let leadsTo = String(validating: bytes, as: UTF8.self), !leadsTo.isEmpty, !bytes.contains(0) else {
            throw bad("a link leads to no path")
        }
        guard symlinkat(leadsTo, folder.descriptor, last) == 0 else { throw fileFailure("make", last) }
    }

    // MARK: - Contents

    /// Passes on the bytes of an entry, and checks that they are what the list says.
    ///
    /// - Returns: how many there are.
    private func content(
        of entry: ZipDirectory.Written, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        var (crc, count, rest) = (crc32(0, nil, 0), 0, left)
        func take(_ piece: UnsafeRawBufferPointer) throws(Failure) {
            (count, rest) = (count + piece.count, rest - piece.count)
            guard rest >= 0 else { throw UnpackTool.tooLarge(name, most) }
            guard count <= entry.bytes else { throw Self.damaged(name) }
            crc = crc32(crc, piece.baseAddress?.assumingMemoryBound(to: Bytef.self), uInt(piece.count))
            try body(piece)
        }
        let start = try contentOffset(of: entry)
        switch entry.method {
        case 0: try stored(entry, at: start, take)
        case 8: try deflated(entry, at: start, take)
        default: throw bad("an entry is packed in a way that Assent does not know (method \(entry.method))")
        }
        guard count == entry.bytes, UInt32(crc) == entry.crc else { throw Self.damaged(name) }
        return count
    }

    private func stored(
        _ entry: ZipDirectory.Written, at start: Int, _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try pieces(entry, at: start) { (piece) throws(Failure) in
            let result = piece.withUnsafeBytes { bytes -> Result<Void, Failure> in
                do throws(Failure) { return .success(try take(bytes)) } catch { return .failure(error) }
            }
            try result.get()
        }
    }

    private func deflated(
        _ entry: ZipDirectory.Written, at start: Int, _ take: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let inflater = try Inflater()
        var state = Inflater.State.goesOn
        try pieces(entry, at: start) { (piece) throws(Failure) in
            guard state == .goesOn else { throw Self.damaged(name) }
            state = try inflater.add(piece, take)
            guard state != .damaged else { throw Self.damaged(name) }
        }
        guard state == .ended else { throw Self.damaged(name) }
    }

    private func pieces(_ entry: ZipDirectory.Written, at start: Int, _ body: ([UInt8]) throws(Failure) -> Void)
        throws(Failure)
    {
        var done = 0
        while done < entry.packed {
            guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
            let piece = try zip.read(min(1 << 18, entry.packed - done), at: start + done)
            guard !piece.isEmpty else {
                throw ErrorRules.failure("{file} ends too early: a part of the archive is missing.", file: name)
            }
            try body(piece)
            done += piece.count
        }
    }

    /// Returns where the bytes of an entry begin: after its own header, which must have the name of the list.
    private func contentOffset(of entry: ZipDirectory.Written) throws(Failure) -> Int {
        let head = try zip.read(ZipForm.localBytes, at: entry.offset)
        guard head.count == ZipForm.localBytes, head.little(0, 4) == Int(ZipForm.localSignature) else {
            throw Self.damaged(name)
        }
        let (length, extra) = (head.little(26, 2), head.little(28, 2))
        guard try zip.read(length, at: entry.offset + ZipForm.localBytes) == entry.name else {
            throw Failure(.badArchive, "\(name) has other entries than it lists. Nothing was unpacked.")
        }
        return entry.offset + ZipForm.localBytes + length + extra
    }

    private func bad(_ why: String) -> Failure {
        Failure(
            .badArchive, "\(name) cannot be unpacked: \(why). Nothing was unpacked.",
            remedy: "Unpack it with a command, if you trust it.")
    }

    private static func damaged(_ name: String) -> Failure {
        ErrorRules.failure("{file} is damaged: what is in it cannot be unpacked whole.", file: name)
    }
}
