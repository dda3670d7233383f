import JSON
import Testing

@testable import Console

// MARK: Lines of JSON are read by programs, and on terminals

@Test(arguments: [
    ("\u{9B}2J", #"\u009b2J"#), ("a\u{202E}b", #"a\u202eb"#), ("a\u{2028}b\u{2029}", #"a\u2028b\u2029"#),
    ("\u{7F}\u{1B}", #"\u007f\u001b"#),
    ("\u{200B}\u{2066}\u{FEFF}", #"\u200b\u2066\ufeff"#), ("\u{E0041}", #"\udb40\udc41"#), ("é日🙂 \"", #"é日🙂 \""#),
])
func aLineOfJSONHoldsNothingThatATerminalObeys(text: String, written: String) throws {
    let json = JSON.object(JSON.Object(members: [.init(key: text, value: .array([.string(text)]))]))
    let line = Output.line(of: json)
    #expect(line == "{\"\(written)\":[\"\(written)\"]}")
    #expect(try JSONReader.read(line) == json)
    // What is stored and hashed is not touched.
    #expect(json.text.unicodeScalars.contains(text.unicodeScalars.first!) || text.unicodeScalars.first!.value < 0x80)
}
