#ifndef CLI_SERVE_H
#define CLI_SERVE_H

// A folder of files on a port of this machine, for a browser beside it.

#include <stdbool.h>

/// A socket that listens on 127.0.0.1; port 0: any that is free. Returns it and the port that it took, or -1
/// after a message.
int cli_serve_listen(int port, int *out_port);

/// Answer requests until the process is told to end, up to 64 connections side by side: one that is silent or does not
/// read keeps nobody waiting, and is closed after 5 s. Files of the folder are given to whoever asks on this machine, and
/// nothing outside of it.
void cli_serve_folder(int listening, const char *folder);

#endif
