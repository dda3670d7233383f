import CProcess
import Glibc
package import Vocabulary

/// The check of the limit on the address space of this process (`ulimit -v`). Under a low limit, threads cannot be
/// created, and the program would hang without an error.
package enum AddressSpace {
    /// The address space that is needed beside the program itself: the stacks of threads, the database, and a small
    /// workflow.
    private static let neededBytes = 96 << 20

    /// Checks the limit, and lets threads share their memory arena if there is one. It must run before the second
    /// thread starts.
    ///
    /// - Throws: `tooLittleMemory`.
    package static func prepare() throws(Failure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return
        }
        cprocess_share_arena()
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let room = mmap(nil, neededBytes, PROT_NONE, flags, -1, 0), room != MAP_FAILED else {
            let megabytes = Int(limit.rlim_cur >> 20)
            throw Failure(
                .tooLittleMemory, "This process may use \(megabytes) MB of memory; that is too little for Assent.")
        }
        munmap(room, neededBytes)
    }
}
