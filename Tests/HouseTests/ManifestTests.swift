import CaseNames
import Embedded
import JSON
import Manifests
import Testing
import Vocabulary

@Suite struct ManifestTests {
    private func read(_ text: String) -> (tools: [ToolManifest], problems: [Problem]) {
        readTools(text, file: "t.yaml", isShipped: false) { ContentHash(hex: String($0.utf8.count)) }
    }

    static let shipped = Embedded.paths.filter { $0.hasPrefix("Config/tools/") && $0.hasSuffix(".yaml") }

    @Test(arguments: shipped) func everyShippedManifestReadsWithoutProblem(path: String) throws {
        let (tools, problems) = readTools(
            PlacedJSON(try #require(Embedded.text(at: path))), file: path, isShipped: true
        ) { _ in
            .ofNothing
        }
        #expect(problems.isEmpty)
        #expect(!tools.isEmpty)
    }

    @Test func shippedKindsAreUniqueAndComplete() throws {
        let kinds = try Self.shipped.flatMap { path in
            readTools(PlacedJSON(try #require(Embedded.text(at: path))), file: path, isShipped: true) { _ in .ofNothing
            }.tools.map(
                \.kind)
        }
        #expect(Set(kinds).count == kinds.count)
        let expected = """
            ColumnFigure GroupFigure TopRow LookUp AddRow KeepRows CountRows SortRows RemoveColumn KeepColumns
            RenameColumn FirstRows CSVToJSON JSONToCSV FormatJSON SetJSON RemoveJSONKey JSONKeys CountJSON LookUpJSON
            MakeFolder RankFiles ChangedFiles FileTime PhotoDate DuplicateFiles SpaceUsed CountFiles NamesWithText
            FindNames PrefixNames NumberNames RenameByDate SplitText GitState GitBranch GitCommit GitRestore JoinPDFs
            AppendPDF TextToPDF MarkdownToHTML CSVToExcel PictureToPDF PicturesToPDF PDFPageToJPG PDFPageToPNG PDFToPictures PDFText PDFToText CountPages
            TakePages RemovePages SplitPDF RotatePDF CompressPDF SoundToMP3 SoundToWAV SoundToOGG SoundToFLAC
            FilmSoundMP3 FilmSoundWAV FilmSoundOGG FilmSoundFLAC SoundPart FilmPart FilmFrame FilmToGIF FilmToMP4
            FilmToMOV FilmToMKV FilmToWebM FilmSmaller FilmMute SoundLength FilmLength SoundLouder SoundQuieter Mirror
            Brighter Darker MoreContrast LessContrast Square Invert Sepia Sharpen ContactSheet SideBySide Caption
            RemoveMetadata Flatten ListArchive CountInArchive TakeFromArchive TarToZip ZipToTar TestArchive AddToZip
            ZipEach GzipFile Text JoinText CountWords CountText ReplaceText ChangeCase SortLines UniqueLines
            RemoveEmptyLines NumberLines ReverseLines FilterLines TakeLines AppendText TextTemplate JSONQuery
            JSONMerge FileLoader URLLoader SaveFile ReadFile WriteFile ListFiles FindText MoveFile DeleteFile
            CopyFolder Zip Tar Unpack HTTPFetch Shell ImageLoader Resize Crop Margin Trim Rotate Grayscale Blur
            ConvertImage CompressLocal Composite ApplyMask ImageInfo PictureCheck ReadCode Pass Approve AskPerson Delay UserMaskEditor
            UserAssetPicker ParamConfirm Choose AskText Capture CodeCapture Note StylizeRemote TextToImage
            UpscaleRemote RemoveBackground DepthMap Segment CaptionImage RayJob BentoTask JobRequest ReadLines SearchFiles
            ListTree Edit
            """
        #expect(Set(kinds) == Set(expected.split(whereSeparator: \.isWhitespace).map { String($0) }))
    }

    /// What a shipped tool calls, `make` installs, unless every Debian has it.
    @Test func whatAShippedToolCallsIsInstalledByTheMakefile() throws {
        let inEveryDebian: Set = ["coreutils", "findutils", "grep", "gzip", "libc-bin", "mawk", "sed", "tar"]
        let installed = Set(
            House.lines(of: "Makefile").flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { String($0) })
        for path in Self.shipped {
            let (tools, _) = readTools(
                PlacedJSON(try #require(Embedded.text(at: path))), file: path, isShipped: true
            ) { _ in .ofNothing }
            for tool in tools {
                let missing = tool.needs.map(\.debianPackage).filter { !inEveryDebian.union(installed).contains($0) }
                #expect(missing == [], "\(tool.kind)")
            }
        }
    }

    @Test(arguments: [
        ("{method: [GET, HEAD]}", "GET", true), ("{method: [GET]}", "POST", false), ("true", "POST", true),
        ("false", "GET", false),
    ])
    func whatMayRunTwiceCanDependOnAParameter(written: String, method: String, isIdempotent: Bool) throws {
        let (tools, problems) = read(tool(idempotent: written))
        #expect(problems.isEmpty, "\(problems)")
        #expect(
            try #require(tools.first).isIdempotent(
                with: JSON.Object(members: [.init(key: "method", value: .string(method))]))
                == isIdempotent)
    }

    private func tool(idempotent written: String) -> String {
        """
        tool: assent.tool/v1
        kind: Spin
        title: Spin
        params: {method: {type: choice, default: GET, choices: [GET, HEAD, POST]}}
        idempotent: \(written)
        run: {builtin: pass}
        """
    }

    @Test(arguments: ["{other: [GET]}", "{method: GET}", "{method: [PATCH]}", "{method: []}", "sometimes"])
    func aConditionThatCannotHoldIsRefused(written: String) {
        let (_, problems) = read(tool(idempotent: written))
        #expect(problems.map(\.code) == ["badField"], "\(problems)")
    }

    @Test func portsParametersAndCommandsAreRead() throws {
        let (tools, problems) = read(
            """
            tool: assent.tool/v1
            kind: Spin
            title: Spin
            says: [yes, no, on, 3]
            inputs: {image: image, mask: "mask?", files: "file*"}
            outputs: {image: ImageRef}
            params:
              angle: {type: number, default: 90, min: -360, max: 360, unit: "°"}
              mode: {type: choice, required: true, choices: [a, b]}
              note: {type: text, secret: true, literal: true}
            effects: [creates, sends]
            undo: false
            idempotent: false
            class: remote
            needs: [{program: spin, package: spin-tools}]
            run:
              program:
                - [spin, "{image}", "{out.image}", "{angle}", 1.50, true]
                - {when: note, words: [spin, --note, "{note?}"]}
              files: {image: "{stem}.{ext}"}
              timeoutSeconds: 5
              memoryMB: 64
            """)
        #expect(problems.isEmpty)
        let tool = try #require(tools.first)
        #expect(tool.says == ["yes", "no", "on", "3"])
        #expect(
            tool.inputs == [
                Port("image", .image), Port("mask", .mask, isOptional: true), Port("files", .file, isVariadic: true),
            ])
        #expect(tool.outputs == [Port("image", .image)])
        #expect(tool.param("angle")?.defaultValue == .int(90) && tool.param("angle")?.minimum == -360)
        #expect(tool.param("note")?.isSecret == true && tool.param("note")?.isLiteral == true)
        #expect(
            tool.effects == [.creates, .sends] && tool.reversibility == .no && !tool.isIdempotent
                && tool.queue == .remote)
        #expect(tool.needs == [.init(program: "spin", debianPackage: "spin-tools")])
        #expect(!tool.isShipped)
        #expect(
            tool.action
                == .program(
                    .init(
                        commands: [
                            .init(words: ["spin", "{image}", "{out.image}", "{angle}", "1.5", "true"]),
                            .init(words: ["spin", "--note", "{note?}"], when: "note"),
                        ], files: ["image": "{stem}.{ext}"], timeoutSeconds: 5, memoryBytesLimit: 64 << 20)))
    }

    @Test func whatIsSaidOfWarningsAndOfWhatIsDroppedIsRead() throws {
        let (tools, problems) = read(
            """
            \(Self.head)run: {builtin: a}
            damage:
              - {text: [cut short, "at: end"], says: "{file} is cut."}
              - {text: broken, says: "{file} is broken."}
            harmless: as always
            drops: [colors, times]
            """)
        #expect(problems.isEmpty, "\(problems)")
        let tool = try #require(tools.first)
        #expect(
            tool.errors
                == ErrorRules(
                    damage: [
                        .init(texts: ["cut short", "at: end"], says: "{file} is cut."),
                        .init(texts: ["broken"], says: "{file} is broken."),
                    ], harmless: ["as always"]))
        #expect(tool.drops == ["colors", "times"])
    }

    /// A picture is read by the same programs in every tool, so every tool knows their signs of damage.
    @Test func shippedToolsThatReadFilesWithProgramsKnowTheSignsOfDamage() throws {
        let tools = try Self.shipped.flatMap { path in
            readTools(PlacedJSON(try #require(Embedded.text(at: path))), file: path, isShipped: true) { _ in .ofNothing
            }.tools
        }
        let pictures = tools.filter { tool in
            tool.kind == "ImageLoader"
                || tool.inputs.contains { $0.type == .image } && tool.needs.contains { $0.program.hasPrefix("vips") }
        }
        #expect(pictures.count >= 27 && Set(pictures.map(\.errors.damage)).count == 1)
        #expect(
            pictures.allSatisfy { !$0.errors.damage.isEmpty && $0.errors.harmless.contains("ignoring nclx profile") })
    }

    @Test func whatIsNotSaidHasTheSafeDefault() throws {
        let tool = try #require(read("{tool: assent.tool/v1, kind: A, title: A, run: {builtin: a}}").tools.first)
        #expect(tool.isIdempotent && tool.queue == .local && tool.effects.isEmpty)
        #expect(tool.reversibility == .yes(how: "nothing outside the asset store changes"))
    }

    private static let head = "tool: assent.tool/v1\nkind: A\ntitle: A\n"
    @Test(arguments: [
        ("\(head)run: {builtin: a}\nsaya: []", "unknownKey", "t.yaml:5"),
        ("\(head)", "missingField", "t.yaml:1"),
        ("\(head)run: {}", "missingField", "t.yaml:4"),
        ("\(head)run: rm -rf x", "badField", "t.yaml:4"),
        ("\(head)run:\n  program: rm -rf x", "badField", "t.yaml:5"),
        ("\(head)run:\n  program:\n    - rm -rf x", "badField", "t.yaml:6"),
        ("\(head)run:\n  program:\n    - ['{x}', y]", "badCommand", "t.yaml:6"),
        ("\(head)run: {program: [[vips, '{nothing}']]}", "unknownPlaceholder", "t.yaml:4"),
        ("\(head)run: {program: [{when: nothing, words: [vips]}]}", "unknownPlaceholder", "t.yaml:4"),
        ("\(head)outputs: {image: image}\nrun: {program: [[vips]]}", "missingField", "t.yaml:4"),
        ("\(head)run: {program: [[vips]], files: {image: a.png}}", "unknownPort", "t.yaml:4"),
        ("\(head)outputs: {image: image}\nrun: {program: [[vips]], files: {image: ../a}}", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a, program: [[vips]]}", "badField", "t.yaml:4"),
        ("\(head)run: {program: [[vips]], timeoutSeconds: 0}", "badField", "t.yaml:4"),
        ("\(head)run: {builtin: a}\nundo: true", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\nundo: ''", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\neffects: [destroys]", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\nclass: fast", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\nidempotent: maybe", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\nparams:\n  w: {type: int}", "badField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\nparams:\n  w: {summary: x}", "missingField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\nparams:\n  w: {type: integer, default: 9, max: 5}", "badField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\nparams:\n  w: {type: choice}", "missingField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\ninputs: {image: 'im age'}", "badPort", "t.yaml:5"),
        ("tool: assent.tool/v2\nkind: A\ntitle: A\nrun: {builtin: a}", "badSchema", "t.yaml:1"),
        ("tool: assent.tool/v1\nkind: lower\ntitle: A\nrun: {builtin: a}", "badField", "t.yaml:2"),
        ("- a\n- b", "badManifest", "t.yaml:1"),
        ("kind: [", "badYAML", "t.yaml:2:1"),
        ("\(head)kind: B", "badYAML", "t.yaml:4"),
        ("\(head)run: {builtin: a}\ndamage: yes", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\ndamage:\n  - cut", "badField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\ndamage:\n  - {says: '{file} is cut.'}", "missingField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\ndamage:\n  - {text: cut short}", "missingField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\ndamage:\n  - {text: cut short, says: It is cut.}", "badField", "t.yaml:6"),
        ("\(head)run: {builtin: a}\ndamage:\n  - {text: cut, says: '{file} is cut.'}", "badField", "t.yaml:6"),
        (
            "\(head)run: {builtin: a}\ndamage:\n  - {text: cut short, says: '{file} is cut.', code: x}", "unknownKey",
            "t.yaml:6"
        ),
        ("\(head)run: {builtin: a}\nharmless: [e]", "badField", "t.yaml:5"),
        ("\(head)run: {builtin: a}\nharmless: {a: b}", "badField", "t.yaml:5"),
        (
            "\(head)run: {builtin: a}\nharmless: [\(Array(repeating: "line", count: 65).joined(separator: ","))]",
            "badField", "t.yaml:5"
        ),
        ("\(head)run: {builtin: a}\ndrops: ['']", "badField", "t.yaml:5"),
        (
            "\(head)run: {builtin: a}\ndrops: [\(String(repeating: "x", count: Limits.dropBytes + 1))]", "badField",
            "t.yaml:5"
        ),
    ])
    func aFaultIsNamedWithItsPlace(text: String, code: String, place: String) {
        let (tools, problems) = read(text)
        #expect(tools.isEmpty)
        #expect(problems.map(\.code) == [code])
        #expect(problems.first?.place == place)
    }

    @Test func allFaultsComeAtOnceAndGoodNeighboursStay() {
        let (tools, problems) = read("\(Self.head)x: 1\ny: 2\n---\n\(Self.head)run: {builtin: a}\n---\nkind: C\n")
        #expect(tools.map(\.kind) == ["A"])
        #expect(
            problems.map(\.code) == [
                "missingField", "unknownKey", "unknownKey", "missingField", "missingField", "missingField",
            ])
    }

    @Test func theVersionIgnoresCommentsAndNeighbours() throws {
        let texts = [
            "\(Self.head)run: {builtin: a}",
            "# words\nrun:\n  builtin: a\n\(Self.head)\n---\ntool: assent.tool/v1\nkind: B\ntitle: B\nrun: {builtin: b}",
        ]
        let hashed = texts.map { text in
            readTools(text, file: "t", isShipped: true) { ContentHash(digest: Array($0.utf8)) }.tools.first?.version
        }
        #expect(hashed[0] != nil && hashed[0] == hashed[1])
    }

    @Test func aliasesCannotBlowUp() {
        let lines =
            ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
            + zip("bcdefgh", "abcdefg").map { now, before in
                "\(now): &\(now) [" + Array(repeating: "*\(before)", count: 10).joined(separator: ",") + "]"
            }
        #expect(throws: Problem.self) { try readYAML(lines.joined(separator: "\n"), file: "bomb.yaml") }
    }

    /// A key of aliases was hashed with all that they repeat, and never done.
    @Test(.timeLimit(.minutes(10))) func aliasesInAKeyAreRefusedAtOnce() {
        let lines =
            ["policy: assent.policy/v1", "a0: &a0 [x,x]"] + (1..<40).map { "a\($0): &a\($0) [*a\($0 - 1),*a\($0 - 1)]" }
            + ["rules: []", "? *a39", ": y"]
        let problem = #expect(throws: Problem.self) { try readYAML(lines.joined(separator: "\n"), file: "policy.yaml") }
        #expect(problem?.code == "badYAML" && problem?.place.hasPrefix("policy.yaml:4") == true)
        #expect(
            problem?.message.contains("aliases such as *a39 are not read") == true, "\(String(describing: problem))")
    }

    /// As many as a cloned folder likes: each was compared with all before it.
    @Test(.timeLimit(.minutes(10)), arguments: ["block", "flow"]) func moreKeysThanAnybodyWritesAreRefused(form: String)
    {
        let keys = (0..<150_000).map { "k\($0): 1" }
        let yaml = form == "block" ? keys.joined(separator: "\n") : "{\(keys.joined(separator: ", "))}"
        let problem = #expect(throws: Problem.self) { try readYAML(yaml, file: "s.yaml") }
        #expect(problem?.code == "tooLarge" || problem?.code == "badYAML")
    }

    @Test(arguments: [
        ("a: &b c", "s.yaml:1", "&b is an anchor"), ("a: 1\nb: *a", "s.yaml:2", "*a is an alias"),
        ("a:\n  - *x", "s.yaml:2", "*x"),
        ("a: [b, *x]", "s.yaml:1", "*x"), ("a: !!str &x b", "s.yaml:1", "&x"), ("{*a : 1}", "s.yaml:1", "*a"),
        ("*a : 1", "s.yaml:1", "*a"),
        ("a: {<<: *a}", "s.yaml:1", "*a"), ("a: &base\n  b: 1", "s.yaml:2:4", "such as &base"),
        ("&a [b]", "s.yaml:1", "&a"),
        ("a: {? b : 1}", "s.yaml:1", "\"?\""), ("a: {[b]: 1}", "s.yaml:1", "A key must be a text"),
        (#"a: "\U0010fFF1x""#, "s.yaml:1", "U+10FFF0"), ("a: 1\nb: \u{10FFF1}", "s.yaml:2", "U+10FFF0"),
    ])
    func aliasesAnchorsAndKeysThatAreNoTextsAreRefused(yaml: String, place: String, words: String) {
        let problem = #expect(throws: Problem.self) { try readYAML(yaml, file: "s.yaml") }
        #expect(problem?.place == place)
        #expect(problem?.message.contains(words) == true, "\(String(describing: problem))")
    }

    @Test func keysThatAreNoTextsCannotPileUp() {
        let text = String(repeating: "- {{a: 1}: 1}\n", count: Limits.yamlFlowKeys + 1)
        let problem = #expect(throws: Problem.self) { try readYAML(text, file: "s.yaml") }
        #expect(problem?.code == "tooLarge" && problem?.place == "s.yaml")
    }

    @Test(arguments: [
        (#"a: "*x &y ?""#, #"{"a":"*x &y ?"}"#), ("pattern: \"*.md\"\nb: '?'", #"{"pattern":"*.md","b":"?"}"#),
        ("a: x*y & *z really?\nb: [a*b, c?]", #"{"a":"x*y & *z really?","b":["a*b","c?"]}"#),
        ("a: |\n  *x &y\n  ? z\nb: >-\n  &x\n  *y", #"{"a":"*x &y\n? z\n","b":"&x *y"}"#),
        ("# *x &y ?\na: 1 # *x", #"{"a":1}"#), ("'*': 1\n\"&x\": 2", #"{"*":1,"&x":2}"#),
        ("a: x\n  *y\nb: -*z", #"{"a":"x *y","b":"-*z"}"#),
        ("a[0]: 1\nb: '[x]: {y}: z'", #"{"a[0]":1,"b":"[x]: {y}: z"}"#),
    ])
    func textsMayHaveTheirCharacters(yaml: String, json: String) throws {
        #expect(try readYAML(yaml, file: "s.yaml").text == (try JSONReader.read(json)).text)
    }

    @Test(arguments: [
        ("a: yes\nb: 'true'\nc: true", #"{"a":"yes","b":"true","c":true}"#),
        ("a: 010\nb: 1.5e3\nc: 0x1F\nd: 1:30\ne: ~", #"{"a":10,"b":1500,"c":"0x1F","d":"1:30","e":null}"#),
        ("", "{}"), ("# only words", "{}"), ("a:\n  - b: -3\n    c: .5\n  - '-'", #"{"a":[{"b":-3,"c":0.5},"-"]}"#),
        ("a: nan\nb: .inf\nc: 2026-01-01", #"{"a":"nan","b":".inf","c":"2026-01-01"}"#),
        ("a: 99999999999999999999", #"{"a":100000000000000000000}"#),
    ])
    func settingsAreReadByTheCoreSchema(yaml: String, json: String) throws {
        #expect(try readYAML(yaml, file: "s.yaml").text == (try JSONReader.read(json)).text)
    }
}
