import Glibc

/// An exchange that was recorded with a real server: lines with `#` (the request), the status line, headers, an empty
/// line, the body.
package struct HTTPRecording: Sendable {
    package let status: Int
    package let headers: [String: String]
    package let body: [UInt8]

    package init(file: String) throws {
        guard let handle = fopen(file, "r") else { throw ScriptFailure("\(file) cannot be read") }
        defer { fclose(handle) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = fread(&block, 1, block.count, handle)
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        var lines: [String] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self).filter { $0 != "\r" }
            rest = rest[(end + 1)...]
            guard !line.isEmpty else { break }
            lines.append(line)
        }
        lines.removeAll { $0.hasPrefix("#") }
        body = Array(rest)
        status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
        headers = Dictionary(
            fields.map { ($0[0].lowercased(), $0.dropFirst().first.map { String($0.drop { $0 == " " }) } ?? "") }
        ) { $1 }
    }

    /// Returns the recorded answer as a stream of pieces of `pieceLength` bytes.
    package func answer(pieceLength: Int = 100) -> ScriptAnswer {
        let starts = stride(from: 0, to: body.count, by: pieceLength)
        let pieces = starts.map { Array(body[$0..<min($0 + pieceLength, body.count)]) }
        var answer = ScriptAnswer.stream(pieces)
        answer.status = status
        answer.headers = headers.filter { $0.key != "content-length" && $0.key != "transfer-encoding" }
        return answer
    }
}
