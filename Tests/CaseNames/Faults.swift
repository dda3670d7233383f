package import Testing

/// The most faults that one issue lists.
private let mostFaults = 40

/// Checks every row of a table in one test, and reports the faults of all rows in one issue. A case for each row would
/// cost more than its check: the runner announces every case twice.
///
/// - Parameter faults: Returns what is wrong with a row, in words that name the row.
package func expectNoFaults<Row>(
    in rows: [Row], sourceLocation: SourceLocation = #_sourceLocation, _ faults: (Row) throws -> [String]
) rethrows {
    #expect(!rows.isEmpty, "there is no row to check", sourceLocation: sourceLocation)
    let found = try rows.flatMap { try faults($0) }
    let words = found.prefix(mostFaults).joined(separator: "\n")
    #expect(found.isEmpty, "\(found.count) faults in \(rows.count) rows:\n\(words)", sourceLocation: sourceLocation)
}
