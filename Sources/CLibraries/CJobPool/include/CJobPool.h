// The threads that run Swift's asynchronous work: a few of the program's own in place of
// libdispatch's global queue.
//
// On Linux libdispatch watches the threads of its global queue with a timer that goes off once a
// second from the first job until the process ends, so that a program which uses it never sleeps.
// Serial queues and the main queue are not watched. Swift's runtime lets a program put its own
// queue in the global one's place (`swift_task_enqueueGlobal_hook`, a variable of
// libswift_Concurrency); the hook is a C function pointer with Swift's calling convention, which
// Swift cannot write.
//
// 1. Jobs begin in the order they came, at most `width` at a time.
// 2. A thread is started when a job comes and none is idle; it then stays, asleep while idle.
// 3. The threads take no signals but faults of their own, for which they have an alternate stack,
//    so that a stack overflow is survived long enough to give a terminal back.
// 4. If no thread at all can be started, jobs go to the original queue.
#pragma once

// Makes `width` threads (1 or more) run Swift's jobs from now on. To be called once, before the
// first task.
void job_pool_install(int width);
