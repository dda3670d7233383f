/// Numbers as a person types them to choose some of a list: `1,3-5` or `1 3 5`.
enum Numbers {
    /// In ascending order, each once; `nil` where something else stands there, or a number that the list does not have.
    static func read(_ text: String, to last: Int) -> [Int]? {
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
