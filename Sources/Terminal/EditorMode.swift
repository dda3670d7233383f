/// The readers of the keys. All of this runs on the editor's thread.
extension EditorLoop {
    enum Mode: Equatable {
        /// libedit reads the keys into the line.
        case editing
        /// A bracketed paste is read into the line. Its end mark may come in pieces. Questions wait for it, since the
        /// rest of a paste would be read as keys.
        case pasting
        /// Only questions read the keys. Typed characters are not shown. Without a line, this is so until the end.
        case holding(Hold)
        /// The terminal was closed, and the loop ends.
        case hungUp
    }

    struct Hold: Equatable {
        /// The bytes that were typed during the hold, for the next question or the line after it.
        var bytes: [UInt8] = []
        /// Whether the question answered last was for a secret. Characters that were typed since may belong to it, and
        /// are dropped.
        var isSecretive = false
    }

    /// The newlines in the line. Lines that were only pasted are entered as a paste.
    enum Newlines {
        case none
        /// Several lines were pasted, and no newline was typed.
        case pasted
        /// A newline was typed.
        case typed
    }

    /// The hold, or nil in another mode. A new value is ignored then.
    var hold: Hold? {
        get { if case .holding(let hold) = mode { hold } else { nil } }
        set { if case .holding = mode, let newValue { mode = .holding(newValue) } }
    }

    /// Stores bytes that were typed during a hold. Ctrl-C drops the characters typed before it, as on a line.
    ///
    /// - Returns: whether Ctrl-C was among the bytes.
    func holdBack(_ bytes: [UInt8]) -> Bool {
        if let last = bytes.lastIndex(of: 0x03) {
            hold?.bytes = Array(bytes[(last + 1)...])
            return true
        }
        let room = TerminalLimits.earlyBytes - (hold?.bytes.count ?? 0)
        hold?.bytes += bytes.prefix(max(0, room))
        return false
    }

    /// Removes the bytes of the hold, and returns them.
    func takeHeld() -> [UInt8] {
        defer { hold?.bytes = [] }
        return hold?.bytes ?? []
    }

    /// Gives the keys back to the line, if there is one.
    func endHold() {
        guard let hold else { return }
        guard settings.hasLine else { return mode = .holding(Hold()) }
        mode = .editing
        if hold.isSecretive {
            decoder.clear()
            decoder.feed(openPaste)
        } else {
            decoder.feed(hold.bytes)
        }
    }
}
