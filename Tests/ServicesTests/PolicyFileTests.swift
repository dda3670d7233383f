import CaseNames
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

    private var shelves: Shelves {
        let folders = Folders(
            config: "\(scratch.path)/config", data: "\(scratch.path)/data", cache: "\(scratch.path)/cache")
        return Shelves(folders: folders, workspace: scratch.path)
    }

    private var policy: Policy { shelves.policy(of: scratch.path) }

    /// Whoever reads `/proc/kmsg` waits for the kernel's next word.
    @Test(.timeLimit(.minutes(10)), arguments: ["/proc/kmsg", "/proc/self/status", "/proc/self/mem"])
    func whatTheKernelMakesUpIsNoPolicy(target: String) {
        symlink(target, path)
        let reason = policy.unreadable
        #expect(reason?.contains("policy.yaml cannot be read: ") == true, "\(reason ?? "it was read")")
    }

    @Test(.timeLimit(.minutes(10))) func aPipeIsNotWaitedFor() {
        mkfifo(path, 0o600)
        #expect(throws: Failure.self) { try FileSystem.strangersText(path) }
        #expect(policy.unreadable != nil)
    }

    /// What cannot be read is said with its reason, once to `doctor` and in each refusal.
    @Test func whatCannotBeReadHasItsReason() throws {
        let rows: [(make: (String) -> Void, words: String)] = [
            ({ mkdir($0, 0o700) }, "it is a folder"), ({ mkfifo($0, 0o600) }, "it is a pipe"),
            ({ symlink("/dev/null", $0) }, "it is a device"),
            ({ symlink("nowhere", $0) }, "a link to something that is missing"),
            ({ symlink($0, $0) }, "its links lead in a circle"),
        ]
        expectNoFaults(in: rows) { make, words in
            make(path)
            defer { if rmdir(path) != 0 { unlink(path) } }
            let problems = shelves.policyProblems()
            let isSaid = policy.unreadable?.contains(words) ?? false
            return isSaid && problems.count == 1 && problems[0].place == path && problems[0].message.contains(words)
                ? [] : ["\(words): \(policy.unreadable ?? "read"), \(problems)"]
        }
    }

    @Test func aFileIsReadAlsoThroughALink() throws {
        let text = "policy: assent.policy/v1\nrules: []\n"
        try FileSystem.replace("\(scratch.path)/rules.yaml", with: Array(text.utf8))
        symlink("../rules.yaml", path)
        #expect(try FileSystem.strangersText(path) == text)
        #expect(policy.unreadable == nil)
    }
}
