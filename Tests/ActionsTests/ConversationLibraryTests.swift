import CaseNames
import Conversations
import JSON
import Services
import Storage
import Testing
import Vocabulary

@testable import Actions

/// The use cases of conversations, without a model and without a screen.
struct ConversationLibraryTests {
    private let opened: OpenedWorkspace
    private let library: ConversationLibrary

    init() throws {
        opened = try OpenedWorkspace()
        library = ConversationLibrary(opened.shared)
    }

    private func code(of body: () throws(Failure) -> Void) -> FailureCode? {
        do throws(Failure) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    /// Begins a conversation with one turn, and returns its name.
    private func spoken(_ line: String) throws -> SessionID {
        let id = try library.begin(line).id
        let (archive, now) = (try opened.shared.archive.get(), OpenWorkspace.now())
        try archive.append(ChatMessage(.user, line), to: id, turn: 1, at: now)
        try archive.append(ChatMessage(.assistant, "Done."), to: id, turn: 1, at: now)
        return id
    }

    @Test func aConversationIsOpenInOneProcessAtATime() throws {
        let id = try spoken("hello")
        let other = ConversationLibrary(opened.openedAgain())
        #expect(code { () throws(Failure) in _ = try other.open(id) } == "sessionOpen")
        #expect(code { () throws(Failure) in _ = try other.delete(id) } == "sessionOpen")
        try library.close(id)
        let left = try other.open(id)
        #expect(left.history.map(\.text) == ["hello", "Done."] && left.turns == 1 && left.lines.isEmpty && !left.waits)
        #expect(code { () throws(Failure) in _ = try library.open(id) } == "sessionOpen")
    }

    @Test func aTitleHoldsNoKey() throws {
        let key = "ghp_" + String(repeating: "a1B2", count: 9)
        let begun = try library.begin("use \(key) here")
        #expect(!begun.title.contains(key))
        #expect(try !library.rename(begun.id, "the key \(key)").title.contains(key))
        #expect(code { () throws(Failure) in _ = try library.rename(begun.id, " ") } == "badUsage")
    }

    @Test func theCopyOfACopyIsNamedAfterTheOriginal() throws {
        let first = try spoken("hello")
        let second = try library.fork(first, 1)
        let third = try library.fork(second.id, 1)
        #expect(second.title == "hello (fork of \(first))" && third.title == "hello (fork of \(second.id))")
        #expect(code { () throws(Failure) in _ = try library.fork(first, 7) } == "unknownTurn")
    }

    @Test func whatIsNotThereIsUnknown() {
        let id = SessionID(7)
        #expect(code { () throws(Failure) in _ = try library.find(id) } == "unknownSession")
        #expect(code { () throws(Failure) in _ = try library.open(id) } == "unknownSession")
        #expect(code { () throws(Failure) in _ = try library.fork(id, 1) } == "unknownSession")
        #expect(code { () throws(Failure) in _ = try library.delete(id) } == "unknownSession")
    }

    @Test func theModelOfAConversationComesBackWithIt() throws {
        let id = try spoken("hello")
        try opened.connect("lab")
        let models = ModelActions(opened.shared)
        try models.keep(ModelConnection.builtIn)
        models.begin(id)
        #expect(try models.use("lab", .session)?.words == "m at 127.0.0.1:9")
        models.leave()
        #expect(models.name == nil)
        #expect(try library.open(id).id == id && models.name == "m at 127.0.0.1:9")
    }

    // MARK: Calls that a crash cut

    private static let call = ChatCall(id: "c1", name: "start_workflow", arguments: ["workflow": [:]])

    /// The answers of a message with one call, after these states of the call were stored.
    private func answers(after states: [Event.CallState]) throws -> [String] {
        let id = try library.begin("hello").id
        for state in states {
            opened.shared.record(
                Event(at: OpenWorkspace.now(), session: id, .call(id: "c1", name: "start_workflow", state)))
        }
        var message = ChatMessage(.assistant, "")
        message.calls = [Self.call]
        return try CutCalls(opened.shared, in: id).answered([message], ConversationNews(opened.shared, in: id)).filter {
            $0.role == .tool
        }.map(\.text)
    }

    @Test func aCallThatWasNotBegunIsAnsweredSo() throws {
        #expect(try answers(after: []).isEmpty)
        let answers = try answers(after: [.pending])
        #expect(answers.count == 1 && answers[0].contains("notBegun"))
    }
}

/// The use cases that connect servers, without a server.
struct ConnectionTests {
    private let opened: OpenedWorkspace

    init() throws { opened = try OpenedWorkspace() }

    @Test(arguments: [
        ("https://api.example.com/v1", "example"), ("https://llm.example.com/v1", "llm"),
        ("http://127.0.0.1:9/v1", "local"), ("http://127.0.0.1:8/v1", "local-2"), ("https://api.ai.com/v1", "model"),
        ("https://lists.example.com", "lists"), ("https://list.example.com", "model"),
    ])
    func aServerHasANameOfItsOwn(address: String, name: String) throws {
        try opened.connect("local")
        #expect(try ConnectionSetup(opened.shared).draft(address).connection.name == name)
    }

    @Test func theMessageAboutAnAddressHidesItsPassword() throws {
        do throws(Failure) {
            _ = try ConnectionSetup(opened.shared).draft("https://ana:secret@example.com/v1")
            Issue.record("The address was accepted.")
        } catch {
            #expect(error.code == "badAddress" && !error.description.contains("secret"))
        }
    }

    @Test func aHostIsAllowedForOneUse() throws {
        let hosts = HostPermissions(opened.shared)
        let host = try hosts.read("api.example.com")
        #expect(try hosts.allow(host, .model) && !hosts.allow(host, .model))
        #expect(!hosts.isJobHost("api.example.com:443"))
        #expect(try hosts.allow(host, .jobs))
        #expect(hosts.isJobHost("api.example.com:443") && !hosts.isJobHost("api.example.com:8443"))
        #expect(try hosts.revoke(host, .jobs).map(\.use) == [.jobs])
        #expect(!hosts.isJobHost("api.example.com:443"))
        #expect(try hosts.list().map(\.use) == [.model])
    }

    @Test func aRequestIsAdmittedOnceThePersonHasSaidYes() async throws {
        let hosts = HostPermissions(opened.shared)
        let question = HostQuestion([try hosts.read("api.example.com")], for: .model, whom: "m")
        await #expect(throws: Failure.self) { try await hosts.admit(question) { _ in } }
        try await hosts.admit(question) { asked in
            for host in asked.hosts { #expect((try? hosts.allow(host, asked.use)) == true) }
        }
        try await hosts.admit(question) { _ in Issue.record("The person was asked twice.") }
    }

    @Test func aStoredKeyIsReplacedOnlyIfThePersonAgrees() async throws {
        let setup = ConnectionSetup(opened.shared)
        try await setup.keepKey("one", "LAB_KEY", .file)
        try await setup.keepKey("one", "LAB_KEY", .file)
        await #expect(throws: Failure.self) { try await setup.keepKey("two", "LAB_KEY", .file) }
        #expect(opened.shared.secrets.key("LAB_KEY") == "one")
        try await setup.keepKey("two", "LAB_KEY", .replacingFile)
        #expect(opened.shared.secrets.key("LAB_KEY") == "two")
    }
}

extension OpenedWorkspace {
    /// Connects a server on this machine that is never asked.
    fileprivate func connect(_ name: String) throws {
        try ConnectionSetup(shared).put(ModelConnection(name: name, url: "http://127.0.0.1:9/v1", model: "m"))
        ModelActions(shared).leave()
    }
}
