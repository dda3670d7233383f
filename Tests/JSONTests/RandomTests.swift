import Harness
import JSON
import Testing

extension Seeded {
    fileprivate mutating func text() -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "\"", "\\", "\n", "\0", "\u{7F}", "é", "\u{301}", "日", "🙂", "\u{202E}", "\u{FFFD}", "/",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...6, using: &self) { text.append(scalars.randomElement(using: &self)!) }
        return String(text)
    }

    fileprivate mutating func json(depth: Int = 0) -> JSON {
        switch Int.random(in: 0..<(depth > 4 ? 6 : 8), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .int(Int(truncatingIfNeeded: next()))
        case 3: return .int(Int.random(in: -3...3, using: &self))
        case 4:
            let value = Double(bitPattern: next())
            return .double(value.isFinite ? value : 0.5)
        case 5: return .string(text())
        case 6: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth + 1) })
        default:
            var object = JSON.Object()
            for _ in 0..<Int.random(in: 0...5, using: &self) { object[text()] = json(depth: depth + 1) }
            return .object(object)
        }
    }
}

/// Whole fractions are written as whole numbers and come back as such; everything else comes back as it was.
private func withoutWholeFractions(_ json: JSON) -> JSON {
    switch json {
    case .double(let value) where value == value.rounded() && abs(value) < 1e15: .int(Int(value))
    case .array(let elements): .array(elements.map(withoutWholeFractions))
    case .object(let object):
        .object(
            JSON.Object(
                members: object.members.map { JSON.Object.Member(key: $0.key, value: withoutWholeFractions($0.value)) })
        )
    case .null, .bool, .int, .double, .string: json
    }
}

@Test(arguments: 1...8) func valuesSurviveWritingAndReading(seed: UInt64) throws {
    var random = Seeded(seed)
    for _ in 0..<1_000 {
        let json = random.json()
        let expected = withoutWholeFractions(json)
        #expect(try JSONReader.read(json.text) == expected)
        #expect(try JSONReader.read(json.pretty) == expected)
        #expect(try JSONReader.read(json.text, allowingComments: true) == expected)
        let canonical = json.canonical
        #expect(try JSONReader.read(canonical).canonical == canonical)
        #expect(try JSONReader.read(json.text).canonical == canonical)
    }
}

@Test(arguments: 1...4) func randomBytesNeverCrashTheReader(seed: UInt64) {
    var random = Seeded(seed)
    let alphabet = Array(#"{}[]",:\/*ue01-+.eE truefalsn"#.utf8) + [0x0A, 0x00, 0xFF, 0xC3, 0xA9, 0xED]
    for _ in 0..<5_000 {
        let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
        for allowsComments in [false, true] {
            guard let json = try? JSONReader.read(bytes, allowingComments: allowsComments) else { continue }
            #expect((try? JSONReader.read(json.text))?.canonical == json.canonical)
        }
    }
}

/// Good text with bytes changed, removed or doubled: closer to what a broken sender makes.
@Test(arguments: 1...4) func damagedTextIsRefusedOrReadable(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<2_000 {
        var bytes = Array(random.json().text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let index = bytes.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            default: bytes.insert(bytes[index], at: index)
            }
        }
        do throws(JSONReader.Failure) {
            let json = try JSONReader.read(bytes)
            #expect((try? JSONReader.read(json.text))?.canonical == json.canonical)
        } catch {
            #expect(error.line >= 1 && error.column >= 1 && error.column <= bytes.count + 1)
        }
    }
}
