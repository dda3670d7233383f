import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
import Testing
@testable import Tools
import Vocabulary

/// What a shell command sees of the machine, and what it cannot do there.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct ShellSandboxTests {
    private let lab: Lab

    init() throws { lab = try Lab(isInMemory: Rehearsals.isInMemory) }

    /// - Returns: what it said on standard output.
    private func said(_ command: String, bare: Bool = false) async throws -> String {
        try lab.text(
            try #require(try await lab.run("Shell", ["command": .string(command), "bare": .bool(bare)]).first))
    }

    /// Each says "held" unless it got what it must not get.
    @Test(arguments: [
        ("the home", "ls -A ~ | grep -q . || echo held"),
        ("a home by its name", "ls -d /root/* /home/* 2>/dev/null | grep -q . || echo held"),
        ("sockets of services", "find /run /var/run -type s 2>/dev/null | grep -q . || echo held"),
        ("the kernel's files", "test -e /sys/kernel || echo held"),
        ("keys of the machine", "cat /etc/shadow /etc/ssh/* 2>/dev/null | grep -q . || echo held"),
        ("the network", "getent hosts localhost >/dev/null; (echo > /dev/tcp/127.0.0.1/22) 2>/dev/null || echo held"),
        ("interfaces", "test $(grep -c : /proc/net/dev) = 1 && echo held"),
        ("other processes", "test $(ls -d /proc/[0-9]* | wc -l) -lt 10 && echo held"),
        ("another user namespace", "unshare -U true 2>/dev/null || echo held"),
        ("another mount", "mount -t tmpfs none /tmp 2>/dev/null || echo held"),
        ("a device", "mknod dev c 1 3 2>/dev/null || echo held"),
        ("privileges", "grep -q 'CapEff:.0000000000000000' /proc/self/status && echo held"),
        ("setuid programs", "grep -q 'NoNewPrivs:.1' /proc/self/status && echo held"),
        ("a filter of system calls", "grep -q 'Seccomp:.2' /proc/self/status && echo held"),
        ("system folders", "echo x > /usr/x 2>/dev/null || echo held"),
        ("the root", "echo x > /x 2>/dev/null || echo held"),
        ("settings of the kernel", "(cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness) 2>/dev/null || echo held"),
        (
            "what runs when programs crash",
            "(cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern) 2>/dev/null || echo held"
        ),
        ("all of the memory", "(head -c 2G /dev/zero > /tmp/x) 2>/dev/null || echo held"),
        ("devices' folder", "(echo x > /dev/x) 2>/dev/null || echo held"),
        ("a terminal", "(echo x > /dev/tty) 2>/dev/null || echo held"),
    ]) func theSandboxHolds(what: String, command: String) async throws {
        #expect(try await said(command).contains("held"), "\(what): \(command)")
    }

    @Test func ownFoldersAreNotThere() async throws {
        for folder in [lab.own.config, lab.own.data, lab.own.cache] {
            #expect(try await said("ls \(folder) 2>&1 || true").contains("No such file"), "\(folder)")
        }
    }

    @Test func theRulesOfTheWorkspaceAreNeitherReadNorChanged() async throws {
        try lab.write(".assent/policy.yaml", "policy: assent.policy/v1\nrules: []\n")
        #expect(
            try await said(
                "cat .assent/* 2>/dev/null; ls -A .assent; (echo x > .assent/policy.yaml) 2>/dev/null || echo held")
                == "held\n")
        #expect(lab.read(".assent/policy.yaml")?.contains("rules: []") == true)
    }

    @Test func ofTheEnvironmentItGetsNothing() async throws {
        setenv("ASSENT_TEST_SECRET", "sk-hidden", 1)
        let names = try await said(
            "env | cut -d= -f1 | grep -v -e GIT_AUTHOR -e GIT_COMMITTER -e GIT_CONFIG_ | sort | tr '\\n' ' '")
        let git = "GIT_DISCOVERY_ACROSS_FILESYSTEM GIT_OPTIONAL_LOCKS"
        #expect(names == "\(git) HOME LANG PATH PWD PYTHONDONTWRITEBYTECODE TMPDIR ")
        #expect(try await said("cat /proc/*/environ | tr '\\0' '\\n' | grep -c hidden || true") == "0\n")
    }

    /// Who watches over a command on the bare machine is a copy of us (M5).
    @Test func theSupervisorHasNoKeys() async throws {
        // Only what a process was started with stands in its environment for others.
        let key = try #require(environ[0].map { String(cString: $0) }?.split(separator: "=").first.map(String.init))
        #expect(
            try await said("tr '\\0' '\\n' < /proc/$PPID/environ | grep -c '^\(key)=' || true", bare: true) == "0\n")
        #expect(try await said("stat -c %U /proc/$PPID/environ", bare: true) == "root\n")
    }

    /// Whatever came of a command is known for that, until it ends.
    @Test(
        arguments: [
            "prlimit --rttime --noheadings -o HARD", "setsid -w prlimit --rttime --noheadings -o HARD",
            "env -i /usr/bin/prlimit --rttime --noheadings -o HARD",
            "prlimit --rttime=unlimited true 2>/dev/null; prlimit --rttime --noheadings -o HARD",
            "prlimit --pid $PPID --rttime=unlimited 2>/dev/null; prlimit --rttime --noheadings -o HARD",
            "(setsid sh -c 'sleep 0.2; prlimit --rttime --noheadings -o HARD > late' &); until test -s late; do sleep 0.05; done; cat late",
        ], [false, true]) func theMarkStays(command: String, bare: Bool) async throws
    {
        #expect(try await said(command, bare: bare).contains("71826135141972"), "\(command)")
    }

    @Test func theBareMachineIsAnotherCall() async throws {
        let contained = try lab.toolbox.prepare(try lab.assignment("Shell", ["command": "true"]))
        let bare = try lab.toolbox.prepare(try lab.assignment("Shell", ["command": "true", "bare": true]))
        #expect(!contained.isBare && bare.isBare)
        #expect(contained.environment["folder"] == .string(lab.workspace) && contained.environment["PATH"] == nil)
        #expect(bare.environment["PATH"] != nil)
        #expect(try await said("test -d \(lab.own.data) && echo seen", bare: true) == "seen\n")
    }
}
