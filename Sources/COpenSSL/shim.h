#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
