#pragma once
#include <stddef.h>

/* The files of Prompts/ and Config/ as they were when the program was built. */
typedef struct {
  const char *_Nonnull path; /* from the top of the repository: "Config/tools/images.yaml" */
  const unsigned char *_Nonnull bytes;
  size_t count;
} cembedded_file;

size_t cembedded_count(void);
const cembedded_file *_Nonnull cembedded_at(size_t index); /* index < cembedded_count() */
