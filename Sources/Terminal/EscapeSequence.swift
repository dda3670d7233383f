/// The first element of some bytes that begin with Esc, recognised by the forms of ECMA-48 and of the keys of Linux and
/// xterm. Pure.
///
/// Terminals send such sequences for keys, and also unrequested reports: of the mouse, of colours, of the cursor. A
/// sequence that is not a key of the prompt must be read completely, or its rest would be typed.
enum EscapeSequence: Hashable {
    /// A key of the prompt, with its number of bytes.
    case key(Int)
    /// Any other sequence, with its number of bytes.
    case other(Int)
    /// Bytes that may be the first part of a sequence.
    case incomplete

    private static let esc: UInt8 = 0x1B
    private static let bell: UInt8 = 0x07

    /// The keys of the prompt, without their Esc: the bound ones, and the arrows.
    static let keys: Set<String> = {
        let bound = EditorLoop.keys.map(\.0).filter { $0.hasPrefix("\\e[") || $0.hasPrefix("\\eO") }.map {
            String($0.dropFirst(2))
        }
        return Set(bound + ["A", "B", "C", "D"].flatMap { ["[\($0)", "O\($0)"] })
    }()

    /// Recognises the first element of bytes.
    ///
    /// - Parameter bytes: all bytes so far. The first is Esc.
    init(_ bytes: [UInt8]) {
        guard bytes.count > 1 else {
            self = .incomplete
            return
        }
        switch bytes[1] {
        // Each Esc stands for itself, and does nothing at a prompt.
        case Self.esc: self = .other(1)
        case 0x5B: self = Self.control(bytes)
        case 0x4F: self = bytes.count < 3 ? .incomplete : Self.known(bytes, 3)
        case 0x5D, 0x50, 0x58, 0x5E, 0x5F: self = Self.string(bytes)
        case 0x08, 0x0A, 0x0D: self = .key(2)
        // A control is a key of its own, so that Ctrl-C always counts.
        case 0x00..<0x20: self = .other(1)
        // Alt with a key.
        default: self = .key(2)
        }
    }

    private static func known(_ bytes: [UInt8], _ count: Int) -> Self {
        keys.contains(String(decoding: bytes[1..<count], as: UTF8.self)) ? .key(count) : .other(count)
    }

    /// Reads a control sequence: parameters, intermediate bytes, one final byte.
    private static func control(_ bytes: [UInt8]) -> Self {
        guard bytes.count > 2 else { return .incomplete }
        // The mouse of X10 has three bytes after it, the function keys of the Linux console one.
        if bytes[2] == 0x4D { return bytes.count < 6 ? .incomplete : .other(6) }
        if bytes[2] == 0x5B { return bytes.count < 4 ? .incomplete : .other(4) }
        for (index, byte) in bytes.enumerated().dropFirst(2) {
            switch byte {
            case 0x20...0x3F: continue
            case 0x40...0x7E: return known(bytes, index + 1)
            // The sequence is aborted, and the next byte is a key of its own.
            default: return .other(index)
            }
        }
        return .incomplete
    }

    /// Reads a string, such as the answer to a question about colours. It ends with BEL, or with Esc and a backslash.
    private static func string(_ bytes: [UInt8]) -> Self {
        for (index, byte) in bytes.enumerated().dropFirst(2) {
            switch byte {
            case bell: return .other(index + 1)
            case esc:
                guard index + 1 < bytes.count else { return .incomplete }
                return .other(bytes[index + 1] == 0x5C ? index + 2 : index)
            case 0x00..<0x20: return .other(index)
            default: continue
            }
        }
        return .incomplete
    }
}
