import CaseNames
@testable import Files
import Foundation
import JSON
import Testing
@testable import Tools
import Undo
import Vocabulary

/// Chains of steps in which folders are moved, undone, redone and undone again: what an attack found.
@Suite(.process) struct MovedFolderTests {
    /// `W path` writes, `N path` makes, `M from to` moves, `D path` deletes, `C from to` copies a folder.
    @Test(arguments: [
        "N p/n.txt; M p q; M q r", "M p q; M q r; D r/a.txt", "M p/s p/t; M p q; W q/t/b; M q/t s2; D s2/b; C q c",
        "W p/a.txt; M p q; M q r", "W p/a.txt; M p q; W q/a.txt; M q r", "W p/a.txt; M p q; M q r; W r/a.txt",
        "W p/a.txt; M p q; W q/a.txt; M q p", "W p/a.txt; M p q; M q p; W p/a.txt", "M p/a.txt p/z.txt; M p q; M q r",
        "W p/a.txt; M p q; W q/a.txt; M q r; D r/a.txt", "C p q; M q r; M r s; N s/new; M s t",
        "C p t; M t q; W q/a.txt", "C p q; W q/a.txt; M q r; D r/a.txt; W r/s/b",
        "M p x/p; W x/p/a.txt; M x y; W y/p/a.txt",
        "M p q; N p/new; M q r; M p q", "M p q; M q r; M r p; W p/a.txt",
        "W p/a.txt; M p q; C q p; M p/s q/u; D q/a.txt",
        "M p q; D q/a.txt; N p/new; D q/s/b",
    ]) func aChainIsUndoneAndRedone(chain: String) async throws {
        let lab = try Lab()
        try lab.write("p/a.txt", "one")
        try lab.write("p/s/b", "two")
        let before = try OddTree.picture(".", in: lab.workspace)
        for (number, step) in chain.split(separator: "; ").enumerated() {
            try await play(step.split(separator: " ").map(String.init), number + 1, in: lab)
        }
        let after = try OddTree.picture(".", in: lab.workspace)
        for (workflow, wanted) in [(9, before), (10, after), (11, before)] {
            let request = UndoRequest(workflow: WorkflowID(workflow == 9 ? 3 : Int64(workflow) - 1))
            let ending = try await lab.undo(request, by: workflow)
            #expect(ending.failure == nil, "\(workflow): \(ending)")
            let now = try OddTree.picture(".", in: lab.workspace)
            #expect(Self.files(now) == Self.files(wanted), "\(workflow)")
        }
    }

    /// Everything but the times of folders, which tell when a name in them came or went.
    private static func files(_ picture: [String: String]) -> [String: String] {
        picture.mapValues { line in
            guard line.hasPrefix("d") else { return line }
            return line.split(separator: " ").enumerated().filter { $0.offset != 2 }.map { String($0.element) }
                .joined(separator: " ")
        }
    }

    private func play(_ words: [String], _ number: Int, in lab: Lab) async throws {
        let (kind, params): (String, JSON) =
            switch words[0] {
            case "W", "N":
                ("WriteFile", ["path": .string(words[1]), "text": .string("text \(number)"), "overwrite": true])
            case "M": ("MoveFile", ["from": .string(words[1]), "to": .string(words[2])])
            case "C": ("CopyFolder", ["from": .string(words[1]), "to": .string(words[2])])
            default: ("DeleteFile", ["path": .string(words[1])])
            }
        let ending = await lab.run(try lab.assignment(kind, params, attempt: number))
        #expect(ending.failure == nil, "\(words): \(ending)")
    }
}
