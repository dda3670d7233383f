import Files
import HTTP
package import JSON
package import Vocabulary

/// A request with its blanks filled in, without the key. The key is added for each hop that may get it
/// (`ProviderManifest.sign`).
struct RenderedRequest: Hashable {
    var method: String
    var url: String
    var headers: HTTPHeaders
    var body: [UInt8]
    var isSigned: Bool
}

/// The values for the blanks of a provider's requests, for one job.
package struct JobBlanks {
    let provider: ProviderManifest
    let job: JobRecord
    let workspace: String
    /// Returns the tool's value of a name, or `nil`.
    let said: (String) throws(Failure) -> JobValue?
    /// The item to fetch, in a request for one of several items.
    var item: JSON?

    package init(
        provider: ProviderManifest, job: JobRecord, workspace: String,
        said: @escaping (String) throws(Failure) -> JobValue?, item: JSON? = nil
    ) {
        self.provider = provider
        self.job = job
        self.workspace = workspace
        self.said = said
        self.item = item
    }

    /// Returns the value of a blank. Our own values come first, then the tool's, then the provider's, so that a server
    /// can never replace our values.
    package func value(of hole: Blanks.Hole) throws(Failure) -> JobValue? {
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

    /// The ID that Assent chose for the job, in the form that the provider knows, or `nil` if the manifest has none.
    var ownID: String? {
        provider.idempotency.id.flatMap { Blanks($0) }.flatMap { blanks in
            try? filled(blanks) { (hole) throws(Failure) in try value(of: hole) }
        }
    }

    // MARK: Requests

    /// Fills in the blanks of a request.
    ///
    /// - Parameters:
    ///   - name: the name of the request in the manifest.
    ///   - read: returns the bytes of an input.
    /// - Throws: `missingValue`, `badManifest`, `badParam`, `tooLarge`.
    func render(_ name: String, read: (Asset) throws(Failure) -> [UInt8]) throws(Failure) -> RenderedRequest {
        guard let request = provider.requests[name] else {
            throw Failure(.badManifest, "\(provider.title) has no request \"\(name)\".")
        }
        var rendered = RenderedRequest(
            method: request.method, url: try address(request), headers: HTTPHeaders(), body: [],
            isSigned: request.isSigned)
        for member in request.headers.members {
            guard let text = try text(member.value) else { continue }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Failure(
                    .badParam, "The header field \(member.key) would have characters that no header field may have.")
            }
            rendered.headers[member.key] = text
        }
        try fill(&rendered, with: request.body, read)
        guard rendered.body.count <= Limits.submitBytes else {
            throw Failure(
                .tooLarge,
                "The request would have \(rendered.body.count) bytes; at most \(Limits.submitBytes) are sent.")
        }
        return rendered
    }

    /// Returns the value of a header, query or form member as text, or `nil` if it is left out.
    private func text(_ json: JSON) throws(Failure) -> String? {
        try filled(json) { (hole) throws(Failure) in try value(of: hole) }.map { json in
            JobValue.json(json).text ?? json.text
        }
    }

    private func address(_ request: ProviderManifest.Request) throws(Failure) -> String {
        guard let fallback = request.fallback else { return try address(request.url, request) }
        do throws(Failure) { return try address(request.url, request) } catch {
            guard error.code == .missingValue else { throw error }
        }
        return try address(fallback, request)
    }

    private func address(_ written: String, _ request: ProviderManifest.Request) throws(Failure) -> String {
        guard let blanks = Blanks(written) else {
            throw Failure(.badManifest, "An address has a brace without its partner.")
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
            throw Failure(.missingValue, "The address needs \"\(hole)\", and there is none.")
        }
        return text
    }

    /// Returns an address with its blanks filled in. The host is inserted as it is, and values in the path are escaped
    /// and must not lead to another path. Whether the address is allowed is checked when the request is sent.
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
                    throw Failure(.badParam, "\"\(hole)\" is nothing that can stand in an address.")
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

    /// Replaces quotes, backslashes and control characters, which could end a quoted name.
    private static func quoted(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0 == "\"" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F ? "_" : $0 })
        )
    }
}

extension JobValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .json(.string(value)) }
}

extension JobRecord {
    /// The job's key in the form of a UUID (version 8 of RFC 9562, in which the digits are free to choose).
    var uuid: String {
        var digits = Array(ContentHash.of("assent job \(key)").hex.prefix(32))
        digits[12] = "8"
        digits[16] = "a"
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
