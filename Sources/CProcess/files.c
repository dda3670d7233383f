#define _GNU_SOURCE
#include "cfiles.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int cfiles_open_below(int folder, const char *path, int flags, mode_t mode) {
  struct open_how how = {
    .flags = (unsigned long long)(flags | O_CLOEXEC | O_NOFOLLOW),
    .mode = flags & O_CREAT ? mode : 0,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
  };
  /* A rename somewhere above while the kernel looks is told as EAGAIN. */
  for (int tries = 0; tries < 100; tries++) {
    int file = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (file >= 0 || (errno != EAGAIN && errno != EINTR)) return file;
  }
  return -1;
}

int cfiles_place_only(void) { return O_PATH; }

int cfiles_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int cfiles_exchange(int one_folder, const char *one, int other_folder, const char *other) {
  return renameat2(one_folder, one, other_folder, other, RENAME_EXCHANGE);
}

ssize_t cfiles_attributes(int file, char *names, size_t size) { return flistxattr(file, names, size); }

ssize_t cfiles_attribute(int file, const char *name, void *value, size_t size) { return fgetxattr(file, name, value, size); }

int cfiles_remove_attribute(int file, const char *name) { return fremovexattr(file, name); }

int cfiles_set_modified(const char *path, long long seconds, long nanoseconds) {
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return utimensat(AT_FDCWD, path, times, 0);
}

int cfiles_sync_all(int folder) { return syncfs(folder); }
