import CaseNames
import Glibc
import Harness
import Terminal
import Testing

@Suite(.timeLimit(.minutes(10))) struct PlainScreenTests {
    /// A screen between two pipes.
    private final class Pipes: Sendable {
        let toScreen: Int32
        let fromScreen: Int32
        let screen: PlainScreen

        init() {
            let (inputs, outputs) = (Self.open(), Self.open())
            toScreen = inputs.write
            fromScreen = outputs.read
            let plain = TerminalCapabilities(isTerminal: false, hasColour: true, isPlain: true)
            screen = PlainScreen(
                try! InputOwner(inputs.read), output: outputs.write, capabilities: plain, ownsProcess: false)
        }

        private static func open() -> (read: Int32, write: Int32) {
            var ends: [Int32] = [0, 0]
            _ = pipe(&ends)
            return (ends[0], ends[1])
        }

        func type(_ text: String) { _ = write(toScreen, text, text.utf8.count) }
        func hangUp() { close(toScreen) }

        /// All that was written; nothing more may be coming.
        var output: String {
            var buffer = [UInt8](repeating: 0, count: 65536)
            _ = fcntl(fromScreen, F_SETFL, O_NONBLOCK)
            let count = read(fromScreen, &buffer, buffer.count)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test func linesComeInAndTextGoesOutWithoutEscapes() async {
        let pipes = Pipes()
        pipes.type("one\ntw\u{1B}o\r\nlast")
        pipes.hangUp()
        var inputs: [ScreenInput] = []
        for await input in pipes.screen.inputs { inputs.append(input) }
        #expect(inputs == [.line("one"), .line("two"), .line("last"), .end])
        pipes.screen.show([StyledText("bad\u{1B}[2J", .failure)])
        pipes.screen.stream("# **st")
        pipes.screen.show("news")
        pipes.screen.stream("ream**\r")
        pipes.screen.stream("\n\u{202E}")
        pipes.screen.endStream()
        #expect(pipes.output == "bad␛[2J\n# **stream**\nnews\n⟨U+202E⟩\n")
    }

    @Test func nobodyIsAskedThroughAPipe() async {
        let pipes = Pipes()
        pipes.type("y\ny\n")
        #expect(await pipes.screen.ask(KeyQuestion(["?"], .keys(["y"]))) == .none(.noTerminal))
        await pipes.screen.close()
        pipes.hangUp()
    }

    @Test func aPlainTerminalAsksWithoutEscapes() async throws {
        let pty = try Pty.pair()
        let before = pty.settings
        let screen = Self.screen(on: pty)
        screen.invite()
        #expect(await pty.see("›"))
        async let answer = screen.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 50))
        #expect(await pty.see("press n"))
        pty.send("y\r")
        #expect(await answer == .key("y"))
        #expect(await pty.see { _ in pty.settings == before })
        #expect(!pty.output.contains("\u{1B}"))
        pty.send("line\r")
        for await input in screen.inputs {
            #expect(input == .line("line"))
            break
        }
        await screen.close()
    }

    private static func screen(on pty: Pty, now: @escaping @Sendable () -> Int64 = QuestionTime.machine) -> PlainScreen
    {
        let plain = TerminalCapabilities(isTerminal: true, hasColour: true, isPlain: true)
        return PlainScreen(
            try! InputOwner(pty.slave), output: pty.slave, capabilities: plain, prompt: StyledText("›", .accent),
            ownsProcess: false, now: now)
    }

    @Test func thePromptStandsBelowWhatWasSaidAndNothingIsGluedToIt() async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        screen.show("banner")
        screen.invite()
        screen.invite()
        pty.send("one\r")
        for await input in screen.inputs {
            #expect(input == .line("one"))
            break
        }
        screen.setBusy(true)
        screen.show(["first", "second"])
        screen.stream("str")
        screen.show("late")
        screen.stream("eam")
        screen.invite()
        screen.endStream()
        #expect(await pty.see("late"))
        #expect(!pty.output.hasSuffix("› "))
        screen.setPrompt("[1] ›")
        screen.setBusy(false)
        #expect(
            await pty.see { Desk.rows($0) == ["banner", "› one", "first", "second", "┆ stream", "late", "[1] ›"] },
            "\(pty.screen.text)")
        pty.send("half")
        #expect(await pty.see("[1] ›half"))
        screen.setPrompt(StyledText("›", .accent))
        screen.show("news")
        #expect(await pty.see { Desk.rows($0).suffix(3) == ["[1] ›half", "news", "›"] }, "\(pty.screen.text)")
        pty.send(" a line\r")
        for await input in screen.inputs {
            #expect(input == .line("half a line"))
            break
        }
        screen.invite()
        #expect(await pty.see { Desk.rows($0).suffix(2) == ["›  a line", "›"] }, "\(pty.screen.text)")
        await screen.close()
        // The shell's own prompt is not glued to ours.
        #expect(await pty.see { _ in pty.output.hasSuffix("› \r\n") })
    }

    /// Words of a model never begin a row, wherever the pieces end, and however long the line is.
    @Test(arguments: [1, 3, 1000]) func streamedTextStandsBehindAGutter(pieces: Int) async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        let long = String(repeating: "x", count: 205) + "[y] yes"
        var rest = Substring("[y] yes  [n] no\r\n\n› rm\n\(long)\nend")
        while !rest.isEmpty {
            screen.stream(String(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        screen.endStream()
        screen.show("ours")
        #expect(await pty.see { Desk.rows($0).last == "ours" }, "\(pty.screen.text)")
        let rows = Desk.rows(pty.screen)
        #expect(rows.dropLast().allSatisfy { $0.hasPrefix("┆") } && rows.count >= 7, "\(rows)")
        #expect(
            rows[0] == "┆ [y] yes  [n] no" && rows[1] == "┆" && rows[2] == "┆ › rm" && rows[rows.count - 2] == "┆ end",
            "\(rows)")
        await screen.close()
    }

    @Test func streamedTextIsBrokenBetweenItsWords() async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        let words = (0..<60).map { String(repeating: "w", count: 1 + $0 % 9) + "\($0)" }
        screen.stream(words.joined(separator: " ") + "\n  indented")
        screen.endStream()
        screen.show("ours")
        #expect(await pty.see { Desk.rows($0).last == "ours" }, "\(pty.screen.text)")
        let rows = Desk.rows(pty.screen).dropLast()
        let said = rows.dropLast().flatMap { $0.dropFirst(2).split(separator: " ").map(String.init) }
        #expect(said == words && rows.count > 5 && rows.last == "┆   indented", "\(rows)")
        #expect(
            rows.allSatisfy { $0.hasPrefix("┆ ") } && rows.dropLast().allSatisfy { !$0.hasPrefix("┆  ") }, "\(rows)")
        await screen.close()
    }

    @Test func anInterruptIsAnInputUntilTheScreenIsClosed() async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        screen.invite()
        #expect(await pty.see("›"))
        #expect(screen.interrupt())
        for await input in screen.inputs {
            #expect(input == .interrupt)
            break
        }
        screen.show("Ctrl-D leaves.")
        #expect(await pty.see { Desk.rows($0) == ["›", "Ctrl-D leaves.", "›"] }, "\(pty.screen.text)")
        screen.setBusy(true)
        screen.stream("half a sent")
        #expect(screen.interrupt())
        for await input in screen.inputs {
            #expect(input == .interrupt)
            break
        }
        screen.show("Stopped.")
        screen.endStream()
        screen.setBusy(false)
        #expect(
            await pty.see { Desk.rows($0).suffix(4) == ["›", "┆ half a sent", "Stopped.", "›"] }, "\(pty.screen.text)")
        await screen.close()
        #expect(!screen.interrupt())
        let pipes = Pipes()
        #expect(!pipes.screen.interrupt())
        await pipes.screen.close()
    }

    @Test(
        arguments: [("y\r", "y"), ("y\n", "y"), ("y\r\n", "y"), ("n\r", "n"), ("yes\r", "y"), ("no\n", "n")]
            as [(String, Character)])
    func aKeyWithEnterIsThatKey(line: String, key: Character) async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        async let answer = screen.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 50))
        #expect(await pty.see("press n"))
        pty.send(line)
        #expect(await answer == .key(key))
        await screen.close()
    }

    @Test(arguments: [
        "\r", "yyes\r", "yy\r", " y\r", "y \r", "y\ry\r", "x\ry\r", "Y\r", "\ry", "\ry\r", "\u{1B}[A", "\u{1B}y\r",
        "y\u{301}\r",
    ])
    func otherLinesAnswerNothing(line: String) async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        async let answer = screen.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 50))
        #expect(await pty.see("press n"))
        pty.send(line)
        // The hint is said again.
        #expect(
            await pty.see { _ in pty.output.ranges(of: "and Enter").count >= 2 }, "\(pty.screen.text)")
        pty.send("\u{15}n\r")
        #expect(await answer == .key("n"))
        await screen.close()
    }

    /// Typed before the question, and as soon as it is there, before it counts.
    @Test func aLineThatWasTypedBeforeTheQuestionDoesNotAnswerIt() async throws {
        let (pty, clock) = (try Pty.pair(), HeldClock())
        let screen = Self.screen(on: pty, now: clock.milliseconds)
        // Without Enter it stays with the kernel until keys are read one by one.
        pty.send("y")
        #expect(await pty.see("y"))
        async let answer = screen.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 20))
        #expect(await pty.see("really?"))
        pty.send("y\r")
        #expect(try await pty.isRead())
        #expect(!pty.output.contains("press"))
        #expect(try await clock.advance(seconds: 0.02) { pty.screen.text.contains("press n") })
        screen.show("news")
        pty.send("n\r")
        #expect(await answer == .key("n"))
        #expect(await pty.see("news"), "\(pty.screen.text)")
        #expect(await pty.see("not used: yy"), "\(pty.screen.text)")
        await screen.close()
    }

    @Test func aQuestionThatIsWithdrawnAtOnceIsNotAsked() async throws {
        let pty = try Pty.pair()
        let screen = Self.screen(on: pty)
        let task = Task { await screen.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 0)) }
        task.cancel()
        #expect(await task.value == .none(.withdrawn))
        await screen.close()
    }
}

@Suite struct SavedTerminalTests {
    @Test(.process) func aSignalGivesTheTerminalBack() async throws {
        let pty = try Pty.pair()
        let before = pty.settings
        let path = pty.slavePath
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            let terminal = open(path, O_RDWR | O_NOCTTY)
            // The runner of the tests may ignore or block it, and what is ignored stays so.
            signal(SIGTERM, SIG_DFL)
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            SavedTerminal.keep(terminal)
            SavedTerminal.willChange(terminal)
            var raw = termios()
            tcgetattr(terminal, &raw)
            cfmakeraw(&raw)
            tcsetattr(terminal, TCSANOW, &raw)
            _ = write(terminal, "\u{1B}[?2004h\u{1B}[?25lraw", 17)
            raise(SIGTERM)
        }
        #expect(pty.settings == before)
        #expect(await pty.see { $0.text.contains("raw") && !$0.modes.contains(2004) && $0.modes.contains(25) })
    }

    /// As an editor does it on its own thread, when the next line begins as the process ends.
    @Test(.process) func whoIsLateDoesNotTakeTheTerminalAgain() async throws {
        let pty = try Pty.pair()
        let before = pty.settings
        let path = pty.slavePath
        await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
            let terminal = open(path, O_RDWR | O_NOCTTY)
            SavedTerminal.keep(terminal)
            SavedTerminal.willChange(terminal)
            SavedTerminal.end()
            var raw = termios()
            tcgetattr(STDIN_FILENO, &raw)
            cfmakeraw(&raw)
            tcsetattr(terminal, TCSANOW, &raw)
            exit(3)
        }
        #expect(pty.settings == before)
    }

    @Test(.process) func exitGivesTheTerminalBack() async throws {
        let pty = try Pty.pair()
        let before = pty.settings
        let path = pty.slavePath
        async let typing: Void = {
            #expect(await pty.see("›"))
            pty.send("leave\r")
        }()
        await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
            let terminal = open(path, O_RDWR | O_NOCTTY)
            var settings = LineEditor.Settings()
            settings.output = terminal
            guard let input = try? InputOwner(terminal) else { exit(4) }
            let editor = LineEditor(input, settings)
            for await input in editor.inputs where input == .line("leave") { withExtendedLifetime(editor) { exit(3) } }
        }
        await typing
        #expect(pty.settings == before)
    }
}
