import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
@testable import Sandbox
import Synchronization
import Testing
@testable import Tools
import Vocabulary

/// What a command would change, found without changing it; and brought about exactly so.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct RehearsalTests {
    let lab: Lab
    let rehearsal: OverlayRun

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        rehearsal = OverlayRun(
            folder: RehearsalFolder(path: "\(lab.own.data)/rehearsals/w3.2"), workspace: lab.workspace)
        try lab.write("notes.txt", "buy milk\n")
        try lab.write("src/main.c", "int main() {}\n")
        try lab.write("src/old.c", "gone soon\n")
    }

    func rehearse(_ line: String) throws -> ChangeList { try rehearseAndLook(line).0 }

    func rehearseAndLook(_ line: String, with rehearsal: OverlayRun? = nil) throws -> (
        ChangeList, output: String
    ) {
        let rehearsal = rehearsal ?? self.rehearsal
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(folder.path)
        try rehearsal.folder.make()
        let ended = try rehearsal.run(["sh", "-c", line], in: folder, sandbox: lab.sandbox, cancel: Cancellation())
        #expect(
            ended.ending == .exited(0), "\(ended.ending) \(String(decoding: ended.traces.errorTail, as: UTF8.self))")
        let output = String(decoding: try ended.traces.output(limit: 1 << 20), as: UTF8.self)
        return (try rehearsal.changes(since: ended.started), output)
    }

    /// `creates d/x 3 bytes`: a line a change.
    func told(_ list: ChangeList) -> [String] {
        list.targets.map { target in
            guard case .path(let path) = target.place, let change = target.change else { return "?" }
            let modes = [change.modeBefore, change.mode].map { $0.map { String($0, radix: 8) } ?? "-" }.joined(
                separator: ">")
            return "\(target.effect) \(path.dropFirst(lab.workspace.count + 1)) \(change.kind) \(modes) \(change.bytes)"
                + (change.entries > 1 ? " of \(change.entries)" : "")
                + (change.modified.map { " at \($0 / 1_000_000_000)" } ?? "")
        }
    }

    @Test(
        arguments: [
            ("true", []),
            ("cat notes.txt; ls -R; find . -name x; touch -r notes.txt notes.txt", []),
            ("echo hi > new", ["creates new file ->644 3"]),
            ("echo more >> notes.txt", ["overwrites notes.txt file 644>644 14"]),
            ("sed -i s/milk/oil/ notes.txt", ["overwrites notes.txt file 644>644 8"]),
            ("rm notes.txt", ["deletes notes.txt file 644>- 9"]),
            (
                "rm -r src",
                ["deletes src folder 755>- 0", "deletes src/main.c file 644>- 14", "deletes src/old.c file 644>- 10"]
            ),
            ("mv notes.txt todo.txt", ["deletes notes.txt file 644>- 9", "creates todo.txt file ->644 9"]),
            ("chmod 755 notes.txt", ["overwrites notes.txt file 644>755 9"]),
            ("chmod 700 src", ["overwrites src folder 755>700 0"]),
            ("ln -s notes.txt link", ["creates link link ->777 0"]),
            (
                "mkdir -p a/b && echo x > a/b/c",
                ["creates a folder ->755 0", "creates a/b folder ->755 0", "creates a/b/c file ->644 2"]
            ),
            ("echo x > t; rm t; mkdir u; rmdir u", []),
            ("rm notes.txt; mkdir notes.txt", ["deletes notes.txt file 644>- 9", "creates notes.txt folder ->755 0"]),
            (
                "rm -r src; mkdir src; echo y > src/z",
                [
                    "deletes src folder 755>- 0", "deletes src/main.c file 644>- 14", "deletes src/old.c file 644>- 10",
                    "creates src folder ->755 0", "creates src/z file ->644 2",
                ]
            ),
            ("mkdir n; for i in $(seq 1500); do echo $i > n/$i; done", ["creates n folder ->755 6393 of 1501"]),
            ("cp -p notes.txt copy; rm notes.txt; mv copy notes.txt", []),
            ("touch -d @5 notes.txt", ["overwrites notes.txt file 644>644 9 at 5"]),
            ("touch -d @-5.5 notes.txt", ["overwrites notes.txt file 644>644 9 at -5"]),
            (
                "cp notes.txt copy; rm notes.txt; mv copy notes.txt; touch -d @5 notes.txt",
                ["overwrites notes.txt file 644>644 9 at 5"]
            ),
            ("touch -d @5 notes.txt; chmod 600 notes.txt", ["overwrites notes.txt file 644>600 9 at 5"]),
            ("touch -d @5 notes.txt; echo more >> notes.txt", ["overwrites notes.txt file 644>644 14"]),
            ("touch -d @5 src", []), ("touch -d @5 src/main.c src", ["overwrites src/main.c file 644>644 14 at 5"]),
            ("exec 3<> notes.txt", []), ("touch -d @5 new", ["creates new file ->644 0"]),
        ] as [(String, [String])])
    func whatItWouldChangeIsTold(line: String, expected: [String]) throws {
        let before = try Self.picture(of: lab.workspace)
        let list = try rehearse(line)
        #expect(told(list) == expected && list.refusals.isEmpty, "\(told(list)) \(list.refusals)")
        #expect(try Self.picture(of: lab.workspace) == before)
    }

    @Test(
        arguments: [
            ("echo x > NOTES.txt", "NOTES.txt", "notes.txt"), ("mkdir SRC; echo x > SRC/y", "SRC", "src"),
            ("echo x > src/Main.c", "src/Main.c", "main.c"), ("mv notes.txt NOTES.txt", "NOTES.txt", nil),
            ("echo x > new", "new", nil),
        ] as [(String, String, String?)])
    func aNewNameThatIsLikeAnotherSaysWhich(line: String, path: String, other: String?) throws {
        let list = try rehearse(line)
        let target = try #require(list.targets.first { $0.place == .path(lab.path(path)) })
        #expect(target.effect == .creates && target.resembles == other)
    }

    /// Two that come in one command, too, in a folder that is there and in one that comes with them.
    @Test(arguments: [
        "echo x > read; echo y > READ", "mkdir n; echo x > n/read; echo y > n/Read",
        "echo x > $(printf 're\\314\\201'); echo y > $(printf 'r\\303\\251')",
    ])
    func namesThatComeTogetherAreComparedToo(line: String) throws {
        let list = try rehearse(line)
        #expect(list.targets.count { $0.resembles != nil } == 1, "\(list.targets)")
    }

    /// Whoever judges must see the names that are asked about.
    @Test func oddNamesInAFolderThatIsToldInOneAreToldAllTheSame() throws {
        let list = try rehearse(
            "mkdir n; for i in $(seq 1500); do echo > n/$i; done; echo > n/-rf; mkdir n/-d; echo > n/-d/y")
        #expect(
            Set(list.targets.map(\.place)) == Set(["n", "n/-rf", "n/-d"].map { .path(lab.path($0)) }), "\(told(list))")
    }

    /// They are applied, and so they are told.
    @Test(arguments: [
        ("os.setxattr('notes.txt', 'user.note', b'y')", "notes.txt", Effect.overwrites, true),
        ("open('new', 'w'); os.setxattr('new', 'user.note', b'y')", "new", .creates, true),
        ("os.mkdir('n'); os.setxattr('n', 'user.note', b'y')", "n", .creates, true),
        ("open('new', 'w')", "new", .creates, false),
    ]) func extendedAttributesAreTold(line: String, path: String, effect: Effect, areTold: Bool) throws {
        let target = try #require(rehearse("python3 -c \"import os; \(line)\"").targets.first)
        #expect(target.place == .path(lab.path(path)) && target.effect == effect)
        #expect((target.change?.attributes != nil) == areTold)
    }

    @Test func attributesThatAreTakenAwayAreToldToo() throws {
        try Lab.program(["python3", "-c", "import os; os.setxattr('notes.txt', 'user.note', b'y')"], in: lab.workspace)
        let target = try #require(
            rehearse("python3 -c \"import os; os.removexattr('notes.txt', 'user.note')\"").targets.first)
        #expect(
            target.place == .path(lab.path("notes.txt")) && target.effect == .overwrites
                && target.change?.attributes != nil)
    }

    @Test(arguments: [
        ("mkfifo p", "a device, a pipe or a socket"), ("echo x > s; chmod u+s s", "setuid"),
        ("python3 -c \"import os; open('f','w'); os.setxattr('f','user.overlay.whiteout',b'y')\"", "pretends"),
    ]) func whatMustNotComeIsRefused(line: String, why: String) throws {
        let list = try rehearse(line)
        #expect(list.refusals.contains { $0.contains(why) }, "\(list.refusals) \(told(list))")
    }

    @Test(arguments: [
        "echo hi > new", "echo more >> notes.txt", "rm notes.txt", "rm -r src", "mv notes.txt todo.txt",
        "chmod 755 notes.txt",
        "chmod 500 src",
        "ln -s notes.txt link", "mkdir -p a/b && echo x > a/b/c && chmod 444 a/b/c && chmod 555 a/b",
        "rm notes.txt; mkdir notes.txt",
        "rm -r src; mkdir src; echo y > src/z", "mkdir n; for i in $(seq 150); do echo $i > n/$i; done",
        "git init -q && git add . && git -c user.name=a -c user.email=b commit -qm x",
        "mkdir out && tar cf all.tar src notes.txt && rm -r src notes.txt && tar xf all.tar -C out && touch -d 2001-01-01 out/src/main.c",
        "sed -i s/milk/oil/ notes.txt && touch -d 2001-01-01 notes.txt",
        "touch -d 2001-01-01 notes.txt src/main.c; touch src",
        "cp -p notes.txt c && touch c notes.txt && cp -p c notes.txt",
        "touch -r src/main.c notes.txt; chmod 400 notes.txt",
        "touch -d 1960-01-01 notes.txt", "ln -s notes.txt link; touch -h -d 2001-01-01 link",
        "mv src lib && mv lib/main.c main.c",
        "rm -rf src notes.txt",
        "printf 'app: main.o old.o\\n\\tcc -o $@ $^\\n%%.o: src/%%.c\\n\\tcc -c -o $@ $<\\n' > Makefile; echo > src/old.c; make -sj2; ./app; make -sB",
        "git init -q && git add . && git -c user.name=a -c user.email=b commit -qm x && git rm -q notes.txt && git checkout -qb other",
        "python3 -c \"import json, os; os.rename('src/old.c', 'o'); os.mkdir('p'); json.dump([1], open('p/x', 'w')); os.chmod('o', 0o600)\"",
        "mkdir n && (cd n && tar cf - -C .. src | tar xf - && gzip -r src && perl -pi -e s/buy/sell/ ../notes.txt)",
    ]) func whatWasRehearsedIsWhatComesAndCanBeTakenBack(line: String) throws {
        let before = try Self.picture(of: lab.workspace)
        // What it is like inside, told by the command itself.
        let (list, inside) = try rehearseAndLook("{ \(line); } >/dev/null && \(Self.look)")
        #expect(list.refusals.isEmpty, "\(list.refusals)")
        try rehearsal.folder.write(RehearsalFolder.Plan(steps: list.steps, locked: list.locked))
        let application = Application(folder: rehearsal.folder, workspace: lab.workspace)
        try application.apply()
        #expect(try Self.picture(of: lab.workspace) == inside)
        #expect(inside != before)
        #expect(try Self.marks(below: lab.workspace) == 0)
        // Once more is nothing.
        let after = try Self.picture(of: lab.workspace)
        try application.apply()
        #expect(try Self.picture(of: lab.workspace) == after)
        try application.undo()
        #expect(try Self.picture(of: lab.workspace) == before)
    }

    @Test func aBuildOf20000FilesComesAsItWasRehearsed() throws {
        let line =
            "mkdir -p out/deep; python3 -c \"[open(f'out/deep/{i}.o', 'w').write(str(i)) for i in range(20000)]\"; echo x >> notes.txt; rm src/old.c"
        // In memory: what others write to the disk meanwhile would be waited for.
        let memory = try ScratchFolder(isInMemory: true)
        let (work, reference) = ("\(memory.path)/work", "\(memory.path)/reference")
        for folder in [work, reference] { try Lab.program(["cp", "-a", lab.workspace, folder], in: lab.root) }
        try Lab.program(["sh", "-c", line], in: reference)
        let before = try Self.contents(of: work)
        let rehearsal = OverlayRun(folder: RehearsalFolder(path: "\(memory.path)/rehearsal"), workspace: work)
        let (list, _) = try rehearseAndLook(line, with: rehearsal)
        #expect(list.refusals.isEmpty && list.targets.contains { $0.change?.entries ?? 0 > 20_000 }, "\(list.refusals)")
        #expect(try Self.contents(of: work) == before)
        try rehearsal.folder.write(RehearsalFolder.Plan(steps: list.steps, locked: list.locked))
        let application = Application(folder: rehearsal.folder, workspace: work)
        try application.apply()
        // No difference of a megabyte is printed.
        let isSame = try Self.contents(of: work) == Self.contents(of: reference)
        #expect(isSame)
        try application.undo()
        #expect(try Self.contents(of: work) == before)
    }

    /// A crash before each of the steps: whoever comes next does the rest, or takes back what was done.
    @Test(arguments: [
        "echo hi > new; echo more >> notes.txt; rm src/old.c; chmod 755 notes.txt",
        "rm -r src; mkdir src; echo y > src/z; echo hi > new",
        "mv notes.txt todo.txt; mkdir -p a/b; echo x > a/b/c; ln -s a link",
        // The time is fixed: the name of the commit decides whether its object gets a folder of its own.
        "export GIT_AUTHOR_DATE=@1700000000 GIT_COMMITTER_DATE=@1700000000; git init -q; git add .; "
            + "git -c user.name=a -c user.email=b commit -qm x; echo hi > new",
    ]) func aPartIsBroughtAboutAndNothingElse(line: String) throws {
        let before = try Self.picture(of: lab.workspace)
        let count = try rehearse(line).targets.count
        #expect(count >= 2)
        for index in 0..<count {
            let list = try rehearse(line)
            try #require(list.targets.count == count)
            let chosen = try #require(list.targets[index].path)
            let part = list.part([chosen], of: lab.workspace)
            #expect(part.targets.contains { $0.path == chosen } && part.steps.count <= list.steps.count)
            #expect(part.part(part.targets.compactMap(\.path), of: lab.workspace).targets == part.targets)
            try rehearsal.folder.write(RehearsalFolder.Plan(steps: part.steps, locked: part.locked))
            let application = Application(folder: rehearsal.folder, workspace: lab.workspace)
            try application.apply()
            // What is not in the part is as it was.
            let named = part.targets.compactMap(\.path).map { String($0.dropFirst(lab.workspace.count + 1)) }
            let changed = Set(try Self.picture(of: lab.workspace).split(separator: "\n")).symmetricDifference(
                before.split(separator: "\n"))
            for row in changed {
                #expect(named.contains { row.contains($0) }, "\(chosen): \(row)")
            }
            #expect(!changed.isEmpty)
            try application.undo()
            #expect(try Self.picture(of: lab.workspace) == before, "\(chosen)")
        }
        #expect(try rehearse(line).part([], of: lab.workspace).steps.isEmpty)
    }

    /// Between the yes and the application: nothing of it is done.
    @Test(arguments: [
        "echo other > notes.txt", "echo buy oil! > notes.txt", "rm notes.txt", "mv notes.txt x; cp x notes.txt",
        "ln -sf src notes.txt",
        "echo x > new",
        "rm -r src; mkdir src", "mv src s2; ln -s s2 src", "ln src/old.c elsewhere", "chmod 600 notes.txt",
        "echo x >> UPPER/new",
        "rm UPPER/new",
        "echo x > UPPER/extra", "chmod 777 UPPER/new", "rm UPPER/new; ln -s /etc/passwd UPPER/new",
        "rm UPPER/new; mkfifo UPPER/new",
        "mkdir UPPER/.git; echo x > UPPER/.git/config",
    ]) func whatIsChangedBetweenIsRefused(change: String) async throws {
        let lab = lab
        let assignment = try lab.assignment("Shell", ["command": "echo hi > new; echo more >> notes.txt; rm src/old.c"])
        let toolbox = lab.toolbox
        let call = try await onThread { Result { try toolbox.rehearse(assignment, cancel: Cancellation()) } }.get()
        #expect(call.targets.count == 3)
        let upper = "\(lab.own.data)/rehearsals/w3/2-1/upper"
        try Lab.program(["sh", "-c", change.replacing("UPPER", with: upper)], in: lab.workspace)
        let changed = try Self.picture(of: lab.workspace)
        let ending = await onThread { toolbox.run(assignment, call: call, cancel: Cancellation()) }
        guard case .failed(let failure) = ending else {
            Issue.record("\(ending)")
            return
        }
        #expect(["targetChanged", "rehearsalRefused"].contains(failure.code), "\(failure)")
        #expect(try Self.picture(of: lab.workspace) == changed)
    }

    @Test(
        arguments: [
            (
                "[user]\n\tname = Ana Lima\n\temail = ana@example.org\n",
                ["name": "Ana Lima", "email": "ana@example.org"]
            ),
            ("# x\n[core]\nname = no\n[User]\nName=\"A B\"\n; email = x\n[user \"x\"]\nemail = no\n", ["name": "A B"]),
            ("", [:]),
        ] as [(String, [String: String])])
    func gitKnowsWhoCommits(text: String, expected: [String: String]) {
        #expect(GitIdentity.user(in: text) == expected)
    }

    /// As git packs what it keeps, in the background.
    @Test func foldersThatGoWhileTheyAreLookedAtAreNoFault() async throws {
        let lab = lab
        let ends = Mutex(false)
        let folders = (1...30).map { lab.path("deep/\($0)") }
        try lab.write("deep/x", "x")
        async let churn: Void = onThread {
            while !ends.withLock({ $0 }) { for folder in folders where mkdir(folder, 0o700) != 0 { rmdir(folder) } }
        }
        let faults = await onThread {
            (1...500).compactMap { _ -> String? in
                do throws(Failure) { _ = try PrivateFiles.below(lab.workspace, own: lab.own) } catch {
                    return error.message
                }
                return nil
            }
        }
        ends.withLock { $0 = true }
        await churn
        #expect(faults.isEmpty, "\(faults.count): \(faults.first ?? "")")
    }

    /// Every path with kind, permissions, content and, but for folders, time.
    static let look =
        "find . \\( -type d -printf '%P d %m\\n' \\) -o -printf '%P %y %m %l %T@\\n' | sort; find . -type f -exec sha256sum {} + | sort"

    /// The same without times.
    static func contents(of folder: String) throws -> String {
        try Lab.program(
            ["sh", "-c", "find . -printf '%P %y %m %l\\n' | sort; find . -type f -exec sha256sum {} + | sort"],
            in: folder)
    }

    static func picture(of folder: String) throws -> String { try Lab.program(["sh", "-c", look], in: folder) }

    /// Marks of the overlay that were left.
    static func marks(below folder: String) throws -> Int {
        let paths = try Lab.program(["find", folder, "(", "-type", "d", "-o", "-type", "f", ")", "-print"], in: folder)
            .split(
                separator: "\n")
        return try paths.reduce(0) { count, path in
            try count + OpenFile(String(path), O_RDONLY).attributes().count { $0.name.hasPrefix("user.overlay.") }
        }
    }
}
