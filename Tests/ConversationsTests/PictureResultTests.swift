import Conversations
import JSON
import Testing
import Vocabulary

/// A picture that a call gave, on its way into the conversation.
struct PictureResultTests {
    private static let cat = ChatPicture(
        name: "cat.jpg", mime: "image/jpeg", width: 800, height: 600, bytes: [0xFF, 0xD8, 1])

    @Test func theToolMessageHasThePictureAndEveryLaterRequestToo() throws {
        var turn = Turn(system: "S", tools: [])
        _ = turn.receive(.said("look"))
        let read = ChatCall(id: "c1", name: "read", arguments: ["path": "cat.jpg"])
        _ = turn.receive(.part(.finished(Reply(text: "", calls: [read])), of: 1))
        let effects = turn.receive(.callFinished(id: "c1", .picture(Self.cat, "cat.jpg · jpeg\n")))
        let stored = try #require(
            effects.lazy.compactMap { if case .store(let message) = $0 { message } else { nil } }.first)
        #expect(stored.text == "cat.jpg · jpeg\n" && stored.pictures == [Self.cat] && stored.callID == "c1")
        let request = try #require(
            effects.lazy.compactMap { if case .ask(let request, _) = $0 { request } else { nil } }.first)
        #expect(request.messages.last?.pictures == [Self.cat])
        // As a new process goes on with the stored messages.
        var later = Turn(
            system: "S", tools: [],
            history: [ChatMessage(.user, "look"), ChatMessage(.assistant, "", calls: [read]), stored])
        let asked = later.receive(.said("and?"))
        let next = try #require(
            asked.lazy.compactMap { if case .ask(let request, _) = $0 { request } else { nil } }.first)
        #expect(next.messages.first { $0.role == .tool }?.pictures == [Self.cat])
    }

    @Test func keysAreCutOutOfTheWordsAlone() {
        let filter = KeyFilter(values: [("K", "sk-abcdef-0123456789")])
        var named = Self.cat
        named.name = "sk-abcdef-0123456789.jpg"
        let result = CallResult.picture(named, "sk-abcdef-0123456789.jpg · jpeg").withoutKeys(filter)
        guard case .picture(let picture, let text) = result else { return #expect(Bool(false), "\(result)") }
        #expect(picture.bytes == Self.cat.bytes && !picture.name.contains("abcdef") && !text.contains("abcdef"))
        #expect(result.state == .succeeded && result.text == text)
    }
}
