package import JSON

extension ProviderManifest {
    /// A request by its parts, all of which may have blanks.
    package struct Request: Hashable, Sendable {
        package enum Body: Hashable, Sendable {
            case none
            case json(JSON)
            /// `application/x-www-form-urlencoded`
            case form(JSON.Object)
            /// A body of `multipart/form-data`. A member that consists of one `{port.file}` of the tool is sent as a
            /// file.
            case multipart(JSON.Object)
            /// A text, or the bytes of one file.
            case raw(String)
        }

        package struct Capture: Hashable, Sendable {
            package var name: String
            package var source: Source
            /// The pattern for the part to capture: its first group, or the whole match if there is no group.
            package var pattern: String?

            package init(_ name: String, _ source: Source, pattern: String? = nil) {
                self.name = name
                self.source = source
                self.pattern = pattern
            }
        }

        package var method: String
        package var url: String
        /// The address that is used if the provider has named none, for jobs of which only the id is known.
        package var fallback: String?
        package var headers: JSON.Object
        package var query: JSON.Object
        package var body: Body
        /// The statuses of a successful answer. The default is 200 to 204.
        package var ok: [Int]
        package var captures: [Capture]
        /// Whether the final answer is stored for outputs `from: kept`. This serves providers that return a result only
        /// once.
        package var keepsAnswer: Bool
        /// The time limit in seconds instead of `timeouts.request`, for requests that wait at the provider.
        package var timeoutSeconds: Double?
        /// Whether the key is sent with the request.
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

        /// The parts of the request that are filled in, without the address.
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

    /// The source of a text: a path such as `$.error.message`, a header such as `header:X-Error`, or fixed words.
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

    /// A rule that derives the state of a job from an answer.
    package struct StateRule: Hashable, Sendable {
        package enum Target: String, Hashable, Sendable, CaseIterable {
            case queuedRemote, runningRemote, downloading, cancelled, failed
        }

        package var condition: Condition?
        /// The statuses for which the rule holds. An empty list stands for the statuses in the request's `ok`.
        package var statuses: [Int]
        package var target: Target
        package var code: Source?
        package var message: Source?
        /// The number of such answers in a row after which the state counts. 1 means at once.
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
        /// The last match of a pattern in the text. The first group of the pattern is the number.
        case pattern(String, in: LogSource, scale: Double)
        case ratio(done: JobPath, total: JobPath)
    }

    package enum LogSource: Hashable, Sendable {
        /// The text that the `logs` section reads.
        case logs
        case path(JobPath)
    }

    package struct Logs: Hashable, Sendable {
        package enum Mode: String, Hashable, Sendable, CaseIterable {
            /// The whole log every time.
            case whole
            /// The lines since the last request.
            case append
            /// A list of entries. `text` is the path of the words in an entry.
            case list
        }

        /// The request that fetches the log, or `nil` if the log is in the status.
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

    /// An output of a job.
    package struct Output: Hashable, Sendable {
        package enum Origin: Hashable, Sendable {
            case status, result, logs
            /// The answer that was stored by `Request.keepsAnswer`.
            case kept
            /// A text of ours, with blanks.
            case template(String)
        }

        package enum Form: String, Hashable, Sendable, CaseIterable {
            /// The value as JSON.
            case json
            /// Texts, joined.
            case text
            /// An address to fetch. A `data:` URL is decoded directly.
            case url
            case dataUrl, base64
            /// The bytes that the request `download` returns for each item, or the body of the answer itself if there
            /// is no such request.
            case bytes
            /// A file in the workspace, only for providers on this machine.
            case file
        }

        package var port: String
        package var type: PortType
        package var origin: Origin
        package var path: JobPath?
        /// A pattern for the log. Its first group in the last matching line is the value, of at most
        /// `Limits.patternOutputBytes`.
        package var pattern: String?
        package var form: Form
        package var isMany: Bool
        package var download: String?
        /// Whether the key is sent when an address is fetched.
        package var isSigned: Bool
        /// The path of an item's name, such as `$.filename`.
        package var name: JobPath?
        /// The line of the output in the manifest.
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
        /// The answers by which the provider says that there was nothing left to cancel.
        package var noop: [Condition]
        /// The statuses by which the provider says that it cannot cancel.
        package var unsupported: [Int]

        package init(request: String, isImmediate: Bool = false, noop: [Condition] = [], unsupported: [Int] = []) {
            self.request = request
            self.isImmediate = isImmediate
            self.noop = noop
            self.unsupported = unsupported
        }
    }

    package struct Errors: Hashable, Sendable {
        /// The sources of the message. The first that exists is used.
        package var message: [Source] = []
        package var code: [Source] = []
        /// The statuses that may change after a while. Other errors are permanent.
        package var transient: [Int] = [408, 425, 429, 500, 502, 503, 504]
        package var permanent: [Int] = []
        package var retryAfterHeader: String?
        /// A pattern whose first group is the number of seconds to wait.
        package var retryAfterPattern: String?
        /// The advice to the user, by a status or an error code of the provider.
        package var hints: [String: String] = [:]

        package init() {}
    }

    /// The description of a webhook, which is not used yet. A webhook would only be a reason to ask earlier, never a
    /// state.
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

    /// A recorded exchange with the provider and its expected outcome, by which a manifest is tested without a network.
    package struct Fixture: Hashable, Sendable {
        package struct Exchange: Hashable, Sendable {
            package var request: String
            package var status: Int
            package var headers: JSON.Object
            /// The body of the answer. A text is sent as it is, and any other value as JSON.
            package var body: JSON
            /// The expected parts of the request: `method`, `url`, `headers`, `json`, `form`.
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
        /// The expected outcome: `answer` or `state` of the last exchange, and any of `code`, `message`, `progress`,
        /// `queuePosition`, `transient`, `retryAfter`, `captured`, `logTail`, `items`.
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
