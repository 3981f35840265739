// The door to libevent's core, and to the few system calls that Swift's Glibc module lacks.
// No logic here; what the calls mean together is in Sources/Transport.
//
// No _GNU_SOURCE before the system's first header: Swift's Glibc module is built without it, and
// two shapes of one system type in two modules do not build. libevent's own comes too late to
// matter.
#pragma once
#include <sys/types.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>

// Declared by the system's headers only with _GNU_SOURCE.
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

static inline struct event *shim_evsignal_new(
    struct event_base *base, int number, event_callback_fn callback, void *argument) {
    return evsignal_new(base, number, callback, argument);
}

static inline int shim_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int shim_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int shim_eventfd(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static inline void shim_ignore_signal(int number) {
    signal(number, SIG_IGN);
}

static inline void shim_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

static inline int shim_error_words(int code, char *buffer, size_t byteCount) {
    return strerror_r(code, buffer, byteCount);
}
