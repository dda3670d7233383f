import Files
import Glibc
import Sandbox
import Synchronization
import Vocabulary

extension Limits {
    /// The most bytes of the list of an archive's entries.
    fileprivate static let unpackedListBytes = 16 << 20

    /// How long listing an archive may take, in seconds.
    fileprivate static let unpackedListSeconds = 60.0

    /// The lists of archives that are kept in memory.
    fileprivate static let rememberedListings = 4
}

/// The names in an archive, by its own list. They are known before anything is unpacked, so that the question can show
/// them.
struct ArchiveListing: Sendable {
    enum Form: Sendable {
        case zip, tar, gzippedTar
    }

    struct Entry: Hashable, Sendable {
        /// The path below the target folder, without `.`, `..` and a slash at its end.
        var path: String
        var isFolder: Bool
    }

    let form: Form
    /// The entries in the order of the archive. A folder need not be an entry itself.
    private(set) var entries: [Entry] = []
    /// The names of files that are in the archive more than once. The last of each is unpacked.
    private(set) var repeated: [String] = []
    /// The names that are written in the code page 437 of MS-DOS, and are no text in UTF-8.
    private(set) var recoded: [String] = []

    /// Returns the format of a file by its first bytes, or `nil` for another kind of file.
    static func form(of file: borrowing OpenFile) throws(Failure) -> Form? {
        let head = try file.read(512)
        if head.starts(with: Array("PK\u{3}\u{4}".utf8)) || head.starts(with: Array("PK\u{5}\u{6}".utf8)) {
            return .zip
        }
        if head.starts(with: [0x1F, 0x8B]) { return .gzippedTar }
        return head.count == 512 && head[257..<262].elementsEqual("ustar".utf8) ? .tar : nil
    }

    /// - Parameter recoded: the names among these that were read in the code page 437.
    init(
        _ form: Form, of name: String, _ written: [(name: [UInt8], isFolder: Bool)], recoded: [String] = []
    ) throws(Failure) {
        (self.form, self.recoded) = (form, recoded)
        guard !written.isEmpty else { throw Failure(.badArchive, "\(name) has nothing in it to unpack.") }
        guard written.count <= Limits.unpackedFiles else {
            throw Failure(
                .tooLarge, "\(name) has more than \(Limits.unpackedFiles) entries.",
                remedy: "Unpack it with a command.")
        }
        var files: Set<[UInt8]> = []
        var folders: Set<[UInt8]> = []
        for entry in written {
            let path = try Self.path(entry.name, of: name)
            // The folder itself.
            guard !path.isEmpty else { continue }
            // Of two entries with the same name, the later one is unpacked.
            let isNew =
                entry.isFolder ? folders.insert(Array(path.utf8)).inserted : files.insert(Array(path.utf8)).inserted
            var above = parent(of: path)
            while above != ".", folders.insert(Array(above.utf8)).inserted { above = parent(of: above) }
            if isNew {
                entries.append(Entry(path: path, isFolder: entry.isFolder))
            } else if !entry.isFolder {
                repeated.append(path)
            }
        }
        // An entry below a link or a file would be unpacked in another place.
        guard files.isDisjoint(with: folders) else {
            throw Failure(.badArchive, "\(name) has an entry below one that is no folder. Nothing was unpacked.")
        }
    }

    /// Checks the name of an entry, and returns it without redundant parts.
    static func path(_ bytes: [UInt8], of archive: String) throws(Failure) -> String {
        func refuse(_ code: Code, _ why: String) -> Failure {
            Failure(
                code, "\(archive) has an entry \(why). Nothing was unpacked.",
                remedy: "Unpack it with a command, if you trust it.")
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw refuse(.badName, "with a name that is no text in UTF-8")
        }
        let isHarmful = name.unicodeScalars.contains { scalar in
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                || scalar == "\\"
        }
        guard !isHarmful else { throw refuse(.badName, "with a control character or a backslash in its name") }
        let parts = name.pathNames
        let hasDrive = bytes.dropFirst().starts(with: Array(":/".utf8))
        guard bytes.first != UInt8(ascii: "/"), !hasDrive, !parts.contains("..") else {
            throw refuse(.leadsOut, "that leads out of its folder: \(name)")
        }
        guard parts.count <= Limits.unpackedDepth, parts.allSatisfy({ $0.utf8.count <= 255 }) else {
            throw refuse(.badName, "with a name that is too long, or too deep in folders")
        }
        return parts.filter { $0 != "." }.joined(separator: "/")
    }
}

/// The list at the end of a zip file. Only names and flags are read here. The unpacked files are checked again later.
enum ZipDirectory {
    /// An unchecked entry of the list (APPNOTE.TXT 4.3.12).
    struct Written {
        var name: [UInt8]
        var bytes: Int
        /// The bytes that it takes in the archive.
        var packed: Int
        var crc: UInt32
        var method: Int
        /// The offset of its own header.
        var offset: Int
        var needsPassword: Bool
        /// Whether the entry says that its name is in UTF-8 (general purpose bit 11).
        var isUTF8: Bool
        var isLink: Bool
        /// Whether it is a device, a pipe or a socket.
        var isSpecial: Bool
        /// Permissions, such as `0o644`.
        var mode: Int
        /// The time of the last change, in nanoseconds since 1970.
        var modified: Int64

        var isFolder: Bool { name.last == UInt8(ascii: "/") }
    }

    static func listing(of file: borrowing OpenFile, _ name: String, most: Int) throws(Failure) -> ArchiveListing {
        let written = try entries(of: file, name, verb: "unpacked")
        guard !written.contains(where: \.needsPassword) else {
            throw Failure(
                .needsPassword, "\(name) needs a password, which Assent does not take.")
        }
        guard !written.contains(where: \.isSpecial) else {
            throw Failure(
                .badArchive, "\(name) has a device, a pipe or a socket. Nothing was unpacked.",
                remedy: "Unpack it with a command, if you trust it.")
        }
        guard written.reduce(0, { $0 + $1.bytes }) <= most else { throw UnpackTool.tooLarge(name, most) }
        // Names without the mark are in UTF-8 if all of them can be, and else in the code page of MS-DOS.
        let unmarked = written.filter { !$0.isUTF8 }
        guard !unmarked.allSatisfy({ String(validating: $0.name, as: UTF8.self) != nil }) else {
            return try ArchiveListing(.zip, of: name, written.map { ($0.name, $0.isFolder) })
        }
        var recoded: [String] = []
        let names = written.map { entry -> (name: [UInt8], isFolder: Bool) in
            guard !entry.isUTF8, entry.name.contains(where: { $0 >= 0x80 }) else { return (entry.name, entry.isFolder) }
            let text = CodePage437.text(of: entry.name)
            recoded.append(text)
            return (Array(text.utf8), entry.isFolder)
        }
        return try ArchiveListing(.zip, of: name, names, recoded: recoded)
    }

    /// Returns the entries with their paths below the folder. The path is empty for the folder itself.
    ///
    /// - Parameter isRecoded: whether names that are not marked as UTF-8 are in the code page of MS-DOS.
    static func placed(in file: borrowing OpenFile, _ name: String, isRecoded: Bool) throws(Failure) -> [(
        path: String, entry: Written
    )] {
        var placed: [(path: String, entry: Written)] = []
        for entry in try entries(of: file, name, verb: "unpacked") {
            let bytes = entry.isUTF8 || !isRecoded ? entry.name : Array(CodePage437.text(of: entry.name).utf8)
            placed.append((try ArchiveListing.path(bytes, of: name), entry))
        }
        return placed
    }

    /// Reads the list at the end of a zip file.
    ///
    /// - Parameter verb: the operation that fails if the list cannot be read, for the message.
    static func entries(of file: borrowing OpenFile, _ name: String, verb: String) throws(Failure) -> [Written] {
        func bad(_ why: String) -> Failure { Failure(.badArchive, "\(name) cannot be \(verb): \(why).") }
        let size = Int(try file.status().st_size)
        let tail = try file.read(min(size, 65_535 + ZipForm.endBytes), at: max(0, size - 65_535 - ZipForm.endBytes))
        guard let end = endRecord(in: tail) else {
            throw ErrorRules.failure("{file} ends too early: the list of its entries is missing.", file: name)
        }
        let (count, length, start) = (tail.little(end + 10, 2), tail.little(end + 12, 4), tail.little(end + 16, 4))
        guard count < 0xFFFF, length < 0xFFFF_FFFF, start < 0xFFFF_FFFF else {
            throw bad("it is a zip file of the large form (zip64)")
        }
        guard count <= Limits.unpackedFiles else {
            throw Failure(.tooLarge, "\(name) has more than \(Limits.unpackedFiles) entries.")
        }
        guard start + length <= size, length <= Limits.unpackedListBytes else {
            throw bad("its list of entries is broken")
        }
        let list = try file.read(length, at: start)
        var (written, place) = ([Written](), 0)
        for _ in 0..<count {
            guard list.count - place >= ZipForm.centralBytes, list.little(place, 4) == Int(ZipForm.centralSignature)
            else {
                throw bad("its list of entries is broken")
            }
            let nameEnd = place + ZipForm.centralBytes + list.little(place + 28, 2)
            guard nameEnd <= list.count else { throw bad("its list of entries is broken") }
            let extraEnd = nameEnd + list.little(place + 30, 2)
            guard extraEnd <= list.count else { throw bad("its list of entries is broken") }
            written.append(entry(list, at: place, nameEnd: nameEnd, extra: Array(list[nameEnd..<extraEnd])))
            place = extraEnd + list.little(place + 32, 2)
        }
        // A count that is too small, as of an old writer that counts to 65,535, would leave entries out.
        guard place == list.count else { throw bad("it has other entries than it lists") }
        return written
    }

    private static func entry(_ list: [UInt8], at place: Int, nameEnd: Int, extra: [UInt8]) -> Written {
        let flags = list.little(place + 8, 2)
        let name = Array(list[(place + ZipForm.centralBytes)..<nameEnd])
        // Permissions count if the archive is from Unix or macOS.
        let attributes = list.little(place + 38, 4)
        let isUnix = [3, 19].contains(list[place + 5]) && attributes >> 16 != 0
        let isFolder = name.last == UInt8(ascii: "/")
        let usual = isFolder ? 0o755 : attributes & 1 != 0 ? 0o444 : 0o644
        return Written(
            name: name, bytes: list.little(place + 24, 4), packed: list.little(place + 20, 4),
            crc: UInt32(list.little(place + 16, 4)), method: list.little(place + 10, 2),
            offset: list.little(place + 42, 4), needsPassword: flags & 1 != 0, isUTF8: flags & 1 << 11 != 0,
            isLink: isUnix && !isFolder && attributes >> 16 & 0o170000 == 0o120000,
            isSpecial: isUnix && ![0, 0o100000, 0o040000, 0o120000].contains(attributes >> 16 & 0o170000),
            mode: isUnix ? attributes >> 16 & 0o777 : usual,
            modified: ZipTime.extended(extra)
                ?? ZipTime.local(date: list.little(place + 14, 2), time: list.little(place + 12, 2)))
    }

    /// Finds the record at the end, whose comment must reach the end of the file.
    private static func endRecord(in tail: [UInt8]) -> Int? {
        guard tail.count >= ZipForm.endBytes else { return nil }
        return (0...(tail.count - ZipForm.endBytes)).reversed().first { place in
            tail.little(place, 4) == Int(ZipForm.endSignature)
                && place + ZipForm.endBytes + tail.little(place + 20, 2) == tail.count
        }
    }
}

/// The lines of `tar --list --quoting-style=escape`.
enum TarList {
    static func names(in lines: [UInt8]) -> [(name: [UInt8], isFolder: Bool)] {
        lines.split(separator: UInt8(ascii: "\n")).map { line in
            let name = unescaped(line)
            return (name, name.last == UInt8(ascii: "/"))
        }
    }

    /// Returns the bytes of a name in which `\303\251` and `\n` stand for single bytes. An unknown escape keeps its
    /// backslash, which no name may have.
    private static func unescaped(_ line: ArraySlice<UInt8>) -> [UInt8] {
        let controls: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "b"): 8,
            UInt8(ascii: "f"): 12,
            UInt8(ascii: "v"): 11, UInt8(ascii: "a"): 7, UInt8(ascii: " "): 32,
        ]
        var (name, rest) = ([UInt8](), line)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                name.append(byte)
                continue
            }
            let digits = rest.prefix(3)
            if digits.count == 3, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) {
                name.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 & 7) }))
                rest = rest.dropFirst(3)
            } else if let control = controls[next] {
                name.append(control)
                rest = rest.dropFirst()
            } else {
                name.append(byte)
                if next == byte { rest = rest.dropFirst() }
            }
        }
        return name
    }
}

extension [UInt8] {
    /// Reads a number whose lowest byte comes first.
    func little(_ place: Int, _ count: Int) -> Int {
        self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A cache of the latest lists of archives, since a call is prepared more than once.
final class ArchiveListings: Sendable {
    private let known = Mutex<[(hash: ContentHash, listing: ArchiveListing)]>([])

    func listing(of hash: ContentHash, _ make: () throws(Failure) -> ArchiveListing) throws(Failure) -> ArchiveListing {
        if let found = known.withLock({ known in known.first { $0.hash == hash }?.listing }) { return found }
        let made = try make()
        known.withLock { known in
            known.insert((hash, made), at: 0)
            if known.count > Limits.rememberedListings { known.removeLast() }
        }
        return made
    }
}

extension Toolbox {
    /// Lists an archive. The list of a tar file is made by its program, in a folder of its own.
    func listing(of asset: Asset, _ assignment: Assignment, cancel: Cancellation = Cancellation()) throws(Failure)
        -> ArchiveListing
    {
        try archiveListings.listing(of: asset.hash) { () throws(Failure) in
            let file = try OpenFile(try store.path(of: asset), O_RDONLY)
            guard let form = try ArchiveListing.form(of: file) else {
                throw Failure(
                    .badArchive, "\(asset.name) is not a zip, tar or tar.gz archive.",
                    remedy: "Unpack other archives with a command.")
            }
            if form == .zip { return try ZipDirectory.listing(of: file, asset.name, most: UnpackTool.most(of: asset)) }
            var listed = assignment
            listed.runFolder = "\(temporaryFolder)/assent-list-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            defer { removeFolder(listed.runFolder) }
            var bench = try workbench(listed, cancel: cancel)
            bench.complaints.keepsLog = false
            let placed = try bench.place(asset, as: "in-1.tar")
            let options = form == .gzippedTar ? " --gzip" : ""
            let line = "exec tar --list --absolute-names --quoting-style=escape\(options) --file=\(placed) > names"
            let ran = try bench.runHeeded(["sh", "-c", line]) { command in
                command.fileBytes = Limits.unpackedListBytes
                command.timeoutSeconds = Limits.unpackedListSeconds
            }
            if let failure = ran.failure { throw UnpackTool.refusal(asset.name, failure, ran.traces) }
            let names = try readWhole("\(bench.folder.path)/names", limit: Limits.unpackedListBytes)
            return try ArchiveListing(form, of: asset.name, TarList.names(in: names))
        }
    }
}
