/// What the insertion test puts into sentences: five hundred words of every kind, and conditions that are appended.
enum InsertionWords {
    /// The words, by kind. `_` stands for a space.
    static let byKind: [(kind: String, words: String)] = [
        (
            "adjectives",
            #"""
            purple shiny wooden sleepy gigantic tiny cold wet dry curious gentle happy old young huge thin heavy bright dark
            fresh quiet perfect broken empty full blue green red white black yellow orange pink striped dotted round square flat
            wide tall short long deep private sharp blurry sepia warm cool lossless optimal best worst better worse bad
            clean dirty safe secret urgent original final last first second third previous current latest newest oldest biggest
            smallest largest random sorted unique duplicate
            """#
        ),
        (
            "adverbs",
            #"""
            slowly carefully loudly always often sometimes rarely twice once again backwards forwards sideways outside inside
            nearby everywhere nowhere tomorrow yesterday today tonight soon later early late daily weekly hourly exactly roughly
            almost mostly completely slightly strongly gently heavily extremely very losslessly recursively silently
            alphabetically numerically vertically horizontally separately instead otherwise still already yet even perhaps maybe
            probably automatically manually
            """#
        ),
        (
            "nouns",
            #"""
            banana elephant mountain river bicycle island window garden palace crane robot table candle circle corner background
            foreground face faces metadata exif logo signature caption margin border frame shadow outline page pages chapter
            column columns row rows sentence character number comma semicolon space tab password passphrase encryption key token
            permissions version backup copy copies picture photo image document file files folder directory archive text string
            pixel pixels degrees seconds width height quality format size color colour scale radius angle resolution email
            printer cloud server cluster internet website trash bin morning noon midnight monday week month year
            """#
        ),
        (
            "verbs",
            #"""
            dance sing jump swim sleep dream paint draw colorize sharpen brighten darken mirror flip invert stretch squash
            retouch encrypt decrypt sign translate summarize upload send share post print resize crop rotate blur grayscale
            convert compress shrink enlarge join merge zip unzip sort count replace save overwrite rename move delete remove
            erase destroy wipe discard clear drop strip skip ignore keep leave hide protect lock undo redo retry cancel stop
            abort quit pause wait show list find search open read
            """#
        ),
        (
            "negations, conditions",
            #"""
            not never no none nothing nobody neither nor without except unless if when while until before after because although
            whenever wherever don't doesn't cannot won't isn't shouldn't avoid but or and then either whether
            """#
        ),
        (
            "quantities",
            #"""
            only same whole every all both half each any most many few several less more least enough double triple quarter
            dozen pair another other others everything anything something
            """#
        ),
        (
            "numbers",
            #"""
            7 42 1000 -3 0 3.14 1,200 800 640x480 16:9 1/3 2024-12-31 5px 800px 50% 33% 90° 45° 2MB 300KB 60_kB 10s 3_minutes
            2_hours 5cm 12MP 300dpi 7_days #ff0000 100ms seven forty-two hundred twenty
            """#
        ),
        (
            "signs",
            #"""
            & @ # $ * % ^ ~ = + | < > / \ ™ ° € § 🐈 ... !! => <= -> -- -v --force
            """#
        ),
        (
            "files, addresses, names",
            #"""
            ghost.gif missing.txt report.docx song.mp3 archive.tar.gz ../up.png /etc/hosts ~/secret.txt *.bmp photos/x.jpg
            http://127.0.0.1:9/q.png README Alice Berlin Shakespeare Kubernetes Photoshop Python jpg jpeg png webp tiff gif pdf
            txt json csv docx uppercase lowercase monochrome transparent
            """#
        ),
        (
            "function words",
            #"""
            by with from into onto under over between behind against during about within which that who whose what why how where
            than as at on off out up down per via
            """#
        ),
    ]

    static let all = byKind.flatMap {
        $0.words.split(whereSeparator: \.isWhitespace).map { String($0).replacing("_", with: " ") }
    }

    /// Conditions, appended to a sentence. `{}` stands for a word of the list.
    static let conditions = #"""
        without {}
        without losing {}
        without the {}
        without changing the {}
        without loss of quality
        only {}
        only on {}
        only the {} ones
        only if it is {}
        only half of it
        only the first 3
        only files newer than 3 days
        only above 2 MB
        as {}
        as {} as possible
        as a {}
        as an admin
        as usual
        that begin with {}
        that are {}
        that contain {}
        whose name is {}
        which end with {}
        in {}
        in the {}
        in reverse
        in reverse order
        in alphabetical order
        in three parts
        in {} columns
        in Comic Sans
        in title case
        except {}
        except for the first
        except the {}
        except those with {}
        but not {}
        but not the {}
        but no more than {}
        but only {}
        but keep the {}
        if {}
        if it is larger than 2 MB
        if possible in {}
        unless {}
        unless it is {}
        until {}
        when it is {}
        while {}
        losslessly
        not losslessly
        with {}
        with a {}
        with a red border
        with a {} border
        with password hunter2
        with password {}
        with the {} of dog.png
        with {} steps
        with all its {}
        at {}
        at 7 pm
        at most {}
        by {}
        by tomorrow
        for {}
        for the {}
        for every {}
        from {}
        from the {} side
        from 10 to 20
        to {}
        to the {}
        into {}
        into {} parts
        onto {}
        on {}
        on the {}
        of {}
        of the {}
        per {}
        via {}
        using {}
        using only {}
        ignoring {}
        ignoring the {}
        instead of {}
        rather than {}
        like {}
        like in {}
        twice
        three times
        half as big
        every day
        every {}
        each {}
        all {}
        no {}
        and {}
        and the {}
        and {} it
        and then {}
        and make it {}
        , then {}
        , {}
        , not {}
        ({})
        "{}"
        {} {}
        a {} {}
        more {}
        less {}
        two {}
        5 {}
        50% {}
        800 px {}
        = {}
        --{}
        -{}
        """#.split(separator: "\n").map(String.init)
}
