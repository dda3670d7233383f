import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most bytes of arguments that are read. The kernel takes fewer, unless the stack is very large.
    fileprivate static let argumentBytes = 8 << 20
}

/// The words after the program's name in its call.
///
/// The Swift runtime looks for the arguments below the environment on the stack. It finds none if a preloaded library
/// has set a variable before, since the environment lies elsewhere then. The kernel still knows them.
enum ProgramArguments {
    /// Returns the arguments of this process.
    ///
    /// - Throws: `badUsage` if neither the runtime nor the kernel gives the name of the program.
    static func ofThisProcess() throws(Failure) -> [String] {
        try from(runtime: CommandLine.arguments) { () throws(Failure) in
            try OpenFile("/proc/self/cmdline", O_RDONLY).read(Limits.argumentBytes)
        }
    }

    /// Returns the arguments behind the program's name.
    ///
    /// - Parameters:
    ///   - runtime: the arguments with the program's name, as the runtime knows them. They are empty if it lost them.
    ///   - kernel: reads the arguments with the program's name, each of which ends with a zero byte.
    static func from(runtime: [String], kernel: () throws(Failure) -> [UInt8]) throws(Failure) -> [String] {
        guard runtime.isEmpty else { return Array(runtime.dropFirst()) }
        let bytes: [UInt8]
        do throws(Failure) { bytes = try kernel() } catch { throw lost(": \(error.message)") }
        guard bytes.last == 0 else { throw lost(".") }
        let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        return words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    private static func lost(_ end: String) -> Failure {
        Failure(
            .badUsage, "The arguments of this call cannot be read\(end)",
            remedy: "Start Assent without LD_PRELOAD, and with /proc mounted.")
    }
}
