import CaseNames
import Services
import Testing
import Vocabulary

/// Which language the built-in planner reads.
@Suite struct LanguagesTests {
    @Test(
        arguments: [
            (nil, [:], "en"), ("de", [:], "de"), ("de", ["LANG": "en_US.UTF-8"], "de"),
            ("en", ["LANG": "de_DE.UTF-8"], "en"),
            (nil, ["LANG": "de_DE.UTF-8"], "de"), (nil, ["LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"], "en"),
            (nil, ["LC_ALL": "de"], "de"),
            (nil, ["LANG": "C.UTF-8"], "en"), (nil, ["LANG": "POSIX"], "en"), (nil, ["LANG": "x"], "en"),
            ("xx", ["LANG": "de_DE"], "en"),
            ("DE", [:], "de"), ("deutsch", ["LANG": "de_DE"], "en"),
        ] as [(String?, [String: String], String)])
    func theSettingWinsThenTheEnvironmentThenEnglish(setting: String?, environment: [String: String], code: String) {
        #expect(Languages.code(setting: setting, environment: { environment[$0] }) == code)
    }

    @Test(
        arguments: [
            (nil, [:], ","), (nil, ["LANG": "en_US.UTF-8"], ","), (nil, ["LANG": "C.UTF-8"], ","),
            (nil, ["LANG": "de_DE.UTF-8"], ",."), ("de", [:], ",."), ("en", ["LC_ALL": "it_IT"], ",."),
            (nil, ["LC_NUMERIC": "nl_NL.UTF-8", "LANG": "en_US.UTF-8"], ",."), (nil, ["LANG": "fr_FR"], ","),
            (nil, ["LANG": "pt"], ",."), (nil, ["LANG": "deutsch"], ","),
        ] as [(String?, [String: String], String)])
    func aPointDividesThousandsInManyLanguages(setting: String?, environment: [String: String], signs: String) {
        #expect(Languages.groupSigns(setting: setting, environment: { environment[$0] }) == Set(signs))
    }

    @Test func eachLanguageCanBeRead() {
        #expect(Languages.known == ["de", "en"])
        for code in Languages.known {
            #expect(Languages.language(code).id == code && !Languages.language(code).phrases.isEmpty, "\(code)")
        }
    }
}
