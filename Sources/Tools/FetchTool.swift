import Files
import Glibc
import HTTP
import JSON
import Jobs
import Pictures
import Sandbox
import Vocabulary

/// The tools HTTPFetch and URLLoader. The approval is for one host and port, so a redirect to another host needs
/// another call.
struct FetchTool {
    private static let redirectsLimit = 5

    let context: Builtin.Context

    init(_ context: Builtin.Context) { self.context = context }

    private struct Reply {
        var status: Int
        var type: String
        var address: WebAddress
        var file: String
    }

    func fetch(on bench: Workbench) throws(Failure) -> [Asset] {
        let assignment = context.assignment
        let reply = try send(assignment.text("method") ?? "GET", on: bench)
        let name = Self.name(of: reply)
        var meta = JSON.Object()
        meta["status"] = .int(reply.status)
        meta["contentType"] = .string(reply.type)
        meta["url"] = .string(reply.address.text)
        var assets = try bench.collect("body", from: reply.file, name: name, meta: meta)
        // The other two ports get the body only if it can be read as text or JSON. An edge that needs one of them
        // reports a missing output.
        guard let size = bench.size(of: reply.file), size <= Limits.readFileBytes else { return assets }
        let bytes = try readWhole("\(bench.folder.path)/\(reply.file)", limit: Limits.readFileBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else { return assets }
        assets += try context.text(text, name: name)
        if let json = try? JSONReader.read(bytes) { assets += try context.json(json) }
        return assets
    }

    func load(on bench: Workbench) throws(Failure) -> [Asset] {
        let reply = try send("GET", on: bench)
        var meta = JSON.Object()
        meta["url"] = .string(reply.address.text)
        var assets = try bench.collect("file", from: reply.file, name: Self.name(of: reply), meta: meta)
        for index in assets.indices where assets[index].type == .any {
            if ImageHeader.read("\(bench.folder.path)/\(reply.file)") != nil { assets[index].type = .image }
        }
        return assets
    }

    private func send(_ method: String, on bench: Workbench) throws(Failure) -> Reply {
        let assignment = context.assignment
        var address = try WebAddress(named: try assignment.requiredText("url"))
        let approved = address.hostAndPort
        let file = "body"
        let isRepeatable = method == "GET" || method == "HEAD"
        for _ in 0...Self.redirectsLimit {
            var request = FetchRequest(
                method, address.text, fields: try Self.fields(of: assignment), saveTo: "\(bench.folder.path)/\(file)")
            if let body = assignment.input("body") {
                try context.store.refusePrivate([body], to: approved)
                request.body = try context.store.path(of: body)
            }
            let (status, answered, retryAfter) = try answer(to: request, bench)
            if [301, 302, 303, 307, 308].contains(status), isRepeatable, let location = answered["location"] {
                let next = try address.redirected(to: location)
                guard next.hostAndPort == approved, next.scheme == address.scheme else {
                    throw Failure(
                        .redirected, "\(approved) sends on to \(next.hostAndPort), which was not asked for.",
                        remedy: "Fetch \(next.text) itself.")
                }
                address = next
                continue
            }
            guard status < 400 else {
                throw Failure(
                    .httpStatus, "\(approved) answered with status \(status).",
                    isTransient: isRepeatable && (status == 408 || status == 429 || status >= 500),
                    retryAfterSeconds: retryAfter)
            }
            return Reply(status: status, type: answered["content-type"] ?? "", address: address, file: file)
        }
        throw Failure(.redirected, "\(approved) sends on more than \(Self.redirectsLimit) times.")
    }

    private func answer(to request: FetchRequest, _ bench: Workbench) throws(Failure) -> (
        Int, [String: String], retryAfter: Double?
    ) {
        unlink(request.saveTo)
        // The file exists even if the answer has no body.
        _ = try OpenFile(request.saveTo, O_WRONLY | O_CREAT)
        switch context.toolbox.fetch(request, bench.cancel) {
        case .answered(let status, let fields, let retryAfter):
            return (
                status, Dictionary(fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }, retryAfter
            )
        case .failed(let failure): throw failure
        }
    }

    /// The header fields that only libcurl sets: the host, the end of the body, and fields of the connection (RFC 9110,
    /// 7.2 and 7.6.1, and RFC 9112, 6). If a caller set them, the request could become another one than was approved.
    private static let ownFields: Set = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect",
    ]

    /// Returns the header fields of a request.
    ///
    /// - Throws: `badParam` for characters that no header field may have, and for fields that a caller may not set.
    static func fields(of assignment: Assignment) throws(Failure) -> [FetchRequest.Field] {
        var fields: [FetchRequest.Field] = []
        for member in assignment.params["headers"]?.object?.members ?? [] {
            let value = member.value.string ?? member.value.text
            guard member.key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }),
                !member.key.isEmpty,
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw Failure(.badParam, "A header field has characters that no header field may have.") }
            let name = member.key.lowercased()
            guard !ownFields.contains(name), !name.hasPrefix("proxy-") else {
                throw Failure(
                    .badParam,
                    "The header field \(member.key) cannot be set: it says where a request goes or where it ends.")
            }
            fields.append(FetchRequest.Field(member.key, value))
        }
        return fields
    }

    private static func name(of reply: Reply) -> String {
        let name = reply.address.fileName
        guard stemAndSuffix(name).suffix.isEmpty else { return name }
        let kinds = [
            "application/json": ".json", "text/html": ".html", "text/plain": ".txt", "image/jpeg": ".jpg",
            "image/png": ".png",
        ]
        return name + (kinds[String(reply.type.prefix { $0 != ";" }).lowercased()] ?? "")
    }
}

extension WebAddress {
    /// The last part of the path, as the name of a download.
    fileprivate var fileName: String {
        let plain = path.prefix { $0 != "?" }
        return safeName(plain.split(separator: "/").last.map { String($0) } ?? host)
    }
}
