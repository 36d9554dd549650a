// Starts other programs. In C, because Swift's Glibc module lacks POSIX_SPAWN_SETSID and
// memfd_create().
#pragma once
#include <sys/types.h>

// Starts the program `file`, looked up in PATH if its name has no slash, without a shell: in a
// session of its own, without a terminal, with no signal blocked or ignored and no descriptor but
// the first three; before glibc 2.34, those that are not closed on exec stay open, too. Standard
// input is `input`, or empty if that is -1. Standard output and standard error go to `output` and
// `errors`; -1 discards them.
//
// Returns 0 and sets `process`, or errno, also if the program cannot be executed.
int child_process_start(pid_t *process, const char *file, char *const arguments[],
                        char *const environment[], int input, int output, int errors);

// The same in this session and process group, so that the terminal's keys and signals reach the
// program as well. Its standard input is `input`, and its output and errors are `output`, a
// terminal.
int child_process_start_on_terminal(pid_t *process, const char *file, char *const arguments[],
                                    char *const environment[], int input, int output);

// A pipe that started programs do not inherit: the end to read, and the end to write. -1 with
// errno.
int child_process_pipe(int ends[2]);

// A file in memory that started programs do not inherit; -1 with errno.
int child_process_memory_file(void);

// Waits until a process started here has ended. Returns 0 and sets `status` as waitpid does, or
// errno.
int child_process_wait(pid_t process, int *status);

// Waits until a process started here has ended, and leaves it in the system's table, so that its
// process ID is not reused yet. Returns 0 or errno.
int child_process_await_end(pid_t process);

// Waits until a process that was started here has ended, and leaves it in the system's table, or
// has been stopped. Returns 0 and sets `is_stopped`, or errno.
int child_process_await_change(pid_t process, int *is_stopped);
