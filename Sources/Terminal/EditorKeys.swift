import CEdit

/// Keys beyond libedit's emacs set. All of this runs on the editor's thread.
extension EditorLoop {
    func bindKeys() {
        cedit_set_str(editor, EL_EDITOR, "emacs")
        let functions: [(String, cedit_fn)] = [
            ("a-enter", { editor, _ in loop(of: editor).enter() }),
            ("a-interrupt", { editor, _ in loop(of: editor).interrupt() }),
            ("a-end", { editor, _ in loop(of: editor).endOrDelete() }),
            ("a-complete", { editor, _ in loop(of: editor).complete() }),
            ("a-paste", { editor, _ in loop(of: editor).paste() }),
            ("a-newline", { editor, _ in loop(of: editor).typeNewline() }),
            ("a-edit", { editor, _ in loop(of: editor).editLine() }),
            ("a-suspend", { editor, _ in loop(of: editor).suspend() }),
            ("a-up", { editor, _ in loop(of: editor).goUp() }),
            ("a-nothing", { _, _ in UInt8(CC_NORM) }),
        ]
        for (name, function) in functions { cedit_add_fn(editor, name, name, function) }
        for (key, function) in Self.keys { cedit_bind(editor, key, function) }
    }

    /// The keys and their functions, as libedit writes them. The arrows are bound by libedit itself.
    static let keys = [
        ("^M", "a-enter"), ("^J", "a-enter"), ("^C", "a-interrupt"), ("^D", "a-end"), ("^I", "a-complete"),
        ("^Z", "a-suspend"), ("\\e[A", "a-up"), ("\\eOA", "a-up"),
        ("^X^E", "a-edit"),
        ("^\\", "a-nothing"), ("\\e[200~", "a-paste"), ("\\e\\r", "a-newline"), ("\\e\\n", "a-newline"),
        ("^R", "em-inc-search-prev"),
        ("\\e[1;5C", "em-next-word"), ("\\e[1;5D", "ed-prev-word"), ("\\e[H", "ed-move-to-beg"),
        ("\\e[F", "ed-move-to-end"),
        ("\\e[1~", "ed-move-to-beg"), ("\\e[4~", "ed-move-to-end"), ("\\e[3~", "ed-delete-next-char"),
        ("\\e[7~", "ed-move-to-beg"), ("\\e[8~", "ed-move-to-end"), ("\\e[1;3C", "em-next-word"),
        ("\\e[1;3D", "ed-prev-word"),
        ("\\e[3;5~", "em-delete-next-word"), ("\\eOH", "ed-move-to-beg"), ("\\eOF", "ed-move-to-end"),
    ]

    fileprivate func typeNewline() -> UInt8 {
        newlines = .typed
        return insert("\n")
    }

    func insert(_ text: String) -> UInt8 {
        el_insertstr(editor, text)
        return UInt8(CC_REFRESH)
    }

    /// Reads a bracketed paste into the line, newlines included, without entering it. The paste is accepted completely
    /// or not at all.
    fileprivate func paste() -> UInt8 {
        let end = "\u{1B}[201~".unicodeScalars
        var text = String.UnicodeScalarView()
        var bytes = 0
        var hasNUL = false
        var tail: [Unicode.Scalar] = []
        var character: wchar_t = 0
        mode = .pasting
        defer { endPaste() }
        while !tail.elementsEqual(end) {
            guard el_wgetc(editor, &character) == 1 else { return UInt8(CC_EOF) }
            let scalar = Unicode.Scalar(UInt32(bitPattern: character)) ?? "\u{FFFD}"
            tail = tail.suffix(end.count - 1) + [scalar]
            bytes += UTF8.width(scalar)
            hasNUL = hasNUL || scalar == "\0"
            if scalar == "\u{3}", leavesPaste() {
                tell([
                    StyledText(
                        "The paste had no end and was left out. Questions take no answer until a paste ends: paste again.",
                        .warning)
                ])
                return UInt8(CC_REFRESH)
            }
            if bytes <= TerminalLimits.pasteBytes + end.count { text.append(scalar) }
        }
        let isTooLong = bytes > TerminalLimits.pasteBytes + end.count
        if let fault: LineFault = isTooLong ? .tooLong(limit: TerminalLimits.pasteBytes) : hasNUL ? .hasNUL : nil {
            tell([StyledText("The paste \(fault.words) and was left out: put it into a file and name that.", .warning)])
            return UInt8(CC_REFRESH)
        }
        text.removeLast(end.count)
        dropOffer()
        let pasted = Self.pasted(text)
        if pasted.contains("\n"), newlines == .none { newlines = .pasted }
        return insert(pasted)
    }

    /// Ends a paste, and wakes the loop for the mail that had to wait.
    private func endPaste() {
        if mode == .pasting { mode = .editing }
        mailbox.post { _ in }
    }

    /// Returns pasted text for the line: CR and CR LF become newlines, tabs become spaces, and other controls are
    /// dropped.
    static func pasted(_ scalars: String.UnicodeScalarView) -> String {
        var out = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in scalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r": out.append("\n")
            case "\t": out.append(contentsOf: "    ".unicodeScalars)
            default:
                if scalar.value >= 0x20, scalar.value != 0x7F, InputDecoder.isTypeable(scalar) { out.append(scalar) }
            }
            previous = scalar
        }
        return String(out)
    }

    // MARK: - Tab

    fileprivate func complete() -> UInt8 {
        let found = settings.help.completions(of: textBeforeCursor)
        // Candidates are inserted into the line, so only text that can be typed is offered.
        let candidates = found.candidates.filter {
            !$0.word.isEmpty && $0.word.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) }
        }
        guard let first = candidates.first?.word else { return UInt8(CC_REFRESH_BEEP) }
        let isUnique = candidates.count == 1 && found.areAll
        let common = candidates.dropFirst().reduce(first) { Self.commonPrefix($0, $1.word) }
        let word = found.replaced
        if isUnique || (found.areAll && common.count > word.count && common.hasPrefix(word)) {
            el_deletestr(editor, Int32(word.unicodeScalars.count))
            let isOpen = common.last == "/" || common.last == "="
            return insert(common + (isUnique && !isOpen ? " " : ""))
        }
        // Candidates that the menu shows already are not listed again.
        guard settings.help.menu(for: lineText).isEmpty || candidates.count > TerminalLimits.menuRows else {
            return UInt8(CC_REFRESH_BEEP)
        }
        tell(CandidateRows(columns: TerminalSize(of: settings.output).columns).list(candidates, areAll: found.areAll))
        return UInt8(CC_NORM)
    }

    private static func commonPrefix(_ left: String, _ right: String) -> String {
        String(zip(left, right).prefix { $0 == $1 }.map(\.0))
    }
}

/// Returns the loop of an editor, for libedit's callbacks, which know only the editor.
func loop(of editor: OpaquePointer) -> EditorLoop {
    guard let context = cedit_client(editor) else { fatalError("an editor without its loop") }
    return Unmanaged<EditorLoop>.fromOpaque(context).takeUnretainedValue()
}
