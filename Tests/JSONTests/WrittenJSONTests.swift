import CaseNames
import JSON
import Testing

/// JSON that is passed on keeps its bytes, whatever they are.
struct WrittenJSONTests {
    private static let numbers =
        #"{"id":123456789012345678901,"x":1234567890123456789.5,"p":1.10,"z":-0.0,"t":1e-400,"h":1e400}"#

    @Test(arguments: [
        Self.numbers, #"{"name":"\ud800.txt","n":1}"#, "{ \"b\" : [ 1,\n 2.50 ],\t\"a\":{} }", "[]", "[ ]", "{}",
        "\"a\\u00e9\\/\"", "-0", "1E+2", "null", "[[[\"]}\"]],{\"{\":\"\\\"\"}]", "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}",
    ])
    func everyPartKeepsItsBytes(text: String) throws {
        for around in ["", " ", "\n\t", "\u{FEFF}"] {
            let json = try WrittenJSON.read(Array((around + text + (around == "\u{FEFF}" ? "" : around)).utf8))
            #expect(Array(json.written) == Array(text.utf8))
            if let members = json.members {
                let inner = WrittenJSON.object(members)
                let again = try WrittenJSON.read(inner)
                #expect(again.members?.map(\.value.text) == members.map(\.value.text))
                #expect(again.members?.map(\.writtenKey) == members.map(\.writtenKey))
            }
        }
        #expect(
            try WrittenJSON.read(WrittenJSON.object(WrittenJSON.read(Array(Self.numbers.utf8)).members ?? [])).text
                == Self.numbers)
    }

    @Test func membersAndElementsAreFound() throws {
        let json = try WrittenJSON.read(
            Array(#"{"a" : [ 1 , "x" ,{"b":2.50}],"c":null , "\u0064": "\ud83d\ude42"}"#.utf8))
        #expect(json.members?.map(\.key) == ["a", "c", "d"])
        #expect(json["a"]?.elements?.map(\.text) == ["1", "\"x\"", #"{"b":2.50}"#])
        #expect(json["c"]?.isNull == true && json["d"]?.string == "🙂" && json["e"] == nil && json.string == nil)
    }

    @Test(arguments: [
        (#""a""#, "a", false), (#""\ud800""#, nil, true), (#""\udc00x""#, nil, true), (#""\ud83d\ude42""#, "🙂", false),
        (#""\ud83d\u0041""#, nil, true), (#""\ud83d\ud83d\ude42""#, nil, true), (#""\\ud800""#, #"\ud800"#, false),
        ("\"\u{FFFD}\"", "\u{FFFD}", false), (#""\ufffd""#, "\u{FFFD}", false), ("1", nil, false),
    ])
    func aHalfSignIsNoText(text: String, string: String?, isHalf: Bool) throws {
        let json = try WrittenJSON.read(Array(text.utf8))
        #expect(json.string == string && json.isHalfText == isHalf)
    }

    @Test(arguments: [
        ("{", "badJSON"), ("[1,]", "badJSON"), ("01", "badJSON"), ("\"\u{1}\"", "badJSON"), ("", "badJSON"),
        (#"{"a":1,"a":2}"#, "repeatedKey"), (#"[{"a":1,"\u0061":2}]"#, "repeatedKey"),
        (#"{"\ud800":1,"\ud800":2}"#, "repeatedKey"), (#"{"\ud800":1,"\ud801":2}"#, nil),
        ("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}", nil), ("1e999", nil),
    ])
    func whatIsNoJSONIsRefused(text: String, code: String?) {
        var found: String?
        do throws(JSONReader.Failure) { _ = try WrittenJSON.read(Array(text.utf8)) } catch {
            found = error.code.rawValue
        }
        #expect(found == code)
    }

    @Test func halvesOfSignsAreDifferentKeys() throws {
        let members = try WrittenJSON.read(Array(#"{"\ud800":1,"\ud801":2}"#.utf8)).members
        #expect(members.map { $0[0].hasKey(of: $0[0]) && !$0[0].hasKey(of: $0[1]) } == true)
    }

    @Test func aLayoutKeepsNumbersAndHalves() throws {
        let json = try WrittenJSON.read(Array(#"{"a":[1.10,"\u00e9","\ud800"],"b":{},"c":[]}"#.utf8))
        #expect(
            json.pretty == """
                {
                  "a": [
                    1.10,
                    "é",
                    "\\ud800"
                  ],
                  "b": {},
                  "c": []
                }
                """)
    }

    private static let packages =
        #"{"a.b":{"c":1},"x":{"lodash.merge":"4.6","y":[{"n.m":5}]},"a":{"b":2},"s t":3,"k[0]":4}"#

    @Test(arguments: [
        ("", packages), ("a.b", "2"), (#""a.b".c"#, "1"), (#"["a.b"].c"#, "1"), ("['a.b'].c", "1"),
        (#"x."lodash.merge""#, #""4.6""#),
        (#"x.y.0."n.m""#, "5"), (#"x.y[0]["n.m"]"#, "5"), (#"$.x.y[*]["n.m"]"#, "5"), ("s t", "3"), (#""k[0]""#, "4"),
        (#""a\u002eb".c"#, "1"), ("a.b.c", nil), ("x.lodash.merge", nil), ("a[0]", nil), (#""a.b"#, nil), ("none", nil),
        ("x.y.1", nil),
        ("x.y[9]", nil), ("$.a.b", "2"), ("a..b", "2"),
    ])
    func aPathNamesOneValue(path: String, value: String?) throws {
        let json = try WrittenJSON.read(Array(Self.packages.utf8))
        #expect(ValuePath(path).value(in: json)?.text == value)
    }

    @Test(arguments: [("a..b", true), ("a.", true), (".a", false), ("a.b", false), (#""a..b""#, false), ("", false)])
    func anEmptyPartIsKnown(path: String, isEmpty: Bool) {
        #expect(ValuePath(path).hasEmptyPart == isEmpty)
    }

    @Test(arguments: [
        ("a.b.c", #""a.b".c"#), ("x.lodash.merge", #"x."lodash.merge""#), ("x.y.0.n.m", #"x.y.0."n.m""#),
        ("a.b.d", nil), ("none", nil),
    ])
    func thePathOfAKeyWithDotsIsFound(path: String, written: String?) throws {
        #expect(ValuePath.withQuotes(path, in: try WrittenJSON.read(Array(Self.packages.utf8))) == written)
    }
}

/// Keys and texts are compared byte by byte: `é` written in two ways is two texts.
struct ExactTextTests {
    @Test func textsThatOnlyLookEqualAreDifferent() throws {
        let (one, other) = ("caf\u{E9}", "cafe\u{301}")
        #expect(one == other, "To Swift they are equal, which is why this is tested.")
        #expect(JSON.string(one) != JSON.string(other) && ExactText(one) != ExactText(other))
        #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
        for count in [0, 40] {
            var object = JSON.Object()
            for number in 0..<count { object["k\(number)"] = .int(number) }
            object[one] = 1
            object[other] = 2
            #expect(object[one] == 1 && object[other] == 2 && object.members.count == count + 2)
            #expect(try JSONReader.read(JSON.object(object).text) == .object(object))
        }
    }
}
