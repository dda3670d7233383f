/// A pattern for file names, such as `*.jpg` or `IMG_?[0-9].png`, with `*`, `?` and `[…]` (`[!…]` for all other
/// characters). Only a pattern that begins with a dot matches names that do.
package struct GlobPattern {
    private indirect enum Piece {
        case anything
        case one
        case scalar(Unicode.Scalar)
        case among([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        package func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .anything, .one: true
            case .scalar(let own): own == scalar
            case .among(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }

        var isAnything: Bool { if case .anything = self { true } else { false } }
    }

    private let pieces: [Piece]
    private let wantsHidden: Bool

    package init(_ text: String) {
        wantsHidden = text.hasPrefix(".")
        var pieces: [Piece] = []
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": if pieces.last?.isAnything != true { pieces.append(.anything) }
            case "?": pieces.append(.one)
            case "[": pieces.append(Self.set(from: &rest) ?? .scalar("["))
            case "\\": pieces.append(.scalar(rest.popFirst() ?? "\\"))
            default: pieces.append(.scalar(scalar))
            }
        }
        self.pieces = pieces
    }

    /// Reads the set after a `[`. Returns `nil`, and leaves `rest` unchanged, if the set has no end.
    private static func set(from rest: inout ArraySlice<Unicode.Scalar>) -> Piece? {
        var look = rest
        let isNegated = look.first == "!" || look.first == "^"
        if isNegated { look.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let low = look.popFirst() {
            if low == "]", !ranges.isEmpty {
                rest = look
                return .among(ranges, isNegated: isNegated)
            }
            if look.first == "-", let high = look.dropFirst().first, high != "]", low <= high {
                look = look.dropFirst(2)
                ranges.append(low...high)
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    /// Whether a name matches the pattern. After a mismatch, only the last `*` is tried again, so no pattern is slow.
    package func matches(_ name: String) -> Bool {
        if name.hasPrefix("."), !wantsHidden { return false }
        let scalars = Array(name.unicodeScalars)
        var (piece, scalar) = (0, 0)
        var retry: (piece: Int, scalar: Int)?
        while scalar < scalars.count {
            if piece < pieces.count, pieces[piece].isAnything {
                retry = (piece, scalar)
                piece += 1
            } else if piece < pieces.count, pieces[piece].matches(scalars[scalar]) {
                piece += 1
                scalar += 1
            } else if let again = retry {
                retry = (again.piece, again.scalar + 1)
                (piece, scalar) = (again.piece + 1, again.scalar + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy(\.isAnything)
    }
}
