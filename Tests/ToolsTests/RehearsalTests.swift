import Glibc
import Harness
import JSON
import Testing
import Vocabulary

@testable import Tools

/// What a command would change, found without changing it; and brought about exactly so.
@Suite(.enabled(if: Sandbox.here.reasonForNone == nil)) struct RehearsalTests {
    private let lab: Lab
    private let rehearsal: Rehearsal

    init() throws {
        lab = try Lab()
        rehearsal = Rehearsal(folder: RehearsalFolder(path: "\(lab.own.data)/rehearsals/w3.2"), workspace: lab.workspace)
        try lab.write("notes.txt", "buy milk\n")
        try lab.write("src/main.c", "int main() {}\n")
        try lab.write("src/old.c", "gone soon\n")
    }

    private func rehearse(_ line: String) throws -> ChangeList { try rehearseAndLook(line).0 }

    private func rehearseAndLook(_ line: String) throws -> (ChangeList, output: String) {
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(folder.path)
        let ended = try rehearsal.run(["sh", "-c", line], in: folder, sandbox: lab.sandbox, cancel: Cancellation())
        #expect(ended.ending == .exited(0), "\(ended.ending) \(String(decoding: ended.traces.errorTail, as: UTF8.self))")
        let output = String(decoding: try ended.traces.output(limit: 1 << 20), as: UTF8.self)
        return (try rehearsal.changes(since: ended.started), output)
    }

    /// `creates d/x 3 bytes`: a line a change.
    private func told(_ list: ChangeList) -> [String] {
        list.targets.map { target in
            guard case .path(let path) = target.place, let change = target.change else { return "?" }
            let modes = [change.modeBefore, change.mode].map { $0.map { String($0, radix: 8) } ?? "-" }.joined(separator: ">")
            return "\(target.effect) \(path.dropFirst(lab.workspace.count + 1)) \(change.kind) \(modes) \(change.bytes)"
                + (change.entries > 1 ? " of \(change.entries)" : "")
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
            ("rm -r src", ["deletes src folder 755>- 0", "deletes src/main.c file 644>- 14", "deletes src/old.c file 644>- 10"]),
            ("mv notes.txt todo.txt", ["deletes notes.txt file 644>- 9", "creates todo.txt file ->644 9"]),
            ("chmod 755 notes.txt", ["overwrites notes.txt file 644>755 9"]),
            ("chmod 700 src", ["overwrites src folder 755>700 0"]),
            ("ln -s notes.txt link", ["creates link link ->777 0"]),
            ("mkdir -p a/b && echo x > a/b/c", ["creates a folder ->755 0", "creates a/b folder ->755 0", "creates a/b/c file ->644 2"]),
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
            ("cp notes.txt copy; rm notes.txt; mv copy notes.txt", []),
        ] as [(String, [String])])
    func whatItWouldChangeIsTold(line: String, expected: [String]) throws {
        let before = try Self.picture(of: lab.workspace)
        let list = try rehearse(line)
        #expect(told(list) == expected && list.refusals.isEmpty, "\(told(list)) \(list.refusals)")
        #expect(try Self.picture(of: lab.workspace) == before)
    }

    @Test(arguments: [
        ("mkfifo p", "a device, a pipe or a socket"), ("echo x > s; chmod u+s s", "setuid"), ("echo x > a; ln a b", "a second name"),
        ("python3 -c \"import os; open('f','w'); os.setxattr('f','user.overlay.whiteout',b'y')\"", "pretends"),
    ]) func whatMustNotComeIsRefused(line: String, why: String) throws {
        let list = try rehearse(line)
        #expect(list.refusals.contains { $0.contains(why) }, "\(list.refusals) \(told(list))")
    }

    @Test(arguments: [
        "echo hi > new", "echo more >> notes.txt", "rm notes.txt", "rm -r src", "mv notes.txt todo.txt", "chmod 755 notes.txt",
        "chmod 500 src",
        "ln -s notes.txt link", "mkdir -p a/b && echo x > a/b/c && chmod 444 a/b/c && chmod 555 a/b", "rm notes.txt; mkdir notes.txt",
        "rm -r src; mkdir src; echo y > src/z", "mkdir n; for i in $(seq 150); do echo $i > n/$i; done",
        "git init -q && git add . && git -c user.name=a -c user.email=b commit -qm x",
        "tar cf all.tar src notes.txt && rm -r src notes.txt && tar xf all.tar && touch -d 2001-01-01 src/main.c",
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

    /// Every path with kind, permissions, content and, but for folders, time.
    private static let look =
        "find . \\( -type d -printf '%P d %m\\n' \\) -o -printf '%P %y %m %l %T@\\n' | sort; find . -type f -exec sha256sum {} + | sort"

    private static func picture(of folder: String) throws -> String { try Lab.program(["sh", "-c", look], in: folder) }

    /// Marks of the overlay that were left.
    private static func marks(below folder: String) throws -> Int {
        let paths = try Lab.program(["find", folder, "(", "-type", "d", "-o", "-type", "f", ")", "-print"], in: folder).split(
            separator: "\n")
        return try paths.reduce(0) { count, path in
            try count + OpenFile(String(path), O_RDONLY).attributes().count { $0.name.hasPrefix("user.overlay.") }
        }
    }
}
