package import Actions
import JSON
package import Terminal
package import Vocabulary

/// The views of disk usage, of freed and pinned contents, and of bundles that were written or read.
package enum UsageView {
    package static func lines(_ usage: StorageUsage, columns: Int) -> [StyledText] {
        var rows = StorageUsage.Part.allCases.compactMap { part in
            usage.parts[part].flatMap { $0.files > 0 ? row(part.words, $0, note(part, usage)) : nil }
        }
        rows.append(row("in all", usage.total, ""))
        let users = usage.users.map { user in
            [
                StyledText(user.id.description, .bold), StyledText(Amounts.size(user.all.bytes)),
                StyledText(user.own == user.all ? "" : "\(Amounts.size(user.own.bytes)) its own", .dim),
                StyledText(user.title),
            ]
        }
        let isCut = usage.users.count < usage.userCount
        let head = "by workflow" + (isCut ? ", the \(usage.users.count) of \(usage.userCount) that use most" : "")
        return Layout.table(rows, columns: columns)
            + (users.isEmpty
                ? []
                : [StyledText("  \(head)", .dim).truncated(to: columns)]
                    + Layout.table(users, columns: columns, indent: 4))
            + Layout.wrapped(StyledText("To free some: \(Voice.call("cache free"))", .dim), columns: columns, indent: 2)
    }

    package static func lines(_ freed: FreedSpace, columns: Int) -> [StyledText] {
        let rows = FreedSpace.Part.allCases.compactMap { part in
            freed.parts[part].flatMap { $0.files > 0 ? row(part.words, $0, "") : nil }
        }
        let verb = freed.isDryRun ? "would be freed" : "freed"
        let sum =
            "\(Amounts.size(freed.total.bytes)) \(verb)"
            + (freed.isDryRun && freed.total.files > 0 ? ": \(Voice.call("cache free"))" : "")
        return Layout.table(rows, columns: columns) + Layout.wrapped(StyledText(sum), columns: columns, indent: 2)
    }

    package static func lines(_ pins: [KeptAsset], now: Moment, columns: Int) -> [StyledText] {
        guard !pins.isEmpty else {
            return Layout.wrapped(
                StyledText("Nothing is kept offline: \(Voice.call("pin w3.2.1.image"))", .dim), columns: columns,
                indent: 2)
        }
        let rows = pins.map { pin in
            [
                StyledText(pin.reference, .bold), StyledText(pin.name), StyledText(Amounts.size(pin.bytes)),
                StyledText(Amounts.age(of: pin.at, now: now), .dim), StyledText(String(pin.hash.hex.prefix(12)), .dim),
            ]
        }
        return Layout.table(rows, columns: columns)
    }

    package static func lines(_ bundled: BundleSummary, isExport: Bool, columns: Int) -> [StyledText] {
        let what = "\(Amounts.count(bundled.contents, "content")), \(Amounts.size(bundled.bytes))"
        var lines = Layout.wrapped(
            isExport
                ? StyledText("\(bundled.workflow) is in \(bundled.path): \(what)")
                : StyledText(
                    "\(bundled.workflow) \"\(bundled.title)\" came in: \(what) · \(Voice.call("show \(bundled.workflow)"))"
                ),
            columns: columns)
        if bundled.withheld > 0 {
            lines += Layout.wrapped(
                StyledText(
                    "\(Amounts.count(bundled.withheld, "content")) did not come along: gone, or made of files that may hold keys.",
                    .warning
                ),
                columns: columns)
        }
        if bundled.isHeld {
            lines += Layout.wrapped(
                StyledText("It was not over. To let it go on: \(Voice.call("release \(bundled.workflow)"))", .question),
                columns: columns)
        }
        return lines
    }

    /// Returns the rows of quarantined workflows, which stand below the list of the others.
    package static func lines(_ quarantined: [Quarantine], columns: Int) -> [StyledText] {
        quarantined.flatMap { entry in
            let remedy = entry.cause == .imported ? "release \(entry.workflow)" : "doctor --repair"
            return Layout.wrapped(
                StyledText("\(entry.workflow) is set aside: \(entry.reason) · \(Voice.call(remedy))", .warning),
                columns: columns,
                indent: 2)
        }
    }

    private static func row(_ name: String, _ amount: FileAmount, _ note: String) -> [StyledText] {
        [
            StyledText(name, .bold), StyledText(Amounts.size(amount.bytes)),
            StyledText(Amounts.count(amount.files, "file"), .dim),
            StyledText(note, .dim),
        ]
    }

    private static func note(_ part: StorageUsage.Part, _ usage: StorageUsage) -> String {
        switch part {
        case .contents:
            (usage.unnamed.files > 0 ? ["\(Amounts.size(usage.unnamed.bytes)) that no workflow names"] : [])
                .appending(usage.kept.isEmpty ? nil : "\(usage.kept.count) kept offline").joined(separator: " · ")
        case .thumbnails: "at most \(Amounts.size(Limits.thumbnailsBytes))"
        case .previews: "gone after \(Int(Limits.previewSeconds / 86_400)) days"
        case .runs, .undo, .rehearsals, .database, .log, .rest: ""
        }
    }
}

extension [String] {
    fileprivate func appending(_ more: String?) -> [String] { self + (more.map { [$0] } ?? []) }
}

extension StorageUsage.Part {
    fileprivate var words: String {
        switch self {
        case .contents: "assets"
        case .thumbnails: "thumbnails"
        case .previews: "previews"
        case .runs: "run folders"
        case .undo: "undo copies"
        case .rehearsals: "commands that were rehearsed"
        case .database: "database"
        case .log: "log"
        case .rest: "other"
        }
    }
}

extension FreedSpace.Part {
    fileprivate var words: String {
        switch self {
        case .contents: "assets that no workflow names"
        case .thumbnails: "thumbnails"
        case .previews: "previews"
        case .runs: "run folders of what is over"
        case .undo: "undo copies"
        case .rehearsals: "commands that were rehearsed"
        case .leftovers: "what crashes left"
        }
    }
}

extension KeptAsset {
    var reference: String { "\(run).\(port)" }
    var title: String { "\(reference) (\(name), \(Amounts.size(bytes)))" }

    var json: JSON {
        .of([
            "asset": .string(reference), "sha256": .string(hash.hex), "bytes": .int(bytes), "name": .string(name),
            "at": .string(at.description),
        ])
    }
}

extension JSON {
    func adding(_ key: String, _ value: JSON?) -> JSON {
        guard var object else { return self }
        object[key] = value
        return .object(object)
    }
}

extension FileAmount {
    var json: JSON { ["files": .int(files), "bytes": .int(bytes)] }
}

extension StorageUsage {
    var json: JSON {
        .of([
            "files": .int(total.files), "bytes": .int(total.bytes),
            "parts": .object(
                JSON.Object(
                    members: Part.allCases.map { .init(key: $0.rawValue, value: (parts[$0] ?? FileAmount()).json) })),
            "unnamed": unnamed.json, "kept": .array(kept.map(\.json)), "workflowCount": .int(userCount),
            "workflows": .array(
                users.map { user in
                    .of([
                        "workflow": .string(user.id.description), "title": .string(user.title),
                        "files": .int(user.all.files),
                        "bytes": .int(user.all.bytes), "own": .int(user.own.bytes),
                    ])
                }),
        ])
    }
}

extension FreedSpace {
    var json: JSON {
        .of([
            "dryRun": .bool(isDryRun), "files": .int(total.files), "bytes": .int(total.bytes),
            "parts": .object(
                JSON.Object(
                    members: Part.allCases.map { .init(key: $0.rawValue, value: (parts[$0] ?? FileAmount()).json) })),
        ])
    }
}

extension BundleSummary {
    var json: JSON {
        .of([
            "workflow": .string(workflow.description), "title": .string(title), "path": .string(path),
            "contents": .int(contents),
            "withheld": .int(withheld), "bytes": .int(bytes), "held": isHeld ? true : nil,
        ])
    }
}

extension Quarantine {
    var json: JSON {
        .of(["cause": .string(cause.rawValue), "reason": .string(reason), "at": .string(at.description)])
    }
}
