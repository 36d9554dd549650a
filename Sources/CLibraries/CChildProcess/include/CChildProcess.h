// Starting other programs: `posix_spawn` with a session of one's own, and files in memory, are
// hidden from Swift's Glibc.
#pragma once
#include <sys/types.h>

// Starts the program `file`, found as a shell finds it, without a shell: in a session of its own,
// without a terminal, with no signal blocked or ignored and no descriptor but the first three.
// Standard input is `input`, or nothing where that is -1; what it writes goes nowhere.
//
// Returns 0 and sets `process`, or the errno of what failed, the program's start included.
int child_process_start(pid_t *process, const char *file, char *const arguments[],
                        char *const environment[], int input);

// The same in this session and process group: keys and signals of the terminal are the program's as
// well. Standard input is `input`, what it writes goes to `output`, a terminal both.
int child_process_start_on_terminal(pid_t *process, const char *file, char *const arguments[],
                                    char *const environment[], int input, int output);

// A file in memory that programs started from here do not inherit; -1 with errno.
int child_process_memory_file(void);

// Waits until a process that was started here has ended. Returns 0 and sets `status` as waitpid
// does, or errno.
int child_process_wait(pid_t process, int *status);

// Waits until a process that was started here has ended, and leaves it in the system's table: its
// number cannot be another's yet. Returns 0 or errno.
int child_process_await_end(pid_t process);

// Waits until a process that was started here has ended, and leaves it in the system's table, or has
// been stopped. Returns 0 and sets `is_stopped`, or errno.
int child_process_await_change(pid_t process, int *is_stopped);
