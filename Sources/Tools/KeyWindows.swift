import Files
import Glibc
import Vocabulary

extension Limits {
    /// The bytes before and after a line in which keys are looked for that reach into it. A private key of 8,192 bits
    /// has less.
    static let keyContextBytes = 16 << 10
}

/// The lines of a file that may hold keys, among some lines of it. Only the bytes around these lines are looked at,
/// since a whole log would take long.
struct KeyWindows {
    private let bytes: [UInt8]
    private let keys: KeyFilter
    /// The place of the first byte of each line.
    private let starts: [Int]

    init(_ bytes: [UInt8], _ keys: KeyFilter) {
        (self.bytes, self.keys) = (bytes, keys)
        var starts = [0]
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            var place = 0
            while place < buffer.count,
                let found = memchr(base + place, Int32(UInt8(ascii: "\n")), buffer.count - place)
            {
                place = UnsafeRawPointer(found) - base + 1
                starts.append(place)
            }
        }
        self.starts = starts
    }

    /// Returns the lines among some, counted from 1, that may hold a key.
    func holding(_ lines: [Int]) -> Set<Int> {
        var windows: [Range<Int>] = []
        for line in lines.sorted() where line >= 1 && line <= starts.count {
            let end = line < starts.count ? starts[line] : bytes.count
            let lower = max(0, starts[line - 1] - Limits.keyContextBytes)
            let window = lower..<min(bytes.count, end + Limits.keyContextBytes)
            if let last = windows.last, window.lowerBound <= last.upperBound {
                windows[windows.count - 1] = last.lowerBound..<max(last.upperBound, window.upperBound)
            } else {
                windows.append(window)
            }
        }
        var holding: Set<Int> = []
        for window in windows {
            let found = KeyLines(of: EncodedText.text(ofPart: bytes[window].drop { $0 & 0xC0 == 0x80 }), keys)
            guard !found.isEmpty else { continue }
            // A window begins in the middle of a line, as a rule.
            let first = starts.partitionPoint { $0 > window.lowerBound } - 1
            for line in lines where found.holds(line - 1 - first) { holding.insert(line) }
        }
        return holding
    }
}

extension [Int] {
    /// Returns the first place at which a condition holds that holds for all later ones too.
    fileprivate func partitionPoint(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
