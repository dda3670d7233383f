import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// The answer to a question of the planner is joined with the order that the question was about.
@Suite struct FollowUpTests {
    static let planner = BuiltInPlanner(catalogue: catalogue, language: english)
    static let files = listing("cat.jpg, holiday.jpg, dog.png, notes.txt, photos/, a-1.png")

    /// Returns what the planner makes of each line of a conversation.
    private func conversation(_ lines: [String], _ planner: BuiltInPlanner = planner) -> [String] {
        var messages: [ChatMessage] = []
        return lines.map { said in
            messages.append(ChatMessage(.user, said))
            let answer = planner.answer(planner.line(of: messages, listing: Self.files) ?? "", listing: Self.files)
            if case .words(let words) = answer {
                messages.append(ChatMessage(.assistant, words))
            } else {
                messages.append(
                    ChatMessage(
                        .assistant, "", calls: [ChatCall(id: "plan-1", name: "propose_workflow", arguments: [:])]))
                messages.append(ChatMessage(.tool, "{}", callID: "plan-1"))
            }
            return inShort(answer)
        }
    }

    @Test(arguments: [
        // A file.
        ("make it gray|holiday.jpg", "ImageLoader(path=holiday.jpg) Grayscale SaveFile"),
        (
            "blur it a little, and convert to png|the file dog.png",
            "ImageLoader(path=dog.png) Blur(radius=1.5) ConvertImage(format=png) SaveFile"
        ),
        ("make the picture 800 px wide|holiday.jpg", "ImageLoader(path=holiday.jpg) Resize(width=800) SaveFile"),
        ("make hliday.jpg gray|holiday.jpg", "ImageLoader(path=holiday.jpg) Grayscale SaveFile"),
        ("sort it.|notes.txt", "ReadFile(path=notes.txt) SortLines SaveFile"),
        (
            "make it gray|all pngs",
            "ImageLoader(path=a-1.png) Grayscale SaveFile ImageLoader(path=dog.png) Grayscale SaveFile"
        ),
        ("delete it|notes.txt", "DeleteFile(path=notes.txt)"),
        // One of the names that a question lists, by its place.
        ("make the png gray|the second one", "ImageLoader(path=dog.png) Grayscale SaveFile"),
        ("make the png gray|the last one!", "ImageLoader(path=dog.png) Grayscale SaveFile"),
        ("make hliday.jpg gray|the first one", "ImageLoader(path=holiday.jpg) Grayscale SaveFile"),
        // A name, a folder.
        ("rename holiday.jpg|kitty.jpg", "MoveFile(from=holiday.jpg, to=kitty.jpg)"),
        ("rename holiday.jpg|to kitty.jpg", "MoveFile(from=holiday.jpg, to=kitty.jpg)"),
        ("move holiday.jpg|photos/", "MoveFile(from=holiday.jpg, to=photos/holiday.jpg)"),
        ("move all pngs|photos", "MoveFile(from=a-1.png, to=photos/a-1.png) MoveFile(from=dog.png, to=photos/dog.png)"),
        ("put holiday.jpg into kitty.jpg|copy", "ImageLoader(path=holiday.jpg) SaveFile(path=kitty.jpg)"),
        ("put holiday.jpg into kitty.jpg|please move it.", "MoveFile(from=holiday.jpg, to=kitty.jpg)"),
        ("put holiday.jpg into kitty.jpg|move", "MoveFile(from=holiday.jpg, to=kitty.jpg)"),
        // A size, a value.
        ("shrink holiday.jpg|under 20 KB", "ImageLoader(path=holiday.jpg) CompressLocal(targetKB=20) SaveFile"),
        ("shrink holiday.jpg|400 px wide", "ImageLoader(path=holiday.jpg) Resize(width=400, enlarge=false) SaveFile"),
        ("compress holiday.jpg|20 KB", "ImageLoader(path=holiday.jpg) CompressLocal(targetKB=20) SaveFile"),
        ("convert holiday.jpg|webp", "ImageLoader(path=holiday.jpg) ConvertImage(format=webp) SaveFile"),
        // One question after the other.
        ("shrink it|holiday.jpg|under 20 KB", "ImageLoader(path=holiday.jpg) CompressLocal(targetKB=20) SaveFile"),
        ("make it gray|holidax.jpg|holiday.jpg", "ImageLoader(path=holiday.jpg) Grayscale SaveFile"),
    ])
    func anAnswerGoesIntoTheOrder(lines: String, plan: String) {
        let answers = conversation(lines.split(separator: "|").map(String.init))
        #expect(answers.dropLast().allSatisfy { $0.hasPrefix(":") } && answers.last == plan, "\(answers)")
    }

    @Test(arguments: [
        // An order of its own.
        ("make it gray|blur cat.jpg", "ImageLoader(path=cat.jpg) Blur SaveFile"),
        ("make it gray|delete notes.txt", "DeleteFile(path=notes.txt)"),
        ("put holiday.jpg into kitty.jpg|copy cat.jpg to k.jpg", "ImageLoader(path=cat.jpg) SaveFile(path=k.jpg)"),
        // Not directly after the question.
        ("make it gray|blur cat.jpg|holiday.jpg", ": I see holiday.jpg"),
        ("make cat.jpg gray|holiday.jpg", ": I see holiday.jpg"),
        ("make it frobnicated|holiday.jpg", ": I see holiday.jpg"),
        // Nothing that answers.
        ("make it gray|thanks", ": You are welcome"), ("make it gray|help", ": I am the built-in planner"),
    ])
    func whatIsNoAnswerStandsForItself(lines: String, plan: String) {
        let answers = conversation(lines.split(separator: "|").map(String.init))
        #expect(answers.last?.hasPrefix(plan) == true, "\(answers)")
    }

    @Test func theWordsOfAnotherModelAreNoQuestion() {
        let messages = [
            ChatMessage(.user, "make it gray"), ChatMessage(.assistant, "Which one?"),
            ChatMessage(.user, "holiday.jpg"),
        ]
        #expect(Self.planner.line(of: messages, listing: Self.files) == "holiday.jpg")
    }

    @Test func resultsAreMeantIfThatIsTheAnswer() {
        let here = Listing(
            workspace: "/work",
            files: [FileEntry(name: "a.jpg", isResult: true), FileEntry(name: "b.jpg", isResult: true)])
        guard case .words(let question) = Self.planner.answer("blur all pictures", listing: here) else {
            return #expect(Bool(false))
        }
        let messages = [
            ChatMessage(.user, "blur all pictures"), ChatMessage(.assistant, question),
            ChatMessage(.user, "also the results"),
        ]
        #expect(Self.planner.line(of: messages, listing: here) == "blur all pictures also the results")
    }

    @Test(arguments: [
        ("mach es grau|holiday.jpg", "ImageLoader(path=holiday.jpg) Grayscale SaveFile"),
        ("verkleinere cat.jpg|unter 20 KB", "ImageLoader(path=cat.jpg) CompressLocal(targetKB=20) SaveFile"),
        ("verschiebe cat.jpg|kater.jpg", "MoveFile(from=cat.jpg, to=kater.jpg)"),
    ])
    func anAnswerInGermanGoesIntoItsOrder(lines: String, plan: String) {
        let german = BuiltInPlanner(catalogue: catalogue, language: GermanTests.german.language)
        #expect(conversation(lines.split(separator: "|").map(String.init), german).last == plan)
    }

    /// Neither an earlier result nor a guess: "the first one" of no list.
    @Test(arguments: ["make cat.jpg gray|make zzz.jpg gray|the first one", "make the png gray|the fourth one"])
    func aPlaceInNoListMeansNothing(lines: String) {
        let answers = conversation(lines.split(separator: "|").map(String.init))
        #expect(answers.last?.hasPrefix(":") == true, "\(answers)")
    }
}
