#include "simt/memory/device_memory.h"

#include "simt/emulator.h"
#include "simt/test_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace lockstep::simt {
namespace {

constexpr u64 kPiece = Snapshot::kPieceBytes;

// One allocation, as a program has them.
struct Program {
    std::vector<std::byte> bytes;
    LastingMemory lasting;

    explicit Program(u64 size) : bytes(size, std::byte{1}) {
        lasting.placeShift = 40;
        lasting.firstPlace = 1;
        lasting.allocationAt = {1};
        lasting.allocations = {
            {.base = u64{1} << 40, .bytes = bytes.size(), .host = bytes.data(), .buffer = 0}};
    }
};

TEST(Snapshot, RestoresWhatWasWritten) {
    Program program(5 * kPiece + 100);
    const DeviceMemory memory(program.lasting);
    Snapshot snapshot(memory, {});
    const std::vector<std::byte> before = program.bytes;
    const auto write = [&](u64 first, u64 end) {
        snapshot.beforeWrite(0, [&] { return WrittenBytes{first, end}; });
        std::fill(program.bytes.begin() + s64(first), program.bytes.begin() + s64(end), std::byte{7});
    };
    write(0, 4);
    write(kPiece - 2, kPiece + 2);
    write(5 * kPiece + 96, 5 * kPiece + 100);
    write(kPiece, kPiece + 8);
    snapshot.restore();
    EXPECT_EQ(program.bytes, before);
    write(0, program.bytes.size());
    snapshot.restore();
    EXPECT_EQ(program.bytes, before);
}

TEST(Snapshot, LeavesOtherPiecesAlone) {
    Program program(3 * kPiece);
    const DeviceMemory memory(program.lasting);
    Snapshot snapshot(memory, {});
    snapshot.beforeWrite(0, [] { return WrittenBytes{kPiece, kPiece + 4}; });
    std::ranges::fill(program.bytes, std::byte{9});
    snapshot.restore();
    EXPECT_EQ(program.bytes[kPiece - 1], std::byte{9}) << "it was not saved, so that a launch of one element "
                                                          "does not copy all of a large allocation";
    EXPECT_EQ(program.bytes[kPiece], std::byte{1});
    EXPECT_EQ(program.bytes[2 * kPiece - 1], std::byte{1});
    EXPECT_EQ(program.bytes[2 * kPiece], std::byte{9});
}

TEST(Snapshot, IsAskedOnceAllOfAnAllocationIsSaved) {
    Program program(kPiece);
    const DeviceMemory memory(program.lasting);
    Snapshot snapshot(memory, {});
    u32 asked = 0;
    for (u32 i = 0; i < 3; ++i)
        snapshot.beforeWrite(0, [&] {
            ++asked;
            return WrittenBytes{0, 4};
        });
    EXPECT_EQ(asked, 1u);
}

TEST(Snapshot, TellsWhichBytesOfWatchedAllocationsAreWritten) {
    Program program(1000);
    program.lasting.allocations[0].isWatched = true;
    const DeviceMemory memory(program.lasting);
    Snapshot snapshot(memory, {});
    ASSERT_TRUE(snapshot.isWatched(0));
    for (const auto& [first, end] : {WrittenBytes{60, 64}, {64, 192}, {192, 193}, {300, 304}, {308, 312}})
        snapshot.mark(0, {first, end});
    std::vector<std::pair<u64, u64>> ranges;
    for (const WrittenRange& range : snapshot.written())
        ranges.emplace_back(range.bytes.first, range.bytes.end);
    EXPECT_EQ(ranges, (std::vector<std::pair<u64, u64>>{{60, 193}, {300, 304}, {308, 312}}));
    snapshot.restore();
    EXPECT_TRUE(snapshot.written().empty());
}

TEST(LastingMemory, WhatALaunchShowsOfItSavesTheNextOneARestart) {
    const Expected<ptx::Module> module = ptx::parse(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry bytes(.param .u64 out)
{
    .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .b16 %h<2>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    cvt.u64.u32 %d2, %r1;
    add.s64 %d1, %d1, %d2;
    ld.global.u8 %h1, [%d1];
    st.global.u8 [%d1], %h1;
    ret;
}
)",
                                                    "bytes.ptx");
    ASSERT_TRUE(module) << module.error().message.english();
    Program program(64);
    Launch launch{.entry = "bytes", .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {}};
    ScalarArgument pointer{std::vector<std::byte>(8)};
    std::memcpy(pointer.bytes.data(), &program.lasting.allocations[0].base, 8);
    launch.arguments = {pointer};
    Options options;
    options.memory = &program.lasting;
    for (u32 i = 0; i < 2; ++i) {
        const Expected<Result> result = run(*module, std::span(&launch, 1), {}, options);
        ASSERT_TRUE(result) << result.error().message.english();
        ASSERT_EQ(result->habits.size(), 1u);
        EXPECT_EQ(result->habits[0], (trace::BufferHabit{.elementBytes = 1, .keeps = trace::Keeps::Owners}));
        program.lasting.habits = result->habits;
    }
}

}  // namespace
}  // namespace lockstep::simt
