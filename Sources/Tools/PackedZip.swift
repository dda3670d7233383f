import CZlib
import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most bytes of a zip file that a tool makes. The long forms of the format (zip64) are not used.
    fileprivate static let packedBytes = 4_000_000_000
}

/// A writer for zip files of the user's files, with permissions, times and links (APPNOTE.TXT 6.3.10). The same entries
/// give the same bytes: names are in UTF-8, times in UTC, and nothing says who made the file.
struct PackedZip: ~Copyable {
    private let file: OpenFile
    private var directory: [UInt8] = []
    private var count = 0
    private var offset = 0

    /// - Parameter path: the path of a file that does not exist.
    init(_ path: String) throws(Failure) { file = try OpenFile(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) }

    /// Adds a folder.
    mutating func add(folder entry: TreeEntry) throws(Failure) {
        try add(Header(entry, name: entry.path + "/", kind: S_IFDIR, offset: offset))
    }

    /// Adds a link. Its content is the path to which it leads.
    mutating func add(link entry: TreeEntry) throws(Failure) {
        let content = Array((entry.leadsTo ?? "").utf8)
        var header = Header(entry, name: entry.path, kind: S_IFLNK, offset: offset)
        var crc = CRC32()
        crc.add(content)
        (header.crc, header.size, header.packed) = (crc.value, content.count, content.count)
        try add(header)
        try file.write(content)
        offset += content.count
    }

    /// Adds a file.
    ///
    /// - Throws: `targetChanged` if its size is not that of the entry, or `tooLarge`.
    mutating func add(file entry: TreeEntry, _ content: borrowing OpenFile) throws(Failure) {
        var header = Header(entry, name: entry.path, kind: S_IFREG, offset: offset)
        header.method = Header.deflated
        let place = offset
        // Checksum and sizes are known after the content was read.
        try file.write(header.local)
        let deflater = try Deflater()
        var (crc, packed) = (crc32(0, nil, 0), 0)
        func put(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
            packed += bytes.count
            guard place + packed <= Limits.packedBytes else { throw Self.tooLarge }
            try file.write(bytes)
        }
        let (_, size) = try content.digest { (piece) throws(Failure) in
            crc = crc32(crc, piece.baseAddress?.assumingMemoryBound(to: Bytef.self), uInt(piece.count))
            try deflater.add(piece, put)
        }
        try deflater.add(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, put)
        guard size == entry.bytes else { throw targetChanged(entry.path) }
        (header.crc, header.size, header.packed) = (UInt32(crc), size, packed)
        let local = header.local
        guard pwrite(file.descriptor, local, local.count, off_t(place)) == local.count else {
            throw fileFailure("write", "the archive")
        }
        note(header, bytes: local.count + packed)
    }

    /// Writes the list of all entries.
    mutating func finish() throws(Failure) {
        try file.write(directory)
        try file.write(ZipForm.end(entries: count, directory: offset..<offset + directory.count))
    }

    private mutating func add(_ header: Header) throws(Failure) {
        let local = header.local
        try file.write(local)
        note(header, bytes: local.count)
    }

    private mutating func note(_ header: Header, bytes: Int) {
        directory += header.central
        count += 1
        offset += bytes
    }

    private static let tooLarge = Failure(
        .tooLarge, "The zip file would have more than \(Limits.packedBytes) bytes.",
        remedy: "Pack fewer files, or make a tar.gz.")

    /// The description of an entry, before its content and in the list at the end.
    private struct Header {
        /// The method of compression: none, or that of RFC 1951.
        static let deflated: UInt16 = 8
        /// Names are in UTF-8 (bit 11).
        private static let flags: UInt16 = 1 << 11
        /// Version 3.0 of the format on Unix, so that the permissions count.
        private static let madeBy: UInt16 = 3 << 8 | 30
        private static let needed: UInt16 = 20

        let name: [UInt8]
        let mode: UInt32
        let modified: Int64
        let offset: Int
        var method: UInt16 = 0
        var crc: UInt32 = 0
        var size = 0
        var packed = 0

        init(_ entry: TreeEntry, name: String, kind: mode_t, offset: Int) {
            self.name = Array(name.utf8)
            mode = UInt32(kind) | UInt32(entry.kind == .link ? 0o777 : entry.mode & 0o777)
            // Down, for times before 1970, too.
            modified = entry.modified >= 0 ? entry.modified / second : -((second - 1 - entry.modified) / second)
            self.offset = offset
        }

        var local: [UInt8] {
            ZipForm.little(ZipForm.localSignature) + common + lengths + name + time
        }

        var central: [UInt8] {
            var bytes = ZipForm.little(ZipForm.centralSignature) + ZipForm.little(Self.madeBy) + common + lengths
            // No comment, the first disk, no mark of a text.
            bytes += [0, 0, 0, 0, 0, 0]
            // The permissions, and the mark of a folder in MS-DOS.
            bytes += ZipForm.little(mode << 16 | (mode & UInt32(S_IFMT) == UInt32(S_IFDIR) ? 0x10 : 0))
            return bytes + ZipForm.little(UInt32(offset)) + name + time
        }

        /// The fields that both have, from the version to the sizes.
        private var common: [UInt8] {
            let stamp = ZipForm.stamp(of: Moment(milliseconds: modified * 1000))
            var bytes = ZipForm.little(Self.needed) + ZipForm.little(Self.flags) + ZipForm.little(method)
            bytes += ZipForm.little(stamp.time) + ZipForm.little(stamp.date) + ZipForm.little(crc)
            return bytes + ZipForm.little(UInt32(packed)) + ZipForm.little(UInt32(size))
        }

        private var lengths: [UInt8] {
            ZipForm.little(UInt16(name.count)) + ZipForm.little(UInt16(time.count))
        }

        /// The time of the last change in seconds (extended timestamp, 0x5455), or nothing for a time that it cannot say.
        private var time: [UInt8] {
            guard let seconds = Int32(exactly: modified) else { return [] }
            return ZipForm.little(UInt16(0x5455)) + ZipForm.little(UInt16(5)) + [1] + ZipForm.little(seconds)
        }
    }
}

/// Nanoseconds.
private let second: Int64 = 1_000_000_000
