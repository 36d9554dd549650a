#pragma once

// Opening a pseudo-terminal and starting a program in a session of its own. The C library has
// these, but its headers hide them without _GNU_SOURCE, which Swift does not set.
#ifdef __linux__
int posix_openpt(int flags);
int grantpt(int descriptor);
int unlockpt(int descriptor);
char *ptsname(int descriptor);
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
#endif
