import Glibc
package import JSON
package import Terminal
package import Vocabulary

/// Where the results of a command go: lines of JSON for programs, drawn lines for people.
package struct Output: Sendable {
    package let isJSON: Bool
    package let screen: any Screen

    package init(isJSON: Bool, screen: any Screen) {
        self.isJSON = isJSON
        self.screen = screen
    }

    package var columns: Int { screen.columns }

    /// One of the two, made only if it is wanted.
    func show(_ lines: @autoclosure () -> [StyledText], json: @autoclosure () -> [JSON]) {
        if isJSON {
            for value in json() { Self.write(value) }
        } else {
            screen.show(lines())
        }
    }

    /// The event as a line of JSON; people are shown events by views.
    package func line(_ event: Event) {
        if isJSON { Self.write(event.line) }
    }

    package func fail(_ failure: Failure, at now: Moment) {
        if isJSON {
            Self.write(Event(at: now, .error(failure)).line)
        } else {
            screen.show(FailureLine.lines(failure, columns: columns))
        }
    }

    /// Whole lines in one write each, so that two writers never mix within a line.
    package static func write(_ json: JSON) {
        var bytes = Array(json.text.utf8)
        bytes.append(UInt8(ascii: "\n"))
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
