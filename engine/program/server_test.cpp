// Questions as no program of ours asks them: whatever it says, lockstep must live, and its memory be its own.
#include "program/server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>

namespace lockstep::program {
namespace {

using cudart::Answer;
using cudart::Ask;
using cudart::Memory;
using cudart::Question;

constexpr u64 kMiB = u64{1} << 20;
constexpr s32 kSuccess = 0, kInvalidValue = 1;

constexpr const char* kModule = R"(.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .b8 table[8192];
.visible .entry fill(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4096;
    add.s64 %d1, %d1, %d2;
    ld.u32 %r2, [%d1];
    add.u32 %r2, %r2, 1;
    st.u32 [%d1], %r2;
    ret;
}
)";

// The other end of the socket.
class Talk {
public:
    explicit Talk(u64 memoryBytes = 64 * kMiB)
        : lines_({}, {}),
          server_({.profile = *model::findProfile("cc80"),
                   .memoryBytes = memoryBytes,
                   .limit = std::chrono::seconds(60),
                   .threads = 1},
                  lines_) {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        here_ = ends[0];
        serving_ = std::thread([this, there = ends[1]] {
            server_.serve(there);
            close(there);
        });
    }
    ~Talk() { end(); }
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

    Answer ask(Ask ask, std::initializer_list<u64> numbers, const std::string& text = {}) {
        Question question{.ask = ask, .textBytes = u32(text.size())};
        std::ranges::copy(numbers, question.numbers);
        return say(question, text);
    }
    Answer say(const Question& question, const std::string& text) {
        Answer answer{.error = -1};
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

TEST(Server, ItsMemoryCannotBeCutOffByTheProgram) {
    Talk talk;
    const Answer made = talk.ask(Ask::Allocate, {kMiB, u64(Memory::Device)});
    ASSERT_EQ(made.error, kSuccess);
    EXPECT_NE(ftruncate(talk.server().memoryFile(), 0), 0) << "an access of lockstep's would be a bus error";
    talk.ask(Ask::Module, {}, kModule);
    std::string launch = std::string("fill") + '\0';
    launch.append(reinterpret_cast<const char*>(&made.numbers[0]), 8);
    EXPECT_EQ(talk.ask(Ask::Launch, {0, 1, 1, 1, 32, 1, 1, 0, 0, 0}, launch).numbers[0], 0u);
}

TEST(Server, RefusesHostMemoryThatIsNotInTheFile) {
    Talk talk;
    const u64 page = u64(sysconf(_SC_PAGESIZE)), host = u64{0x7f00} << 32, most = ~u64{0};
    const u64 room = talk.ask(Ask::Allocate, {2 * page, u64(Memory::Registered)}).numbers[1];
    const auto error = [&](u64 address, u64 bytes, u64 offset) {
        return talk.ask(Ask::Register, {address, bytes, offset}).error;
    };
    EXPECT_EQ(error(host, page, u64{1} << 40), kInvalidValue) << "behind the end";
    EXPECT_EQ(error(host, page, most / page * page), kInvalidValue);
    EXPECT_EQ(error(host + page - 1, most, room + 2 * page - 1), kInvalidValue) << "their sum wraps";
    EXPECT_EQ(error(host, 2 * page + 1, room), kInvalidValue) << "longer than what was made";
    EXPECT_EQ(error(host + 8, 8, room), kInvalidValue) << "another place in its page";
    EXPECT_EQ(error(host, 0, room), kInvalidValue);
    EXPECT_EQ(error(cudart::kFirstAddress - page, 2 * page, room), kInvalidValue) << "the device's addresses";
    EXPECT_EQ(error(most / page * page, 2 * page, room), kInvalidValue);
    EXPECT_EQ(error(host + 16, 100, room + 16), kSuccess);
    EXPECT_EQ(error(host, 17, room), kInvalidValue) << "some of it is there already";
    EXPECT_EQ(error(host + 115, 8, room + 115), kInvalidValue);
    EXPECT_EQ(error(host + 116, 8, room + 116), kSuccess);

    talk.ask(Ask::Module, {}, kModule);
    EXPECT_NE(talk.ask(Ask::Variable, {0, host + page, u64{1} << 40}, "table").error, kSuccess);
    EXPECT_NE(talk.ask(Ask::Variable, {0, host + page, most - page + 1}, "table").error, kSuccess);
    EXPECT_NE(talk.ask(Ask::Variable, {0, cudart::kFirstAddress, room}, "table").error, kSuccess);
    EXPECT_NE(talk.ask(Ask::Variable, {7, 0, 0}, "table").error, kSuccess);
    EXPECT_EQ(talk.ask(Ask::Variable, {0, 0, 0}, "table").error, kSuccess);
}

TEST(Server, RefusesSizesThatCannotBe) {
    Talk talk;
    for (u64 bytes : {64 * kMiB + 1, u64{1} << 62, ~u64{0}, ~u64{0} - 4095})
        for (Memory memory : {Memory::Device, Memory::Managed, Memory::Host, Memory::Registered})
            EXPECT_NE(talk.ask(Ask::Allocate, {bytes, u64(memory)}).error, kSuccess) << bytes;
    EXPECT_EQ(talk.ask(Ask::Allocate, {1, 77}).error, kInvalidValue);
    EXPECT_EQ(talk.ask(Ask::Allocate, {1, u64{1} << 32}).error, kInvalidValue);
    talk.ask(Ask::Module, {}, R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry large(.param .align 4 .b8 all[1099511627776]) { ret; }
)");
    EXPECT_NE(talk.ask(Ask::Launch, {0, 1, 1, 1, 1, 1, 1, 0, 0, 0}, "large").error, kSuccess);
}

TEST(Server, EndsWhereTheTextIsTooLong) {
    Talk talk;
    talk.say({.ask = Ask::Function, .textBytes = 0x7fffffff}, {});
    EXPECT_FALSE(talk.isOpen());
}

TEST(Server, LivesThroughAnyQuestion) {
    std::mt19937_64 random(7);
    for (u32 round = 0; round < 20; ++round) {
        Talk talk;
        std::vector<u64> numbers = {0,
                                    1,
                                    2,
                                    3,
                                    77,
                                    255,
                                    4096,
                                    8190,
                                    8191,
                                    kMiB,
                                    kMiB + 1,
                                    u64{1} << 30,
                                    1 << 20,
                                    ~u64{0},
                                    ~u64{0} - 4095,
                                    u64{1} << 32,
                                    u64{1} << 40,
                                    u64{0x7f00} << 32,
                                    cudart::kFirstAddress,
                                    cudart::kEndAddress,
                                    u64{1} << 63};
        talk.ask(Ask::Module, {}, kModule);
        for (u32 i = 0; i < 300; ++i) {
            const auto any = [&] { return numbers[random() % numbers.size()]; };
            Question question{.ask = Ask(random() % 17), .caller = any()};
            for (u64& number : question.numbers)
                number = any();
            std::string text = random() % 2 ? "fill" : random() % 2 ? "table" : "%s\x80\xff";
            if (question.ask == Ask::Module)
                text = random() % 2 ? kModule : std::string(kModule).substr(0, random() % 300);
            if (question.ask == Ask::Launch) {
                text = std::string("fill") + '\0';
                const u64 pointer = any();
                text.append(reinterpret_cast<const char*>(&pointer), random() % 9);
                question.numbers[0] = random() % 3;
                for (u32 n = 1; n < 7; ++n)
                    if (random() % 4) question.numbers[n] = 1 + random() % 4;
                question.numbers[7] = question.numbers[8] = random() % 2 * 256;
            }
            question.textBytes = u32(text.size());
            const Answer answer = talk.say(question, text);
            ASSERT_TRUE(talk.isOpen());
            if (question.ask == Ask::Allocate && !answer.error)
                numbers.insert(numbers.end(), {answer.numbers[0], answer.numbers[1]});
        }
        EXPECT_EQ(talk.ask(Ask::Room, {}).error, kSuccess);
        talk.end();
        ProgramRecord record;
        record.end = End::Exited;
        talk.server().finish(record);
    }
}

}  // namespace
}  // namespace lockstep::program
