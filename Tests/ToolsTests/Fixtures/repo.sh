# A small program with its history, as a person has it.
set -e
git init -q -b main
git config user.name Ana
git config user.email ana@example.org
mkdir src tests tools docs lib attic
printf 'build/\nout/\n__pycache__/\n' > .gitignore
printf '# app\n\nThe app counts words.\n' > README.md
printf '#ifndef UTIL_H\n#define UTIL_H\nint twice(int n);\n#endif\n' > src/util.h
printf '#include "util.h"\n\nint twice(int n) { return 2 * n; }\n' > src/util.c
printf '#include <stdio.h>\n#include "util.h"\n\n/* TODO: count */\nint main(void) { printf("%%d\\n", twice(21)); }\n' > src/main.c
cat > Makefile <<'END'
build/app: build/main.o build/util.o
	cc -o $@ $^
build/%.o: src/%.c src/util.h
	@mkdir -p build
	cc $(CFLAGS) -c -o $@ $<
test: build/app
	./build/app > build/result.txt && grep -q 42 build/result.txt
clean:
	rm -rf build
END
printf 'import unittest\n\n\nclass UtilTest(unittest.TestCase):\n    def test(self):\n        self.assertEqual(2 * 21, 42)\n' > tests/test_util.py
printf 'import sys\n\nprint("made", *sys.argv[1:])\n' > tools/gen.py
printf 'How to use it.\n' > docs/guide.md
printf 'Notes of mine.\n' > docs/notes.md
touch lib/__init__.py
printf 'x = 1\n' > lib/x.py
printf 'pear\napple\nplum\napple\nfig\n' > words.txt
git add -A && git commit -qm 'Begin'
printf '1.0 first\n' > CHANGELOG.md
git add -A && git commit -qm 'Tell what changes'
printf '1.1 second\n' >> CHANGELOG.md
git commit -qam 'Tell more'
