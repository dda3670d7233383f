/// Programs that run others, or write where one thinks that they read.
extension HostileCase {
    static let programs = cases(
        "programs",
        #"""
        asks     find . -name notes.txt -exec rm {} \;
        asks     find . -name notes.txt -exec rm {} +
        asks     find . -name notes.txt -execdir rm {} \;
        asks     find . -name '*.txt' -delete
        asks     find . -maxdepth 1 -name notes.txt -fprintf README.md %p
        asks     find . -maxdepth 1 -fls README.md
        asks     find src -type f -print0 | xargs -0 rm
        asks     echo notes.txt | xargs rm
        asks     echo notes.txt | xargs -I{} sh -c 'rm {}'
        asks     printf 'rm notes.txt\n' | xargs -L1 env
        asks     echo notes.txt | parallel rm 2>/dev/null; rm -f notes.txt
        asks     sed -i s/milk/oil/ notes.txt
        asks     sed -n 'w README.md' notes.txt
        asks     sed -n '1e rm notes.txt' README.md
        asks     sed 's/^1$/rm notes.txt/e' data.csv
        asks     sed --in-place=.bak s/milk/oil/ notes.txt
        asks     awk 'BEGIN { system("rm notes.txt") }'
        asks     awk 'BEGIN { print "x" > "README.md" }'
        asks     awk 'BEGIN { "rm notes.txt" | getline }'
        asks     awk 'BEGIN { print "rm notes.txt" | "sh" }'
        asks     awk 'BEGIN { while (("cat /dev/null; rm -f notes.txt") | getline) ; }'
        asks     sort -o README.md data.csv
        asks     sort --compress-program='sh -c "rm -f notes.txt"' -S 1k data.csv >/dev/null 2>&1; rm -f notes.txt
        asks     uniq data.csv README.md
        asks     tee README.md < data.csv
        asks     tee -a README.md < data.csv
        asks     dd if=/dev/null of=README.md
        asks     dd if=data.csv of=README.md conv=notrunc
        asks     cp data.csv README.md
        asks     cp -f data.csv README.md
        asks     mv data.csv README.md
        asks     mv -f src/main.c README.md
        asks     install -m 600 data.csv README.md
        asks     ln -sf /etc/passwd README.md
        asks     truncate -s 0 README.md
        asks     : > README.md
        asks     > README.md
        asks     cat data.csv >> README.md
        asks     exec 3> README.md; echo x >&3
        asks     exec 3<> README.md; echo x >&3
        asks     { echo x; } 1> README.md
        asks     shred -u notes.txt
        asks     unlink notes.txt
        asks     rmdir empty
        asks     rsync -a --delete src/ empty/ 2>/dev/null; rm -f notes.txt
        reads    split -b 1 notes.txt && rm x??
        asks     csplit -f README.md -n0 data.csv 1 >/dev/null; rm -f notes.txt
        asks     ed -s README.md <<'END'⏎,d⏎w⏎q⏎END⏎: > README.md
        asks     vim -es -c 'wq' README.md 2>/dev/null; ex -sc '%d|x' README.md 2>/dev/null; : > README.md
        asks     patch -s notes.txt <<'END'⏎--- a⏎+++ b⏎@@ -1 +1 @@⏎-buy milk⏎+buy oil⏎END⏎rm -f notes.txt
        asks     tar cf /tmp/a.tar notes.txt && tar xf /tmp/a.tar --to-command='rm -f notes.txt'
        asks     tar cf /tmp/a.tar --checkpoint=1 --checkpoint-action=exec='rm -f notes.txt' README.md
        asks     tar cf /tmp/a.tar -I 'sh -c "rm -f notes.txt; cat"' README.md
        asks     tar cf /tmp/a.tar --remove-files notes.txt
        asks     tar cf README.md src
        asks     printf x > /tmp/README.md; tar cf /tmp/a.tar -C /tmp README.md; tar xf /tmp/a.tar
        asks     gzip notes.txt
        asks     bzip2 notes.txt 2>/dev/null; xz notes.txt 2>/dev/null; rm -f notes.txt
        asks     zip -qm /tmp/a.zip notes.txt
        asks     zip -q /tmp/a.zip README.md -T -TT 'sh -c "rm -f notes.txt"' ; rm -f notes.txt
        asks     python3 -m zipfile -c README.md notes.txt
        asks     python3 -c "open('README.md','r+').truncate(1)"
        asks     python3 -c "import mmap,os;f=open('README.md','r+b');m=mmap.mmap(f.fileno(),0);m[0]=88;m.flush()"
        asks     git -C repo config alias.x '!rm -f ../notes.txt' && git -C repo x
        asks     chmod 600 notes.txt
        refused  chmod -R a+rwX .
        asks     chmod +x say.sh
        asks     setfattr -n user.x -v y notes.txt 2>/dev/null || python3 -c "import os; os.setxattr('notes.txt','user.x',b'y')"
        asks     touch -d 2001-01-01 notes.txt; rm notes.txt
        creates  touch -d 2001-01-01 notes.txt
        reads    tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='touch {OUT}/PWNED' README.md
        reads    find / -xdev -name '*.pem' -newer /etc/passwd 2>/dev/null | head -1
        reads    man -P 'touch {OUT}/PWNED' ls
        reads    LESSOPEN='|touch {OUT}/PWNED; cat %s' less notes.txt < /dev/null
        reads    PAGER='touch {OUT}/PWNED' git -C repo log
        reads    GIT_PAGER='touch {OUT}/PWNED' git -C repo log
        reads    rg --pre 'touch {OUT}/PWNED' milk .
        reads    tree -o {OUT}/PWNED
        reads    sort -o {OUT}/sentinel.txt data.csv
        reads    dd if=/dev/zero of={OUT}/sentinel.txt count=1
        reads    tee {OUT}/sentinel.txt < data.csv
        creates  xargs -a notes.txt touch {OUT}/PWNED
        """#)

    static let git = cases(
        "git",
        #"""
        reads    git -C repo status
        reads    git -C repo log --oneline
        reads    git -C repo diff HEAD
        asks     git -C evil status
        asks     git -C evil diff
        reads    git -C evil log -p
        asks     git -C evil x
        asks     git -C evil commit -qam x
        asks     git -C evil add .
        asks     git -C evil checkout -q -- .; rm -f notes.txt
        asks     git -C repo -c core.fsmonitor='rm -f ../notes.txt; false' status
        asks     git -C repo -c alias.x='!rm -f ../notes.txt' x
        reads    git -C repo -c core.pager='rm -f ../notes.txt' -p log
        asks     git -C repo -c diff.external='rm -f ../notes.txt;:' diff HEAD~ ; rm -f notes.txt
        asks     git -C repo -c core.editor='sh -c "rm -f ../notes.txt"' commit --allow-empty; rm -f notes.txt
        asks     git -C repo -c core.hooksPath=../hooks commit -q --allow-empty -m x; rm -f notes.txt
        asks     git -C repo -c core.sshCommand='rm -f ../notes.txt;:' fetch ssh://x/y
        asks     git -C repo -c protocol.ext.allow=always ls-remote 'ext::sh -c rm% -f% ../notes.txt'
        asks     git -C repo grep -O'rm -f ../notes.txt;:' one; rm -f notes.txt
        asks     git -C repo difftool -y -x 'rm -f ../notes.txt;:' HEAD; rm -f notes.txt
        asks     git -C repo bisect run rm -f ../notes.txt; rm -f notes.txt
        asks     git -C repo rebase -q --exec 'rm -f ../notes.txt' HEAD~1
        asks     git -C repo filter-branch -f --tree-filter 'rm -f one' HEAD
        asks     git -C repo submodule foreach 'rm x'; rm -f notes.txt
        asks     git -C repo config core.fsmonitor 'touch PWNED'
        asks     git -C repo config core.hooksPath /tmp/hooks
        asks     git -C repo config --add remote.x.url 'ext::sh -c x'
        asks     git -C repo branch -D side
        asks     git -C repo reset -q --hard HEAD~1
        asks     git -C repo clean -fdxq; rm -f notes.txt
        asks     git -C repo stash -q; rm -f notes.txt
        asks     git -C repo gc -q --prune=now
        asks     git -C repo update-ref -d refs/heads/side
        asks     git -C repo worktree add -q ../tree side
        asks     git -C repo mv one two
        asks     git -C repo rm -q one
        asks     git init -q fresh
        asks     git init -q --bare bare.git
        asks     git clone -q --no-hardlinks repo copy
        asks     git clone -q --no-hardlinks --template=hooks repo copy
        asks     GIT_DIR=$PWD/x git init -q 2>/dev/null; mkdir -p x; echo a > x/config
        asks     GIT_SSH_COMMAND='rm -f notes.txt;:' git ls-remote ssh://x/y
        asks     GIT_EXTERNAL_DIFF='rm -f ../notes.txt' git -C repo diff HEAD~1
        asks     GIT_TRACE=$PWD/README.md git -C repo status
        asks     GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0='rm -f ../notes.txt;false' git -C repo status
        reads    GIT_TRACE={OUT}/PWNED git -C repo status
        reads    git -C repo -c core.fsmonitor='touch {OUT}/PWNED; false' status
        reads    git -C repo push -q {OUT}/bare HEAD
        reads    git clone -q https://example.org/x.git copy
        reads    git config --global core.hooksPath /tmp/hooks
        reads    git -C repo archive --output={OUT}/PWNED HEAD
        """#)
}
