import Vocabulary

/// Places other than this machine: "on the cluster", "via ssh", "on another machine". A plan runs here, and leaving the place out would do
/// something else than was said.
enum Elsewhere {
    /// - Parameter providers: the ids of providers of jobs: the first word of each is a place, too.
    static func check(_ tokens: [Token], providers: some Sequence<String> = []) throws(Refusal) {
        let names = Set(providers.compactMap { $0.split(separator: "-").first.map(String.init) })
        for place in tokens.indices where tokens[place].isWord {
            guard let end = end(ofPlaceAt: place, in: tokens, names) else { continue }
            let said = tokens[place...end].map(\.text).joined(separator: " ")
            throw Refusal(
                "I work here, on this machine, so not “\(said)”. A job elsewhere is a tool of its own: /tools lists what there is.")
        }
    }

    private static let prepositions: Set<String> = ["on", "onto", "in", "at", "via", "through", "over", "inside"]
    /// These also lead to a text, a name, or what a picture is covered with.
    private static let vaguePrepositions: Set<String> = ["with", "using", "by", "to"]
    private static let places: Set<String> = [
        "cluster", "clusters", "cloud", "server", "servers", "gpu", "gpus", "grid", "hpc", "supercomputer", "datacenter", "remote",
    ]
    private static let engines: Set<String> = [
        "slurm", "kubernetes", "k8s", "ssh", "aws", "azure", "gcp", "ec2", "airflow", "argo", "prefect", "dask", "spark", "docker",
    ]
    private static let machines: Set<String> = [
        "machine", "machines", "computer", "computers", "host", "hosts", "node", "nodes", "workers", "laptop", "box",
    ]
    private static let others: Set<String> = ["another", "other", "remote", "different", "bigger", "faster", "second"]
    private static let small: Set<String> = ["the", "a", "an", "my", "our", "your", "their", "some", "any", "big", "company", "local"]
    /// What follows these is a text or a name.
    private static let literalVerbs: Set<String> = [
        "replace", "change", "substitute", "swap", "find", "search", "write", "rename", "call", "name", "turn",
    ]

    /// - Returns: where the words for a place end that begin here; `nil` if there are none.
    private static func end(ofPlaceAt place: Int, in tokens: [Token], _ names: Set<String>) -> Int? {
        let preposition = tokens[place].word
        if ["remotely", "elsewhere"].contains(preposition) { return place }
        let isVague = vaguePrepositions.contains(preposition)
        guard isVague || prepositions.contains(preposition), !isForbidden(place, in: tokens) else { return nil }
        var (next, isOther, isNamed) = (place + 1, false, false)
        while tokens.indices.contains(next), next < place + 4 {
            if case .number = tokens[next].kind {
                isOther = true
            } else if tokens[next].isWord, others.contains(tokens[next].word), !places.contains(tokens[next].word) {
                isOther = true
            } else if tokens[next].isWord, small.contains(tokens[next].word) {
                isNamed = true
            } else {
                break
            }
            next += 1
        }
        guard tokens.indices.contains(next), tokens[next].isWord else { return nil }
        let word = tokens[next].word
        if isVague {
            guard !tokens[..<place].contains(where: { literalVerbs.contains($0.word) }) else { return nil }
            return engines.contains(word) || (isNamed || isOther) && places.contains(word) ? next : nil
        }
        let isElsewhere = engines.contains(word) || names.contains(word) || places.contains(word) || isOther && machines.contains(word)
        return isElsewhere ? next : nil
    }

    /// "not on the cluster" is where it runs anyway.
    private static func isForbidden(_ place: Int, in tokens: [Token]) -> Bool {
        tokens[..<place].suffix(2).contains { Negation.words.contains($0.word) }
    }
}
