/// Sizes of files as people read them.
package enum FileSize {
    /// Returns a number of bytes in words: `58 KB`, of 1000 bytes, as file managers count.
    package static func words(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var (tenths, unit) = (Double(bytes) / 100, 0)
        // 999,960 bytes are 1 MB, not 1000 KB.
        while unit < units.count - 1, (tenths / 10).rounded() >= 1000 {
            tenths /= 1000
            unit += 1
        }
        guard tenths < 99.5 else { return "\(Int((tenths / 10).rounded())) \(units[unit])" }
        let whole = Int(tenths.rounded())
        return (whole % 10 == 0 ? "\(whole / 10)" : "\(whole / 10).\(whole % 10)") + " \(units[unit])"
    }

    private static let units = ["KB", "MB", "GB", "TB", "PB"]
}

extension Int {
    /// The number in digits with commas: `1,202`.
    package var grouped: String {
        var digits = Array(String(self))
        for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
        return String(digits)
    }
}
