/// The numbers of chosen entries of a list, typed as `1,3-5` or `1 3 5`.
package enum Numbers {
    /// Reads numbers and ranges such as `1,3-5`. Returns them in ascending order, each once, or nil for anything else
    /// and for a number beyond the list.
    package static func read(_ text: String, to last: Int) -> [Int]? {
        var numbers: Set<Int> = []
        let parts = text.split(whereSeparator: { $0 == "," || $0 == " " })
        for part in parts {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends.first ?? nil, let end = ends.last ?? nil, ends.count <= 2, first >= 1, first <= end,
                end <= last
            else {
                return nil
            }
            numbers.formUnion(first...end)
        }
        return numbers.isEmpty ? nil : numbers.sorted()
    }
}
