import CaseNames
@testable import Files
import Foundation
import Harness
import JSON
import Manifests
@testable import Sandbox
import Testing
import Vocabulary

/// A folder that is read-only keeps nobody from speaking to a socket in it, or from writing to a pipe.
@Suite(.process, .enabled(if: hasSandbox)) struct SocketTests {
    private let lab: Lab
    private let listener: Int32
    private let pipe: Int32

    init() throws {
        lab = try Lab()
        try lab.write("sub/notes.txt", "words\n")
        // By a short name: paths of sockets have 108 bytes at most.
        let folder = open(lab.path("sub"), O_RDONLY | O_DIRECTORY)
        defer { close(folder) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("/proc/self/fd/\(folder)/s".utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 1) == 0 && mkfifo(lab.path("sub/p"), 0o600) == 0)
        pipe = open(lab.path("sub/p"), O_RDWR | O_NONBLOCK)
        self.listener = listener
    }

    private static let command = """
        cd sub; python3 -c "import socket; socket.socket(socket.AF_UNIX).connect('s')" 2>/dev/null
        timeout 5 sh -c 'echo hi > p' 2>/dev/null; cat notes.txt
        """

    /// Whether somebody has connected, and written to the pipe.
    private func heard() -> [Bool] {
        var bytes = [UInt8](repeating: 0, count: 16)
        return [accept(listener, nil, nil) >= 0, read(pipe, &bytes, bytes.count) > 0]
    }

    private func run(_ change: (inout ProgramCommand) throws -> Void) throws {
        var command = ProgramCommand(["sh", "-c", Self.command], in: lab.workspace)
        command.view = .workspace(.readOnly)
        try change(&command)
        let folder = RunFolder("\(lab.own.data)/runs/r")
        try makeFolders(folder.path)
        let child = try Child.start(command, sandbox: lab.sandbox, in: folder)
        #expect(child.wait(cancel: Cancellation()) == .exited(0))
        #expect(String(decoding: try child.traces.output(limit: 1000), as: UTF8.self) == "words\n")
    }

    @Test func whatIsNotHiddenIsSpokenToAndWhatIsHiddenIsNot() throws {
        try run { _ in }
        #expect(heard() == [true, true])
        try run { $0.hidden = try PrivateFiles().hidingSockets(below: lab.workspace) }
        #expect(heard() == [false, false])
    }

    /// A tool that somebody else wrote, given the folder.
    @Test func aProgramThatReadsAFolderDoesNotSpeakEither() async throws {
        let tool = try #require(Self.tool)
        let said = await lab.run(try lab.assignment(tool, ["folder": "sub"]))
        #expect(said.assets != nil && heard() == [false, false], "\(said)")
        let refused = await lab.run(try lab.assignment(tool, ["folder": "sub/p"], attempt: 2))
        #expect(refused.failure?.code == "notAFile")
    }

    private static let tool: ToolManifest? = readTools(
        """
        tool: assent.tool/v1
        kind: Mine
        title: Mine
        params: {folder: {type: path, required: true}}
        outputs: {text: text}
        run:
          program:
            - [sh, -c, "cd $1; timeout 5 sh -c 'echo hi > p' 2>/dev/null; true", sh, "{folder}"]
            - [python3, -c, "import os, socket, sys; os.chdir(sys.argv[1]); socket.socket(1).connect_ex('s')", "{folder}"]
            - [sh, -c, "echo done > {out.text}"]
          files: {text: a.txt}
        """, file: "mine.yaml", isShipped: true
    ) { .of($0) }.tools.first

    @Test func moreThanCanBeHiddenIsRefusedWithWords() throws {
        try ScratchFolder.makeFolder(lab.path("many"))
        for number in 0...Limits.hiddenFiles { mkfifo(lab.path("many/\(number)"), 0o600) }
        #expect { try PrivateFiles().hidingSockets(below: lab.workspace) } throws: {
            ($0 as? Failure)?.code == "tooManyFiles"
        }
    }
}

private let hasSandbox = Isolation.here.reasonForNone == nil
