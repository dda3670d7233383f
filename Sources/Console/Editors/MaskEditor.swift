import Actions
import JSON
import Terminal
import Vocabulary

extension Limits {
    /// The most terminal rows of the picture on which a person draws a mask.
    fileprivate static let maskRows = 20
}

/// A mask, drawn by commands in pixels of the picture, or given as a file (`semantics.md` 103).
struct MaskEditor {
    let editor: Editor
    private var drawing: MaskDrawing?
    private var talk: Talk { editor.talk }

    /// The shapes that were undone, the last one last.
    private var undone: [MaskDrawing.Shape] = []

    private static let commands =
        "rect X Y WIDTH HEIGHT · ellipse … · erase … · feather N · invert · undo · redo · reset · show · file PATH · help · done › "
    private static let help: [(command: String, what: String)] = [
        ("rect X Y WIDTH HEIGHT", "adds a rectangle, from its upper left corner, in pixels of the picture"),
        ("ellipse X Y WIDTH HEIGHT", "adds an ellipse within such a rectangle"),
        ("erase X Y WIDTH HEIGHT", "takes a rectangle out again"),
        ("feather N", "lets the edges fade over N pixels"),
        ("invert", "takes what is outside for what is inside, and back"),
        ("undo, redo", "take the last shape back, and add it again"),
        ("reset", "begins with an empty mask"),
        ("show", "draws the mask over the picture"),
        ("file PATH", "takes a picture in grey as the mask"),
        ("done", "gives the mask. Enter alone, or Esc, leaves, and the draft is kept"),
    ]

    init(editor: Editor, draft: JSON?) {
        self.editor = editor
        let picture = editor.asked.request.inputs.first { $0.type == .image } ?? editor.asked.request.inputs.first
        guard let picture, let size = editor.desk.pictureSize(picture.hash), size.height <= Limits.maskPixels,
            size.width <= Limits.maskPixels / size.height
        else { return }
        drawing = MaskDrawing(width: size.width, height: size.height)
        // A draft for a picture of another size does not apply.
        if let kept = draft.flatMap({ MaskDrawing(json: $0) }), kept.width == size.width, kept.height == size.height {
            drawing = kept
        }
    }

    mutating func made() async -> Asked.Made? {
        var lines = editor.heading + FocusView.request(editor.asked, talk.columns) + shown
        var illustrating = illustrated()
        defer { illustrating?.cancel() }
        while true {
            let hint = drawing == nil ? "file of the mask › " : Self.commands
            let question = lines + Layout.wrapped(StyledText(hint, .dim), columns: talk.columns, indent: 3)
            guard let line = await talk.line(question), !line.isEmpty else { return nil }
            do throws(Failure) {
                let before = drawing
                if let made = try await done(line) { return made }
                lines = shown
                guard drawing != before else { continue }
                // Only the newest state is drawn.
                illustrating?.cancel()
                illustrating = illustrated()
            } catch {
                talk.say(error)
                lines = []
            }
        }
    }

    /// Performs a typed line.
    ///
    /// - Returns: the finished answer, or nil to continue.
    private mutating func done(_ line: String) async throws(Failure) -> Asked.Made? {
        let words = Words.split(line)
        guard var drawing else {
            return try editor.asked.asset(words.first == "file" ? words.dropFirst().joined(separator: " ") : line)
        }
        switch words[0] {
        case "done": return .content(.mask(drawing), editor.asked.output)
        case "file": return try editor.asked.asset(words.dropFirst().joined(separator: " "))
        case "show": return try await show(drawing)
        case "help" where words.count == 1:
            let rows = Self.help.map { [StyledText($0.command, .bold), StyledText($0.what)] }
            talk.say(Layout.ledger(rows, columns: talk.columns, below: 6, gap: 2).flatMap(\.self))
            return nil
        case "redo" where words.count == 1:
            guard let shape = undone.popLast() else { throw Failure(.badAnswer, "There is nothing to do again.") }
            drawing.shapes.append(shape)
        case "undo":
            let last = drawing.shapes.last
            try drawing.change(words)
            undone += [last].compactMap(\.self)
        default:
            try drawing.change(words)
            undone = []
        }
        self.drawing = drawing
        editor.claim.keep(drawing.json)
        return nil
    }

    /// The picture for which the mask is made.
    private var picture: AwaitRequest.Input? {
        editor.asked.request.inputs.first { $0.type == .image } ?? editor.asked.request.inputs.first
    }

    /// Shows the picture with its mask below the question, if pictures are shown automatically. A picture that may hold
    /// keys is not shown.
    private func illustrated() -> Task<Void, Never>? {
        guard let form = editor.viewing.thumbnailProtocol, let drawing, let picture,
            !editor.viewing.isPrivate(picture.hash),
            let room = room
        else { return nil }
        let (viewing, screen) = (editor.viewing, talk.screen)
        return Task {
            let made = try? await viewing.picture(of: drawing, over: picture.hash, by: form, in: room)
            if let made, !Task.isCancelled { screen.illustrate([], made) }
        }
    }

    private var room: PictureRoom? {
        talk.screen.pictureRoom.map { $0.atMost(columns: $0.columns, rows: min(Limits.maskRows, $0.rows)) }
    }

    private func show(_ drawing: MaskDrawing) async throws(Failure) -> Asked.Made? {
        if let form = editor.viewing.pictureProtocol, let picture, let room {
            talk.screen.show(try await editor.viewing.picture(of: drawing, over: picture.hash, by: form, in: room))
            return nil
        }
        let sketch = await editor.desk.sketch(
            drawing, columns: min(talk.columns - 6, 60), rows: Limits.maskRows)
        talk.say(
            sketch.isEmpty
                ? [StyledText("   A preview needs chafa: apt-get install chafa", .dim)]
                : sketch.map { StyledText("   ") + StyledText($0) })
        return nil
    }

    private var shown: [StyledText] {
        guard let drawing else { return [] }
        var parts = ["mask of \(drawing.width)×\(drawing.height)"]
        parts += drawing.shapes.suffix(8).map { shape in
            let (word, box) = shape.parts
            return "\(word) \(box.x) \(box.y) \(box.width) \(box.height)"
        }
        if drawing.feather > 0 { parts.append("feather \(drawing.feather)") }
        if drawing.isInverted { parts.append("inverted") }
        return Layout.wrapped(StyledText(parts.joined(separator: " · ")), columns: talk.columns, indent: 3, hanging: 5)
    }
}

extension MaskDrawing {
    /// Performs a typed command, such as `rect 10 10 200 100`.
    ///
    /// - Throws: `badAnswer`. Then nothing is changed.
    mutating func change(_ words: [String]) throws(Failure) {
        let numbers = words.dropFirst().compactMap { Int($0) }
        func bad(_ message: String) -> Failure { Failure(.badAnswer, message) }
        switch (words.first, words.count) {
        case ("undo", 1):
            guard !shapes.isEmpty else { throw bad("There is nothing to undo.") }
            shapes.removeLast()
        case ("reset", 1): self = MaskDrawing(width: width, height: height)
        case ("invert", 1): isInverted.toggle()
        case ("feather", 2):
            guard let pixels = numbers.first, (0...Limits.maskFeather).contains(pixels) else {
                throw bad("feather takes a number of pixels from 0 to \(Limits.maskFeather).")
            }
            feather = pixels
        case ("rect", 5), ("ellipse", 5), ("erase", 5):
            guard numbers.count == 4,
                let shape = Shape(words[0], x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
            else {
                throw bad("\(words[0]) takes four whole numbers: x, y, and a width and a height above 0.")
            }
            guard shapes.count < Limits.maskShapes else {
                throw bad("There are \(Limits.maskShapes) shapes; that is the most.")
            }
            shapes.append(shape)
        default:
            throw Failure(
                .badAnswer, "\"\(words.joined(separator: " ").prefix(60))\" is nothing that is known here.",
                remedy:
                    "Write rect, ellipse or erase with x y width height; feather N, invert, undo, redo, reset, show, file PATH, help or done."
            )
        }
    }
}
