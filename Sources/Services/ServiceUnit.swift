import Embedded

/// A systemd user unit that runs `assent work`, with the same folders as this process.
package enum ServiceUnit {
    /// The variables of the environment that name the folders, which a unit must set as they are now.
    private static let folders = ["ASSENT_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]

    /// Returns the text of the unit for the running program.
    package static func ofThisProgram() -> String {
        text(program: Folders.real("/proc/self/exe") ?? "assent", environment: Folders.environment)
    }

    static func text(program: String, environment: (String) -> String?) -> String {
        let lines = folders.compactMap { name -> String? in
            guard let folder = environment(name), !folder.isEmpty else { return nil }
            // A relative XDG path is ignored here (`Folders`), and so it is in the unit. ASSENT_HOME is resolved as of
            // now.
            guard name == "ASSENT_HOME" || folder.hasPrefix("/") else { return nil }
            return "Environment=\(quoted("\(name)=\(Folders.real(folder) ?? folder)"))\n"
        }
        return Embedded.text(at: "Config/systemd/assent-work.service")!
            .replacing("{{command}}", with: command(program)).replacing("{{environment}}\n", with: lines.joined())
    }

    /// Returns the program as the first word of `ExecStart`. systemd does not expand `$` in that word, and refuses
    /// quotes and backslashes there. A name with those is started by `env`.
    private static func command(_ program: String) -> String {
        let isPlain = program.unicodeScalars.allSatisfy {
            $0.value >= 32 && $0.value != 127 && !"\"'\\".unicodeScalars.contains($0)
        }
        return isPlain ? quoted(program) : "/usr/bin/env " + quoted(program).replacing("$", with: "$$")
    }

    /// Returns a text in quotes. `%` is doubled, since it begins a specifier even within quotes.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": quoted += "%%"
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 32 || scalar.value == 127:
                quoted += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            case _: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
