/// The rules of a tool for what its programs write on standard error (`docs/guide/adding-things.md`, "Warnings and
/// damage").
package struct ErrorRules: Hashable, Sendable {
    /// A kind of damage: the texts by which a program reports it, and the sentence for the user.
    package struct Damage: Hashable, Sendable {
        /// Any of these texts, anywhere on standard error, means this damage. Capitals count.
        package var texts: [String]
        /// The sentence, with `{file}` for the name of the user's file.
        package var says: String

        package init(texts: [String], says: String) {
            self.texts = texts
            self.says = says
        }
    }

    package var damage: [Damage]
    /// The texts by which lines are recognised that are of no interest to the user.
    package var harmless: [String]

    package init(damage: [Damage] = [], harmless: [String] = []) {
        self.damage = damage
        self.harmless = harmless
    }
}

extension ErrorRules {
    /// The code of a step whose program has read a damaged file.
    package static let damagedCode = Code.fileDamaged

    /// Returns the failure of a step whose program has read a damaged file.
    ///
    /// - Parameters:
    ///   - says: a sentence, with `{file}` for the name of the file.
    ///   - file: the name of the user's file.
    package static func failure(_ says: String, file: String) -> Failure {
        Failure(
            damagedCode, says.replacing("{file}", with: file.withSignsForControls),
            remedy: "Get the file again from where it came from, or repair it with another program.")
    }

    /// Returns the sentence for the first damage that a program reports, or `nil` if it reports none.
    package func sentence(for errors: String) -> String? {
        damage.first { $0.texts.contains { errors.contains($0) } }?.says
    }

    /// Returns whether a line on standard error is of no interest to the user.
    package func isHarmless(_ line: String) -> Bool { harmless.contains { line.contains($0) } }
}
