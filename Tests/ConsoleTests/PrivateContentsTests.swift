import JSON
import Testing
import Vocabulary

/// What is told of contents that may hold keys, where a model hears of a call or an entry of the inbox.
struct PrivateContentsTests {
    private let secret = ContentHash(hex: String(repeating: "ab", count: 32))
    private let plain = ContentHash(hex: String(repeating: "cd", count: 32))
    private var contents: PrivateContents { PrivateContents { [secret] in $0 == secret } }

    private func input(_ hash: ContentHash) -> JSON {
        ["port": "json", "name": "a.json", "sha256": .string(hash.hex), "bytes": 41, "meta": ["width": 3]]
    }

    @Test func neitherHashNorSizeNorDigestIsTold() {
        let told = contents.leftOut(of: [
            "number": 1, "digest": "of all of it", "request": ["inputs": [input(secret), input(plain)]],
            "path": .string("assets/ab/\(secret.hex)"),
        ])
        #expect(
            told == ["number": 1, "request": ["inputs": [["port": "json", "name": "a.json"], input(plain)]]],
            "\(told.text)")
        #expect(contents.leftOut(of: [.string(secret.hex), .string(plain.hex)]) == [.string(plain.hex)])
    }

    @Test func whatNamesNoneStaysAsItIs() {
        let json: JSON = ["digest": "d", "bytes": 3, "inputs": [input(plain)], "words": ["of", .string(plain.hex)]]
        #expect(contents.leftOut(of: json) == json)
    }

    /// What a command that read keys would write, and what it said: also where nothing here knows the contents.
    @Test func aPrivateTargetIsOneByItself() {
        func call(isPrivate: Bool) -> Call {
            Call(
                tool: "Shell", toolVersion: ContentHash(hex: "v"),
                targets: [
                    Call.Target(
                        .creates, .path("/w/copy"), reach: .workspace, before: .absent,
                        change: .init(kind: .file, bytes: 41, hash: plain),
                        isPrivate: isPrivate)
                ],
                rehearsal: .done(
                    .init(exitCode: 0, output: ContentHash(hex: String(repeating: "ef", count: 32)), outputBytes: 17)))
        }
        let contents = PrivateContents { _ in false }
        #expect(contents.leftOut(of: call(isPrivate: false).json) == call(isPrivate: false).json)
        let told = contents.leftOut(of: ["call": call(isPrivate: true).json, "digest": "d"])
        #expect(told["call"]?["targets"]?[0]?["change"] == ["kind": "file", "entries": 1], "\(told.text)")
        #expect(told["call"]?["rehearsal"] == ["exit": 0] && told["digest"] == nil, "\(told.text)")
    }
}
