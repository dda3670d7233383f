/* How many processes a program has started, and a bound on them that binds root, too. */
#define _GNU_SOURCE
#include "cprocess.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_COUNTED = 8192 };

typedef struct {
  pid_t known[MOST_COUNTED];
  int count, most;
} crowd;

static void add(crowd *all, pid_t pid) {
  if (pid > 0 && all->count < all->most) all->known[all->count++] = pid;
}

/* Numbers with a space behind each. */
static void add_children(crowd *all, int folder, const char *thread) {
  char path[64];
  if (snprintf(path, sizeof path, "%.32s/children", thread) >= (int)sizeof path) return;
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[4096];
  pid_t number = 0;
  for (ssize_t size; all->count < all->most && (size = read(file, text, sizeof text)) > 0;)
    for (ssize_t i = 0; i < size; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        number = number * 10 + (text[i] - '0');
      } else {
        add(all, number);
        number = 0;
      }
    }
  close(file);
}

/* Each thread has children of its own. */
static void add_all_children(crowd *all, pid_t pid) {
  char path[64], entries[2048];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  for (long size; all->count < all->most && (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
    for (long at = 0; at < size;) {
      const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
      if (entry->d_name[0] != '.') add_children(all, folder, entry->d_name);
      at += entry->d_reclen;
    }
  close(folder);
}

int cprocess_count(pid_t first, int most) {
  crowd all = {.count = 0, .most = most + 2 < MOST_COUNTED ? most + 2 : MOST_COUNTED};
  add(&all, first);
  for (int next = 0; next < all.count && all.count < all.most; next++) add_all_children(&all, all.known[next]);
  return all.count - 1;
}

int cprocess_bound_numbers(int most) {
  struct utsname kernel;
  int major = 0, minor = 0;
  /* Before, it is the setting of the whole machine, and root could write it. */
  if (uname(&kernel) != 0 || sscanf(kernel.release, "%d.%d", &major, &minor) != 2) return ENOSYS;
  if (major < 6 || (major == 6 && minor < 14)) return ENOSYS;
  char text[24];
  int length = snprintf(text, sizeof text, "%d", most);
  int file = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  int error = write(file, text, (size_t)length) == length ? 0 : errno;
  close(file);
  return error;
}
