import CaseNames
import Console
import Testing

/// The role of each call, labelled from what the call means for the user and not from the code.
///
/// `looks`: the call shows something. `starts`: it starts work or makes a file, and the user is asked about the rest.
/// `decides`: it answers, permits, changes or removes something in place of the user.
let roles: [(CommandRole, [String])] = [
    (
        .looks,
        [
            "list", "list --all --json", "show w3", "show w3 2", "show w3 --revision 1", "why w3 2", "timeline w3",
            "logs w3 2",
            "compare w3 2 1 4", "inbox", "inbox --all", "inbox 3", "inbox 3 --from 31", "show w3 2 --part runs",
            "show w3 --from 11 --lines 20", "link 3", "tools", "tools Resize", "templates", "presets", "presets Resize",
            "check plan.json", "guide",
            "guide list",
            "guide show w3", "guide check a.yaml", "usage",
            "usage --by day", "history", "history s2", "history search cat", "history export s2 md", "mode", "hosts",
            "hosts list", "programs", "programs list", "follow", "follow w3",
            "model list", "cache", "cache free --dry-run", "pin", "pin w3 blur.image=1 --dry-run", "retry w3 --dry-run",
            "rerun w3 2 --below --dry-run", "rerun w3 2 --set width=400 --dry-run", "undo --dry-run",
            "undo w3 2 --dry-run",
            "undo --dry-run --yes", "redo --dry-run", "redo w9 --dry-run", "edit w3 new.json --dry-run",
            "edit w3 --set 2.width=400 --dry-run", "view", "view w3.2", "view a.json b[0]", "view x.pdf --page 2",
            "status", "settings", "settings mode", "settings providers",
        ]
    ),
    (
        .starts,
        [
            "ask hello", "ask hello --mode auto", "run plan.json", "run plan.json --detach --mode auto", "work",
            "work --until-idle",
            "work --unit", "preview w3.2.1.image", "export w3 w3.zip", "model",
        ]
    ),
    (
        .decides,
        [
            // Answers.
            "approve 3", "approve 3 --digest 9f86d081", "reject 3", "reject 3 no", "complete 3 --asset mask.png",
            "complete 4 --choice 2",
            "skip 3", "snooze 3", "snooze 3 --for 2h", "guide run meter-reading", "guide export w3",
            "open 3", "open assent://workflow/w3/node/2?await=3",
            // Permits.
            "mode auto", "mode always-ask", "mode auto --always", "mode --always", "hosts allow api.example.com",
            "hosts allow api.example.com --for jobs", "hosts revoke api.example.com", "programs allow ~/bin",
            "programs revoke ~/bin", "connect", "connect openai",
            "connect openai --key-stdin", "release w3", "release w3 --as-it-is",
            // Speaks for the user.
            "", "chat", "chat -c", "-c", "ask -c hello", "ask --continue", "ask --session s1 hello", "resume",
            "resume s3", "resume w3",
            "history resume", "history resume s2", "history fork s2 3",
            // Changes.
            "retry w3", "retry w3 2", "rerun w3", "rerun w3 2 --set width=400", "edit w3", "edit w3 --dry-run",
            "edit w3 new.json",
            "edit w3 --set 2.width=400", "duplicate w3", "duplicate w3 2", "cancel w3", "poll w3 off", "poll w3 on",
            "pause w3",
            "archive w3", "archive w1 w2 w5-w9", "unarchive w3", "presets save web w1.2", "presets delete web",
            "import x.zip", "pin w3.2.1.image", "pin w3 blur.image=1",
            "pin w3 blur.image --latest",
            "save w3.2 x.jpg", "save x.jpg --overwrite", "open-with w3.2 gimp", "open-with gimp", "copy", "copy w3.2",
            "settings mode auto", "settings slots.local --reset", "settings --edit",
            "unpin w3.2.1.image", "undo", "undo w3", "undo w3 2 --partial", "undo --yes", "redo", "redo w9",
            "model work", "model test",
            "model test work", "model forget", "model built-in", "history rename s2 pictures", "doctor",
            "doctor --thorough",
            "doctor --repair", "doctor --rebuild", "doctor --salvage x", "doctor --support x.zip",
            // Removes.
            "delete w3", "delete w1 w2 w5-w9", "delete w3 --yes", "history delete s2", "history delete s2 --yes",
            "cache free",
        ]
    ),
]

@Test func everyCallHasTheRoleThatItMeans() {
    expectNoFaults(in: roles.flatMap { role, lines in lines.map { (role, $0) } }) { role, line in
        guard let verb = Root.verb(calledBy: line) else { return ["\"\(line)\" is not understood"] }
        return verb.role == role ? [] : ["\"\(line)\" \(verb.role), but means that it \(role)"]
    }
}

@Test func everyCommandStandsInTheTableOfRoles() {
    let called = roles.flatMap { $0.1 }.compactMap { Root.verb(calledBy: $0).map { type(of: $0).description.name } }
    #expect(Set(called) == Set(Root.verbs.map { $0.description.name }))
}

/// A command that looks changes nothing, so it may run while a file of the settings is wrong. `doctor` says what is
/// wrong, and the editor mends it.
@Test func whatLooksAndTheDoctorNeedNoSettings() {
    expectNoFaults(in: roles.flatMap { role, lines in lines.map { (role, $0) } }) { role, line in
        let needsNone = role == .looks || line.hasPrefix("doctor") || line == "settings --edit"
        return Root.verb(calledBy: line)?.needsSettings == !needsNone ? [] : ["\"\(line)\""]
    }
}
