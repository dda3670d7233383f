import JSON
import Testing

@Test(
    arguments: [
        (.null, "null"), (true, "true"), (-3, "-3"), (.int(.max), "9223372036854775807"), (0.5, "0.5"), (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"), (.double(.leastNonzeroMagnitude), "5e-324"), (.double(0.1), "0.1"), ("", #""""#),
        ("é日🙂", #""é日🙂""#),
        ("\"\\/\n\r\t", #""\"\\/\n\r\t""#), ("\0\u{1F}\u{7F}", ##""\u0000\u001f\u007f""##), ([], "[]"),
        ([1, []], "[1,[]]"), ([:], "{}"),
        (["b": 1, "a": [.null, false]], #"{"b":1,"a":[null,false]}"#),
    ] as [(JSON, String)])
func writesOneLine(json: JSON, text: String) {
    #expect(json.text == text)
}

@Test(
    arguments: [
        (["b": 1, "a": 2], #"{"a":2,"b":1}"#),
        (["a": ["z": 1, "y": ["c": 1, "b": 2]]], #"{"a":{"y":{"b":2,"c":1},"z":1}}"#),
        ([["b": 1, "a": 2]], #"[{"a":2,"b":1}]"#), (["B": 1, "a": 2, "A": 3, "": 4], #"{"":4,"A":3,"B":1,"a":2}"#),
        // By bytes, not by what a language thinks of letters.
        (["é": 1, "z": 2, "e": 3], #"{"e":3,"z":2,"é":1}"#), (["ab": 1, "a": 2], #"{"a":2,"ab":1}"#),
    ] as [(JSON, String)])
func canonicalFormSortsKeysByBytes(json: JSON, text: String) {
    #expect(json.canonical == text)
}

@Test(arguments: [
    (#"{"a":1.0}"#, #"{ "a" : 1 }"#), (#"["\u0041\/"]"#, #"["A/"]"#), ("[1e2]", "[100.0]"), ("[-0.0]", "[0]"),
])
func equalValuesShareOneCanonicalText(one: String, other: String) throws {
    #expect(try JSONReader.read(one).canonical == JSONReader.read(other).canonical)
}

@Test(arguments: [
    ("[9007199254740993]", "[9007199254740992]"), ("[1]", #"["1"]"#), ("[null]", "[]"), (#"["é"]"#, "[\"e\u{301}\"]"),
])
func differentValuesDoNot(one: String, other: String) throws {
    // Bytes: for String the two spellings of é are equal.
    #expect(try Array(JSONReader.read(one).canonical.utf8) != Array(JSONReader.read(other).canonical.utf8))
}

@Test func prettyFormIsForPeople() {
    let json: JSON = ["name": "cat", "sizes": [1, 2], "empty": [], "none": [:]]
    #expect(
        json.pretty == """
            {
              "name": "cat",
              "sizes": [
                1,
                2
              ],
              "empty": [],
              "none": {}
            }
            """)
}

@Test func objectsReplaceAndRemoveInPlace() {
    var object = JSON.Object()
    object["a"] = 1
    object["b"] = 2
    object["a"] = 3
    object["c"] = JSON.null
    #expect(JSON.object(object).text == #"{"a":3,"b":2,"c":null}"#)
    object["a"] = nil
    #expect(object.keys == ["b", "c"])
    #expect(JSON.of(["x": 1, "y": nil, "z": JSON.null]).text == #"{"x":1,"z":null}"#)
}
