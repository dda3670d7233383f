import Engine

extension OpenWorkspace {
    /// Runs work on a thread that may block, and waits for its result without blocking a thread of the caller.
    package func blocking<Value: Sendable, Problem: Error>(
        _ work: @escaping @Sendable () throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Problem>, Never>) in
            workers.run {
                do throws(Problem) { continuation.resume(returning: .success(try work())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
