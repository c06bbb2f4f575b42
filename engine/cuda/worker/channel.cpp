#include "cuda/worker/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace lockstep::cuda {
namespace {

// A length stated by the other end is not trusted: memory grows with the bytes that arrive.
constexpr u64 kPieceBytes = u64{64} << 20;

int millisecondsUntil(std::optional<Clock::time_point> until) {
    if (!until) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
    return int(std::clamp<s64>(left, 0, 1 << 30));
}

}  // namespace

Channel::Channel(Channel&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
    std::swap(socket_, other.socket_);
    return *this;
}

Channel::~Channel() {
    if (socket_ >= 0) close(socket_);
}

bool Channel::send(const WorkerMessage& message) const {
    const std::vector<std::byte> frame = encode(message);
    for (std::size_t sent = 0; sent < frame.size();) {
        const ssize_t n = ::send(socket_, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += std::size_t(n);
    }
    return true;
}

std::optional<Channel::End> Channel::read(std::span<std::byte> to,
                                          std::optional<Clock::time_point> until) const {
    while (!to.empty()) {
        pollfd waited{.fd = socket_, .events = POLLIN, .revents = 0};
        const int ready = poll(&waited, 1, millisecondsUntil(until));
        if (ready == 0) return End::TimedOut;
        if (ready < 0 && errno == EINTR) continue;
        const ssize_t n = ready < 0 ? -1 : recv(socket_, to.data(), to.size(), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return End::Closed;
        to = to.subspan(std::size_t(n));
    }
    return {};
}

Channel::Received Channel::receive(std::optional<Clock::time_point> until) const {
    std::array<std::byte, kHeaderBytes> start;
    if (const auto end = read(start, until)) return {{}, *end};
    const Expected<Header> header = readHeader(start);
    if (!header) return {{}, End::Damaged};
    // Once a message has begun, waits for the rest of it as long as the other end lives.
    std::vector<std::byte> body;
    while (body.size() < header->bodyBytes) {
        const std::size_t had = body.size();
        body.resize(had + std::size_t(std::min(header->bodyBytes - had, kPieceBytes)));
        if (const auto end = read(std::span(body).subspan(had), {})) return {{}, *end};
    }
    Expected<WorkerMessage> message = decode(*header, body);
    if (!message) return {{}, End::Damaged};
    return {std::move(*message), End::Closed};
}

}  // namespace lockstep::cuda
