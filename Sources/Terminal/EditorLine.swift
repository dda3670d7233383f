import CEdit
import Glibc
import Synchronization

/// The keys that enter, clear or end the line, and the text of the line.
extension EditorLoop {
    /// Enters the line: the region below becomes finished lines.
    func enter() -> UInt8 {
        guard !isTooSoonForOffer else { return UInt8(CC_NORM) }
        offer = nil
        let text = lineText
        begin(update: true)
        erase()
        menu = []
        let isPaste = newlines == .pasted && text.contains("\n")
        // It stands where its turn begins. A verb acts at once.
        let isHeld = !isPaste && !text.isEmpty && text.first != "/" && mailbox.state.withLock { $0.isBusy }
        if !text.isEmpty, !isHeld { write(echo(settings.remembers(text))) }
        begin(update: false)
        fflush(output)
        // libedit moves to the end of the line that it believes to be on the screen, so the line must be empty.
        clearLine()
        entered = isPaste ? .paste(text) : isHeld ? .held(text) : .line(text)
        newlines = .none
        return UInt8(CC_NEWLINE)
    }

    private func echo(_ text: String) -> [StyledText] {
        let indent = StyledText(spaces: prompt.width)
        return VisibleText.lines(text).enumerated().map { ($0 == 0 ? prompt : indent) + StyledText($1) }
    }

    /// Takes the newest waiting line back, or else goes to the earlier line of the history.
    func goUp() -> UInt8 {
        if lineText.isEmpty, mailbox.state.withLock({ $0.hasQueue }) {
            inputs.yield(.takeBack)
            return UInt8(CC_NORM)
        }
        el_push(editor, "\u{10}")
        return UInt8(CC_NORM)
    }

    func interrupt() -> UInt8 {
        let isBusy = mailbox.state.withLock { $0.isBusy }
        if isBusy || lineText.isEmpty {
            inputs.yield(.interrupt)
            return UInt8(CC_NORM)
        }
        clearLine()
        newlines = .none
        return UInt8(CC_REFRESH)
    }

    func endOrDelete() -> UInt8 {
        let line = el_wline(editor).pointee
        guard line.lastchar > line.buffer else {
            entered = .end
            begin(update: true)
            erase()
            begin(update: false)
            fflush(output)
            return UInt8(CC_NEWLINE)
        }
        guard line.cursor < line.lastchar else { return UInt8(CC_ERROR) }
        el_cursor(editor, 1)
        el_deletestr(editor, 1)
        return UInt8(CC_REFRESH)
    }

    func clearLine() {
        let line = el_wline(editor).pointee
        el_cursor(editor, Int32(line.lastchar - line.cursor))
        el_deletestr(editor, Int32(line.lastchar - line.buffer))
    }

    /// The current line, without controls that Ctrl-V has inserted.
    var lineText: String {
        let line = el_wline(editor).pointee
        return Self.text(line.buffer, line.lastchar - line.buffer)
    }

    var textBeforeCursor: String {
        let line = el_wline(editor).pointee
        return Self.text(line.buffer, line.cursor - line.buffer)
    }

    private static func text(_ characters: UnsafePointer<wchar_t>, _ count: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for index in 0..<count {
            let scalar = Unicode.Scalar(UInt32(bitPattern: characters[index])) ?? "\u{FFFD}"
            if scalar == "\n" || (scalar.value >= 0x20 && InputDecoder.isTypeable(scalar) && scalar.value != 0x7F) {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Shows lines above the prompt. To be called on the editor's thread.
    func tell(_ lines: [StyledText]) { mailbox.post { $0.add(.lines(lines)) } }
}
