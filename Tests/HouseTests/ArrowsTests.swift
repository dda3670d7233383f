import CaseNames
import Testing

/// Which module may import which (`architecture.md`, "Modules"). The manifest and the imports are both compared with
/// this table, so that a new arrow is a decision made in two places, not a slip in one.
private let arrows: [String: Set<String>] = [
    "JSON": [],
    "Embedded": ["CEmbedded"],
    "Vocabulary": ["JSON"],
    "Manifests": ["Vocabulary", "JSON", "Yams"],
    "Consent": ["Vocabulary", "JSON", "CCrypto"],
    "Workflows": ["Vocabulary", "JSON"],
    "Engine": ["Vocabulary", "JSON", "Workflows", "Consent"],
    "HTTP": ["CCurl"],
    "LanguageModels": ["Vocabulary", "JSON", "HTTP"],
    "Files": ["Vocabulary", "JSON", "Embedded", "CCrypto", "CProcess"],
    "Sandbox": ["Vocabulary", "JSON", "HTTP", "Files", "CProcess"],
    "Vips": ["Vocabulary", "JSON", "Files", "Sandbox", "CVips"],
    "Pictures": ["Vocabulary", "JSON", "Files", "Sandbox", "Vips"],
    "Undo": ["Vocabulary", "JSON", "Files", "CProcess"],
    "Rehearsal": ["Vocabulary", "JSON", "Files", "Sandbox", "Undo", "CProcess"],
    "Jobs": ["Vocabulary", "JSON", "HTTP", "Files", "Sandbox", "Pictures"],
    "Tools": [
        "Vocabulary", "JSON", "HTTP", "Files", "Sandbox", "Vips", "Pictures", "Undo", "Rehearsal", "Jobs", "CProcess",
        "CZlib",
    ],
    "Storage": ["Vocabulary", "JSON", "CSQLite", "GRDB"],
    "Conversations": ["Vocabulary", "JSON", "Workflows"],
    "Services": [
        "Vocabulary", "JSON", "Embedded", "Manifests", "Consent", "Engine", "HTTP", "Files", "Sandbox", "Rehearsal",
        "Jobs",
        "Tools", "Storage", "Conversations",
    ],
    "Actions": [
        "Vocabulary", "JSON", "Manifests", "Consent", "Workflows", "Engine", "HTTP", "LanguageModels", "Files",
        "Sandbox", "Pictures", "Undo", "Rehearsal", "Jobs", "Tools", "Storage", "Conversations", "Services",
    ],
    "Terminal": ["CEdit", "CMarkdown"],
    "Progress": ["Vocabulary", "Terminal", "Actions"],
    "Notices": ["Vocabulary", "JSON", "Terminal"],
    "Console": [
        "Vocabulary", "JSON", "Terminal", "Notices", "Conversations", "Actions", "Progress", "ArgumentParser",
    ],
    "assent": [
        "Vocabulary", "JSON", "Embedded", "Manifests", "Consent", "Workflows", "Engine", "HTTP", "LanguageModels",
        "Files", "Sandbox", "Vips", "Pictures", "Undo", "Rehearsal", "Jobs", "Tools", "Storage",
        "Conversations", "Services", "Actions", "Terminal", "Notices", "Progress", "Console", "ArgumentParser",
    ],
]

private let platform: Set<String> = ["Glibc", "Synchronization"]

/// Foundation costs milliseconds at every start and megabytes in the program. Add a file here only with its reason.
private let mayUseFoundation: Set<String> = []

@Test func thePackageManifestDrawsTheSameArrows() {
    let drawn = manifestArrows()
    #expect(Set(drawn.keys) == Set(arrows.keys))
    for (room, knows) in arrows { #expect(drawn[room] == knows, "\(room)") }
}

@Test func everyFolderOfSourcesIsATarget() {
    let folders = Set(House.files(under: "Sources").map { $0.split(separator: "/")[1] }.map(String.init))
    let ofC = folders.filter { $0.first == "C" && $0.dropFirst().first?.isUppercase == true }
    #expect(folders.subtracting(ofC) == Set(arrows.keys))
    #expect(ofC == ["CCurl", "CEdit", "CMarkdown", "CCrypto", "CSQLite", "CZlib", "CProcess", "CVips", "CEmbedded"])
}

@Test func importsFollowTheArrows() {
    expectNoFaults(in: House.files(under: "Sources").filter { $0.hasSuffix(".swift") }) { path in
        guard let known = arrows[String(path.split(separator: "/")[1])] else { return ["no row for \(path)"] }
        let allowed = known.union(platform).union(mayUseFoundation.contains(path) ? ["Foundation"] : [])
        let imported = Set(House.lines(of: path).filter { $0.contains("import") }.flatMap(importedModules))
        return imported.subtracting(allowed).sorted().map { "\($0) in \(path)" }
    }
}

/// The types that a module is named for, from before the rule.
private let typesOfTheirModules: Set<String> = ["JSON", "Embedded", "Engine"]

/// A type with the name of a module hides the module: `Undo.Record` would then be looked up in the type.
@Test func noTypeHasTheNameOfAModule() {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    expectNoFaults(in: House.files(under: "Sources").filter { $0.hasSuffix(".swift") }) { path in
        House.lines(of: path).compactMap { line in
            guard line.first != " ", line.first != "/" else { return nil }
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard words.first != "private", let kind = words.firstIndex(where: kinds.contains) else { return nil }
            let name = words.dropFirst(kind + 1).first.map(String.init) ?? ""
            return arrows[name] == nil || typesOfTheirModules.contains(name) ? nil : "\(name) in \(path)"
        }
    }
}

@Test(
    arguments: [
        ("import JSON", "JSON"), ("package import JSON", "JSON"), ("  @preconcurrency import Glibc // why", "Glibc"),
        ("private import Foundation", "Foundation"), ("import struct Foundation.Date", "Foundation"),
        ("import Foundation.NSObject", "Foundation"),
        ("import Foundation; import Foundation", "Foundation"), ("// import JSON", nil), ("let import1 = 2", nil),
        ("    case .import: 1", nil),
        ("important import text", nil), ("/// they import curl", nil), ("canImport(x)", nil),
    ] as [(String, String?)])
func importLinesAreUnderstood(line: String, module: String?) {
    #expect(Set(importedModules(of: line[...])) == Set([module].compactMap { $0 }))
}

private func importedModules(of line: Substring) -> [String] {
    line.split(separator: ";").compactMap(importedModule)
}

private func importedModule(by statement: Substring) -> String? {
    let modifiers: Set<Substring> = [
        "package", "private", "internal", "public", "fileprivate", "@testable", "@preconcurrency", "@_exported",
    ]
    let words = statement.split(whereSeparator: \.isWhitespace).drop { modifiers.contains($0) }
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    guard words.first == "import", let module = words.dropFirst().drop(while: { kinds.contains($0) }).first else {
        return nil
    }
    return module.split(separator: ".").first.map(String.init)
}

/// `room("X", knows: "A", b)` lines of Package.swift, and the list of the executable.
private func manifestArrows() -> [String: Set<String>] {
    let products: [Substring: String] = ["arguments": "ArgumentParser", "grdb": "GRDB", "yams": "Yams"]
    func names(_ text: Substring) -> Set<String> {
        Set(
            text.split(whereSeparator: { ", \n[]()".contains($0) }).compactMap { word in
                word.hasPrefix("\"") ? String(word.dropFirst().prefix { $0 != "\"" }) : products[word]
            })
    }
    var arrows: [String: Set<String>] = [:]
    let whole = House.lines(of: "Package.swift").joined(separator: "\n")[...]
    // A long row is broken at its commas.
    let rows = whole.replacing(#/\broom\(\s+/#, with: "room(").replacing(#/,\s+"/#, with: ", \"")
    for line in rows.split(separator: "\n") {
        let line = line.drop(while: \.isWhitespace)
        guard line.hasPrefix("room(\""), let name = line.split(separator: "\"").dropFirst().first else { continue }
        arrows[String(name)] = line.firstRange(of: "knows:").map { names(line[$0.upperBound...]) } ?? []
    }
    if let start = whole.firstRange(of: "name: \"assent\",\n            dependencies: ["),
        let end = whole[start.upperBound...].firstIndex(of: "]")
    {
        arrows["assent"] = names(whole[start.upperBound..<end])
    }
    return arrows
}
