import GRDB
import Harness
import Testing
import Vocabulary

@testable import Storage

/// The pictures of stored messages.
@Suite struct PictureStorageTests {
    private let scratch: ScratchFolder
    private let now = Moment(milliseconds: 1_795_000_000_000)

    init() throws { scratch = try ScratchFolder() }

    private static func message(_ text: String, _ pictures: [ChatPicture]) -> ChatMessage {
        var message = ChatMessage(.tool, text, callID: "c1")
        message.pictures = pictures
        return message
    }

    private static let cat = ChatPicture(
        name: "cat ü\u{1B}.jpg", mime: "image/jpeg", width: 800, height: 600,
        bytes: (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919) })
    private static let dog = ChatPicture(name: "dog.png", mime: "image/png", width: 1, height: 2, bytes: [0, 0xFF, 0])

    /// Stores a conversation of two turns with pictures.
    private func fill(_ archive: Archive) throws -> SessionID {
        let id = try archive.begin(title: "s", workspace: "/w", at: now).id
        try archive.append(ChatMessage(.user, "Look."), to: id, turn: 1, at: now)
        try archive.append(Self.message("both", [Self.cat, Self.dog]), to: id, turn: 1, at: now)
        try archive.append(Self.message("one", [Self.dog]), to: id, turn: 2, at: now)
        return id
    }

    private func count(_ archive: Archive) throws -> Int {
        try archive.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM pictures") ?? -1 }
    }

    @Test func picturesAreThereAgainByteForByte() throws {
        var archive = try Archive(folder: scratch.path)
        let id = try fill(archive)
        archive.close()
        archive = try Archive(folder: scratch.path)
        #expect(try archive.messages(of: id).map(\.message.pictures) == [[], [Self.cat, Self.dog], [Self.dog]])
        #expect(try archive.alteredRows().isEmpty && archive.faults().isEmpty && archive.orphans().isEmpty)
    }

    @Test func aForkHasThePicturesOfItsMessages() throws {
        let archive = try Archive(folder: scratch.path)
        let id = try fill(archive)
        let made = try archive.fork(id, through: 1, title: "f", at: now)
        #expect(try archive.messages(of: made.id).map(\.message.pictures) == [[], [Self.cat, Self.dog]])
        #expect(try archive.fork(id, through: 2, title: "g", at: now).messageCount == 3)
        #expect(try count(archive) == 8 && archive.alteredRows().isEmpty)
    }

    @Test func picturesAreDeletedWithTheirConversation() throws {
        let archive = try Archive(folder: scratch.path)
        let id = try fill(archive)
        let made = try archive.fork(id, through: 1, title: "f", at: now)
        _ = try archive.delete(id) { _ in false }
        #expect(try count(archive) == 2 && archive.messages(of: made.id)[1].message.pictures == [Self.cat, Self.dog])
        _ = try archive.delete(made.id) { _ in false }
        #expect(try count(archive) == 0 && archive.alteredRows().isEmpty && archive.orphans().isEmpty)
    }

    @Test func picturesAreSalvaged() throws {
        let archive = try Archive(folder: scratch.path)
        let id = try fill(archive)
        archive.close()
        let target = try scratch.folder()
        _ = try Salvage(of: scratch.path, into: target)
        let saved = try Archive(folder: target)
        #expect(try saved.messages(of: id).map(\.message.pictures) == [[], [Self.cat, Self.dog], [Self.dog]])
    }
}
