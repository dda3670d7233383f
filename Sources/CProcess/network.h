#pragma once

/* Makes the way out of the network namespace of this process and gives it to who started us, over a socket. Returns an errno. */
int give_way_out(int way);

/* Hears what comes of a staged program until it has begun, or has not: its way out, where it has one, and what failed. */
void hear_of_stage(int end, int *listener, int *failure);
