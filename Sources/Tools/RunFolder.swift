import Glibc
import JSON
import Vocabulary

/// The folder of one attempt, and the files beside it with its name.
///
/// Only the attempt's child may write in the folder, and it is empty again at the end. Beside it, `.result` is the
/// reported ending, and `.intent` the change that is about to be made. If another engine may take over the child, there
/// are `.record` (its process and its exit), `.stdout` and `.stderr`.
struct RunFolder: Sendable {
    let path: String

    init(_ path: String) { self.path = path }

    var output: String { "\(path).stdout" }
    var errors: String { "\(path).stderr" }
    var record: String { "\(path).record" }
    var result: String { "\(path).result" }

    func make(from spares: SpareFolders) throws(Failure) {
        if !spares.take(as: path) { try makeFolders(path) }
    }

    /// The process of an attempt. A pid alone is not enough, since another process may get it later, or after a reboot.
    struct Process: Hashable {
        var pid: pid_t
        /// Field 22 of `/proc/PID/stat`: clock ticks since the machine started.
        var startTicks: String
        var boot: String
        /// The time at which the process is stopped, in milliseconds since 1970.
        var deadline: Int64
        var logBytes: Int
        /// The most processes that may run at once.
        var processes: Int?

        var isAlive: Bool { Self.startTicks(of: pid) == startTicks && boot == Self.bootNow }

        static func startTicks(of pid: pid_t) -> String? {
            // The name in parentheses may hold anything, so fields count from the last parenthesis. A zombie has ended.
            guard let text = try? String(decoding: readProc("/proc/\(pid)/stat"), as: UTF8.self),
                let end = text.lastIndex(of: ")")
            else {
                return nil
            }
            let fields = text[end...].split(separator: " ")
            guard fields.count > 20, fields[1] != "Z", fields[1] != "X" else { return nil }
            return String(fields[20])
        }

        /// A line of the record.
        var json: JSON {
            .of([
                "pid": .int(Int(pid)), "start": .string(startTicks), "boot": .string(boot),
                "deadline": .int(Int(deadline)),
                "logBytes": .int(logBytes), "processes": processes.map { .int($0) },
            ])
        }

        static let bootNow = (try? String(decoding: readProc("/proc/sys/kernel/random/boot_id"), as: UTF8.self)) ?? ""
    }

    var process: Process? {
        for line in TraceFiles(folder: self).recordLines {
            guard let pid = line["pid"]?.int, let ticks = line["start"]?.string, let boot = line["boot"]?.string,
                let deadline = line["deadline"]?.int, let logBytes = line["logBytes"]?.int
            else { continue }
            return Process(
                pid: pid_t(truncatingIfNeeded: pid), startTicks: ticks, boot: boot, deadline: Int64(deadline),
                logBytes: logBytes,
                processes: line["processes"]?.int)
        }
        return nil
    }

    func write(_ ending: RunEnding) throws(Failure) {
        guard let json = ending.json else { return }
        try writeWhole(Array(json.text.utf8), to: result)
    }

    func ending(of run: RunID) -> RunEnding? { readJSON(result).flatMap { RunEnding($0, run: run) } }
}

/// Reads a JSON file. Returns `nil` if it does not exist or is incomplete.
func readJSON(_ path: String) -> JSON? {
    guard let bytes = try? readWhole(path, limit: Limits.noteBytes) else { return nil }
    return try? JSONReader.read(bytes)
}

/// Reads a file of `/proc`, which reports no size.
private func readProc(_ path: String) throws(Failure) -> [UInt8] { try OpenFile(path, O_RDONLY).read(4096) }

extension RunEnding {
    /// The JSON of an ending, or `nil` for endings that are not results.
    fileprivate var json: JSON? {
        switch self {
        case .succeeded(let assets): .of(["assets": .array(assets.map(\.json))])
        case .failed(let failure):
            .of([
                "failure": .of([
                    "code": .string(failure.code.text), "message": .string(failure.message),
                    "remedy": failure.remedy.map { .string($0) },
                    "transient": .bool(failure.isTransient),
                    "left": failure.left.isEmpty ? nil : .array(failure.left.map(\.json)),
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
        } else if let failure = json["failure"], let code = failure["code"]?.string,
            let message = failure["message"]?.string
        {
            var read = Failure(
                FailureCode(code), message, remedy: failure["remedy"]?.string,
                isTransient: failure["transient"]?.bool ?? false)
            read.left = (failure["left"]?.array ?? []).compactMap { Asset($0, run: run) }
            self = .failed(read)
        } else {
            return nil
        }
    }
}

extension Asset {
    fileprivate var json: JSON {
        .of([
            "port": .string(port), "type": .string(type.name), "sha256": .string(hash.hex), "bytes": .int(bytes),
            "name": .string(name),
            "meta": .object(meta),
        ])
    }

    fileprivate init?(_ json: JSON, run: RunID) {
        guard let port = json["port"]?.string, let type = json["type"]?.string, let hash = json["sha256"]?.string,
            let bytes = json["bytes"]?.int,
            let name = json["name"]?.string, let meta = json["meta"]?.object
        else { return nil }
        self.init(
            run: run, port: port, type: PortType(type), hash: ContentHash(hex: hash), bytes: bytes, name: name,
            meta: meta)
    }
}
