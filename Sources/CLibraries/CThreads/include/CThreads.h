// Threads of the program's own. In C, for a stack for handlers has to lie where an overflow does
// not reach, at the very beginning of the thread's own.
#pragma once

// Starts a thread that calls `body` with `context` and ends with it; nobody waits for it.
//
// 1. It takes no signals but faults of its own: whoever waits for the others gets them, and a
//    connection that broke is an error of the write that finds it.
// 2. It has a stack apart for faults, so that an overflow of the other is survived long enough to
//    give a terminal back.
// 3. It gives way to others by `niceness`, from 0 to 19; where that is refused, it is merely not as
//    polite.
//
// Returns 0, or the errno of what the system refused.
int own_thread_start(void (*body)(void *), void *context, int niceness);
