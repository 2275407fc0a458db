#include "compat/net/addr.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

void br_net_addr_text(const struct sockaddr *addr, size_t len, char out[static BR_NET_HOST_TEXT])
{
    static const char mapped[] = "::ffff:";
    if (getnameinfo(addr, (socklen_t)len, out, BR_NET_HOST_TEXT, NULL, 0, NI_NUMERICHOST) != 0) {
        snprintf(out, BR_NET_HOST_TEXT, "?");
        return;
    }
    if (addr->sa_family == AF_INET6 && strncmp(out, mapped, sizeof mapped - 1) == 0 && strchr(out, '.'))
        memmove(out, out + sizeof mapped - 1, strlen(out) - (sizeof mapped - 1) + 1);
}

bool br_net_addr_normal(const char *text, char out[static BR_NET_HOST_TEXT])
{
    unsigned char bytes[sizeof(struct in6_addr)];
    for (size_t i = 0; i < 2; i++) {
        int family = i ? AF_INET6 : AF_INET;
        if (inet_pton(family, text, bytes) == 1)
            return inet_ntop(family, bytes, out, BR_NET_HOST_TEXT) != NULL;
    }
    return false;
}

void br_net_host_port_text(const char *host, int port, char *out, size_t size)
{
    snprintf(out, size, strchr(host, ':') ? "[%s]:%d" : "%s:%d", host[0] ? host : "*", port);
}

void br_net_own_name(char *out, size_t size)
{
    char name[256] = "";
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_CANONNAME}, *list = NULL;
    bool is_known = gethostname(name, sizeof name - 1) == 0 && name[0] && getaddrinfo(name, NULL, &hints, &list) == 0;
    snprintf(out, size, "%s", !is_known ? "localhost" : list->ai_canonname ? list->ai_canonname : name);
    if (is_known)
        freeaddrinfo(list);
}
