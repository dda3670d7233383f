package import JSON

/// Cuts keys out of text, visibly: those of the person by their value, others by their form. What is stored, shown, logged, exported or told
/// to a model goes through it when it is made, so nobody has to think of it later. Its steps are bounded by the text's length.
package struct KeyFilter: Sendable {
    private let forms: [KeyForm]
    private let values: [(name: String, bytes: [UInt8])]
    /// By byte: whether anything could begin with it.
    private let canBegin: [Bool]

    /// - Parameter values: keys of the person, and what they are called. What is too short to be told from a word is left out.
    package init(forms: [KeyForm] = [], values: [(name: String, key: String)] = []) {
        self.forms = forms
        // The longer first: one may be the beginning of another.
        self.values = values.map { ($0.name, Array($0.key.utf8)) }.filter { $0.1.count >= Limits.leastKeyBytes }.sorted {
            $0.1.count > $1.1.count
        }
        var canBegin = [Bool](repeating: false, count: 256)
        for value in self.values { canBegin[Int(value.bytes[0])] = true }
        for beginning in forms.flatMap(\.beginnings) {
            canBegin[Int(beginning.bytes[0])] = true
            if beginning.isCaseless { canBegin[Int(beginning.bytes[0] & 0xDF)] = true }
        }
        self.canBegin = canBegin
    }

    /// The text without the keys in it; where each was, words say what and how long.
    package func cut(_ text: String) -> String {
        var state = Scan()
        guard scan(Array(text.utf8), &state, isWhole: true) else { return text }
        return String(decoding: state.kept, as: UTF8.self)
    }

    /// Every text in it, names of members included.
    package func cut(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): .string(cut(text))
        case .array(let elements): .array(elements.map(cut))
        case .object(let object): .object(cut(object))
        case .null, .bool, .int, .double: json
        }
    }

    package func cut(_ object: JSON.Object) -> JSON.Object {
        JSON.Object(members: object.members.map { .init(key: cut($0.key), value: cut($0.value)) })
    }

    /// - Returns: the same with its words cut; the cause included, which is logged.
    package func cut(_ failure: Failure) -> Failure {
        var failure = failure
        failure.message = cut(failure.message)
        failure.remedy = failure.remedy.map(cut)
        failure.cause = failure.cause.map(cut)
        return failure
    }

    // MARK: Marks

    private static let opening = "⟨cut: "

    /// What stands where a key was.
    static func mark(_ name: String, _ count: Int) -> String { "\(opening)\(name), \(count) characters⟩" }

    /// What stands where a parameter was that a manifest marks as secret.
    package static let secretParameter = "\(opening)a secret parameter⟩"

    /// Whether a mark is in it, ours or one that somebody wrote.
    package static func isMarked(_ json: JSON) -> Bool {
        switch json {
        case .string(let text): text.contains(opening)
        case .array(let elements): elements.contains(where: isMarked)
        case .object(let object): object.members.contains { $0.key.contains(opening) || isMarked($0.value) }
        case .null, .bool, .int, .double: false
        }
    }

    // MARK: The scan

    /// A text on its way through, which may come in pieces.
    struct Scan {
        var kept: [UInt8] = []
        /// Bytes at the end that may be the beginning of a key.
        var rest: [UInt8] = []
        /// The byte before.
        var last: UInt8?
    }

    /// - Parameter isWhole: whether nothing more comes.
    /// - Returns: whether something was cut.
    func scan(_ bytes: [UInt8], _ state: inout Scan, isWhole: Bool) -> Bool {
        var (index, from, hasCut) = (0, 0, false)
        while index < bytes.count {
            guard canBegin[Int(bytes[index])] else {
                index += 1
                continue
            }
            let before = index > 0 ? bytes[index - 1] : state.last
            switch found(in: bytes, at: index, before: before, isWhole: isWhole) {
            case .nothing: index += 1
            case .perhaps:
                state.kept += bytes[from..<index]
                if index > 0 { state.last = bytes[index - 1] }
                state.rest = Array(bytes[index...])
                return hasCut
            case .key(let name, let range):
                state.kept += bytes[from..<range.lowerBound]
                state.kept += Array(Self.mark(name, range.count).utf8)
                (index, from, hasCut) = (range.upperBound, range.upperBound, true)
            }
        }
        state.kept += bytes[from...]
        state.last = bytes.last ?? state.last
        state.rest = []
        return hasCut
    }

    private enum Found {
        case nothing
        /// Only what comes next will tell.
        case perhaps
        case key(String, Range<Int>)
    }

    private func found(in bytes: [UInt8], at place: Int, before: UInt8?, isWhole: Bool) -> Found {
        var isOpen = false
        for value in values {
            switch Self.begins(bytes, at: place, with: value.bytes, isCaseless: false) {
            case .whole: return .key("the key \(value.name)", place..<(place + value.bytes.count))
            case .cut: isOpen = true
            case .no: break
            }
        }
        if before.map(Self.isWord) != true {
            for form in forms {
                for beginning in form.beginnings {
                    switch Self.begins(bytes, at: place, with: beginning.bytes, isCaseless: beginning.isCaseless) {
                    case .no: break
                    case .cut: isOpen = true
                    case .whole:
                        switch key(of: form, in: bytes, from: place, body: place + beginning.bytes.count, isWhole: isWhole) {
                        case .nothing: break
                        case .perhaps: isOpen = true
                        case .key(let name, let range): return .key(name, range)
                        }
                    }
                }
            }
        }
        return isOpen && !isWhole ? .perhaps : .nothing
    }

    private func key(of form: KeyForm, in bytes: [UInt8], from place: Int, body: Int, isWhole: Bool) -> Found {
        if let block = form.block { return self.block(block, form.name, in: bytes, from: place, isWhole: isWhole) }
        var (end, digits, parts) = (body, 0, 1)
        while end < bytes.count, form.isBody[Int(bytes[end])], end - body < Limits.longestKeyBytes {
            digits += bytes[end] >= 0x30 && bytes[end] < 0x3A ? 1 : 0
            parts += bytes[end] == UInt8(ascii: ".") ? 1 : 0
            end += 1
        }
        if end == bytes.count, !isWhole, end - body < Limits.longestKeyBytes { return .perhaps }
        guard end - body >= form.least, digits >= form.digits, parts >= form.parts else { return .nothing }
        while end < bytes.count, form.isBody[Int(bytes[end])] { end += 1 }
        return .key(form.name, (form.keepsBeginning ? body : place)..<end)
    }

    /// From the first line through the last, as far as its lines are of a key: between them other words would be hidden.
    private func block(_ block: KeyForm.Block, _ name: String, in bytes: [UInt8], from place: Int, isWhole: Bool) -> Found {
        let limit = min(bytes.count, place + Limits.keyBlockBytes)
        func line(from start: Int) -> ArraySlice<UInt8> {
            bytes[min(start, limit)..<limit].prefix(Limits.keyBlockLineBytes).prefix { $0 != 0x0A }
        }
        func isOpen(_ line: ArraySlice<UInt8>) -> Bool { line.endIndex == bytes.count && !isWhole }
        /// Behind the dashes of the line that ends it.
        func end(_ words: ArraySlice<UInt8>, from last: Int) -> Int? {
            Self.first(Array("-----".utf8), in: words[last...].dropFirst(block.until.count)).map { $0 + 5 }
        }
        let first = line(from: place)
        guard let holds = Self.first(block.holds, in: first) else { return isOpen(first) ? .perhaps : .nothing }
        // With its newlines spelled, as in a text of JSON.
        if let last = Self.first(block.until, in: first[holds...]) {
            let body = first[holds..<last].dropFirst(block.holds.count)
            guard body.allSatisfy({ Self.isOfKey($0) || $0 == UInt8(ascii: "-") }) else { return .nothing }
            guard let end = end(first, from: last) else { return isOpen(first) ? .perhaps : .key(name, place..<first.endIndex) }
            return .key(name, place..<end)
        }
        if isOpen(first) { return .perhaps }
        var key = first.endIndex
        while key < limit {
            let next = line(from: key + 1)
            if let last = Self.first(block.until, in: next) {
                if let end = end(next, from: last) { return .key(name, place..<end) }
                return isOpen(next) ? .perhaps : .key(name, place..<next.endIndex)
            }
            if isOpen(next) { return .perhaps }
            guard Self.isOfKey(next) else {
                // What begins like one, and goes on as something else, which is seen.
                let begun = next.prefix(while: Self.isOfKey)
                if begun.count >= 16 { key = begun.endIndex }
                break
            }
            key = max(next.endIndex, key + 1)
        }
        return key == first.endIndex ? .nothing : .key(name, place..<min(key, limit))
    }

    /// Base64, or the backslash of a newline that is spelled.
    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\\"): true
        default: false
        }
    }

    /// Words of a language are shorter, or have spaces in them; the last line of a key may be, too, and then is seen.
    private static func isOfKey(_ line: ArraySlice<UInt8>) -> Bool {
        let blanks: Set<UInt8> = [0x09, 0x0D, 0x20]
        var words = line.drop { blanks.contains($0) }
        while let last = words.last, blanks.contains(last) { words.removeLast() }
        if words.isEmpty { return true }
        if ["Proc-Type:", "DEK-Info:"].contains(where: { words.starts(with: $0.utf8) }), words.count <= 80 { return true }
        return words.allSatisfy(isOfKey) && (words.count >= 16 || words.last == UInt8(ascii: "="))
    }

    private enum Beginning { case no, cut, whole }

    private static func begins(_ bytes: [UInt8], at place: Int, with wanted: [UInt8], isCaseless: Bool) -> Beginning {
        for index in wanted.indices {
            guard place + index < bytes.count else { return .cut }
            let byte = bytes[place + index]
            let isUpper = byte >= 0x41 && byte <= 0x5A
            guard (isCaseless && isUpper ? byte | 0x20 : byte) == wanted[index] else { return .no }
        }
        return .whole
    }

    private static func first(_ words: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = words.first, bytes.count >= words.count else { return words.isEmpty ? bytes.startIndex : nil }
        return (bytes.startIndex...(bytes.endIndex - words.count)).first { place in
            bytes[place] == first && bytes[place..<(place + words.count)].elementsEqual(words)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte < 0x3A || byte >= 0x41 && byte < 0x5B || byte >= 0x61 && byte < 0x7B || byte == 0x5F || byte >= 0x80
    }
}

/// A text that comes in pieces: what may be the beginning of a key is held back until it is known.
package struct KeyStream: Sendable {
    private let filter: KeyFilter
    private var state = KeyFilter.Scan()

    package init(_ filter: KeyFilter) { self.filter = filter }

    /// - Returns: what of it, and of what was held back, may be shown.
    package mutating func feed(_ piece: String) -> String { pass(Array(piece.utf8), isWhole: false) }

    /// - Returns: what was held back, when nothing more comes.
    package mutating func end() -> String { pass([], isWhole: true) }

    private mutating func pass(_ piece: [UInt8], isWhole: Bool) -> String {
        let bytes = state.rest + piece
        state.rest = []
        state.kept = []
        _ = filter.scan(bytes, &state, isWhole: isWhole)
        return String(decoding: state.kept, as: UTF8.self)
    }
}
