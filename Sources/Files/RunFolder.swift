import Glibc
import JSON
package import Vocabulary

/// The folder of one attempt, and the files beside it with its name.
///
/// Only the attempt's child may write in the folder, and it is empty again at the end. Beside it, `.result` is the
/// reported ending, and `.intent` the change that is about to be made. If another engine may take over the child, there
/// are `.record` (its process and its exit), `.stdout` and `.stderr`.
package struct RunFolder: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var output: String { "\(path).stdout" }
    package var errors: String { "\(path).stderr" }
    package var record: String { "\(path).record" }
    var result: String { "\(path).result" }

    package func make(from spares: SpareFolders) throws(Failure) {
        if !spares.take(as: path) { try makeFolders(path) }
    }

    package func write(_ ending: RunEnding) throws(Failure) {
        guard let json = ending.json else { return }
        try writeWhole(Array(json.text.utf8), to: result)
    }

    package func ending(of run: RunID) -> RunEnding? { readJSON(result).flatMap { RunEnding($0, run: run) } }
}

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

extension RunFolder {
    package func write(_ intent: FileIntent) throws(Failure) {
        var before: JSON?
        if case .file(let device, let inode, let size, let modified, _) = intent.before {
            before = .array([String(device), String(inode), String(size), String(modified)].map { .string($0) })
        }
        let json = JSON.of([
            "path": .string(intent.path), "device": .string(String(intent.device)),
            "inode": .string(String(intent.inode)),
            "hidden": intent.hidden.map { .string($0) }, "before": before, "source": intent.source.map { .string($0) },
        ])
        try writeWhole(Array(json.text.utf8), to: "\(path).intent")
    }

    package var intent: FileIntent? {
        guard let json = readJSON("\(path).intent"), let path = json["path"]?.string,
            let device = json["device"]?.string.flatMap({ UInt64($0) }),
            let inode = json["inode"]?.string.flatMap({ UInt64($0) })
        else { return nil }
        var intent = FileIntent(
            path: path, device: device, inode: inode, hidden: json["hidden"]?.string, source: json["source"]?.string)
        let before = (json["before"]?.array ?? []).compactMap(\.string)
        if before.count == 4, let device = UInt64(before[0]), let inode = UInt64(before[1]),
            let size = Int64(before[2]),
            let modified = Int64(before[3])
        {
            intent.before = .file(device: device, inode: inode, size: size, modifiedNanoseconds: modified, hash: nil)
        }
        return intent
    }
}
