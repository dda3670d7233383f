import CEmbedded

/// The files of `Prompts/` and `Config/`, stored inside the program so that it needs no other file. A reader should
/// look in the user's config folder first.
package enum Embedded {
    /// Paths from the top of the repository, such as `Config/tools/images.yaml`.
    package static var paths: [String] { files.map { String(cString: $0.path) } }

    package static func bytes(at path: String) -> [UInt8]? {
        files.first { String(cString: $0.path) == path }.map {
            Array(UnsafeBufferPointer(start: $0.bytes, count: $0.count))
        }
    }

    package static func text(at path: String) -> String? {
        bytes(at: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static var files: [cembedded_file] { (0..<cembedded_count()).map { cembedded_at($0).pointee } }
}
