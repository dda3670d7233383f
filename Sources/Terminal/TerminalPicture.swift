/// A picture in the form of a terminal: its cells, and the bytes that draw it. It is made only from checked bytes, so
/// that no picture file can control the terminal.
package struct TerminalPicture: Hashable, Sendable {
    package let columns: Int
    package let rows: Int
    /// The sequence that draws the picture at the cursor. It is empty for rows of symbols.
    let sequence: String
    /// The rows of a picture that is drawn with characters.
    let symbols: [String]

    private init(columns: Int, rows: Int, sequence: String = "", symbols: [String] = []) {
        (self.columns, self.rows, self.sequence, self.symbols) = (columns, rows, sequence, symbols)
    }

    /// Creates the sequence that makes the terminal draw a PNG, by the protocol of kitty or of iTerm2. Fails if the
    /// bytes are not a PNG, or too large.
    package init?(png: [UInt8], _ form: PictureProtocol, in room: PictureRoom) {
        guard png.count <= TerminalLimits.pictureBytes, png.count > 33,
            png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        else { return nil }
        func number(at place: Int) -> Int { png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (columns, rows) = room.cells(width: number(at: 16), height: number(at: 20))
        switch form {
        case .kitty: self.init(columns: columns, rows: rows, sequence: Self.kitty(png, columns, rows))
        case .iterm: self.init(columns: columns, rows: rows, sequence: Self.iterm(png, columns, rows))
        case .sixel, .symbols: return nil
        }
    }

    /// Returns the sequence of kitty's protocol. `q=2` keeps the terminal from answering, which could be read as
    /// typing. `C=1` keeps the cursor in place.
    private static func kitty(_ png: [UInt8], _ columns: Int, _ rows: Int) -> String {
        let text = Array(Base64.text(of: png).utf8)
        let pieces = stride(from: 0, to: text.count, by: TerminalLimits.kittyPieceBytes).map {
            String(decoding: text[$0..<min($0 + TerminalLimits.kittyPieceBytes, text.count)], as: UTF8.self)
        }
        return pieces.enumerated().map { index, piece in
            let keys = index == 0 ? "a=T,f=100,q=2,C=1,c=\(columns),r=\(rows)," : "q=2,"
            return "\u{1B}_G\(keys)m=\(index < pieces.count - 1 ? 1 : 0);\(piece)\u{1B}\\"
        }.joined()
    }

    private static func iterm(_ png: [UInt8], _ columns: Int, _ rows: Int) -> String {
        let keys = "inline=1;size=\(png.count);width=\(columns);height=\(rows);preserveAspectRatio=1;doNotMoveCursor=1"
        return "\u{1B}]1337;File=\(keys):\(Base64.text(of: png))\u{07}"
    }

    // MARK: What a program drew

    /// Creates a picture from a sixel image as a program wrote it. Fails for any other bytes, for an image without a
    /// size, and for one that is larger than the room.
    package init?(sixel bytes: [UInt8], in room: PictureRoom) {
        guard bytes.count <= TerminalLimits.pictureBytes, let size = Self.sizeOfSixel(bytes) else { return nil }
        guard (1...room.width).contains(size.width), (1...room.height).contains(size.height) else { return nil }
        let (columns, rows) = room.cells(width: size.width, height: size.height)
        self.init(columns: columns, rows: rows, sequence: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the size of a sixel image, or nil if its form is wrong. The form is `ESC P 0;1;0 q "1;1;WIDTH;HEIGHT`,
    /// then only the signs of sixels, then `ESC \`.
    private static func sizeOfSixel(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.starts(with: [0x1B, 0x50]), bytes.suffix(2).elementsEqual([0x1B, 0x5C]), bytes.count > 8 else {
            return nil
        }
        let body = bytes[2..<bytes.count - 2]
        guard let start = body.firstIndex(of: UInt8(ascii: "q")), body[..<start].allSatisfy(isNumeric) else {
            return nil
        }
        let data = body[(start + 1)...]
        // `!` repeats, `"` is the raster, `#` a colour, `$` and `-` end a row, `?` to `~` are the pixels.
        let isSixel = data.allSatisfy {
            isNumeric($0) || (0x3F...0x7E).contains($0) || (0x21...0x24).contains($0) || $0 == 0x2D || $0 == 0x0A
        }
        guard isSixel, data.first == UInt8(ascii: "\"") else { return nil }
        let raster = data.dropFirst().prefix(while: isNumeric).split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = raster.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        // A second raster would change the size.
        guard numbers.count == 4, data.dropFirst().count(where: { $0 == UInt8(ascii: "\"") }) == 0 else { return nil }
        return hasRows(data, numbers[3]) ? (numbers[2], numbers[3]) : nil
    }

    /// Whether the rows of six pixels fit into the height.
    private static func hasRows(_ data: ArraySlice<UInt8>, _ height: Int) -> Bool {
        data.count { $0 == UInt8(ascii: "-") } <= (height + 5) / 6
    }

    private static func isNumeric(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || byte == 0x3B }

    /// Creates a picture from rows of coloured characters as a program wrote them. Fails if there is anything but
    /// visible characters and sequences for styles (SGR), or if a row is wider than the room.
    package init?(symbols bytes: [UInt8], in room: PictureRoom) {
        guard bytes.count <= TerminalLimits.symbolBytes, let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if rows.last == "" || rows.last == "\u{1B}[0m" { rows.removeLast() }
        guard (1...room.rows).contains(rows.count) else { return nil }
        var widest = 0
        for row in rows {
            guard let width = Self.width(of: row), width <= room.columns else { return nil }
            widest = max(widest, width)
        }
        self.init(columns: widest, rows: rows.count, symbols: rows.map { $0 + "\u{1B}[0m" })
    }

    /// Returns the cells of a row, or nil if it has anything but visible characters and SGR.
    private static func width(of row: String) -> Int? {
        var (visible, rest) = ("", row.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                guard !VisibleText.isHidden(scalar), scalar.properties.generalCategory != .nonspacingMark else {
                    return nil
                }
                visible.unicodeScalars.append(scalar)
                continue
            }
            guard rest.popFirst() == "[" else { return nil }
            let parameters = rest.prefix { ("0"..."9").contains($0) || $0 == ";" }
            rest = rest[parameters.endIndex...]
            guard parameters.count <= TerminalLimits.styleBytes, rest.popFirst() == "m" else { return nil }
        }
        return DisplayWidth.of(visible)
    }

    // MARK: Drawing

    /// The bytes that draw the picture from the beginning of an empty row, and leave the cursor at the beginning of the
    /// row below it. They first make space, so that the rows above scroll, not the picture.
    var drawn: String {
        guard symbols.isEmpty else { return symbols.map { $0 + "\r\n" }.joined() }
        let room = String(repeating: "\r\n", count: rows)
        return "\(room)\u{1B}[\(rows)A\u{1B}7\(sequence)\u{1B}8\u{1B}[\(rows)B\r"
    }
}

/// The encoding Base64 (RFC 4648).
enum Base64 {
    private static let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(of bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = 0
            for place in 0..<3 { group = group << 8 | (place < count ? Int(bytes[index + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? signs[group >> (18 - 6 * place) & 0x3F] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}
