import CSQLite

/// A checksum of one row with 53 bits, each of which depends on every bit of the row.
///
/// It detects errors of disks and of memory. It is not a signature: a program that can write to the file can also write
/// a fitting checksum.
struct Checksum {
    /// The bits of a checksum, and of a sum of them. They are few enough that SQLite adds two sums without an overflow,
    /// and within the bounds of all stored numbers.
    static let mask: Int64 = (1 << 53) - 1

    private var state: UInt64

    /// Begins the checksum of a row. Equal rows of different tables get different checksums.
    init(table: String) {
        state = 0x2545_F491_4F6C_DD1D
        for byte in table.utf8 { mix(UInt64(byte)) }
    }

    /// Mixes a word into the state. Both operations are reversible, so different values never give the same state.
    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
    }

    /// Adds a number by itself.
    mutating func add(_ number: Int64) { mix(UInt64(bitPattern: number)) }

    /// Adds the value of a column. `NULL` adds nothing, so a column that is added later leaves the checksums of older
    /// rows unchanged.
    ///
    /// - Parameter value: a `sqlite3_value` that no other thread uses during the call.
    mutating func add(_ value: OpaquePointer?, at column: Int32) {
        let type = sqlite3_value_type(value)
        guard type != SQLITE_NULL else { return }
        mix(UInt64(column) << 8 | UInt64(type))
        switch type {
        case SQLITE_INTEGER: mix(UInt64(bitPattern: sqlite3_value_int64(value)))
        case SQLITE_FLOAT: mix(sqlite3_value_double(value).bitPattern)
        default:
            // As a blob, so that a text that is no longer valid UTF-8 counts with its bytes.
            let start = sqlite3_value_blob(value)
            add(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        mix(UInt64(bytes.count))
        var index = 0
        while index + 8 <= bytes.count {
            mix(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var rest: UInt64 = 0
        for byte in bytes[index...] { rest = rest << 8 | UInt64(byte) }
        mix(rest)
    }

    /// The finished number, at least 0.
    var number: Int64 {
        var last = self
        last.mix(0)
        last.mix(0)
        return Int64(last.state >> 11)
    }
}

/// The sums of the checksums of rows that belong together. The order of the rows does not matter.
struct ChecksumPair: Hashable {
    /// The sum of the events, which are only ever added.
    var events: Int64 = 0
    /// The sum of all other rows, which may change.
    var rows: Int64 = 0

    mutating func add(_ number: Int64, isEvent: Bool) {
        if isEvent { events = (events + number) & Checksum.mask } else { rows = (rows + number) & Checksum.mask }
    }

    mutating func remove(_ number: Int64, isEvent: Bool) { add(Checksum.mask + 1 - number, isEvent: isEvent) }

    /// A check of both sums. If one bit of a sum changes, several bits of the check do. It is linear, so it can be
    /// updated by adding, as the sums are.
    var check: Int64 { (31 * events + 17 * rows) & Checksum.mask }
}
