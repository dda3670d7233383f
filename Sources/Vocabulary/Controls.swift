extension String {
    /// With the signs of control characters (`␛`, `␇`, `␡`) in their places: what others put into their words is told,
    /// and does nothing.
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
