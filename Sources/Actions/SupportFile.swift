import Files
import Glibc
import JSON
import Sandbox
import Services
import Storage
import Tools
import Vocabulary

extension Limits {
    /// The newest events in the bundle for support.
    fileprivate static let supportEvents = 500
}

/// The file for a helper: versions, settings, numbers of rows and the last events. It has only what is named here: no
/// text of a person, a model, a tool or a file, no path, no address, no secret and no media.
struct SupportFile {
    let shared: OpenWorkspace

    /// Writes the file, and returns one finding with its path and size. It blocks.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file.
    ///   - findings: the findings of `doctor`, of which only names and results are written.
    func write(_ path: String, _ findings: [Finding]) throws(Failure) -> [Finding] {
        var zip = try ZipWriter(in: path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/")
        try zip.add("versions.json", line(versions))
        try zip.add("settings.json", line(settings))
        try zip.add(
            "findings.json",
            line(.array(findings.map { ["name": .string(Self.word($0.name)), "ok": .bool($0.isFine)] })))
        // Help is often needed because the database cannot be opened.
        if let facts = try? shared.archive.get().supportFacts(events: Limits.supportEvents) {
            try zip.add("schema.sql", Array((facts.schema.joined(separator: ";\n") + ";\n").utf8))
            try zip.add("counts.json", line(.object(facts.counts)))
            try zip.add("events.jsonl", facts.events.flatMap { Array(($0.text + "\n").utf8) })
        }
        try zip.add("log.txt", log)
        let bytes = try zip.finish(as: path)
        return [
            Finding(
                isFine: true, name: "support", words: "\(path), \(bytes) bytes; look at it before you give it away")
        ]
    }

    private func line(_ json: JSON) -> [UInt8] { Array((json.text + "\n").utf8) }

    private var versions: JSON {
        var name = utsname()
        uname(&name)
        func text<Tuple>(_ field: Tuple) -> JSON {
            .string(withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return [
            "assent": .string(ProgramVersion.text), "system": text(name.sysname), "kernel": text(name.release),
            "machine": text(name.machine),
            "sqlite": .string(Archive.sqliteVersion), "sandbox": .bool(Isolation.here.reasonForNone == nil),
        ]
    }

    private var settings: JSON {
        let choice = try? shared.model.choice()
        let secrets = Secrets(config: shared.folders.config, keyCommand: [])
        return .of([
            "mode": (try? shared.settings.mode()).map { .string($0.rawValue) },
            // The name and the address of the model are left out.
            "model": choice == nil ? "built-in" : choice.map { $0.host.place == .thisMachine ? "local" : "remote" },
            "hasKey": .bool(choice?.keyNames.contains { secrets.keyAtHand($0) != nil } ?? false),
            "ownTools": .int(FileSystem.names(in: shared.folders.config + "/tools").count),
            "ownPolicy": .bool(FileSystem.exists(shared.folders.config + "/policy.yaml")),
        ])
    }

    /// The first words of each line of the log: the time, the level and the code. Sentences may name files.
    private var log: [UInt8] {
        let lines = Log(folder: shared.folders.data, now: OpenWorkspace.now).files.reversed().flatMap { file in
            (FileSystem.text(file.path) ?? "").split(separator: "\n").map { line in
                line.split(separator: " ", maxSplits: 4).prefix(4).map(String.init).joined(separator: " ")
            }
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Returns the plain characters of a finding's name. The user's own tools have names of any form.
    private static func word(_ name: String) -> String {
        String(name.prefix { $0.isLetter || $0.isNumber || $0 == " " || $0 == "," }.prefix(80))
    }
}
