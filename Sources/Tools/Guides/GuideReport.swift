import JSON
import Pictures
import Vocabulary

/// The report of a package: a page of HTML that needs no network, loads nothing from outside its folder, and runs no
/// scripts. Lines about the time, the person and the source of an entry have the class `provenance`.
struct GuideReport {
    private let texts: PackageTexts

    /// The most characters of one text, and the most refused answers of one step.
    private static let textCharacters = 4000
    private static let refusals = 20
    /// The most bytes of the steps. The steps after them are in `answers.json` only.
    private static let stepsBytes = 8 << 20

    /// Creates the report of a package.
    init(_ texts: PackageTexts) { self.texts = texts }

    var html: String {
        let guide = texts.guide
        let about = guide.about.isEmpty ? [] : [#"<p class="about" dir="auto">\#(text(guide.about))</p>"#]
        let lines = [
            "<!DOCTYPE html>", #"<html lang="en">"#, "<head>", #"<meta charset="utf-8">"#,
            #"<meta http-equiv="Content-Security-Policy" content="\#(ReportStyle.policy)">"#,
            #"<meta name="viewport" content="width=device-width, initial-scale=1">"#,
            #"<meta name="referrer" content="no-referrer">"#,
            #"<meta name="color-scheme" content="light dark">"#, "<title>\(text(guide.title))</title>",
            "<style>\(ReportStyle.css)</style>", "</head>", "<body>", "<main>", "<header>",
            #"<h1 dir="auto">\#(text(guide.title))</h1>"#,
        ]
        let page =
            lines + about + [
                #"<p class="provenance">\#(Self.minute(texts.rows.workflow.createdAt))</p>"#, "<p>\(count)</p>",
                "</header>",
            ]
            + table + steps + provenance + ["</main>", "</body>", "</html>"]
        return page.joined(separator: "\n") + "\n"
    }

    private func text(_ text: String) -> String { HTMLText.escaped(text, limit: Self.textCharacters) }

    /// Returns a time in minutes: `2026-11-25 14:02 UTC`.
    private static func minute(_ moment: Moment) -> String {
        moment.description.prefix(16).replacing("T", with: " ") + " UTC"
    }

    private var count: String {
        let states: [(GuideRecord.State, String)] = [
            (.answered, "answered"), (.skipped, "skipped"), (.notAsked, "not asked"), (.asked, "open"),
            (.open, "not reached"),
            (.failed, "failed"),
        ]
        let parts = states.compactMap { state, words in
            let count = texts.steps.count { $0.entry.state == state }
            return count == 0 ? nil : "\(count) \(words)"
        }
        return "\(texts.steps.count) \(texts.steps.count == 1 ? "step" : "steps"): \(parts.joined(separator: ", "))."
    }

    // MARK: Steps

    private var table: [String] {
        let rows = texts.steps.map { step in
            "<tr><td>\(number(step))</td><td dir=\"auto\"><a href=\"#\(anchor(step))\">\(text(step.entry.step.title))</a></td>"
                + "<td dir=\"auto\">\(answer(step, isShort: true))</td></tr>"
        }
        return ["<table>", "<thead><tr><th>No.</th><th>Step</th><th>Answer</th></tr></thead>", "<tbody>"] + rows + [
            "</tbody>", "</table>",
        ]
    }

    private var steps: [String] {
        var lines: [String] = []
        var bytes = 0
        for step in texts.steps {
            let section = section(step)
            bytes += section.reduce(0) { $0 + $1.utf8.count }
            guard bytes <= Self.stepsBytes else {
                return lines + ["<p>More steps are in answers.json and checks.json.</p>"]
            }
            lines += section
        }
        return lines
    }

    private func number(_ step: PackedStep) -> String { step.entry.number.map { String($0) } ?? "" }

    private func anchor(_ step: PackedStep) -> String { "step-\(HTMLText.escaped(GuideStep.part(step.id)))" }

    private func section(_ step: PackedStep) -> [String] {
        var lines = [
            "<section id=\"\(anchor(step))\">",
            "<h2 dir=\"auto\"><span class=\"number\">\(number(step))</span> \(text(step.entry.step.title))</h2>",
        ]
        if step.entry.step.instruction != step.entry.step.title {
            lines.append("<p class=\"instruction\" dir=\"auto\">\(text(step.entry.step.instruction))</p>")
        }
        if step.media.isEmpty || step.entry.value != nil {
            lines.append("<p class=\"answer\" dir=\"auto\">\(answer(step, isShort: false))</p>")
        }
        if !step.media.isEmpty {
            lines.append("<div class=\"pictures\">")
            lines += step.media.flatMap { figure($0, of: step) }
            lines.append("</div>")
        }
        for taken in step.taken {
            lines.append("<p class=\"taken\" dir=\"auto\">Taken as it is: \(text(taken.why))</p>")
            if let by = taken.by { lines.append("<p class=\"provenance\" dir=\"auto\">Taken by \(text(by))</p>") }
        }
        if !step.refusals.isEmpty { lines.append(refusals(step)) }
        for annotation in step.annotations {
            let part = annotation.part.map { "\(text($0)): " } ?? ""
            lines.append("<p class=\"note\" dir=\"auto\">\(part)\(text(annotation.text))</p>")
        }
        return lines + ["</section>"]
    }

    private func answer(_ step: PackedStep, isShort: Bool) -> String {
        switch step.entry.state {
        case .open: return "<em>Not reached.</em>"
        case .asked: return "<em>Open.</em>"
        case .notAsked: return "<em>Not asked: its condition does not hold.</em>"
        case .failed: return "<em>Failed.</em>"
        case .skipped: return "<em>Skipped\(step.skipWords.isEmpty ? "." : ": \(text(step.skipWords))")</em>"
        case .answered: break
        }
        let pictures = step.media.count == 1 ? "1 picture" : "\(step.media.count) pictures"
        guard let value = step.entry.value else { return step.media.isEmpty ? "<em>No answer.</em>" : pictures }
        let words = value.array.map { $0.compactMap(\.string).joined(separator: ", ") } ?? value.string ?? value.text
        var unit = ""
        if case .number(let written) = step.entry.step.kind, !written.isEmpty { unit = " \(text(written))" }
        return (isShort ? HTMLText.escaped(words, limit: 200) : text(words)) + unit
    }

    /// Returns the refused answers in one line, which may differ between two runs with the same answers.
    private func refusals(_ step: PackedStep) -> String {
        let items = step.refusals.prefix(Self.refusals).map {
            "<li dir=\"auto\">\(text($0.words)) <span class=\"code\">(\(text($0.code.text)))</span></li>"
        }
        let more = step.refusals.count - items.count
        let rest = more > 0 ? "<li>\(more) more, in provenance.json</li>" : ""
        return #"<div class="provenance"><p>Refused before:</p><ul>"# + items.joined() + rest + "</ul></div>"
    }

    // MARK: Pictures

    /// The formats that browsers show.
    private static let shown: Set<String> = ["jpg", "png", "gif", "webp", "avif"]

    private func figure(_ medium: PackedMedium, of step: PackedStep) -> [String] {
        let file = HTMLText.escaped(medium.file)
        let name = HTMLText.escaped(String(medium.file.dropFirst("media/".count)))
        var facts = [medium.part.map { text($0) }, name, FileSize.words(medium.size)].compactMap(\.self)
        if let width = medium.asset.meta["width"]?.int, let height = medium.asset.meta["height"]?.int {
            facts.append("\(width)×\(height)")
        }
        var lines = ["<figure>"]
        if Self.shown.contains(medium.format ?? "") {
            let alt = [step.entry.step.title, medium.part].compactMap(\.self).joined(separator: ", ")
            lines.append("<a href=\"\(file)\"><img src=\"\(file)\" alt=\"\(text(alt))\"></a>")
        } else {
            lines.append("<a href=\"\(file)\">Open \(name)</a>")
        }
        lines.append("<figcaption dir=\"auto\">\(facts.joined(separator: " · "))")
        if let figures = medium.figures {
            lines.append(
                "<br>sharpness \(figures.sharp), brightness \(figures.bright), white \(figures.white) %, black \(figures.black) %"
            )
        }
        if let time = step.endedAt {
            lines.append("<br class=\"provenance\"><time class=\"provenance\">\(Self.minute(time))</time>")
        }
        return lines + ["</figcaption>", "</figure>"]
    }

    // MARK: Provenance

    private var provenance: [String] {
        let workflow = texts.rows.workflow
        var lines = ["<footer>", "<h2>Provenance</h2>"]
        func line(_ words: String) { lines.append("<p class=\"provenance\" dir=\"auto\">\(words)</p>") }
        line(
            "Guide \(text(texts.guide.id)), version \(texts.guide.version). Workflow \(workflow.id), begun \(workflow.createdAt)."
        )
        line("Made by \(text(texts.rows.program)).")
        for medium in texts.media {
            var words =
                "\(HTMLText.escaped(medium.file)): \(text(medium.asset.name)), SHA-256 <code>\(medium.hash.hex)</code>"
            if let reason = medium.treatment.reason { words += ", <strong>metadata not cut: \(text(reason))</strong>" }
            if let device = medium.device { words += ", \(text(device))" }
            if let place = medium.place { words += ", at \(place.latitude), \(place.longitude)" }
            line(words)
        }
        for step in texts.steps {
            guard let time = step.endedAt else { continue }
            line(
                "Step \(number(step)), \(text(step.id)): \(Self.minute(time))\(step.endedBy.map { ", by \(text($0))" } ?? "")"
            )
        }
        return lines + ["</footer>"]
    }
}
