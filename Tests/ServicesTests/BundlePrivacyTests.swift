import JSON
import Storage
import Testing
import Vocabulary

@testable import Services

/// The numbers that stand in a bundle for contents that may hold keys.
struct BundlePrivacyTests {
    private static func number(_ digits: String) -> String { String(repeating: "0", count: 64 - digits.count) + digits }

    /// What goes out for two contents, beside the numbers that came in.
    @Test(
        arguments: [
            ([], ["1", "2"]), (["1", "2"], ["3", "4"]),
            // As large as a number can be, and larger.
            (["7fffffffffffffff"], ["1", "2"]), (["ffffffffffffffff", "1"], ["2", "3"]),
            // Of two bundles, each with its own.
            (["1", "3"], ["2", "4"]), (["2", "a", "1", "2"], ["3", "4"]),
        ] as [([String], [String])])
    func numbersThatCameInStayAndAreGivenToNoOther(came: [String], given: [String]) {
        let here = ["a", "b"].map { String(repeating: $0, count: 64) }
        let there = came.map(Self.number)
        let assets = (there + here).map { JSON.Object(members: [.init(key: "sha256", value: .string($0))]) }
        var rows = BundleRows(workflow: JSON.Object(), template: "{}", tables: ["assets": assets])
        BundlePrivacy(PrivateContents { _ in true }, leftOutOf: &rows)
        #expect(rows.tables["assets"]?.compactMap { $0["sha256"]?.string } == there + given.map(Self.number))
    }
}
