#pragma once

/// How often memory was allocated since the program started.
long allocation_count(void);
