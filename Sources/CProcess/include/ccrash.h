#pragma once
#include <stdint.h>

/* What the calling thread works on, for whoever hears that it crashed: the number of a workflow and of its step; 0 and 0 for nothing, and
   step 0 for the workflow itself. */
void ccrash_work_on(int64_t workflow, int64_t step);

/* Writes both numbers of the calling thread, if it works on something. May be called by a signal handler. */
void ccrash_write(int file);
