import CaseNames
import Embedded
@testable import Files
import Foundation
import Harness
import JSON
import Manifests
@testable import Sandbox
import Synchronization
import Testing
@testable import Tools
import Vocabulary

typealias Assignment = Vocabulary.Assignment

/// A workspace, own folders and a toolbox in a scratch folder that goes when the test ends.
final class Lab: Sendable {
    private let scratch: ScratchFolder
    let root: String
    let workspace: String
    let own: OwnFolders
    let store: AssetStore
    let sandbox: Isolation
    let fetch: @Sendable (FetchRequest, Cancellation) -> FetchAnswer
    /// Finds keys in the output of commands and in the files that a model looks at.
    let keys: KeyFilter

    /// The keys that the program finds without a user's own ones.
    static let shippedKeys = KeyFilter(
        forms: readKeyForms(PlacedJSON(Embedded.text(at: "Config/keys.yaml") ?? ""), file: "keys.yaml").forms)

    static let catalogue = Catalogue(
        Embedded.paths.filter { $0.hasPrefix("Config/tools/") }.flatMap { path in
            readTools(PlacedJSON(Embedded.text(at: path) ?? ""), file: path, isShipped: true) { .of($0) }.tools
        })

    /// - Parameter isInMemory: `Rehearsals.isInMemory` for tests of commands that are rehearsed.
    init(
        sandbox: Isolation? = nil, isInMemory: Bool = false, keys: KeyFilter = KeyFilter(),
        fetch: @escaping @Sendable (FetchRequest, Cancellation) -> FetchAnswer = { _, _ in
            .failed(Failure("noNetwork", "None."))
        }
    ) throws {
        scratch = try ScratchFolder(isInMemory: isInMemory)
        root = scratch.path
        workspace = root + "/work"
        own = OwnFolders(config: root + "/config", data: root + "/data", cache: root + "/cache")
        for folder in [workspace, own.config, own.data, own.cache] { try ScratchFolder.makeFolder(folder) }
        store = AssetStore(folder: own.data + "/assets")
        // To find the sandbox takes a process.
        self.sandbox = sandbox ?? (ProcessPermit.isQuick ? .bubblewrap("/usr/bin/bwrap") : .here)
        (self.fetch, self.keys) = (fetch, keys)
    }

    deinit { scratch.endProcesses() }

    var toolbox: Toolbox { toolbox(with: PersonalPrograms()) }

    /// Returns a toolbox whose commands see programs of the user.
    func toolbox(with programs: PersonalPrograms) -> Toolbox {
        Toolbox(
            store: store, own: own, sandbox: sandbox, fetch: fetch, keyFilter: { [keys] in keys }, programs: programs)
    }

    func path(_ name: String) -> String { "\(workspace)/\(name)" }

    @discardableResult func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    @discardableResult func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try FileManager.default.createDirectory(
            atPath: (path(name) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: path(name), contents: Data(bytes)))
        return path(name)
    }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
    func names(_ folder: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []).sorted()
    }

    func asset(_ text: String, _ type: PortType = .text, name: String = "note.txt") throws -> Asset {
        try asset(Array(text.utf8), type, name: name)
    }

    func asset(_ bytes: [UInt8], _ type: PortType, name: String) throws -> Asset {
        let content = try store.add(bytes)
        return Asset(
            run: RunID(StepID(WorkflowID(9), 9), attempt: 1), port: "out", type: type, hash: content.hash,
            bytes: content.bytes, name: name)
    }

    /// A picture as an asset, made with libvips' programs: the words make `out`, which is `.v` or has the extension of
    /// `name`.
    func picture(_ name: String, saveAs format: String? = nil, _ steps: [[String]]) throws -> Asset {
        let file = "out." + (format ?? (name as NSString).pathExtension)
        let recipe = (steps.map { $0.joined(separator: "\u{1}") } + [file]).joined(separator: "\u{2}")
        if let made = Self.pictures.withLock({ $0[recipe] }) { return try asset(made, .image, name: name) }
        let folder = root + "/pictures-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for step in steps { try Self.program(step, in: folder) }
        let made = [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(file)")))
        // What a step reads from elsewhere may differ from test to test.
        if !recipe.replacing("/dev/null", with: "").contains("/") { Self.pictures.withLock { $0[recipe] = made } }
        return try asset(made, .image, name: name)
    }

    /// By the words that made them: pictures that several tests use.
    private static let pictures = Mutex<[String: [UInt8]]>([:])

    @discardableResult static func program(_ words: [String], in folder: String) throws -> String {
        try ProcessPermit.check(words.first ?? "")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment(for: words)
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words)")
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the environment for a program of the system, which need not be the first of its name on our path.
    ///
    /// At each start libvips loads modules for PDF, HEIF, JPEG XL and scanner formats, which takes half of its time. So
    /// they are out of its sight where no word needs one of them.
    private static func environment(for words: [String]) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        let all = words.joined(separator: " ").split(separator: " ")
        if all.contains(where: { $0.contains("vips") }), !all.contains(where: needsModule) {
            environment["VIPSHOME"] = "/nonexistent"
        }
        return environment
    }

    /// Whether libvips reads or writes a file by a module. The files of the asset store tell by their first bytes.
    private static func needsModule(_ word: Substring) -> Bool {
        if ["avif", "heic", "jxl", "pdf"].contains(where: word.contains) { return true }
        guard word.contains("/assets/"), let file = fopen(String(word), "re") else { return false }
        defer { fclose(file) }
        let beginnings = ["\u{FF}\u{D8}", "\u{89}PNG", "GIF8", "II", "MM", "RIFF"].map {
            $0.unicodeScalars.map(\.value)
        }
        let bytes = (0..<4).map { _ in UInt32(truncatingIfNeeded: getc(file)) }
        return !beginnings.contains(where: bytes.starts)
    }

    /// What `vipsheader` says of an asset: width, height, bands, loader.
    func look(_ asset: Asset) throws -> (width: Int, height: Int, bands: Int, loader: String) {
        let text = try Self.program(["vipsheader", "-a", store.path(asset.hash)], in: root)
        func field(_ name: String) -> String {
            text.split(separator: "\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
                ?? ""
        }
        return (Int(field("width")) ?? 0, Int(field("height")) ?? 0, Int(field("bands")) ?? 0, field("vips-loader"))
    }

    /// Values of the pixel, by `vips getpoint`.
    func pixel(_ asset: Asset, _ x: Int, _ y: Int) throws -> [Int] {
        try Self.program(["vips", "getpoint", store.path(asset.hash), "\(x)", "\(y)"], in: root).split(
            whereSeparator: \.isWhitespace
        )
        .compactMap { Double($0) }.map { Int($0.rounded()) }
    }

    func assignment(
        _ kind: String, _ params: JSON = .object(JSON.Object()), _ inputs: [(String, Asset)] = [],
        outputs: [Vocabulary.Port]? = nil,
        attempt: Int = 1
    ) throws -> Assignment {
        try assignment(try #require(Self.catalogue[kind]), params, inputs, outputs: outputs, attempt: attempt)
    }

    func assignment(
        _ manifest: ToolManifest, _ params: JSON = .object(JSON.Object()), _ inputs: [(String, Asset)] = [],
        outputs: [Vocabulary.Port]? = nil, attempt: Int = 1
    ) throws -> Assignment {
        var filled = params.object ?? JSON.Object()
        for param in manifest.params where filled[param.name] == nil { filled[param.name] = param.defaultValue }
        return Assignment(
            run: RunID(StepID(WorkflowID(3), 2), attempt: attempt), manifest: manifest, params: filled,
            inputs: inputs.map { Assignment.Input($0.0, $0.1) }, outputs: outputs, workspace: workspace,
            runFolder: "\(own.data)/runs/w3/2-\(attempt)")
    }

    /// Prepares and runs on a thread of its own.
    func run(_ assignment: Assignment, cancel: Cancellation = Cancellation()) async -> RunEnding {
        let toolbox = toolbox
        return await onThread {
            do throws(Failure) {
                var call = try toolbox.prepare(assignment)
                if call.rehearsal == .wanted { call = try toolbox.rehearse(assignment, agreed: call, cancel: cancel) }
                return toolbox.run(assignment, call: call, cancel: cancel)
            } catch {
                return .failed(error)
            }
        }
    }

    func run(
        _ kind: String, _ params: JSON = .object(JSON.Object()), _ inputs: [(String, Asset)] = [],
        outputs: [Vocabulary.Port]? = nil
    )
        async throws -> [Asset]
    {
        let ending = await run(
            try assignment(kind, params, inputs, outputs: outputs, attempt: Int.random(in: 1...1_000_000)))
        guard case .succeeded(let assets) = ending else {
            if case .failed(let failure) = ending { throw failure }
            throw Failure("\(ending)", "\(ending)")
        }
        return assets
    }

    func text(_ asset: Asset) throws -> String { String(decoding: try store.read(asset), as: UTF8.self) }
}

func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// Waits until something holds.
func eventually(_ what: Comment, _ holds: () -> Bool) async throws {
    if try await !Harness.eventually(holds) { Issue.record(what) }
}

extension RunEnding {
    var failure: Failure? { if case .failed(let failure) = self { failure } else { nil } }
    var assets: [Asset]? { if case .succeeded(let assets) = self { assets } else { nil } }
}
