import Services
import Vocabulary

extension Limits {
    /// The least time between the two looks that a deletion by age needs, in seconds: a day.
    package static let agedLooksSeconds = 86_400.0
}

/// The looks for files that are old enough to be deleted (`semantics.md` 231).
///
/// A file is deleted for its age if two looks by the wall clock, a day apart, both find it old enough. So a clock that
/// was once ahead deletes nothing. The first look is stored, and ages count up to it.
struct AgeLooks {
    /// The file that holds the time of the first look, in milliseconds since 1970.
    let path: String

    init(folder: String) { path = folder + "/looked" }

    /// Returns the first look, if it is long enough ago. Files that were old enough at that time may be deleted now.
    func first(before now: Moment) -> Moment? {
        stored.flatMap { now.seconds(since: $0) >= Limits.agedLooksSeconds ? $0 : nil }
    }

    /// Stores this look as the first of the next two, unless another one is waiting for its second. A stored look that
    /// lies in the future is replaced, since a clock that was ahead has left it.
    func note(_ now: Moment) throws(Failure) {
        if let stored, stored <= now, now.seconds(since: stored) < Limits.agedLooksSeconds { return }
        try FileSystem.replace(path, with: Array(String(now.milliseconds).utf8))
    }

    private var stored: Moment? {
        guard let bytes = try? FileSystem.bytes(path, limit: 100) else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self)).map { Moment(milliseconds: $0) }
    }
}
