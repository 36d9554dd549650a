#include "CBoxFilter.h"

#include <stdlib.h>
#include <string.h>

// Sums hold premultiplied colours, four channels to a vector: transparent pixels lend their
// neighbours no colour. The error stays below half a step of eight bits up to sides of 100,000
// pixels.
typedef float sums __attribute__((vector_size(16)));
typedef int32_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(4)));

// The source pixels that a target pixel covers on one axis: `head` of the first, all of those
// between, and `tail` of the last.
typedef struct {
  uint32_t first, count;
  float head, tail;
} span;

struct box_filter {
  uint32_t width, height, target_width, target_height;
  uint8_t *out;
  float inverse_area;
  int any_order;
  span *columns;
  // The last source row, reduced to the target's width.
  sums *reduced;
  // The sums of `held` target rows, row y at index y % held; `rows` has the row at each index, or
  // `no_row`.
  sums *held_sums;
  int64_t *rows;
  uint32_t held;
};

static const int64_t no_row = -1;

static void set_columns(box_filter *filter) {
  // Exact in integers: the target pixel i covers [i * source, (i + 1) * source) if a source pixel
  // is `target` units long.
  const uint64_t source = filter->width, target = filter->target_width;
  for (uint64_t i = 0; i < target; i++) {
    uint64_t start = i * source, end = start + source;
    uint64_t first = start / target, last = (end - 1) / target;
    uint64_t head_end = (first + 1) * target;
    if (head_end > end) head_end = end;
    filter->columns[i] = (span){
        .first = (uint32_t)first,
        .count = (uint32_t)(last - first + 1),
        .head = (float)(head_end - start) / (float)target,
        .tail = (float)(end - last * target) / (float)target,
    };
  }
}

box_filter *box_filter_start(uint32_t width, uint32_t height, uint32_t target_width,
                             uint32_t target_height, int any_order, uint8_t *out) {
  const uint32_t largest = 1u << 30;
  if (width < 1 || height < 1 || target_width < 1 || target_height < 1 || width > largest ||
      height > largest || target_width > largest || target_height > largest)
    return NULL;
  box_filter *filter = calloc(1, sizeof *filter);
  if (filter == NULL) return NULL;
  *filter = (box_filter){
      .width = width,
      .height = height,
      .target_width = target_width,
      .target_height = target_height,
      .out = out,
      .any_order = any_order,
      .held = any_order ? target_height : 2,
  };
  filter->inverse_area = ((float)target_width / (float)width) *
                         ((float)target_height / (float)height);
  filter->columns = calloc(target_width, sizeof *filter->columns);
  filter->reduced = calloc(target_width, sizeof *filter->reduced);
  filter->rows = calloc(filter->held, sizeof *filter->rows);
  // Zeroed by calloc(), so only the pages of rows that receive pixels become resident.
  filter->held_sums =
      calloc((size_t)target_width * filter->held, sizeof *filter->held_sums);
  if (filter->columns == NULL || filter->reduced == NULL || filter->rows == NULL ||
      filter->held_sums == NULL) {
    for (uint32_t i = 0; filter->rows != NULL && i < filter->held; i++) filter->rows[i] = no_row;
    box_filter_end(filter);
    return NULL;
  }
  for (uint32_t i = 0; i < filter->held; i++) filter->rows[i] = no_row;
  set_columns(filter);
  return filter;
}

static inline sums premultiplied(const uint8_t *pixel) {
  lanes whole = {pixel[0], pixel[1], pixel[2], pixel[3]};
  sums value = __builtin_convertvector(whole, sums);
  float factor = value[3] * (1.0f / 255);
  return value * (sums){factor, factor, factor, 1};
}

static void reduce(box_filter *filter, const uint8_t *row) {
  for (uint32_t x = 0; x < filter->target_width; x++) {
    const span part = filter->columns[x];
    const uint8_t *pixel = row + (size_t)part.first * 4;
    sums sum = premultiplied(pixel) * part.head;
    for (uint32_t left = part.count - 1; left > 1; left--) {
      pixel += 4;
      sum += premultiplied(pixel);
    }
    if (part.count > 1) sum += premultiplied(pixel + 4) * part.tail;
    filter->reduced[x] = sum;
  }
}

static void write_row(box_filter *filter, uint32_t place) {
  const sums *held = filter->held_sums + (size_t)place * filter->target_width;
  uint8_t *out = filter->out + (size_t)filter->rows[place] * filter->target_width * 4;
  const sums limit = {255, 255, 255, 255};
  for (uint32_t x = 0; x < filter->target_width; x++, out += 4) {
    sums mean = held[x] * filter->inverse_area;
    float factor = mean[3] > 0 ? 255 / mean[3] : 0;
    sums value = mean * (sums){factor, factor, factor, 1} + 0.5f;
    // The minimum in each lane, by masks; no value is negative.
    lanes is_over = value > limit;
    lanes whole = __builtin_convertvector(
        (sums)(((lanes)value & ~is_over) | ((lanes)limit & is_over)), lanes);
    bytes written = __builtin_convertvector(whole, bytes);
    memcpy(out, &written, 4);
  }
  filter->rows[place] = no_row;
}

// The sums of the target row `y`, zero if it has none yet.
static sums *sums_of_row(box_filter *filter, uint32_t y) {
  uint32_t place = y % filter->held;
  sums *held = filter->held_sums + (size_t)place * filter->target_width;
  if (filter->rows[place] != y) {
    // A row is left over if source rows are missing.
    if (filter->rows[place] != no_row) write_row(filter, place);
    if (!filter->any_order) memset(held, 0, sizeof *held * filter->target_width);
    filter->rows[place] = y;
  }
  return held;
}

// The share of the source pixel `place` that lies in the target pixel `at`, on one axis. A source
// pixel is `target` units long here, and a target pixel `source` units.
static float weight(uint64_t place, uint64_t source, uint64_t at, uint64_t target) {
  uint64_t start = place * target, end = start + target;
  if (start < at * source) start = at * source;
  if (end > (at + 1) * source) end = (at + 1) * source;
  return (float)(end - start) / (float)target;
}

void box_filter_add_row(box_filter *filter, uint32_t y, const uint8_t *row) {
  if (y >= filter->height) return;
  const uint64_t source = filter->height, target = filter->target_height;
  reduce(filter, row);
  const uint32_t last = (uint32_t)(((y + (uint64_t)1) * target - 1) / source);
  for (uint32_t at = (uint32_t)(y * target / source); at <= last; at++) {
    float share = weight(y, source, at, target);
    sums *held = sums_of_row(filter, at);
    for (uint32_t x = 0; x < filter->target_width; x++) held[x] += filter->reduced[x] * share;
    int is_done = (at + (uint64_t)1) * source <= (y + (uint64_t)1) * target;
    if (is_done && !filter->any_order) write_row(filter, at % filter->held);
  }
}

void box_filter_add_pixels(box_filter *filter, uint32_t y, uint32_t x, uint32_t step,
                           uint32_t count, const uint8_t *pixels) {
  if (y >= filter->height || !filter->any_order) return;
  const uint64_t across = filter->width, down = filter->height;
  const uint64_t target_across = filter->target_width, target_down = filter->target_height;
  const uint32_t last = (uint32_t)(((y + (uint64_t)1) * target_down - 1) / down);
  for (uint32_t at = (uint32_t)(y * target_down / down); at <= last; at++) {
    float share = weight(y, down, at, target_down);
    sums *held = sums_of_row(filter, at);
    for (uint32_t i = 0; i < count; i++) {
      uint64_t column = x + (uint64_t)i * step;
      if (column >= across) break;
      sums value = premultiplied(pixels + (size_t)i * 4) * share;
      uint64_t end = ((column + 1) * target_across - 1) / across;
      for (uint64_t to = column * target_across / across; to <= end; to++)
        held[to] += value * weight(column, across, to, target_across);
    }
  }
}

void box_filter_end(box_filter *filter) {
  if (filter->rows != NULL && filter->held_sums != NULL) {
    for (uint32_t place = 0; place < filter->held; place++)
      if (filter->rows[place] != no_row) write_row(filter, place);
  }
  free(filter->held_sums);
  free(filter->rows);
  free(filter->reduced);
  free(filter->columns);
  free(filter);
}
