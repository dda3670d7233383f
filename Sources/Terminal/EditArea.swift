import CEdit

/// The place of the cursor after libedit has drawn prompt and text. libedit does not report it, so this repeats its
/// rules (`re_addc` and `re_putc` of refresh.c). Zero-width characters take a column, too, and a character that
/// `wcwidth` does not know is spelled `\U+1FAE8`.
struct EditArea {
    let columns: Int
    private(set) var row = 0
    private(set) var column = 0

    init(columns: Int, promptWidth: Int) {
        self.columns = max(1, columns)
        for _ in 0..<promptWidth { advance(1) }
    }

    mutating func advance(over characters: UnsafePointer<wchar_t>, count: Int) {
        for index in 0..<count { add(characters[index]) }
    }

    private mutating func add(_ character: wchar_t) {
        switch character {
        case 0x0A: (row, column) = (row + 1, 0)
        case 0x09: repeat { advance(1) } while column % 8 != 0
        case 0x00..<0x20, 0x7F: for _ in 0..<2 { advance(1) }
        default:
            let width = Int(wcwidth(character))
            if width >= 0 { return advance(max(1, width)) }
            for _ in 0..<(character > 0xFFFF ? 8 : 7) { advance(1) }
        }
    }

    private mutating func advance(_ width: Int) {
        if column + width > columns { (row, column) = (row + 1, 0) }
        column += width
        if column >= columns { (row, column) = (row + 1, 0) }
    }
}
