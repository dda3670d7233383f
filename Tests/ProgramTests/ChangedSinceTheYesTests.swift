import CaseNames
import Glibc
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// What a yes was for is one call: whatever of it is changed before it runs, it is refused or asked about anew
/// (`consent.md` guarantee 1).
@Suite(.process) struct ChangedSinceTheYesTests {
    private static let command =
        "echo hi > new; echo more >> notes.txt; rm old.c; mkdir d; echo x > d/f; ln -s d/f link"

    /// In the workspace, with `$UPPER` (what lies over it), `$REHEARSAL` (its folder), `$CONFIG` and `$DATA`.
    private static let changes = [
        // Content that was rehearsed, byte by byte.
        "printf H | dd of=$UPPER/new bs=1 conv=notrunc", "printf '\\0' | dd of=$UPPER/new bs=1 seek=1 conv=notrunc",
        "printf x >> $UPPER/new",
        "truncate -s 0 $UPPER/notes.txt", "printf X | dd of=$UPPER/notes.txt bs=1 seek=9 conv=notrunc",
        "printf X | dd of=$UPPER/d/f bs=1 conv=notrunc", "rm $UPPER/new", "rm $UPPER/old.c", "rm -r $UPPER/d",
        "echo x > $UPPER/extra",
        "mkdir $UPPER/e", "chmod 755 $UPPER/new", "chmod u+s $UPPER/new", "chmod 700 $UPPER/d",
        "ln -sf /etc/passwd $UPPER/link",
        "ln -sf d/g $UPPER/link", "mv $UPPER/new $UPPER/newer", "ln $UPPER/new $UPPER/second",
        "mkdir -p $UPPER/.git/hooks; echo x > $UPPER/.git/hooks/post-commit", "rm -r $UPPER/d; ln -s / $UPPER/d",
        // What was noted of the rehearsal.
        "sed -i 's/\"exit\":0/\"exit\":1/' $REHEARSAL/about",
        "sed -i 's/\"output\":\"./\"output\":\"z/' $REHEARSAL/about",
        "sed -i 's/\"bytes\":0/\"bytes\":1/' $REHEARSAL/about",

        // What it would replace, and what was to be new.
        "echo other > notes.txt", "printf B | dd of=notes.txt bs=1 conv=notrunc", "cp notes.txt x; mv x notes.txt",
        "rm notes.txt",
        "chmod 600 notes.txt", "echo more >> old.c", "rm old.c", "echo mine > new", "mkdir d", "ln -s nowhere link",
        "ln notes.txt second",
        "rm notes.txt; mkdir notes.txt",
        // The rules.
        "echo 'rules: [' > $CONFIG/policy.yaml",
        "sed -i s/Nothing/nothing/ $CONFIG/policy.yaml",
        "rm $CONFIG/policy.yaml", "mkdir -p .assent; cp $CONFIG/policy.yaml .assent/policy.yaml",
        // The yes itself, as it is stored.
        "sqlite3 $DATA/assent.db \"UPDATE approvals SET digest = replace(digest, substr(digest, 1, 1), 'x')\"",
        "sqlite3 $DATA/assent.db \"UPDATE approvals SET policy_epoch = 'other'\"",
        "sqlite3 $DATA/assent.db 'UPDATE approvals SET step = 2'",
        "sqlite3 $DATA/assent.db 'UPDATE approvals SET expires_at = 1'",
        "sqlite3 $DATA/assent.db 'UPDATE approvals SET used_at = 1'",
        "sqlite3 $DATA/assent.db 'DELETE FROM approvals'",
    ]

    /// Every path with kind, permissions and content.
    private static let look = "find . -printf '%P %y %m %l\\n' | sort; find . -type f -exec sha256sum {} + | sort"

    private func sh(_ lab: ProgramLab, _ line: String) async throws -> String {
        let rehearsal = "\(lab.home)/data/rehearsals/w1/1-1"
        let process = try lab.start(
            program: "/bin/sh", ["-c", line],
            environment: [
                "REHEARSAL": rehearsal, "UPPER": "\(rehearsal)/upper", "CONFIG": "\(lab.home)/config",
                "DATA": "\(lab.home)/data",
            ])
        let ending = try await onOwnThread { process.wait() }
        #expect(ending.exit == 0, "\(line): \(ending.errors)")
        return ending.output
    }

    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write("gone soon\n", to: "old.c")
        try ScratchFolder.makeFolder("\(lab.home)/config")
        try lab.write(
            "policy: assent.policy/v1\nrules:\n  - {tool: NoSuchTool, decide: deny, reason: Nothing}\n",
            to: "\(lab.home)/config/policy.yaml")
        return lab
    }

    private func approve(in lab: ProgramLab, _ options: [String] = []) async throws {
        #expect(try await lab.run(["run", ".plan.json", "--on-ask", "park"] + options).exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.stores("approve", "1", "--digest", digest)
    }

    /// Says yes to what `run` asks, lets it be changed, and goes on.
    private func nothingComes(of change: String, in lab: ProgramLab, _ options: String...) async throws {
        try await approve(in: lab, options)
        _ = try await sh(lab, change)
        let before = try await sh(lab, Self.look)
        _ = try await lab.run("work", "--until-idle")
        #expect(try await sh(lab, Self.look) == before, "\(change)")
        let decisions = try lab.archived { try $0.decisions(of: WorkflowID(1)) }
        #expect(!decisions.contains { $0.type == "allow" }, "\(change)")
    }

    @Test(.enabled(if: access("/usr/bin/bwrap", X_OK) == 0), arguments: changes.map { Named($0, $0) })
    func whatWasRehearsedIsWhatIsDoneOrNothing(change: Named<String>) async throws {
        let lab = try lab()
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(Self.command)])]), to: ".plan.json")
        try await nothingComes(of: change.value, in: lab)
    }

    /// Nothing that the yes was for: it is done. The cases above do not fail for another reason. What was lost of the
    /// rehearsal is rehearsed anew, and comes out the same.
    @Test(
        .enabled(if: access("/usr/bin/bwrap", X_OK) == 0),
        arguments: [
            "true", "echo '# a word more' >> $CONFIG/policy.yaml", "rm $REHEARSAL/about", "rm -r $REHEARSAL",
            "sed -i 's/\"call\":\"./\"call\":\"z/' $REHEARSAL/about",
            "sed -i 's/\"started\":\"[0-9]*/\"started\":\"1/' $REHEARSAL/about", "echo mine > unrelated.txt",
        ]) func whatChangesNothingOfItIsNoMatter(change: String) async throws
    {
        let lab = try lab()
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(Self.command)])]), to: ".plan.json")
        try await approve(in: lab)
        _ = try await sh(lab, change)
        try await lab.succeeds("work", "--until-idle")
        #expect(lab.text("new") == "hi\n" && lab.text("notes.txt") == "buy milk\nmore\n" && !lab.exists("old.c"))
        #expect(try await lab.states() == ["succeeded"])
    }

    private static let tool = """
        tool: assent.tool/v1
        kind: Stamp
        title: Stamp
        outputs: {file: file}
        params:
          text: {type: text, required: true, summary: What is written}
        run:
          program:
            - [sh, -c, "printf %s \\"$1\\" > \\"$0\\"", "{out.file}", "{text}"]
          files: {file: made.txt}
        """

    /// The tool's words, its schema and its program; the parameters; the input.
    @Test(arguments: [
        "sed -i 's/title: Stamp/title: Stamp it/' $CONFIG/tools/stamp.yaml",
        "sed -i 's/printf %s/printf %s%s/' $CONFIG/tools/stamp.yaml",
        "sed -i 's/What is written/What is said/' $CONFIG/tools/stamp.yaml",
        "sed -i 's/required: true, //' $CONFIG/tools/stamp.yaml",
        "rm $CONFIG/tools/stamp.yaml",
    ]) func aToolThatIsAnotherIsAskedAbout(change: String) async throws {
        try await nothingComes(of: change, in: try toolLab(), "--mode", "always-ask")
    }

    @Test func aToolWithAnotherCommentIsTheSame() async throws {
        let lab = try toolLab()
        try await approve(in: lab, ["--mode", "always-ask"])
        _ = try await sh(lab, "echo '# a word more' >> $CONFIG/tools/stamp.yaml")
        try await lab.succeeds("work", "--until-idle")
        #expect(try await lab.states() == ["succeeded"])
    }

    private func toolLab() throws -> ProgramLab {
        let lab = try lab()
        try ScratchFolder.makeFolder("\(lab.home)/config/tools")
        try lab.write(Self.tool, to: "\(lab.home)/config/tools/stamp.yaml")
        try lab.write(workflow("stamp", [node("stamp", "Stamp", ["text": "one"])]), to: ".plan.json")
        return lab
    }

    /// What is written comes from the asset store: a byte of it that is another is found, and nothing is written.
    @Test(arguments: ["printf X | dd of=$f bs=1 conv=notrunc", "printf X >> $f", "truncate -s 3 $f", "rm $f"])
    func aContentThatIsAnotherIsNotWritten(change: String) async throws {
        let lab = try lab()
        let nodes = [
            node("read", "ReadFile", ["path": "old.c"]),
            node("write", "WriteFile", ["path": "notes.txt", "overwrite": true]),
        ]
        try lab.write(workflow("copy", nodes, [edge("read.text", "write.text")]), to: ".plan.json")
        try await approve(in: lab)
        let changed = "for f in $(grep -rl 'gone soon' $DATA/assets); do chmod u+w $f; \(change); echo changed; done"
        #expect(try await sh(lab, changed).contains("changed"))
        _ = try await lab.run("work", "--until-idle")
        #expect(lab.text("notes.txt") == "buy milk\n")
    }

    @Test func aParameterThatIsAnotherIsAskedAbout() async throws {
        let lab = try lab()
        try lab.write(
            workflow("write", [node("write", "WriteFile", ["path": "notes.txt", "text": "new", "overwrite": true])]),
            to: ".plan.json")
        try await approve(in: lab)
        let edited = try await lab.run("edit", "w1", "--set", "write.text=other")
        #expect(edited.exit == 0, "\(edited.output)\(edited.errors)")
        #expect(try await lab.run("work", "--until-idle").exit == 3)
        #expect(lab.text("notes.txt") == "buy milk\n")
    }
}
