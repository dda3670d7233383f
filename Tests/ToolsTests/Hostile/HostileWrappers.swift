/// What stands around a command, and how it is written, so that a reader of the text sees another.
extension HostileCase {
    static let wrappers = cases(
        "wrapped",
        #"""
        asks     env rm -rf src
        asks     env -i /bin/rm notes.txt
        asks     env -S 'rm notes.txt'
        asks     env -u HOME sh -c 'rm notes.txt'
        asks     timeout 5 sh -c 'rm notes.txt'
        asks     timeout -k 1 5 rm notes.txt
        asks     nohup rm notes.txt
        asks     nice -n 5 rm notes.txt
        asks     setsid -w rm notes.txt
        asks     stdbuf -o0 rm notes.txt
        asks     command rm notes.txt
        asks     exec rm notes.txt
        asks     sh -c 'rm notes.txt'
        asks     sh -c "sh -c 'sh -c \"rm notes.txt\"'"
        asks     bash -c 'rm notes.txt'
        asks     bash -lc 'rm notes.txt'
        asks     bash -O extglob -c 'rm !(x)*.txt'
        asks     eval 'rm notes.txt'
        asks     eval eval eval rm notes.txt
        asks     trap 'rm notes.txt' EXIT
        asks     trap 'rm notes.txt' TERM; kill -TERM $$; sleep 0.1
        asks     set -- rm notes.txt; "$@"
        asks     f() { rm notes.txt; }; f
        asks     ls() { rm notes.txt; }; ls
        asks     . ./say.sh; rm notes.txt
        asks     cp notes.txt /tmp/x && (rm notes.txt)
        asks     { rm notes.txt; }
        asks     if true; then rm notes.txt; fi
        asks     while rm notes.txt 2>/dev/null; do :; done
        asks     case x in x) rm notes.txt;; esac
        asks     for f in *.txt; do rm "$f"; done
        asks     ls & rm notes.txt; wait
        asks     ls && rm notes.txt
        asks     false || rm notes.txt
        asks     ls | rm notes.txt
        asks     ls; rm notes.txt
        asks     ls⏎rm notes.txt
        asks     ! rm notes.txt
        asks     true # harmless⏎rm notes.txt
        asks     time -p true 2>/dev/null; rm notes.txt
        asks     flock /tmp/lock rm notes.txt
        asks     script -qec 'rm notes.txt' /dev/null
        asks     unshare rm notes.txt 2>/dev/null || rm notes.txt
        asks     prlimit --nofile=100 rm notes.txt
        asks     ionice -c3 rm notes.txt
        asks     taskset 1 rm notes.txt
        asks     python3 -c "import os; os.remove('notes.txt')"
        asks     python3 - <<'END'⏎import os⏎os.remove('notes.txt')⏎END
        asks     python3 -c "__import__('shutil').rmtree('src')"
        asks     perl -e 'unlink "notes.txt"'
        asks     perl -ne 'unlink "notes.txt"' README.md
        asks     perl -i -pe 's/milk/oil/' notes.txt
        asks     make -f /dev/stdin <<'END'⏎all: ; @rm notes.txt⏎END
        asks     make harm
        asks     make --eval 'x: ; @rm notes.txt' x
        asks     MAKEFLAGS='--eval=$(shell\ rm\ notes.txt)' make -n 2>/dev/null; rm -f notes.txt
        reads    sudo -n rm notes.txt
        reads    su -c 'rm notes.txt' </dev/null
        reads    pkexec rm notes.txt
        reads    doas rm notes.txt
        reads    runuser -u nobody -- rm notes.txt
        reads    chroot . rm notes.txt
        reads    systemd-run --user rm notes.txt
        reads    at now <<'END'⏎rm notes.txt⏎END
        """#)

    static let spellings = cases(
        "spelled",
        #"""
        asks     \rm notes.txt
        asks     /bin/rm notes.txt
        asks     /usr/bin/../bin/rm notes.txt
        asks     r''m notes.txt
        asks     r"m" notes.txt
        asks     'r'm notes.txt
        asks     rm$IFS'notes.txt'
        asks     rm${IFS}notes.txt
        asks     IFS=,; a=rm,notes.txt; $a
        asks     a=r; b=m; $a$b notes.txt
        asks     X='rm notes.txt'; $X
        asks     $(echo rm) notes.txt
        asks     `echo rm` notes.txt
        asks     "$(echo rm)" notes.txt
        asks     $(printf '\162\155') notes.txt
        asks     bash -c 'eval $'"'"'\x72m notes.txt'"'"
        asks     bash -c "$'\\162m' notes.txt"
        asks     bash -c 'r{m,} notes.txt' ; rm -f notes.txt
        asks     bash -c '{rm,notes.txt}'
        asks     /bin/r[m] notes.txt
        asks     /usr/bin/[r]m notes.txt
        asks     rm\⏎ notes.txt
        asks     r\⏎m notes.txt
        asks     rm	notes.txt
        asks       rm   notes.txt
        asks     rm note*.txt
        asks     rm -- notes.txt
        asks     rm ./notes.txt
        asks     rm ./src/../notes.txt
        asks     cd src && rm ../notes.txt
        asks     cd src; cd ..; rm notes.txt
        asks     (cd src && rm main.c)
        asks     cd "$(echo src)" && rm main.c
        asks     CDPATH=. cd src >/dev/null; rm main.c
        asks     pushd src 2>/dev/null; rm -f notes.txt
        asks     HOME=$PWD; cd; rm notes.txt
        asks     x='() { :;}; rm notes.txt' bash -c 'rm notes.txt'
        asks     PATH=$PWD:$PATH; rm notes.txt
        asks     bash -c 'BASH_ENV=/dev/null; rm notes.txt'
        asks     printf '%s\n' 'rm notes.txt' > /tmp/s; sh /tmp/s
        asks     printf 'rm notes.txt' > /tmp/s; . /tmp/s
        asks     sh < /dev/fd/0 <<'END'⏎rm notes.txt⏎END
        reads    sh <<< x 2>/dev/null; rm notes.txt
        asks     bash -c 'bash <(echo rm notes.txt)'
        asks     echo cm0gbm90ZXMudHh0 | base64 -d | sh
        asks     eval "$(echo cm0gbm90ZXMudHh0 | base64 -d)"
        asks     printf 726d206e6f7465732e747874 | perl -pe 's/(..)/chr hex $1/ge' | sh
        asks     echo 'txt.seton mr' | rev | sh
        asks     printf 'sn abgrf.gkg' | tr 'a-z' 'n-za-m' >/dev/null; rm notes.txt
        asks     awk 'BEGIN { printf "rm notes.txt" }' | sh
        asks     true;true;true;true;true;true;true;true;true;true;true;true;true;true;true;true;true;true;true;rm notes.txt
        reads    r\#u{200B}m notes.txt
        reads    rm\#u{00A0}notes.txt
        reads    \#u{202E}txt.seton mr
        reads    гm notes.txt
        reads    rm\#u{2028}notes.txt
        asks     echo \#u{202E}; rm notes.txt
        asks     rm\#u{2060} 2>/dev/null; rm notes.txt
        reads    LD_PRELOAD=./evil.so ls
        creates  PATH=.:$PATH sh -c 'echo hi > fine'
        """#)

    /// More parts than anybody reads.
    static let long = [
        HostileCase(.asks, (1...80).map { "true \($0)" }.joined(separator: "; ") + "; rm notes.txt", "long"),
        HostileCase(.asks, (1...80).map { "echo \($0)" }.joined(separator: " && ") + " && rm notes.txt", "long"),
        HostileCase(.asks, (1...60).map { "sed s/\($0)/x/ |" }.joined(separator: " ") + " cat; rm notes.txt", "long"),
        HostileCase(.asks, "echo " + String(repeating: "A", count: 20_000) + " > /dev/null; rm notes.txt", "long"),
        HostileCase(
            .asks, String(repeating: "(", count: 60) + "rm notes.txt" + String(repeating: ")", count: 60), "long"),
        HostileCase(.asks, String(repeating: "\n", count: 500) + "rm notes.txt", "long"),
        HostileCase(.asks, "ls" + String(repeating: " ", count: 5000) + "; rm notes.txt", "long"),
        HostileCase(.refused, "yes", "long"), HostileCase(.refused, "yes >&2", "long"),
        HostileCase(.refused, "head -c 70000000 /dev/zero", "long"),
        HostileCase(.reads, "yes | head -c 1000000", "long"),
    ]
}
