import CaseNames
@testable import Sandbox
import Testing
@testable import Tools
import Vocabulary

/// The programs that a command names, and the complaints of programs about what they miss.
@Suite struct UnseenProgramsTests {
    /// Every program of the system is one of the user's, too, in a folder that is not allowed.
    private var unseen: UnseenPrograms {
        var programs = PersonalPrograms()
        programs.searchFolders = [.init(path: "/usr/bin", isShown: false, allowedBy: "/usr/bin")]
        return UnseenPrograms(programs: programs, workspace: "/nowhere")
    }

    @Test(arguments: [
        ("env", ["env"]), ("env VAR=x sort a", ["env", "sort"]), ("A=1 B=2 sort", ["sort"]),
        ("sort | uniq", ["sort", "uniq"]),
        ("sort && uniq; wc", ["sort", "uniq", "wc"]), ("echo $(sort a)", ["sort", "echo"]), ("'sort' a", ["sort"]),
        ("if sort; then uniq; fi", ["sort", "uniq"]), ("! sort", ["sort"]), ("nice -n 5 sort", ["nice"]),
        ("echo sort", ["echo"]), ("# sort", []), ("no-such-program-at-all", []), ("", []), ("sort=1", []),
        ("sort; sort", ["sort"]), ("a/b", []),
    ]) func theProgramsOfACommandAreFound(command: String, names: [String]) {
        #expect(unseen.named(in: command).map(\.name) == names)
    }

    @Test func theListIsBounded() {
        let names = ["sort", "uniq", "wc", "head", "tail", "cut", "tr", "env", "ls", "cat", "cp", "mv"]
        #expect(unseen.named(in: names.joined(separator: "; ")).count == 8)
    }

    @Test(arguments: [
        ("sh: 1: sort: not found", true), ("bash: line 1: sort: command not found", true),
        ("env: ‘sort’: No such file or directory", true), ("make: sort: No such file or directory", true),
        ("exec: \"sort\": executable file not found in $PATH", true), ("Error: spawn sort ENOENT", true),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'sort'", true), ("sort: cannot read", false),
        ("cat: sort: No such file or directory", false),
        ("", false),
    ]) func aMissedProgramIsFoundInAComplaint(line: String, isFound: Bool) {
        #expect(UnseenPrograms.candidates(in: line).contains("sort") == isFound)
    }

    @Test(arguments: [
        ("curl: (6) Could not resolve host: example.org", true),
        ("ssh: Could not resolve hostname x: Name or service not known", true),
        ("wget: unable to resolve host address ‘example.org’", true),
        ("getaddrinfo EAI_AGAIN registry.npmjs.org", true),
        ("dial tcp: lookup proxy.golang.org: no such host", true), ("Temporary failure in name resolution", true),
        ("error: failed to lookup address information", true), ("lookup table is empty", false), ("not found", false),
        ("", false),
    ]) func aNameThatCannotBeLookedUpIsNoticed(line: String, isFound: Bool) {
        #expect((UnknownHosts.words(for: line, namesHosts: false) != nil) == isFound)
        #expect(UnknownHosts.words(for: line, namesHosts: true)?.contains("proxy") ?? false == isFound)
    }
}
