/// A real litellm proxy before a server of models on 127.0.0.1. It knows its models' prices from its own package and
/// sends nothing anywhere.
package final class LitellmProxy: Sendable {
    /// The key that the proxy expects as `Authorization: Bearer …`.
    package static let key = "sk-" + "peer-0123456789abcdef"
    /// The name of its model. Messages are asked of its upstream as Chat Completions, Responses as they are.
    package static let model = "scripted"
    /// The name of a second model. The proxy asks its upstream for Responses as Chat Completions, too.
    package static let bridgedModel = "bridged"

    private let server: KeptServer

    /// Starts a proxy.
    ///
    /// - Parameter upstream: the base of an OpenAI-compatible server's addresses, such as `http://127.0.0.1:9/v1`.
    package static func start(upstream: String) async throws -> LitellmProxy {
        try await onOwnThread { try LitellmProxy(upstream) }
    }

    private init(_ upstream: String) throws {
        server = try KeptServer(
            "litellm",
            environment: [
                // Else it fetches its list of prices when it starts.
                "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False", "DISABLE_ADMIN_UI": "True",
                "NO_DOCS": "True",
            ], ready: ["/health/liveliness"]
        ) { port, folder in
            try ScratchFolder.write(
                """
                model_list:
                  - model_name: \(Self.model)
                    litellm_params: {model: hosted_vllm/scripted-1, api_base: "\(upstream)", api_key: upstream-key}
                  - model_name: \(Self.bridgedModel)
                    litellm_params: {model: deepseek/scripted-1, api_base: "\(upstream)", api_key: upstream-key}
                litellm_settings: {telemetry: false, num_retries: 0}
                general_settings: {master_key: \(Self.key)}
                """, to: folder + "/config.yaml")
            return [
                "litellm", "--config", folder + "/config.yaml", "--host", "127.0.0.1", "--port", "\(port)",
                "--telemetry", "False",
            ]
        }
    }

    /// `http://127.0.0.1:PORT`
    package var url: String { "http://127.0.0.1:\(server.port)" }

    /// Ends the proxy, and blocks until all its processes have ended. May be called twice.
    package func end() { server.end() }
}
