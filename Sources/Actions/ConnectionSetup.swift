package import Vocabulary

/// What connecting a model needs of the world. Refusals are failures.
package struct ConnectionSetup: Sendable {
    /// What a word of the person stands for: a profile, an address, or a connection that is there.
    ///
    /// - Throws: `unknownConnection`, `badSettings`.
    package var draft: @Sendable (_ word: String) throws(Failure) -> ConnectionDraft
    /// The same with an address, or a model: who is asked, and by which name its key is looked up.
    package var question: @Sendable (ModelConnection) throws(Failure) -> HostQuestion
    package var keyState: @Sendable (ModelConnection) async throws(Failure) -> KeyState
    /// Takes a key for this process only; `keepKey` stores it.
    package var tryKey: @Sendable (_ key: String, ModelConnection) throws(Failure) -> Void
    package var keepKey: @Sendable (_ key: String, _ name: String, KeyStorage) async throws(Failure) -> Void
    /// What the server lists; empty if it lists nothing.
    package var models: @Sendable (ModelConnection) async throws(Failure) -> [String]
    /// One tiny request with a tool.
    package var trial: @Sendable (ModelConnection) async throws(Failure) -> ModelTrial
    /// Stores it as the default, and uses it in this process.
    package var put: @Sendable (ModelConnection) throws(Failure) -> Void
    /// Takes back what `put` stored last, where nothing else has changed since: its key could not be kept.
    package var takeBack: @Sendable () throws(Failure) -> Void
    /// What refusals have taught is forgotten: of one model, or of all. How much there was.
    package var forget: @Sendable (_ model: String?) throws(Failure) -> Int

    package init(
        draft: @escaping @Sendable (String) throws(Failure) -> ConnectionDraft,
        question: @escaping @Sendable (ModelConnection) throws(Failure) -> HostQuestion,
        keyState: @escaping @Sendable (ModelConnection) async throws(Failure) -> KeyState,
        tryKey: @escaping @Sendable (String, ModelConnection) throws(Failure) -> Void,
        keepKey: @escaping @Sendable (String, String, KeyStorage) async throws(Failure) -> Void,
        models: @escaping @Sendable (ModelConnection) async throws(Failure) -> [String],
        trial: @escaping @Sendable (ModelConnection) async throws(Failure) -> ModelTrial,
        put: @escaping @Sendable (ModelConnection) throws(Failure) -> Void,
        takeBack: @escaping @Sendable () throws(Failure) -> Void,
        forget: @escaping @Sendable (String?) throws(Failure) -> Int
    ) {
        self.draft = draft
        self.question = question
        self.keyState = keyState
        self.tryKey = tryKey
        self.keepKey = keepKey
        self.models = models
        self.trial = trial
        self.put = put
        self.takeBack = takeBack
        self.forget = forget
    }
}

/// A connection that is being made.
package struct ConnectionDraft: Hashable, Sendable {
    /// Its model may be empty yet.
    package var connection: ModelConnection
    /// Of the server, for the person.
    package var title: String
    /// Whether the server has no address of its own: the person has one.
    package var needsAddress: Bool

    package init(connection: ModelConnection, title: String, needsAddress: Bool) {
        self.connection = connection
        self.title = title
        self.needsAddress = needsAddress
    }
}

package enum KeyState: Hashable, Sendable {
    /// Programs on this machine mostly want none.
    case notWanted(name: String)
    case found(name: String)
    case missing(name: String)

    package var name: String {
        switch self {
        case .notWanted(let name), .found(let name), .missing(let name): name
        }
    }
}

/// Where a key is kept (`architecture.md`, "Folders and keys").
package enum KeyStorage: String, Hashable, Sendable, CaseIterable {
    /// `keys/NAME` of the config folder, which only the person can read.
    case file
    /// The same, in the place of another key of this name: the person has said that it goes.
    case fileAnew
    case secretService
    /// Nowhere: it is gone with this process.
    case none
}

/// What one tiny request came to.
package struct ModelTrial: Hashable, Sendable {
    package var callsTools: Bool
    /// What was learned on the way.
    package var notices: [String]
    package var milliseconds: Int

    package init(callsTools: Bool, notices: [String], milliseconds: Int) {
        self.callsTools = callsTools
        self.notices = notices
        self.milliseconds = milliseconds
    }
}

extension Failure {
    /// Whether something answers at a model's address, and not with a list of models: there may be a model all the
    /// same.
    package var isOfNoModelList: Bool { code.isOne(of: .modelWrongDialect, .modelEmpty, .modelBadReply) }

    /// Whether a server that was sent no key may have refused its list of models for want of one: it answered, and not
    /// with a page that is missing. Servers use any number for that. One is litellm without a database, which answers
    /// 500.
    package var mayWantKey: Bool {
        code.isOne(of: .modelForbidden, .modelBadRequest, .modelOverloaded, .modelRateLimited, .modelNoCredit)
    }

    /// The refusal as one for want of a key, after which the key is asked for.
    package var forWantOfKey: Failure {
        Failure(
            .modelRefusedKey, "The list of models was refused, and no key was sent. \(message)",
            remedy: "Give a key. If the server wants none, name the model: --model NAME.")
    }
}
