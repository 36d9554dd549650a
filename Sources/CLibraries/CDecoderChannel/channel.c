#define _GNU_SOURCE
#include "CDecoderChannel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const uint32_t version = decoder_channel_version;

typedef struct {
  uint32_t version;
  picture_request request;
  // Bytes of the picture.
  uint64_t count;
} order;

typedef struct {
  uint32_t version;
  picture_outcome outcome;
} answer;

int decoder_channel_open(int *program, int *decoder) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  *program = ends[0];
  *decoder = ends[1];
  return 0;
}

// The offset of the bytes behind `pixels` bytes of pixels.
static size_t memory_offset(size_t pixels) {
  const size_t page = 4096;
  return (pixels + page - 1) / page * page;
}

// Writes the bytes to their place without mapping them.
static int fill(int file, const uint8_t *bytes, size_t count, size_t offset) {
  while (count > 0) {
    ssize_t part = pwrite(file, bytes, count, (off_t)offset);
    if (part < 0 && errno == EINTR) continue;
    if (part == 0) errno = EIO;
    if (part <= 0) return 0;
    bytes += part;
    count -= (size_t)part;
    offset += (size_t)part;
  }
  return 1;
}

int decoder_memory_make(size_t pixels, const uint8_t *bytes, size_t count, int *descriptor,
                        void **memory) {
  int file = memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return errno;
  const size_t offset = memory_offset(pixels);
  void *mapped = MAP_FAILED;
  // Memory that shrinks would crash the program at the next access.
  if (ftruncate(file, (off_t)(offset + count)) == 0 &&
      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
      fill(file, bytes, count, offset))
    mapped = mmap(NULL, pixels, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) {
    int problem = errno;
    close(file);
    return problem;
  }
  *descriptor = file;
  *memory = mapped;
  return 0;
}

// Waits for a message of exactly `size` bytes.
static int receive(int channel, void *message, size_t size, int milliseconds) {
  struct pollfd ready = {.fd = channel, .events = POLLIN};
  int found;
  while ((found = poll(&ready, 1, milliseconds)) < 0 && errno == EINTR) {
  }
  if (found < 0) return errno;
  if (found == 0) return ETIMEDOUT;
  ssize_t length;
  while ((length = recv(channel, message, size, MSG_TRUNC)) < 0 && errno == EINTR) {
  }
  if (length < 0) return errno == ECONNRESET ? EPIPE : errno;
  if (length == 0) return EPIPE;
  return (size_t)length == size ? 0 : EPROTO;
}

int decoder_channel_greeted(int channel, int milliseconds, int *unfiltered) {
  decoder_greeting greeting;
  int problem = receive(channel, &greeting, sizeof greeting, milliseconds);
  if (problem == 0 && greeting.version != version) return EPROTO;
  if (problem == 0) *unfiltered = greeting.unfiltered;
  return problem;
}

typedef union {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
} descriptor_message;

// 0 if no message is under way in either direction. An unexpected answer would be taken for that of
// the next picture; orders that are answered but never read would hold their memory, and in the end
// block the sender.
static int quiet(int channel) {
  char byte;
  ssize_t length;
  while ((length = recv(channel, &byte, 1, MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EINTR) {
  }
  if (length > 0) return EPROTO;
  if (length == 0) return EPIPE;
  if (errno != EAGAIN) return errno == ECONNRESET ? EPIPE : errno;
  int unread = 0;
  if (ioctl(channel, SIOCOUTQ, &unread) != 0) return errno;
  return unread == 0 ? 0 : EPROTO;
}

int decoder_channel_send(int channel, const picture_request *request, size_t count, int memory) {
  const int problem = quiet(channel);
  if (problem != 0) return problem;
  order order = {.version = version, .request = *request, .count = count};
  descriptor_message control;
  memset(&control, 0, sizeof control);
  struct iovec content = {.iov_base = &order, .iov_len = sizeof order};
  struct msghdr message = {
      .msg_iov = &content,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control.bytes,
  };
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof memory);
  memcpy(CMSG_DATA(header), &memory, sizeof memory);
  ssize_t sent;
  while ((sent = sendmsg(channel, &message, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EINTR) {
  }
  if (sent < 0) return errno == ECONNRESET ? EPIPE : errno;
  return 0;
}

int decoder_channel_outcome(int channel, picture_outcome *outcome, int milliseconds) {
  answer answer;
  int problem = receive(channel, &answer, sizeof answer, milliseconds);
  if (problem != 0) return problem;
  if (answer.version != version || answer.outcome.status < PICTURE_WHOLE ||
      answer.outcome.status > PICTURE_NEEDS_MEMORY)
    return EPROTO;
  *outcome = answer.outcome;
  outcome->reason[sizeof outcome->reason - 1] = 0;
  return 0;
}

// The next order and its memory; 0 if there is no valid one.
static int take_order(int channel, order *order, int *memory) {
  descriptor_message control;
  struct iovec content = {.iov_base = order, .iov_len = sizeof *order};
  struct msghdr message = {
      .msg_iov = &content,
      .msg_iovlen = 1,
      .msg_control = &control,
      .msg_controllen = sizeof control.bytes,
  };
  ssize_t length;
  while ((length = recvmsg(channel, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  struct cmsghdr *header = length < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (length != sizeof *order || order->version != version || header == NULL ||
      header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof *memory))
    return 0;
  memcpy(memory, CMSG_DATA(header), sizeof *memory);
  return 1;
}

static picture_outcome carry_out(const order *order, int memory) {
  const picture_size target = order->request.target;
  const size_t pixels = (size_t)target.width * target.height * 4;
  const size_t offset = memory_offset(pixels), size = offset + order->count;
  uint8_t *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (mapped == MAP_FAILED)
    return (picture_outcome){.status = PICTURE_NEEDS_MEMORY};
  picture_outcome outcome =
      picture_decode(&order->request, mapped + offset, (size_t)order->count, mapped);
  munmap(mapped, size);
  return outcome;
}

void decoder_serve(int channel, int unfiltered, int seconds) {
  const decoder_greeting hello = {version, unfiltered};
  if (write(channel, &hello, sizeof hello) != sizeof hello) return;
  order order;
  int memory;
  while (take_order(channel, &order, &memory)) {
    answer answer;
    memset(&answer, 0, sizeof answer);
    answer.version = version;
    answer.outcome = carry_out(&order, memory);
    close(memory);
    if (write(channel, &answer, sizeof answer) != sizeof answer) return;
    struct timespec used = {0, 0};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0 || used.tv_sec >= seconds) return;
  }
}
