extension String {
    /// The text that is meant by a text in quotes: `\n`, `\r` and `\t` are a line feed, a carriage return and a tab.
    /// With two backslashes, `\\n` is a backslash and an n. Other backslashes are backslashes.
    var withoutEscapes: String {
        let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
        var (text, rest) = ("", self[...])
        while let sign = rest.popFirst() {
            let isEscaped = sign == "\\" && rest.first == "\\"
            if sign == "\\", let meant = rest.first.flatMap({ escapes[$0] }) {
                text.append(meant)
                rest = rest.dropFirst()
            } else if isEscaped, let next = rest.dropFirst().first, escapes[next] != nil {
                text += ["\\", next]
                rest = rest.dropFirst(2)
            } else {
                text.append(sign)
            }
        }
        return text
    }
}
