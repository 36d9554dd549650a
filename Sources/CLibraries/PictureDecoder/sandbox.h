// What keeps a decoder from anything but decoding.
#pragma once

// Bounds memory, time, files and processes. Called before anything hostile is read. `memory` bytes
// of addresses, `seconds` of the processor.
void sandbox_limit(unsigned long memory, unsigned long seconds);

// From now on the system is asked for memory, and for messages of the channel, alone. Returns 0, or
// the errno of a system that has no such filter: there the limits have to suffice.
int sandbox_close(void);
