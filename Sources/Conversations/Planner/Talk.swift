import Vocabulary

extension Part {
    /// Whether the words ask for an answer in words. The size of a picture is not such a question, since a tool answers
    /// it.
    var isAnswered: Bool {
        guard let answer = meaning?.answer, answer != "template" else { return false }
        guard answer == "size", case .reference(let reference)? = bound["f"]?.value else { return true }
        return FileName.type(of: reference.plainName ?? "") != "image"
    }
}

/// The answers in words.
struct Talk {
    let catalogue: Catalogue
    let listing: Listing

    /// The answers that only name a verb of the console. The console handles its own requests before they reach the
    /// planner.
    static let pointing: Set = ["undo", "quit"]

    /// Returns the answer that a phrase asks for, by its name in the language.
    ///
    /// - Throws: a refusal with the reason why a question cannot be answered.
    func answer(_ name: String, _ part: Part) throws(Refusal) -> PlannerText {
        switch name {
        case "hello":
            return
                "Hello. Say what you want done with your files, such as “make cat.jpg 800 px wide, grayscale, under 60 KB”."
        case "welcome": return "You are welcome."
        case "abilities": return abilities
        case "ability":
            return
                "Yes, where a tool does it: say it of files, as in “make cat.jpg gray” or “make every jpg gray”. /tools lists what there is."
        case "history": return "What happened before is in /history: it lists, searches and shows your sessions."
        case "inbox": return "What waits for you is in /inbox."
        case "list": return "What runs, waits and has ended is in /list; /inbox holds what waits for you."
        case "why":
            return part.bound["w"]?.text.map { "/why \($0) says why." }
                ?? "/why w3 says why a workflow is as it is; /list has their names."
        case "show":
            return part.bound["w"]?.text.map { "/show \($0) shows it, /why \($0) says why it is as it is." }
                ?? "/list shows your workflows."
        case "undo": return "/undo takes back what a command changed: /undo w3 2. /list has the names of workflows."
        case "cancel": return "/cancel w3 stops a workflow; /list has their names."
        case "retry": return "/rerun w3 runs a workflow again; /list has their names."
        case "mode": return "/mode says how much you are asked, and changes it."
        case "modes":
            throw Refusal("How much you are asked only you change: /mode always-ask, /mode adaptive or /mode auto.")
        case "usage": return "/usage sums up what models took; this planner takes nothing."
        case "quit": return "Ctrl-D leaves."
        case "exists": return try exists(part)
        case "size": return try size(part)
        case "count": return try count(part)
        default:
            throw Refusal(
                "I cannot answer that: I only turn orders about files into workflows. /help tells how; /connect connects a model that can talk."
            )
        }
    }

    private var abilities: PlannerText {
        let titles = catalogue.sorted.filter { catalogue.unavailable[$0.kind] == nil && !$0.says.isEmpty }.map(\.title)
        return
            "I am the built-in planner: I turn plain orders about files into workflows. Tools here: \(titles.joined(separator: ", ")). "
            + "/help say shows how to say things; for anything freer, connect a model: /connect."
    }

    private func file(_ part: Part) throws(Refusal) -> FileEntry {
        guard case .reference(let reference)? = part.bound["f"]?.value else {
            throw Refusal("Which file? Name it.").asking(.file)
        }
        switch reference {
        case .file(let entry, _): return entry
        case .missing(let name): throw Missing(listing: listing).refusal(of: name)
        case .outside(let name), .url(let name):
            throw Refusal("I know only what is in this folder and in the folders in it. Say what to do with \(name).")
        case .set, .definite: throw Refusal("Which file? Name it.").asking(.file)
        }
    }

    private func exists(_ part: Part) throws(Refusal) -> PlannerText {
        let entry = try file(part)
        return entry.isFolder
            ? "\(PlannerPrompt.quoted(entry.name)) is here: a folder."
            : "\(PlannerPrompt.quoted(entry.name)) is here, with \(entry.bytes) bytes."
    }

    private func count(_ part: Part) throws(Refusal) -> PlannerText {
        guard case .noun(let kind, _)? = part.bound["k"]?.value else { throw Refusal("How many of what?") }
        var set = FileSet(what: kind)
        if case .reference(let reference)? = part.bound["f"]?.value { set.folder = reference.plainName }
        let count = listing.files.count(where: set.withResults.contains)
        guard listing.isWhole else {
            throw Refusal("There are more than \(Limits.knownFiles) files here, and I know only those.")
        }
        let below = set.withResults.countBelow(in: listing)
        let more: PlannerText = below == 0 ? "" : ", and \(below) in folders below"
        return count == 1
            ? "There is 1 \(set.inWords) \(set.place)\(more)."
            : "There are \(count) \(set.plural) \(set.place)\(more)."
    }

    private func size(_ part: Part) throws(Refusal) -> PlannerText {
        let entry = try file(part)
        return "\(PlannerPrompt.quoted(entry.name)) has \(entry.bytes) bytes."
    }
}
