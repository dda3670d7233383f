import CaseNames
@testable import Files
import JSON
import Manifests
import Testing
@testable import Tools
import Vocabulary

/// The stored rows of a guide that somebody went through, made up.
struct GuideLab {
    static let text = """
        guide: assent.guide/v1
        id: damage
        title: "Damage <of> a car"
        version: 3
        about: For the insurer & others.
        steps:
          - {id: hurt, choose: [nobody, somebody], ask: Who is hurt?}
          - {id: call, note: Call 112 first., when: hurt = 'somebody'}
          - {id: plate, capture: Licence plate., accept: {sharp: 90, minimum: 640x480}}
          - {id: corners, capture: "Each corner.", each: [front left, rear right], accept: {}}
          - {id: damage, capture: The damage., count: 1..8, accept: {}, skip: There is none.}
          - {id: card, code: The code., skip: There is no card.}
          - {id: parts, choose: [door, wing], several: true, ask: Which parts?, when: count(damage) > 0}
          - {id: km, number: "The mileage.", unit: km, accept: {test: answer > 0, say: A car has been driven.}}
          - {id: story, text: What happened?}
          - {id: later, text: What happened later?}
        EXPORT
        """

    var contents: [ContentHash: [UInt8]] = [:]
    var steps: [StepRecord] = []
    var assets: [Asset] = []
    var events: [EventRecord] = []
    var annotations: [GuidePackage.Annotation] = []
    var export = "export: {zip: \"{id}-{date}.zip\"}"
    /// The number of the workflow, and the time when it began.
    var workflow = WorkflowID(12)
    var start = Moment(milliseconds: 1_796_000_000_123)

    var guideText: String { Self.text.replacing("EXPORT", with: export) }

    func guide() throws -> Guide {
        let (guide, problems) = readGuide(guideText, file: "damage.yaml")
        #expect(problems == [], "\(problems)")
        return try #require(guide)
    }

    mutating func add(_ node: String, _ state: StepState = .succeeded, reason: Reason? = nil) {
        let id = StepID(workflow, steps.count + 1)
        let time = start + Double(steps.count)
        steps.append(
            StepRecord(id: id, node: node, kind: "AskText", state: state, reason: reason, attempt: 1, updatedAt: time))
        guard state == .succeeded, reason?.code != "notAsked" else { return }
        event("await.closed", ["await": 1, "by": "ann"])
    }

    mutating func event(_ type: String, _ body: JSON) {
        events.append(
            EventRecord(at: start + Double(steps.count), step: steps.count, attempt: 1, type: type, body: body))
    }

    /// Adds what was given to the step that was added last.
    mutating func give(
        _ port: String, _ type: PortType, _ bytes: [UInt8], name: String = "a.jpg", _ meta: KeyValuePairs<String, JSON?>
    ) {
        let hash = ContentHash.of(bytes)
        contents[hash] = bytes
        let members = JSON.of(meta).object ?? JSON.Object()
        assets.append(
            Asset(
                run: RunID(StepID(workflow, steps.count), attempt: 1), port: port, type: type, hash: hash,
                bytes: bytes.count, name: name,
                meta: members))
    }

    mutating func answer(_ node: String, _ value: JSON) {
        add(node)
        give("text", .text, Array(value.text.utf8), name: "text.txt", ["answer": value])
    }

    /// A guide with an answer of each kind, one that was refused before, one that was taken as it is, and steps that
    /// were left out.
    ///
    /// - Parameters:
    ///   - story: the last text.
    ///   - workflow: its number; a later one begins later.
    init(story: String = "It rained.\nThen it stopped.", workflow: Int64 = 12) {
        self.workflow = WorkflowID(workflow)
        start = start + Double(workflow) * 3600
        let figures = PictureFigures(
            width: 512, height: 8, sharp: 212, motion: 40, bright: 120, white: 1, black: 0, hash: 0xFF)
        answer("hurt", "nobody")
        add("call", reason: Reason("notAsked", "It was not asked for: its condition does not hold."))
        add("plate")
        event(
            "await.refused",
            [
                "await": 3, "check": "picture", "code": "blurred", "words": "blurred: hold still, or step closer",
                "figures": ["sharp": 12, "wanted": 90], "attempt": 1, "left": 2, "by": "ann",
            ])
        event("await.taken", ["await": 3, "why": "rain & <dark>", "by": "ann"])
        give(
            "image.1", .image, MadePictures.jpeg(), name: "IMG \(workflow).jpg",
            ["figures": figures.json, "taken": ["why": "rain & <dark>"], "width": 512, "height": 8])
        add("corners")
        give("image.2", .image, MadePictures.jpeg(seed: 9), name: "b.jpg", ["part": "rear right"])
        give("image.1", .image, MadePictures.png(), name: "a.png", ["part": "front left"])
        add("damage")
        for number in 1...2 {
            give("image.\(number)", .image, Array("GIF89a\(number)\0\u{1}\0".utf8), name: "d.gif", [:])
        }
        add("card", reason: Reason("skipped", "lost it"))
        answer("parts", ["door", "wing"])
        answer("km", "1202.50")
        answer("story", .string(story))
        add("later", .awaitingUser)
        annotations = [
            GuidePackage.Annotation(step: "story", text: "told by phone"),
            GuidePackage.Annotation(step: "corners", part: "rear right", text: "scratch"),
        ]
    }

    func rows() throws -> GuidePackage.Rows {
        let record = GuideRecord(guide: try guide(), workflow: workflow, steps: steps, assets: assets)
        return GuidePackage.Rows(
            workflow: WorkflowRecord(
                id: workflow, title: "Damage", workspace: "/home/ann", createdAt: start, updatedAt: start + 60,
                outcome: nil),
            record: record,
            guide: guideText, events: events, annotations: annotations, program: "assent 0.1.0")
    }

    func read(_ hash: ContentHash, _ limit: Int) throws(Failure) -> [UInt8] {
        guard let bytes = contents[hash] else { throw Failure("fileNotFound", "\(hash) is not there.") }
        return Array(bytes.prefix(limit))
    }

    func package() throws -> GuidePackage { try GuidePackage(rows(), read: read) }

    /// The files of the package by their names.
    func files() throws -> [String: [UInt8]] {
        let package = try package()
        return Dictionary(try package.entries.map { ($0.name, try package.bytes(of: $0, read: read)) }) { first, _ in
            first
        }
    }

    func text(_ name: String) throws -> String { String(decoding: try #require(try files()[name]), as: UTF8.self) }
}
