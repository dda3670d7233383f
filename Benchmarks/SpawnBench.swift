/// Filled when the tools run programs.
enum SpawnBench { static func run() throws -> [Figure] { [] } }
enum StartBench { static func run() throws -> [Figure] { [] } }
enum StreamBench { static func run() throws -> [Figure] { [] } }
