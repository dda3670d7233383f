import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The arguments of a call that the Swift runtime has lost.
@Suite(.process) struct ArgumentTests {
    /// A library that moves the environment, as `setenv` does, before the runtime looks for the arguments beside it.
    private static let library = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        extern char **environ;
        FILE *fopen(const char *path, const char *mode) {
            FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen");
            if (strcmp(path, "/proc/self/maps") == 0) {
                int count = 0;
                while (environ[count]) count++;
                char **copy = malloc((count + 1) * sizeof *copy);
                memcpy(copy, environ, (count + 1) * sizeof *copy);
                environ = copy;
            }
            return next(path, mode);
        }
        """

    private static let hasCompiler = access("/usr/bin/gcc", X_OK) == 0

    @Test(.enabled(if: hasCompiler, "needs a C compiler"))
    func aPreloadedLibraryThatSetsAVariableTakesNoArgumentsAway() async throws {
        let lab = try ProgramLab()
        try lab.write(Self.library, to: "move.c")
        let made = try await lab.tool(
            "gcc", "-shared", "-fPIC", "-o", lab.path("move.so"), lab.path("move.c"))
        #expect(made.exit == 0, "\(made.errors)")
        let preload = ["LD_PRELOAD": lab.path("move.so")]
        let ending = try await lab.run("show", "w9", "--json", environment: preload)
        #expect(ending.exit == 2, "\(ending.output)\(ending.errors)")
        #expect(ending.lines.first?["code"]?.string == "unknownWorkflow", "\(ending.output)\(ending.errors)")
        // Without a verb the chat opens, as ever.
        let chat = try await lab.run(environment: preload, input: "")
        #expect(chat.exit == 0 && chat.output.contains("built-in planner"), "\(chat.output)\(chat.errors)")
    }
}
