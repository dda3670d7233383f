import CaseNames
@testable import Files
import Glibc
import Testing
@testable import Tools
import Vocabulary

struct LookAlikeTests {
    @Test(arguments: [
        ("notes.txt", "n\u{43E}tes.txt"), ("notes.txt", "notes.txt."), ("notes.txt", "notes.txt "),
        ("notes.txt", "notes\u{A0}.txt"), ("a b", "a\u{A0}b"), ("README", "readme"), ("n\u{E4}", "na\u{308}"),
        ("paypal", "\u{440}\u{430}\u{443}\u{440}\u{430}l"), ("file", "\u{FF46}ile"), ("file", "f\u{200B}ile"),
        ("a-b", "a\u{2011}b"), ("x", "\u{1D499}"), ("7", "\u{1D7D5}"),
    ]) func thatLooksLikeIt(one: String, other: String) {
        var siblings = Siblings()
        siblings.add(one)
        #expect(siblings.resembling(other)?.isSameName(as: one) == true)
        #expect(siblings.resembling(one) == nil, "it is itself")
    }

    @Test(arguments: [
        ("notes.txt", "notes1.txt"), ("l", "1"), ("O", "0"), ("rn", "m"), ("a.txt", "atxt"), ("a_b", "a-b"),
        ("\u{E4}", "a"),
        ("\u{E9}", "e"), ("\u{65E5}\u{672C}", "\u{65E5}"), ("a b", "ab"), ("b\u{E4}r", "bar"),
    ]) func thatIsAnother(one: String, other: String) {
        var siblings = Siblings()
        siblings.add(one)
        #expect(siblings.resembling(other) == nil)
    }

    /// U5, hard links: what a question promises of undo.
    @Test(
        arguments: [
            (S_IFREG, 10, uid_t(1000), 1, "copy"),
            (S_IFREG, 10, 1000, 2, "copy; it has 2 names, and undo makes one file of its own"),
            (S_IFREG, 10, 0, 1, nil), (S_IFREG, 1 << 40, 1000, 1, nil), (S_IFLNK, 10, 0, 1, "its target is kept"),
        ] as [(mode_t, Int, uid_t, UInt, String?)])
    func whatUndoPromises(kind: mode_t, size: Int, owner: uid_t, links: UInt, how: String?) {
        var status = stat()
        (status.st_mode, status.st_size, status.st_uid, status.st_nlink) = (kind | 0o644, size, owner, links)
        #expect(UndoPromise.back(from: status, as: 1000, copy: "copy") == how.map { .yes(how: $0) } ?? .no)
    }
}
