/// A message about a file that does not exist, with similar names.
struct Missing {
    let listing: Listing

    func refusal(of name: String) -> Refusal {
        let near = Array(self.near(name).prefix(3))
        var refusal = Refusal(
            "There is no \(name) here." + (near.isEmpty ? "" : " Did you mean \(PlannerText.choice(of: near))?")
        )
        .asking(.file)
        (refusal.missing, refusal.choices) = (name, near)
        return refusal
    }

    func near(_ name: String) -> [String] {
        let stem = Self.stem(name)
        let ranked = listing.files.compactMap { file -> (name: String, distance: Int)? in
            let other = Self.stem(file.name)
            guard abs(other.count - stem.count) <= 3 else { return nil }
            let distance = Self.distance(stem, other)
            let limit = stem.count <= 3 ? 0 : stem.count <= 5 ? 1 : 2
            guard distance <= limit || Slip.isSlip(stem, of: other) || (other.contains(stem) && stem.count >= 3) else {
                return nil
            }
            return (file.name, distance)
        }
        return ranked.sorted { $0.distance != $1.distance ? $0.distance < $1.distance : $0.name < $1.name }.map(\.name)
    }

    private static func stem(_ name: String) -> String {
        let base = FileName.base(of: name).lowercased()
        return base.lastIndex(of: ".").map { String(base[..<$0]) } ?? base
    }

    /// Returns the Levenshtein distance of two names, of which at most 64 characters count.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one.prefix(64)), Array(other.prefix(64)))
        var row = Array(0...b.count)
        for i in 0..<a.count {
            var diagonal = row[0]
            row[0] = i + 1
            for j in 0..<b.count {
                let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[b.count]
    }
}
