#include "explain/sentences/sentence.h"

#include "model/access/test_access.h"
#include "model/test_kernel.h"
#include "ptx/opcodes.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using model::accessAt, model::findProfile, model::pcOf, model::testModule, model::testRecording;

using trace::AccessKind;
using trace::Space;
using Address = std::function<std::optional<u64>(u64 lane)>;

const AccessWords kWarp1{
    .who = Message(english("Warp {0}"), 1), .array = "Mds", .first = "Mds[0][3]", .last = "Mds[31][3]"};

TEST(SharedSentence, SaysWhatTheBanksDo) {
    struct Case {
        const char* what;
        AccessKind kind;
        u32 width;
        Address addressOf;
        const char *en, *zh;
    };
    const Case cases[] = {
        {"column", AccessKind::Load, 4, [](u64 lane) { return lane * 128 + 12; },
         "Warp 1 reads 32 words of Mds[], all in bank 3: served one after another, 32 wavefronts instead of "
         "1.",
         "线程束 1 读取 Mds 的 32 个字，全部落在存储体 3：只能一个接一个地处理，需要 32 个波前，而不是 "
         "1 个。"},
        {"row", AccessKind::Store, 4, [](u64 lane) { return lane * 4; },
         "Warp 1 writes 32 words of Mds[], Mds[0][0] to Mds[0][31], each in a bank of its own: no conflict, "
         "1 "
         "wavefront.",
         "线程束 1 写入 Mds 的 32 个字（Mds[0][0] 到 Mds[0][31]），各在不同的存储体：没有冲突，1 个波前。"},
        {"row of a buffer whose shape nobody knows", AccessKind::Store, 4, [](u64 lane) { return lane * 4; },
         "Warp 1 writes 32 words of Mds[], each in a bank of its own: no conflict, 1 wavefront.",
         "线程束 1 写入 Mds 的 32 个字，各在不同的存储体：没有冲突，1 个波前。"},
        {"broadcast", AccessKind::Load, 4, [](u64) { return 12; },
         "Warp 1 reads one word, Mds[0][3], for all 32 lanes: one read serves them all (broadcast), 1 "
         "wavefront.",
         "线程束 1 的 32 个通道都读取同一个字 Mds[0][3]：一次读取供所有通道共用（广播），1 个波前。"},
        {"stride 2", AccessKind::Load, 4, [](u64 lane) { return lane * 8; },
         "Warp 1 reads 32 words of Mds[], up to 2 in one bank: 2 wavefronts instead of 1.",
         "线程束 1 读取 Mds 的 32 个字，同一个存储体中最多有 2 个：需要 2 个波前，而不是 1 个。"},
        {"one lane", AccessKind::Load, 4,
         [](u64 lane) { return lane == 4 ? std::optional<u64>(8) : std::nullopt; },
         "Warp 1 (1 of its 32 lanes) reads 1 word of Mds[]: 1 wavefront.",
         "线程束 1（32 个通道中的 1 个）读取 Mds 的 1 个字：1 个波前。"},
        {"float4", AccessKind::Load, 16, [](u64 lane) { return lane * 16; },
         "Warp 1 reads 32 × 16 bytes of Mds[], served in 4 groups of lanes, one after another: no conflict, "
         "4 "
         "wavefronts.",
         "线程束 1 读取 Mds 的 32 × 16 字节，分成 4 组通道依次处理：没有冲突，4 个波前。"},
        {"atomics on one word", AccessKind::Atomic, 4, [](u64) { return 0; },
         "Warp 1 updates 1 word of Mds[] atomically, one lane per bank in each wavefront: 32 wavefronts "
         "instead of 1.",
         "线程束 1 原子更新 Mds 的 1 个字，每个波前里每个存储体只处理一个通道：需要 32 个波前，而不是 1 "
         "个。"},
        {"nobody", AccessKind::Load, 4, [](u64) { return std::nullopt; },
         "Warp 1 has no active lane here: no wavefront.", "线程束 1 在这里没有活动的通道：没有波前。"},
    };
    for (const Case& c : cases) {
        AccessWords words = kWarp1;
        if (std::string_view(c.what) == "row") words.first = "Mds[0][0]", words.last = "Mds[0][31]";
        if (std::string_view(c.what).starts_with("row of"))
            words.first = "Mds + 0 bytes", words.last = "Mds + 124 bytes";
        const Message text = sharedSentence(accessAt(Space::Shared, c.kind, c.width, c.addressOf),
                                            model::defaultProfile(), words);
        EXPECT_EQ(text.english(), c.en) << c.what;
        EXPECT_EQ(text.in(Language::Chinese), c.zh) << c.what;
    }
}

TEST(GlobalSentence, SaysWhatIsMovedForWhatIsWanted) {
    const AccessWords words{
        .who = Message(english("Warp {0}"), 0), .array = "M", .first = "M[0]", .last = "M[31]"};
    struct Case {
        const char* profile;
        AccessKind kind;
        u32 width;
        Address addressOf;
        const char *en, *zh;
    };
    const Case cases[] = {
        {"cc90", AccessKind::Load, 4, [](u64 lane) { return lane * 4; },
         "Warp 0 reads 128 bytes of M[], M[0] to M[31]: 1 request, 4 sectors, all bytes used.",
         "线程束 0 读取 M 的 128 字节（M[0] 到 M[31]）：1 个请求，4 个扇区，字节全部用上。"},
        {"cc90", AccessKind::Load, 4, [](u64 lane) { return lane * 4 + 4; },
         "Warp 0 reads 128 bytes of M[], M[0] to M[31]: 1 request, 5 sectors instead of 4, because the first "
         "byte is not 32-byte aligned.",
         "线程束 0 读取 M 的 128 字节（M[0] 到 M[31]）：1 个请求，5 个扇区而不是 4 个，因为起始地址不是 32 "
         "字节的整数倍。"},
        {"cc90", AccessKind::Store, 4, [](u64 lane) { return lane * 4096; },
         "Warp 0 writes 128 bytes of M[], with a stride of 4,096 bytes, M[0] to M[31]: 1 request, 32 sectors "
         "instead of 4, 1,024 bytes in all, 128 written.",
         "线程束 0 写入 M 的 128 字节（步长 4,096 字节，M[0] 到 M[31]）：1 个请求，32 个扇区而不是 4 个，"
         "扇区共 1,024 字节，写入 128 字节。"},
        {"cc90", AccessKind::Load, 4, [](u64 lane) { return lane / 16 * 256 + lane % 16 * 4; },
         "Warp 0 reads 128 bytes of M[], in 2 pieces between M[0] and M[31]: 1 request, 4 sectors, all bytes "
         "used.",
         "线程束 0 读取 M 的 128 字节（M[0] 到 M[31] 之间的 2 段）：1 个请求，4 个扇区，字节全部用上。"},
        {"cc90", AccessKind::Load, 4, [](u64 lane) { return lane * lane * 32; },
         "Warp 0 reads 128 bytes of M[], scattered between M[0] and M[31]: 1 request, 32 sectors instead of "
         "4, "
         "1,024 bytes transferred, 128 used.",
         "线程束 0 读取 M 的 128 字节（分散在 M[0] 到 M[31] 之间）：1 个请求，32 个扇区而不是 4 个，"
         "传输 1,024 字节，用到 128 字节。"},
        {"cc90", AccessKind::Load, 4, [](u64) { return 0; },
         "Warp 0 reads M[0] for all 32 lanes: 1 request, 1 sector.",
         "线程束 0 读取 M[0]（32 个通道同一地址）：1 个请求，1 个扇区。"},
        {"cc10", AccessKind::Load, 4, [](u64 lane) { return lane * 4 + 4; },
         "Warp 0 reads 128 bytes of M[], M[0] to M[31]: 2 requests, 32 transactions, 1,024 bytes "
         "transferred, "
         "128 used.",
         "线程束 0 读取 M 的 128 字节（M[0] 到 M[31]）：2 个请求，32 个事务，传输 1,024 字节，用到 128 "
         "字节。"},
        {"cc20", AccessKind::Load, 4, [](u64 lane) { return lane * 4; },
         "Warp 0 reads 128 bytes of M[], M[0] to M[31]: 1 request, 1 line of 128 bytes, all bytes used.",
         "线程束 0 读取 M 的 128 字节（M[0] 到 M[31]）：1 个请求，1 条 128 字节的缓存行，字节全部用上。"},
        {"cc90", AccessKind::Reduction, 4, [](u64) { return 0; },
         "Warp 0 updates 1 element of M[] atomically: 1 request, 32 sector accesses to 1 sector, since lanes "
         "that "
         "access the same word take turns.",
         "线程束 0 原子更新 M 的 1 个元素：1 个请求，32 次扇区访问（共 1 "
         "个扇区），因为落在同一个字上的通道要轮流。"},
        {"cc90", AccessKind::Reduction, 4, [](u64 lane) { return lane < 5   ? 0
                                                                 : lane < 8 ? 4
                                                                            : 4 * lane; },
         "Warp 0 updates 26 elements of M[] atomically: 1 request, 8 sector accesses to 4 sectors, since "
         "lanes "
         "that "
         "access the same word take turns.",
         "线程束 0 原子更新 M 的 26 个元素：1 个请求，8 次扇区访问（共 4 "
         "个扇区），因为落在同一个字上的通道要轮流。"},
        {"cc90", AccessKind::Reduction, 4, [](u64 lane) { return lane * 4; },
         "Warp 0 updates 32 elements of M[] atomically: 1 request, 4 sectors.",
         "线程束 0 原子更新 M 的 32 个元素：1 个请求，4 个扇区。"},
    };
    for (const Case& c : cases) {
        const Message text = globalSentence(accessAt(Space::Global, c.kind, c.width, c.addressOf),
                                            *findProfile(c.profile), words);
        EXPECT_EQ(text.english(), c.en);
        EXPECT_EQ(text.in(Language::Chinese), c.zh);
    }
}

TEST(AccessSentences, NameNothingWhereNothingIsKnown) {
    const auto column = accessAt(Space::Shared, AccessKind::Load, 4, [](u64 lane) { return lane * 128; });
    EXPECT_EQ(
        sharedSentence(column, model::defaultProfile(), {}).english(),
        "The warp reads 32 words, all in bank 0: served one after another, 32 wavefronts instead of 1.");
    EXPECT_EQ(globalSentence(column, model::defaultProfile(), {}).in(Language::Chinese),
              "该线程束读取 128 字节：1 个请求，32 个扇区而不是 4 个，传输 1,024 字节，用到 128 字节。");
}

class StepSentences : public testing::Test {
protected:
    ptx::Module module = testModule();
    trace::Recording recording = testRecording();
    trace::FocusBlock block{.launch = {}, .block = {0, 0, 0}, .warps = {}, .threads = 64};

    // The second warp of a block of 64 threads executes these instructions under these masks.
    void run(std::initializer_list<std::pair<Pc, u32>> steps) {
        block.warps.assign(2, {});
        for (auto [pc, active] : steps)
            block.warps[1].steps.push_back({.pc = pc, .active = LaneMask{active}});
    }
    Message at(u32 step) {
        return sentenceAt(module, recording, block, Warp{1}, step, model::defaultProfile());
    }
};

TEST_F(StepSentences, SayHowABranchSplitsTheWarp) {
    const Pc compare = pcOf(module, "setp.lt.s32"), branch = pcOf(module, "bra");
    run({{compare, 0xffffffff}, {branch, 0x0000ffff}});
    EXPECT_EQ(
        at(1).english(),
        "Warp 1 diverges at line 10: 16 lanes take the branch to line 12, 16 fall through to line 11; they "
        "reconverge at line 12.");
    EXPECT_EQ(at(1).in(Language::Chinese),
              "线程束 1 在第 10 行发生分化：16 个通道跳转到第 12 行，16 个从第 11 行继续；它们在第 12 "
              "行重新汇合。");
    run({{compare, 0xffffffff}, {branch, 0xffffffff}});
    EXPECT_EQ(at(1).english(), "Warp 1: all 32 lanes branch to line 12.");
    run({{compare, 0x000000ff}, {branch, 0}});
    EXPECT_EQ(at(1).english(), "None of warp 1's 8 lanes takes the branch: they fall through to line 11.");
    EXPECT_EQ(at(1).in(Language::Chinese), "线程束 1 的 8 个通道都不跳转，从第 11 行继续。");
}

// if (%p1) { lines 11, 12 } else { lines 14, 15 } line 17: what the compiler moved in front of either way has
// other lines.
TEST_F(StepSentences, SayWhichLinesEachWayOfABranchHasForItself) {
    Expected<ptx::Module> parsed = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"ways.cu\"\n.visible .entry k() { .reg "
        ".pred %p<2>; .reg .b32 %r<9>;\n"
        ".loc 1 10 5\n mov.u32 %r1, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra EVEN;\n"
        ".loc 1 10 5\n mov.u32 %r2, 1;\n.loc 1 14 9\n mov.u32 %r3, 2;\n.loc 1 15 9\n mov.u32 %r3, 3; bra "
        "MEET;\n"
        "EVEN:\n.loc 1 10 5\n mov.u32 %r2, 4;\n.loc 1 12 13\n mov.u32 %r3, 5;\n.loc 1 11 9\n mov.u32 %r4, "
        "6;\n"
        "MEET:\n.loc 1 5 5\n mov.u32 %r5, 7;\n.loc 1 17 5\n mov.u32 %r6, 8;\n.loc 1 18 1\n ret; }",
        "ways.ptx");
    ASSERT_TRUE(parsed) << describe(parsed.error());
    module = std::move(*parsed);
    run({{pcOf(module, "setp.eq.u32"), 0xffffffff}, {pcOf(module, "bra"), 0x55555555}});
    EXPECT_EQ(
        at(1).english(),
        "Warp 1 diverges at line 10: 16 lanes take the branch to line 11, 16 fall through to line 14; they "
        "reconverge at line 17.");
    EXPECT_EQ(at(1).in(Language::Chinese),
              "线程束 1 在第 10 行发生分化：16 个通道跳转到第 11 行，16 个从第 14 行继续；它们在第 17 "
              "行重新汇合。");
}

TEST_F(StepSentences, SayWhatArithmeticBarriersAndEndsAre) {
    run({{pcOf(module, "div.s32"), 0x0fffffff},
         {pcOf(module, "bar.sync"), 0xffffffff},
         {pcOf(module, "bar.warp.sync"), 0xffffffff},
         {pcOf(module, "ret"), 0xffffffff},
         {pcOf(module, "ld.param.u64"), 0xffffffff},
         {pcOf(module, "setp.lt.s32"), 0xffffffff}});
    EXPECT_EQ(at(0).english(), "Warp 1 executes div.s32 (d = a / b) in 28 of 32 lanes, for line 30.");
    EXPECT_EQ(at(0).in(Language::Chinese),
              "线程束 1 在 32 个通道中的 28 个上执行第 30 行的 div.s32（d = a / b）。");
    EXPECT_EQ(at(1).english(),
              "Warp 1 waits at __syncthreads() until all warps of the block have arrived: barrier interval 0 "
              "ends.");
    EXPECT_EQ(at(2).english(), "Warp 1 synchronizes at __syncwarp(): its lanes continue together.");
    EXPECT_EQ(at(3).english(), "Warp 1 exits.");
    EXPECT_EQ(at(4).english(), "Warp 1 reads a kernel parameter in all 32 lanes.");
    EXPECT_EQ(at(5).in(Language::Chinese),
              "线程束 1 在全部 32 个通道上执行第 10 行的 setp.lt.s32（p = a < b）。");
    run({{pcOf(module, "mov.u32"), 0xffffffff}});
    EXPECT_EQ(at(0).english(), "Warp 1 reads %tid.x in all 32 lanes.");
    EXPECT_EQ(at(0).in(Language::Chinese), "线程束 1 在全部 32 个通道上读取 %tid.x。");
    EXPECT_EQ(at(6).english(), "");
    EXPECT_EQ(sentenceAt(module, recording, block, Warp{5}, 0, model::defaultProfile()).english(), "");
}

TEST_F(StepSentences, SayWhichLanesTakeAValueFromWhichInAShuffle) {
    struct Case {
        const char *shuffle, *form;
        u32 active;
        const char *en, *zh;
    };
    const Case cases[] = {
        {"shfl.sync.down.b32 %r1, %r2, 16, 31, -1;", "shfl.sync.down.b32", 0xffffffff,
         "Warp 1: lanes 0–15 take the values of lanes 16–31, for example lane 0 that of lane 16; lanes 16–31 "
         "keep their "
         "own (shfl.sync.down.b32).",
         "线程束 1：通道 0–15 分别取通道 16–31 的值（通道 0 取通道 16 的）；通道 16–31 保持原值（"
         "shfl.sync.down.b32）。"},
        {"shfl.sync.up.b32 %r1, %r2, 1, 0, -1;", "shfl.sync.up.b32", 0xffffffff,
         "Warp 1: lanes 1–31 take the values of lanes 0–30, for example lane 1 that of lane 0; lane 0 keeps "
         "its own "
         "(shfl.sync.up.b32).",
         "线程束 1：通道 1–31 分别取通道 0–30 的值（通道 1 取通道 0 的）；通道 0 保持原值（"
         "shfl.sync.up.b32）。"},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "shfl.sync.idx.b32", 0xffffffff,
         "Warp 1: lanes 1–31 take the value of lane 0; lane 0 keeps its own (shfl.sync.idx.b32).",
         "线程束 1：通道 1–31 取通道 0 的值；通道 0 保持原值（shfl.sync.idx.b32）。"},
        {"shfl.sync.bfly.b32 %r1, %r2, %r3, 31, -1;", "shfl.sync.bfly.b32", 0xffffffff,
         "Warp 1 shuffles in all 32 lanes: each takes the value of another lane (shfl.sync.bfly.b32).",
         "线程束 1 在全部 32 个通道上洗牌：各取另一个通道的值（shfl.sync.bfly.b32）。"},
        {"shfl.sync.down.b32 %r1, %r2, 1, 31, -1;", "shfl.sync.down.b32", 0x5,
         "Warp 1 shuffles in 2 of 32 lanes: each takes the value of another lane (shfl.sync.down.b32).",
         "线程束 1 在 32 个通道中的 2 个上洗牌：各取另一个通道的值（shfl.sync.down.b32）。"},
    };
    for (const Case& c : cases) {
        Expected<ptx::Module> parsed =
            ptx::parse(std::string(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { "
                                   ".reg .b32 %r<9>;\n") +
                           c.shuffle + " ret; }",
                       "shuffle.ptx");
        ASSERT_TRUE(parsed) << describe(parsed.error());
        module = std::move(*parsed);
        run({{pcOf(module, c.form), c.active}});
        EXPECT_EQ(at(0).english(), c.en) << c.shuffle;
        EXPECT_EQ(at(0).in(Language::Chinese), c.zh) << c.shuffle;
    }
}

TEST_F(StepSentences, NameWhatAnAccessTouches) {
    run({{pcOf(module, "ld.global.f32"), 0xffffffff}, {pcOf(module, "ld.shared.f32"), 0x3}});
    trace::WarpTrace& warp = block.warps[1];
    warp.steps[0].access = 0;
    warp.steps[1].access = 1;
    const auto stored = [](Pc pc, u32 active, Space space, u64 base) {
        return trace::StoredAccess{.pc = pc,
                                   .active = LaneMask{active},
                                   .space = space,
                                   .kind = AccessKind::Load,
                                   .widthBytes = 4,
                                   .values = 32,
                                   .layout = 0,
                                   .base = base,
                                   .valuesAt = 0};
    };
    warp.layouts.resize(1);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        warp.layouts[0].distances[lane] = 4 * lane;
    warp.accesses = {stored(warp.steps[0].pc, 0xffffffff, Space::Global, deviceAddressOf(1)),
                     stored(warp.steps[1].pc, 0x3, Space::Shared, 16)};
    EXPECT_EQ(at(0).english(),
              "Warp 1 reads 128 bytes of P[], P[0] to P[31]: 1 request, 4 sectors, all bytes used.");
    trace::Finding outside;
    outside.kind = trace::FindingKind::OutOfBounds;
    outside.who.pc = warp.steps[0].pc;
    recording.findings = {outside};
    EXPECT_EQ(
        at(0).english(),
        "Warp 1 reads 128 bytes of P[], P[0] to P[31]: 1 request, 4 sectors, all bytes used. In 23 lanes "
        "the access is out of bounds: P has 9 elements.");
    EXPECT_EQ(at(1).english(),
              "Warp 1 (2 of its 32 lanes) reads 2 words of Nds[], each in a bank of its own: no conflict, 1 "
              "wavefront.");
}

// A summary that is more than a formula has words, and needs Chinese ones.
TEST(OpcodeSummaries, AreInChineseWhereTheyAreWords) {
    const auto hasWords = [](std::string_view text) {
        int letters = 0, longest = 0;
        for (char c : text) {
            letters = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? letters + 1 : 0;
            longest = std::max(longest, letters);
        }
        return longest > 1 && text.find(' ') != std::string_view::npos;
    };
    for (u32 row = 0; row < ptx::opcodeTable().size(); ++row) {
        ptx::Instruction instruction;
        instruction.opcode = u16(row);
        const std::string en = opcodeSummary(instruction).english(),
                          zh = opcodeSummary(instruction).in(Language::Chinese);
        const bool formula = en.find("sqrt(") != std::string::npos || en.find("sin(") != std::string::npos ||
                             en.find("cos(") != std::string::npos || en.find("log2(") != std::string::npos ||
                             en.find("tanh(") != std::string::npos;
        const bool needsChinese = hasWords(en) && !formula;
        EXPECT_TRUE(!needsChinese || en != zh) << ptx::opcodeTable()[row].name << ": " << en;
    }
}

TEST(SharedSentence, OfHalfWarpsSaysWhatEachOfThemCosts) {
    const trace::WarpAccess column =
        accessAt(Space::Shared, AccessKind::Load, 4, [](u64 lane) { return lane * 16; });
    EXPECT_EQ(
        sharedSentence(column, *findProfile("cc10"),
                       {.who = Message(english("Warp {0}"), 0), .array = "sdata", .first = {}, .last = {}})
            .english(),
        "Warp 0 reads 32 words of sdata[]: half-warp 0: 4-way, half-warp 1: 4-way, 8 wavefronts in all.");
}

}  // namespace
}  // namespace lockstep::explain
