import Files
import JSON
import Pictures
import Vocabulary

/// The texts of a package for programs. Values that differ between two runs with the same answers are in `provenance`
/// only.
struct PackageTexts {
    let rows: GuidePackage.Rows
    let media: [PackedMedium]
    let steps: [PackedStep]

    /// Collects the texts of a package.
    init(rows: GuidePackage.Rows, media: [PackedMedium]) {
        (self.rows, self.media) = (rows, media)
        steps = PackedStep.all(of: rows, media: media)
    }

    var guide: Guide { rows.record.guide }

    var answers: AnswersFile {
        let notes = steps.filter { $0.answer != nil }.flatMap { step in
            step.annotations.map { AnswersFile.Note(step: step.id, part: $0.part, text: $0.text) }
        }
        return AnswersFile(guide: guide.id, steps: steps.compactMap(\.answer), notes: notes)
    }

    var annotations: JSON {
        let items = steps.flatMap { step in
            step.annotations.map { annotation in
                JSON.of([
                    "step": .string(step.id), "part": annotation.part.map { .string($0) },
                    "file": step.medium(annotation.part).map { .string($0.file) }, "text": .string(annotation.text),
                ])
            }
        }
        return ["annotations": "assent.annotations/v1", "guide": .string(guide.id), "items": .array(items)]
    }

    var checks: JSON {
        ["checks": "assent.checks/v1", "guide": .string(guide.id), "steps": .array(steps.map(\.checks))]
    }

    var provenance: JSON {
        let ended = steps.compactMap { step -> JSON? in
            guard step.endedAt != nil || !step.refusals.isEmpty else { return nil }
            return .of([
                "step": .string(step.id), "state": .string(step.entry.state.rawValue),
                "at": step.endedAt.map { .string($0.description) },
                "by": step.endedBy.map { .string($0) },
                "takenBy": step.taken.isEmpty ? nil : .array(step.taken.compactMap(\.by).map { .string($0) }),
                "refused": step.refused,
            ])
        }
        let times = Dictionary(steps.map { ($0.id, $0.endedAt) }) { first, _ in first }
        return .of([
            "provenance": "assent.provenance/v1", "program": .string(rows.program),
            "workflow": .of([
                "id": .string(rows.workflow.id.description), "title": .string(rows.workflow.title),
                "createdAt": .string(rows.workflow.createdAt.description),
                "outcome": rows.workflow.outcome.map { .string($0.rawValue) },
            ]),
            "guide": [
                "id": .string(guide.id), "title": .string(guide.title), "version": .int(guide.version),
                "sha256": .string(ContentHash.of(rows.guide).hex),
            ],
            "steps": .array(ended),
            "place": guide.place == .ask ? steps.first { $0.id == "place" }?.entry.value : nil,
            "media": .array(media.map { $0.provenance(at: times[$0.step] ?? nil) }),
        ])
    }

    /// Returns JSON for readers of JSON and YAML, and for people. Invisible characters are written as escapes.
    static func visible(_ json: JSON) -> String {
        var text = ""
        for scalar in json.pretty.unicodeScalars {
            switch scalar.value {
            case 0x80..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
                0xFFFE, 0xFFFF:
                let hex = String(scalar.value, radix: 16)
                text += "\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\n"
    }
}

extension PackedStep {
    /// Returns the picture with a name, or with a number from 1, or `nil` if there is none.
    fileprivate func medium(_ part: String?) -> PackedMedium? {
        guard let part else { return nil }
        return media.first { $0.part == part } ?? media.first { String($0.index) == part }
    }

    /// The answers that were refused before the accepted one, or `nil` if there are none.
    fileprivate var refused: JSON? {
        guard !refusals.isEmpty else { return nil }
        return .array(
            refusals.map { refused in
                .of([
                    "attempt": .int(refused.attempt), "check": .string(refused.check),
                    "code": .string(refused.code.text),
                    "words": .string(refused.words), "figures": refused.figures,
                ])
            })
    }

    /// The requirements of the guide, the measured values, and the pictures that were accepted although they did not
    /// meet the requirements.
    fileprivate var checks: JSON {
        var acceptance = Acceptance(.text)
        acceptance.demands = entry.step.accept
        let demands = acceptance.json
        return .of([
            "step": .string(id), "number": entry.number.map { .int($0) }, "state": .string(entry.state.rawValue),
            "words": entry.state == .skipped ? .string(skipWords) : nil, "limits": demands["picture"],
            "tests": demands["tests"],
            "media": media.isEmpty
                ? nil
                : .array(
                    media.map { medium in
                        .of([
                            "file": .string(medium.file), "part": medium.part.map { .string($0) },
                            "figures": medium.figures?.json,
                            "taken": medium.taken.map { .string($0) },
                        ])
                    }),
            "taken": taken.isEmpty
                ? nil : .array(taken.map { ["why": .string($0.why)] }),
        ])
    }
}

extension PackedMedium {
    /// Returns the origin of the picture, and the treatment of its metadata.
    ///
    /// - Parameter time: the time when its step ended.
    fileprivate func provenance(at time: Moment?) -> JSON {
        .of([
            "file": .string(file), "step": .string(step), "part": part.map { .string($0) }, "sha256": .string(hash.hex),
            "bytes": .int(size), "at": time.map { .string($0.description) },
            "original": ["sha256": .string(asset.hash.hex), "bytes": .int(asset.bytes), "name": .string(asset.name)],
            "exif": .string(treatment.word), "why": treatment.reason.map { .string($0) },
            "device": device.map { .string($0) }, "takenAt": takenAt.map { .string($0) },
            "place": place.map { ["latitude": .double($0.latitude), "longitude": .double($0.longitude)] },
        ])
    }
}
