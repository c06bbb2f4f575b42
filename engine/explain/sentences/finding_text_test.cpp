#include "explain/sentences/finding_text.h"

#include "model/test_kernel.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using model::pcOf, model::testModule, model::testRecording;

using trace::AccessKind;
using trace::Finding;
using trace::FindingKind;
using trace::Space;

class FindingText : public testing::Test {
protected:
    ptx::Module module = testModule();
    trace::Recording recording = testRecording();

    Finding at(FindingKind kind, std::string_view instruction, AccessKind access = AccessKind::Load) {
        Finding finding;
        finding.kind = kind;
        finding.who = {
            .pc = pcOf(module, instruction), .block = {0, 1, 0}, .thread = {1, 0, 0}, .kind = access};
        finding.widthBytes = 4;
        return finding;
    }
    Finding inBuffer(FindingKind kind, AccessKind access, s32 buffer, s64 offsetBytes) {
        Finding finding = at(kind, "ld.global.f32", access);
        finding.buffer = buffer;
        finding.offsetBytes = offsetBytes;
        finding.sizeBytes = 36;
        return finding;
    }
    Finding inShared(FindingKind kind, AccessKind access, s64 offsetBytes) {
        Finding finding = at(kind, "ld.shared.f32", access);
        finding.space = Space::Shared;
        finding.offsetBytes = offsetBytes;
        finding.address = u64(offsetBytes);
        finding.sizeBytes = 112;
        return finding;
    }
    // At a word of shared memory, of a thread with another one of its block.
    Finding conflict(FindingKind kind, const ptx::Module& of, std::string_view mine,
                     std::string_view theirs) {
        const auto accessOf = [](std::string_view instruction) {
            return instruction.starts_with("ld.") ? AccessKind::Load : AccessKind::Store;
        };
        Finding finding = inShared(kind, accessOf(mine), 4);
        finding.who.pc = pcOf(of, mine);
        finding.other = trace::Culprit{.pc = pcOf(of, theirs),
                                       .block = finding.who.block,
                                       .thread = {0, 1, 0},
                                       .kind = accessOf(theirs)};
        return finding;
    }
    void expect(const Finding& finding, std::string_view en, std::string_view zh) {
        const Message text = describe(finding, module, recording);
        EXPECT_EQ(text.english(), en);
        EXPECT_EQ(text.in(Language::Chinese), zh);
    }
};

TEST_F(FindingText, SaysHowFarOutOfBoundsAnAccessIs) {
    expect(inBuffer(FindingKind::OutOfBounds, AccessKind::Load, 1, 40),
           "Thread (x 1, y 0) of block (x 0, y 1) reads P[10], 4 bytes past the end of P (9 elements); it "
           "gets poison (all bits one) and the run goes on. "
           "Check the index against the size before the access.",
           "线程块 (x 0, y 1) 的线程 (x 1, y 0) 读取 P[10]，超出 P（9 个元素）末尾 4 "
           "字节；读到的是毒值（所有位为 1），运行继续。请在访问之前检查下标是否越界。");
    expect(inBuffer(FindingKind::OutOfBounds, AccessKind::Store, 0, 36),
           "Thread (x 1, y 0) of block (x 0, y 1) writes M[3][0], just past the end of M (9 elements); the "
           "store is dropped and the run goes on. "
           "Check the index against the size before the access.",
           "线程块 (x 0, y 1) 的线程 (x 1, y 0) 写入 M[3][0]，紧接在 M（9 "
           "个元素）末尾之后；这次写入被丢弃，运行继续。请在访问之前检查下标是否越界。");
    EXPECT_NE(describe(inBuffer(FindingKind::OutOfBounds, AccessKind::Load, 1, -4), module, recording)
                  .english()
                  .find("reads P[-1], 4 bytes before the start of P (9 elements);"),
              std::string::npos);
    EXPECT_NE(describe(inShared(FindingKind::OutOfBounds, AccessKind::Load, 116), module, recording)
                  .english()
                  .find("4 bytes past the end of the block's shared memory (112 bytes);"),
              std::string::npos);
    Finding wide = inBuffer(FindingKind::OutOfBounds, AccessKind::Load, 1, 32);
    wide.widthBytes = 16;
    EXPECT_NE(describe(wide, module, recording)
                  .english()
                  .find("reads P[8..11], of which 12 bytes lie past the end of P"),
              std::string::npos);
}

TEST_F(FindingText, SaysIntoWhichSharedArrayAnAccessStrayed) {
    Finding stray = inShared(FindingKind::OutOfBounds, AccessKind::Load, 20);
    stray.sizeBytes = 16;
    stray.detail = "_ZZ2mmILi2EEvPKfPfE3Mds";
    expect(stray,
           "Thread (x 1, y 0) of block (x 0, y 1) reads Nds + 4 bytes, 4 bytes past the end of Mds (16 "
           "bytes); as on a GPU, it gets what lies there. "
           "Check the index against the size before the access.",
           "线程块 (x 0, y 1) 的线程 (x 1, y 0) 读取 Nds + 4 字节，超出 Mds（16 字节）末尾 4 字节；与在 GPU "
           "上一样，读到的是那里原有的内容。"
           "请在访问之前检查下标是否越界。");
    stray.who.kind = AccessKind::Store;
    EXPECT_NE(describe(stray, module, recording).english().find("as on a GPU, it changes what lies there."),
              std::string::npos);
}

TEST_F(FindingText, NamesModuleVariablesAndOtherSpaces) {
    Finding variable = inBuffer(FindingKind::OutOfBounds, AccessKind::Load, -1, 64);
    variable.detail = "_ZN4mine5tableE";
    variable.sizeBytes = 64;
    EXPECT_NE(describe(variable, module, recording)
                  .english()
                  .find("reads byte 64 of table, just past the end of table (64 bytes);"),
              std::string::npos);
    Finding local = inBuffer(FindingKind::OutOfBounds, AccessKind::Store, -1, 40);
    local.space = Space::Local;
    EXPECT_NE(describe(local, module, recording).in(Language::Chinese).find("线程的本地内存的第 40 字节"),
              std::string::npos);
}

TEST_F(FindingText, NamesBothThreadsAndLinesOfARace) {
    Finding race = conflict(FindingKind::Race, module, "st.shared.f32", "ld.shared.f32");
    expect(
        race,
        "Thread (x 1, y 0) of block (x 0, y 1) (line 7) writes Mds + 4 bytes, and thread (x 0, y 1) of the "
        "same block (line 8) reads it without synchronization: whether the old or the new value "
        "is read may differ from run to run. Put __syncthreads() between the two.",
        "线程块 (x 0, y 1) 的线程 (x 1, y 0)（第 7 行）写入 Mds + 4 字节，而同一线程块的线程 (x 0, y 1)"
        "（第 8 行）读取它，二者之间没有任何同步：读到旧值还是新值，每次运行都可能不同。"
        "请在二者之间加上 __syncthreads()。");
    race.other->block = {1, 1, 0};
    EXPECT_NE(describe(race, module, recording).english().find("No barrier reaches across blocks"),
              std::string::npos);
    race.other->block = race.who.block;
    race.other->pc = race.who.pc;
    race.other->kind = AccessKind::Store;
    EXPECT_NE(describe(race, module, recording)
                  .english()
                  .find("which value remains may differ from run to run. Let one thread do it"),
              std::string::npos);
    race.other.reset();
    EXPECT_NE(
        describe(race, module, recording).english().find("and another thread conflict at Mds + 4 bytes"),
        std::string::npos);
}

TEST_F(FindingText, NamesAPlaceInASharedArrayByItsIndicesWhereTheShapeIsKnown) {
    Finding race = inShared(FindingKind::Race, AccessKind::Store, 12);
    const std::vector<ArrayShape> shapes{{"Mds", {2, 2}, 4}};
    EXPECT_NE(describe(race, module, recording).english().find("conflict at Mds + 12 bytes"),
              std::string::npos);
    EXPECT_NE(describe(race, module, recording, shapes).english().find("conflict at Mds[1][1]"),
              std::string::npos);
    EXPECT_NE(describe(race, module, recording, shapes).in(Language::Chinese).find("Mds[1][1]"),
              std::string::npos);
}

// A store in line 5 and a load in line 7 of a loop, or both in line 5, with barriers where the case has them.
TEST_F(FindingText, SaysBehindWhichLineABarrierIsMissing) {
    struct Case {
        const char *body, *en, *zh;
        bool isLastStore = false;
    };
    const Case cases[] = {
        {".loc 1 5 1\n A: st.shared.u32 [%r3], %r1; bar.sync 0;\n.loc 1 7 1\n ld.shared.u32 %r2, [%r3+4]; "
         "setp.lt.u32 %p1, %r2, 9; @%p1 bra A;",
         "Put __syncthreads() after line 7, before the loop comes to line 5 again.",
         "请在第 7 行之后、循环再次执行到第 5 行之前加上 __syncthreads()。"},
        {".loc 1 5 1\n A: st.shared.u32 [%r3], %r1;\n.loc 1 7 1\n ld.shared.u32 %r2, [%r3+4]; bar.sync 0; "
         "setp.lt.u32 %p1, %r2, 9; @%p1 bra A;",
         "Put __syncthreads() after line 5 and before line 7, where every thread of the block reaches it.",
         "请在第 5 行之后、第 7 行之前加上 __syncthreads()，要让线程块的所有线程都能到达。"},
        {".loc 1 5 1\n A: st.shared.u32 [%r3], %r1;\n.loc 1 7 1\n ld.shared.u32 %r2, [%r3+4]; setp.lt.u32 "
         "%p1, %r2, 9; @%p1 bra A;",
         "Put __syncthreads() after line 5 and after line 7.",
         "请在第 5 行之后和第 7 行之后各加上 __syncthreads()。"},
        {".loc 1 5 1\n A: ld.shared.u32 %r2, [%r3+4]; st.shared.u32 [%r3], %r2; bar.sync 0; setp.lt.u32 %p1, "
         "%r2, 9; @%p1 bra A;",
         "Read it into a variable, then __syncthreads() where every thread of the block reaches it, then "
         "write.",
         "请先把值读到变量里，在线程块的所有线程都能到达的地方执行 __syncthreads()，之后再写入。"},
        {".loc 1 9 1\n st.shared.u32 [%r3], %r1;\n.loc 1 2 1, function_name I, inlined_at 1 12 5\n "
         "ld.shared.u32 %r2, [%r3+4];",
         "Put __syncthreads() after line 9 and before line 12, where every thread of the block reaches it.",
         "请在第 9 行之后、第 12 行之前加上 __syncthreads()，要让线程块的所有线程都能到达。"},
        {".loc 1 4 1, function_name I, inlined_at 1 12 5\n st.shared.u32 [%r3], %r1;\n"
         ".loc 1 6 1, function_name I, inlined_at 1 12 5\n ld.shared.u32 %r2, [%r3+4];",
         "Put __syncthreads() after line 4 and before line 6, where every thread of the block reaches it.",
         "请在第 4 行之后、第 6 行之前加上 __syncthreads()，要让线程块的所有线程都能到达。"},
        // Unrolled: the next turn's store behind this turn's read; and both in one line, a store before a
        // read.
        {".loc 1 5 1\n st.shared.u32 [%r3], %r1; bar.sync 0;\n.loc 1 7 1\n ld.shared.u32 %r2, [%r3+4];\n"
         ".loc 1 5 1\n st.shared.u32 [%r3], %r2; bar.sync 0;",
         "Put __syncthreads() after line 7, before the loop comes to line 5 again.",
         "请在第 7 行之后、循环再次执行到第 5 行之前加上 __syncthreads()。", true},
        {".loc 1 5 1\n ld.shared.u32 %r2, [%r3+4]; st.shared.u32 [%r3], %r2; ld.shared.u32 %r4, [%r3+8]; "
         "st.shared.u32 [%r3+12], %r4; bar.sync 0;",
         "Put __syncthreads() after line 5, before the loop comes to it again.",
         "请在第 5 行之后、循环再次执行到该行之前加上 __syncthreads()。", true},
        {".loc 1 9 1\n st.shared.u32 [%r3], %r1;\n.loc 1 7 1\n ld.shared.u32 %r2, [%r3+4];",
         "Put __syncthreads() between the two.", "请在二者之间加上 __syncthreads()。"},
        {".loc 1 5 1\n ld.shared.u32 %r2, [%r3]; add.u32 %r2, %r2, 1; st.shared.u32 [%r3], %r2;",
         "use an atomic such as atomicAdd(), or let each thread have a copy of its own and combine the "
         "copies.",
         "请使用 atomicAdd() 之类的原子操作，或让每个线程用自己的副本，最后再合并。"},
        {".loc 1 5 1\n ld.shared.u32 %r2, [%r3]; or.b32 %r4, %r2, 1; st.shared.u32 [%r3], %r4;",
         "use an atomic such as atomicOr(), or let each thread have a copy of its own and combine the "
         "copies.",
         "请使用 atomicOr() 之类的原子操作，或让每个线程用自己的副本，最后再合并。"},
        {".loc 1 5 1\n ld.shared.u32 %r2, [%r3]; max.u32 %r4, %r2, 7; st.shared.u32 [%r3], %r4;",
         "use an atomic such as atomicMax(), or let each thread have a copy of its own and combine the "
         "copies.",
         "请使用 atomicMax() 之类的原子操作，或让每个线程用自己的副本，最后再合并。"},
    };
    for (const Case& c : cases) {
        Expected<ptx::Module> parsed = ptx::parse(
            std::string(
                ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"loop.cu\"\n.visible .entry k() { "
                ".shared .align 4 .b8 s[64]; .reg .pred %p<2>; .reg .b32 %r<9>; mov.u32 %r3, s;\n") +
                c.body + " ret; }",
            "loop.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        Finding race = conflict(FindingKind::Race, *parsed, "st.shared.u32", "ld.shared.u32");
        for (u32 pc = race.who.pc.value; c.isLastStore && pc < parsed->instructions.size(); ++pc)
            if (parsed->at(Pc{pc}).name == "st.shared.u32") race.who.pc = Pc{pc};
        const Message text = describe(race, *parsed, recording);
        EXPECT_TRUE(text.english().ends_with(c.en)) << text.english();
        EXPECT_TRUE(text.in(Language::Chinese).ends_with(c.zh)) << text.in(Language::Chinese);
        std::swap(race.who, *race.other);
        const std::string swapped = describe(race, *parsed, recording).english();
        EXPECT_EQ(swapped.substr(swapped.rfind(": ")), text.english().substr(text.english().rfind(": ")))
            << "whichever of the two met the other";
    }
}

constexpr const char* kLoopHead =
    ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"loop.cu\"\n.visible .entry k() { .shared "
    ".align 4 .b8 "
    "s[64]; .reg .pred %p<2>; .reg .b32 %r<9>; mov.u32 %r3, s;\n";

// if (t >= 4) s[t] += s[t - 4]; and a test of one element that decides on the store of another: a barrier
// helps.
TEST_F(FindingText, ABarrierHelpsWhereTheStoreIsToAnotherPlaceThanTheTest) {
    constexpr const char* kSource = "void k() {\n\n    if (s[t] == 0)\n        s[t + 4] = 1;\n}\n";
    Expected<ptx::Module> parsed =
        ptx::parse(std::string(kLoopHead) +
                       ".loc 1 3 9\n ld.shared.u32 %r2, [%r3]; setp.ne.s32 %p1, %r2, 0;"
                       " @%p1 bra B;\n.loc 1 4 9\n st.shared.u32 [%r3+4], %r4;\n B: ret; }",
                   "loop.ptx");
    ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
    parsed->sources.assign(parsed->files.size(), kSource);
    Finding race = conflict(FindingKind::Race, *parsed, "st.shared.u32", "ld.shared.u32");
    const std::string text = describe(race, *parsed, recording).english();
    EXPECT_TRUE(
        text.ends_with("Read it into a variable, then __syncthreads() where every thread of the block "
                       "reaches it, then write."))
        << text;
}

// Turns of a loop collide in one line: s[t] = s[t + 4];
TEST_F(FindingText, ABarrierBelongsBehindALineThatALoopComesToAgain) {
    struct Case {
        const char *line, *says;
    };
    constexpr Case kCases[] = {
        {"        s[t] = s[t + 4];", "Put __syncthreads() after line 3, before the loop comes to it again."},
        {"        if (t < d) s[t] = s[t + 4];",
         "Put __syncthreads() after line 3, where every thread of the block reaches it, before the loop "
         "comes "
         "to it again."}};
    for (const Case& c : kCases) {
        Expected<ptx::Module> parsed = ptx::parse(
            std::string(kLoopHead) +
                ".loc 1 3 9\n A: ld.shared.u32 %r2, [%r3+4]; st.shared.u32 [%r3], %r2; setp.ne.s32 "
                "%p1, %r5, 0; @%p1 bra A; ret; }",
            "loop.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        parsed->sources.assign(parsed->files.size(), std::string("void k() {\n\n") + c.line + "\n}\n");
        Finding race = conflict(FindingKind::Race, *parsed, "ld.shared.u32", "st.shared.u32");
        const std::string text = describe(race, *parsed, recording).english();
        EXPECT_TRUE(text.ends_with(c.says)) << text;
    }
}

// A flag across blocks: the thread that writes has a fence, the one that reads none. Where one thread tells
// for others, they need a barrier first.
TEST_F(FindingText, AReaderOfAnotherBlockNeedsAFenceToo) {
    struct Case {
        const char *fenceOfReader, *source;
        bool saysSo;
    };
    constexpr const char
        *kByAll = "void k() {\n\n    x = 1;\n    tell();\n    wait();\n    y = x;\n}\n",
        *kByOne = "void k() {\n\n    x = 1;\n    if (t == 0) tell();\n    wait();\n    y = x;\n}\n";
    for (const Case& c : {Case{"", kByAll, true}, {"membar.gl;", kByAll, false}, {"", kByOne, false}}) {
        Expected<ptx::Module> parsed = ptx::parse(
            std::string(kLoopHead) +
                ".reg .b64 %d<3>;\n.loc 1 3 5\n st.global.u32 [%d1], %r4;\n.loc 1 4 17\n membar.gl; "
                "atom.global.exch.b32 %r5, [%d2], 1;\n.loc 1 5 5\n atom.global.add.u32 %r6, [%d2], 0; " +
                c.fenceOfReader + "\n.loc 1 6 5\n ld.global.u32 %r2, [%d1]; ret; }",
            "flag.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        parsed->sources.assign(parsed->files.size(), c.source);
        Finding race = conflict(FindingKind::Race, *parsed, "ld.global.u32", "st.global.u32");
        race.other->block = {1, 1, 0};
        const std::string text = describe(race, *parsed, recording).english();
        EXPECT_EQ(
            text.ends_with("The thread that reads needs a fence, too: __threadfence() where it has seen the "
                           "counter or flag, before line 6."),
            c.saysSo)
            << text;
    }
}

TEST_F(FindingText, NoBarrierHelpsBetweenATestAndTheStoreThatItDecidesOn) {
    struct Case {
        const char *test, *source, *says;
    };
    constexpr Case kCases[] = {
        {"setp.ne.s32 %p1, %r2, 0;", "void k() {\n\n    if (s[0] == 0)\n        s[0] = 1;\n}\n",
         "use an atomic that does both, such as atomicExch(), atomicCAS()."},
        {"setp.ge.s32 %p1, %r2, %r4;", "void k() {\n\n    if (s[0] < v)\n        s[0] = v;\n}\n",
         "use an atomic that does both, such as atomicMax(), atomicMin()."},
        {"setp.ne.s32 %p1, %r2, 0;", "void k() {\n\n    int v = s[0];\n        s[0] = 1;\n}\n",
         "Put __syncthreads() after line 3 and before line 4, where every thread of the block reaches it."},
    };
    for (const Case& c : kCases) {
        Expected<ptx::Module> parsed =
            ptx::parse(std::string(kLoopHead) + ".loc 1 3 9\n ld.shared.u32 %r2, [%r3]; " + c.test +
                           " @%p1 bra B;\n.loc 1 4 9\n st.shared.u32 [%r3], %r4;\n B: ret; }",
                       "loop.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        parsed->sources.assign(parsed->files.size(), c.source);
        Finding race = conflict(FindingKind::Race, *parsed, "st.shared.u32", "ld.shared.u32");
        const std::string text = describe(race, *parsed, recording).english();
        EXPECT_TRUE(text.ends_with(c.says)) << text;
    }
}

// A lock given back before the store that it guards, and behind it.
TEST_F(FindingText, ALockIsReleasedAfterWhatItGuards) {
    constexpr std::string_view kExchange = ".loc 1 7 5\n atom.shared.exch.b32 %r5, [%r3], 0;\n",
                               kStore = ".loc 1 8 5\n st.shared.u32 [%r3+4], %r2;\n";
    for (const bool isEarly : {true, false}) {
        const Expected<ptx::Module> parsed = ptx::parse(
            std::string(kLoopHead) +
                ".loc 1 5 5\n A: atom.shared.cas.b32 %r4, [%r3], 0, 1; setp.ne.s32 %p1, %r4, 0; @%p1 bra "
                "A;\n.loc 1 6 5\n ld.shared.u32 %r2, [%r3+4];\n" +
                std::string(isEarly ? kExchange : kStore) + std::string(isEarly ? kStore : kExchange) +
                " ret; }",
            "lock.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        Finding race = conflict(FindingKind::Race, *parsed, "ld.shared.u32", "st.shared.u32");
        const std::string text = describe(race, *parsed, recording).english();
        EXPECT_EQ(text.ends_with("Here line 7 releases the lock before line 8 is done with what it guards: "
                                 "release it last, after __threadfence()."),
                  isEarly)
            << text;
    }
}

// A pair of lines that collides within a block and between two: a barrier fixes only the former.
TEST_F(FindingText, NoBarrierIsAdvisedWhereOtherBlocksCollideAtTheSameLines) {
    Finding race = conflict(FindingKind::Race, module, "st.shared.f32", "ld.shared.f32");
    const auto advisesABarrier = [&] {
        return describe(race, module, recording).english().find("Put __syncthreads()") != std::string::npos;
    };
    EXPECT_TRUE(advisesABarrier());
    Finding other = race;
    other.other->block = {1, 1, 0};
    std::swap(other.who, *other.other);
    recording.findings = {race, other};
    EXPECT_FALSE(advisesABarrier());
    EXPECT_NE(describe(race, module, recording).english().find("Threads of other blocks do the same"),
              std::string::npos);
}

// What no thread has written yet at a place whose race is listed for another address.
TEST_F(FindingText, AnUninitializedReadGetsTheAdviceOfTheRaceOfItsAccess) {
    Finding race = conflict(FindingKind::Race, module, "st.shared.f32", "ld.shared.f32");
    const Finding read = inShared(FindingKind::UninitializedRead, AccessKind::Load, 8);
    EXPECT_NE(describe(read, module, recording).english().find("has not returned"), std::string::npos);
    recording.findings = {race, read};
    const std::string text = describe(read, module, recording).english();
    EXPECT_NE(text.find("which no thread has written yet"), std::string::npos) << text;
    EXPECT_NE(text.find("Put __syncthreads()"), std::string::npos) << text;
}

// The store comes first; a barrier of the warp stands between the two, or behind the load, or nowhere.
TEST_F(FindingText, SaysWhereAWarpsBarrierIsMissingInALoop) {
    struct Case {
        const char *between, *behind, *says;
    };
    constexpr Case kCases[] = {
        {"bar.warp.sync 0xffffffff;", "",
         "Put __syncwarp() after line 7, before the loop comes to line 5 again."},
        {"", "bar.warp.sync 0xffffffff;", "Put __syncwarp() between the two."},
        {"", "", "Put __syncwarp() between the two."},
    };
    for (const Case& c : kCases) {
        Expected<ptx::Module> parsed =
            ptx::parse(std::string(kLoopHead) + ".loc 1 5 1\n A: st.shared.u32 [%r3], %r1; " + c.between +
                           "\n.loc 1 7 1\n ld.shared.u32 %r2, [%r3+4]; " + c.behind +
                           " setp.lt.u32 %p1, %r2, 9; @%p1 bra A; ret; }",
                       "loop.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        Finding found = conflict(FindingKind::WarpSynchronous, *parsed, "ld.shared.u32", "st.shared.u32");
        const std::string text = describe(found, *parsed, recording).english();
        EXPECT_NE(text.find(c.says), std::string::npos) << text;
    }
}

// Two threads that meet at the store of "s[i] += 1": one thread alone would lose the other's count.
TEST_F(FindingText, SaysOfAStoreWhoseStatementLoadedThePlaceThatItTakesAnAtomic) {
    for (const bool isUpdate : {true, false}) {
        Expected<ptx::Module> parsed = ptx::parse(
            std::string(
                ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"add.cu\"\n.visible .entry k() {"
                " .shared .align 4 .b8 s[64]; .reg .b32 %r<9>; mov.u32 %r3, s;\n.loc 1 5 1\n") +
                (isUpdate ? "ld.shared.u32 %r2, [%r3]; add.u32 %r2, %r2, 1;"
                          : "ld.shared.u32 %r2, [%r3+4];") +
                " st.shared.u32 [%r3], %r2; ret; }",
            "add.ptx");
        ASSERT_TRUE(parsed) << lockstep::describe(parsed.error());
        Finding race = inShared(FindingKind::Race, AccessKind::Store, 0);
        race.who.pc = pcOf(*parsed, "st.shared.u32");
        race.other = race.who;
        race.other->thread = {0, 1, 0};
        const std::string text = describe(race, *parsed, recording).english();
        EXPECT_EQ(text.find("use an atomic such as atomicAdd()") != std::string::npos, isUpdate) << text;
        EXPECT_EQ(text.find("Let one thread do it") != std::string::npos, !isUpdate) << text;
    }
}

TEST_F(FindingText, SaysWhatToDoInEveryKind) {
    struct Case {
        Finding finding;
        const char *en, *zh;
    };
    Finding lockStep = inShared(FindingKind::WarpSynchronous, AccessKind::Load, 4);
    lockStep.other = trace::Culprit{.pc = pcOf(module, "st.shared.f32"),
                                    .block = {0, 1, 0},
                                    .thread = {0, 0, 0},
                                    .kind = AccessKind::Store};
    Finding barrier = at(FindingKind::DivergentBarrier, "bar.sync");
    barrier.lanes = LaneMask{0x0000000eu};
    Finding ofAnother = barrier;
    ofAnother.detail = "warp 1";
    Finding outsideMask = at(FindingKind::DivergentBarrier, "bar.warp.sync");
    outsideMask.detail = "mask";
    Finding exited = at(FindingKind::InactiveLane, "ld.global.f32");
    exited.detail = detailOf(trace::InactiveSource{.lane = 3, .hasExited = true});
    Finding notInMask = exited;
    notInMask.detail = detailOf(trace::InactiveSource{.lane = 3});
    Finding notThere = exited;
    notThere.detail = detailOf(trace::InactiveSource{.lane = 31, .hasExited = true});
    Finding assertion = at(FindingKind::Limit, "bra");
    assertion.detail = "assertion i < n";
    Finding cancelled = at(FindingKind::Limit, "bra");
    cancelled.detail = "cancelled";
    Finding null = at(FindingKind::InvalidAddress, "ld.global.f32");
    null.address = 8;
    Finding wild = null;
    wild.address = 0xdeadbeef0;
    Finding limit = at(FindingKind::Limit, "bra");
    limit.detail = "the limit of 60 s is over";
    Finding cut;
    cut.kind = FindingKind::Truncated;
    cut.count = 1234;
    Finding noTexture = at(FindingKind::InvalidTexture, "ld.global.f32");
    noTexture.address = 0x3039;
    noTexture.detail = detailOf(trace::ImageFault::NoObject);
    Finding outside = noTexture;
    outside.detail = detailOf(trace::ImageFault::Outside, "x 16, y 1 / 16 x 4");
    Finding odd = inBuffer(FindingKind::Misaligned, AccessKind::Load, 1, 6);
    const Case cases[] = {
        {odd,
         "reads 4 bytes at P + 6 bytes, which is not a multiple of 4: a GPU aborts the kernel there "
         "(misaligned address). Here it gets poison",
         "在 P + 6 字节处读取 4 字节"},
        {inShared(FindingKind::UninitializedRead, AccessKind::Load, 16),
         "reads Nds, which no thread has written yet: the value is indeterminate. Make sure that a "
         "thread that has not returned writes it first, with __syncthreads()",
         "没有任何线程写过它"},
        {lockStep,
         "(line 8) reads Mds + 4 bytes, which thread (x 0, y 0) of the same warp wrote "
         "(line 7) with no __syncwarp() in between",
         "依赖隐式线程束同步"},
        {barrier,
         "waits at __syncthreads(), but lanes 1–3 of its warp do not wait there. That is undefined behavior: "
         "a GPU may hang",
         "所在线程束的通道 1–3 没有在此等待"},
        {ofAnother, "but lanes 1–3 of warp 1 do not wait there", "线程束 1 的通道 1–3 没有在此等待"},
        {outsideMask, "reaches __syncwarp() with a member mask that its own lane is not in",
         "成员掩码里没有它自己的通道"},
        {exited,
         "reads lane 3 by ld.global.f32, but that lane has exited. The value that it gets is undefined",
         "该通道已退出"},
        {notInMask, "reads lane 3 by ld.global.f32, but that lane is not in the member mask.",
         "不在成员掩码中"},
        {notThere, "reads lane 31 by ld.global.f32, but its warp has no such lane.", "没有这个通道"},
        {assertion, "reaches assert(i < n), which does not hold", "而 assert(i < n) 不成立"},
        {cancelled, "The run was canceled", "运行被取消"},
        {at(FindingKind::DivergentBarrier, "bar.warp.sync"),
         "waits at __syncwarp(), but some threads of its warp never arrive", "__syncwarp()"},
        {null, "reads address 8, a null pointer and an offset: a GPU aborts the kernel there", "空指针"},
        {wild, "reads address 0xdeadbeef0, which belongs to no buffer", "0xdeadbeef0"},
        {noTexture, "uses 0x3039 as a texture or surface object, which it is not: check that", "0x3039"},
        {outside, "reads a surface out of bounds, at x 16, y 1 of 16 x 4 (x in bytes)", "x 16, y 1"},
        {at(FindingKind::DivisionByZero, "div.s32"),
         "divides an integer by zero (div.s32): a GPU reports nothing", "除数为零"},
        {limit, "The run was stopped: the limit of 60 s is over.", "运行已被停止"},
        {at(FindingKind::Limit, "bra"),
         "The time limit stopped the run here; on the command line --limit gives it longer.", "时间限制"},
        {cut, "1,234 more cases are not listed.", "另有 1,234 例未列出"},
    };
    for (const Case& c : cases) {
        const Message text = describe(c.finding, module, recording);
        EXPECT_NE(text.english().find(c.en), std::string::npos) << text.english();
        EXPECT_NE(text.in(Language::Chinese).find(c.zh), std::string::npos) << text.in(Language::Chinese);
        EXPECT_TRUE(text.english().ends_with("."));
        EXPECT_TRUE(text.in(Language::Chinese).ends_with("。"));
    }
}

TEST_F(FindingText, SaysHowOftenAndKeepsOneDimensionShort) {
    recording.launches[0].grid = {8, 1, 1};
    recording.launches[0].block = {64, 1, 1};
    Finding finding = inBuffer(FindingKind::OutOfBounds, AccessKind::Load, 1, 36);
    finding.who.block = {3, 0, 0};
    finding.who.thread = {17, 0, 0};
    finding.count = 1200;
    const Message text = describe(finding, module, recording);
    EXPECT_TRUE(text.english().starts_with("Thread 17 of block 3 reads P[9]")) << text.english();
    EXPECT_TRUE(text.english().ends_with("This case occurred 1,200 times.")) << text.english();
}

TEST_F(FindingText, SurvivesFindingsThatKnowNothing) {
    for (u32 kind = 0; kind <= u32(FindingKind::InvalidTexture); ++kind) {
        Finding finding;
        finding.kind = FindingKind(kind);
        finding.launch = LaunchId{7};
        finding.buffer = 99;
        const Message text = describe(finding, module, recording);
        EXPECT_FALSE(text.empty());
    }
}

TEST_F(FindingText, OfTheGpuPromisesNoPoison) {
    recording.backend = "gpu";
    EXPECT_NE(describe(inBuffer(FindingKind::OutOfBounds, AccessKind::Load, 1, 36), module, recording)
                  .english()
                  .find("on the GPU it accesses whatever lies there"),
              std::string::npos);
}

}  // namespace
}  // namespace lockstep::explain
