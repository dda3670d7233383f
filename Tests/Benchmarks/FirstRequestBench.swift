import Engine
import Glibc

/// How soon the first request of a conversation is sent, which tells the model of the folder: with 2,000 files beside
/// an empty one, and the same of a repository, some of whose files are changed.
enum FirstRequestBench {
    private static let bar = 2.0
    private static let files = 2_000

    static func run() throws -> [Figure] {
        try withScratchFolder { folder in
            try make(folder)
            return try [("folder", "files", "none"), ("repository", "repository", "new")].map { name, full, empty in
                let pairs = try Pairs(11) {
                    try milliseconds(in: "\(folder)/\(full)")
                } _: {
                    try milliseconds(in: "\(folder)/\(empty)")
                }
                return Figure(
                    name: "first request in a \(name) of 2,000 files", pairs, unit: "ms", reference: "an empty one",
                    bar: .ratioAtMost(bar))
            }
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

    private static func make(_ folder: String) throws {
        let script = """
            cd "$1" && mkdir files none new && git init -q new
            for folder in $(seq 40); do
                mkdir files/$folder
                for file in $(seq $(($2 / 40))); do printf 'a line\\n' > files/$folder/file-$file.txt; done
            done
            # git reads again what is as new as its index.
            find files -name '*.txt' -exec touch -d '1 hour ago' {} +
            cp -a files repository && cd repository && git init -q
            git add . && git -c user.name=b -c user.email=b@example.org commit -qm files
            for folder in $(seq 20); do
                printf 'another\\n' >> $folder/file-1.txt
                printf 'new\\n' > $folder/new.txt
            done
            """
        Programs.run(["sh", "-ec", script, "sh", folder, "\(files)"])
    }
}
