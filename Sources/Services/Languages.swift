import Embedded
import Manifests
package import Vocabulary

/// The languages that the built-in planner reads: the files of `Config/planner`, by their codes.
package enum Languages {
    private static let folder = "Config/planner/"
    private static let ending = ".yaml"
    /// The variables of the environment that name a language. The first one that is set counts.
    package static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
    /// The language that is always included.
    package static let usual = "en"

    /// The codes of the languages that this program includes, such as `de` and `en`.
    package static let known: [String] = Embedded.paths.filter { $0.hasPrefix(folder) && $0.hasSuffix(ending) }
        .map { String($0.dropFirst(folder.count).dropLast(ending.count)) }.sorted()

    /// Returns the code of the language in which sentences are read.
    ///
    /// - Parameters:
    ///   - setting: `language:` of the settings. It wins over the environment.
    ///   - environment: returns a variable of the environment.
    /// - Returns: a known code. It is English if the program does not include the requested language.
    package static func code(setting: String?, environment: (String) -> String?) -> String {
        let variable = variables.lazy.compactMap(environment).first
        guard let code = (setting ?? variable.map { String($0.prefix(2)) })?.lowercased(), known.contains(code) else {
            return usual
        }
        return code
    }

    /// Returns the language of a code, or English if the code is unknown.
    package static func language(_ code: String) -> PlannerLanguage {
        let code = known.contains(code) ? code : usual
        return readPlannerLanguage(PlacedJSON(shipped: folder + code + ending), file: code + ending).language
    }

    /// The languages that write a point before thousands, as the common locale data (CLDR) of Unicode has them.
    private static let withPointBeforeThousands: Set<String> = [
        "az", "bs", "ca", "da", "de", "el", "es", "eu", "fo", "fy", "gl", "hr", "id", "is", "it", "jv", "kl", "lb",
        "mk", "nl", "pt", "ro", "rw", "sl", "sr", "tr", "vi", "wo",
    ]

    /// Returns the signs that may stand before thousands in a number that a person types. The comma always is one,
    /// since the words of this program are English. The languages need not be known to the planner.
    ///
    /// - Parameters:
    ///   - setting: `language:` of the settings.
    ///   - environment: returns a variable of the environment.
    package static func groupSigns(setting: String?, environment: (String) -> String?) -> Set<Character> {
        let named =
            ["LC_ALL", "LC_NUMERIC", "LC_MESSAGES", "LANG"].compactMap(environment) + [setting].compactMap(\.self)
        let codes = named.map { $0.lowercased().prefix { $0.isLetter } }
        return codes.contains { withPointBeforeThousands.contains(String($0)) } ? [",", "."] : [","]
    }
}
