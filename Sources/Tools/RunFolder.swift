import Glibc
import JSON
import Vocabulary

/// One attempt's folder: `pid` (who runs), `status` (how it ended, written by bubblewrap), `stdout`, `stderr`, `result` (the ending
/// as reported), and `work`, which alone the child may write.
struct RunFolder: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    var work: String { "\(path)/work" }
    var output: String { "\(path)/stdout" }
    var errors: String { "\(path)/stderr" }
    var status: String { "\(path)/status" }

    func make() throws(Failure) { try makeFolders(work) }

    /// Who runs here. A pid alone is not enough: it may be another's after a while, or after a boot.
    struct Process: Hashable {
        var pid: pid_t
        /// Field 22 of `/proc/PID/stat`: clock ticks since the machine started.
        var startTicks: String
        var boot: String
        /// Milliseconds since 1970 at which its time is over.
        var deadline: Int64
        /// Whether nothing but collecting comes after it: only then can another engine take it over.
        var isLast: Bool
        var logBytes: Int

        var isAlive: Bool { Self.startTicks(of: pid) == startTicks && boot == Self.bootNow }

        static func startTicks(of pid: pid_t) -> String? {
            // The name in parentheses may hold anything, so fields count from the last parenthesis. A zombie has ended.
            guard let text = try? String(decoding: readProc("/proc/\(pid)/stat"), as: UTF8.self), let end = text.lastIndex(of: ")") else {
                return nil
            }
            let fields = text[end...].split(separator: " ")
            guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return nil }
            return String(fields[20])
        }

        static let bootNow = (try? String(decoding: readProc("/proc/sys/kernel/random/boot_id"), as: UTF8.self)) ?? ""
    }

    func write(_ process: Process) throws(Failure) {
        let json = JSON.of([
            "pid": .int(Int(process.pid)), "start": .string(process.startTicks), "boot": .string(process.boot),
            "deadline": .int(Int(process.deadline)), "last": .bool(process.isLast), "logBytes": .int(process.logBytes),
        ])
        try writeWhole(Array(json.text.utf8), to: "\(path)/pid")
    }

    var process: Process? {
        guard let json = readJSON("pid"), let pid = json["pid"]?.int, let ticks = json["start"]?.string, let boot = json["boot"]?.string,
            let deadline = json["deadline"]?.int, let isLast = json["last"]?.bool, let logBytes = json["logBytes"]?.int
        else { return nil }
        return Process(
            pid: pid_t(truncatingIfNeeded: pid), startTicks: ticks, boot: boot, deadline: Int64(deadline), isLast: isLast,
            logBytes: logBytes)
    }

    /// From the lines that bubblewrap wrote: `{ "child-pid": 7 }`, then `{ "exit-code": 0 }`.
    var exitCode: Int? { statusLines.compactMap { $0["exit-code"]?.int }.first }
    /// Whether the program was reached at all.
    var hasStarted: Bool { !statusLines.isEmpty }

    private var statusLines: [JSON] {
        let bytes = (try? readWhole(status, limit: 4096)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONReader.read(Array($0)) }
    }

    func readJSON(_ name: String) -> JSON? {
        guard let bytes = try? readWhole("\(path)/\(name)", limit: 16 << 20) else { return nil }
        return try? JSONReader.read(bytes)
    }

    func write(_ ending: RunEnding) throws(Failure) {
        guard let json = ending.json else { return }
        try writeWhole(Array(json.text.utf8), to: "\(path)/result")
    }

    func ending(of run: RunID) -> RunEnding? { readJSON("result").flatMap { RunEnding($0, run: run) } }

    /// The last line on standard error that says something, without control characters, cut.
    var lastErrorLine: String? {
        guard let file = try? OpenFile(errors, O_RDONLY), let size = try? file.status().st_size else { return nil }
        guard let bytes = try? file.read(4096, at: max(0, Int(size) - 4096)) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = lines.last { !$0.allSatisfy(\.isWhitespace) }
        return line.map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(300)))
        }
    }
}

/// Files of `/proc` have no size.
private func readProc(_ path: String) throws(Failure) -> [UInt8] { try OpenFile(path, O_RDONLY).read(4096) }

extension RunEnding {
    /// `nil` for endings that are not results.
    fileprivate var json: JSON? {
        switch self {
        case .succeeded(let assets): .of(["assets": .array(assets.map(\.json))])
        case .failed(let failure):
            .of([
                "failure": .of([
                    "code": .string(failure.code), "message": .string(failure.message), "remedy": failure.remedy.map { .string($0) },
                    "transient": .bool(failure.isTransient),
                ])
            ])
        case .cancelled, .lost: nil
        }
    }

    fileprivate init?(_ json: JSON, run: RunID) {
        if let assets = json["assets"]?.array {
            let read = assets.compactMap { Asset($0, run: run) }
            guard read.count == assets.count else { return nil }
            self = .succeeded(read)
        } else if let failure = json["failure"], let code = failure["code"]?.string, let message = failure["message"]?.string {
            self = .failed(Failure(code, message, remedy: failure["remedy"]?.string, isTransient: failure["transient"]?.bool ?? false))
        } else {
            return nil
        }
    }
}

extension Asset {
    fileprivate var json: JSON {
        .of([
            "port": .string(port), "type": .string(type.name), "sha256": .string(hash.hex), "bytes": .int(bytes), "name": .string(name),
            "meta": .object(meta),
        ])
    }

    fileprivate init?(_ json: JSON, run: RunID) {
        guard let port = json["port"]?.string, let type = json["type"]?.string, let hash = json["sha256"]?.string,
            let bytes = json["bytes"]?.int,
            let name = json["name"]?.string, let meta = json["meta"]?.object
        else { return nil }
        self.init(run: run, port: port, type: PortType(type), hash: ContentHash(hex: hash), bytes: bytes, name: name, meta: meta)
    }
}
