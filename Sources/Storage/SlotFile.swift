import Glibc
import Synchronization
package import Vocabulary

/// The slots that all processes of one data folder share: locks on bytes of an empty file beside the database, one byte
/// for each slot. The kernel releases them when a process dies. Nothing is ever written to the file.
package final class SlotFile: Sendable {
    private struct State: ~Copyable {
        /// The descriptor of the file, or -1 once it is closed.
        var descriptor: Int32
        /// The slots that this process holds. Locks of one descriptor do not exclude each other, so the kernel cannot
        /// tell.
        var held: Set<Int64> = []
        /// The bytes that mark this process as waiting for a slot.
        var waits: [SlotPlace: Int64] = [:]
    }

    private let state: Mutex<State>

    /// Opens the file in `folder`, and makes it if it is missing.
    ///
    /// - Throws: `storageReadOnly`, `storageFull`.
    package init(folder: String) throws(Failure) {
        // O_CLOEXEC: a child that inherits the descriptor would hold slots after our death.
        let descriptor = open(folder + "/slots", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let isFull = errno == ENOSPC || errno == EDQUOT
            throw Failure(
                isFull ? .storageFull : .storageReadOnly,
                "The slots cannot be counted: \(String(cString: strerror(errno))).",
                remedy: "Look at the data folder's rights and space.")
        }
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { close() }

    /// Releases all slots, and closes the file.
    package func close() {
        state.withLock { state in
            // A forked child that is about to execute a program shares the open file, and would hold the locks a while
            // longer.
            for byte in state.held.union(state.waits.values) { _ = Self.lock(F_UNLCK, byte, state.descriptor) }
            if state.descriptor >= 0 { Glibc.close(state.descriptor) }
            (state.descriptor, state.held, state.waits) = (-1, [], [:])
        }
    }

    /// Takes a slot of a place. If all `cap` slots are in use by any process, marks this process as waiting.
    ///
    /// - Returns: the slot, or nil if none is free.
    package func take(_ place: SlotPlace, of cap: Int) -> Int64? {
        state.withLock { state in
            let first = Self.region(of: place)
            for slot in first..<(first + Int64(min(cap, Limits.mostSlots))) where !state.held.contains(slot) {
                guard Self.lock(F_WRLCK, slot, state.descriptor) else { continue }
                state.held.insert(slot)
                Self.stopWaiting(&state, place)
                return slot
            }
            if state.waits[place] == nil { Self.beginWaiting(&state, place) }
            return nil
        }
    }

    /// Returns a slot to its place.
    ///
    /// - Returns: whether another process waits for a slot there.
    package func give(_ slot: Int64, of place: SlotPlace) -> Bool {
        state.withLock { state in
            guard state.held.remove(slot) != nil else { return false }
            _ = Self.lock(F_UNLCK, slot, state.descriptor)
            var asked = flock()
            (asked.l_type, asked.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
            (asked.l_start, asked.l_len) = (off_t(Self.region(of: place) + Self.waiting), off_t(Limits.mostSlots))
            return fcntl(state.descriptor, Self.getLock, &asked) == 0 && asked.l_type != Int16(F_UNLCK)
        }
    }

    /// Unlocks the byte that marks this process as waiting for a slot.
    package func stopWaiting(for place: SlotPlace) { state.withLock { Self.stopWaiting(&$0, place) } }

    private static func stopWaiting(_ state: inout State, _ place: SlotPlace) {
        guard let byte = state.waits.removeValue(forKey: place) else { return }
        _ = lock(F_UNLCK, byte, state.descriptor)
    }

    private static func beginWaiting(_ state: inout State, _ place: SlotPlace) {
        let first = region(of: place) + waiting
        for byte in first..<(first + Int64(Limits.mostSlots)) where lock(F_WRLCK, byte, state.descriptor) {
            state.waits[place] = byte
            return
        }
    }

    // MARK: Bytes

    /// The offset in a region, after its slots, of the bytes of waiting processes, one for each.
    private static let waiting: Int64 = 1 << 10
    private static let regionBytes: Int64 = 1 << 11
    // F_OFD_GETLK and F_OFD_SETLK, which the Glibc module hides behind _GNU_SOURCE. Such locks belong to the open file,
    // not to the process. So two engines of one process exclude each other, and closing another descriptor of the file
    // releases nothing.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    /// Returns the offset of the bytes of a place. If the hashes of two providers collide, they share their slots: one
    /// chance in 2^40.
    private static func region(of place: SlotPlace) -> Int64 {
        switch place {
        case .local: 0
        case .remote: regionBytes
        case .provider(let id):
            // FNV-1a: the same in every process and version.
            regionBytes
                * (2
                    + Int64(
                        id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 24))
        }
    }

    private static func lock(_ kind: Int32, _ byte: Int64, _ descriptor: Int32) -> Bool {
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(kind), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (off_t(byte), 1)
        while fcntl(descriptor, setLock, &lock) != 0 { if errno != EINTR { return false } }
        return true
    }
}
