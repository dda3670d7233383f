import Synchronization
package import Vocabulary

/// A model with a fallback, which answers if the model cannot be reached or is busy before it has said anything.
package struct FallbackModel: Sendable {
    let first: ChatModel
    /// The name of the model, as the user sees it.
    let name: String
    /// Returns another model, with words for the user, or nil if there is none.
    let next: @Sendable () async throws(Failure) -> (ChatModel, words: String)?

    /// Creates a model with a fallback.
    package init(
        first: @escaping ChatModel, name: String,
        next: @escaping @Sendable () async throws(Failure) -> (ChatModel, words: String)?
    ) {
        self.first = first
        self.name = name
        self.next = next
    }

    /// Asks the first model, and the other one if the first fails before its first word.
    package func ask(_ request: ChatRequest, _ tell: @escaping @Sendable (ReplyPart) -> Void) async throws {
        let hasSpoken = Atomic(false)
        do {
            try await first(request) { part in
                if case .notice = part {} else { hasSpoken.store(true, ordering: .relaxed) }
                tell(part)
            }
        } catch let failure as Failure where failure.isTransient && !hasSpoken.load(ordering: .relaxed) {
            do {
                guard let (model, words) = try await next() else { throw failure }
                tell(.notice("\(name) cannot answer now (\(failure.code)); \(words) is asked in its place"))
                try await model(request, tell)
            } catch let second as Failure where second.code == .hostNotAllowed || second.code == .keyMissing {
                // The failure of the first model is thrown, since the user can wait for its reason to end.
                tell(.notice("nobody stands in for it: \(second.message)"))
                throw failure
            }
        }
    }
}
