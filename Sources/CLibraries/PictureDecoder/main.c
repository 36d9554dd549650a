// tideline-decoder: decodes pictures for tideline, whose bytes come from anywhere, in a process
// that has nothing else to lose. tideline starts it with the channel as standard input; it is not
// meant for people.
#define _GNU_SOURCE
#include <CDecoderChannel.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox.h"

enum {
  channel = 0,
  // Bytes of address space, including code and the picture's own bytes: a picture of 40 megapixels
  // whose codec gives no rows takes 160 MB.
  memory_limit = 256 << 20,
  // Seconds of processor time. A process that has used the first makes room for a new one, so that
  // every picture has at least the difference.
  seconds_until_relief = 10,
  seconds_at_most = 30,
};

int main(void) {
  int kind = 0;
  socklen_t length = sizeof kind;
  if (getsockopt(channel, SOL_SOCKET, SO_TYPE, &kind, &length) != 0 || kind != SOCK_SEQPACKET) {
    fputs("tideline-decoder: started by tideline, to decode pictures; nothing to be called\n",
          stderr);
    return 64;
  }
  // It does not notice the end of the channel while it decodes.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The memory of a picture goes back to the system at once, whatever the last one took.
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 512 << 10);
  picture_codecs_open();
  sandbox_limit(memory_limit, seconds_at_most);
  const int unfiltered = sandbox_close();
  decoder_serve(channel, unfiltered, seconds_until_relief);
  _exit(0);
}
