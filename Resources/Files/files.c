// Nothing: this target is there to have the folder `Content` copied beside the program. A target in
// Swift that has files gets a generated `Bundle.module`, and with it the program links all of
// Foundation; a target in C gets none.
#include "DemoFiles.h"
