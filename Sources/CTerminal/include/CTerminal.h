// The part of the terminal's life that must be C: what gives it back from within a signal handler.
// clients/terminal/Terminal/TerminalDevice.swift is the only caller.
#ifndef ROUNDTABLE_CTERMINAL_H
#define ROUNDTABLE_CTERMINAL_H

#include <stddef.h>
#include <termios.h>

// Notes that the terminal behind the descriptor is ours from now on and what its settings were,
// and sees to it that it is given back when the process ends, by whatever signal can be caught, and
// by exit. The descriptor must stay open while the process lives. Until then, what is written to a
// standard error that is a terminal is held, and shown afterwards. 0, or -1 with errno.
int terminal_take(int descriptor, const struct termios *before);

// Gives the terminal back if it is ours: modes off, cursor shown, main screen, settings as they
// were, input that nobody read dropped. Safe within a signal handler. 1 if it was ours, else 0.
int terminal_give_back(void);

// What is written to the standard error once the terminal was given back because a signal ends the
// process, such as what is lost with it; nothing where count is 0. What is longer than
// TERMINAL_LAST_WORDS_MAX bytes is cut. Call it from one thread.
enum { TERMINAL_LAST_WORDS_MAX = 2048 };
void terminal_set_last_words(const char *words, size_t count);

// 1 while the terminal is ours.
int terminal_is_ours(void);

// The bytes that terminal_give_back writes.
const char *terminal_restore_bytes(size_t *count);

// Waits until the descriptor takes bytes, at most so many milliseconds. 1 if it does, else 0.
int terminal_wait_writable(int descriptor, int milliseconds);

// A terminal's size in cells, as the kernel knows it. 0, or -1 with errno.
int terminal_size(int descriptor, int *columns, int *lines);

// Stops the process and those it runs with, as the key for it would, once the terminal was given
// back; returns when it is continued.
void terminal_stop_self(void);

#endif
