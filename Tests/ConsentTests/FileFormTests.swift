import CaseNames
import Consent
import JSON
import Testing
import Vocabulary

/// The files that a rule describes by their form.
struct FileFormTests {
    private static let here = "/home/ana/photos"

    private static func policy(_ rule: String) throws -> (policy: Policy, problems: [Problem]) {
        let json = try JSONReader.read(#"{"policy": "assent.policy/v1", "rules": [{\#(rule), "reason": "x"}]}"#)
        return Policy.read(json: json, source: "policy.yaml", origin: .user)
    }

    private static func decision(
        _ rule: String, _ path: String, mode: Int? = nil, before: Int? = nil, kind: Call.Change.Kind = .file,
        bytes: Int = 1, effect: Effect = .creates, confirmation: ConfirmationMode = .auto
    ) throws -> String {
        var around = surroundings
        around.resolveSearchPath("/home/ana/photos/tools:bin/relative::/usr/bin/:/home/ana/link") {
            $0 == "/home/ana/link" ? "/srv/programs" : $0
        }
        let isKnown = mode != nil || before != nil || kind != .file
        let target = Call.Target(
            effect, .path(path.hasPrefix("/") ? path : "\(here)/\(path)"), reach: .workspace,
            before: effect == .creates ? .absent : .sample,
            change: isKnown
                ? Call.Change(kind: kind, modeBefore: before, mode: mode, bytes: bytes, hash: .ofNothing) : nil)
        let call = call("CopyFolder", [effect], [target])
        return try policy(rule).policy.decide(call, mode: confirmation, in: around, at: noon).name
    }

    @Test(arguments: [
        ("Earthfile", true), ("sub/Brewfile", true), ("Aptfile", true), ("Écluse-file", true), ("Profile", true),
        ("earthfile", false), ("file", false), ("File", false), ("Earthfile.md", false), ("My.file", false),
        ("MyFile", false), ("MyFile.swift", false), ("Earthfiles", false), ("Earthfile/notes", false),
        ("1file", false), ("_Earthfile", false), ("Earthﬁle", false),
    ])
    func aCapitalFileHasACapitalAndNoDotAndEndsInFile(name: String, expected: Bool) throws {
        let rule = #""forms": "capitalFile", "decide": "ask", "evenInAuto": true"#
        #expect(try Self.decision(rule, name) == (expected ? "ask" : "allow"))
    }

    @Test(arguments: [
        (".toolrc.json", true), (".toolrc.yml", true), (".tool.yaml", true), ("sub/.toolrc.MJS", true),
        ("vite.config.ts", true), ("app.config.json", true), ("webpack.config.prod.cjs", true), ("a.conf.py", true),
        ("tool.config.lua", true), ("tool.config.ini", true), (".zshrc.local", true),
        (".toolrc.txt", false), (".toolrc.md", false), (".toolrc.log", false), (".toolrc.bak", false),
        ("a.config.txt", false), ("a.config.md", false), ("a.config.log", false), ("a.config.ts.bak", false),
        ("config.ts", false), ("src/config.json", false), ("aconfig.ts", false), ("a.configs.ts", false),
        (".json", false), ("a.config", false), (".hidden", false), (".photo.jpg", false), (".a/b.json", false),
    ])
    func settingsAreHiddenOrSaySoAndEndAsCodeOrData(name: String, expected: Bool) throws {
        let rule = #""forms": ["settings"], "decide": "ask", "evenInAuto": true"#
        #expect(try Self.decision(rule, name) == (expected ? "ask" : "allow"))
    }

    /// Cargo and npm note there what they found and installed.
    @Test(arguments: [
        ("target/.rustc_info.json", "allow"), ("node_modules/.package-lock.json", "allow"), (".other_info.json", "ask"),
    ])
    func recordsOfToolsAreNoSettings(name: String, expected: String) throws {
        #expect(try Self.decision(#""forms": "settings", "decide": "ask", "evenInAuto": true"#, name) == expected)
    }

    @Test(
        arguments: [
            ("Cargo.lock", 10, nil, "ask"), ("Cargo.lock", 0, nil, "allow"), ("a/b/x.lock", 0, nil, "allow"),
            ("Cargo.lock", 0, 0o644, "ask"), ("Cargo.locks", 10, nil, "allow"), ("lock", 10, nil, "allow"),
        ] as [(String, Int, Int?, String)])
    func aNewEmptyLockIsTheMarkOfAProgram(name: String, bytes: Int, before: Int?, expected: String) throws {
        let rule = #""forms": "lock", "decide": "ask", "evenInAuto": true"#
        #expect(try Self.decision(rule, name, mode: 0o644, before: before, bytes: bytes) == expected)
        #expect(try Self.decision(rule, name) == (name == "Cargo.lock" || name.hasSuffix("x.lock") ? "ask" : "allow"))
    }

    /// A new name is judged with the number that it gets.
    @Test(arguments: [
        (".tool", ".json", true), ("vite.config", ".ts", false), ("vite.config.prod", ".ts", true),
        ("Earth", "file", true), ("Earthfile", "", false),
    ])
    func aNewNameMayHaveAForm(stem: String, suffix: String, expected: Bool) throws {
        let rule = #""forms": ["settings", "capitalFile"], "decide": "deny""#
        let place = Call.Place.newName(folder: Self.here, stem: stem, suffix: suffix)
        let call = call("SaveFile", [.creates], [Call.Target(.creates, place, reach: .workspace)])
        let decision = try Self.policy(rule).policy.decide(call, mode: .auto, in: surroundings, at: noon)
        #expect(decision.name == (expected ? "deny" : "allow"))
    }

    private static let programs = #""forms": "program", "decide": "ask", "evenInAuto": true"#

    @Test(arguments: [
        (".venv/bin/tool", true), ("venv/bin/tool.py", true), ("env/bin/tool", true),
        ("a/node_modules/.bin/tool", true),
        ("hooks/notify", true), (".githooks/a/notify.py", true), (".husky/check", true), ("git-hooks/x.ts", true),
        ("etc/hooks.d/10-start", true), ("tools/any.py", true), ("/usr/bin/tool", true), ("/srv/programs/tool", true),
        ("/home/ana/link/tool", true),
        ("bin/tool", false), ("sub/tools/tool", false), ("tools/sub/tool", false), ("bin/relative/tool", false),
        ("/usr/bin2/tool", false), ("bin/.venv", false), ("env/lib/tool", false), ("node_modules/tool", false),
        ("hook/tool", false), ("hooks", false), ("run.sh", false),
    ])
    func anExecutableIsAProgramInTheFoldersOfPrograms(path: String, expected: Bool) throws {
        #expect(try Self.decision(Self.programs, path, mode: 0o755) == (expected ? "ask" : "allow"))
        #expect(try Self.decision(Self.programs, path, mode: 0o644) == "allow")
        #expect(try Self.decision(Self.programs, path, mode: 0o100) == (expected ? "ask" : "allow"))
    }

    @Test func aFileThatBecomesExecutableOrIsNoLongerIsAProgram() throws {
        for (before, after) in [(0o644, 0o755), (0o755, 0o755), (0o755, 0o644)] {
            let decision = try Self.decision(
                Self.programs, "hooks/notify", mode: after, before: before, effect: .overwrites)
            #expect(decision == "ask")
        }
        #expect(try Self.decision(Self.programs, "hooks/notify", before: 0o755, effect: .deletes) == "ask")
        #expect(try Self.decision(Self.programs, "hooks/a.ts", before: 0o644, effect: .deletes) == "allow")
    }

    /// Only commands and moves say whether a file is executable.
    @Test(arguments: [
        ("hooks/notify", true), ("hooks/notify.sh", true), (".venv/bin/tool.py", true), ("tools/tool.py", true),
        ("src/hooks/useProfile.ts", false), ("hooks/README.md", false), ("bin/tool", false),
    ])
    func aFileOfUnknownPermissionsMayBeAProgram(path: String, expected: Bool) throws {
        #expect(try Self.decision(Self.programs, path) == (expected ? "ask" : "allow"))
    }

    @Test(arguments: [
        ("hooks/notify", true), ("tools/tool", true), ("tools", true), ("hooks", true), ("/usr", true),
        ("notes", false), ("bin/tool", false),
    ])
    func aLinkMayBeAProgramOrTheFolderOfPrograms(path: String, expected: Bool) throws {
        #expect(try Self.decision(Self.programs, path, mode: 0o777, kind: .link) == (expected ? "ask" : "allow"))
        #expect(try Self.decision(Self.programs, path, kind: .link) == (expected ? "ask" : "allow"))
    }

    @Test func anExecutableFolderIsNoProgram() throws {
        #expect(try Self.decision(Self.programs, "hooks/folder", mode: 0o755, kind: .folder) == "allow")
    }

    /// One name or one form is enough, and every other condition must hold.
    @Test(arguments: [("a.key", "deny"), ("Keyfile", "deny"), ("a.txt", "allow"), ("sub/a.key", "deny")])
    func namesAndFormsSayTogetherWhichFilesAreMeant(name: String, expected: String) throws {
        let rule = #""names": "*.key", "forms": "capitalFile", "decide": "deny""#
        #expect(try Self.decision(rule, name) == expected)
        #expect(try Self.decision(#""tool": "MoveFile", \#(rule)"#, name) == "allow")
    }

    /// A form would let an executable pass where another file would not.
    @Test(arguments: ["capitalFile", "settings", "program", "lock"])
    func aRuleThatAllowsHasNoForms(form: String) throws {
        let (policy, problems) = try Self.policy(#""forms": "\#(form)", "decide": "allow""#)
        #expect(problems.map(\.code) == ["badRule"] && policy.unreadable != nil)
        #expect(problems.first?.message == "forms is for rules that ask or deny.")
    }

    /// In adaptive mode the replacement of a file asks, unless a rule or a grant covers it.
    @Test func conditionsWithFormsCoverNoCall() {
        for names in [[], ["*"]] {
            var conditions = Conditions(effects: [.overwrites], names: names)
            conditions.forms = [.capitalFile]
            let call = call("Tool", [.overwrites], [.overwrite("\(Self.here)/Afile")])
            let grant = Grant(id: "g1", tool: "Tool", toolVersion: toolVersion, conditions: conditions)
            let policy = Policy(rules: [Rule(.allow, conditions, reason: "x", source: "p:1")], epoch: "e")
            let decision = policy.decide(call, mode: .adaptive, grants: [grant], in: surroundings, at: noon)
            #expect(decision.name == "ask")
        }
    }

    /// No grant covers a call of a rule that holds in auto mode.
    @Test func aGrantDoesNotCoverAFormThatAsksInEveryMode() throws {
        let rule = #""forms": "capitalFile", "decide": "ask", "evenInAuto": true"#
        let grant = Grant(
            id: "g1", tool: "CopyFolder", toolVersion: toolVersion, conditions: Conditions(effects: [.creates]),
            expiresAt: Moment(milliseconds: noon.milliseconds + 1))
        let call = call("CopyFolder", [.creates], [.create("\(Self.here)/Afile")])
        let policy = try Self.policy(rule).policy
        for mode in ConfirmationMode.allCases {
            #expect(policy.decide(call, mode: mode, grants: [grant], in: surroundings, at: noon).name == "ask")
        }
    }

    @Test(arguments: [
        #""forms": "file""#, #""forms": ["capitalFile", "Program"]"#, #""forms": []"#, #""forms": true"#,
        #""forms": {"capitalFile": true}"#, #""form": "capitalFile""#,
    ])
    func anUnknownFormIsRefused(written: String) throws {
        let (policy, problems) = try Self.policy(#"\#(written), "decide": "deny""#)
        #expect(policy.unreadable != nil && problems.count == 1, "\(problems)")
    }

    @Test(arguments: [
        (#""match": [{"tool": "Shell", "effects": ["creates"], "path": "hooks/a.py", "executable": true}]"#, 0),
        (#""nomatch": [{"tool": "Shell", "effects": ["creates"], "path": "hooks/a", "executable": false}]"#, 0),
        (#""match": [{"tool": "Shell", "effects": ["creates"], "path": "bin/a", "executable": true}]"#, 1),
        (#""nomatch": [{"tool": "Shell", "effects": ["creates"], "path": "hooks/a", "executable": "no"}]"#, 1),
    ])
    func anExampleSaysWhetherItsFileIsExecutable(examples: String, faults: Int) throws {
        #expect(try Self.policy(#"\#(Self.programs), \#(examples)"#).problems.count == faults)
    }
}
