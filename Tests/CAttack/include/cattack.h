#pragma once
/* What a picture could try that has taken over the process that decodes it. */

/* Whether a descriptor from 3 on is open beside this one, or this one is not. */
int cattack_is_open_beside(int given);

/* The number of attempts. */
int cattack_count(void);
const char *_Nonnull cattack_name(int attempt);
/* Tries it in this process, with a descriptor that was opened for reading, the process of another picture, and the path of a file that
   may not be written. Whether it was possible. */
int cattack_try(int attempt, int reading, int neighbour, const char *_Nonnull path);
