// The part of the terminal's life that must be C: what gives it back from within a signal handler.
#ifndef ROUNDTABLE_CTERMINAL_H
#define ROUNDTABLE_CTERMINAL_H

#endif
