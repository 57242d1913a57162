#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

/// Seconds since any fixed moment, never backwards; fits sinew_Clock.
double cli_clock(void *unused);

#endif
