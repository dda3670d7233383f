import JSON

/// Functions on paths, which are compared as bytes. A slash always divides names, although a combining mark behind it
/// would hide it in a `Character`.
extension String {
    /// The names of which a path is made, without the empty ones.
    package var pathNames: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// Returns the part of this path below a folder, compared byte by byte. It is empty for the folder itself, and
    /// `nil` for a path elsewhere.
    package func path(below folder: String) -> String? {
        let folder = folder == "/" ? "" : folder
        guard utf8.starts(with: folder.utf8) else { return nil }
        let rest = utf8.dropFirst(folder.utf8.count)
        guard let slash = rest.first else { return "" }
        return slash == UInt8(ascii: "/") ? String(Substring(rest.dropFirst())) : nil
    }

    /// Returns this absolute path with `~` for the home, if it lies there.
    package func shortened(home: String?) -> String {
        guard let home, home.utf8.count > 1, let below = path(below: home) else { return self }
        return below.isEmpty ? "~" : "~/\(below)"
    }

    /// Returns the path of an entry of this folder. The path of the root ends in a slash already.
    package func child(_ name: String) -> String { (self == "/" ? "" : self) + "/" + name }

    /// Whether two names are the same to a file system, byte by byte.
    package func isSameName(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
    /// Whether a name begins as an option of a program does.
    package var isLikeOption: Bool { utf8.first == UInt8(ascii: "-") }

    /// Whether a character moves, hides or reverses others, or shows nothing.
    package var hasUnseenCharacter: Bool { unicodeScalars.contains(where: \.isUnseen) }

    /// The name itself, or as JSON writes it if it could look like another line of a result or like a part of one.
    package var quotedIfOdd: String {
        hasUnseenCharacter || hasPrefix("\"") || hasPrefix(" ") || hasSuffix(" ") || contains(" · ")
            ? JSON.string(self).text : self
    }
}

extension Unicode.Scalar {
    /// Controls, line ends, bidi marks, zero-width and tag characters.
    package var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: true
        default: value == 0x2800 || properties.isDefaultIgnorableCodePoint
        }
    }
}
