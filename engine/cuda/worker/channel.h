// Whole messages over a socket between two processes.
#pragma once

#include "cuda/worker/messages.h"

#include <chrono>
#include <optional>

namespace lockstep::cuda {

using Clock = std::chrono::steady_clock;

class Channel {
public:
    explicit Channel(int socket) : socket_(socket) {}
    Channel(Channel&& other) noexcept;
    Channel& operator=(Channel&& other) noexcept;
    ~Channel();

    // False if the other end is gone.
    bool send(const WorkerMessage& message) const;

    enum class End : u8 { Closed, TimedOut, Damaged };
    struct Received {
        std::optional<WorkerMessage> message;  // none: see end
        End end = End::Closed;
    };
    // Waits until then; without a time, indefinitely.
    Received receive(std::optional<Clock::time_point> until = {}) const;

private:
    std::optional<End> read(std::span<std::byte> to, std::optional<Clock::time_point> until) const;

    int socket_ = -1;
};

}  // namespace lockstep::cuda
