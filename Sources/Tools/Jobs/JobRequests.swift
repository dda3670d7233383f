import HTTP
import JSON
import Vocabulary

/// A request with its blanks filled in, and without the key: that is added for each hop, where it may go
/// (`ProviderManifest.sign`).
struct RenderedRequest: Hashable {
    var method: String
    var url: String
    var headers: HTTPHeaders
    var body: [UInt8]
    var isSigned: Bool
}

/// What the blanks of a provider's requests stand for, for one job.
struct JobBlanks {
    let provider: ProviderManifest
    let job: JobRecord
    let workspace: String
    /// What the tool says.
    let said: (String) throws(Failure) -> JobValue?
    /// In requests for one thing of many.
    var item: JSON?

    /// Our own words first, then the tool's, then the provider's; what a server said never takes the place of what we
    /// said.
    func value(of hole: Blanks.Hole) throws(Failure) -> JobValue? {
        switch hole.name {
        case "jobKey": return .json(.string(hole.parts == ["uuid"] ? job.uuid : job.key))
        case "engineId": return "assent"
        case "workspace": return .json(.string(workspace))
        case "deadlineSeconds": return .json(.int(Int(provider.timeouts.queued + provider.timeouts.running)))
        case "item": return item.flatMap { Self.part(hole.parts, of: $0) }
        default: break
        }
        if let value = try said(hole.name) {
            guard case .json(let json) = value, !hole.parts.isEmpty else { return value }
            return Self.part(hole.parts, of: json)
        }
        return (job.captured[hole.name] ?? provider.variables[hole.name]).flatMap { Self.part(hole.parts, of: $0) }
    }

    private static func part(_ parts: [String], of json: JSON) -> JobValue? {
        var found = json
        for part in parts {
            guard let member = found[part] else { return nil }
            found = member
        }
        return found.isNull ? nil : .json(found)
    }

    /// Our id for the job as the provider knows it.
    var ownID: String? {
        provider.idempotency.id.flatMap { Blanks($0) }.flatMap { blanks in
            try? filled(blanks) { (hole) throws(Failure) in try value(of: hole) }
        }
    }

    // MARK: Requests

    /// - Throws: `missingValue`, `badManifest`, `badParam`, `tooLarge`.
    func render(_ name: String, read: (Asset) throws(Failure) -> [UInt8]) throws(Failure) -> RenderedRequest {
        guard let request = provider.requests[name] else {
            throw Failure("badManifest", "\(provider.title) has no request \"\(name)\".")
        }
        var rendered = RenderedRequest(
            method: request.method, url: try address(request), headers: HTTPHeaders(), body: [],
            isSigned: request.isSigned)
        for member in request.headers.members {
            guard let text = try text(member.value) else { continue }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Failure(
                    "badParam", "The header field \(member.key) would have characters that no header field may have.")
            }
            rendered.headers[member.key] = text
        }
        try fill(&rendered, with: request.body, read)
        guard rendered.body.count <= Limits.submitBytes else {
            throw Failure(
                "tooLarge",
                "The request would have \(rendered.body.count) bytes; at most \(Limits.submitBytes) are sent.")
        }
        return rendered
    }

    /// A member's value as text; `nil` if it is left out.
    private func text(_ json: JSON) throws(Failure) -> String? {
        try filled(json) { (hole) throws(Failure) in try value(of: hole) }.map { json in
            JobValue.json(json).text ?? json.text
        }
    }

    private func address(_ request: ProviderManifest.Request) throws(Failure) -> String {
        guard let fallback = request.fallback else { return try address(request.url, request) }
        do throws(Failure) { return try address(request.url, request) } catch {
            guard error.code == "missingValue" else { throw error }
        }
        return try address(fallback, request)
    }

    private func address(_ written: String, _ request: ProviderManifest.Request) throws(Failure) -> String {
        guard let blanks = Blanks(written) else {
            throw Failure("badManifest", "An address has a brace without its partner.")
        }
        var url = if let only = blanks.only { try required(only) } else { try path(blanks) }
        var query: [String] = []
        for member in request.query.members {
            if let text = try text(member.value) { query.append("\(Self.escaped(member.key))=\(Self.escaped(text))") }
        }
        if !query.isEmpty { url += (url.contains("?") ? "&" : "?") + query.joined(separator: "&") }
        return url
    }

    private func required(_ hole: Blanks.Hole) throws(Failure) -> String {
        guard let text = try first(of: hole, { (choice) throws(Failure) in try value(of: choice) })?.text else {
            throw Failure("missingValue", "The address needs \"\(hole)\", and there is none.")
        }
        return text
    }

    /// Up to the first slash the host as it is, then the path with each value escaped. Whether the whole may be asked
    /// is looked at when it is sent; here only that no value climbs to another path.
    private func path(_ blanks: Blanks) throws(Failure) -> String {
        var url = ""
        for piece in blanks.pieces {
            switch piece {
            case .text(let text): url += text
            case .hole(let hole):
                let text = try required(hole)
                let isHost = url.hasSuffix("://")
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                guard isHost || !parts.contains(where: { $0 == "." || $0 == ".." }), text.utf8.count <= 4096 else {
                    throw Failure("badParam", "\"\(hole)\" is nothing that can stand in an address.")
                }
                let keepsSlashes = job.captured[hole.name] == nil
                url += isHost ? text : Self.escaped(text, keeping: keepsSlashes ? "/:@," : ":@,")
            }
        }
        return url
    }

    static func escaped(_ text: String, keeping more: String = "") -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~\(more)".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                escaped.append(byte)
            } else {
                escaped += Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    // MARK: Bodies

    private func fill(
        _ rendered: inout RenderedRequest, with body: ProviderManifest.Request.Body,
        _ read: (Asset) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        func type(_ type: String) {
            if rendered.headers["content-type"] == nil { rendered.headers["content-type"] = type }
        }
        switch body {
        case .none: break
        case .json(let json):
            type("application/json")
            rendered.body = Array(
                (try filled(json) { (hole) throws(Failure) in try value(of: hole) } ?? .object(JSON.Object())).text.utf8
            )
        case .form(let object):
            type("application/x-www-form-urlencoded")
            var fields: [String] = []
            for member in object.members {
                if let text = try text(member.value) {
                    fields.append("\(Self.escaped(member.key))=\(Self.escaped(text))")
                }
            }
            rendered.body = Array(fields.joined(separator: "&").utf8)
        case .multipart(let object):
            let boundary = "assent-\(job.uuid)"
            rendered.headers["content-type"] = "multipart/form-data; boundary=\(boundary)"
            for member in object.members { try add(member, to: &rendered.body, boundary, read) }
            rendered.body += Array("--\(boundary)--\r\n".utf8)
        case .raw(let text):
            if let hole = Blanks(text)?.only, case .file(let asset)? = try value(of: hole) {
                rendered.body = try read(asset)
                type(mimeType(of: asset, bytes: rendered.body))
            } else {
                type("text/plain; charset=utf-8")
                rendered.body = Array((try self.text(.string(text)) ?? "").utf8)
            }
        }
    }

    private func add(
        _ member: JSON.Object.Member, to body: inout [UInt8], _ boundary: String,
        _ read: (Asset) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        var head = "--\(boundary)\r\ncontent-disposition: form-data; name=\"\(Self.quoted(member.key))\""
        let content: [UInt8]
        if let hole = member.value.string.flatMap({ Blanks($0)?.only }), case .file(let asset)? = try value(of: hole) {
            content = try read(asset)
            head +=
                "; filename=\"\(Self.quoted(safeName(asset.name)))\"\r\ncontent-type: \(mimeType(of: asset, bytes: content))"
        } else {
            guard let text = try text(member.value) else { return }
            content = Array(text.utf8)
        }
        body += Array("\(head)\r\n\r\n".utf8) + content + [0x0D, 0x0A]
    }

    /// A quote or a line break in a name must not end it.
    private static func quoted(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0 == "\"" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F ? "_" : $0 })
        )
    }
}

extension JobValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .json(.string(value)) }
}

extension JobRecord {
    /// Our name for the job in the form of a UUID (version 8, RFC 9562: the digits are our own).
    var uuid: String {
        var digits = Array(ContentHash.of("assent job \(key)").hex.prefix(32))
        digits[12] = "8"
        digits[16] = "a"
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
