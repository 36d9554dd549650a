#pragma once
#include <string.h>
#include <zlib.h>

#include "../library.h"

#define DEFLATE_FUNCTIONS(EACH) \
  EACH(deflateInit2_) EACH(deflate) EACH(deflateBound) EACH(deflateEnd) EACH(crc32) \
  EACH(adler32) EACH(adler32_combine)

LIBRARY(DeflateFunctions, deflate_library, "libz.so.1", DEFLATE_FUNCTIONS)
