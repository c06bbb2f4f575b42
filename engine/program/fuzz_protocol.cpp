// Fuzz target: whatever a program says over the socket, lockstep answers, lives, and keeps to its own memory.
//
// An input is a list of questions: what is asked, a byte for each number (of a table, or 8 bytes that follow)
// and the text. If the first byte is 0xff, the rest goes over the socket as it is.
#include "program/kept_launches.h"
#include "program/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

namespace lockstep::program {
namespace {

using cudart::Ask;
using cudart::Question;

constexpr std::size_t kMostBytes = 64u << 10;  // a socket holds as much before it is read
constexpr u32 kMostQuestions = 200;

constexpr const char* kModule = R"(.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .b8 table[8192];
.visible .const .align 8 .u64 places[2] = {table, table};
.extern .shared .align 16 .b8 words[];
.visible .entry fill(.param .u64 out, .param .u32 step)
{
    .reg .b32 %r<8>; .reg .b64 %d<6>; .reg .pred %p<2>;
    ld.param.u64 %d1, [out];
    ld.param.u32 %r3, [step];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, %r3;
    add.s64 %d1, %d1, %d2;
    ld.u32 %r2, [%d1];
    add.u32 %r2, %r2, 1;
    st.shared.u32 [words], %r2;
    bar.sync 0;
    st.u32 [%d1], %r2;
    atom.global.add.u32 %r4, [table], 1;
    setp.gt.u32 %p1, %r4, 1000;
    @%p1 trap;
    ret;
}
.visible .entry copy(.param .align 8 .b8 what[24])
{
    .reg .b64 %d<4>; .reg .b16 %h<2>;
    ld.param.u64 %d1, [what+8];
    ld.u8 %h1, [%d1];
    st.u8 [%d1+1], %h1;
    ret;
}
)";

class Input {
public:
    explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool isEmpty() const { return bytes_.empty(); }
    u8 byte() {
        if (bytes_.empty()) return 0;
        const u8 first = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return first;
    }
    u64 number() {
        static const u64 page = u64(sysconf(_SC_PAGESIZE));
        const u64 place = u64{1} << cudart::kPlaceShift, host = u64{0x7f00} << 32;
        const u8 chosen = byte();
        if (chosen < 64) return chosen;
        const u64 table[] = {cudart::kFirstAddress,
                             cudart::kFirstAddress + place / 2,
                             cudart::kFirstAddress + place / 2 + 256 * 17,
                             cudart::kFirstAddress + place * 5 / 2 + 2 * 256 * 17,
                             cudart::kEndAddress,
                             host,
                             host + page,
                             host + page / 2,
                             page,
                             2 * page,
                             page - 1,
                             page + 1,
                             1024,
                             48 * 1024,
                             u64{1} << 20,
                             u64{64} << 20,
                             ~u64{0},
                             ~u64{0} - page + 1,
                             u64{1} << 32,
                             u64{1} << 63};
        if (chosen - 64u < std::size(table)) return table[chosen - 64u];
        u64 value = 0;
        for (u32 i = 0; i < 8; ++i)
            value = value << 8 | byte();
        return value;
    }
    std::string text() {
        static constexpr const char* kTexts[] = {"fill", "copy", "table", "places", "cudaMalloc", kModule};
        const u8 chosen = byte();
        if (chosen < std::size(kTexts)) return kTexts[chosen];
        std::string text;
        for (u64 left = u64{byte()} << 8 | byte(); left && !isEmpty(); --left)
            text += char(byte());
        return text;
    }

private:
    std::span<const std::uint8_t> bytes_;
};

void append(std::string& to, const Question& question, const std::string& text) {
    to.append(reinterpret_cast<const char*>(&question), sizeof question).append(text);
}

std::string questionsFrom(Input input) {
    std::string all;
    for (u32 i = 0; i < kMostQuestions && !input.isEmpty() && all.size() < kMostBytes / 2; ++i) {
        Question question{.ask = Ask(input.byte() % 20)};
        const u32 numbers = input.byte() % (std::size(question.numbers) + 1);
        for (u32 n = 0; n < numbers; ++n)
            question.numbers[n] = input.number();
        std::string text = input.text();
        if (question.ask == Ask::Launch) {
            text += '\0';
            for (u32 n = input.byte() % 4; n; --n) {
                const u64 argument = input.number();
                text.append(reinterpret_cast<const char*>(&argument), sizeof argument);
            }
        }
        question.textBytes = u32(text.size());
        append(all, question, text);
    }
    return all;
}

// As if a program had said this and then ended.
void serve(const std::string& said) {
    CodeLines lines({}, {});
    Progress progress;
    Server server({.profile = *model::findProfile("cc80"),
                   .memoryBytes = u64{64} << 20,
                   .limit = std::chrono::milliseconds(20),
                   .threads = 1,
                   .mostFindings = 100,
                   .progress = &progress,
                   .keep = {.mostBytes = u64{1} << 20}},
                  lines);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) std::abort();
    const int room = 1 << 20;
    for (int end : ends)
        setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    cudart::Greeting greeting;
    std::memcpy(greeting.version, cudart::kProtocolVersion, sizeof greeting.version);
    if (send(ends[0], &greeting, sizeof greeting, MSG_NOSIGNAL) != ssize_t(sizeof greeting)) std::abort();
    if (send(ends[0], said.data(), said.size(), MSG_NOSIGNAL | MSG_DONTWAIT) != ssize_t(said.size()))
        std::abort();
    shutdown(ends[0], SHUT_WR);
    server.serve(ends[1]);
    close(ends[0]);
    close(ends[1]);
    ProgramRecord record;
    server.finish(record);
    for (u64 launch = 1; launch <= record.kept->last(); ++launch)
        static_cast<void>(record.kept->open(launch));
}

}  // namespace
}  // namespace lockstep::program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lockstep::program;
    static const bool hasNoTools = setenv("PATH", "/nowhere", 1) == 0;  // no process for the lines of code
    if (!hasNoTools || size == 0 || size > kMostBytes) return 0;
    const bool isRaw = data[0] == 0xff;
    serve(isRaw ? std::string(reinterpret_cast<const char*>(data) + 1, size - 1)
                : questionsFrom(Input({data, size})));
    return 0;
}
