import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The shipped guides in a terminal of 80 columns and 24 rows, with a kill after each answer: nothing that was given is
/// lost or asked twice. The answers in the package give the same package again.
@Suite(.process) struct ShippedGuideTests {
    /// A guide, with the words at each prompt and what is typed there.
    struct Run: Sendable, CustomTestStringConvertible {
        let guide: String
        let answers: [(prompt: String, typed: String)]
        var testDescription: String { guide }
    }

    private static let runs = [
        Run(
            guide: "meter-reading",
            answers: [
                ("Touch nothing but the door", ""), ("1/6 Kind of meter", "1"),
                ("2/6 Number of the meter", "1 EMH00 1234"),
                ("3/6 The whole front", "1.jpg"), ("4/6 Reading", "4711,5"), ("5/6 Day", "2026-11-25"),
                ("6/6 Remark", "/skip the seal is whole"), ("back NUMBER answers a step again", ""),
            ]),
        Run(
            guide: "vehicle-damage",
            answers: [
                ("1/12 People", "2"), ("Call the emergency number", ""), ("2/12 Day", "2026-11-25"),
                ("3/12 Licence plate", "1.jpg"),
                ("4/12 Mileage", "/skip"), ("front left (1 of 4)", "1.jpg"), ("front right (2 of 4)", "2.jpg"),
                ("rear left (3 of 4)", "3.jpg"), ("rear right (4 of 4)", "camera"),
                ("picture 1 (1 to 8 are wanted)", "1.jpg 2.jpg"),
                ("picture 3 (1 to 8 are wanted)", ""), ("7/12 Damaged parts", "bumper, wing"),
                ("8/12 Other vehicle", "yes"),
                ("9/12 Insurance card", "yes"), ("10/12 Insurer of the other side", "code.png"),
                ("12/12 What happened", "It rained."),
                ("back NUMBER answers a step again", ""),
            ]),
    ]

    @Test(arguments: runs) func aKillAfterEachAnswerCostsNothing(_ run: Run) async throws {
        let lab = try ProgramLab()
        mkdir("\(lab.home)/config", 0o700)
        let camera =
            "[ffmpeg, -hide_banner, -loglevel, error, -f, lavfi, -i, \"testsrc2=size=1280x960\", -frames:v, \"1\", -y, \"{file}\"]"
        try ScratchFolder.write("camera: {command: \(camera)}\n", to: "\(lab.home)/config/settings.yaml")
        for (name, width) in [("1.jpg", 1500), ("2.jpg", 1400), ("3.jpg", 1300)] {
            _ = try await lab.tool(
                "vips", "gaussnoise", lab.path("noise.v"), "\(width)", "1000", "--mean", "128", "--sigma", "60")
            _ = try await lab.tool("vips", "cast", lab.path("noise.v"), lab.path(name), "uchar")
        }
        _ = try await lab.tool(
            "qrencode", "-o", lab.path("code.png"), "-s", "12", "-m", "8", "https://insurer.example/card/42")
        var pty = try lab.terminal(["guide", "run", run.guide], columns: 80, rows: 24)
        for (index, answer) in run.answers.enumerated() {
            #expect(await pty.see(answer.prompt), "\(answer.prompt): \(pty.screen.text)")
            let typed = answer.typed == "1.jpg 2.jpg" ? "\(lab.path("1.jpg")) \(lab.path("2.jpg"))" : answer.typed
            pty.send(typed + "\r")
            if answer.typed == "camera" {
                #expect(
                    await pty.see("press n") && pty.screen.text.contains("photographs for this guide?"),
                    "\(pty.screen.text)")
                pty.send("y\r")
            }
            guard index + 1 < run.answers.count else { break }
            #expect(
                await pty.see(run.answers[index + 1].prompt), "\(run.answers[index + 1].prompt): \(pty.screen.text)")
            pty.signal(9)
            _ = await pty.exitStatus()
            pty = try lab.terminal(["guide", "run", "w1"], columns: 80, rows: 24)
        }
        #expect(await pty.see("is complete"), "\(pty.screen.text)")
        #expect(await pty.exitStatus() == 0)
        // The answers in the package, again.
        #expect(try await lab.run(["guide", "export", "w1", "one.zip"]).exit == 0)
        _ = try await lab.tool("unzip", "-q", lab.path("one.zip"), "-d", lab.path("one"))
        let again = try await lab.run(["guide", "run", run.guide, "--answers", "one/answers.json", "--json"])
        #expect(again.exit == 0, "\(again.output)\(again.errors)")
        let second = try #require(again.results.last?["workflow"]?.string)
        #expect(try await lab.run(["guide", "export", second, "two.zip"]).exit == 0)
        _ = try await lab.tool("unzip", "-q", lab.path("two.zip"), "-d", lab.path("two"))
        let different = try await lab.tool("diff", "-rq", lab.path("one"), lab.path("two")).output.split(
            separator: "\n")
        #expect(different.allSatisfy { $0.contains("provenance.json") || $0.contains("report.html") }, "\(different)")
        #expect(different.count == 2, "\(different)")
    }
}
