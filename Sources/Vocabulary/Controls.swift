extension String {
    /// The text with signs (`␛`, `␇`, `␡`) in place of control characters, so that foreign text shows them but cannot
    /// control the terminal.
    package var withSignsForControls: String {
        String(
            UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
                    case 0x7F: "\u{2421}"
                    case 0x80..<0xA0: "\u{2426}"
                    default: scalar
                    }
                }))
    }
}
