/// The English that the built-in planner knows beside the words of the manifests.
enum Lexicon {
    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    static let pronouns = set("it them they this that these those result results output outputs one ones its their")
    static let determiners = set("a an the my our your his her their its this that these those some any all each every both another same")
    static let prepositions = set(
        "to into in onto on at as by with from of for under below over above within inside out off up about through via per than between "
            + "until till across around against toward towards like using next before after")
    static let politeness = set(
        "please pls plz kindly thanks thank thx cheers hey hi hello ok okay so well now just maybe perhaps could can would will you your i "
            + "i'd i'll i'm id we we'd let's lets let me us want wants need needs like love would'd wish should shall may might must to be is are am was "
            + "were been it's that's here there actually really quickly only simply also too again first second third finally lastly then next "
            + "and or but if when while because since yes yeah sure right away possible course favour favor dear computer assent mind try "
            + "go ahead going gonna wanna whole entire own new nice nicely good better best great very quite rather little bit slightly somewhat "
            + "of course same time every each all both once done afterwards later today tomorrow tonight soon asap currently "
            + "everything else something anything nothing not no don't do does did never still already kind sort lot lots able help")
    /// Verbs that carry no meaning of their own: "make cat.jpg grey".
    static let lightVerbs = set(
        "make makes making made get give have do does create produce generate apply use set keep bring take change turn put add perform "
            + "process handle work let want need prepare adjust edit modify update fix start begin ensure return render tell build "
            + "transform reduce increase lower leave come be")
    static let nouns = set(
        "picture pictures image images photo photos photograph photographs pic pics file files folder folders directory text texts json data "
            + "document documents version versions copy copies format formats size sizes width height edge side dimension quality limit name names "
            + "archive title content contents word words line lines character characters field value key path url link web page site website "
            + "original originals color colour thing things stuff item items result results percent pixels pixel px kb mb bytes "
            + "degrees degree seconds second minutes minute hours hour angle radius amount level way end top bottom left right corner "
            + "middle center centre half quarter square box maximum max minimum min most least total number shell command terminal")
    static let comparatives = set("larger bigger greater more over above higher wider taller longer exceeding heavier")
    static let ceilings = set("under below max maximum most within less smaller lighter fewer limit upto < <= ≤ beneath")
    static let floors = set("over above least minimum min larger bigger greater more exceeding > >= ≥ heavier")
    static let questionWords = set(
        "what what's whats which who who's when where where's why how how's is are was were does do did has have am should isn't aren't")
    static let auxiliaries = set("is are was were do does did has have had will would can could should am may might")
    static let literalDeletes = set("delete remove rm erase trash destroy")
    static let literalMoves = set("move rename mv relocate")
    static let saveWords = set("save store keep export write output")
    static let images = set("jpg jpeg png webp tiff tif gif avif heic bmp svg")
    static let texts = set("txt md markdown csv tsv log html htm xml yaml yml toml ini cfg conf swift c h py js ts sh css rst tex text")
    static let otherExtensions = set(
        "json pdf zip tar gz tgz mp3 mp4 mov avi mkv wav ogg flac doc docx xls xlsx ppt pptx odt ods bin dat db sqlite exe iso tmp bak out old psd raw"
    )
    static let extensions = images.union(texts).union(otherExtensions)

    /// Words people say for a word that a manifest says.
    static let synonyms = [
        "shrunk": "shrink", "downscale": "shrink", "downsize": "shrink", "minify": "shrink", "upscale": "enlarge", "rescale": "scale",
        "spin": "rotate", "b&w": "bw", "b/w": "bw", "squeeze": "compress", "squash": "compress", "squish": "compress", "grab": "fetch",
        "retrieve": "fetch", "view": "show",
        "display": "show", "ls": "list", "rotated": "rotate", "anticlockwise": "counterclockwise", "anti-clockwise": "counterclockwise",
        "u": "you", "ur": "your", "gimme": "give", "re-encode": "convert", "reencode": "convert", "encode": "convert",
        "transcode": "convert", "re-size": "resize", "re-scale": "scale", "pull": "extract", "locate": "find", "search": "find",
        "quadruple": "twice", "exchange": "swap", "resample": "resize", "reformat": "convert", "gzip": "zip", "unzip": "unzip",
    ]

    static let units: [String: Token.Unit] = {
        var units: [String: Token.Unit] = ["%": .percent, "°": .degrees]
        func add(_ words: String, _ unit: Token.Unit) { for word in words.split(separator: " ") { units[String(word)] = unit } }
        add("px pixel pixels pix", .pixels)
        add("percent pct", .percent)
        add("degree degrees deg degs", .degrees)
        add("b byte bytes", .bytes(1))
        add("k kb kbyte kbytes kilobyte kilobytes", .bytes(1e3))
        add("kib kibibyte kibibytes", .bytes(1024))
        add("mb mbyte mbytes megabyte megabytes meg megs", .bytes(1e6))
        add("mib mebibyte mebibytes", .bytes(1_048_576))
        add("gb gigabyte gigabytes gig gigs", .bytes(1e9))
        add("gib", .bytes(1_073_741_824))
        add("ms msec millisecond milliseconds", .seconds(0.001))
        add("s sec secs second seconds", .seconds(1))
        add("min mins minute minutes", .seconds(60))
        add("h hr hrs hour hours", .seconds(3600))
        add("day days", .seconds(86_400))
        add("cm mm inch inches dpi", .foreign)
        return units
    }()

    static let numbers: [String: Double] = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
        "twelve": 12, "thirteen": 13, "fourteen": 14, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "fifteen": 15,
        "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
        "hundred": 100, "thousand": 1000,
    ]

    /// Whether two words differ by one slip of the hand: a letter too many, too few, wrong, or two swapped. Words of three letters only
    /// by a swap.
    static func isSlip(_ word: String, of other: String) -> Bool {
        let (a, b) = (Array(word), Array(other))
        guard abs(a.count - b.count) <= 1, a.count >= 3, b.count >= 3, a != b else { return false }
        var start = 0
        while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
        var end = 0
        while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        let (left, right) = (a.count - start - end, b.count - start - end)
        if left == 2, right == 2 { return a[start] == b[start + 1] && a[start + 1] == b[start] }
        guard left <= 1, right <= 1 else { return false }
        return min(a.count, b.count) >= 4
    }

    /// Words that may stand anywhere without being an action.
    static let filler = politeness.union(determiners).union(prepositions).union(pronouns).union(lightVerbs).union(nouns)
    private static let longFiller = (politeness.union(determiners).union(lightVerbs).union(nouns)).filter { $0.count >= 3 }

    static func isFiller(_ word: String) -> Bool {
        filler.contains(word) || word.hasSuffix("ly") || units[word] != nil || numbers[word] != nil
            || (word.count >= 3 && longFiller.contains { isSlip(word, of: $0) })
    }
}
