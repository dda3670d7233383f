package import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of a bundle. It does not use the long forms of the zip format.
    fileprivate static let bundleBytes = 4_000_000_000

    /// The most entries of a bundle.
    fileprivate static let bundleEntries = 60_000
}

/// A writer for a zip file of uncompressed entries. The file gets its name when it is complete, and never replaces
/// another one.
package struct ZipWriter: ~Copyable {
    private var file: NewFile
    private var entries: [ZipForm.Entry] = []
    private var offset = 0
    private let stamp: (time: UInt16, date: UInt16)

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - folder: the folder of the file.
    ///   - moment: the time of all entries, or `nil` for the earliest possible one, as in a bundle.
    package init(in folder: String, dated moment: Moment? = nil) throws(Failure) {
        file = try NewFile(in: OpenFolder(following: folder))
        stamp = moment.map { ZipForm.stamp(of: $0) } ?? (0, ZipForm.date)
    }

    package mutating func add(_ name: String, _ bytes: [UInt8]) throws(Failure) {
        var crc = CRC32()
        crc.add(bytes)
        try begin(ZipForm.Entry(name: name, crc: crc.value, size: bytes.count, offset: offset))
        try file.file.write(bytes)
    }

    /// Adds a content of the store.
    ///
    /// - Throws: `contentDamaged` if its hash is wrong.
    package mutating func add(_ name: String, _ hash: ContentHash, of store: AssetStore) throws(Failure) {
        let source = try OpenFile(store.path(hash), O_RDONLY | O_NOFOLLOW)
        let size = Int(try source.status().st_size)
        let place = offset
        // The checksum is known after the content was read.
        try begin(ZipForm.Entry(name: name, crc: 0, size: size, offset: place))
        var crc = CRC32()
        let target = file.file.descriptor
        let (found, count) = try source.digest { piece throws(Failure) in
            crc.add(piece)
            try writeAll(piece, to: target)
        }
        guard found == hash, count == size else {
            throw Failure(
                .contentDamaged, "The content \(hash.hex.prefix(12)) is not what it was when it was stored.",
                remedy: "Run 'assent doctor --thorough', and the step that made it again.")
        }
        entries[entries.count - 1].crc = crc.value
        let header = entries[entries.count - 1].local
        guard pwrite(target, header, header.count, off_t(place)) == header.count else {
            throw fileFailure("write", name)
        }
    }

    /// Completes the file, and gives it its name.
    ///
    /// - Parameter path: the name in the folder. A path before the name is used in messages only.
    /// - Returns: the size of the file in bytes.
    /// - Throws: `targetExists` if the name is taken.
    package mutating func finish(as path: String) throws(Failure) -> Int {
        let start = offset
        for entry in entries {
            try file.file.write(entry.central)
            offset += entry.central.count
        }
        let end = ZipForm.end(entries: entries.count, directory: start..<offset)
        try file.file.write(end)
        try file.file.sync()
        guard fchmod(file.file.descriptor, 0o600) == 0 else { throw fileFailure("write", path) }
        guard try file.name(lastName(of: path)) else {
            throw Failure(
                .targetExists, "\(path) is there already.", remedy: "Name another file, or take it away first.")
        }
        return offset + end.count
    }

    private mutating func begin(_ new: ZipForm.Entry) throws(Failure) {
        var entry = new
        (entry.time, entry.date) = stamp
        precondition(ZipForm.isPlain(entry.name), "names of entries are ours")
        guard entries.count < Limits.bundleEntries, offset + entry.size <= Limits.bundleBytes else {
            throw Failure(
                .tooLarge,
                "This is too much for one file: at most \(Limits.bundleBytes) bytes in \(Limits.bundleEntries) entries."
            )
        }
        let header = entry.local
        try file.file.write(header)
        entries.append(entry)
        offset += header.count + entry.size
    }
}

private func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
    var rest = bytes
    while !rest.isEmpty {
        let written = retrying { write(descriptor, rest.baseAddress, rest.count) }
        guard written > 0 else { throw fileFailure("write", "a file") }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
}

/// A reader for the files that `ZipWriter` writes. It refuses all others, since a file may come from anywhere.
package struct ZipReader: ~Copyable {
    private let file: OpenFile
    private let entries: [String: ZipForm.Entry]
    package let bytes: Int
    /// The hash of the whole file.
    package let hash: ContentHash

    /// - Throws: `badBundle`, `tooLarge`, or an error of reading.
    package init(_ path: String) throws(Failure) {
        // A named pipe would wait for its writer for ever.
        let opened = try OpenFile(path, O_RDONLY | O_NONBLOCK)
        let status = try opened.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.notAFile, "\(path) is not a file.") }
        guard status.st_size <= Limits.bundleBytes + (64 << 20) else {
            throw Failure(.tooLarge, "\(path) is too large for a bundle.")
        }
        let (found, count) = try opened.digest()
        entries = try Self.entries(of: opened, count)
        (hash, bytes) = (found, count)
        file = opened
    }

    private static func entries(of file: borrowing OpenFile, _ bytes: Int) throws(Failure) -> [String: ZipForm.Entry] {
        guard bytes >= ZipForm.endBytes else { throw bad("it is no zip file") }
        let end = try file.read(ZipForm.endBytes, at: bytes - ZipForm.endBytes)
        guard number(end, 0, 4) == Int(ZipForm.endSignature), end[4..<8].allSatisfy({ $0 == 0 }),
            number(end, 8, 2) == number(end, 10, 2),
            number(end, 20, 2) == 0
        else { throw bad("it is no zip file that was exported") }
        let (count, size, start) = (number(end, 10, 2), number(end, 12, 4), number(end, 16, 4))
        guard count <= Limits.bundleEntries, start + size + ZipForm.endBytes == bytes,
            size <= count * (ZipForm.centralBytes + ZipForm.nameBytes)
        else { throw bad("its list of entries is broken") }
        let directory = try file.read(size, at: start)
        var entries: [String: ZipForm.Entry] = [:]
        var (place, expected) = (0, 0)
        for _ in 0..<count {
            let entry = try entry(directory, &place)
            // Each entry begins where the one before it ends, so that no entry or other data is hidden.
            guard entry.offset == expected, entry.contentOffset + entry.size <= start else {
                throw bad("its entries overlap")
            }
            expected = entry.contentOffset + entry.size
            guard try file.read(entry.local.count, at: entry.offset) == entry.local else {
                throw bad("an entry contradicts the list")
            }
            guard entries.updateValue(entry, forKey: entry.name) == nil else { throw bad("an entry is there twice") }
        }
        guard place == size, expected == start else { throw bad("its list of entries is broken") }
        return entries
    }

    package var names: [String] { entries.keys.sorted() }

    package func size(of name: String) -> Int? { entries[name]?.size }

    /// Returns the content of an entry.
    ///
    /// - Parameter limit: the most bytes.
    /// - Throws: `badBundle` if there is no such entry or its checksum is wrong, `tooLarge` if it is too large.
    package func read(_ name: String, limit: Int) throws(Failure) -> [UInt8] {
        guard let entry = entries[name] else { throw Self.bad("\(name) is missing") }
        guard entry.size <= limit else {
            throw Failure(.tooLarge, "The bundle's \(name) has \(entry.size) bytes; at most \(limit) are read.")
        }
        let bytes = try file.read(entry.size, at: entry.contentOffset)
        var crc = CRC32()
        crc.add(bytes)
        guard bytes.count == entry.size, crc.value == entry.crc else { throw Self.bad("\(name) is damaged") }
        return bytes
    }

    /// Whether an entry has this hash.
    package func holds(_ hash: ContentHash, as name: String) throws(Failure) -> Bool {
        let digest = Digest()
        try pieces(of: name) { piece throws(Failure) in digest.add(piece) }
        return digest.end() == hash
    }

    /// Adds the content of an entry to a store.
    package func add(_ name: String, to store: AssetStore) throws(Failure) -> AssetStore.Content {
        let temporary = try store.newTemporary()
        defer { unlink(temporary) }
        let content: AssetStore.Content
        do {
            let copy = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            let digest = Digest()
            var count = 0
            try pieces(of: name) { piece throws(Failure) in
                digest.add(piece)
                try copy.write(piece)
                count += piece.count
            }
            content = AssetStore.Content(hash: digest.end(), bytes: count)
            try copy.sync()
        }
        try store.keep(temporary, as: content)
        return content
    }

    private func pieces(of name: String, _ each: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        guard let entry = entries[name] else { throw Self.bad("\(name) is missing") }
        var done = 0
        while done < entry.size {
            let piece = try file.read(min(1 << 18, entry.size - done), at: entry.contentOffset + done)
            guard !piece.isEmpty else { throw Self.bad("\(name) is damaged") }
            done += piece.count
            let result = piece.withUnsafeBytes { bytes -> Result<Void, Failure> in
                do throws(Failure) { return .success(try each(bytes)) } catch { return .failure(error) }
            }
            try result.get()
        }
    }

    /// Reads the next entry of the list. It is accepted only if writing it again gives the same bytes.
    ///
    /// - Throws: `badBundle`.
    private static func entry(_ directory: [UInt8], _ place: inout Int) throws(Failure) -> ZipForm.Entry {
        guard directory.count - place >= ZipForm.centralBytes else { throw bad("its list of entries is broken") }
        let head = Array(directory[place..<place + ZipForm.centralBytes])
        let length = number(head, 28, 2)
        let end = place + ZipForm.centralBytes + length
        guard end <= directory.count,
            let name = String(validating: directory[(place + ZipForm.centralBytes)..<end], as: UTF8.self),
            ZipForm.isPlain(name)
        else { throw bad("an entry has a name that no export gives") }
        let entry = ZipForm.Entry(
            name: name, crc: UInt32(number(head, 16, 4)), size: number(head, 24, 4), offset: number(head, 42, 4))
        guard entry.central == Array(directory[place..<end]) else {
            throw bad("an entry is not stored as an export stores it")
        }
        place = end
        return entry
    }

    private static func bad(_ words: String) -> Failure {
        Failure(.badBundle, "The bundle cannot be taken in: \(words).")
    }
}

private func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
}
