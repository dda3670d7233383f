import Actions
import Synchronization
import Terminal
import Vocabulary

extension Limits {
    /// The most levels of JSON that is laid out. Deeper JSON is shown as plain text.
    package static let laidOutDepth = 100_000

    /// The levels of JSON that are indented. Deeper levels have the indentation of the last one.
    package static let laidOutIndents = 40

    /// The most bytes of a number or a word of JSON that is laid out.
    fileprivate static let jsonAtomBytes = 4096
}

/// A layout of JSON that is written while its bytes come: one member a line, two spaces a level.
///
/// No tree is built, so that neither the size nor the depth of the JSON costs memory.
struct JSONLayout {
    private enum Expected { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, end }

    /// The laid-out text that was not returned yet.
    private(set) var laidOut: [UInt8] = []
    private var open: [UInt8] = []
    private var expected = Expected.value
    private var isAfterColon = false
    private var (isInString, isEscaped, isKey) = (false, false, false)
    /// The bytes of a number, `true`, `false` or `null` that may continue.
    private var atom: [UInt8] = []

    /// Removes the text that was laid out so far and returns it.
    mutating func take() -> [UInt8] {
        defer { laidOut = [] }
        return laidOut
    }

    /// Reads one byte.
    ///
    /// - Returns: whether the bytes may still be JSON.
    mutating func feed(_ byte: UInt8) -> Bool {
        if isInString { return goOn(byte) }
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: return endAtom()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard endAtom(), begin(isKey: false), open.count < Limits.laidOutDepth else { return false }
            laidOut.append(byte)
            open.append(byte)
            expected = byte == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return endAtom() && close(byte)
        case UInt8(ascii: ","):
            guard endAtom(), expected == .commaOrEnd, let last = open.last else { return false }
            laidOut.append(byte)
            expected = last == UInt8(ascii: "{") ? .key : .value
        case UInt8(ascii: ":"):
            guard endAtom(), expected == .colon else { return false }
            laidOut += ": ".utf8
            (expected, isAfterColon) = (.value, true)
        case UInt8(ascii: "\""):
            let startsKey = expected == .key || expected == .keyOrEnd
            guard endAtom(), begin(isKey: startsKey) else { return false }
            laidOut.append(byte)
            (isInString, isKey) = (true, startsKey)
        default:
            guard !atom.isEmpty || begin(isKey: false), atom.count < Limits.jsonAtomBytes else { return false }
            atom.append(byte)
        }
        return true
    }

    /// Returns whether all that was read is one value.
    mutating func end() -> Bool { !isInString && endAtom() && expected == .end }

    private mutating func goOn(_ byte: UInt8) -> Bool {
        laidOut.append(byte)
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
            expected = isKey ? .colon : afterValue
        }
        return byte >= 0x20
    }

    private var afterValue: Expected { open.isEmpty ? .end : .commaOrEnd }

    /// Begins a key or a value on a line of its own, unless the value stands behind its key.
    private mutating func begin(isKey: Bool) -> Bool {
        let isFitting =
            switch expected {
            case .value, .valueOrEnd: !isKey
            case .key, .keyOrEnd: isKey
            case .colon, .commaOrEnd, .end: false
            }
        guard isFitting else { return false }
        if isAfterColon { isAfterColon = false } else if !open.isEmpty { newLine() }
        return true
    }

    private mutating func close(_ byte: UInt8) -> Bool {
        guard open.last == (byte == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "[")) else { return false }
        open.removeLast()
        switch expected {
        case .keyOrEnd, .valueOrEnd: break
        case .commaOrEnd: newLine()
        case .value, .key, .colon, .end: return false
        }
        laidOut.append(byte)
        expected = afterValue
        return true
    }

    private mutating func endAtom() -> Bool {
        guard !atom.isEmpty else { return true }
        defer { atom = [] }
        let isNumber =
            atom.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            && atom.contains { (0x30...0x39).contains($0) }
        guard isNumber || ["true", "false", "null"].contains(String(decoding: atom, as: UTF8.self)) else {
            return false
        }
        laidOut += atom
        expected = afterValue
        return true
    }

    /// Begins a line. Deeper levels are drawn at the same place, so that a line stays short.
    private mutating func newLine() {
        laidOut.append(0x0A)
        laidOut.append(contentsOf: repeatElement(0x20, count: 2 * min(open.count, Limits.laidOutIndents)))
    }
}

/// A source of JSON laid out. It is read from its beginning to its end, once.
final class LaidOutJSON: ByteSource {
    private let source: any ByteSource
    private let state: Mutex<(layout: JSONLayout, offset: Int, rest: [UInt8], hasEnded: Bool)>

    /// Reads the whole source to find out whether it is JSON.
    ///
    /// - Returns: `nil` if the source is not JSON.
    init?(_ source: any ByteSource) throws(Failure) {
        self.source = source
        state = Mutex((JSONLayout(), 0, [], false))
        var (layout, offset) = (JSONLayout(), 0)
        while true {
            let piece = try source.read(Limits.viewBlockBytes, at: offset)
            for byte in piece { guard layout.feed(byte) else { return nil } }
            _ = layout.take()
            offset += piece.count
            if piece.count < Limits.viewBlockBytes { break }
        }
        guard layout.end() else { return nil }
    }

    func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
        try state.withLock { state throws(Failure) in
            while state.rest.count < count, !state.hasEnded {
                let piece = try source.read(Limits.viewBlockBytes / 16, at: state.offset)
                // What changed since it was read first ends here.
                let isSame = piece.allSatisfy { state.layout.feed($0) }
                state.offset += piece.count
                if piece.isEmpty { _ = state.layout.end() }
                state.hasEnded = piece.isEmpty || !isSame
                state.rest += state.layout.take()
            }
            let given = Array(state.rest.prefix(count))
            state.rest.removeFirst(given.count)
            return given
        }
    }
}
