import CaseNames
import Glibc
import HTTP
import Harness
import JSON
import Testing

/// What BentoML's task endpoints themselves do here (`wire.md` Jobs 3).
@Suite(.process, .timeLimit(.minutes(20))) struct BentoTests {
    private func talk() async throws -> Talk { Talk(try await BentoService.shared().url) }

    /// What the query of later requests is.
    private func submit(_ task: String, _ body: JSON, to bento: Talk) async throws -> String {
        let taken = try await bento.send("POST", "/\(task)/submit", body)
        #expect(taken.status == 200)
        #expect(taken["status"]?.string == "in_progress")
        return "task_id=\(try #require(taken["task_id"]?.string))"
    }

    @Test func aTaskIsSubmittedRunsAndItsResultIsFetchedAsOftenAsOneLikes() async throws {
        let bento = try await talk()
        let scratch = try ScratchFolder()
        let task = try await submit("work", ["until": .string(scratch.path + "/go"), "text": "ábc"], to: bento)
        #expect(try await bento.send("GET", "/work/get?\(task)").status == 400)
        try ScratchFolder.write("", to: scratch.path + "/go")
        _ = try await bento.poll("/work/status?\(task)", until: "completed")
        for _ in 1...2 {
            let result = try await bento.send("GET", "/work/get?\(task)")
            #expect(result.status == 200)
            #expect(result.text == "ÁBC")
            #expect(result.type.hasPrefix("text/plain"))
        }
    }

    @Test func aPictureComesAsItsBytes() async throws {
        let bento = try await talk()
        let task = try await submit("picture", ["width": 40, "height": 30], to: bento)
        _ = try await bento.poll("/picture/status?\(task)", until: "completed")
        let result = try await bento.send("GET", "/picture/get?\(task)")
        #expect(result.type == "image/png")
        #expect(result.body.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Width and height, big-endian, after the length and name of the first chunk.
        #expect(result.body[16..<24] == [0, 0, 0, 40, 0, 0, 0, 30])
    }

    @Test func anObjectComesAsJSON() async throws {
        let bento = try await talk()
        let task = try await submit("measure", ["width": 3, "height": 2], to: bento)
        _ = try await bento.poll("/measure/status?\(task)", until: "completed")
        #expect(try await bento.send("GET", "/measure/get?\(task)")["width"] == 3)
    }

    @Test(arguments: [("fail", [:]), ("work", ["seconds": "x"])] as [(String, JSON)])
    func aTaskThatFailsAndOneThatCouldNeverRunAreBothTaken(task: String, body: JSON) async throws {
        let bento = try await talk()
        let id = try await submit(task, body, to: bento)
        _ = try await bento.poll("/\(task)/status?\(id)", until: "failed")
        #expect(try await bento.send("GET", "/\(task)/get?\(id)").status >= 400)
    }

    @Test func cancellingIsRefusedAndYetWrittenDownAndTheTaskEndsAllTheSame() async throws {
        let bento = try await talk()
        let scratch = try ScratchFolder()
        let task = try await submit("work", ["until": .string(scratch.path + "/go"), "text": "a"], to: bento)
        #expect(try await bento.send("PUT", "/work/cancel?\(task)").status == 400)
        #expect(try await bento.send("GET", "/work/status?\(task)")["status"]?.string == "canceled")
        try ScratchFolder.write("", to: scratch.path + "/go")
        _ = try await bento.poll("/work/status?\(task)", until: "completed")
        #expect(try await bento.send("GET", "/work/get?\(task)").text == "A")
    }

    @Test func aFileIsAResultThatNeverComes() async throws {
        let bento = try await talk()
        let task = try await submit("file", [:], to: bento)
        let other = try await submit("work", ["seconds": 2], to: bento)
        _ = try await bento.poll("/work/status?\(other)", until: "completed")
        #expect(try await bento.send("GET", "/file/status?\(task)")["status"]?.string == "in_progress")
    }

    @Test func aTaskThatNobodyKnowsIsNotFound() async throws {
        let bento = try await talk()
        #expect(try await bento.send("GET", "/work/status?task_id=nope").status == 404)
    }

    @Test func nothingOfItIsLeftAtItsEnd() async throws {
        let service = try await BentoService.start()
        let processes = service.processes
        #expect(processes.count > 1)
        try await onOwnThread { service.end() }
        #expect(processes.filter { kill($0, 0) == 0 }.isEmpty)
        await #expect(throws: HTTPFailure.self) { try await Talk(service.url).send("GET", "/readyz") }
    }
}
