// Threads of the program's own. In C, because the stack for handlers has to be out of reach of an
// overflow, at the very beginning of the thread's own.
#pragma once

// Starts a thread that calls `body` with `context` and ends with it; it is detached.
//
// 1. It takes no signals but faults of its own: the others go to threads that wait for them, and a
//    connection that broke is an error of the write that finds it.
// 2. It has an alternate stack for faults, so that a stack overflow is survived long enough to give
//    a terminal back.
// 3. It gives way to others by `niceness`, from 0 to 19; a refusal of that is ignored.
//
// Returns 0, or the errno of the failure.
int own_thread_start(void (*body)(void *), void *context, int niceness);
