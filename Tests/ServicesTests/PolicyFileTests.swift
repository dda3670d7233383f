import Consent
import Glibc
import Harness
import Testing
import Vocabulary

@testable import Services

/// The policy that comes with a folder may be any file, and a link to any.
@Suite struct PolicyFileTests {
    let scratch: ScratchFolder
    let path: String

    init() throws {
        scratch = try ScratchFolder()
        path = "\(scratch.path)/.assent/policy.yaml"
        mkdir("\(scratch.path)/.assent", 0o700)
    }

    private var policy: Policy {
        let folders = Folders(config: "\(scratch.path)/config", data: "\(scratch.path)/data", cache: "\(scratch.path)/cache")
        return Shelves(folders: folders, workspace: scratch.path).policy(of: scratch.path)
    }

    /// Whoever reads `/proc/kmsg` waits for the kernel's next word.
    @Test(.timeLimit(.minutes(1)), arguments: ["/proc/kmsg", "/proc/self/status", "/proc/self/mem"])
    func whatTheKernelMakesUpIsNoPolicy(target: String) {
        symlink(target, path)
        let reason = policy.unreadable
        #expect(reason?.contains("policy.yaml cannot be read: ") == true, "\(reason ?? "it was read")")
    }

    @Test(.timeLimit(.minutes(1))) func aPipeIsNotWaitedFor() {
        mkfifo(path, 0o600)
        #expect(throws: Failure.self) { try Files.strangersText(path) }
        #expect(policy.unreadable != nil)
    }

    @Test func aFileIsReadAlsoThroughALink() throws {
        let text = "policy: assent.policy/v1\nrules: []\n"
        try Files.replace("\(scratch.path)/rules.yaml", with: Array(text.utf8))
        symlink("../rules.yaml", path)
        #expect(try Files.strangersText(path) == text)
        #expect(policy.unreadable == nil)
    }
}
