#include "ccrash.h"
#include <unistd.h>

static __thread volatile int64_t work[2];

void ccrash_work_on(int64_t workflow, int64_t step) {
  work[0] = workflow;
  work[1] = step;
}

void ccrash_write(int file) {
  int64_t both[2] = {work[0], work[1]};
  if (both[0] == 0) return;
  ssize_t written = write(file, both, sizeof both);
  (void)written;
}
