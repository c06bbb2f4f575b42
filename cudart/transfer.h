// Whole messages over the socket between a program that runs under `lockstep exec` and lockstep, for both
// sides.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cerrno>
#include <cstddef>

namespace lockstep::cudart {

// False if the other side is gone. No SIGPIPE.
inline bool sendAll(int socket, const void* bytes, std::size_t count) {
    const char* at = static_cast<const char*>(bytes);
    while (count) {
        const ssize_t sent = send(socket, at, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        count -= std::size_t(sent);
    }
    return true;
}

inline bool receiveAll(int socket, void* bytes, std::size_t count) {
    char* at = static_cast<char*>(bytes);
    while (count) {
        const ssize_t got = recv(socket, at, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        count -= std::size_t(got);
    }
    return true;
}

}  // namespace lockstep::cudart
