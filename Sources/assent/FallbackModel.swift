import Vocabulary

/// A model, and another in its place where it cannot be reached, or is busy, before it has said anything.
struct FallbackModel: Sendable {
    let first: ChatModel
    /// For the person.
    let name: String
    /// Another one; `nil` for none.
    let next: @Sendable () async throws(Failure) -> (ChatModel, words: String)?

    func stream(_ request: ChatRequest) -> AsyncThrowingStream<ReplyPart, any Error> {
        AsyncThrowingStream { parts in
            let task = Task {
                var hasSpoken = false
                do {
                    for try await part in first(request) {
                        if case .notice = part {} else { hasSpoken = true }
                        parts.yield(part)
                    }
                    parts.finish()
                } catch let failure as Failure where failure.isTransient && !hasSpoken {
                    do {
                        guard let (model, words) = try await next() else { throw failure }
                        parts.yield(.notice("\(name) cannot answer now (\(failure.code)); \(words) is asked in its place"))
                        for try await part in model(request) { parts.yield(part) }
                        parts.finish()
                    } catch let second as Failure where second.code == "hostNotAllowed" || second.code == "keyMissing" {
                        // Why the first one could not answer is what the person can wait for.
                        parts.yield(.notice("nobody stands in for it: \(second.message)"))
                        parts.finish(throwing: failure)
                    } catch {
                        parts.finish(throwing: error)
                    }
                } catch {
                    parts.finish(throwing: error)
                }
            }
            parts.onTermination = { _ in task.cancel() }
        }
    }
}
