import CEdit

/// A line that the chat offers in the place of a refused one. All of this runs on the editor's thread.
extension EditorLoop {
    struct Offer {
        let text: String
        /// The time from which Enter sends it, so that a key that was on its way does not (`armingMilliseconds`).
        let armedAt: Int64
        /// Whether no key was pressed since, so that a letter begins another line.
        var isUntouched = true
        /// Whether the user has written it.
        var isOwn = false
    }

    /// Puts an offered line onto the input line, if that is empty and nothing was typed.
    ///
    /// - Returns: whether it stands there now.
    func putOffer(_ offered: EditorMailbox.OfferedLine) -> Bool {
        let text = offered.isOwn ? Self.pasted(offered.text.unicodeScalars) : offered.text
        guard mode == .editing, lineText.isEmpty, decoder.pending == nil, text.utf8.count <= TerminalLimits.pasteBytes,
            !text.isEmpty, offered.isOwn || TypedText.row(Array(text.utf8)) == text
        else {
            if offered.isOwn { remember(text) }
            return false
        }
        changeLine { _ = insert(text) }
        offer = Offer(
            text: text,
            armedAt: offered.isAsked ? 0 : settings.now() + Int64(TerminalLimits.armingMilliseconds),
            isUntouched: !offered.isOwn, isOwn: offered.isOwn)
        if text.contains("\n") { newlines = .typed }
        return true
    }

    /// Handles the first key at an offered line: a letter takes its place, and any other key edits it.
    func leaveOffer(for scalar: Unicode.Scalar) {
        guard let offer, offer.text == lineText else { return self.offer = nil }
        let isEnter = scalar == "\r" || scalar == "\n"
        guard offer.isUntouched, !isEnter else { return }
        self.offer?.isUntouched = false
        guard scalar.value > 0x20, scalar.value != 0x7F, InputDecoder.isTypeable(scalar) else { return }
        self.offer = nil
        changeLine { clearLine() }
    }

    /// Changes the line from outside of libedit. What is on the screen is erased before, while its rows are known.
    private func changeLine(_ change: () -> Void) {
        begin(update: true)
        erase()
        change()
        begin(update: false)
        liveRows = []
        isLineDrawn = false
        draw(isFirst: false, isForced: true)
        isLineDrawn = true
    }

    /// Whether Enter came so soon after an offer that it was meant for what stood there before.
    var isTooSoonForOffer: Bool {
        guard let offer, offer.text == lineText else { return false }
        return settings.now() < offer.armedAt
    }

    /// Handles an Esc alone: it drops a line that stands there by itself. What the user has written stays among the
    /// earlier lines.
    func escape() {
        guard let offer, offer.isUntouched || offer.isOwn, offer.text == lineText else {
            if lineText.isEmpty { inputs.yield(.escape) }
            return
        }
        if offer.isOwn { remember(offer.text) }
        self.offer = nil
        newlines = .none
        changeLine { clearLine() }
    }

    /// Drops an offered line before a paste.
    func dropOffer() {
        if let offer, !offer.isOwn, offer.text == lineText { clearLine() }
        offer = nil
    }
}
