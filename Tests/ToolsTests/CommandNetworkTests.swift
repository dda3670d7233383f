import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
@testable import Sandbox
import Synchronization
import Testing
@testable import Tools
import Vocabulary

/// A command speaks to the hosts that its call names, through our proxy, and to nothing else.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct CommandNetworkTests {
    private let lab: Lab
    private let server: ScriptedServer
    private let other: ScriptedServer

    init() throws {
        lab = try Lab(isInMemory: Rehearsals.isInMemory)
        server = try ScriptedServer { request in .text("\(request.method) \(request.path) \(request.text)\n") }
        other = try ScriptedServer { _ in .text("other\n") }
    }

    /// - Returns: what it said, and what its proxy noted.
    private func run(
        _ line: String, network: [String], resolve: HostProxy.Resolve? = nil
    ) async throws -> (output: String, about: RehearsalFolder.About) {
        let (store, own, sandbox) = (lab.store, lab.own, lab.sandbox)
        let toolbox = Toolbox(store: store, own: own, sandbox: sandbox, resolve: resolve ?? SocketAddress.all)
        let assignment = try lab.assignment(
            "Shell", ["command": .string(line), "network": .array(network.map { .string($0) })])
        let call = try await onThread {
            Result { try toolbox.rehearse(assignment, agreed: toolbox.prepare(assignment), cancel: Cancellation()) }
        }.get()
        guard case .done(let played) = call.rehearsal else { throw Failure("notPlayed", "It was not run.") }
        let about = try #require(try toolbox.rehearsal(of: assignment.run, in: lab.workspace).folder.read())
        return (String(decoding: ScratchFolder.bytes(store.path(played.output)) ?? [], as: UTF8.self), about)
    }

    private var named: [String] { ["127.0.0.1:\(server.port)"] }

    // MARK: What passes

    @Test(arguments: [
        "curl -sS $URL/a?b", "curl -sS --proxytunnel $URL/a?b", "curl -sS --http1.0 $URL/a?b",
        "python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode(), end=\"\")' $URL/a?b",
    ]) func aNamedHostIsSpokenTo(line: String) async throws {
        let (output, about) = try await run("URL=\(server.url); \(line)", network: named)
        #expect(output == "GET /a?b \n", "\(about)")
        #expect(
            about.hosts.map(\.name) == named && about.hosts.allSatisfy { $0.sent > 0 && $0.received > 0 }
                && about.refusals.isEmpty)
        #expect(server.requests.count == 1 && server.requests[0].headers["host"] == "127.0.0.1:\(server.port)")
    }

    @Test(arguments: ["", "--proxytunnel"]) func muchGoesBothWays(flags: String) async throws {
        let line =
            "head -c 3000000 /dev/zero | tr '\\0' x | curl -sS \(flags) -H Expect: --data-binary @- \(server.url)/ | wc -c"
        let (output, about) = try await run(line, network: named)
        #expect(output == "\(3_000_000 + "POST / \n".utf8.count)\n")
        #expect(about.hosts.allSatisfy { $0.sent > 3_000_000 && $0.received > 3_000_000 })
    }

    @Test func manyAtOncePassEachOther() async throws {
        let line = "for i in $(seq 80); do curl -sS \(server.url)/$i & done; wait"
        let (output, _) = try await run("{ \(line); } | sort | uniq | wc -l", network: named)
        #expect(output == "80\n")
    }

    @Test func aNameOfThisMachineMaySayItself() async throws {
        #expect(
            try await run("curl -sS http://localhost:\(server.port)/", network: ["localhost:\(server.port)"]).output
                == "GET / \n")
    }

    // MARK: What does not

    @Test(arguments: ["", "--proxytunnel"]) func whatIsNotNamedIsRefusedAndSaid(flags: String) async throws {
        let (output, about) = try await run(
            "curl -sS -o out -w '%{http_code} %{http_connect} ' \(flags) \(other.url)/; curl -sS \(server.url)/",
            network: named)
        #expect(output.contains("403") && output.hasSuffix("GET / \n"), "\(output)")
        #expect(
            about.refusals.count == 1 && about.refusals[0].contains("network: [127.0.0.1:\(other.port)]"),
            "\(about.refusals)")
        #expect(other.requests.isEmpty)
    }

    @Test func aCommandThatFailsForItSaysWhatToName() async throws {
        let params: JSON = [
            "command": .string("curl -sSf \(other.url)/"), "network": .array(named.map { .string($0) }),
        ]
        let failure = await #expect(throws: Failure.self) { try await lab.run("Shell", params) }
        #expect(
            failure?.code == "processFailed" && failure?.message.contains("network: [127.0.0.1:\(other.port)]") == true,
            "\(String(describing: failure))")
    }

    /// Each says "held" unless it got there.
    @Test(arguments: [
        "curl -sS --noproxy '*' --max-time 5 $OTHER/", "curl -sS --noproxy '*' --max-time 5 $NAMED/",
        "curl -sS --max-time 5 -x $PROXY http://localhost:$PORT/ | grep other",
        "curl -sS -x $PROXY http://2130706433:$PORT/ | grep other",
        "curl -sSg -x $PROXY 'http://[::ffff:127.0.0.1]:'$PORT/ | grep other",
        "curl -sS -x socks5://127.0.0.1:3128 $NAMED/",
        "curl -sS -H \"Host: 127.0.0.1:$PORT\" $NAMED/ | grep other", "curl -sSf -x $PROXY ftp://127.0.0.1:$PORT/",
        "getent hosts example.org", "python3 -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 2)'",
        "(echo > /dev/tcp/127.0.0.1/$PORT)", "ip link add x type dummy",
        "python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(chr(0) + \"/tmp/.X11-unix/X0\")'",
        "test $(wc -l < /proc/net/unix) -gt 1", "test $(grep -c : /proc/net/dev) -gt 1",
        "printf 'CONNECT 127.0.0.1:%s HTTP/1.1\\r\\n\\r\\nCONNECT 127.0.0.1:%s HTTP/1.1\\r\\n\\r\\n' $GOOD $PORT | python3 -c '\(Self.pipe)' | grep other",
    ]) func nothingElseIsReached(line: String) async throws {
        let variables =
            "OTHER=\(other.url) NAMED=\(server.url) PROXY=http://127.0.0.1:3128 PORT=\(other.port) GOOD=\(server.port)"
        let (output, _) = try await run("\(variables); { \(line); } >/dev/null 2>&1 || echo held", network: named)
        #expect(output == "held\n" && other.requests.isEmpty)
    }

    /// Sends what comes in through the proxy.
    private static let pipe =
        "import socket, sys; s = socket.create_connection((\"127.0.0.1\", 3128)); s.sendall(sys.stdin.buffer.read()); "
        + "s.shutdown(1); print(s.makefile().read())"

    @Test func withoutHostsThereIsNoNetwork() async throws {
        let line = "env | grep -ci proxy; curl -sS -x http://127.0.0.1:3128 \(server.url)/ 2>/dev/null || echo held"
        #expect(try await run(line, network: []).output == "0\nheld\n")
        #expect(server.requests.isEmpty)
    }

    /// Who answers for a name must not lead into the person's own network, nor to another place the second time.
    @Test func aPrivateAddressBehindANameIsRefused() async throws {
        let port = server.port
        let count = Mutex(0)
        let (output, about) = try await run(
            "curl -sS -o out -w '%{http_code}' http://inside.example:\(port)/", network: ["inside.example:\(port)"]
        ) { _, port in
            count.withLock { $0 += 1 }
            return SocketAddress.all(of: "127.0.0.1", port: port)
        }
        #expect(output == "403" && server.requests.isEmpty && count.withLock { $0 } == 1)
        #expect(
            about.refusals == [
                "inside.example leads to the private address 127.0.0.1, which was not named: name it in network: [127.0.0.1:\(port)]"
            ])
    }

    @Test(arguments: [("gone.example", "502"), ("127.0.0.1", "502")]) func whatIsNotThereIsSaid(
        host: String, status: String
    ) async throws {
        let closed = try ScriptedServer([])
        closed.refuse()
        let line = "curl -sS -o out -w '%{http_code}' http://\(host):\(closed.port)/"
        let (output, about) = try await run(line, network: ["\(host):\(closed.port)"]) { host, port in
            host == "gone.example" ? [] : SocketAddress.all(of: host, port: port)
        }
        #expect(output == status && about.refusals.isEmpty)
    }

    // MARK: Its end

    /// Opens a tunnel and keeps it: by a child that stays behind, or itself.
    private static let hold = """
        import os, socket, sys, time
        s = socket.create_connection(("127.0.0.1", 3128))
        s.sendall(f"CONNECT 127.0.0.1:{sys.argv[1]} HTTP/1.1\\r\\n\\r\\n".encode())
        assert b" 200 " in s.recv(100)
        if len(sys.argv) > 2 or os.fork() == 0:
            if len(sys.argv) == 2: os.setsid()
            time.sleep(3600)
        """

    /// The connection of a child that stays behind ends with the command.
    @Test func nothingIsHeldOpenAfterIt() async throws {
        try lab.write("hold.py", Self.hold)
        let (_, about) = try await run("python3 hold.py \(server.port)", network: named)
        #expect(about.exitCode == 0, "\(about)")
        try await eventually("it is held open") { server.openConnections == 0 }
        #expect(ProcessTable.ids(with: lab.root).isEmpty)
    }

    @Test func aCancelledCommandLeavesNothing() async throws {
        try lab.write("hold.py", Self.hold)
        let toolbox = lab.toolbox
        let assignment = try lab.assignment(
            "Shell",
            ["command": .string("python3 hold.py \(server.port) stay"), "network": .array(named.map { .string($0) })])
        let cancel = Cancellation()
        async let ended = onThread {
            Result { try toolbox.rehearse(assignment, agreed: toolbox.prepare(assignment), cancel: cancel) }
        }
        try await eventually("it does not connect") { server.openConnections > 0 }
        cancel.cancel()
        guard case .failure(let failure as Failure) = await ended else {
            Issue.record("it was not cancelled")
            return
        }
        #expect(failure.code == "cancelled")
        try await eventually("it is held open") { server.openConnections == 0 }
        #expect(ProcessTable.ids(with: lab.root).isEmpty)
    }

    /// It sees no file that may hold keys, and what it changes is judged as any command's.
    @Test func itSeesNoKeysAndChangesNothingUnasked() async throws {
        try lab.write(".env", "SECRET")
        let assignment = try lab.assignment(
            "Shell",
            [
                "command": .string("cat .env; curl -sS \(server.url)/ -o new.txt; cat new.txt"),
                "network": .array(named.map { .string($0) }),
            ])
        let toolbox = lab.toolbox
        let call = try await onThread {
            Result { try toolbox.rehearse(assignment, agreed: toolbox.prepare(assignment), cancel: Cancellation()) }
        }.get()
        #expect(call.targets.map(\.place) == [.path(lab.path("new.txt"))] && !lab.exists("new.txt"))
        guard case .succeeded(let assets) = toolbox.run(assignment, call: call, cancel: Cancellation()) else {
            Issue.record("it did not come about")
            return
        }
        #expect(try lab.text(try #require(assets.first)) == "GET / \n" && lab.read("new.txt") == "GET / \n")
        // It was not run a second time.
        #expect(server.requests.count == 1)
    }
}
