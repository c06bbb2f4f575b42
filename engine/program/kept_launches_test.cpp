// Launches that are run once more by themselves, on what they found in memory.
#include "program/kept_launches.h"

#include "program/test_talk.h"
#include "simt/emulator.h"

#include <cstring>

namespace lockstep::program {
namespace {

using cudart::Answer;
using cudart::Ask;
using cudart::Memory;

constexpr const char* kModule = R"(.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .u32 step = 1;
.visible .entry add(.param .u64 out)
{
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.s64 %d1, %d1, %d2;
    ld.u32 %r2, [%d1];
    ld.const.u32 %r3, [step];
    add.u32 %r2, %r2, %r3;
    st.u32 [%d1], %r2;
    ret;
}
.visible .entry through(.param .u64 table)
{
    .reg .b32 %r<4>; .reg .b64 %d<6>;
    ld.param.u64 %d1, [table];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 8;
    add.s64 %d1, %d1, %d2;
    ld.u64 %d3, [%d1];
    ld.u32 %r2, [%d3];
    add.u32 %r2, %r2, 5;
    st.u32 [%d3], %r2;
    ret;
}
)";

// A program that uses memory as the runtime library does.
class Program {
public:
    explicit Program(u64 mostBytes = u64{64} << 20, std::set<u64> only = {})
        : talk_(u64{64} << 20, {.mostBytes = mostBytes, .only = std::move(only)}) {
        talk_.ask(Ask::Module, {}, kModule);
    }

    struct Array {
        u64 address = 0, offset = 0;
    };
    Array allocate(u64 bytes, u64 rowBytes = 0) {
        const Answer answer = talk_.ask(Ask::Allocate, {bytes, u64(Memory::Device), rowBytes});
        return {answer.numbers[0], answer.numbers[1]};
    }
    Array variable(const std::string& name) {
        const Answer answer = talk_.ask(Ask::Variable, {0}, name);
        return {answer.numbers[0], answer.numbers[2]};
    }
    template <class T> void copyTo(Array array, const std::vector<T>& values) {
        const u64 bytes = values.size() * sizeof(T);
        EXPECT_EQ(pwrite(talk_.server().memoryFile(), values.data(), bytes, off_t(array.offset)),
                  ssize_t(bytes));
        talk_.ask(
            Ask::Operation,
            {u64(cudart::OperationKind::Copy), 0, cudart::kNone, array.address, u64{0x7f00} << 32, bytes},
            "cudaMemcpy");
    }
    std::vector<u32> contents(Array array, u64 count) {
        std::vector<u32> values(count);
        EXPECT_EQ(pread(talk_.server().memoryFile(), values.data(), count * 4, off_t(array.offset)),
                  ssize_t(count * 4));
        return values;
    }
    void launch(std::string text, u32 threads, u64 pointer) {
        text += '\0';
        text.append(reinterpret_cast<const char*>(&pointer), sizeof pointer);
        const Answer answer = talk_.ask(Ask::Launch, {0, 1, 1, 1, threads, 1, 1, 0, 0, 0, 0}, text);
        EXPECT_EQ(answer.error, 0);
    }
    std::shared_ptr<const KeptLaunches> end() {
        talk_.end();
        ProgramRecord record;
        talk_.server().finish(record);
        return record.kept;
    }

private:
    Talk talk_;
};

struct Outcome {
    OpenedLaunch launch;
    std::vector<Buffer> final;
};
Outcome runOf(const KeptLaunches& kept, u64 number) {
    Expected<OpenedLaunch> opened = kept.open(number);
    EXPECT_TRUE(opened) << opened.error().message.english();
    std::vector<Buffer> buffers = opened->buffers;
    simt::Options options;
    options.threads = 1;
    const Expected<simt::Result> result =
        simt::run(*opened->module, std::span(&opened->launch, 1), buffers, options);
    EXPECT_TRUE(result) << result.error().message.english();
    EXPECT_TRUE(result->findings.empty());
    return {std::move(*opened), std::move(buffers)};
}
std::vector<u32> valuesOf(const Buffer& buffer) {
    const auto values = buffer.as<u32>();
    return {values.begin(), values.end()};
}

TEST(KeptLaunches, EachFindsWhatItFoundInTheProgram) {
    Program program;
    const Program::Array a = program.allocate(16);
    program.copyTo<u32>(a, {1, 2, 3, 4});
    program.launch("add", 4, a.address);
    program.launch("add", 2, a.address);
    const std::vector<u32> after = program.contents(a, 4);
    const auto kept = program.end();
    const Outcome first = runOf(*kept, 1), second = runOf(*kept, 2);
    EXPECT_EQ(valuesOf(first.launch.buffers[0]), (std::vector<u32>{1, 2, 3, 4}));
    EXPECT_EQ(valuesOf(first.final[0]), (std::vector<u32>{2, 3, 4, 5}));
    EXPECT_EQ(valuesOf(second.launch.buffers[0]), (std::vector<u32>{2, 3, 4, 5}));
    EXPECT_EQ(valuesOf(second.final[0]), after);
    EXPECT_EQ(second.launch.launch.block, (Dim3{2, 1, 1}));
}

TEST(KeptLaunches, APointerIntoAnAllocationStaysOne) {
    Program program;
    const Program::Array a = program.allocate(16);
    program.copyTo<u32>(a, {1, 2, 3, 4});
    program.launch("add", 2, a.address + 8);
    const Outcome run = runOf(*program.end(), 1);
    EXPECT_EQ(valuesOf(run.final[0]), (std::vector<u32>{1, 2, 4, 5}));
}

TEST(KeptLaunches, PointersInMemoryAreFollowed) {
    Program program;
    const Program::Array a = program.allocate(16), b = program.allocate(4), table = program.allocate(16);
    program.allocate(u64{1} << 20);  // nothing leads there
    program.copyTo<u32>(b, {7});
    program.copyTo<u64>(table, {a.address + 12, b.address});
    program.launch("through", 2, table.address);
    const Outcome run = runOf(*program.end(), 1);
    ASSERT_EQ(run.final.size(), 3u);
    EXPECT_EQ(valuesOf(run.final[1]), (std::vector<u32>{0, 0, 0, 5}));
    EXPECT_EQ(valuesOf(run.final[2]), (std::vector<u32>{12}));
}

TEST(KeptLaunches, VariablesHoldWhatTheProgramCopiedThere) {
    Program program;
    const Program::Array a = program.allocate(8);
    program.copyTo<u32>(program.variable("step"), {40});
    program.launch("add", 2, a.address);
    EXPECT_EQ(valuesOf(runOf(*program.end(), 1).final[0]), (std::vector<u32>{40, 40}));
}

TEST(KeptLaunches, APitchedAllocationHasRows) {
    Program program;
    const Program::Array a = program.allocate(4 * 512, 512);
    program.launch("add", 2, a.address);
    EXPECT_EQ(runOf(*program.end(), 1).launch.buffers[0].shape, (std::vector<u64>{4, 128}));
}

TEST(KeptLaunches, MemoryThatStaysTheSameIsKeptOnce) {
    constexpr u64 kWords = u64{1} << 18;
    Program program(u64{2} << 20);  // a launch needs half of that
    const Program::Array a = program.allocate(4 * kWords);
    program.copyTo<u32>(a, std::vector<u32>(kWords, 9));
    for (u32 i = 0; i < 10; ++i)
        program.launch("add", 4, a.address);
    const auto kept = program.end();
    EXPECT_EQ(kept->last(), 10u);
    EXPECT_FALSE(kept->isFull());
    EXPECT_EQ(valuesOf(runOf(*kept, 10).launch.buffers[0])[3], 18u);
}

TEST(KeptLaunches, BeyondTheLimitTheySayWhichThereAre) {
    constexpr u64 kWords = u64{1} << 18;
    Program program(u64{2} << 20);
    const Program::Array a = program.allocate(4 * kWords);
    for (u32 i = 1; i < 5; ++i) {
        program.copyTo<u32>(a, std::vector<u32>(kWords, i));
        program.launch("add", 4, a.address);
    }
    const auto kept = program.end();
    EXPECT_EQ(kept->last(), 1u);
    EXPECT_TRUE(kept->isFull());
    const Expected<OpenedLaunch> opened = kept->open(2);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.english().find("was kept up to launch 1"), std::string::npos);
}

TEST(KeptLaunches, OnlyThoseThatAreAskedFor) {
    Program program(u64{64} << 20, {2});
    const Program::Array a = program.allocate(16);
    for (u32 i = 0; i < 3; ++i)
        program.launch("add", 4, a.address);
    const auto kept = program.end();
    EXPECT_FALSE(kept->has(1) || kept->has(3));
    EXPECT_EQ(valuesOf(runOf(*kept, 2).launch.buffers[0]), std::vector<u32>(4, 1));
}

}  // namespace
}  // namespace lockstep::program
