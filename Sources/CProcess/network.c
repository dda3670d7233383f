/* The network of a program that has one of its own: nothing but a listener, which whoever started the program answers. */
#define _GNU_SOURCE
#include "network.h"
#include "cprocess.h"
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Opens the only way out of a network namespace of its own: where it leads is up to who holds the other end. -1 with errno. */
static int open_way_out(void) {
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) return -1;
  struct ifreq loopback = {.ifr_name = "lo"};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(CPROCESS_PROXY), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int holds = ioctl(file, SIOCGIFFLAGS, &loopback) == 0;
  loopback.ifr_flags |= IFF_UP;
  holds = holds && ioctl(file, SIOCSIFFLAGS, &loopback) == 0 && bind(file, (struct sockaddr *)&address, sizeof address) == 0 &&
          listen(file, SOMAXCONN) == 0;
  if (holds) return file;
  int error = errno;
  close(file);
  errno = error;
  return -1;
}

/* Room for one descriptor in a message. */
typedef union {
  char bytes[CMSG_SPACE(sizeof(int))];
  struct cmsghdr alignment;
} descriptor_room;

int give_way_out(int way) {
  int file = open_way_out();
  if (file < 0) return errno;
  int nothing = 0;
  descriptor_room room = {.bytes = {0}};
  struct iovec word = {&nothing, sizeof nothing};
  struct msghdr message = {.msg_iov = &word, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(header), &file, sizeof file);
  int error = sendmsg(way, &message, MSG_NOSIGNAL) == sizeof nothing ? 0 : errno;
  close(file);
  return error;
}

void hear_of_stage(int end, int *listener, int *failure) {
  for (;;) {
    int error = 0;
    descriptor_room room = {.bytes = {0}};
    struct iovec word = {&error, sizeof error};
    struct msghdr message = {.msg_iov = &word, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t size = recvmsg(end, &message, MSG_CMSG_CLOEXEC);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_type == SCM_RIGHTS && *listener < 0) memcpy(listener, CMSG_DATA(header), sizeof *listener);
    if (error != 0) *failure = error;
  }
}
