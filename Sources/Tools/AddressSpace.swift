import CProcess
import Glibc
package import Vocabulary

/// What this process may map, where somebody has set a limit (`ulimit -v`). A thread that cannot be made then is no
/// error that could be heard of: the program would stand still.
package enum AddressSpace {
    /// What is wanted beside the program itself: stacks of threads, the database, and what a small workflow takes.
    private static let neededBytes = 96 << 20

    /// Called before there is a second thread.
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
                "tooLittleMemory", "This process may use \(megabytes) MB of memory; that is too little for Assent.",
                remedy: "Raise the limit ('ulimit -v unlimited'), then try again.")
        }
        munmap(room, neededBytes)
    }
}
