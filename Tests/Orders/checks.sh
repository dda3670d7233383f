# Functions for the checks of the lists. A check is a line of shell, run in the folder, right if it ends with 0.
# $NEW is the new file (of several, the first by name), $OUT a file with the words on the screen.
width() { vipsheader -f width "$1"; }
height() { vipsheader -f height "$1"; }
bytes() { stat -c %s "$1"; }
is_gray() { [ "$(vips stats "$1" /tmp/s.$$.v 2>/dev/null; rm -f /tmp/s.$$.v; vipsheader -f interpretation "$1")" = b-w ] || [ "$(vipsheader -f bands "$1")" -le 2 ]; }
lines() { wc -l < "$1"; }
kind() { file -b "$1"; }
same() { cmp -s "$1" "$2"; }
said() { grep -qiE "$1" "$OUT"; }
original() { git show "HEAD:$1"; }
in_zip() { unzip -Z1 "$1" | grep -qx "$2"; }
