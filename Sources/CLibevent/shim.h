#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#pragma once
#include <event2/event.h>
