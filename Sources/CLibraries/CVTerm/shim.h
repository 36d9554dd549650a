#pragma once
#include <spawn.h>
#include <stddef.h>
#include <vterm.h>

// The other half of a virtual terminal: opening a pseudo-terminal and starting a program in it. The
// C library has these, but its headers hide them without _GNU_SOURCE, which Swift does not set.
int posix_openpt(int flags);
int grantpt(int descriptor);
int unlockpt(int descriptor);
int ptsname_r(int descriptor, char *name, size_t length);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif
