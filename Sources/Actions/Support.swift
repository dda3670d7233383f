import Glibc
import JSON
import Services
import Storage
import Tools
import Vocabulary

extension Limits {
    /// The newest events in the bundle for support.
    fileprivate static let supportEvents = 500
}

/// The file for whoever is asked for help: what is built how, what is set, how much there is, what happened last. Only
/// what is named here goes into it: no text of a person, a model, a tool or a file, no path, no address, no secret, no
/// media.
struct Support {
    let wiring: OpenWorkspace

    func write(_ file: String, _ findings: [Finding]) throws(Failure) -> [Finding] {
        let path = file.hasPrefix("/") ? file : "\(wiring.workspace)/\(file)"
        var zip = try ZipWriter(in: path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/")
        try zip.add("versions.json", line(versions))
        try zip.add("settings.json", line(settings))
        try zip.add(
            "findings.json",
            line(.array(findings.map { ["name": .string(Self.word($0.name)), "ok": .bool($0.isFine)] })))
        // A database that cannot be opened is the very case in which help is asked for.
        if let facts = try? wiring.archive.get().supportFacts(events: Limits.supportEvents) {
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
            "sqlite": .string(Archive.sqliteVersion), "sandbox": .bool(Sandbox.here.reasonForNone == nil),
        ]
    }

    private var settings: JSON {
        let choice = try? wiring.model.choice()
        let secrets = Secrets(config: wiring.folders.config, keyCommand: [])
        return .of([
            "mode": (try? wiring.settings.mode()).map { .string($0.rawValue) },
            // Whether there is one and whether it is here: not which, and nothing of its address.
            "model": choice == nil ? "built-in" : choice.map { $0.host.place == .thisMachine ? "local" : "remote" },
            "hasKey": .bool(choice?.keyNames.contains { secrets.keyAtHand($0) != nil } ?? false),
            "ownTools": .int(Files.names(in: wiring.folders.config + "/tools").count),
            "ownPolicy": .bool(Files.exists(wiring.folders.config + "/policy.yaml")),
        ])
    }

    /// Lines of the log as far as their first two words and the code: the sentences may name files.
    private var log: [UInt8] {
        let lines = Log(folder: wiring.folders.data, now: OpenWorkspace.now).files.reversed().flatMap { file in
            (Files.text(file.path) ?? "").split(separator: "\n").map { line in
                line.split(separator: " ", maxSplits: 4).prefix(4).map(String.init).joined(separator: " ")
            }
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Names of findings are ours, but for those of tools that a person has added.
    private static func word(_ name: String) -> String {
        String(name.prefix { $0.isLetter || $0.isNumber || $0 == " " || $0 == "," }.prefix(80))
    }
}
