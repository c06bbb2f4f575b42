// For tests: a server, and the program's end of the socket.
#pragma once

#include "program/server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>

namespace lockstep::program {

// The other end of the socket.
class Talk {
public:
    explicit Talk(u64 memoryBytes = u64{64} << 20, KeepOptions keep = {},
                  const cudart::Greeting& first = greeting())
        : lines_({}, {}),
          server_({.profile = *model::findProfile("cc80"),
                   .memoryBytes = memoryBytes,
                   .limit = std::chrono::seconds(60),
                   .threads = 1,
                   .keep = std::move(keep)},
                  lines_) {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        here_ = ends[0];
        send(here_, &first, sizeof first, MSG_NOSIGNAL);
        serving_ = std::thread([this, there = ends[1]] {
            server_.serve(there);
            close(there);
        });
    }
    ~Talk() { end(); }
    // The library's first words.
    static cudart::Greeting greeting() {
        cudart::Greeting greeting;
        std::ranges::copy(cudart::kProtocolVersion, greeting.version);
        return greeting;
    }
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;

    void end() {
        if (!serving_.joinable()) return;
        shutdown(here_, SHUT_RDWR);
        serving_.join();
        close(here_);
    }
    Server& server() { return server_; }
    bool isOpen() const { return isOpen_; }

    cudart::Answer ask(cudart::Ask ask, std::initializer_list<u64> numbers, const std::string& text = {}) {
        cudart::Question question{.ask = ask, .textBytes = u32(text.size())};
        std::ranges::copy(numbers, question.numbers);
        return say(question, text);
    }
    cudart::Answer say(const cudart::Question& question, const std::string& text) {
        cudart::Answer answer{.error = -1};
        send(here_, &question, sizeof question, MSG_NOSIGNAL);
        send(here_, text.data(), text.size(), MSG_NOSIGNAL);
        if (!cudart::hasAnswer(question.ask)) return answer;
        if (recv(here_, &answer, sizeof answer, MSG_WAITALL) != ssize_t(sizeof answer)) {
            isOpen_ = false;
            return answer;
        }
        std::string rest(answer.textBytes, ' ');
        if (!rest.empty()) recv(here_, rest.data(), rest.size(), MSG_WAITALL);
        return answer;
    }

private:
    CodeLines lines_;
    Server server_;
    std::thread serving_;
    int here_ = -1;
    bool isOpen_ = true;
};

}  // namespace lockstep::program
