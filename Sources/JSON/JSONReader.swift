/// A strict reader of JSON text with limits, which reports problems by line and column.
///
/// `//` and `/* */` comments and trailing commas are read only on request, since workflow templates are written by
/// hand.
package struct JSONReader {
    package struct Limits: Sendable {
        package var bytes: Int
        package var depth: Int

        package init(bytes: Int = 64 << 20, depth: Int = 128) {
            self.bytes = bytes
            self.depth = depth
        }
    }

    /// Reads a JSON text.
    ///
    /// - Throws: `badJSON` with its place, or `tooLarge` before anything is read.
    package static func read(_ text: String, limits: Limits = Limits(), allowingComments: Bool = false) throws(Failure)
        -> JSON
    {
        try read(Array(text.utf8), limits: limits, allowingComments: allowingComments)
    }

    package static func read(_ bytes: [UInt8], limits: Limits = Limits(), allowingComments: Bool = false)
        throws(Failure) -> JSON
    {
        try refuseLarge(bytes, limits)
        return try scan(bytes, depthLimit: limits.depth, allowsComments: allowingComments).value
    }

    /// Reads an object and hands on the elements of one of its lists as they are read, so that the values of a long list
    /// are never held together. The list itself is empty in the value that is returned.
    ///
    /// - Parameters:
    ///   - key: the key of the list in the outermost object. If its value is no list, nothing is handed on.
    ///   - body: takes each element, in order.
    package static func read(
        _ bytes: [UInt8], limits: Limits, allowingComments: Bool, elementsOf key: String,
        to body: @escaping (JSON) -> Void
    ) throws(Failure) -> JSON {
        try refuseLarge(bytes, limits)
        return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            var scanner = JSONScanner(bytes: buffer, depthLimit: limits.depth, allowsComments: allowingComments)
            scanner.handedOn = (key, body)
            return try scanner.document()
        }
    }

    /// Reads a JSON text with the line of every key and value, counted from 1.
    ///
    /// - Returns: the value, and the lines in the order of the text: the line of an object or a list stands before those
    ///   of its contents, and the line of a key before that of its value.
    package static func readWithLines(_ text: String) throws(Failure) -> (value: JSON, lines: [Int]) {
        try scan(Array(text.utf8), depthLimit: Limits().depth, recordsLines: true)
    }

    /// Checks a JSON text without building its value. Numbers may be of any length and size.
    ///
    /// - Throws: as `read` does.
    static func check(_ bytes: [UInt8], limits: Limits) throws(Failure) {
        try refuseLarge(bytes, limits)
        try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            var scanner = JSONScanner(bytes: buffer, depthLimit: limits.depth, allowsComments: false)
            scanner.keepsValues = false
            _ = try scanner.document()
        }
    }

    private static func refuseLarge(_ bytes: [UInt8], _ limits: Limits) throws(Failure) {
        guard bytes.count > limits.bytes else { return }
        throw Failure(
            code: .tooLarge, message: "The text has \(bytes.count) bytes; at most \(limits.bytes) are read",
            line: 1, column: 1)
    }

    private static func scan(
        _ bytes: [UInt8], depthLimit: Int, allowsComments: Bool = false, recordsLines: Bool = false
    ) throws(Failure) -> (value: JSON, lines: [Int]) {
        try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            var scanner = JSONScanner(bytes: buffer, depthLimit: depthLimit, allowsComments: allowsComments)
            if recordsLines { scanner.lines = [] }
            return (try scanner.document(), scanner.lines ?? [])
        }
    }
}
