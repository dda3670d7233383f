import CaseNames
@testable import Files
import Glibc
import Harness
import JSON
@testable import Rehearsal
import Synchronization
import Testing
import Vocabulary

extension RehearsalTests {
    @Test func aStopAtEveryStepIsGoneOnFromOrTakenBack() throws {
        let line = """
            echo hi > new; echo more >> notes.txt; rm src/old.c; chmod 700 src; mkdir -p a/b; echo x > a/b/c; chmod 444 a/b/c; ln -s a link; \
            mv src/main.c src/prog.c; chmod 600 keep.txt; rm -r gone; mkdir gone; echo y > gone/z; touch -d @5 keep.txt touched.txt
            """
        try lab.write("keep.txt", "kept")
        try lab.write("touched.txt", "kept")
        try lab.write("gone/one", "1")
        let before = try Self.picture(of: lab.workspace)
        var (place, count) = (0, 1)
        while place < count {
            let (list, inside) = try rehearseAndLook("{ \(line); } > /dev/null && \(Self.look)")
            count = list.steps.count
            try rehearsal.folder.write(RehearsalFolder.Plan(steps: list.steps, locked: list.locked))
            var application = Application(folder: rehearsal.folder, workspace: lab.workspace)
            let stop = place
            application.beforeStep = { (now) throws(Failure) in if now == stop { throw Failure("stopped", "Stopped.") }
            }
            #expect(throws: Failure.self) { try application.apply() }
            application.beforeStep = { _ in }
            if place % 2 == 0 {
                try application.apply()
                #expect(try Self.picture(of: lab.workspace) == inside, "stopped before step \(place)")
            }
            try application.undo()
            #expect(try Self.picture(of: lab.workspace) == before, "stopped before step \(place)")
            place += 1
        }
        #expect(count >= 10)
    }

    /// Taking back is cut as anything else is; and where somebody has worked on since, it does not begin.
    @Test func aStopAtEveryStepOfTakingBackIsGoneOnFrom() throws {
        let line =
            "echo hi > new; echo more >> notes.txt; rm src/old.c; chmod 700 src; mkdir -p a/b; echo x > a/b/c; ln -s a link"
        let before = try Self.picture(of: lab.workspace)
        var (place, count) = (0, 1)
        while place < count {
            let list = try rehearse(line)
            count = list.steps.count
            try rehearsal.folder.write(RehearsalFolder.Plan(steps: list.steps, locked: list.locked))
            var application = Application(folder: rehearsal.folder, workspace: lab.workspace)
            try application.apply()
            let stop = place
            application.beforeStep = { (now) throws(Failure) in if now == stop { throw Failure("stopped", "Stopped.") }
            }
            #expect(throws: Failure.self) { try application.undo() }
            application.beforeStep = { _ in }
            try application.undo()
            #expect(try Self.picture(of: lab.workspace) == before, "stopped before step \(place)")
            place += 1
        }
        #expect(count >= 6)
    }

    /// What somebody writes into a new folder while it is applied is theirs, and what is there when taking back stops
    /// midway, too.
    @Test func takingBackLosesNothingThatCameMeanwhile() throws {
        let mine = lab.path("deep/mine.txt")
        func applied() throws -> Application {
            let list = try rehearse("mkdir deep; echo x > deep/file; chmod 700 src; echo z > zz")
            try rehearsal.folder.write(
                RehearsalFolder.Plan(steps: list.steps, locked: list.locked, brought: list.brought))
            var application = Application(folder: rehearsal.folder, workspace: lab.workspace)
            application.beforeStep = { (place) throws(Failure) in
                if access(lab.path("deep"), F_OK) == 0, access(mine, F_OK) != 0 {
                    try writeWhole(Array("mine".utf8), to: mine)
                }
            }
            try application.apply()
            application.beforeStep = { _ in }
            return application
        }
        var application = try applied()
        #expect(access(mine, F_OK) == 0)
        #expect(throws: Failure.self) { try application.undo() }
        #expect(ScratchFolder.text(mine) == "mine" && access(lab.path("zz"), F_OK) == 0)
        unlink(mine)
        // Another mode of a folder is somebody's, too: nothing is begun.
        #expect(chmod(lab.path("src"), 0o750) == 0)
        #expect(throws: Failure.self) { try application.undo() }
        #expect(access(lab.path("zz"), F_OK) == 0)
        #expect(chmod(lab.path("src"), 0o700) == 0)
        // Stopped midway, it looks again at what it has not taken back yet.
        application.beforeStep = { (place) throws(Failure) in if place == 1 { throw Failure("stopped", "Stopped.") } }
        #expect(throws: Failure.self) { try application.undo() }
        application.beforeStep = { _ in }
        let left = ["zz", "deep/file"].filter { access(lab.path($0), F_OK) == 0 }
        #expect(!left.isEmpty)
        try lab.write(left[0], "later work")
        #expect(throws: Failure.self) { try application.undo() }
        #expect(ScratchFolder.text(lab.path(left[0])) == "later work")
    }

    /// Each change by itself: it comes with what cannot come without it, and nothing else does.
}
