#pragma once

// The system's encoders, for pictures that programs are to decode.
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>
#include <webp/encode.h>

// RGB of 8 bits as a PNG. Macros made of other macros' values are hidden from Swift.
static inline int encode_png(const unsigned char *_Nonnull pixels, unsigned width, unsigned height,
                             void *_Nullable *_Nonnull bytes, size_t *_Nonnull count) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = 0;
  if (!png_image_write_to_memory(&image, NULL, &size, 0, pixels, 0, NULL)) return 0;
  *bytes = malloc(size);
  if (*bytes == NULL) return 0;
  if (!png_image_write_to_memory(&image, *bytes, &size, 0, pixels, 0, NULL)) return 0;
  *count = size;
  return 1;
}
