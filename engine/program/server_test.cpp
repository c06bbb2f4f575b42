// Questions as no program of ours asks them: whatever it says, lockstep must live, and its memory be its own.
#include "program/kept_launches.h"
#include "program/test_talk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <random>

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

TEST(Server, DoesNotListenToALibraryOfAnotherBuild) {
    cudart::Greeting other = Talk::greeting();
    other.version[3] ^= 1;
    Talk talk(kMiB, {}, other);
    EXPECT_EQ(talk.ask(Ask::Allocate, {4096, u64(Memory::Device)}).error, -1);
    EXPECT_FALSE(talk.isOpen());
    talk.end();
    EXPECT_TRUE(talk.server().speaksOtherwise());
    EXPECT_FALSE(Talk().server().speaksOtherwise());
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

// Registers host memory as the runtime library does: its pages become those of new room in the file.
u64 registerMemory(Talk& talk, u64 address, u64 bytes) {
    const u64 page = u64(sysconf(_SC_PAGESIZE)), begin = address / page * page,
              end = (address + bytes + page - 1) / page * page;
    const u64 room = talk.ask(Ask::Allocate, {end - begin, u64(Memory::Registered)}).numbers[1];
    EXPECT_EQ(talk.ask(Ask::Register, {address, bytes, room + address - begin}).error, kSuccess);
    return room;
}

u64 blocksOf(int file) {
    struct stat facts {};
    fstat(file, &facts);
    return u64(facts.st_blocks);
}

TEST(Server, RegisteredMemorySharesItsPages) {
    Talk talk;
    talk.ask(Ask::Module, {}, kModule);
    const u64 page = u64(sysconf(_SC_PAGESIZE)), host = u64{0x7f00} << 32;
    const auto launch = [&](u64 pointer) {
        std::string text = std::string("fill") + '\0';
        text.append(reinterpret_cast<const char*>(&pointer), 8);
        const Answer answer = talk.ask(Ask::Launch, {0, 1, 1, 1, 1, 1, 1, 0, 0, 0}, text);
        return answer.error ? answer.error : s32(answer.numbers[0]);
    };
    const auto at = [&](u64 offset) {
        u32 value = 0;
        EXPECT_EQ(pread(talk.server().memoryFile(), &value, 4, off_t(offset)), 4);
        return value;
    };
    const int file = talk.server().memoryFile();
    const u64 before = blocksOf(file);
    const u64 first = registerMemory(talk, host + 64, page);
    EXPECT_EQ(launch(host + 64), kSuccess);
    EXPECT_EQ(at(first + 64), 1u);
    const u64 second = registerMemory(talk, host + page + 128, 64);
    EXPECT_EQ(launch(host + page + 32), kSuccess) << "of the first, in the page that is now the second's";
    EXPECT_EQ(at(second + 32), 1u) << "the host has only this page";
    EXPECT_EQ(launch(host + page + 128), kSuccess);
    EXPECT_EQ(at(second + 128), 1u);
    const u64 third = registerMemory(talk, host, 64);
    EXPECT_EQ(launch(host + 64), kSuccess);
    EXPECT_EQ(at(third + 64), 1u);

    EXPECT_EQ(talk.ask(Ask::Free, {host + 64, u64(Memory::Registered)}).error, kSuccess);
    EXPECT_EQ(at(second + 128), 1u) << "not given back: others have these pages";
    EXPECT_EQ(at(third + 64), 1u);
    EXPECT_EQ(talk.ask(Ask::Free, {host + page + 128, u64(Memory::Registered)}).error, kSuccess);
    EXPECT_EQ(talk.ask(Ask::Free, {host, u64(Memory::Registered)}).error, kSuccess);
    EXPECT_NE(launch(host + 64), kSuccess);
    EXPECT_EQ(blocksOf(file), before) << "all of it is given back";
}

TEST(Server, HostMemoryIsNoneOfTheDevices) {
    Talk talk(kMiB);
    const u64 host = u64{0x7f00} << 32;
    const auto freeBytes = [&] { return talk.ask(Ask::Room, {}).numbers[0]; };
    for (u32 i = 0; i < 100; ++i) {
        registerMemory(talk, host + 16, 4 * kMiB);
        const Answer pinned = talk.ask(Ask::Allocate, {4 * kMiB, u64(Memory::Host)});
        ASSERT_EQ(pinned.error, kSuccess);
        EXPECT_EQ(freeBytes(), kMiB);
        EXPECT_EQ(talk.ask(Ask::Free, {host + 16, u64(Memory::Registered)}).error, kSuccess);
        EXPECT_EQ(talk.ask(Ask::Free, {pinned.numbers[0], u64(Memory::Host)}).error, kSuccess);
    }
    registerMemory(talk, host, 4096);
    talk.ask(Ask::Reset, {});
    registerMemory(talk, host, 4096);
    EXPECT_EQ(talk.ask(Ask::Allocate, {kMiB, u64(Memory::Device)}).error, kSuccess);
}

TEST(Server, RefusesSizesThatCannotBe) {
    Talk talk;
    for (u64 bytes : {u64{1} << 52, u64{1} << 62, ~u64{0}, ~u64{0} - 4095})
        for (Memory memory : {Memory::Device, Memory::Managed, Memory::Host, Memory::Registered})
            EXPECT_NE(talk.ask(Ask::Allocate, {bytes, u64(memory)}).error, kSuccess) << bytes;
    EXPECT_NE(talk.ask(Ask::Allocate, {64 * kMiB + 1, u64(Memory::Device)}).error, kSuccess);
    EXPECT_EQ(talk.ask(Ask::Allocate, {1, 77}).error, kInvalidValue);
    EXPECT_EQ(talk.ask(Ask::Allocate, {1, u64{1} << 32}).error, kInvalidValue);
    talk.ask(Ask::Module, {}, R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry large(.param .align 4 .b8 all[1099511627776]) { ret; }
)");
    EXPECT_NE(talk.ask(Ask::Launch, {0, 1, 1, 1, 1, 1, 1, 0, 0, 0}, "large").error, kSuccess);
}

TEST(Server, ALaunchTellsWhatItWroteOfMemoryThatTheHostSees) {
    Talk talk;
    talk.ask(Ask::Module, {}, kModule);
    const auto written = [&](Memory memory) {
        const u64 pointer = talk.ask(Ask::Allocate, {64 * 4096, u64(memory)}).numbers[0];
        std::string text = std::string("fill") + '\0';
        text.append(reinterpret_cast<const char*>(&pointer), 8);
        return talk.ask(Ask::Launch, {0, 1, 1, 1, 40, 1, 1, 0, 0, 0}, text).numbers[1];
    };
    EXPECT_EQ(written(Memory::Managed), 40u) << "a word of each thread, none beside the other";
    EXPECT_EQ(written(Memory::Host), 40u);
    EXPECT_EQ(written(Memory::Device), 0u);
}

TEST(Server, AFailedCallIsAFindingOnlyIfNobodyAsks) {
    const auto findings = [](bool asks, bool isUnseen) {
        Talk talk;
        talk.ask(Ask::Failed, {1, 0, u64(isUnseen)}, "cudaLaunchKernel");
        if (asks) talk.ask(Ask::Asked, {});
        talk.ask(Ask::Room, {});
        talk.end();
        ProgramRecord record;
        talk.server().finish(record);
        EXPECT_EQ(record.failed.size(), 1u);
        return record.findings.size();
    };
    EXPECT_EQ(findings(false, true), 1u);
    EXPECT_EQ(findings(true, true), 0u);
    EXPECT_EQ(findings(false, false), 0u) << "what is returned may be used there";
}

// As the runtime library tells of a copy, a fill or a wait.
void tell(Talk& talk, cudart::OperationKind kind, u64 stream, u64 to, u64 from, u64 bytes,
          const std::string& function) {
    talk.ask(Ask::Operation, {u64(kind), stream, cudart::kNone, to, from, bytes, 0, 0}, function);
}
u64 allocate(Talk& talk, u64 bytes) {
    return talk.ask(Ask::Allocate, {bytes, u64(Memory::Device)}).numbers[0];
}
void launchFill(Talk& talk, u64 pointer, u64 stream) {
    std::string text = std::string("fill") + '\0';
    text.append(reinterpret_cast<const char*>(&pointer), 8);
    EXPECT_EQ(talk.ask(Ask::Launch, {0, 1, 1, 1, 4, 1, 1, 0, 0, 0, stream}, text).error, kSuccess);
}

TEST(Server, KeepsOperationsInTheirOrderAndWhatWroteABufferLast) {
    using operations::Kind;
    Talk talk;
    talk.ask(Ask::Module, {}, kModule);
    const u64 in = allocate(talk, 4 * 4096), out = allocate(talk, 4 * 4096), host = u64{0x7f00} << 32;
    tell(talk, cudart::OperationKind::MakeStream, 2, 0, 0, 0, "cudaStreamCreate");
    tell(talk, cudart::OperationKind::Copy, 0, in, host, 64, "cudaMemcpy");
    tell(talk, cudart::OperationKind::Fill, 2, out + 256, 0, 64, "cudaMemsetAsync");
    launchFill(talk, out, 2);
    tell(talk, cudart::OperationKind::Synchronize, cudart::kNone, 0, 0, 0, "cudaDeviceSynchronize");
    tell(talk, cudart::OperationKind::Copy, 0, host, out, 128, "cudaMemcpy");
    talk.ask(Ask::Free, {in, u64(Memory::Device)});
    const u64 later = allocate(talk, 4);
    tell(talk, cudart::OperationKind::Copy, 0, later, out, 4, "cudaMemcpy");
    talk.ask(Ask::Room, {});
    talk.end();
    ProgramRecord record;
    talk.server().finish(record);

    const operations::Operations& all = record.operations;
    std::vector<Kind> kinds;
    for (const operations::Operation& operation : all.list)
        kinds.push_back(operation.kind);
    EXPECT_EQ(kinds,
              (std::vector{Kind::Copy, Kind::Fill, Kind::Launch, Kind::Synchronize, Kind::Copy, Kind::Copy}));
    EXPECT_EQ(all.count, 6u);
    ASSERT_EQ(all.streams.size(), 2u);
    EXPECT_EQ(all.streams[*all.list[2].stream].kind, operations::StreamKind::Made);
    EXPECT_FALSE(all.list[3].stream) << "it waits for the device";
    EXPECT_EQ(all.list[1].to->offset, 256u);
    EXPECT_FALSE(all.list[0].from->buffer) << "memory of the host";

    ASSERT_EQ(all.buffers.size(), 3u) << "variables that no operation names are left out";
    EXPECT_EQ(all.list[2].given, std::vector<u32>{1});
    EXPECT_EQ(all.list[2].written, std::vector<u32>{1});
    EXPECT_EQ(all.buffers[0].lastWritten->operation, 0u);
    EXPECT_EQ(all.buffers[0].end, 5u) << "it was freed behind five operations";
    EXPECT_EQ(all.buffers[1].lastWritten->launch, 1u);
    EXPECT_EQ(all.buffers[1].lastCopiedToHost->operation, 4u);
    EXPECT_EQ(all.buffers[2].begin, 5u);
    EXPECT_FALSE(all.buffers[2].lastCopiedToHost);
}

TEST(Server, OperationsThatWereNotToldYetAreTakenFromTheFile) {
    for (const u64 wrong : {0, 1, 2}) {
        Talk talk;
        const u64 to = allocate(talk, 64);
        Question question{.ask = Ask::Operation, .textBytes = 10};
        const u64 numbers[] = {u64(cudart::OperationKind::Fill), 0, cudart::kNone, to, 0, 64, 0, 0};
        std::ranges::copy(numbers, question.numbers);
        std::string pending(reinterpret_cast<const char*>(&question), sizeof question);
        pending += "cudaMemset";
        pending += pending;
        if (wrong == 1) pending.pop_back();
        const u64 bytes = wrong == 2 ? ~u64{0} : pending.size();
        EXPECT_EQ(pwrite(talk.server().memoryFile(), &bytes, 8, 0), 8);
        EXPECT_EQ(pwrite(talk.server().memoryFile(), pending.data(), pending.size(), 8),
                  ssize_t(pending.size()));
        talk.end();
        ProgramRecord record;
        talk.server().finish(record);
        EXPECT_EQ(record.operations.count, wrong == 1 ? 1u : 2u);
        EXPECT_EQ(record.operations.buffers[0].lastWritten->function, "cudaMemset");
    }
}

TEST(Server, EndsWhereTheTextIsTooLong) {
    Talk talk;
    talk.say({.ask = Ask::Function, .textBytes = 0x7fffffff}, {});
    EXPECT_FALSE(talk.isOpen());
}

TEST(Server, LivesThroughAnyQuestion) {
    std::mt19937_64 random(7);
    for (u32 round = 0; round < 20; ++round) {
        Talk talk(64 * kMiB, {.mostBytes = 4 * kMiB});
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
            Question question{.ask = Ask(random() % 19), .caller = any()};
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
        for (u64 launch = 0; launch <= record.launchCount; ++launch)
            EXPECT_EQ(record.kept->open(launch).has_value(), record.kept->has(launch));
    }
}

}  // namespace
}  // namespace lockstep::program
