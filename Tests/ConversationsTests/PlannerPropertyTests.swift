import CaseNames
import Conversations
import JSON
import Testing
import Vocabulary

/// What holds for any line.
@Suite struct PlannerPropertyTests {
    let planner = BuiltInPlanner(catalogue: catalogue, language: english)
    let files = listing("cat.jpg, dog.png, notes.txt, data.json, a.txt, docs/, logo.png")

    private static let salad =
        ("make resize crop rotate turn blur grayscale convert compress zip save count list show fetch download run write replace with by put on "
        + "cat.jpg dog.png notes.txt data.json ghost.gif docs/ it them every all the jpg pngs files to into as under over max 800 60 KB 2MB 400x300 px wide tall "
        + "90 degrees left and then but , . not don't without please could you what how is original in place a little strongly half 50% seconds 5 wait "
        + "http://127.0.0.1:1/x.json field items.0.name \"some text\" `ls` merge join words size dimensions at 10,20 webp pdf quality x\u{301} 🐈 \u{202E} ' \" ` … 1e9 -3 0 "
        + "../other/cat.jpg /etc/passwd ~/notes.txt /tmp/ / // ../ ~/ and/or 24/7 deep/er/x.png ../*.jpg square round trash")
        .split(separator: " ").map(String.init)

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test func wordSaladNeverDestroysAndEveryPlanIsWellFormed() {
        var random = Generator(state: 20_261_121)
        for _ in 0..<3000 {
            let line = (0..<Int.random(in: 1...14, using: &random)).map { _ in Self.salad.randomElement(using: &random)!
            }.joined(
                separator: " ")
            check(line, mayOverwrite: line.contains("in place") || line.contains("original"))
        }
    }

    @Test func aPlanHasOnlyPortsThatAreThereAndTypesThatFit() {
        expectNoFaults(in: Sentence.answered) { sentence, answer in
            guard case .workflow(let plan) = answer else { return [] }
            return Self.problems(of: plan).map { "\(sentence.testDescription): \($0)" }
        }
    }

    private func check(_ line: String, mayOverwrite: Bool) {
        guard case .workflow(let plan) = planner.answer(line, listing: files) else { return }
        for problem in Self.problems(of: plan) { Issue.record("\(line): \(problem)") }
        for node in plan["nodes"]?.array ?? [] {
            let kind = node["kind"]?.string ?? ""
            if ["DeleteFile", "MoveFile"].contains(kind) { Issue.record("\(line): \(kind)") }
            if !mayOverwrite, node["params"]?["overwrite"] == true { Issue.record("\(line): overwrites") }
        }
    }

    /// The same rules as the check of templates, in a form simple enough to be believed.
    static func problems(of plan: JSON) -> [String] {
        guard let read = try? JSONReader.read(plan.text), read.canonical == plan.canonical else {
            return ["does not read back"]
        }
        var problems: [String] = []
        var kinds: [String: ToolManifest] = [:]
        var fed: [String: Set<String>] = [:]
        var widened: Set<String> = []
        for node in plan["nodes"]?.array ?? [] {
            let id = node["id"]?.string ?? ""
            guard let tool = catalogue[node["kind"]?.string ?? ""], kinds[id] == nil else {
                return ["unknown kind or id twice: \(node.text)"]
            }
            kinds[id] = tool
            for port in node["outputs"]?.object?.keys ?? [] { widened.insert("\(id).\(port)") }
            problems += paramProblems(of: node, tool: tool)
        }
        for edge in plan["edges"]?.array ?? [] {
            guard let from = edge["from"]?[0]?.string, let out = edge["from"]?[1]?.string,
                let to = edge["to"]?[0]?.string,
                let into = edge["to"]?[1]?.string,
                let source = kinds[from], let target = kinds[to]
            else { return ["edge without node: \(edge.text)"] }
            if fed[to, default: []].insert(into).inserted == false { problems.append("\(to).\(into) is fed twice") }
            let stem = into.split(separator: ".").first.map(String.init) ?? into
            let port = target.inputs.first { $0.name == into || ($0.isVariadic && $0.name == stem) }
            let output = source.outputs.first { $0.name == out }
            if port == nil, !target.hasOpenPorts { problems.append("no input \(to).\(into)") }
            if output == nil, !source.hasOpenPorts { problems.append("no output \(from).\(out)") }
            if let port, let output, !widened.contains("\(from).\(out)"), !port.type.accepts(output.type) {
                problems.append("\(from).\(out) does not fit \(to).\(into)")
            }
        }
        for (id, tool) in kinds {
            for port in tool.inputs where !port.isOptional {
                let isFed = fed[id, default: []].contains {
                    $0 == port.name || (port.isVariadic && $0.hasPrefix(port.name + "."))
                }
                // What packs folders may get all by its parameter.
                let isPacking = tool.inputs.contains(where: \.isVariadic) && tool.params.contains { $0.kind == .list }
                if !isFed, !isPacking { problems.append("\(id).\(port.name) is not fed") }
            }
        }
        return problems
    }

    private static func paramProblems(of node: JSON, tool: ToolManifest) -> [String] {
        let params = node["params"]?.object ?? JSON.Object()
        var problems = params.keys.filter { tool.param($0) == nil }.map { "\(tool.kind) has no \($0)" }
        for param in tool.params {
            guard let value = params[param.name] else {
                if param.isRequired { problems.append("\(tool.kind).\(param.name) is missing") }
                continue
            }
            if let number = value.number, number < param.minimum ?? number || number > param.maximum ?? number {
                problems.append("\(param.name)=\(number) out of bounds")
            }
            if param.kind == .integer, value.int == nil { problems.append("\(param.name) is not whole") }
            if param.kind == .choice, !param.choices.contains(value.string ?? "") {
                problems.append("\(param.name)=\(value.text)")
            }
        }
        return problems
    }

    @Test func aWorkflowHasTheNameAndIdsThatPeopleSee() {
        guard
            case .workflow(let plan) = planner.answer(
                "make cat.jpg 800 px wide, grayscale, under 60 KB", listing: files)
        else {
            Issue.record("no plan"); return
        }
        #expect(plan["name"]?.string == "cat.jpg: resize, grayscale, compress")
        #expect(
            plan["nodes"]?.array?.compactMap { $0["id"]?.string } == [
                "load", "resize", "grayscale", "compress", "save",
            ])
        #expect(plan["schema"]?.string == "app.workflow/v2")
    }

    @Test func aToolOfOnesOwnIsFoundByItsWords() {
        let sepia = ToolManifest(
            kind: "Sepia", title: "Sepia", says: ["sepia", "brown"], inputs: [Port("image", .image)],
            outputs: [Port("image", .image)],
            params: [ToolManifest.Param(name: "strength", kind: .number, minimum: 0, maximum: 100, unit: "%")],
            action: .builtin("sepia"), isShipped: false)
        let planner = BuiltInPlanner(catalogue: Catalogue(catalogue.sorted + [sepia]), language: english)
        #expect(
            inShort(planner.answer("make cat.jpg sepia by 40%", listing: files))
                == "ImageLoader(path=cat.jpg) Sepia(strength=40) SaveFile")
    }

    @Test func everythingHereIsFoundWithoutATool() {
        let bare = BuiltInPlanner(catalogue: Catalogue(), language: english)
        for sentence in Sentence.all {
            if case .workflow = bare.answer(sentence.text, listing: listing(sentence.files)) {
                Issue.record("a plan without tools: \(sentence.text)")
            }
        }
    }
}
