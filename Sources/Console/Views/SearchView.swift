import Actions
import JSON
package import Terminal
package import Vocabulary

/// The conversations that a search found, each with the place and the marked words.
package enum SearchView {
    package static func lines(_ hits: [SearchHit], hasMore: Bool, now: Moment, columns: Int) -> [StyledText] {
        guard !hits.isEmpty else {
            return Layout.wrapped(StyledText("Nothing was found.", .dim), columns: columns, indent: 2)
        }
        let lines = hits.flatMap { hit in
            let head = Layout.dotted([
                StyledText(hit.session.id.description, .bold) + StyledText("  ") + StyledText(hit.session.title),
                StyledText(Amounts.age(of: hit.at, now: now), .dim),
            ])
            return Layout.wrapped(head, columns: columns, indent: 2, hanging: 6)
                + Layout.wrapped(place(of: hit), columns: columns, indent: 6, hanging: 6)
        }
        guard hasMore else { return lines }
        let more = StyledText("There are more · --limit \(2 * hits.count) shows more of them", .dim)
        return lines + Layout.wrapped(more, columns: columns, indent: 2)
    }

    private static func place(of hit: SearchHit) -> StyledText {
        // The match is marked by signs, too, since there may be no colours.
        let text = StyledText(
            hit.snippet.map { $0.isMatch ? StyledText("»\($0.text)«", [.bold, .accent]) : StyledText($0.text) })
        return hit.turn.map { StyledText("turn \($0): ", .dim) + text } ?? StyledText("title: ", .dim) + text
    }
}

extension SearchHit {
    var json: JSON {
        session.json.adding("turn", turn.map { .int($0) }).adding("at", .string(at.description)).adding(
            "snippet", .array(snippet.map { .of(["text": .string($0.text), "match": $0.isMatch ? true : nil]) }))
    }
}
