import CaseNames
import Glibc
import Harness
import Testing

@testable import Services

struct ServiceUnitTests {
    private static let checker = "/usr/bin/systemd-analyze"

    /// As systemd itself reads it: that the file is there and may be run, and every line is understood.
    @Test(
        .process, .enabled(if: access(checker, X_OK) == 0, "systemd-analyze is not installed"),
        arguments: ["plain", "with space", "100%n", "$HOME", #"a "b""#, #"back\n"#, "it's"])
    func systemdFindsTheProgramWhereverItLies(folder: String) async throws {
        let lab = try ProgramLab()
        let program = "\(lab.folder)/\(folder)/assent"
        try ScratchFolder.makeFolder("\(lab.folder)/\(folder)")
        #expect(link("/bin/true", program) == 0 || symlink("/bin/true", program) == 0)
        let unit = ServiceUnit.text(program: program) { $0 == "ASSENT_HOME" ? "\(lab.folder)/\(folder)" : nil }
        try lab.write(unit, to: "assent-work.service")
        let verdict = try await lab.tool("systemd-analyze", "verify", "--man=no", lab.path("assent-work.service"))
        #expect(verdict.exit == 0 && verdict.errors.isEmpty, "\(verdict.errors)\(unit)")
    }

    /// With those that it has here: else it would carry another person's workflows, or none.
    @Test func itCarriesTheFolders() {
        let folders = [
            "XDG_DATA_HOME": "/d $x", "XDG_CONFIG_HOME": "/c%\"\\\n", "XDG_CACHE_HOME": "relative/is/ignored",
        ]
        let unit = ServiceUnit.text(program: "/a") { folders[$0] }
        let lines = unit.split(separator: "\n").filter { $0.hasPrefix("Environment") }
        #expect(lines == [#"Environment="XDG_CONFIG_HOME=/c%%\"\\\x0a""#, #"Environment="XDG_DATA_HOME=/d $x""#])
        #expect(unit.contains("\nExecStart=\"/a\" work --plain\n") && !unit.contains("{{"))
        #expect(unit.contains("\nSuccessExitStatus=143\n") && !unit.contains("network.target"))
        let own = ServiceUnit.text(program: "/a") { $0 == "ASSENT_HOME" ? "/home/ana/all" : nil }
        #expect(own.contains("\nEnvironment=\"ASSENT_HOME=/home/ana/all\"\n"))
    }

    @Test(.process) func theProgramPrintsItsOwn() async throws {
        let lab = try ProgramLab()
        let unit = try await lab.run("work", "--unit").output
        #expect(
            unit.contains("ExecStart=\"\(ProgramLab.program)\" work --plain")
                && unit.contains("ASSENT_HOME=\(lab.home)\""))
    }
}
