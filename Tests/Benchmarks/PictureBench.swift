import Files
import Glibc
import Pictures
import Sandbox
import Tools
import Vocabulary

/// The figures of a photograph of 12 megapixels, beside a pipeline of `vips` in the sandbox that computes the same
/// figures, and beside the scaling alone.
enum PictureBench {
    static func run() throws -> [Figure] {
        guard case .bubblewrap = Isolation.here else {
            print("· figures of a photograph: not measured, since there is no sandbox here")
            return []
        }
        return try withScratchFolder { folder in
            let photograph = "\(folder)/photo.jpg"
            Programs.run(["sh", "-c", "cd \(folder) && \(making)"])
            let store = AssetStore(folder: "\(folder)/assets")
            let toolbox = Toolbox(store: store, own: OwnFolders(config: folder, data: folder, cache: folder))
            let content = try store.add(file: photograph)
            try Pipeline.write(in: folder)
            func own() throws -> Double {
                try Clock.measure {
                    _ = try toolbox.pictures.figures(of: content.hash, named: "photo.jpg", errors: ErrorRules())
                } * 1000
            }
            func other(_ script: String) -> Double {
                Clock.measure { Programs.run(sandbox(folder) + ["sh", script]) } * 1000
            }
            return [
                Figure(
                    name: "figures of a photograph of 12 MP",
                    try Pairs {
                        try own()
                    } _: {
                        other("figures.sh")
                    }, unit: "ms",
                    reference: "vips", bar: .ratioAtMost(1.2)),
                Figure(
                    name: "figures of a photograph of 12 MP",
                    try Pairs {
                        try own()
                    } _: {
                        other("scale.sh")
                    }, unit: "ms",
                    reference: "vipsthumbnail alone", bar: .none),
            ]
        }
    }

    /// Noise that is blurred, so that it compresses like a photograph.
    private static let making = """
        vips gaussnoise n.v 4000 3000 --seed 7 --mean 110 --sigma 200 && vips gaussblur n.v b.v 3 && vips cast b.v c.v uchar \
        && vips bandjoin 'c.v c.v c.v' j.v && vips copy j.v photo.jpg[Q=90] --interpretation srgb && rm n.v b.v c.v j.v
        """

    private static func sandbox(_ folder: String) -> [String] {
        [
            "bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", folder,
            folder, "--chdir", folder,
        ]
    }
}

/// The scripts that compute with `vips` what `PictureFigures` computes.
private enum Pipeline {
    static func write(in folder: String) throws {
        let scale =
            "set -e\nexec > /dev/null\nvipsthumbnail --vips-concurrency=1 photo.jpg --size '512x512>' -o g.pgm\n"
        var lines = [scale + "vips rank g.pgm m.v 3 3 4", "vips conv m.v fine.v fine.mat --precision float"]
        lines += [
            "vips convsep m.v middle.v middle.mat --precision float",
            "vips convsep middle.v coarse.v middle.mat --precision float",
        ]
        func variance(_ picture: String, _ kernel: String) {
            lines += ["vips conv \(picture).v d.v \(kernel).mat --precision float", "vips deviate d.v"]
        }
        for picture in ["m", "fine", "coarse"] { variance(picture, "laplace") }
        for direction in 0..<4 {
            variance("fine", "two\(direction)")
            variance("middle", "three\(direction)")
        }
        lines += ["vips avg g.pgm", "vips relational_const g.pgm w.v moreeq 250", "vips avg w.v"]
        lines += [
            "vips relational_const g.pgm k.v lesseq 10", "vips avg k.v",
            "vips thumbnail g.pgm h.pgm 9 --height 8 --size force",
        ]
        try save(lines.joined(separator: "\n") + "\n", to: "\(folder)/figures.sh")
        try save(scale, to: "\(folder)/scale.sh")
        try save("3 3 16 0\n1 2 1\n2 4 2\n1 2 1\n", to: "\(folder)/fine.mat")
        try save("9 1 256 0\n1 8 28 56 70 56 28 8 1\n", to: "\(folder)/middle.mat")
        try save("3 3 1 0\n0 1 0\n1 -4 1\n0 1 0\n", to: "\(folder)/laplace.mat")
        for (name, reach) in [("two", 2), ("three", 3)] {
            for (index, direction) in [(1, 0), (0, 1), (1, 1), (1, -1)].enumerated() {
                try save(bend(reach, direction), to: "\(folder)/\(name)\(index).mat")
            }
        }
    }

    /// The kernel of a second difference.
    private static func bend(_ reach: Int, _ direction: (Int, Int)) -> String {
        let side = 2 * reach + 1
        var rows = Array(repeating: Array(repeating: 0, count: side), count: side)
        rows[reach][reach] = -2
        for sign in [-1, 1] { rows[reach + sign * reach * direction.1][reach + sign * reach * direction.0] = 1 }
        return "\(side) \(side) 1 0\n" + rows.map { $0.map { "\($0)" }.joined(separator: " ") + "\n" }.joined()
    }

    private static func save(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(.fileFailed, "\(path) cannot be written.") }
        fputs(text, file)
        fclose(file)
    }
}
