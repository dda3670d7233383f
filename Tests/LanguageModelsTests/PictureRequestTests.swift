import CaseNames
import Harness
import JSON
@testable import LanguageModels
import Testing
import Vocabulary

/// Pictures in the requests of all dialects.
struct PictureRequestTests {
    private static let cat = ChatPicture(
        name: "cat.jpg", mime: "image/jpeg", width: 30, height: 50, bytes: [0xFF, 0xD8, 1])
    private static let dog = ChatPicture(name: "dog.png", mime: "image/png", width: 9, height: 9, bytes: [0x89, 0x50])

    private static func answer(_ text: String, _ id: String, _ pictures: [ChatPicture] = []) -> ChatMessage {
        var message = ChatMessage(.tool, text, callID: id)
        message.pictures = pictures
        return message
    }

    private static func call(_ id: String) -> ChatCall {
        ChatCall(id: id, name: "read", arguments: ["path": .string(id)])
    }

    /// Two pictures, a text between them, and the reply.
    private static let talk = [
        ChatMessage(.user, "Look."), ChatMessage(.assistant, "", calls: [call("c1"), call("c2"), call("c3")]),
        answer("cat.jpg · jpeg", "c1", [cat]), answer("lines", "c2"), answer("dog.png · png", "c3", [dog]),
        ChatMessage(.assistant, "A cat."),
    ]

    private func messages(_ dialect: ModelProfile.Dialect, sees: Bool = true, _ talk: [ChatMessage] = talk) -> JSON? {
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        (profile.dialect, profile.hasVision) = (dialect, sees)
        let body = ModelRequest.body(ChatRequest(messages: talk, tools: []), profile)
        return body["messages"] ?? body["input"]
    }

    private static let calls: JSON = .array(
        ["c1", "c2", "c3"].map {
            [
                "id": .string($0), "type": "function",
                "function": ["name": "read", "arguments": .string(#"{"path":"\#($0)"}"#)],
            ]
        })

    private static let words: JSON =
        "[Not the person's words. The pictures of the results above, in their order:]"

    @Test func messagesHoldThePicturesInTheirResults() {
        let expected: JSON = [
            ["role": "user", "content": [["type": "text", "text": "Look."]]],
            [
                "role": "assistant",
                "content": .array(
                    ["c1", "c2", "c3"].map {
                        ["type": "tool_use", "id": .string($0), "name": "read", "input": ["path": .string($0)]]
                    }),
            ],
            [
                "role": "user",
                "content": [
                    [
                        "type": "tool_result", "tool_use_id": "c1",
                        "content": [
                            ["type": "text", "text": "cat.jpg · jpeg"],
                            [
                                "type": "image",
                                "source": ["type": "base64", "media_type": "image/jpeg", "data": "/9gB"],
                            ],
                        ],
                    ], ["type": "tool_result", "tool_use_id": "c2", "content": "lines"],
                    [
                        "type": "tool_result", "tool_use_id": "c3",
                        "content": [
                            ["type": "text", "text": "dog.png · png"],
                            [
                                "type": "image",
                                "source": ["type": "base64", "media_type": "image/png", "data": "iVA="],
                            ],
                        ],
                    ],
                ],
            ], ["role": "assistant", "content": [["type": "text", "text": "A cat."]]],
        ]
        #expect(messages(.messages) == expected)
    }

    @Test func responsesHoldThePicturesInTheirResults() {
        let expected: JSON = [
            [
                "type": "function_call_output", "call_id": "c1",
                "output": [
                    ["type": "input_text", "text": "cat.jpg · jpeg"],
                    ["type": "input_image", "image_url": "data:image/jpeg;base64,/9gB"],
                ],
            ], ["type": "function_call_output", "call_id": "c2", "output": "lines"],
            [
                "type": "function_call_output", "call_id": "c3",
                "output": [
                    ["type": "input_text", "text": "dog.png · png"],
                    ["type": "input_image", "image_url": "data:image/png;base64,iVA="],
                ],
            ],
        ]
        #expect(messages(.responses)?.array?.dropFirst(4).prefix(3).map { $0 } == expected.array)
    }

    @Test func chatCompletionsHaveThePicturesBehindAllResults() {
        let expected: JSON = [
            ["role": "user", "content": "Look."], ["role": "assistant", "content": .null, "tool_calls": Self.calls],
            ["role": "tool", "tool_call_id": "c1", "content": "cat.jpg · jpeg"],
            ["role": "tool", "tool_call_id": "c2", "content": "lines"],
            ["role": "tool", "tool_call_id": "c3", "content": "dog.png · png"],
            [
                "role": "user",
                "content": [
                    ["type": "text", "text": Self.words],
                    ["type": "image_url", "image_url": ["url": "data:image/jpeg;base64,/9gB"]],
                    ["type": "image_url", "image_url": ["url": "data:image/png;base64,iVA="]],
                ],
            ], ["role": "assistant", "content": "A cat."],
        ]
        #expect(messages(.chatCompletions) == expected)
    }

    @Test func ollamaHasThePicturesBehindAllResults() {
        let expected: JSON = [
            ["role": "tool", "tool_name": "read", "content": "cat.jpg · jpeg"],
            ["role": "tool", "tool_name": "read", "content": "lines"],
            ["role": "tool", "tool_name": "read", "content": "dog.png · png"],
            ["role": "user", "content": Self.words, "images": ["/9gB", "iVA="]],
            ["role": "assistant", "content": "A cat."],
        ]
        #expect(messages(.ollama)?.array?.dropFirst(2).map { $0 } == expected.array)
    }

    private static let lines: [(ModelProfile.Dialect, JSON)] = [
        (
            .messages,
            [
                [
                    "role": "user",
                    "content": [
                        ["type": "text", "text": "Well."], ["type": "text", "text": "Look."],
                        [
                            "type": "image", "source": ["type": "base64", "media_type": "image/jpeg", "data": "/9gB"],
                            "cache_control": ["type": "ephemeral"],
                        ],
                    ],
                ]
            ]
        ),
        (
            .responses,
            [
                ["type": "message", "role": "user", "content": [["type": "input_text", "text": "Well."]]],
                [
                    "type": "message", "role": "user",
                    "content": [
                        ["type": "input_text", "text": "Look."],
                        ["type": "input_image", "image_url": "data:image/jpeg;base64,/9gB"],
                    ],
                ],
            ]
        ),
        (
            .chatCompletions,
            [
                ["role": "user", "content": "Well."],
                [
                    "role": "user",
                    "content": [
                        ["type": "text", "text": "Look."],
                        ["type": "image_url", "image_url": ["url": "data:image/jpeg;base64,/9gB"]],
                    ],
                ],
            ]
        ),
        (
            .ollama,
            [["role": "user", "content": "Well.\n\nLook.", "images": ["/9gB"]]]
        ),
    ]

    /// A picture that a line of the user attaches, behind another line.
    @Test(arguments: lines)
    func aLineOfTheUserHoldsItsPicture(dialect: ModelProfile.Dialect, expected: JSON) {
        var line = ChatMessage(.user, "Look.")
        line.pictures = [Self.cat]
        let talk = [ChatMessage(.user, "Well."), line]
        #expect(messages(dialect, talk) == expected)
        let unseen = messages(dialect, sees: false, talk)?.text ?? ""
        #expect(
            unseen.contains("Look.\\n[This model cannot see the picture.]") && !unseen.contains("/9gB"), "\(unseen)")
    }

    @Test(arguments: ModelProfile.Dialect.allCases)
    func aModelThatCannotSeeGetsWords(dialect: ModelProfile.Dialect) throws {
        let text = try #require(messages(dialect, sees: false)).text
        #expect(!text.contains("/9gB") && !text.contains("image_url") && !text.contains("\"images\""))
        #expect(text.split(separator: "[This model cannot see the picture.]").count == 3)
    }

    /// The same history gives the same beginning of every request, which servers find in their caches.
    @Test(arguments: ModelProfile.Dialect.allCases)
    func laterRequestsBeginAsEarlierOnes(dialect: ModelProfile.Dialect) throws {
        let first = try #require(messages(dialect, Array(Self.talk.dropLast()))?.array)
        let later = try #require(messages(dialect, Self.talk + [ChatMessage(.user, "And?")])?.array)
        // The mark for the cache of Messages stands on the last block.
        #expect(later.prefix(first.count - 1) == first.prefix(first.count - 1))
    }

    @Test func aPictureCountsAsTokensOfItsPixels() {
        let large = ChatPicture(name: "a", mime: "image/jpeg", width: 1568, height: 1176, bytes: [1])
        #expect(large.tokens == 1568 * 1176 / 750 + 1)
        #expect(Self.answer("1234", "c1", [large]).bytes == 64 + 4 + 3 * large.tokens)
    }

    @Test func theOldestPicturesOfATooLargeExchangeAreLeftOut() throws {
        let large = ChatPicture(name: "a", mime: "image/jpeg", width: 1500, height: 1500, bytes: [0xFF, 0xD8, 1])
        let ids = (1...4).map { "c\($0)" }
        let talk =
            [ChatMessage(.user, "Look."), ChatMessage(.assistant, "", calls: ids.map(Self.call))]
            + ids.map { Self.answer("a", $0, [large]) }
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        (profile.hasVision, profile.window) = (true, 10_000)
        let fitted = ContextWindow.fitted(ChatRequest(messages: talk, tools: []), profile)
        #expect(fitted.messages.map(\.pictures.count) == [0, 0, 0, 0, 1, 1])
        #expect(
            fitted.messages[2].text
                == "a\n[The picture is left out: more pictures came after it than the model can be sent.]")
    }

    /// Pictures of 1 MB in one exchange, whatever the window is.
    @Test func aRequestHasNoMorePicturesThanServersTake() {
        let large = ChatPicture(
            name: "a", mime: "image/jpeg", width: 9, height: 9, bytes: Array(repeating: 0, count: 900_000))
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.hasVision = true
        for (count, left) in [(22, 22), (23, 15), (30, 22), (31, 15)] {
            let ids = (1...count).map { "c\($0)" }
            let talk =
                [ChatMessage(.user, "Look."), ChatMessage(.assistant, "", calls: ids.map(Self.call))]
                + ids.map { Self.answer("a", $0, [large]) }
            let fitted = ContextWindow.fitted(ChatRequest(messages: talk, tools: []), profile)
            #expect(fitted.messages.flatMap(\.pictures).count == left, "\(count)")
            #expect(fitted.messages.suffix(left).allSatisfy { !$0.pictures.isEmpty }, "the newest")
        }
    }

    @Test(arguments: [
        (400, "tiny is not a multimodal model", ModelLesson?.some(.noVision)),
        (
            500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            .noVision
        ),
        (400, "This model does not support image input.", .noVision), (500, "out of memory", nil),
    ])
    func aServerThatRefusesPicturesIsAskedWithoutThem(status: Int, words: String, lesson: ModelLesson?) {
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.hasVision = true
        let body: JSON = ["error": ["message": .string(words)]]
        let error = ServerError(body: Array(body.text.utf8))
        let reader = LessonReader(error, status: status, profile)
        #expect(reader.lesson(from: ChatRequest(messages: Self.talk, tools: [])) == lesson)
        #expect(reader.lesson(from: ChatRequest(messages: [ChatMessage(.user, "a")], tools: [])) == nil)
    }
}
