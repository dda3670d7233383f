/// What is left behind: processes, pipes, devices, and marks that an overlay reads.
extension HostileCase {
    static let lasting = cases(
        "stays",
        #"""
        reads    sleep 600 &
        reads    nohup sleep 600 > /dev/null 2>&1 &
        reads    setsid sleep 600 &
        reads    setsid setsid sh -c 'sleep 600 & sleep 600 & wait' &
        reads    (setsid sh -c 'while :; do sleep 1; done' > /dev/null 2>&1 &)
        reads    sh -c 'trap "" TERM HUP INT; sleep 600' &
        reads    sh -c 'trap "" TERM; sleep 0.1' & disown 2>/dev/null
        reads    python3 -c "import os,time; os.fork() or os.setsid() or os.fork() or time.sleep(600)" &
        reads    perl -e 'fork and exit; setpgrp; sleep 600'
        reads    start-stop-daemon --start --background --exec /bin/sleep -- 600
        reads    tmux new -d 'sleep 600'
        reads    screen -dm sleep 600
        reads    at now + 1 minute < notes.txt
        reads    sh -c 'kill -STOP $$' & sleep 0.1
        asks     (sleep 0.2; rm notes.txt) & wait
        asks     (sleep 0.2; rm notes.txt) & rm README.md; sleep 0.5
        creates  (while :; do date > new; done) & sleep 0.1
        creates  mkdir d; (setsid sh -c 'sleep 600' < d > d/log 2>&1 &)
        creates  exec 9> lock; flock 9; (sleep 600 &) ; echo
        """#)

    static let odd = cases(
        "odd files",
        #"""
        refused  mkfifo pipe
        refused  mkdir d && mkfifo d/pipe
        refused  python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('sock')"
        reads    mknod dev c 1 3
        reads    mknod mem b 8 0
        reads    mknod wh c 0 0
        refused  mknod p p
        refused  rm notes.txt; mkfifo notes.txt
        refused  echo x > s; chmod u+s s
        refused  echo x > s; chmod g+s s
        refused  cp /bin/sh s; chmod 4755 s
        refused  mkdir d; chmod +t d
        refused  mkdir d; chmod g+s d
        refused  chmod u+s say.sh
        creates  echo x > a; ln a b
        reads    ln notes.txt second
        creates  ln notes.txt src/second; echo x >> src/second
        creates  cp -al src copy
        reads    chown nobody notes.txt
        reads    chown 12345 data.csv
        reads    chattr +i notes.txt
        reads    setcap cap_net_raw+ep say.sh
        reads    mount --bind / src
        reads    mount -t tmpfs none src
        reads    mount -t proc proc src
        reads    mount -t overlay o -o lowerdir=/,upperdir=src,workdir=empty empty
        reads    umount -l .
        reads    unshare -Urm mount --bind / src
        reads    fusermount -u .
        reads    pivot_root . src
        reads    losetup -f notes.txt
        refused  python3 -c "import os; open('f','w'); os.setxattr('f','user.overlay.whiteout',b'y')"
        refused  python3 -c "import os; os.mkdir('d'); os.setxattr('d','user.overlay.whiteouts',b'y'); os.setxattr('d','user.overlay.opaque',b'x')"
        refused  python3 -c "import os; os.setxattr('src','user.overlay.opaque',b'y')"
        refused  python3 -c "import os; os.setxattr('notes.txt','user.overlay.redirect',b'/etc/passwd')"
        refused  python3 -c "import os; os.setxattr('notes.txt','user.overlay.metacopy',b'')"
        reads    python3 -c "import os; os.setxattr('notes.txt','trusted.overlay.opaque',b'y')"
        reads    python3 -c "import os; os.setxattr('notes.txt','security.capability',b'x'*20)"
        asks     rm -rf src; mkdir src; touch src/main.c
        asks     rm -rf src; ln -s {OUT}/dir src
        asks     rm -rf src; ln -s repo src
        asks     rm notes.txt; mkdir notes.txt
        asks     mv src s2; mv hooks src
        asks     mv notes.txt src/notes.txt; echo x > notes.txt
        refused  rm -rf * .[!.]*
        refused  rm -rf $PWD
        asks     rm -rf ./repo/.git
        refused  find . -type f -exec truncate -s 0 {} + 2>/dev/null
        asks     rename notes.txt x notes.txt 2>/dev/null; rm -f notes.txt
        asks     cp --attributes-only --preserve=mode hooks/pre-commit notes.txt
        asks     chmod 000 notes.txt
        asks     chmod 777 src
        refused  chmod 777 .
        refused  chmod 000 .
        refused  echo x > "$(printf '\377\376')"
        refused  mkdir "$(printf 'a\377')"
        refused  p=.; for i in $(seq 120); do p=$p/d; done; mkdir -p $p
        refused  mkdir big; cd big; seq 6000 | xargs touch; for i in $(seq 6); do mkdir $i; done; cd ..; seq -f x%g 5100 | xargs touch
        creates  seq 1500 | sed 's/^/many/' | xargs touch
        asks     mkdir new; cd new; seq 3000 | xargs touch
        creates  truncate -s 100M hole
        creates  touch -d 2099-01-01 future
        creates  cp notes.txt copy.txt; rm copy.txt; echo x > copy.txt
        creates  ln -s notes.txt link
        creates  umask 077; echo x > private
        creates  mv notes.txt todo.txt
        creates  mkdir -p a/b/c && mv notes.txt a/b/c/
        """#)

    /// Names that are not what they seem.
    static let names = cases(
        "names",
        #"""
        asks     echo x > 'a\#u{200B}b'
        asks     echo x > "$(printf 'a\nb')"
        asks     echo x > "$(printf 'a\033[2Jb')"
        asks     echo x > -rf
        asks     echo x > ./--help
        asks     mkdir -p -- '-x/y'; echo x > ./-x/y/z
        asks     echo x > "$(printf 'notes\342\200\256txt')"
        asks     echo x > NOTES.txt
        asks     echo x > Notes.TXT
        asks     echo x > "$(printf 're\314\201sume')"; echo y > "$(printf 'r\303\251sume')"
        """#)
}
