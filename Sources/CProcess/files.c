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

int cfiles_open_below(int folder, const char *path, int flags, mode_t mode, int other_mounts) {
  /* A link in place of a folder is ELOOP, as one on the way to it is; O_NOFOLLOW would make it ENOTDIR. */
  int last = flags & O_DIRECTORY ? 0 : O_NOFOLLOW;
  struct open_how how = {
    .flags = (unsigned long long)(flags | O_CLOEXEC | last),
    .mode = flags & O_CREAT ? mode : 0,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | (other_mounts ? 0 : RESOLVE_NO_XDEV),
  };
  /* A rename somewhere above while the kernel looks is told as EAGAIN. */
  for (int tries = 0; tries < 100; tries++) {
    int file = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (file >= 0 || (errno != EAGAIN && errno != EINTR)) return file;
  }
  return -1;
}

unsigned long long cfiles_mount(int folder, const char *path) {
  struct statx about;
  if (statx(folder, path, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_MNT_ID, &about) != 0) return 0;
  /* Before Linux 5.8 the device is all that can be told. */
  if (!(about.stx_mask & STATX_MNT_ID)) return 1ULL << 63 | (unsigned long long)about.stx_dev_major << 32 | about.stx_dev_minor;
  return about.stx_mnt_id;
}

int cfiles_place_only(void) { return O_PATH; }

int cfiles_open_unnamed(int folder, mode_t mode) { return openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode); }

int cfiles_name(int file, int folder, const char *name) {
  char own[64];
  snprintf(own, sizeof own, "/proc/self/fd/%d", file);
  return linkat(AT_FDCWD, own, folder, name, AT_SYMLINK_FOLLOW);
}

int cfiles_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
  int result = renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
  if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
  /* A file system without the flag: a second name fails where one is, then the first name goes. */
  return linkat(from_folder, from, to_folder, to, 0) == 0 ? unlinkat(from_folder, from, 0) : -1;
}

int cfiles_exchange(int one_folder, const char *one, int other_folder, const char *other) {
  return renameat2(one_folder, one, other_folder, other, RENAME_EXCHANGE);
}

ssize_t cfiles_attributes(int file, char *names, size_t size) { return flistxattr(file, names, size); }

ssize_t cfiles_attribute(int file, const char *name, void *value, size_t size) { return fgetxattr(file, name, value, size); }

int cfiles_set_attribute(int file, const char *name, const void *value, size_t size) { return fsetxattr(file, name, value, size, 0); }

int cfiles_remove_attribute(int file, const char *name) { return fremovexattr(file, name); }

int cfiles_set_attribute_at(const char *path, const char *name, const void *value, size_t size) { return setxattr(path, name, value, size, 0); }

int cfiles_remove_attribute_at(const char *path, const char *name) { return removexattr(path, name); }

int cfiles_sync_all(int folder) { return syncfs(folder); }
