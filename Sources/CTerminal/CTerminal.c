// Gives the terminal back, also from within a signal handler: only calls that POSIX allows there,
// and only memory that is static.
#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

// The end of whatever string was under way; the mouse, pastes and focus off; kitty's keyboard
// back; the end of a frame; wrapping, the text's direction, plain letters, the cursor; the main
// screen.
static const char restore_bytes[] =
    "\033\\"
    "\033[?1006l\033[?1003l\033[?1002l\033[?2004l\033[?1004l"
    "\033[<u"
    "\033[?2026l"
    "\033[?7h\033[8h\033[m\033[?25h"
    "\033[?1049l";

// The most bytes of messages that are shown once the terminal is given back: the last ones.
enum { MESSAGES_MAX = 16 << 10 };
// How long a terminal that takes no bytes is waited for, in milliseconds.
enum { WAIT_MAX = 200 };
// Room for a handler's own frame when the stack it interrupts has run out.
enum { HANDLER_STACK_BYTES = 64 << 10 };

static atomic_int is_ours;
static int tty = -1;
static struct termios settings;
static int is_prepared;
// Where messages go while the screen is ours, and where they went before; -1 for nowhere.
static int held_messages = -1;
static int messages_before = -1;
static char handler_stack[HANDLER_STACK_BYTES];
// What is said at the end: one of two texts, so that a handler never sees half of a new one; -1
// for nothing.
static char last_words[2][TERMINAL_LAST_WORDS_MAX];
static size_t last_words_count[2];
static atomic_int last_words_current = -1;

static const int ending[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
static const int failing[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
static const int stopping[] = {SIGTSTP, SIGTTIN, SIGTTOU};
// What failing signals did before us: the language's own report, or nothing.
static struct sigaction failing_before[sizeof failing / sizeof failing[0]];

const char *terminal_restore_bytes(size_t *count) {
    *count = sizeof restore_bytes - 1;
    return restore_bytes;
}

int terminal_is_ours(void) {
    return atomic_load(&is_ours);
}

int terminal_wait_writable(int descriptor, int milliseconds) {
    struct pollfd wanted = {.fd = descriptor, .events = POLLOUT};
    return poll(&wanted, 1, milliseconds) == 1 && (wanted.revents & POLLOUT) != 0;
}

// What is written to the standard error would be drawn over, and lost with our screen: it is held
// in memory until there is a place for it.
static void hold_messages(void) {
    if (!isatty(STDERR_FILENO)) {
        return;
    }
    if (held_messages < 0) {
        held_messages = memfd_create("messages", MFD_CLOEXEC);
        messages_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    if (held_messages >= 0 && messages_before >= 0) {
        dup2(held_messages, STDERR_FILENO);
    }
}

static void show_messages(void) {
    if (held_messages < 0 || messages_before < 0) {
        return;
    }
    dup2(messages_before, STDERR_FILENO);
    off_t end = lseek(held_messages, 0, SEEK_END);
    off_t start = end > MESSAGES_MAX ? end - MESSAGES_MAX : 0;
    char piece[512];
    ssize_t count;
    while ((count = pread(held_messages, piece, sizeof piece, start)) > 0) {
        if (write(STDERR_FILENO, piece, (size_t)count) < 0) {
            break;
        }
        start += count;
    }
    if (ftruncate(held_messages, 0) == 0) {
        lseek(held_messages, 0, SEEK_SET);
    }
}

int terminal_give_back(void) {
    if (!atomic_exchange(&is_ours, 0)) {
        return 0;
    }
    int error = errno;
    // A process in the background may do this too, and must not be stopped for it.
    sigset_t background, before;
    sigemptyset(&background);
    sigaddset(&background, SIGTTOU);
    sigprocmask(SIG_BLOCK, &background, &before);
    size_t written = 0;
    while (written < sizeof restore_bytes - 1) {
        ssize_t count = write(tty, restore_bytes + written, sizeof restore_bytes - 1 - written);
        if (count > 0) {
            written += (size_t)count;
        } else if (count < 0 && errno == EINTR) {
            continue;
        } else if (count < 0 && errno == EAGAIN && terminal_wait_writable(tty, WAIT_MAX)) {
            continue;
        } else {
            break;
        }
    }
    // Reports of a mouse that nobody read would be typed into the shell.
    tcflush(tty, TCIFLUSH);
    tcsetattr(tty, TCSANOW, &settings);
    show_messages();
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return 1;
}

void terminal_set_last_words(const char *words, size_t count) {
    int next = atomic_load(&last_words_current) == 0 ? 1 : 0;
    if (count == 0) {
        next = -1;
    } else {
        last_words_count[next] = count < TERMINAL_LAST_WORDS_MAX ? count : TERMINAL_LAST_WORDS_MAX;
        memcpy(last_words[next], words, last_words_count[next]);
    }
    atomic_store(&last_words_current, next);
}

static void say_last_words(void) {
    int current = atomic_exchange(&last_words_current, -1);
    if (current < 0) {
        return;
    }
    int error = errno;
    size_t written = 0;
    while (written < last_words_count[current]) {
        ssize_t count = write(STDERR_FILENO, last_words[current] + written,
                              last_words_count[current] - written);
        if (count > 0) {
            written += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            break;
        }
    }
    errno = error;
}

static void give_back_at_exit(void) {
    terminal_give_back();
}

// The default action follows as soon as the handler returns and the signal is let through.
static void end(int number) {
    terminal_give_back();
    say_last_words();
    signal(number, SIG_DFL);
    raise(number);
}

static void fail(int number, siginfo_t *information, void *context) {
    (void)context;
    terminal_give_back();
    say_last_words();
    for (size_t index = 0; index < sizeof failing / sizeof failing[0]; index++) {
        if (failing[index] == number) {
            sigaction(number, &failing_before[index], NULL);
        }
    }
    // An instruction that failed is run again and fails again, now before whoever was there
    // before us; a signal that was sent, and a trap that is already behind, must be sent again.
    if (information->si_code <= 0 || number == SIGTRAP) {
        raise(number);
    }
}

static void stop(int number) {
    int error = errno;
    terminal_give_back();
    struct sigaction by_default = {.sa_handler = SIG_DFL}, before;
    sigset_t only, mask;
    sigemptyset(&by_default.sa_mask);
    sigaction(number, &by_default, &before);
    raise(number);
    sigemptyset(&only);
    sigaddset(&only, number);
    // Here the process stops, and here it goes on.
    sigprocmask(SIG_UNBLOCK, &only, &mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &before, NULL);
    // Where the kernel did not stop it, as in a session without a shell, nobody would say go on.
    raise(SIGCONT);
    errno = error;
}

void terminal_stop_self(void) {
    kill(0, SIGTSTP);
}

static void prepare_stack(void) {
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0) {
        return;
    }
    memset(&stack, 0, sizeof stack);
    stack.ss_sp = handler_stack;
    stack.ss_size = sizeof handler_stack;
    sigaltstack(&stack, NULL);
}

// Installs one handler for some signals, and lets them through: whoever started the process may
// have left them blocked, and they would never come.
static int handle(const int *numbers, size_t count, const struct sigaction *action,
                  struct sigaction *before) {
    sigset_t wanted;
    sigemptyset(&wanted);
    for (size_t index = 0; index < count; index++) {
        if (sigaction(numbers[index], action, before ? &before[index] : NULL) != 0) {
            return -1;
        }
        sigaddset(&wanted, numbers[index]);
    }
    return sigprocmask(SIG_UNBLOCK, &wanted, NULL);
}

static int prepare(void) {
    prepare_stack();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    action.sa_handler = end;
    if (handle(ending, sizeof ending / sizeof ending[0], &action, NULL) != 0) {
        return -1;
    }
    action.sa_handler = stop;
    if (handle(stopping, sizeof stopping / sizeof stopping[0], &action, NULL) != 0) {
        return -1;
    }
    action.sa_flags |= SA_SIGINFO;
    action.sa_sigaction = fail;
    if (handle(failing, sizeof failing / sizeof failing[0], &action, failing_before) != 0) {
        return -1;
    }
    return atexit(give_back_at_exit);
}

int terminal_take(int descriptor, const struct termios *before) {
    if (atomic_load(&is_ours)) {
        return 0;
    }
    tty = descriptor;
    settings = *before;
    if (!is_prepared) {
        if (prepare() != 0) {
            return -1;
        }
        is_prepared = 1;
    }
    hold_messages();
    atomic_store(&is_ours, 1);
    return 0;
}

int terminal_size(int descriptor, int *columns, int *lines) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
        return -1;
    }
    *columns = size.ws_col;
    *lines = size.ws_row;
    return 0;
}
