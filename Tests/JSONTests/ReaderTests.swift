import CaseNames
import JSON
import Testing

@Test(
    arguments: [
        ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12), ("1.5", 1.5),
        ("1e3", 1000.0),
        ("1E+2", 100.0), ("-2.5e-1", -0.25), (#""""#, ""), (#""a""#, "a"), ("[]", []), ("[1,2]", [1, 2]), ("{}", [:]),
        (#"{"a":{"b":[null]}}"#, ["a": ["b": [.null]]]), ("\u{FEFF}1", 1), ("\t[ 1 ,\r\n2 ]\n", [1, 2]),
        // Texts.
        (#""\"\\\/\n\t\r\b\f""#, "\"\\/\n\t\r\u{8}\u{C}"), (#""\u0041\u00e9""#, "Aé"), (#""\ud83d\ude42""#, "🙂"),
        (#""日本""#, "日本"),
        (#""\u0000""#, "\0"), ("\"\u{7F}\"", "\u{7F}"),
        // Half an emoji, which models do send where a text was cut.
        (#""\ud83d""#, "\u{FFFD}"), (#""\ude42""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"),
        (#""\ud83d\ud83d\ude42""#, "\u{FFFD}🙂"),
    ] as [(String, JSON)])
func reads(text: String, expected: JSON) throws {
    #expect(try JSONReader.read(text) == expected)
}

@Test(
    arguments: [
        ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
        ("9007199254740993", .int(9_007_199_254_740_993)),
        ("9223372036854775808", .double(9.223372036854775808e18)), ("0.1", .double(0.1)), ("1e-400", .double(0)),
        ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)), ("5e-324", .double(.leastNonzeroMagnitude)),
        ("1.0", .double(1)),
    ] as [(String, JSON)])
func readsNumbersExactly(text: String, expected: JSON) throws {
    #expect(try JSONReader.read(text) == expected)
}

@Test(
    arguments: [
        ("", 1, 1, "ends where a value should be"), ("  \n ", 2, 2, "ends where"), ("nul", 1, 1, "null"),
        ("nulL", 1, 1, "null"),
        ("tru", 1, 1, "true"), ("1 2", 1, 3, "more text"), ("[1,]", 1, 4, "found ']'"), ("[1 2]", 1, 4, "',' or ']'"),
        ("[", 1, 2, "ends where"), ("[1", 1, 1, "no end"), ("{\n\"a\": 1", 1, 1, "no end"), (#"{"a" 1}"#, 1, 6, "':'"),
        (#"{"a":1,}"#, 1, 8, "key in quotes"), (#"{a:1}"#, 1, 2, "key in quotes"),
        (#"{"a":1 "b":2}"#, 1, 8, "',' or '}'"),
        ("{\"a\":1,\n  \"a\":2}", 2, 3, "twice"), (#"{"é":1,"é":2}"#, 1, 9, "twice"),
        (#"{"a":1,"\u0061":2}"#, 1, 8, "twice"),
        ("01", 1, 1, "begin with 0"), ("-01", 1, 2, "begin with 0"), ("-", 1, 2, "digit"), ("1.", 1, 3, "digit"),
        ("1e", 1, 3, "digit"),
        (".5", 1, 1, "found '.'"), ("+1", 1, 1, "found '+'"), ("1e999", 1, 1, "too large"), ("NaN", 1, 1, "found 'N'"),
        (#""abc"#, 1, 1, "closing quote"), ("[\n\"abc", 2, 1, "closing quote"), ("\"a\nb\"", 1, 3, "control character"),
        ("\"a\u{1}b\"", 1, 3, "control character"), (#""\x""#, 1, 2, "escape"),
        (#""\u12g4""#, 1, 2, "four hexadecimal"),
        (#""\u12"#, 1, 2, "four hexadecimal"), (#""\"#, 1, 2, "closing quote"), ("// x\n1", 1, 1, "found '/'"),
        ("'a'", 1, 1, "found '''"),
        ("\u{1}", 1, 1, "byte 1"), ("[\n 1,\n 2,\n x\n]", 4, 2, "found 'x'"),
    ])
func refusesWithThePlace(text: String, line: Int, column: Int, words: String) {
    let failure = #expect(throws: JSONReader.Failure.self) { try JSONReader.read(text) }
    #expect(failure?.code == (words == "twice" ? .repeatedKey : .badJSON))
    #expect(failure?.line == line)
    #expect(failure?.column == column)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
}

@Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE6, 0x97, 0x22], [0xFF],
])
func refusesWhatIsNotUTF8(bytes: [UInt8]) {
    #expect(throws: JSONReader.Failure.self) { try JSONReader.read(bytes) }
}

@Test func holdsItsLimits() throws {
    let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(throws: Never.self) { try JSONReader.read(deep) }
    let failure = #expect(throws: JSONReader.Failure.self) { try JSONReader.read("[[[[1]]]]", limits: .init(depth: 3)) }
    #expect(failure?.message == "Nested deeper than 3 levels")
    #expect(try JSONReader.read("[[[1]]]", limits: .init(depth: 3)) == [[[1]]])
    // A bomb is refused long before it could exhaust the stack.
    #expect(throws: JSONReader.Failure.self) { try JSONReader.read(String(repeating: #"{"a":["#, count: 1_000_000)) }

    let large = #expect(throws: JSONReader.Failure.self) { try JSONReader.read("[1,2,3]", limits: .init(bytes: 6)) }
    #expect(large?.code == .tooLarge)
    #expect(try JSONReader.read("[1,2,3]", limits: .init(bytes: 7)) == [1, 2, 3])
}

@Test func findsRepeatedKeysInLargeObjectsToo() throws {
    for count in [2, 15, 16, 17, 18, 100] {
        let members = (0..<count).map { #""k\#($0)":\#($0)"# }
        #expect(try JSONReader.read("{\(members.joined(separator: ","))}").object?.keys.count == count)
        for repeated in [0, count / 2, count - 1] {
            let text = "{\((members + [#""k\#(repeated)":0"#]).joined(separator: ","))}"
            #expect(throws: JSONReader.Failure.self) { try JSONReader.read(text) }
        }
    }
}

@Test func keepsTheOrderOfKeys() throws {
    #expect(try JSONReader.read(#"{"z":1,"a":2,"m":3}"#).object?.keys == ["z", "a", "m"])
}

@Test(
    arguments: [
        ("// first\n{\"a\": 1, // why\n/* and\nmore */ \"b\": [1, 2,],}", ["a": 1, "b": [1, 2]]), ("1 // end", 1),
        ("/**/1/***/", 1),
        (#""// not a comment""#, "// not a comment"), ("[/*]*/]", []),
    ] as [(String, JSON)])
func readsCommentsWhereAskedFor(text: String, expected: JSON) throws {
    #expect(try JSONReader.read(text, allowingComments: true) == expected)
}

@Test(arguments: [
    ("/* no end", 1, 1), ("1 /", 1, 3), ("[1,,]", 1, 4), ("{,}", 1, 2), ("[,]", 1, 2), ("[\n/x]", 2, 1), ("1 /*", 1, 3),
])
func refusesBrokenCommentsAndDoubleCommas(text: String, line: Int, column: Int) {
    let failure = #expect(throws: JSONReader.Failure.self) { try JSONReader.read(text, allowingComments: true) }
    #expect(failure?.line == line)
    #expect(failure?.column == column)
}
