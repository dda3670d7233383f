package import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most bytes of all files that a rehearsed command may write.
    package static let rehearsedBytes = 4 << 30

    /// The most bytes of a request to the proxy before its body.
    static let proxyHeadBytes = 16 << 10

    /// The most bytes that pass a command's proxy in both directions.
    static let proxyBytes = 4 << 30

    /// The most bytes of standard output, and of standard error, of a program without a limit of its own.
    package static let programLogBytes = 1 << 20

    /// The most bytes on the standard output of a program that is the content of a result.
    package static let standardOutputBytes = 1 << 30

    /// The bytes at the end of standard error that are searched for the line that explains a failure.
    package static let errorTailBytes = 4096

    /// The most bytes of the record of a program's end.
    static let exitRecordBytes = 4096
}
