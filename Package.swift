// swift-tools-version: 6.2
import PackageDescription

// The manifest reads as the table of modules in `architecture.md`, "Modules": a module may import only what its line names.
// `Tests/HouseTests` holds the arrows; the compiler holds the rest.

func house() -> [SwiftSetting] {
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}

/// - Parameter isOptimized: whether debug builds optimize the module, too. The few that are compute much in the tests: at each of some
///   thousand starts of the program, or over large tables.
func room(_ name: String, isOptimized: Bool = false, knows: Target.Dependency...) -> Target {
    let optimized: [SwiftSetting] = isOptimized ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : []
    return .target(name: name, dependencies: knows, swiftSettings: house() + optimized)
}

func tests(_ name: String, of knows: Target.Dependency..., exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: knows + ["CaseNames"], exclude: exclude, swiftSettings: house())
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// How the program is linked that people run: its relocations take 20 KB instead of 2.4 MB, all of which would lie in memory, and no symbol
/// is exported.
let releaseLinking: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--gc-sections",
            "-Xlinker", "--no-export-dynamic", "-Xlinker", "--exclude-libs=ALL",
        ], .when(configuration: .release))
]

let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
    name: "assent",
    products: [.executable(name: "assent", targets: ["assent"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // Fixed shapes for C.
        library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        library("CEdit", pkgConfig: "libedit", apt: "libedit-dev"),
        library("CMarkdown", pkgConfig: "libcmark-gfm", apt: "libcmark-gfm-dev"),
        library("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        .target(name: "CProcess"),
        .target(name: "CEmbedded", exclude: ["manifests"]),
        .target(name: "CVips"),

        // Leaves.
        room("JSON", isOptimized: true),
        room("Embedded", knows: "CEmbedded"),

        // The way of a line.
        room("Vocabulary", isOptimized: true, knows: "JSON"),
        room("Manifests", isOptimized: true, knows: "Vocabulary", "JSON", yams),
        room("Consent", isOptimized: true, knows: "Vocabulary", "JSON", "CCrypto"),
        room("Workflows", knows: "Vocabulary", "JSON"),
        room("Engine", knows: "Vocabulary", "JSON", "Workflows", "Consent"),
        room("HTTP", knows: "CCurl"),
        room("LanguageModels", isOptimized: true, knows: "Vocabulary", "JSON", "HTTP"),
        room("Files", knows: "Vocabulary", "JSON", "Embedded", "CCrypto", "CProcess"),
        room("Sandbox", knows: "Vocabulary", "JSON", "HTTP", "Files", "CProcess"),
        room("Vips", knows: "Vocabulary", "JSON", "Files", "Sandbox", "CVips"),
        room("Pictures", knows: "Vocabulary", "JSON", "Files", "Sandbox", "Vips"),
        room("Undo", knows: "Vocabulary", "JSON", "Files", "CProcess"),
        room("Rehearsal", knows: "Vocabulary", "JSON", "Files", "Sandbox", "Undo", "CProcess"),
        room("Jobs", knows: "Vocabulary", "JSON", "HTTP", "Files", "Sandbox", "Pictures"),
        room(
            "Tools", knows: "Vocabulary", "JSON", "HTTP", "Files", "Sandbox", "Vips", "Pictures", "Undo", "Rehearsal",
            "Jobs",
            "CProcess", "CZlib"),
        room("Storage", knows: "Vocabulary", "JSON", "CSQLite", grdb),
        room("Conversations", isOptimized: true, knows: "Vocabulary", "JSON", "Workflows"),
        room(
            "Services", knows: "Vocabulary", "JSON", "Embedded", "Manifests", "Consent", "Engine", "HTTP", "Files",
            "Sandbox", "Rehearsal", "Jobs", "Tools",
            "Storage",
            "Conversations"),
        room(
            "Actions", knows: "Vocabulary", "JSON", "Manifests", "Consent", "Workflows", "Engine", "HTTP",
            "LanguageModels", "Files", "Sandbox", "Pictures", "Undo", "Rehearsal", "Jobs", "Tools", "Storage",
            "Conversations", "Services"),
        room("Terminal", knows: "CEdit", "CMarkdown"),
        room("Progress", knows: "Vocabulary", "Terminal", "Actions"),
        room("Notices", knows: "Vocabulary", "JSON", "Terminal"),
        room(
            "Console", knows: "Vocabulary", "JSON", "Terminal", "Conversations", "Actions",
            "Notices", "Progress", arguments),
        .executableTarget(
            name: "assent",
            dependencies: [
                "Vocabulary", "JSON", "Embedded", "Manifests", "Consent", "Workflows", "Engine", "HTTP",
                "LanguageModels",
                "Files", "Sandbox", "Vips", "Pictures", "Undo", "Rehearsal", "Jobs", "Tools", "Storage",
                "Conversations",
                "Services", "Actions", "Terminal", "Notices", "Progress", "Console", arguments,
            ],
            swiftSettings: house(),
            linkerSettings: releaseLinking),

        // `make bench`: every figure beside its reference in the same run.
        .executableTarget(
            name: "assent-bench",
            dependencies: [
                "Vocabulary", "JSON", "Manifests", "Workflows", "Engine", "Consent", "HTTP", "Storage", "Files",
                "Sandbox", "Pictures", "Undo", "Rehearsal", "Jobs", "Tools",
                "CCurl", "CPty", grdb,
                yams,
            ],
            path: "Tests/Benchmarks", exclude: ["Peers"], swiftSettings: house()),

        // What tests share: a server on 127.0.0.1, a pseudo-terminal, scratch folders, the built program.
        .target(name: "CPty", path: "Tests/CPty"),
        .target(name: "CAttack", path: "Tests/CAttack"),
        .target(
            name: "Harness", dependencies: ["CPty", "JSON"], path: "Tests/Harness", exclude: ["Peer", "newcomer"],
            swiftSettings: house()),

        // The names of cases of parameterised tests.
        .target(
            name: "CaseNames", dependencies: ["Harness", "JSON", "Vocabulary"], path: "Tests/CaseNames",
            swiftSettings: house()),

        // A scripted job provider and model, as a program of its own: it lives on when what it serves is killed.
        .executableTarget(
            name: "assent-harness", dependencies: ["Harness", "Vocabulary", "JSON", arguments],
            path: "Tests/AssentHarness",
            exclude: ["README.md"], swiftSettings: house()),

        tests("JSONTests", of: "JSON", "Harness"),
        tests(
            "HouseTests", of: "Embedded", "Manifests", "Consent", "Vocabulary", "JSON", "Console", "Conversations",
            "Harness",
            exclude: ["known-doc-comments.txt", "Figures", "RunsLater"]),
        tests("ConsentTests", of: "Consent", "Vocabulary", "JSON", "Harness"),
        tests("WorkflowsTests", of: "Workflows", "Vocabulary", "JSON", "Manifests", "Embedded", "Harness"),
        tests(
            "EngineTests", of: "Engine", "Workflows", "Consent", "Storage", "Vocabulary", "JSON", "Manifests",
            "Embedded", "Harness", grdb),
        tests(
            "SimulatorTests", of: "Engine", "Workflows", "Consent", "Storage", "Vocabulary", "JSON", "Harness",
            .product(name: "GRDBSQLite", package: "GRDB.swift")),
        tests("StorageTests", of: "Storage", "Vocabulary", "JSON", "Harness", grdb, exclude: ["Fixtures"]),
        tests("HTTPTests", of: "HTTP", "Harness"),
        tests("VipsTests", of: "Vips", "CVips", "CAttack", "Sandbox", "Files", "Vocabulary", "JSON", "Harness"),
        tests(
            "LanguageModelsTests", of: "LanguageModels", "HTTP", "Vocabulary", "JSON", "Harness", exclude: ["Fixtures"]),
        tests(
            "ToolsTests", of: "Files", "Sandbox", "Vips", "Pictures", "Undo", "Rehearsal", "Jobs", "Tools", "Consent",
            "Manifests", "Embedded", "Vocabulary", "JSON", "HTTP", "CProcess",
            "Harness",
            exclude: ["Fixtures", "BreakOut"]),
        tests(
            "ConversationsTests", of: "Conversations", "Console", "Actions", "Workflows", "Manifests", "Embedded",
            "Vocabulary",
            "JSON", "Harness"),
        tests("TerminalTests", of: "Terminal", "Harness"),
        tests("NoticesTests", of: "Notices", "Terminal", "Vocabulary", "JSON", "Harness"),
        tests(
            "ActionsTests", of: "assent", "Actions", "Services", "Storage", "Files", "Sandbox", "Pictures", "Undo",
            "Rehearsal", "Jobs", "Tools", "Workflows", "Engine", "Conversations", "Vocabulary", "JSON", "Harness"),
        tests(
            "ConsoleTests", of: "assent", "Console", "Progress", "Actions", "Services", "Files", "Sandbox", "Pictures",
            "Undo",
            "Rehearsal", "Jobs", "Tools", "Workflows", "Terminal", "Conversations", "Vocabulary", "JSON", "Harness",
            arguments),
        tests("ProgressTests", of: "Progress", "Terminal", "Vocabulary"),
        tests("HarnessTests", of: "assent-harness", "Harness", "HTTP", "JSON"),
        tests(
            "ServicesTests", of: "Services", "Storage", "Files", "Sandbox", "Pictures", "Undo", "Rehearsal", "Jobs",
            "Tools", "Consent", "Vocabulary", "JSON", "Harness"),
        tests("ProgramTests", of: "Services", "assent-harness", "Storage", "Vocabulary", "Harness", "JSON"),
        tests("PeersTests", of: "HTTP", "JSON", "Harness"),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
