// Sets descriptors, signals and stacks to a known state before anything else runs, whichever
// program started this one. In C, because Swift cannot call most of it, and because it must run
// before Swift's runtime opens files.
#pragma once
#include <stddef.h>

// Call it before anything else, on the main thread.
//
// 1. Any of descriptors 0, 1 and 2 that is closed is opened, so that no other file gets its number,
//    in such a way that reading the first and writing the others fails with EBADF, as if they were
//    closed. A limit on open files below 1,024 is raised to that, or as far as allowed.
// 2. Blocked signals are unblocked. Writing to a pipe without a reader is an error of the write
//    (EPIPE), not SIGPIPE.
// 3. A crash ends the process at once: Swift's runtime prints a backtrace, or asks whether to
//    debug, only if SWIFT_BACKTRACE contains `enable=`.
// 4. The stack of this thread may grow to 8 MiB if that is allowed. Stacks of other threads have 2
//    MiB each, whatever the limits of the parent process: smaller ones overflow, and larger ones
//    use up a small address space.
// 5. Blocks of 1 MiB or more return to the system when they are freed. By default, malloc raises
//    that threshold to the largest block ever freed, up to 32 MiB, and keeps smaller blocks in
//    heaps that grow with each reload.
//
// Returns the maximum stack size of this thread in bytes.
size_t process_start(void);

// A resource that a process lacks.
enum process_lack { process_lacks_nothing, process_lacks_memory, process_lacks_files,
                    process_lacks_threads };

// Tries to get `bytes` of memory, `files` descriptors (at most 64) and `threads` threads (at most
// 16), and releases them again; returns the first resource that is lacking. Threads are tried only
// if the user's limit is low.
enum process_lack process_lack_of(size_t bytes, int files, int threads);
