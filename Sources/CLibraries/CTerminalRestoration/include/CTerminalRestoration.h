// Code that runs inside signal handlers, where Swift's runtime must not be entered: it restores the
// terminal when the program dies, and forwards signals to the main loop.
//
// 1. All data for a handler is prepared in advance in static storage.
// 2. Handlers call only functions that POSIX lists as async-signal-safe, and setitimer(),
//    nanosleep() and pread(), bare system calls.
// 3. The terminal is restored once: the first caller disarms the restoration.
// 4. Once a signal has begun to end the process, only the restoration is written to the terminal: a
//    write that has begun is finished first, and a thread that begins one waits for the end.
// 5. A signal's restoration takes a second at most, even if the terminal accepts nothing; that at
//    exit() has no limit.
// 6. A signal that ends the process does so within two seconds, whatever the main thread does: a
//    main loop that reads such signals has 0.9 s, then a timer's signal restores the terminal and
//    ends the process.
// 7. A terminal that belongs to another program by then is left alone.
#pragma once
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

// Prepares the restoration: `settings` are set on `descriptor`, then `bytes` (at most 16,384 are
// kept) are written to it. From now on exit() and signals that end the process restore. Does not
// return once a signal ends the process.
void terminal_restoration_arm(int descriptor, const struct termios *settings,
                              const uint8_t *bytes, size_t count);

// Disarms the restoration. Returns 1 if it was armed.
int terminal_restoration_disarm(void);

// Records that answers of the terminal are outstanding on `descriptor`, the last of them to DA1; -1
// for none. Restoring reads and drops them first, for 250 ms at most: the shell would take them for
// keys.
void terminal_restoration_await_answers(int descriptor);

// Restores on SEGV, BUS, ILL, TRAP, ABRT, FPE and SYS, then ends the process by that signal, after
// the former handler, if any. Also restores at exit(). Further calls have no effect.
void terminal_restoration_install(void);

// Gives the calling thread an alternate stack for handlers, so that an overflow of its stack is
// survived long enough to restore. Further calls have no effect.
void terminal_restoration_protect_thread(void);

// write(), for all output to a terminal that is to be restored; by one thread at a time. Does not
// return once a signal ends the process.
ssize_t terminal_write(int descriptor, const void *bytes, size_t count);

// From now on holds back output to standard error, if that is a terminal: it would appear in the
// middle of the screen, and vanish with it. Without memory or descriptors it is written as before.
void terminal_errors_hold(void);

// Writes the held output, at most its last 16,384 bytes, and holds back no more. Restoring does so,
// too.
void terminal_errors_release(void);

// The same, and closes the descriptors used for it.
void terminal_errors_close(void);

// Opens a pipe for signals: neither end blocks or is inherited. Returns 0, or -1 with errno.
int terminal_signals_open(int ends[2]);

// Takes over all signals that would end or stop the process (except KILL, STOP, those of a crash,
// and PIPE if it is ignored), and WINCH and CONT. The number of each is written to `descriptor`,
// which must not block, as one byte:
//
// - WINCH, CONT, and the stopping signals TSTP, TTIN and TTOU. If the kernel sends one of the last
//   two, the process stops at once instead.
// - Ending signals, while terminal_signals_read(1) holds; otherwise the handler restores the
//   terminal and ends the process. It also does so, by the first of these signals, if the process
//   still runs 0.9 s after it.
void terminal_signals_install(int descriptor);

// Sets whether the main loop reads ending signals; at first it does not.
void terminal_signals_read(int reads);

// Sets whether another program of this process group has the terminal: INT, QUIT, TSTP, TTIN and
// TTOU are then ignored, because keys are meant for that program. For one thread only, and not
// while released.
void terminal_signals_ignore_typed(int lends);

// Whether `number` is a signal that stops a process.
int terminal_signal_stops(int number);

// Restores the dispositions from before terminal_signals_install. Once an ending signal has
// arrived, the handler of its timer stays.
void terminal_signals_release(void);

// Stops the process by `number`, with `whole_group` its process group, as the terminal would;
// returns when continued, or at once if no other process could continue it (an orphaned process
// group).
void terminal_stop(int number, int whole_group);
