import Harness
package import Testing

/// Marks tests that start a process: `make quick` leaves them out, and the launcher of the harness refuses to start one
/// in any other test.
package struct ProcessTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func prepare(for test: Test) async throws {
        guard ProcessPermit.isQuick else { return }
        _ = ProcessPermit.refusesProcesses
        try Test.cancel("It starts a process.")
    }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await ProcessPermit.$isGranted.withValue(true) { try await function() }
    }
}

extension Trait where Self == ProcessTrait {
    /// The test starts a process, such as the program itself or `vips`.
    package static var process: Self { Self() }
}
