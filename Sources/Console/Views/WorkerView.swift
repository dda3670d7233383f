import Actions
import Terminal
import Vocabulary

/// The notice about background processes that run workflows without a chat, and would not be noticed otherwise.
enum WorkerView {
    static func lines(_ workers: [BackgroundWorker], now: Moment, columns: Int) -> [StyledText] {
        workers.prefix(shownLimit).flatMap {
            Layout.wrapped(StyledText($0.words(now: now), .dim), columns: columns, indent: 2)
        }
            + (workers.count > shownLimit
                ? Layout.wrapped(
                    StyledText("\(workers.count - shownLimit) more: \(Voice.call("doctor"))", .dim), columns: columns,
                    indent: 2) : [])
    }

    private static let shownLimit = 3
}
