// Puts descriptors, signals and stacks in order before anything else, whatever has started the
// program. In C, because most of it is hidden from Swift and it precedes what Swift's runtime
// opens.
#pragma once
#include <stddef.h>

// To be called first of all, on the main thread.
//
// 1. Those of descriptors 0, 1 and 2 that are closed are opened, so that no other file gets their
//    numbers, in such a way that reading the first and writing the others fails with EBADF, as if
//    they were closed.
// 2. Blocked signals are unblocked. Writing to a pipe without a reader is an error of the write
//    (EPIPE), not SIGPIPE.
// 3. A crash ends the process at once: Swift's runtime prints a backtrace, or asks whether to
//    debug, only if SWIFT_BACKTRACE asks for it by `enable=`.
// 4. The stack of this thread may grow to 8 MiB if that is allowed. Stacks of other threads have 2
//    MiB each, whatever the limits of the parent process: with less nothing works, and with more
//    the threads alone take up a small address space.
// 5. Blocks of 1 MiB or more return to the system when they are freed. Else malloc keeps blocks as
//    large as the largest that was ever freed, up to 32 MiB, in heaps that grow with each reload.
//
// Returns the maximum stack size of this thread in bytes.
size_t process_start(void);

// A resource that a process lacks.
enum process_lack { process_lacks_nothing, process_lacks_memory, process_lacks_files,
                    process_lacks_threads };

// The first resource of which `bytes` of memory, `files` or `threads` are not available now; none
// is kept. Threads are tried only if the user's limit of them is low.
enum process_lack process_lack_of(size_t bytes, int files, int threads);
