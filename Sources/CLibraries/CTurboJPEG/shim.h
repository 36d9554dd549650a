#pragma once
#include <turbojpeg.h>

#include "../library.h"

#define TURBOJPEG_FUNCTIONS(EACH)                                          \
  EACH(tjInitCompress) EACH(tjCompress2) EACH(tjFree) EACH(tjDestroy)      \
  EACH(tjGetErrorStr2)

LIBRARY(TurboJPEGFunctions, turbojpeg_library, "libturbojpeg.so.0", TURBOJPEG_FUNCTIONS)
