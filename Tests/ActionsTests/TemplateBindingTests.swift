import CaseNames
import Testing

@testable import Actions

/// `--set NAME=VALUE` is parted at the first `=`, whatever sign follows it.
@Suite struct TemplateBindingTests {
    @Test func aValueMayBeginWithACombiningMark() {
        let rows: [(String, String, String)] = [
            ("r.find=x", "r.find", "x"), ("r.find=", "r.find", ""), ("r.find=\u{301}", "r.find", "\u{301}"),
            ("r.find=\u{FE0F}=y", "r.find", "\u{FE0F}=y"), ("r.find=\r\n", "r.find", "\r\n"),
            ("e\u{301}.a=1", "e\u{301}.a", "1"),
        ]
        expectNoFaults(in: rows) { text, name, value in
            let found = try? TemplateBinding.split(text, option: "--set", form: "N.P=V")
            let isMeant =
                found.map { Array($0.name.utf8) == Array(name.utf8) && Array($0.value.utf8) == Array(value.utf8) }
                ?? false
            return isMeant ? [] : ["\(text.debugDescription): \(found.map { "\($0)" } ?? "refused")"]
        }
        for text in ["", "x", "=x", "=\u{301}"] {
            #expect(throws: (any Error).self) { try TemplateBinding.split(text, option: "--set", form: "") }
        }
    }
}
