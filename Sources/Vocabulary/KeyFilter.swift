package import JSON

/// A filter that replaces keys in texts by a visible mark. It finds the user's keys by their value, and others by their
/// form. Text passes through it before it is stored, shown, logged, exported or sent to a model. The number of steps is
/// bounded by the length of the text.
package struct KeyFilter: Sendable {
    private let forms: [KeyForm]
    /// The values of keys by their first byte, plain and encoded, the longer ones first.
    private let values: [[(name: String, bytes: [UInt8])]]
    /// Whether a key could begin with a byte, by byte.
    private let canBegin: [Bool]
    /// The beginnings of forms by their first byte, in the order of the forms.
    private let beginnings: [[(form: Int, KeyForm.Beginning)]]

    /// Creates a filter.
    ///
    /// - Parameter values: the user's keys with their names. Keys that are too short to be distinguished from words are
    ///   ignored.
    package init(forms: [KeyForm] = [], values: [(name: String, key: String)] = []) {
        self.forms = forms
        let long = values.map { ($0.name, Array($0.key.utf8)) }.filter { $0.1.count >= Limits.leastKeyBytes }
        var canBegin = [Bool](repeating: false, count: 256)
        var byByte = [[(name: String, bytes: [UInt8])]](repeating: [], count: 256)
        for (name, key) in long {
            for bytes in Set([key] + EncodedKey.all(of: key)) {
                canBegin[Int(bytes[0])] = true
                byByte[Int(bytes[0])].append((name, bytes))
            }
        }
        // One may be the beginning of another.
        self.values = byByte.map { $0.sorted { $0.bytes.count > $1.bytes.count } }
        var beginnings = [[(form: Int, KeyForm.Beginning)]](repeating: [], count: 256)
        for (index, form) in forms.enumerated() {
            for beginning in form.beginnings {
                let first = beginning.bytes[0]
                for byte in Set([first, beginning.isCaseless ? first & 0xDF : first]) {
                    canBegin[Int(byte)] = true
                    beginnings[Int(byte)].append((index, beginning))
                }
            }
        }
        self.canBegin = canBegin
        self.beginnings = beginnings
    }

    /// Returns a text in which a mark with name and length replaces each key.
    package func cut(_ text: String) -> String {
        var state = Scan()
        guard scan(Array(text.utf8), &state, isWhole: true) else { return text }
        return String(decoding: state.kept, as: UTF8.self)
    }

    /// Returns a value in which all keys are cut, also in the names of members.
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

    /// Returns a failure in which all keys are cut, also in the cause, which is logged.
    package func cut(_ failure: Failure) -> Failure {
        var failure = failure
        failure.message = cut(failure.message)
        failure.remedy = failure.remedy.map(cut)
        failure.cause = failure.cause.map(cut)
        return failure
    }

    package func cut(_ problem: Problem) -> Problem {
        var problem = problem
        problem.place = cut(problem.place)
        problem.message = cut(problem.message)
        return problem
    }

    /// A key that would be cut out of a text.
    package struct FoundKey {
        package var key: String
        /// The name of the form or of the key, such as "a GitHub token".
        package var name: String
        /// Whether the key was found by its value.
        package var isKnown: Bool
        /// Whether the key is a part of a key of several lines.
        package var isOfBlock: Bool
    }

    package func keys(in text: String) -> [FoundKey] {
        var state = Scan()
        _ = scan(Array(text.utf8), &state, isWhole: true)
        let blocks = Set(forms.filter { $0.block != nil }.map(\.name))
        return state.found.map { key, name in
            let isKnown = key.first.map { values[Int($0)].contains { $0.bytes == key } } ?? false
            return FoundKey(
                key: String(decoding: key, as: UTF8.self), name: name, isKnown: isKnown,
                isOfBlock: blocks.contains(name))
        }
    }

    // MARK: Marks

    private static let opening = "⟨cut: "

    /// Returns the mark that replaces a key.
    static func mark(_ name: String, _ count: Int) -> String { "\(opening)\(name), \(count) characters⟩" }

    /// The mark that replaces a parameter that the manifest marks as secret.
    package static let secretParameter = "\(opening)a secret parameter⟩"

    /// Returns whether a value contains a mark, be it a real one or one that a user typed.
    package static func isMarked(_ json: JSON) -> Bool {
        switch json {
        case .string(let text): text.contains(opening)
        case .array(let elements): elements.contains(where: isMarked)
        case .object(let object): object.members.contains { $0.key.contains(opening) || isMarked($0.value) }
        case .null, .bool, .int, .double: false
        }
    }

    // MARK: The scan

    /// The state of a scan through a text, which may come in pieces.
    struct Scan {
        var kept: [UInt8] = []
        /// Bytes at the end that may be the beginning of a key.
        var rest: [UInt8] = []
        /// The byte before.
        var last: UInt8?
        /// The keys that were cut, each with the name of its form.
        var found: [(key: [UInt8], name: String)] = []
    }

    /// Adds bytes to a scan and cuts the keys in them.
    ///
    /// - Parameter isWhole: whether no more bytes follow.
    /// - Returns: whether a key was cut.
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
            case .key(let name, let ranges):
                for range in ranges {
                    state.kept += bytes[from..<range.lowerBound]
                    state.kept += Array(Self.mark(name, range.count).utf8)
                    state.found.append((Array(bytes[range]), name))
                    (index, from, hasCut) = (range.upperBound, range.upperBound, true)
                }
            }
        }
        state.kept += bytes[from...]
        state.last = bytes.last ?? state.last
        state.rest = []
        return hasCut
    }

    enum Found {
        case nothing
        /// More bytes are needed to decide.
        case perhaps
        /// The ranges of a key, in order. The bytes between them are kept.
        case key(String, [Range<Int>])
    }

    private func found(in bytes: [UInt8], at place: Int, before: UInt8?, isWhole: Bool) -> Found {
        var isOpen = false
        for value in values[Int(bytes[place])] {
            switch Self.begins(bytes, at: place, with: value.bytes, isCaseless: false) {
            case .whole: return .key("the key \(value.name)", [place..<(place + value.bytes.count)])
            case .cut: isOpen = true
            case .no: break
            }
        }
        if before.map(Self.isWord) != true {
            for (form, beginning) in beginnings[Int(bytes[place])] {
                switch Self.begins(bytes, at: place, with: beginning.bytes, isCaseless: beginning.isCaseless) {
                case .no: break
                case .cut: isOpen = true
                case .whole:
                    switch key(
                        of: forms[form], in: bytes, from: place, body: place + beginning.bytes.count, isWhole: isWhole)
                    {
                    case .nothing: break
                    case .perhaps: isOpen = true
                    case .key(let name, let ranges): return .key(name, ranges)
                    }
                }
            }
        }
        return isOpen && !isWhole ? .perhaps : .nothing
    }

    private func key(of form: KeyForm, in bytes: [UInt8], from place: Int, body: Int, isWhole: Bool) -> Found {
        if let block = form.block { return KeyBlock(block, form.name, in: bytes, isWhole: isWhole).found(from: place) }
        var (end, digits, parts) = (body, 0, 1)
        while end < bytes.count, form.isBody[Int(bytes[end])], end - body < Limits.longestKeyBytes {
            digits += bytes[end] >= 0x30 && bytes[end] < 0x3A ? 1 : 0
            parts += bytes[end] == UInt8(ascii: ".") ? 1 : 0
            end += 1
        }
        if end == bytes.count, !isWhole, end - body < Limits.longestKeyBytes { return .perhaps }
        guard end - body >= form.least, digits >= form.digits, parts >= form.parts else { return .nothing }
        while end < bytes.count, form.isBody[Int(bytes[end])] { end += 1 }
        return .key(form.name, [(form.keepsBeginning ? body : place)..<end])
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

    /// Returns whether a byte may stand inside a word. Any byte beyond ASCII ends a word, as a quotation mark does. So
    /// a key is found behind a letter beyond ASCII too, and a wrong cut leaves a visible mark.
    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte < 0x3A || byte >= 0x41 && byte < 0x5B || byte >= 0x61 && byte < 0x7B || byte == 0x5F
    }
}

/// A filter for text that arrives in pieces. It holds back bytes that may begin a key until this is certain.
package struct KeyStream: Sendable {
    private let filter: KeyFilter
    private var state = KeyFilter.Scan()

    package init(_ filter: KeyFilter) { self.filter = filter }

    /// Filters a piece of text.
    ///
    /// - Returns: the part of it, and of earlier bytes that were held back, that may be shown.
    package mutating func feed(_ piece: String) -> String { pass(Array(piece.utf8), isWhole: false) }

    /// Ends the stream.
    ///
    /// - Returns: the bytes that were still held back.
    package mutating func end() -> String { pass([], isWhole: true) }

    private mutating func pass(_ piece: [UInt8], isWhole: Bool) -> String {
        let bytes = state.rest + piece
        state.rest = []
        state.kept = []
        _ = filter.scan(bytes, &state, isWhole: isWhole)
        return String(decoding: state.kept, as: UTF8.self)
    }
}
