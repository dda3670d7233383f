import Glibc
import Sandbox

/// Two hundred photographs that `assent run` loads, makes smaller and saves, beside `vipsthumbnail` alone on as many
/// processors.
enum ResizeBench {
    private static let count = 200

    static func run() throws -> [Figure] {
        guard case .bubblewrap = Isolation.here else {
            print("· 200 photographs made smaller: not measured, since there is no sandbox here")
            return []
        }
        let assent = try Terminal.program()
        return withScratchFolder { home in
            withScratchFolder { folder in
                Programs.run(["sh", "-c", "cd \(folder) && \(making)"])
                BenchFiles.write(plan, to: "\(folder)/plan.json")
                // A home for each measurement: in one home the store would have all pictures after the first.
                let pairs = (1...3).map { round in
                    let own = timed("ASSENT_HOME=\(home)/\(round) '\(assent)' run plan.json --mode auto", in: folder)
                    let other = timed(
                        "ls photo-*.jpg | xargs -P2 -n 10 vipsthumbnail --size 200x200 -o made/%s.jpg", in: folder)
                    return (value: Double(count) / own, reference: Double(count) / other)
                }
                return [
                    Figure(
                        name: "200 photographs of 4 MP loaded, made smaller and saved", Pairs(pairs),
                        unit: "pictures/s",
                        reference: "xargs -P2 -n 10 vipsthumbnail", bar: .ratioAtLeast(1 / 1.3))
                ]
            }
        }
    }

    /// Runs a line of the shell and checks that it made all pictures, in a folder that is empty before.
    private static func timed(_ line: String, in folder: String) -> Double {
        Programs.run(["sh", "-c", "cd \(folder) && rm -rf made && mkdir made"])
        let seconds = Clock.measure { Programs.run(["sh", "-c", "cd \(folder) && \(line) > said 2>&1"]) }
        Programs.run(["sh", "-c", "test $(ls \(folder)/made | wc -l) = \(count)"])
        return seconds
    }

    /// Parts of one field of blurred noise, so that they compress like photographs and no two are the same.
    private static let making = """
        vips gaussnoise n.v 2600 1800 --seed 7 --mean 110 --sigma 200 && vips gaussblur n.v b.v 3 && vips cast b.v c.v uchar \
        && vips bandjoin 'c.v c.v c.v' j.v && vips copy j.v s.v --interpretation srgb && rm n.v b.v c.v j.v \
        && seq \(count) | xargs -P2 -I{} vips crop s.v 'photo-{}.jpg[Q=90]' {} {} 2400 1600 && rm s.v
        """

    private static let plan: String = {
        var nodes: [String] = []
        var edges: [String] = []
        for number in 1...count {
            nodes += [
                #"{"id":"load\#(number)","kind":"ImageLoader","params":{"path":"photo-\#(number).jpg"}}"#,
                #"{"id":"small\#(number)","kind":"Resize","params":{"width":200,"height":200}}"#,
                #"{"id":"save\#(number)","kind":"SaveFile","params":{"path":"made/photo-\#(number).jpg"}}"#,
            ]
            edges += [
                #"{"from":["load\#(number)","image"],"to":["small\#(number)","image"]}"#,
                #"{"from":["small\#(number)","image"],"to":["save\#(number)","file"]}"#,
            ]
        }
        return #"{"schema":"app.workflow/v2","name":"bench","nodes":[\#(nodes.joined(separator: ","))],"#
            + #""edges":[\#(edges.joined(separator: ","))]}"#
    }()
}
