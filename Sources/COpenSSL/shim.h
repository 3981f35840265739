// The door to OpenSSL: its headers, and inline functions for what Swift cannot import (macros).
// No logic here; what the calls mean together is in Sources/Transport.
//
// No _GNU_SOURCE: see the shim of CLibevent.
#pragma once
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline long shim_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_mode(context, mode);
}

static inline int shim_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int shim_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

static inline int shim_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *groups) {
    return (int)SSL_CTX_set1_groups_list(context, (char *)groups);
}

static inline long shim_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

static inline long shim_SSL_CTX_set_read_ahead(SSL_CTX *context, long isOn) {
    return SSL_CTX_set_read_ahead(context, isOn);
}

static inline long shim_SSL_set_tlsext_host_name(SSL *connection, const char *name) {
    return SSL_set_tlsext_host_name(connection, (char *)name);
}

static inline EVP_PKEY *shim_EVP_EC_gen(const char *curve) {
    return EVP_EC_gen(curve);
}

static inline long shim_BIO_get_mem_data(BIO *memory, char **start) {
    return BIO_get_mem_data(memory, start);
}

static inline uint64_t shim_SSL_CTX_strict_options(SSL_CTX *context) {
    return SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET
            | SSL_OP_CIPHER_SERVER_PREFERENCE);
}
