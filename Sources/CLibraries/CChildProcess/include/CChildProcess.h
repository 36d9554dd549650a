// Starts other programs. In C, because Swift's Glibc hides `posix_spawn` with a session of its own
// and files in memory.
#pragma once
#include <sys/types.h>

// Starts the program `file`, found as a shell finds it, without a shell: in a session of its own,
// without a terminal, with no signal blocked or ignored and no descriptor but the first three.
// Standard input is `input`, or empty if that is -1. Output and errors go to the other two, or are
// discarded if these are -1.
//
// Returns 0 and sets `process`, or the errno of the failure, also that of the program's start.
int child_process_start(pid_t *process, const char *file, char *const arguments[],
                        char *const environment[], int input, int output, int errors);

// The same in this session and process group, so that the terminal's keys and signals reach the
// program as well. Its standard input is `input`, and its output and errors are `output`, a terminal.
int child_process_start_on_terminal(pid_t *process, const char *file, char *const arguments[],
                                    char *const environment[], int input, int output);

// A pipe that started programs do not inherit: the end to read, and the end to write. -1 with errno.
int child_process_pipe(int ends[2]);

// A file in memory that started programs do not inherit; -1 with errno.
int child_process_memory_file(void);

// Waits until a process started here has ended. Returns 0 and sets `status` as waitpid does, or
// errno.
int child_process_wait(pid_t process, int *status);

// Waits until a process started here has ended, and leaves it in the system's table, so that its
// number cannot be another's yet. Returns 0 or errno.
int child_process_await_end(pid_t process);

// Waits until a process that was started here has ended, and leaves it in the system's table, or has
// been stopped. Returns 0 and sets `is_stopped`, or errno.
int child_process_await_change(pid_t process, int *is_stopped);
