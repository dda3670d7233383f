import Testing
import Vocabulary

@testable import assent

/// The arguments of a call that the Swift runtime may have lost.
@Suite struct LostArgumentTests {
    private static func read(_ runtime: [String], _ kernel: String) throws -> [String] {
        try ProgramArguments.from(runtime: runtime) { Array(kernel.utf8) }
    }

    @Test(arguments: [
        (["assent"], "", []), (["assent", "list", ""], "other\0", ["list", ""]), ([], "assent\0", []),
        ([], "assent\0list\0\0--json\0", ["list", "", "--json"]), ([], "assent\0show\0ä\n\0", ["show", "ä\n"]),
    ])
    func theKernelSaysWhatTheRuntimeHasLost(runtime: [String], kernel: String, arguments: [String]) throws {
        #expect(try Self.read(runtime, kernel) == arguments)
    }

    @Test(arguments: ["", "assent\0li"])
    func argumentsThatNobodyKnowsAreAnError(kernel: String) {
        #expect(throws: Failure.self) { try Self.read([], kernel) }
    }

    @Test func aFolderWithoutProcIsAnError() {
        #expect(throws: Failure.self) {
            try ProgramArguments.from(runtime: []) { () throws(Failure) in
                throw Failure(.fileNotFound, "/proc/self/cmdline is not there.")
            }
        }
    }
}
