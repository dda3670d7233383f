// Loaded into a program (LD_PRELOAD): ends it by SIGKILL just before the N-th call that names a file or changes its settings
// (ASSENT_STOP_AT=N); with ASSENT_STOP_LINKS also before one that gives a file a name or takes one away. What it had done until then is on the file system, and nothing after it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int left;
static pid_t self;
static int links;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("ASSENT_STOP_AT");
  left = at ? atoi(at) : 0;
  self = getpid();
  links = getenv("ASSENT_STOP_LINKS") != NULL;
}

static void count(void) {
  if (left > 0 && getpid() == self && atomic_fetch_sub(&left, 1) == 1) kill(self, SIGKILL);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int rename(const char *from, const char *to) {
  count();
  return REAL(rename)(from, to);
}

int renameat2(int one, const char *from, int other, const char *to, unsigned flags) {
  count();
  return REAL(renameat2)(one, from, other, to, flags);
}

int chmod(const char *path, mode_t mode) {
  count();
  return REAL(chmod)(path, mode);
}

int fchmod(int file, mode_t mode) {
  count();
  return REAL(fchmod)(file, mode);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  count();
  return REAL(utimensat)(folder, path, times, flags);
}

int syncfs(int file) {
  count();
  return REAL(syncfs)(file);
}

int linkat(int one, const char *from, int other, const char *to, int flags) {
  if (links) count();
  return REAL(linkat)(one, from, other, to, flags);
}

int unlinkat(int folder, const char *path, int flags) {
  if (links) count();
  return REAL(unlinkat)(folder, path, flags);
}
