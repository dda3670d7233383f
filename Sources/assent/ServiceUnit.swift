import Embedded

extension Folders {
    /// A systemd user unit that runs `assent work` of this very program, with the same folders.
    func serviceUnit() -> String {
        let program = Self.real("/proc/self/exe") ?? "assent"
        let home = Self.environment("ASSENT_HOME").map { "Environment=\"ASSENT_HOME=\(Self.real($0) ?? $0)\"" }
        return Embedded.text(at: "Config/systemd/assent-work.service")!
            .replacing("{{program}}", with: Self.escaped(program))
            .replacing("{{environment}}\n", with: home.map { Self.escaped($0) + "\n" } ?? "")
    }

    /// `%` begins a specifier in units.
    private static func escaped(_ text: String) -> String { text.replacing("%", with: "%%") }
}
