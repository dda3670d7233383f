import Glibc
import Sandbox

/// One picture in the chat, from Enter to the file: the first of a session, and one after it, beside one program of libvips.
enum OnePictureBench {
    static func run() throws -> [Figure] {
        guard case .bubblewrap = Isolation.here else {
            print("· one picture: not measured, since there is no sandbox here")
            return []
        }
        return try withScratchFolder { home in
            try withScratchFolder { folder in
                Programs.run(["sh", "-c", "cd \(folder) && \(making)"])
                var (cold, warm, webp) = ([(Double, Double)](), [(Double, Double)](), [(Double, Double)]())
                for round in 1...5 {
                    let terminal = try Terminal(
                        [try Terminal.program()], environment: ["ASSENT_HOME=\(home)/\(round)"], in: folder,
                        home: home)
                    defer { terminal.end() }
                    try terminal.wait(for: "›")
                    // What a session prepares after its prompt is done then.
                    usleep(1_500_000)
                    func own(_ line: String, _ file: String) throws -> Double {
                        defer { unlink("\(folder)/\(file)") }
                        return try seconds(until: "\(folder)/\(file)", after: line, on: terminal)
                    }
                    let small = "vipsthumbnail photo.jpg --size 200x200 -o"
                    let first = try own("resize photo.jpg to 200 px", "photo-1.jpg")
                    cold.append((first, other("\(small) x.jpg", folder)))
                    usleep(1_000_000)
                    let next = try own("resize photo.jpg to 201 px", "photo-1.jpg")
                    warm.append((next, other("\(small) x.jpg", folder)))
                    usleep(1_000_000)
                    let large = try own("convert large.jpg to webp", "large-1.webp")
                    webp.append((large, other("vips copy large.jpg 'x.webp[Q=90]'", folder)))
                }
                return [
                    figure("first picture of a session, Enter to file", cold, "vipsthumbnail", 1.5),
                    figure("next picture, Enter to file", warm, "vipsthumbnail", 1.5),
                    figure("12 MP to webp, Enter to file", webp, "vips copy", 1.1),
                ]
            }
        }
    }

    private static func figure(_ name: String, _ pairs: [(Double, Double)], _ reference: String, _ bar: Double)
        -> Figure
    {
        Figure(
            name: name, Pairs(pairs.map { (value: 1000 * $0.0, reference: 1000 * $0.1) }), unit: "ms",
            reference: reference, bar: .ratioAtMost(bar))
    }

    private static func other(_ line: String, _ folder: String) -> Double {
        Clock.measure { Programs.run(["sh", "-c", "cd \(folder) && \(line)"]) }
    }

    /// Returns the seconds from Enter until a file is there.
    private static func seconds(until path: String, after line: String, on terminal: Terminal) throws -> Double {
        terminal.send(line)
        usleep(300_000)
        terminal.drain()
        let start = Clock.seconds()
        terminal.send("\r")
        while access(path, F_OK) != 0 {
            terminal.drain()
            guard Clock.seconds() - start < 60 else { throw Terminal.Failed(words: "\(path) was not made") }
            usleep(200)
        }
        return Clock.seconds() - start
    }

    private static let making = """
        vips gaussnoise n.v 4000 3000 --seed 7 --mean 110 --sigma 200 && vips gaussblur n.v b.v 3 && vips cast b.v c.v uchar \
        && vips bandjoin 'c.v c.v c.v' j.v && vips copy j.v s.v --interpretation srgb && rm n.v b.v c.v j.v \
        && vips copy s.v 'large.jpg[Q=90]' && vips crop s.v 'photo.jpg[Q=90]' 0 0 2400 1600 && rm s.v
        """
}
