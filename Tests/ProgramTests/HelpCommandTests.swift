import CaseNames
import Harness
import Testing

/// Help, the version and the completion of the shell.
@Suite(.process) struct HelpCommandTests {
    @Test(arguments: [["show", "--help"], ["help", "show"]]) func helpHasExamples(arguments: [String]) async throws {
        let help = try await ProgramLab().run(arguments)
        #expect(help.exit == 0 && help.errors.isEmpty)
        #expect(
            help.output.contains("\n  assent show w3 2\n") && help.output.contains("USAGE: assent show"),
            "\(help.output)")
    }

    @Test func helpOfTheProgramNamesTheVerbsInSixGroups() async throws {
        let help = try await ProgramLab().run("--help")
        #expect(help.exit == 0 && help.output.matches(of: /\n[A-Z ]+ SUBCOMMANDS:\n/).count == 6, "\(help.output)")
        for verb in ["ask", "show", "rerun", "inbox", "undo", "doctor"] {
            #expect(help.output.contains("\n  \(verb) "), "\(verb)")
        }
        let version = try await ProgramLab().run("--version")
        #expect(
            version.exit == 0 && version.output.wholeMatch(of: /assent \d+\.\d+\.\d+\n/) != nil, "\(version.output)")
    }

    @Test(arguments: [["shwo", "w3"], ["help", "shwo"]]) func aMistypedVerbNamesTheNearest(arguments: [String])
        async throws
    {
        let ending = try await ProgramLab().run(arguments)
        #expect(ending.exit == 2 && ending.errors.contains("Did you mean 'assent show'?"), "\(ending.errors)")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func theShellCompletesListedVerbs(shell: String) async throws {
        let script = try await ProgramLab().run("--generate-completion-script", shell)
        #expect(
            script.exit == 0 && script.output.contains("unarchive") && !script.output.contains("pause"),
            "\(script.errors)")
    }
}
