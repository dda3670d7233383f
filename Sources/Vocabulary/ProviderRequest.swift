package import JSON

extension ProviderManifest {
    /// One request by its parts, all with blanks.
    package struct Request: Hashable, Sendable {
        package enum Body: Hashable, Sendable {
            case none
            case json(JSON)
            /// `application/x-www-form-urlencoded`
            case form(JSON.Object)
            /// `multipart/form-data`; a member that is one `{port.file}` of the tool goes as a file.
            case multipart(JSON.Object)
            /// A text, or the bytes of one file.
            case raw(String)
        }

        package struct Capture: Hashable, Sendable {
            package var name: String
            package var source: Source
            /// The part of what stands there: the first group, or all that matches.
            package var pattern: String?

            package init(_ name: String, _ source: Source, pattern: String? = nil) {
                self.name = name
                self.source = source
                self.pattern = pattern
            }
        }

        package var method: String
        package var url: String
        /// The address to ask where the provider has named none: for jobs of which only the id is known.
        package var fallback: String?
        package var headers: JSON.Object
        package var query: JSON.Object
        package var body: Body
        /// The statuses of an answer that is one. Unless it is said: 200 to 204.
        package var ok: [Int]
        package var captures: [Capture]
        /// Whether the answer that says that the job is done is kept for `from: kept`: for providers that give a result
        /// once.
        package var keepsAnswer: Bool
        /// Instead of `timeouts.request`, for requests that wait.
        package var timeoutSeconds: Double?
        /// Whether the key goes along.
        package var isSigned: Bool

        package init(method: String, url: String) {
            self.method = method
            self.url = url
            headers = JSON.Object()
            query = JSON.Object()
            body = .none
            ok = Array(200...204)
            captures = []
            keepsAnswer = false
            isSigned = true
        }

        /// All that is filled in besides the address.
        package var values: [JSON] {
            let rest: [JSON] = [.object(headers), .object(query)]
            switch body {
            case .none: return rest
            case .json(let json): return rest + [json]
            case .form(let object), .multipart(let object): return rest + [.object(object)]
            case .raw(let text): return rest + [.string(text)]
            }
        }
    }

    /// Where a word comes from: `$.error.message`, `header:X-Error`, or itself.
    package enum Source: Hashable, Sendable, CustomStringConvertible {
        case path(JobPath)
        case header(String)
        case words(String)

        package var description: String {
            switch self {
            case .path(let path): path.description
            case .header(let name): "header:\(name)"
            case .words(let words): words
            }
        }
    }

    package indirect enum Condition: Hashable, Sendable {
        case among(JobPath, [JSON])
        case exists(JobPath, Bool)
        case matches(JobPath, String)
        case all([Condition])
        case any([Condition])
    }

    /// If the answer is like this, the job is there.
    package struct StateRule: Hashable, Sendable {
        package enum Target: String, Hashable, Sendable, CaseIterable {
            case queuedRemote, runningRemote, downloading, cancelled, failed
        }

        package var condition: Condition?
        /// The answer's status must be one of these; empty: one of the request's `ok`.
        package var statuses: [Int]
        package var target: Target
        package var code: Source?
        package var message: Source?
        /// So many answers in a row, or it does not count. 1: at once.
        package var after: Int

        package init(_ condition: Condition? = nil, statuses: [Int] = [], to target: Target) {
            self.condition = condition
            self.statuses = statuses
            self.target = target
            after = 1
        }
    }

    package enum Progress: Hashable, Sendable {
        case path(JobPath, scale: Double)
        /// The last match in the text; its first group is the number.
        case pattern(String, in: LogSource, scale: Double)
        case ratio(done: JobPath, total: JobPath)
    }

    package enum LogSource: Hashable, Sendable {
        /// What `logs` says.
        case logs
        case path(JobPath)
    }

    package struct Logs: Hashable, Sendable {
        package enum Mode: String, Hashable, Sendable, CaseIterable {
            /// The whole log every time.
            case whole
            /// What came since.
            case append
            /// A list of entries; `text` says where in one the words are.
            case list
        }

        /// The request that brings it; `nil`: it is in the status.
        package var request: String?
        package var path: JobPath
        package var mode: Mode
        package var text: JobPath?

        package init(request: String?, path: JobPath, mode: Mode, text: JobPath?) {
            self.request = request
            self.path = path
            self.mode = mode
            self.text = text
        }
    }

    /// What comes out.
    package struct Output: Hashable, Sendable {
        package enum Origin: Hashable, Sendable {
            case status, result, logs
            /// The answer that was kept (`Request.keepsAnswer`).
            case kept
            /// A text of ours, with blanks.
            case template(String)
        }

        package enum Form: String, Hashable, Sendable, CaseIterable {
            /// The value as JSON.
            case json
            /// Texts, joined.
            case text
            /// An address to fetch; a `data:` URL is taken as it is.
            case url
            case dataUrl, base64
            /// The body of `download` for each item; without it, the body of the answer itself.
            case bytes
            /// A file of this machine's workspace; only for providers on this machine.
            case file
        }

        package var port: String
        package var type: PortType
        package var origin: Origin
        package var path: JobPath?
        /// Of `logs`: the last line that matches; its first group is the value, of `Limits.patternOutputBytes` at most.
        package var pattern: String?
        package var form: Form
        package var isMany: Bool
        package var download: String?
        /// Whether the key goes along when an address is fetched.
        package var isSigned: Bool
        /// Where the name of an item is, such as `$.filename`.
        package var name: JobPath?
        /// The line of the manifest in which it stands.
        package var line = 1

        package init(port: String, type: PortType, origin: Origin, form: Form) {
            self.port = port
            self.type = type
            self.origin = origin
            self.form = form
            isMany = false
            isSigned = false
        }
    }

    package struct Cancel: Hashable, Sendable {
        package var request: String
        package var isImmediate: Bool
        /// The answers by which the provider says that there was nothing to cancel any more.
        package var noop: [Condition]
        /// Statuses that say that it cannot.
        package var unsupported: [Int]

        package init(request: String, isImmediate: Bool = false, noop: [Condition] = [], unsupported: [Int] = []) {
            self.request = request
            self.isImmediate = isImmediate
            self.noop = noop
            self.unsupported = unsupported
        }
    }

    package struct Errors: Hashable, Sendable {
        /// The first that is there.
        package var message: [Source] = []
        package var code: [Source] = []
        /// Statuses that may be others later; the rest are for good.
        package var transient: [Int] = [408, 425, 429, 500, 502, 503, 504]
        package var permanent: [Int] = []
        package var retryAfterHeader: String?
        /// Its first group is a number of seconds.
        package var retryAfterPattern: String?
        /// A status or a code of the provider → what to do.
        package var hints: [String: String] = [:]

        package init() {}
    }

    /// Kept for later: a webhook would only be a reason to look sooner, never a state.
    package struct Webhook: Hashable, Sendable {
        package enum Verify: String, Hashable, Sendable, CaseIterable {
            case none
            case standardWebhooks = "standard-webhooks"
            case ed25519 = "ed25519-jwks"
        }

        package var param: String
        package var verify: Verify

        package init(param: String, verify: Verify) {
            self.param = param
            self.verify = verify
        }
    }

    /// A conversation with the provider, and what must come of it: a manifest proves itself without a network.
    package struct Fixture: Hashable, Sendable {
        package struct Exchange: Hashable, Sendable {
            package var request: String
            package var status: Int
            package var headers: JSON.Object
            /// A text goes as it is, anything else as JSON.
            package var body: JSON
            /// What must have been sent: `method`, `url`, `headers`, `json`, `form`.
            package var sends: JSON.Object

            package init(request: String, status: Int, headers: JSON.Object, body: JSON, sends: JSON.Object) {
                self.request = request
                self.status = status
                self.headers = headers
                self.body = body
                self.sends = sends
            }
        }

        package var name: String
        package var line: Int
        package var with: JSON.Object
        package var exchange: [Exchange]
        /// `answer` or `state` of the last exchange, and any of `code`, `message`, `progress`, `queuePosition`,
        /// `transient`, `retryAfter`, `captured`, `logTail`, `items`.
        package var expect: JSON.Object

        package init(name: String, line: Int, with: JSON.Object, exchange: [Exchange], expect: JSON.Object) {
            self.name = name
            self.line = line
            self.with = with
            self.exchange = exchange
            self.expect = expect
        }
    }
}
