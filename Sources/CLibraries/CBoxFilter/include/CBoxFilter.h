// Scales a picture by the mean of the area that each target pixel covers, a row at a time, so that
// only one row of the source has to be in memory. In C, because the decoders use no other language.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct box_filter box_filter;

// A filter from `width` by `height` pixels to `target_width` by `target_height`, each at least 1
// and at most 2^30. It writes to `out`, rows of RGBA bytes with straight alpha, but only those for
// which it was given pixels.
//
// `any_order` nonzero: rows may come in any order and in parts, at the price of sums for the whole
// target.
//
// Returns NULL if there is not enough memory or a side is out of range.
box_filter *_Nullable box_filter_start(uint32_t width, uint32_t height, uint32_t target_width,
                                       uint32_t target_height, int any_order,
                                       uint8_t *_Nonnull out);

// Adds the row `y` of RGBA bytes, later ones after earlier ones unless any order was asked for. A
// row beyond the source is ignored.
void box_filter_add_row(box_filter *_Nonnull filter, uint32_t y, const uint8_t *_Nonnull row);

// Adds `count` pixels of the row `y` from `x` on, `step` columns apart; any order must have been
// asked for. Pixels beyond the source are ignored.
void box_filter_add_pixels(box_filter *_Nonnull filter, uint32_t y, uint32_t x, uint32_t step,
                           uint32_t count, const uint8_t *_Nonnull pixels);

// Writes the remaining rows and frees the filter. Missing pixels count as transparent.
void box_filter_end(box_filter *_Nonnull filter);
