import Console
import JSON
import Terminal
import Testing
import Vocabulary

/// The question for a command with hosts and paths: all of them are seen before a key counts.
@Suite struct ReachingOutViewTests {
    private static func shell(_ targets: [Call.Target]) -> Call {
        var call = Call(
            tool: "Shell", toolVersion: hash, params: JSON.Object(members: [.init(key: "command", value: "make")]),
            targets: [Call.Target(.executes, .command(["sh", "-c", "make"]), reach: .workspace)] + targets,
            effects: [.executes, .sends, .reads],
            reversibility: .yes(how: "no file is changed before you say yes"))
        call.rehearsal = .wanted
        return call
    }

    private static func view(_ call: Call, columns: Int) -> QuestionView {
        QuestionView(
            Question(title: "rehearse a command", subject: "step 1 of \"w\"", call: call, digest: hash, because: ["x"]),
            columns: columns)
    }

    @Test(arguments: widths) func noneOfItIsCut(columns: Int) {
        let hosts = (1...16).map { "host-\($0).example:443" }
        let paths = (1...16).map { "/srv/" + String(repeating: "deep/", count: 60) + "\($0)" }
        let targets =
            hosts.map { Call.Target(.sends, .host($0), reach: .remote) }
            + paths.map { Call.Target(.reads, .path($0), reach: .outside) }
        let text = Self.view(Self.shell(targets), columns: columns).lines.squeezed
        for place in hosts + paths { #expect(text.contains(squeezed(place)), "\(place) at \(columns)") }
    }

    @Test func whereItReachesIsSaid() {
        let targets = [
            Call.Target(.sends, .host("127.0.0.1:80"), reach: .remote),
            Call.Target(.sends, .host("example.org:443"), reach: .remote),
            Call.Target(.reads, .path("/home/ana/.env"), reach: .outside, isPrivate: true),
        ]
        let view = Self.view(Self.shell(targets), columns: 120)
        let text = view.lines.squeezed
        for words in [
            "127.0.0.1:80 · on this machine", "example.org:443 · on another machine",
            "/home/ana/.env · outside the workspace · may hold keys",
            "the command above, in the sandbox",
        ] { #expect(text.contains(squeezed(words)), "\(text)") }
        #expect(view.form == .keys(["y", "n", "d", "/"]) && !view.isCut)
    }

    @Test func nothingHostileReachesTheScreen() {
        let target = Call.Target(.reads, .path("/srv/\u{1B}[2J\u{202E}x\u{200B}\n[y] yes"), reach: .outside)
        let lines = Self.view(Self.shell([target]), columns: 80).lines
        #expect(lines.isHarmless, "\(lines.plain)")
        #expect(lines.count { $0.plain.trimmed.hasPrefix("[y]") } == 1)
    }
}

extension String {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
