// What must run inside a signal handler, where Swift's runtime may not be entered: bringing the
// terminal back when the program dies, and telling the main loop which signal came.
//
// 1. Everything a handler needs is prepared beforehand in static storage.
// 2. Handlers call only what POSIX lists as async-signal-safe, and setitimer(), a bare system call.
// 3. Restoring is done once: whoever comes first disarms.
// 4. Once a signal has begun to end the process nothing is written to the terminal any more but
//    what restores it: a write under way ends first, and whoever begins one waits for the end.
// 5. Restoring takes a second at most, also where the terminal takes nothing.
// 6. A signal that ends the process does so within two seconds, whatever the main thread does: a
//    main loop that reads such signals has 0.9 s, then a timer's signal restores and ends it.
// 7. A terminal that belongs to another program by now is left alone.
#pragma once
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

// Prepares restoration: `settings` to be set on `descriptor`, then `bytes` (at most 16,384 are
// kept) to be written to it. From now on exit() and signals that end the process restore.
void terminal_restoration_arm(int descriptor, const struct termios *settings,
                              const uint8_t *bytes, size_t count);

// From now on nothing is restored. Returns 1 if it was armed.
int terminal_restoration_disarm(void);

// Answers of the terminal are under way to `descriptor`, the last of them to DA1; -1 for none.
// Restoring reads and drops them first, for 250 ms at most: the shell would take them for keys.
void terminal_restoration_await_answers(int descriptor);

// Restores now if armed; safe in a signal handler. Returns 1 if it did.
int terminal_restoration_run(void);

// Restores on SEGV, BUS, ILL, TRAP, ABRT, FPE and SYS, then ends the process by that signal, after
// the handler that stood before, if any. Also restores at exit(). Doing it again changes nothing.
void terminal_restoration_install(void);

// Gives the calling thread a stack of its own for handlers, so that an overflow of its stack is
// survived long enough to restore. Doing it again changes nothing.
void terminal_restoration_protect_thread(void);

// write(), for all that is written to a terminal that is to be restored; by one thread at a time.
// Does not return once a signal ends the process.
ssize_t terminal_write(int descriptor, const void *bytes, size_t count);

// From now on what is written to standard error, where that is a terminal, is kept: it would stand
// in the midst of the screen, and be gone with it. Without memory or descriptors it is written as
// before.
void terminal_errors_hold(void);

// Writes what was kept, at most its last 16,384 bytes, and keeps no more. So does restoring.
void terminal_errors_release(void);

// The same, and nothing of it stays open.
void terminal_errors_close(void);

// Opens a pipe for signals: neither end blocks or is inherited. Returns 0, or -1 with errno.
int terminal_signals_open(int ends[2]);

// Takes over all signals that would end or stop the process (but KILL, STOP, those of a crash, and
// PIPE where it is ignored), and WINCH and CONT. `descriptor`, which must not block, is sent the
// number of each as one byte:
//
// - WINCH, CONT, and what stops: TSTP, TTIN, TTOU. From the kernel the last two stop at once.
// - What ends, while terminal_signals_read(1) holds; else the handler restores the terminal and
//   ends the process. It does so as well when the process still runs 0.9 s after the first of them,
//   by that first signal.
void terminal_signals_install(int descriptor);

// Whether the main loop reads what ends; not so at first.
void terminal_signals_read(int reads);

// Whether another program of this process group has the terminal: INT, QUIT, TSTP, TTIN and TTOU are
// ignored then, for keys mean that program. From one thread alone, and not while released.
void terminal_signals_lend(int lends);

// Whether `number` is a signal that stops a process.
int terminal_signal_stops(int number);

// The dispositions there were before terminal_signals_install. After a signal that ends the process
// the handler of the timer stays.
void terminal_signals_release(void);

// Stops the process by `number`, with `whole_group` its process group as the terminal would have;
// returns when continued, or at once where nobody could continue it (an orphaned process group).
void terminal_stop(int number, int whole_group);
