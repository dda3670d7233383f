import Engine
import Glibc

/// How soon the first request of a conversation is sent: in a repository of 2,000 files, some of them changed, beside
/// an empty folder. The request tells the model of the folder.
enum FirstRequestBench {
    private static let bar = 2.0
    private static let files = 2_000

    static func run() throws -> [Figure] {
        try withScratchFolder { folder in
            let (full, empty) = ("\(folder)/full", "\(folder)/empty")
            try make(full, empty)
            let pairs = try Pairs(11) {
                try milliseconds(in: full)
            } _: {
                try milliseconds(in: empty)
            }
            return [
                Figure(
                    name: "first request in a repository of 2,000 files", pairs, unit: "ms",
                    reference: "an empty folder", bar: .ratioAtMost(bar))
            ]
        }
    }

    /// Returns the time from the line of the user to the request at the server, in a new conversation.
    private static func milliseconds(in folder: String) throws -> Double {
        let server = try TokenServer(.burst, .chatCompletions, count: 1)
        let home = withScratchFolder { $0 }
        let terminal = try Terminal(
            [try Terminal.program()],
            environment: [
                "ASSENT_HOME=\(home)", "ASSENT_MODEL_URL=http://127.0.0.1:\(server.port)/v1", "ASSENT_MODEL=bench",
            ], in: folder)
        defer { terminal.end() }
        try terminal.wait(for: "›")
        usleep(700_000)
        let start = Clock.seconds()
        terminal.send("go\r")
        try terminal.wait(for: "Zend")
        return 1000 * (server.startedAt - start)
    }

    private static func make(_ full: String, _ empty: String) throws {
        let script = """
            mkdir -p "$1" "$2" && cd "$1" && git init -q
            for folder in $(seq 40); do
                mkdir $folder
                for file in $(seq $(($3 / 40))); do printf 'a line\\n' > $folder/file-$file.txt; done
            done
            git add . && git -c user.name=b -c user.email=b@example.org commit -qm files
            for folder in $(seq 20); do printf 'another\\n' >> $folder/file-1.txt; printf 'new\\n' > $folder/new.txt; done
            """
        Programs.run(["sh", "-ec", script, "sh", full, empty, "\(files)"])
    }
}
