// What was measured on an H200, row by row, as tiny programs of machine code: cycles come out exactly for a
// single warp, or within the measured spread. How they were measured: docs/internals/time.md.
#include "time/model/test_text.h"
#include "time/model/time_launch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>

namespace lockstep::time {
namespace {

const TimeProfile& times() {
    const TimeProfile* const profile = timeProfileOf(model::defaultProfile());
    EXPECT_NE(profile, nullptr);
    return *profile;
}

constexpr u32 kRegisters =
    32;  // of a thread: as many as a block of 32 warps may have, whatever the text names

struct Issues {
    // By warp of the block, the cycles of each instruction's issues.
    std::map<u32, std::vector<std::pair<u32, u64>>> ofWarp;
    u64 at(u32 warp, u32 instruction, std::size_t time = 0) const {
        for (const auto& [which, cycle] : ofWarp.at(warp))
            if (which == instruction && time-- == 0) return cycle;
        ADD_FAILURE() << "warp " << warp << " never issued instruction " << instruction;
        return 0;
    }
    u64 last(u32 warp) const { return ofWarp.at(warp).back().second; }
};

// Runs one block of so many warps on one SM.
Issues issuesOf(const Text& text, u32 warps = 1, u32 sharedBytes = 4096, std::span<Buffer> buffers = {},
                std::span<const std::byte> parameters = {}) {
    const Expected<ptx::Module> module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n", "none");
    EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
    const Expected<Program> program =
        makeProgram(text.function(),
                    {.grid = {1, 1, 1}, .block = {32 * warps, 1, 1}, .sharedBytes = sharedBytes}, parameters);
    EXPECT_TRUE(program) << (program ? "" : describe(program.error()));
    Issues issues;
    if (!program) return issues;
    const simt::DeviceMemory memory(*module, buffers);
    SmRecord record;
    const Expected<LaunchTime> time = timeLaunch(*program, memory, model::defaultProfile(), times(),
                                                 kRegisters, {.sms = 1, .record = &record});
    EXPECT_TRUE(time) << (time ? "" : describe(time.error()));
    for (const WarpRecord& warp : record.warps)
        for (const IssueRecord& issue : warp.issues)
            issues.ofWarp[warp.warpOfBlock].emplace_back(issue.instruction, issue.cycle);
    return issues;
}

// Cycles of one turn of `body` in the third turn of a loop, when the instruction cache is warm: the slope of
// two lengths. Registers of the loop: R200, P6.
f64 cyclesPerTurn(const std::function<void(Text&, u32 turn)>& body, u32 warps = 1, u32 few = 16,
                  u32 many = 48, const std::function<void(Text&)>& before = {}, u32 sharedBytes = 4096,
                  std::span<Buffer> buffers = {}, std::span<const std::byte> parameters = {}) {
    std::array<f64, 2> cycles{};
    for (const u32 which : {0u, 1u}) {
        Text text;
        if (before) before(text);
        text.add("MOV R200, 0x3", {.stall = 5});
        const u32 loop = text.count();
        text.add("BAR.SYNC.DEFER_BLOCKING 0x0", {.stall = 6});
        text.add("NOP", {.stall = 15});
        const u32 first = text.count();
        for (u32 turn = 0; turn < (which ? many : few); ++turn)
            body(text, turn);
        const u32 last = text.count();
        text.add("NOP", {.stall = 15, .wait = 63});
        text.add("IADD3 R200, R200, -0x1, RZ", {.stall = 5});
        text.add("ISETP.NE.AND P6, PT, R200, RZ, PT", {.stall = 13});
        text.add(fmt::format("@P6 BRA 0x{:x}", 16 * loop), {.stall = 5});
        text.add("EXIT", {.stall = 5});
        const Issues issues = issuesOf(text, warps, sharedBytes, buffers, parameters);
        u64 begins = ~u64{0}, ends = 0;
        for (u32 warp = 0; warp < warps; ++warp) {
            begins = std::min(begins, issues.at(warp, first, 2));
            ends = std::max(ends, issues.at(warp, last, 2));
        }
        cycles[which] = f64(ends - begins);
    }
    return (cycles[1] - cycles[0]) / (many - few);
}

struct Row {
    const char* what;
    f64 least, most;  // cycles a turn; equal: exact
    std::function<void(Text&, u32)> body;
    u32 warps = 1;
};

void expectRows(std::span<const Row> rows, const std::function<void(Text&)>& before = {}) {
    for (const Row& row : rows) {
        const f64 cycles = cyclesPerTurn(row.body, row.warps, 16, 48, before);
        EXPECT_GE(cycles, row.least - 1e-9) << row.what;
        EXPECT_LE(cycles, row.most + 1e-9) << row.what;
    }
}

std::string numbered(const char* form, u32 number) { return fmt::format(fmt::runtime(form), number); }

// One sub-core issues one instruction a cycle; pipes are interlocked, latencies are the compiler's stalls.
TEST(TimeTable, IssueAndPipes) {
    const auto independent = [](const char* form, u32 stall = 1) {
        return [form, stall](Text& text, u32 turn) {
            text.add(numbered(form, 10 + 2 * (turn % 16)), {.stall = stall});
        };
    };
    const std::vector<Row> rows = {
        {"FFMA, independent", 1, 1, independent("FFMA R{0}, R2, R3, RZ")},
        {"FFMA, a chain by its stall of 4", 4, 4,
         [](Text& t, u32) { t.add("FFMA R4, R2, R3, R4", {.stall = 4}); }},
        {"FADD, independent", 1, 1, independent("FADD R{0}, R2, R3")},
        {"IMAD, independent", 2, 2, independent("IMAD R{0}, R2, R3, RZ")},
        {"IADD3, independent", 2, 2, independent("IADD3 R{0}, R2, R3, RZ")},
        {"LOP3, independent", 2, 2, independent("LOP3.LUT R{0}, R2, R3, RZ, 0xc0, !PT")},
        {"IMAD.WIDE, independent", 4, 4.6, independent("IMAD.WIDE R{0}, R2, R3, RZ")},
        {"DFMA, independent", 2, 2.16, independent("DFMA R{0}, R2, R4, RZ")},
        {"MUFU, independent", 8, 8, independent("MUFU.RCP R{0}, R2")},
        {"MUFU, a chain", 17, 17.1,
         [](Text& t, u32) { t.add("MUFU.RCP R2, R2", {.stall = 1, .write = 0, .wait = 1}); }},
        {"POPC, a chain", 17, 17.1,
         [](Text& t, u32) { t.add("POPC R2, R2", {.stall = 1, .write = 0, .wait = 1}); }},
        {"a taken branch", 12, 12,
         [](Text& t, u32) { t.add(fmt::format("BRA 0x{:x}", 16 * (t.count() + 1)), {.stall = 5}); }},
        {"a branch not taken", 5, 5, [](Text& t, u32) { t.add("@!PT BRA 0x0", {.stall = 5}); }},
        {"NOP", 1, 1, [](Text& t, u32) { t.add("NOP"); }},
    };
    expectRows(rows);
    // 4 sub-cores: four instructions a cycle of an SM.
    EXPECT_EQ(cyclesPerTurn(independent("FFMA R{0}, R2, R3, RZ"), 4), 1);
    // 2 to 8 warps a sub-core take turns on a pipe.
    EXPECT_NEAR(cyclesPerTurn(independent("FFMA R{0}, R2, R3, RZ"), 8), 2, 0.18);
    EXPECT_NEAR(cyclesPerTurn(independent("FFMA R{0}, R2, R3, RZ"), 32), 8, 0.3);
}

TEST(TimeTable, RegisterBanks) {
    const std::vector<Row> rows = {
        {"all even", 3, 3,
         [](Text& t, u32 n) { t.add(numbered("FFMA R{0}, R2, R4, R6", 10 + 2 * (n % 8))); }},
        {"all odd", 3, 3, [](Text& t, u32 n) { t.add(numbered("FFMA R{0}, R3, R5, R7", 10 + 2 * (n % 8))); }},
        {"two of one bank", 2, 2,
         [](Text& t, u32 n) { t.add(numbered("FFMA R{0}, R2, R4, R7", 10 + 2 * (n % 8))); }},
        {"one register three times", 1, 1,
         [](Text& t, u32 n) { t.add(numbered("FFMA R{0}, R2, R2, R2", 10 + 2 * (n % 8))); }},
        {"two of three even ones reused", 1, 1,
         [](Text& t, u32 n) {
             t.add(numbered("FFMA R{0}, R2.reuse, R4.reuse, R6", 10 + 2 * (n % 8)), {.reuse = 3});
         }},
    };
    expectRows(rows);
}

// LDS latency: 21 + 2 x wavefronts; R2 holds the lane's address.
TEST(TimeTable, SharedLoads) {
    struct Case {
        u32 ways;
        f64 cycles;
    };
    for (const Case& c : {Case{1, 23}, Case{2, 25}, Case{4, 29}, Case{8, 37}, Case{16, 53}, Case{32, 85}}) {
        const auto before = [&](Text& text) {
            text.add("S2R R3, SR_LANEID", {.write = 0});
            text.add(fmt::format("IMAD R2, R3, 0x{:x}, RZ", 4 * c.ways), {.stall = 5, .wait = 1});
            text.add("IADD3 R2, R2, 0x400, RZ", {.stall = 5});
        };
        // A chain: the address waits for the value, which is zero.
        const f64 cycles =
            cyclesPerTurn([](Text& t, u32) { t.add("LDS R4, [R2]", {.stall = 1, .write = 0, .wait = 1}); }, 1,
                          16, 48, before);
        EXPECT_EQ(cycles, c.cycles) << c.ways << "-way";
    }
    const auto before = [](u32 bytes) {
        return [bytes](Text& text) {
            text.add("S2R R3, SR_LANEID", {.write = 0});
            text.add(fmt::format("IMAD R2, R3, 0x{:x}, RZ", bytes), {.stall = 5, .wait = 1});
            text.add("IADD3 R2, R2, 0x400, RZ", {.stall = 5});
        };
    };
    const auto chain = [](const char* load) {
        return [load](Text& t, u32) { t.add(load, {.stall = 1, .write = 0, .wait = 1}); };
    };
    EXPECT_EQ(cyclesPerTurn(chain("LDS.64 R4, [R2]"), 1, 16, 48, before(8)), 26);
    EXPECT_EQ(cyclesPerTurn(chain("LDS.128 R4, [R2]"), 1, 16, 48, before(16)), 32);
    // One sub-core drains an LDS in 2 cycles, an STS in 4, of 8 bytes 6, of 16 bytes 10.
    const auto flow = [](const char* instruction) {
        return [instruction](Text& t, u32) { t.add(instruction, {.stall = 1}); };
    };
    EXPECT_NEAR(cyclesPerTurn(flow("LDS R4, [R2]"), 1, 32, 96, before(4)), 2, 0.1);
    EXPECT_NEAR(cyclesPerTurn(flow("STS [R2], R4"), 1, 32, 96, before(4)), 4, 0.1);
    EXPECT_NEAR(cyclesPerTurn(flow("STS.64 [R2], R4"), 1, 32, 96, before(8)), 6, 0.1);
    EXPECT_NEAR(cyclesPerTurn(flow("STS.128 [R2], R4"), 1, 32, 96, before(16)), 10, 0.1);
    // All sub-cores: 1.06 to 1.1 cycles a wavefront were measured with 32 warps.
    EXPECT_NEAR(cyclesPerTurn(flow("LDS R4, [R2]"), 32, 32, 96, before(4)) / 32, 1.05, 0.06);
}

TEST(TimeTable, ShufflesAndAtomics) {
    const auto chain = [](const char* instruction) {
        return [instruction](Text& t, u32) { t.add(instruction, {.stall = 1, .write = 0, .wait = 1}); };
    };
    const auto laneAddress = [](u32 stride) {
        return [stride](Text& text) {
            text.add("S2R R3, SR_LANEID", {.write = 0});
            text.add(fmt::format("IMAD R2, R3, 0x{:x}, RZ", stride), {.stall = 5, .wait = 1});
            text.add("IADD3 R2, R2, 0x400, RZ", {.stall = 5});
        };
    };
    EXPECT_EQ(cyclesPerTurn(chain("SHFL.BFLY PT, R4, R4, 0x1, 0x1f")), 24);
    EXPECT_EQ(cyclesPerTurn(chain("SHFL.IDX PT, R4, R4, R4, 0x1f")), 26);
    EXPECT_EQ(cyclesPerTurn(chain("ATOMS.ADD R4, [R2], R5"), 1, 16, 48, laneAddress(4)), 26);
    EXPECT_EQ(cyclesPerTurn(chain("ATOMS.ADD R4, [R2], R5"), 1, 16, 48, laneAddress(0)), 26 + 2 * 31);
    EXPECT_EQ(cyclesPerTurn(chain("ATOMS.CAS R4, [R2], R5, R6"), 1, 16, 48, laneAddress(4)), 35);
    EXPECT_EQ(cyclesPerTurn(chain("ATOMS.CAS R4, [R2], R5, R6"), 1, 16, 48, laneAddress(0)), 159);
    EXPECT_EQ(cyclesPerTurn(chain("LDC R4, c[0x0][R5]"), 1, 16, 48), 28);
    EXPECT_EQ(cyclesPerTurn(chain("MATCH.ANY R4, R3"), 1, 16, 48, laneAddress(4)), 369);
}

TEST(TimeTable, Barriers) {
    struct Case {
        u32 warps;
        f64 cycles;
    };
    for (const Case& c : {Case{1, 14}, Case{2, 16}, Case{4, 20}, Case{8, 28}, Case{16, 44}, Case{32, 76}})
        EXPECT_EQ(
            cyclesPerTurn([](Text& t, u32) { t.add("BAR.SYNC.DEFER_BLOCKING 0x0", {.stall = 1}); }, c.warps),
            c.cycles)
            << c.warps << " warps";
}

// Parameter 0 is a buffer; R2, R3 its address plus the lane's.
class GlobalMemory {
public:
    explicit GlobalMemory(u64 bytes) {
        buffers_.push_back({.name = "a",
                            .type = ElementType::U32,
                            .shape = {bytes / 4},
                            .bytes = std::vector<std::byte>(bytes)});
        const u64 address = deviceAddressOf(0);
        parameters_.resize(8);
        std::memcpy(parameters_.data(), &address, 8);
    }
    f64 cycles(const std::string& instruction, Control control, u32 stride, u32 warps = 1, u32 few = 16,
               u32 many = 48) {
        return cycles([&](Text& t, u32) { t.add(instruction, control); }, stride, warps, few, many);
    }
    // R8: the lane's place in 128 bytes of shared memory.
    f64 cycles(const std::function<void(Text&, u32)>& body, u32 stride, u32 warps = 1, u32 few = 16,
               u32 many = 48) {
        return cyclesPerTurn(
            body, warps, few, many,
            [&](Text& text) {
                text.add("S2R R5, SR_LANEID", {.write = 0});
                text.add("LDC.64 R6, c[0x0][0x210]", {.write = 1});
                text.add(fmt::format("IMAD.WIDE R2, R5, 0x{:x}, R6", stride), {.stall = 8, .wait = 3});
                text.add("IMAD R8, R5, 0x4, RZ", {.stall = 8});
            },
            128, buffers_, parameters_);
    }

private:
    std::vector<Buffer> buffers_;
    std::vector<std::byte> parameters_;
};

// A group a turn, then a wait until no more than some of the last groups are on their way.
TEST(TimeTable, AsynchronousCopiesAreWaitedForByGroups) {
    GlobalMemory memory(1 << 16);
    const auto cyclesWith = [&](u32 left) {
        return memory.cycles(
            [left](Text& t, u32) {
                t.add("LDGSTS.E [R8], desc[UR4][R2.64]", {.stall = 1});
                t.add("LDGDEPBAR", {.stall = 1, .write = 0});
                t.add(fmt::format("DEPBAR.LE SB0, 0x{:x}", left), {.stall = 1});
            },
            4);
    };
    const f64 all = cyclesWith(0);
    EXPECT_NEAR(all, 52, 4) << "measured with the compiler's stalls";
    // Copies of so many groups overlap.
    EXPECT_NEAR(cyclesWith(1), all / 2, 2);
    EXPECT_NEAR(cyclesWith(3), all / 4, 2);
    EXPECT_LT(cyclesWith(7), all / 4);
}

TEST(TimeTable, LoadsThatHitL1) {
    GlobalMemory memory(1 << 16);
    constexpr Control kChain{.stall = 1, .write = 0, .wait = 1};
    EXPECT_EQ(memory.cycles("LDG.E R4, desc[UR4][R2.64]", kChain, 4), 32);
    EXPECT_EQ(memory.cycles("LDG.E.64 R8, desc[UR4][R2.64]", kChain, 8), 34);
    EXPECT_NEAR(memory.cycles("LDG.E.128 R8, desc[UR4][R2.64]", kChain, 16), 39.5, 0.5);
    // Bank passes: lane strides of 4 to 128 bytes cost 1 to 32 cycles a request of a full SM.
    constexpr Control kFlow{.stall = 1};
    for (const u32 stride : {4u, 8u, 16u, 32u, 64u, 128u}) {
        const double passes = stride / 4.0;
        EXPECT_NEAR(memory.cycles("LDG.E R4, desc[UR4][R2.64]", kFlow, stride, 32, 32, 96) / 32, passes,
                    0.15 * passes)
            << stride;
    }
    // No bank conflict: the lines count.
    struct Case {
        u32 stride;
        f64 cycles;
    };
    for (const Case& c :
         {Case{12, 1.2}, Case{20, 2.1}, Case{28, 2.4}, Case{36, 3.2}, Case{68, 5.4}, Case{132, 9.1}})
        EXPECT_NEAR(memory.cycles("LDG.E R4, desc[UR4][R2.64]", kFlow, c.stride, 32, 32, 96) / 32, c.cycles,
                    0.26 * c.cycles)
            << c.stride;
    // One sub-core alone: an LDG in 4 cycles, an STG in 6.
    EXPECT_NEAR(memory.cycles("LDG.E R4, desc[UR4][R2.64]", kFlow, 4, 1, 32, 96), 4, 0.1);
}

TEST(TimeTable, Stores) {
    GlobalMemory memory(1 << 16);
    constexpr Control kFlow{.stall = 1};
    EXPECT_NEAR(memory.cycles("STG.E desc[UR4][R2.64], R4", kFlow, 4, 1, 32, 96), 6, 0.1);
    EXPECT_NEAR(memory.cycles("STG.E.64 desc[UR4][R2.64], R4", kFlow, 8, 1, 32, 96), 11, 0.1);
    EXPECT_NEAR(memory.cycles("STG.E desc[UR4][R2.64], R4", kFlow, 4, 32, 32, 96) / 32, 4.1, 0.1);
    EXPECT_NEAR(memory.cycles("STG.E.128 desc[UR4][R2.64], R4", kFlow, 16, 32, 32, 96) / 32, 13.4, 0.2);
    EXPECT_NEAR(memory.cycles("STG.E desc[UR4][R2.64], R4", kFlow, 128, 32, 32, 96) / 32, 43.5, 3.5);
}

TEST(TimeTable, GlobalAtomicsAndCopies) {
    GlobalMemory memory(1 << 16);
    constexpr Control kChain{.stall = 1, .write = 0, .wait = 1}, kFlow{.stall = 1};
    // 329 of one line, 393 of one word.
    EXPECT_NEAR(memory.cycles("ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R5", kChain, 4), 329, 6);
    EXPECT_NEAR(memory.cycles("ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R5", kChain, 0), 393, 6);
    // One SM: neighboring words, one word, 32 sectors; with the old value, on one word.
    const auto flow = [&](const char* instruction, u32 stride) {
        return memory.cycles(instruction, kFlow, stride, 32, 32, 96) / 32;
    };
    EXPECT_NEAR(flow("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", 4), 5.2, 1.1);
    EXPECT_NEAR(flow("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", 0), 48, 1);
    EXPECT_NEAR(flow("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", 128), 41, 3);
    EXPECT_NEAR(flow("ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR4][R2.64], R5", 0), 64, 1);
}

TEST(TimeTable, SharedAtomicsOfAFullSm) {
    const auto oneWord = [](Text& text) { text.add("MOV R2, 0x400", {.stall = 5}); };
    const auto flow = [](const char* instruction) {
        return [instruction](Text& t, u32) { t.add(instruction, {.stall = 1}); };
    };
    // 32 warps with 32 lanes each on one word: a pass a cycle was measured, 1,024 in all; it comes out 4 %
    // slower.
    EXPECT_NEAR(cyclesPerTurn(flow("ATOMS.ADD R4, [R2], R5"), 32, 4, 12, oneWord), 1024, 41);
    // Counting lanes needs one pass, whoever accesses the word.
    const f64 counting = cyclesPerTurn(flow("ATOMS.POPC.INC.32 RZ, [R2]"), 32, 32, 96, oneWord) / 32;
    EXPECT_GE(counting, 1);
    EXPECT_LE(counting, 1.3);
}

TEST(TimeTable, HalvesOccupyBothHalvesOfThePipe) {
    EXPECT_NEAR(cyclesPerTurn([](Text& t, u32 n) {
                    t.add(numbered("HFMA2.MMA R{0}, -RZ, RZ, 0, 1", 10 + 2 * (n % 16)));
                }),
                2, 1.01);
}

TEST(TimeTable, BeyondTheSm) {
    // A chain of loads of new lines: 64 bytes are fetched, so that every other 128-byte line is new.
    GlobalMemory memory(1 << 22);
    Text text;
    text.add("LDC.64 R2, c[0x0][0x210]", {.write = 0});
    text.add("NOP", {.stall = 4, .wait = 1});
    constexpr u32 kLoads = 200;
    for (u32 i = 0; i < kLoads; ++i)
        text.add(fmt::format("LDG.E R4, desc[UR4][R2.64+0x{:x}]", 4096 * i),
                 {.stall = 1, .write = 0, .wait = 1});
    text.add("EXIT", {.stall = 5, .wait = 1});
    std::vector<Buffer> buffers{{.name = "a",
                                 .type = ElementType::U32,
                                 .shape = {1 << 20},
                                 .bytes = std::vector<std::byte>(1 << 22)}};
    std::vector<std::byte> parameters(8);
    const u64 address = deviceAddressOf(0);
    std::memcpy(parameters.data(), &address, 8);
    const Issues issues = issuesOf(text, 1, 0, buffers, parameters);
    u32 near = 0, far = 0, late = 0;
    for (u32 i = 1; i < kLoads; ++i) {
        const u64 cycles = issues.at(0, 3 + i) - issues.at(0, 2 + i);
        EXPECT_GE(cycles, 505u);
        EXPECT_LE(cycles, 3200u);
        ++(cycles < 640 ? near : cycles <= 800 ? far : late);
    }
    EXPECT_GT(near, kLoads / 4) << "two equal groups";
    EXPECT_GT(far, kLoads / 4);
    EXPECT_GE(late, 1u) << "1 in 50 takes longer, up to 3,200";
    EXPECT_LE(late, kLoads / 25);
}

TEST(TimeTable, AccessesThatNoLaneExecutes) {
    // Measured behind a false guard: 22 cycles to the use of the register, of shared and of global memory;
    // and from all four sub-cores one a cycle, loads and stores alike.
    const auto off = [](const char* access) {
        return [=](Text& text, u32) { text.add(access, {.stall = 2, .write = 0, .wait = 1}); };
    };
    const auto guard = [](Text& text) {
        text.add("ISETP.NE.AND P0, PT, RZ, RZ, PT", {.stall = 13});
        text.add("MOV R0, RZ", {.stall = 4});
    };
    for (const char* load : {"@P0 LDS R4, [R0]", "@P0 LDG.E R4, desc[UR4][R2.64]"})
        EXPECT_NEAR(cyclesPerTurn(off(load), 1, 16, 48, guard), 22, 1) << load;
    const auto many = [](const char* access) {
        return [=](Text& text, u32) { text.add(access, {.stall = 1}); };
    };
    for (const char* access : {"@P0 LDS R4, [R0]", "@P0 STS [R0], R4", "@P0 LDG.E R4, desc[UR4][R2.64]"})
        EXPECT_NEAR(cyclesPerTurn(many(access), 32, 16, 48, guard) / 32, 1, 0.05) << access;
}

TEST(TimeTable, AnInstructionGoesAheadOfABarrier) {
    // What is ready within six cycles of BAR issues before the barrier opens: ncu counts the wait at the
    // instruction behind it, and of its 13 cycles of stall only those before the warp is blocked.
    const auto cyclesWith = [](u32 stall) {
        Text text;
        text.add("BAR.SYNC.DEFER_BLOCKING 0x0", {.stall = stall});
        text.add("ISETP.NE.AND P0, PT, RZ, RZ, PT", {.stall = 13});
        text.add("MOV R4, RZ", {.stall = 1});
        text.add("EXIT", {.stall = 5});
        const Issues issues = issuesOf(text, 8);
        // From the last warp's arrival.
        u64 arrived = 0, went = 0;
        for (u32 warp = 0; warp < 8; ++warp) {
            arrived = std::max(arrived, issues.at(warp, 0));
            went = std::max(went, issues.at(warp, 2));
            EXPECT_TRUE(stall != 1 || issues.at(warp, 1) == issues.at(warp, 0) + 1);
        }
        return went - arrived;
    };
    const u64 ahead = cyclesWith(1), behind = cyclesWith(6);
    EXPECT_GE(behind, ahead + 12) << "ISETP's 13 cycles pass while the warp waits";
}

TEST(TimeProfile, NamesTheFirstMistakeOfItsSection) {
    EXPECT_FALSE(parseTimeProfile("name = \"x\"\n", "x.toml").value().has_value()) << "no section, no times";
    const auto sentence = [](const char* text) {
        const auto read = parseTimeProfile(text, "x.toml");
        return read ? std::string("read") : describe(read.error());
    };
    EXPECT_EQ(sentence("[time]\nbranch_taken = -1\n"),
              "x.toml:2: 'branch_taken' of section [time] must be a number from 0 to 1,000,000");
    EXPECT_NE(timeProfileOf(model::defaultProfile()), nullptr);
    EXPECT_EQ(timeProfileOf(*model::findProfile("cc80")), nullptr) << "not measured there";
}

}  // namespace
}  // namespace lockstep::time
