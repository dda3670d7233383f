import Actions
import JSON
import Terminal
import Vocabulary

/// The editor of values that a person confirms: `name=value` changes one, `reset` restores all, `done` confirms
/// (`semantics.md` 107).
struct ParamEditor {
    let editor: Editor
    private var edits: JSON.Object
    private var asked: Asked { editor.asked }

    init(editor: Editor, draft: JSON?) {
        self.editor = editor
        // An old draft may be for other values.
        let kept = draft?["edits"]?.object ?? JSON.Object()
        edits = JSON.Object(members: kept.members.filter { editor.asked.fault(of: $0) == nil })
    }

    mutating func made() async -> Asked.Made? {
        var lines = editor.heading + shown
        while true {
            let hint = StyledText("   name=value · reset · done › ", .dim)
            guard let line = await editor.talk.line(lines + [hint]), !line.isEmpty else { return nil }
            do throws(Failure) {
                switch line {
                case "done": return try asked.params(edits)
                case "reset":
                    edits = JSON.Object()
                    lines = shown
                default:
                    try change(line)
                    lines = shown
                }
                editor.claim.keep(["edits": .object(edits)])
            } catch {
                editor.talk.say(error)
                lines = []
            }
        }
    }

    private var shown: [StyledText] { FocusView.values(asked.confirmed(with: edits), asked, editor.talk.columns) }

    private mutating func change(_ line: String) throws(Failure) {
        guard let (written, value) = TemplateBinding.split(line), !written.isEmpty else {
            throw Failure(
                .badAnswer, "\"\(line.prefix(60))\" is no value.", remedy: "Write name=value, reset or done.")
        }
        let name = written.trimmed
        let member = JSON.Object.Member(key: name, value: asked.value(value.trimmed, for: name))
        if let fault = asked.fault(of: member) { throw Failure(.badAnswer, fault) }
        edits[name] = member.value == asked.proposed[name] ? nil : member.value
    }
}
