// What a program makes sound before anything else, whatever it was started by: descriptors,
// signals, stacks. In C, for most of it is hidden from Swift, and it comes before what Swift's
// runtime opens.
#pragma once
#include <stddef.h>

// To be called first of all, on the main thread.
//
// 1. Of descriptors 0, 1 and 2 those that are closed are opened, so that no other file can get
//    their numbers, in such a way that reading the first and writing the others fails with EBADF as
//    it would if they were closed.
// 2. Signals that were blocked are not any more. A pipe that nobody reads is an error of the write
//    to it (EPIPE), not SIGPIPE.
// 3. A crash ends the process at once: Swift's runtime prints a backtrace, or asks whether to
//    debug, only where SWIFT_BACKTRACE asks for it by `enable=`.
// 4. The stack of this thread may grow to 8 MiB where that is allowed. Stacks of other threads have
//    2 MiB each, however large those of whoever started the program are: with less nothing works,
//    and with more the threads alone take up a small address space.
//
// Returns the bytes that the stack of this thread may have.
size_t process_start(void);

// What a process may lack.
enum process_lack { process_lacks_nothing, process_lacks_memory, process_lacks_files,
                    process_lacks_threads };

// Whether so many bytes of memory, files and threads could be had now; nothing of it is kept.
// Threads are tried only where the user may have few.
enum process_lack process_lack_of(size_t bytes, int files, int threads);
