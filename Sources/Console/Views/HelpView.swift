package import Terminal

/// The verbs with one example each. The same verbs are subcommands of the program.
package enum HelpView {
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let example: String
        package let summary: String

        init(_ example: String, _ summary: String) {
            name = String(example.dropFirst().prefix { $0 != " " })
            self.example = example
            self.summary = summary
        }
    }

    package static let verbs: [Entry] = [
        Entry("/list", "the workflows and how they stand"),
        Entry("/show w3 2", "a workflow, or one step of it"),
        Entry("/why w3 2", "why it is as it is: from its state back to the first cause"),
        Entry("/timeline w3", "what the time was spent on"),
        Entry("/logs w3 2", "the last lines that a run wrote"),
        Entry("/compare w3 2", "two runs: parameters, inputs, outputs, times"),
        Entry("/inbox", "what waits for you"),
        Entry("/open 3", "see one of them and do it"),
        Entry("/complete 3 --asset mask.png", "do it without its editor"),
        Entry("/snooze 3 --for 2h", "put it off"),
        Entry("/skip 3", "leave it out, where that is possible"),
        Entry("/link 3", "a link to it"),
        Entry("/approve 3", "see the question and answer it"),
        Entry("/reject 3 \"too large\"", "say no, and why"),
        Entry("/run thumbnail", "start a workflow by name or file"),
        Entry("/check plan.json", "look a workflow over, change nothing"),
        Entry("/retry w3 2", "try again what failed, with what it had; --dry-run only says what would run"),
        Entry("/rerun w3 2 --below", "run again with the latest, and what comes after it; --set name=value"),
        Entry("/undo w3 2", "take back what a command has changed, exactly as it was"),
        Entry("/pin w3 3.image=1", "have an input take what an earlier run gave"),
        Entry("/edit w3 --set 2.width=400", "change a workflow that lives: a new graph revision"),
        Entry("/duplicate w3", "another one like it; with a step, a copy of that step"),
        Entry("/cancel w3", "stop a workflow"),
        Entry("/poll w3 off", "pause status checks only; the remote job goes on; on takes them up"),
        Entry("/archive w3", "out of the list; /unarchive brings it back"),
        Entry("/delete w3", "take it away for good"),
        Entry("/history s2", "read a conversation again"),
        Entry("/history search cat", "find words; /history also forks, renames, exports and deletes"),
        Entry("/resume s2", "go on in it; without a number choose one"),
        Entry("/new", "begin another conversation"),
        Entry("/usage --by day", "what models have taken: tokens and money"),
        Entry("/tools Resize", "what can be done, and with what"),
        Entry("/templates", "workflows that have a name"),
        Entry("/mode adaptive", "how much is asked"),
        Entry("/connect openai", "connect a model: its server, its key, a first try"),
        Entry("/model work", "which model is asked from now on; alone, to choose one"),
        Entry("/hosts allow api.example.com", "which hosts may be spoken to, for a model or for jobs"),
        Entry("/cache free", "what takes room; free some"),
        Entry("/pin w3.2.1.image", "keep an asset offline; /unpin no longer"),
        Entry("/preview w3.2.1.image", "a picture of an asset to look at"),
        Entry("/export w3 w3.zip", "a workflow with all it has made, in one file; /import takes it in"),
        Entry("/release w3", "let go on what is set aside"),
        Entry("/doctor", "whether everything is in its place"),
        Entry("/help", "this"),
        Entry("/quit", "leave; Ctrl-D does too, and what runs goes on"),
    ]

    package static func lines(columns: Int) -> [StyledText] {
        let head = Layout.wrapped(StyledText("Say what you want, or use a verb:"), columns: columns, indent: 2)
        let rows = verbs.map { [StyledText($0.example, .accent), StyledText($0.summary)] }
        let keys = StyledText(
            "Ctrl-C stops the turn; what is typed meanwhile waits. In a shell the same verbs follow \"assent\": assent list.", .dim)
        return head + Layout.table(rows, columns: columns, indent: 4) + Layout.wrapped(keys, columns: columns, indent: 2)
    }
}
