import Testing

/// The wall clock can be set, so waits, limits, retries and deletions do not go by it (`semantics.md` 230, 231). Every
/// use of wall time in the sources is listed here with its reason.
@Suite struct WallClockTests {
    private static let words = [
        "CLOCK_REALTIME", "gettimeofday", "time(nil)", "time(NULL)", "OpenWorkspace.now", "context.now", "at: Self.now",
        "now: Self.now",
        "nowNanoseconds()", "MachineClock.", "clocks()", "transition.wall",
    ]

    private static let record = "the date of a stored row, event or note"
    private static let shown = "an age or a date that is shown to a person"
    private static let told = "an expiry, a snooze or a lease whose end was told to a person and to other processes"

    private static let held = "the end of the hold of a no, which a clock that was set back ends too"

    /// The number of uses in each file, with the reason.
    private static let uses: [String: (count: Int, reason: String)] = [
        "Actions/AssetPins.swift": (2, record), "Actions/AssetRemoval.swift": (3, "ages of files, by two looks"),
        "Actions/AssetUsage.swift": (1, shown), "Actions/ContentDrawing.swift": (1, record),
        "Actions/SupportFile.swift": (1, record), "Actions/AwaitAnswers.swift": (1, told),
        "Actions/AwaitRecords.swift": (1, told),
        "Actions/BackgroundWorkers.swift": (1, shown), "Actions/BundleImport.swift": (1, record),
        "Actions/ConversationLibrary.swift": (3, record), "Actions/ConversationWorld.swift": (2, record),
        "Actions/DatabaseRepair.swift": (3, record), "Actions/Diagnostics.swift": (1, shown),
        "Actions/Guides/GuideAnswers.swift": (3, record), "Actions/Guides/GuideCourse.swift": (1, told),
        "Actions/Guides/GuideRun.swift": (1, told), "Actions/Guides/Intake.swift": (1, "the date of today"),
        "Actions/HostPermissions.swift": (1, record), "Actions/InboxActions.swift": (7, told),
        "Actions/Notifications.swift": (1, told),
        "Actions/LookCalls.swift": (3, told), "Actions/LeftSession.swift": (1, "the date of today"),
        "Actions/RefusedCalls.swift": (2, shown),
        "Actions/MachineClock.swift": (2, "the reading itself"), "Actions/ModelRequests.swift": (1, record),
        "Actions/OpenWorkspace.swift": (1, "the reading itself"), "Actions/PlannerCalls.swift": (1, told),
        "Actions/Reruns.swift": (3, record), "Actions/Revisions.swift": (1, record),
        "Actions/WorkflowRecords.swift": (1, held), "Actions/WorkflowActions.swift": (1, record),
        "Actions/WorkflowFollower.swift": (1, record),
        "Actions/WorkflowHistory.swift": (2, shown), "Console/Asker.swift": (2, record + ", and until when undo works"),
        "Console/ChatEvents.swift": (4, told), "Console/StopQuestion.swift": (1, shown),
        "Console/Chatting.swift": (3, shown),
        "Console/CommandContext.swift": (1, "the reading itself"),
        "Console/Commands/Conversation/History.swift": (3, shown), "Console/Commands/Inbox/Inbox.swift": (3, shown),
        "Console/Commands/Inbox/Open.swift": (3, shown), "Console/Commands/Inbox/Snooze.swift": (1, shown),
        "Console/Commands/Setup/Status.swift": (2, shown), "Console/Commands/Workflow/Compare.swift": (1, shown),
        "Console/Commands/Workflow/GuideCommand.swift": (1, shown), "Console/Commands/Workflow/List.swift": (3, shown),
        "Console/Commands/Workflow/Run.swift": (1, record), "Console/Commands/Workflow/Show.swift": (3, shown),
        "Console/Commands/Workflow/Why.swift": (2, shown), "Console/Commands/Workflow/Work.swift": (2, record),
        "Console/OneTurn.swift": (1, record), "Console/Sessions.swift": (1, shown),
        "Console/Support/Chosen.swift": (1, told), "Console/Support/KeptAssets.swift": (1, shown),
        "Console/Support/Problems.swift": (1, record), "Engine/Acting.swift": (1, told),
        "Engine/Admitting.swift": (1, "the expiry of an approval, and " + record),
        "Engine/Deadlines.swift": (2, "deadlines after a restart of the machine"), "Engine/Gates.swift": (1, told),
        "Engine/Loop.swift": (4, told + ", and " + held), "Engine/Obeying.swift": (2, told + ", and " + held),
        "Actions/ProgramPermissions.swift": (1, record),
        "Files/PrivateFileStamps.swift": (1, "whether the time of a file is past, by the clock of files"),
        "Files/FileWork.swift": (2, "the reading itself"), "HTTP/HTTPResponse.swift": (1, "dates in headers"),
        "Sandbox/RunProcess.swift": (1, "the deadline in a record of an earlier version"),
        "Tools/UndoTool.swift": (1, record), "Undo/ChangeRecording.swift": (1, record),
        "Workflows/FlowJobFaults.swift": (1, record), "Workflows/FlowJobs.swift": (1, "dates in lists of providers"),
        "Workflows/FlowStep.swift": (1, told), "assent/EngineWiring.swift": (6, record + ", and the engine's clocks"),
        "assent/Main.swift": (2, record),
        "Console/Support/SeveralRuns.swift": (1, record), "Console/Output.swift": (2, record),
        "Console/Report.swift": (3, record), "Console/ChatLines.swift": (2, shown),
        "Console/Commands/Workflow/Follow.swift": (3, record), "Progress/LiveRegion.swift": (2, shown),
    ]

    @Test func everyUseOfWallTimeHasAReason() {
        var found: [String: Int] = [:]
        for path in House.files(under: "Sources") where [".swift", ".c", ".h"].contains(where: path.hasSuffix) {
            let code = House.lines(of: path).filter { line in
                let text = line.drop { $0 == " " }
                return !text.hasPrefix("//")
            }
            let count = code.reduce(0) { sum, line in sum + Self.uses(in: line) }
            if count > 0 { found[String(path.dropFirst("Sources/".count))] = count }
        }
        for path in Set(found.keys).union(Self.uses.keys).sorted() {
            let (there, listed) = (found[path] ?? 0, Self.uses[path]?.count ?? 0)
            #expect(
                there == listed,
                "\(path) uses wall time \(there) times, and \(listed) are listed: a wait, a limit, a retry or a deletion needs another clock"
            )
        }
        #expect(found.values.reduce(0, +) > 100)
    }

    private static func uses(in line: Substring) -> Int {
        let bytes = Array(line.utf8)
        return words.reduce(0) { sum, word in
            let word = Array(word.utf8)
            let starts = bytes.indices.filter { bytes[$0...].starts(with: word) }
            // Not the end of a longer word, such as `runtime(nil)`.
            return sum + starts.count { $0 == 0 || !isLetter(bytes[$0 - 1]) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    @Test(
        arguments: [
            ("clock_gettime(CLOCK_REALTIME, &t)", 1), ("let now = OpenWorkspace.now()", 1), ("x.runtime(nil)", 0),
            ("clock_gettime(CLOCK_MONOTONIC, &t)", 0), ("world.clocks().wall + clocks()", 2),
        ])
    func usesAreCounted(line: String, count: Int) { #expect(Self.uses(in: line[...]) == count) }
}
