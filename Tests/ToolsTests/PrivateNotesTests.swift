import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// What an approved command made of keys is not seen by a later command that names no keys, whatever its name is.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct PrivateNotesTests {
    private let lab: Lab
    private static let key = "zqxjkvbwpmfhgyd"
    /// The key as it is, turned round, in rot13 and in base64.
    private static let forms = [key, "dyghfmpwbvkjxqz", "mdkwxiojczsutlq", "enF4amt2YndwbWZoZ3lk"]

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        try lab.write(".env", "KEY=\(Self.key)\n")
        try lab.write("a.txt", "a\n")
        try lab.write("b.txt", "b\n")
    }

    private func runs(_ line: String, reads: [String] = []) async throws {
        let params: JSON = ["command": .string(line), "reads": .array(reads.map { .string($0) })]
        let ending = await lab.run(try lab.assignment("Shell", params, attempt: .random(in: 1...1_000_000)))
        guard case .succeeded = ending else { throw Failure("test", "\(line): \(ending)") }
    }

    private func rehearse(_ line: String, reads: [String] = []) async throws -> (call: Call, output: String) {
        let params: JSON = ["command": .string(line), "reads": .array(reads.map { .string($0) })]
        let assignment = try lab.assignment("Shell", params, attempt: .random(in: 1...1_000_000))
        let toolbox = lab.toolbox
        let call = try await onThread {
            Result { () throws(Failure) in
                try toolbox.rehearse(assignment, agreed: try toolbox.prepare(assignment), cancel: Cancellation())
            }
        }.get()
        guard case .done(let played) = call.rehearsal else { throw Failure("test", "It was not rehearsed.") }
        return (call, String(decoding: try readWhole(lab.store.path(played.output), limit: 1 << 20), as: UTF8.self))
    }

    private func unseen(_ call: Call) -> [String] {
        guard case .done(let played) = call.rehearsal else { return [] }
        return played.unseen?.names ?? []
    }

    private func sh(_ line: String) throws { try Lab.program(["sh", "-ec", line], in: lab.workspace) }

    /// Ways in which what is in `.env` gets under another name, and what is done to it outside of Assent afterwards.
    @Test(
        arguments: [
            ("tr a-z n-za-m < .env > rot.txt", "", "rot.txt"),
            ("echo x$(cut -d= -f2 .env | rev) >> a.txt", "", "a.txt"),
            ("mkdir q; cut -d= -f2 .env | rev > q/b.txt", "", "q/"),
            ("mkdir -p q/r; base64 .env > q/r/b", "mv q q2", "q2/"),
            ("mkdir q; cut -d= -f2 .env > q/b.txt", "mv q/b.txt moved; rmdir q", "moved"),
            ("cp .env c", "mv c d", "d"), ("cp .env c", "touch c", "c"), ("cp .env c", "cp c x; rm c; mv x c", "c"),
            ("cp .env c", "ln c d", "c"), ("base64 .env | tee b.txt", "mv b.txt n; echo b > b.txt", "n"),
            ("mv a.txt z; cat .env >> z", "", "z"), ("cut -c1-9 .env > 'a b'", "", "a b"),
        ])
    func whatCameOfKeysIsNotSeen(line: String, then: String, name: String) async throws {
        try await runs(line, reads: [".env"])
        if !then.isEmpty { try sh(then) }
        for look in ["cat $(find . -type f)", "find . -type f -exec rev {} +", "base64 $(find . -type f)"] {
            let (call, output) = try await rehearse(look)
            for form in Self.forms { #expect(!output.contains(form), "\(look): \(output)") }
            #expect(unseen(call).contains(name), "\(unseen(call))")
        }
    }

    /// A copy would be empty, and what was not seen is not changed.
    @Test(arguments: ["cp -p rot.txt c", "rm rot.txt", "echo x >> rot.txt", "mv rot.txt c"])
    func itIsNeitherCopiedNorChanged(line: String) async throws {
        try await runs("tr a-z n-za-m < .env > rot.txt", reads: [".env"])
        let failure = await #expect(throws: Failure.self) { _ = try await rehearse(line) }
        #expect(failure?.code == "rehearsalRefused", "\(failure as Any)")
    }

    /// What was named is seen, what comes of that is private, and so is what comes of it in turn.
    @Test func itCanBeNamed() async throws {
        try await runs("mkdir q; tr a-z n-za-m < .env > rot.txt; rev .env > q/b; cp .env q", reads: [".env"])
        #expect(try await rehearse("cat q/.env q/b", reads: ["q"]).output.contains(Self.forms[1]))
        #expect(try await rehearse("cat q/.env", reads: ["q"]).output == "")
        for (reads, line) in [("rot.txt", "cat rot.txt"), ("q", "cat q/b"), ("q/b", "cat q/b")] {
            let (call, output) = try await rehearse(line, reads: [reads])
            guard case .done(let played) = call.rehearsal else { continue }
            #expect(!output.isEmpty && lab.store.isPrivate(played.output), "\(reads): \(output)")
        }
        try await runs("tr a-z n-za-m < rot.txt > back.txt", reads: ["rot.txt"])
        #expect(try await rehearse("cat back.txt").output == "")
        let failure = await #expect(throws: Failure.self) {
            _ = try await rehearse("true; cat $(ls)", reads: ["q/b", ".env", "nothing"])
        }
        #expect(failure?.code == "fileNotFound")
    }

    /// A tool that saves what is private notes it too.
    @Test func aFileThatAToolSavedIsNotSeen() async throws {
        let asset = try lab.asset("KEY=\(Self.key)\n")
        try lab.store.markPrivate([asset])
        guard case .succeeded = await lab.run(try lab.assignment("WriteFile", ["path": "saved.txt"], [("text", asset)]))
        else {
            throw Failure("test", "It was not saved.")
        }
        #expect(lab.read("saved.txt")?.contains(Self.key) ?? false)
        let (call, output) = try await rehearse("cat saved.txt")
        #expect(output == "" && unseen(call).contains("saved.txt"))
    }

    /// What a person has put in its place since is seen, and its content is looked at once only.
    @Test func whatIsAnothersIsSeen() async throws {
        try await runs("cat .env >> a.txt; cp .env c; mkdir q; cp .env q/b", reads: [".env"])
        try sh("echo mine > a.txt; rm -r c q; echo new > c; mkdir q; touch -d 2001-01-01 q; echo more > q/d")
        var notes: [[UInt8]] = []
        for _ in 1...2 {
            #expect(try await rehearse("cat a.txt c").output == "mine\nnew\n")
            notes.append(try readWhole("\(lab.own.data)/private-files", limit: 1 << 20))
        }
        #expect(notes[0] == notes[1] && notes[0].split(separator: 0).count { $0.first == UInt8(ascii: "n") } > 1)
        try sh("cat .env > a.txt")
        #expect(try await rehearse("cat a.txt").output != "mine\n")
    }

    /// A repository stays usable after a commit that saw keys.
    @Test func whatGitKeepsOfItsHistoryIsNoNote() async throws {
        let git = "git -c user.name=a -c user.email=b@c -c init.defaultBranch=main"
        try sh("\(git) init -q; \(git) add -f .env a.txt; \(git) commit -qm one; echo z >> a.txt")
        try await runs("\(git) commit -qam two; rev .env > .git/x", reads: [".env"])
        let (call, output) = try await rehearse("git log --format=%s; cat .git/x")
        #expect(output == "two\none\n" && unseen(call) == [".env", ".git/x"])
        #expect(try await rehearse("git show HEAD:a.txt").output == "a\nz\n")
    }

    /// Of too many notes the older half goes, and a note that a crash has cut is left out.
    @Test func theNotesAreBounded() throws {
        let file = "\(lab.own.data)/private-files"
        let many = (1...Limits.privateNotes).map { "\0f \($0) 1 1 /x/\($0)" }.joined()
        try writeWhole(Array((many + "\0f 12 1").utf8), to: file)
        try PrivateNotes.note([lab.path("a.txt")], lab.own)
        let notes = try readWhole(file, limit: 128 << 20).split(separator: 0)
        #expect(notes.count == Limits.privateNotes / 2)
        var status = stat()
        #expect(stat(lab.path("a.txt"), &status) == 0)
        let read = try #require(try PrivateNotes(lab.own))
        #expect(
            read.mayHold(inode: status.inode, "") && !read.mayHold(inode: 1, "/x/1")
                && read.mayHold(inode: 0, "/x/20000"))
    }
}
