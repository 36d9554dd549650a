// What must run inside a signal handler, where Swift's runtime may not be entered: bringing the
// terminal back when the program dies, and telling the main loop which signal came.
//
// 1. Everything a handler needs is prepared beforehand in static storage.
// 2. Handlers call only what POSIX lists as async-signal-safe.
// 3. Restoring is done once: whoever comes first disarms.
#pragma once
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Prepares restoration: `bytes` (at most 16,384 are kept) to be written to `descriptor`, then
// `settings` to be set on it. From now on exit() and crashes restore.
void terminal_restoration_arm(int descriptor, const struct termios *settings,
                              const uint8_t *bytes, size_t count);

// From now on nothing is restored. Returns 1 if it was armed.
int terminal_restoration_disarm(void);

// Restores now if armed; safe in a signal handler. Returns 1 if it did.
int terminal_restoration_run(void);

// Restores on SEGV, BUS, ILL, TRAP, ABRT, FPE and SYS, then lets the signal take its former course.
// Also restores at exit(). Doing it again changes nothing.
void terminal_restoration_install(void);

// Gives the calling thread a stack of its own for handlers, so that an overflow of its stack is
// survived long enough to restore. Doing it again changes nothing.
void terminal_restoration_protect_thread(void);

// Opens a pipe for signals: neither end blocks or is inherited. Returns 0, or -1 with errno.
int terminal_signals_open(int ends[2]);

// Writes the number of each signal of `signals` that comes as one byte to `descriptor`, which must
// not block. A request to end (INT, TERM, HUP, QUIT) that finds an earlier one not taken for two
// seconds restores the terminal and ends the process.
void terminal_signals_forward(int descriptor, const int *signals, int count);

// The main loop has read what was forwarded.
void terminal_signals_taken(void);

// Undoes the forwarding: default dispositions again.
void terminal_signals_release(const int *signals, int count);

// Stops the process group by SIGTSTP as the terminal would have; returns when continued, or at once
// where nobody could continue it (an orphaned process group). Leaves TSTP and CONT at default.
void terminal_stop_group(int only_self);
