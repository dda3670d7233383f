import Actions
import JSON
import Terminal
import Vocabulary

extension Limits {
    /// The rows of each text that is shown above a yes.
    fileprivate static let approvedRows = 24

    /// The most bytes of such a text that are shown on a key.
    fileprivate static let approvedBytes = 64 << 10
}

/// Asks the person for the answer to an await, line by line (`semantics.md` 100–108). The person can always leave,
/// which is never an answer.
struct Editor: Sendable {
    let asked: Asked
    let talk: Talk
    let desk: any AnswerDesk
    let viewing: Looks
    var guidance: Guidance
    let claim: EditorClaim

    /// Asks for the answer.
    ///
    /// - Returns: nil if the person leaves.
    func made(from draft: JSON?) async -> Asked.Made? {
        let (type, inputs) = (asked.record.type, asked.request.inputs)
        let thumbnails = Thumbnails(viewing: viewing, screen: talk.screen)
        // The picture of a mask is shown separately, with the mask on it.
        let subjects = type == .drawMask ? [] : Thumbnails.subjects(inputs, areNumbered: type == .selectAsset)
        let example = asked.request.accept?.example
        let illustrating = Task {
            if let example { await thumbnails.show(file: example, caption: StyledText("such as this", .dim)) }
            await thumbnails.show(subjects)
        }
        defer { illustrating.cancel() }
        return await answer(from: draft)
    }

    private func answer(from draft: JSON?) async -> Asked.Made? {
        if let intake = Intake(asked.record, guidance.guides.answers) {
            var accepting = AcceptanceEditor(editor: self, intake: intake, draft: draft)
            return await accepting.made()
        }
        switch asked.record.type {
        case .drawMask:
            var masks = MaskEditor(editor: self, draft: draft)
            return await masks.made()
        case .selectAsset:
            return await answered("number or name, or a file › ") { word throws(Failure) in try picked(word) }
        case .confirmParams:
            var params = ParamEditor(editor: self, draft: draft)
            return await params.made()
        case .confirmCall: return await gate()
        case .choose where asked.request.params["long"] == true && asked.choices.isEmpty:
            return await text(draft?["text"]?.string)
        case .choose: return await answered(choiceHint) { word throws(Failure) in try asked.choice(word) }
        case .text: return await text(draft?["text"]?.string)
        case .capture: return await answered("file of the picture › ") { word throws(Failure) in try asked.asset(word) }
        case .connect:
            return await answered("done, once it is connected › ") { word throws(Failure) in try asked.choice(word) }
        case .submitUnknown:
            return await answered("\(asked.submissionWords(found: "found ID")) › ") { word throws(Failure) in
                try submission(word)
            }
        }
    }

    var heading: [StyledText] { [StyledText(" ? ", [.question, .bold]) + InboxView.title(of: asked.record)] }

    // MARK: One line

    private var choiceHint: String {
        guard asked.request.takesWords else { return "number or name › " }
        if asked.choices.isEmpty { return "› " }
        return asked.request.params["several"] == true
            ? "numbers such as 1,3, or other words › " : "a number, or other words › "
    }

    private func answered(_ hint: String, _ read: (String) throws(Failure) -> Asked.Made) async -> Asked.Made? {
        var lines = heading + FocusView.request(asked, talk.columns)
        while true {
            guard let word = await talk.line(lines + [StyledText("   " + hint, .dim)]), !word.isEmpty else {
                return nil
            }
            do throws(Failure) {
                return try read(word)
            } catch {
                talk.say(error)
                lines = []
            }
        }
    }

    /// Returns the answer for a picked candidate, or else for a file.
    private func picked(_ word: String) throws(Failure) -> Asked.Made {
        do throws(Failure) {
            return try asked.choice(word)
        } catch {
            guard Int(word) == nil || asked.request.inputs.isEmpty else { throw error }
            return try asked.asset(word)
        }
    }

    private func submission(_ word: String) throws(Failure) -> Asked.Made {
        let parts = word.split(separator: " ", maxSplits: 1)
        return try asked.choice(parts.count == 2 && parts[0] == "found" ? "found=\(parts[1])" : word)
    }

    // MARK: A yes

    /// Asks for a yes or a no, below the beginnings of the texts that a yes lets through. `d` shows all of them.
    private func gate() async -> Asked.Made? {
        var values = asked.proposed
        // The title says it already.
        if values["question"]?.string == asked.record.title { values["question"] = nil }
        let texts = asked.request.inputs.filter { $0.type != .image && $0.type != .mask }.compactMap { input in
            let isLong = input.bytes > Limits.approvedBytes
            let cut = StyledText("… cut here: \(Amounts.size(input.bytes)) in all", .warning)
            return viewing.beginning(of: input.hash, bytes: Limits.approvedBytes).map {
                QuotedText($0, columns: talk.columns, limit: Limits.approvedRows, note: isLong ? cut : nil)
            }
        }
        let (isCut, shown) = (texts.contains(where: \.isCut), texts.flatMap(\.beginning))
        let lines =
            heading + FocusView.request(asked, talk.columns) + shown + FocusView.values(values, asked, talk.columns)
        let keys = Talk.keys(["y": "yes", "n": "no"]) + (isCut ? Talk.keys(["d": "more of the text"]) : StyledText())
        while true {
            switch await talk.key(lines + [keys], of: isCut ? ["y", "n", "d"] : ["y", "n"], atOnce: ["n", "d"]) {
            case "y": return .completion(.agreed(edits: nil))
            case "n":
                return .completion(.rejected(reason: await talk.line([StyledText("   why not? ", .question)]) ?? ""))
            case "d": talk.say(texts.flatMap(\.rows))
            default: return nil
            }
        }
    }

    // MARK: Text

    private func text(_ draft: String?) async -> Asked.Made? {
        var draft = draft
        talk.say(heading + FocusView.request(asked, talk.columns))
        while true {
            guard let text = await written(draft), !text.allSatisfy(\.isWhitespace) else { return nil }
            draft = text
            claim.keep(["text": .string(text)])
            do throws(Failure) { return try asked.text(text) } catch { talk.say(error) }
        }
    }

    /// Returns a text that is typed here or in the person's own editor, or the draft as it is.
    private func written(_ draft: String?) async -> String? {
        var keys: KeyValuePairs<Character, String> {
            desk.ownEditor == nil ? ["t": "type it here"] : ["t": "type it here", "e": "your editor"]
        }
        if let draft {
            let shown = VisibleText.cut(VisibleText.lines(draft), toRows: 20).map {
                "   " + Gutter.mark + StyledText($0)
            }
            let more: StyledText = Talk.keys(["u": "use the draft", "g": "go on with it"]) + Talk.keys(keys)
            switch await talk.key(shown + [more], of: ["u", "g"] + keys.map(\.key)) {
            case "u": return draft
            case "g": return await typed(EntryText(draft))
            case "e": return await inOwnEditor(draft)
            case "t": break
            default: return nil
            }
        } else if desk.ownEditor != nil {
            switch await talk.key([Talk.keys(keys)], of: keys.map(\.key)) {
            case "e": return await inOwnEditor("")
            case "t": break
            default: return nil
            }
        }
        return await typed(EntryText())
    }

    /// Returns a text that is typed here. What is typed is stored as the draft, each second and when the person leaves.
    private func typed(_ text: EntryText) async -> String? {
        let (claim, begun) = (claim, text.text)
        let keeping = Task {
            var kept = begun
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                if text.text != kept { claim.keep(["text": .string(text.text)]) }
                kept = text.text
            }
        }
        defer { keeping.cancel() }
        let entered = await talk.passage(text)
        guard entered == nil, text.text != begun else { return entered }
        guard Task.isCancelled else {
            claim.keep(["text": .string(text.text)])
            return nil
        }
        // It was answered elsewhere, and the words are the user's all the same.
        talk.giveBack(text.text)
        return nil
    }

    private func inOwnEditor(_ text: String) async -> String? {
        guard let own = desk.ownEditor else { return nil }
        let (results, result) = AsyncStream.makeStream(of: String?.self)
        guard await talk.screen.lend({ terminal in result.yield(own.write(text, at: terminal)) }) else { return nil }
        for await written in results {
            // The newlines that an editor adds at the end are not part of the text.
            return written.map { String($0.reversed().drop { $0 == "\n" }.reversed()) }
        }
        return nil
    }
}
