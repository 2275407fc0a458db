/* Addresses as text, and what this machine calls itself. Thread: any. */
#pragma once

#include "compat/base/base.h"

struct sockaddr;

#define BR_NET_HOST_TEXT 64 /* the longest numeric address, scope and NUL included */

/* "127.0.0.1", "::1"; an IPv4 client of an IPv6 socket shows as IPv4; "?" when it cannot be told. */
void br_net_addr_text(const struct sockaddr *addr, size_t len, char out[static BR_NET_HOST_TEXT]);
/* The same spelling for a numeric address that someone wrote; false: it is none. */
bool br_net_addr_normal(const char *text, char out[static BR_NET_HOST_TEXT]);
/* "host:port" for people, an IPv6 address in brackets, no host as '*'. */
void br_net_host_port_text(const char *host, int port, char *out, size_t size);
/* The full name of this machine, or "localhost" when its name does not resolve. May ask the resolver. */
void br_net_own_name(char *out, size_t size);
