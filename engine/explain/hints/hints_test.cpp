// Every rule on a kernel where it has to speak, with its figure, and on a twin where it must be silent.
#include "explain/hints/hints.h"

#include "explain/hints/hint_rules.h"
#include "simt/test_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace lockstep::explain {
namespace {

// A kernel that ran, with its report.
struct Ran {
    simt::KernelRun kernel;
    trace::Recording recording;
    model::Report report;

    explicit Ran(const simt::KernelCase& c) : kernel(simt::runKernel(c)) {
        recording.launches.push_back({.entry = "k",
                                      .grid = {c.blocks, 1, 1},
                                      .block = {c.threads, 1, 1},
                                      .dynamicSharedBytes = c.sharedBytes,
                                      .arguments = {BufferArgument{0}, BufferArgument{1}}});
        recording.initial = kernel.buffers;
        recording.initial[0].name = "out", recording.initial[1].name = "in";
        recording.counts = kernel.result.counts;
        recording.trace = kernel.result.trace;
        report = model::makeReport(kernel.module, recording, model::defaultProfile());
    }
    Hints hints(const std::optional<model::CacheCounts>& caches = {}) const {
        return hintsOf(kernel.module, recording, report, caches, model::defaultProfile());
    }
};

const std::string kShared = ".extern .shared .align 16 .b8 s[];";

// A loop of so many rounds; %r9 counts them.
std::string loop(u32 rounds, const std::string& body) {
    return "mov.u32 %r9, 0;\nLOOP:\n" + body + "\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p9, %r9, " +
           std::to_string(rounds) + ";\n@%p9 bra LOOP;\n";
}

// Every thread stores at a distance of so many bytes from the one before, and loads what it stored.
simt::KernelCase column(u32 bytes) {
    return {.body = "mov.u32 %r1, s; mad.lo.s32 %r2, %t, " + std::to_string(bytes) +
                    ", %r1; st.shared.u32 [%r2], %t; ld.shared.u32 %r0, [%r2];",
            .before = kShared,
            .sharedBytes = 32 * bytes};
}

simt::KernelCase loads(u32 strideBytes, u32 offsetBytes = 0) {
    return {.body = "mul.wide.u32 %d1, %t, " + std::to_string(strideBytes) +
                    "; add.s64 %d2, %in, %d1; ld.global.u32 %r0, [%d2+" + std::to_string(offsetBytes) + "];"};
}

// Half of the lanes go another way than the others; what both do there.
simt::KernelCase paths(const std::string& condition) {
    std::string adds;
    for (int i = 0; i < 8; ++i)
        adds += "add.u32 %r0, %r0, %t; ";
    return {.body = condition + " @%p1 bra ODD; " + adds + "bra DONE; ODD: " + adds + "DONE:", .threads = 64};
}

struct Case {
    std::string rule;
    simt::KernelCase speaks;
    u64 excess, total;  // of the first hint of that rule
    simt::KernelCase silent;
};

std::vector<Case> cases() {
    const std::string redLanes =
        "mul.wide.u32 %d1, %t, {}; add.s64 %d2, %in, %d1; red.global.add.f32 [%d2], 0f3F800000;";
    const auto with = [](std::string text, const std::string& value) {
        return text.replace(text.find("{}"), 2, value);
    };
    const std::string toBin =
        "mul.wide.u32 %d1, %t, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r3, [%d2]; mov.u32 %r1, s;";
    const std::string everyEighth =
        "and.b32 %r1, %t, 7; setp.lt.u32 %p1, %r1, 4; mul.wide.u32 %d1, %t, 4; "
        "add.s64 %d2, %in, %d1; @%p1 st.global.u32 [%d2], %t;";
    const std::string returns = "setp.ge.u32 %p1, %i, {}; @%p1 bra OUT; bra GO; OUT: ret; GO:";
    const std::string exchange =
        "mov.u32 %r1, s; mad.lo.s32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; "
        "bar.sync 0; xor.b32 %r3, %t, 32; mad.lo.s32 %r2, %r3, 4, %r1; "
        "ld.shared.u32 %r0, [%r2];";
    return {
        // Store and load are an instruction each: 32 wavefronts where 1 would do, of 64 in all.
        {"bank_conflict", column(128), 31, 64, column(132)},
        // in[] holds zeros: all lanes update bin 0, one after another.
        {"shared_atomic_contention",
         {.body = toBin + "mad.lo.s32 %r2, %r3, 4, %r1; red.shared.add.u32 [%r2], %t;",
          .before = kShared,
          .sharedBytes = 128},
         31,
         32,
         {.body = toBin + "add.u32 %r3, %r3, %t; mad.lo.s32 %r2, %r3, 4, %r1; red.shared.add.u32 [%r2], %t;",
          .before = kShared,
          .sharedBytes = 128}},
        // 32 sectors where 4 would do; 4 more are stored.
        {"uncoalesced", loads(128), 28, 36, loads(4)},
        // 5 sectors where 4 would do; 4 more are stored. Of a stencil, some loads have to be misaligned.
        {"misaligned_start",
         loads(4, 4),
         1,
         9,
         {.body = "mul.wide.u32 %d1, %t, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r0, [%d2+4]; "
                  "ld.global.u32 %r1, [%d2+8]; add.u32 %r0, %r0, %r1;"}},
        // 4 sectors for data that fill 2; 4 more are stored whole. Another store may fill the rest.
        {"partial_sectors",
         {.body = everyEighth},
         2,
         8,
         {.body = everyEighth + " @!%p1 st.global.u32 [%d2], %t;"}},
        // 8 warps load 256 words, 32 sectors, a word at a time; 32 sectors are stored.
        {"reloaded",
         {.body = loop(256,
                       "mul.wide.u32 %d1, %r9, 4; add.s64 %d2, %in, %d1; ld.global.u32 %r1, [%d2]; "
                       "add.u32 %r0, %r0, %r1;"),
          .threads = 256},
         2048 - 32,
         2048 + 32,
         {.body = loop(4,
                       "mad.lo.u32 %r2, %r9, 256, %t; mul.wide.u32 %d1, %r2, 4; add.s64 %d2, %in, %d1; "
                       "ld.global.u32 %r1, [%d2]; add.u32 %r0, %r0, %r1;"),
          .threads = 256}},
        // The loop has 8 stores of 4 sectors, where one would do; another instruction stores at the end.
        {"stored_again",
         {.body = loop(8, "st.global.u32 [%out], %r9;")},
         32 - 4,
         36,
         {.body = "st.global.u32 [%out], %t;"}},
        // 32 updates of one word; 4 sectors are stored.
        {"atomic_contention", {.body = with(redLanes, "0")}, 31, 36, {.body = with(redLanes, "4")}},
        // Of either warp 9 instructions of one path and 8 of the other in half of its lanes. The other warp's
        // way is none of a lane's.
        {"divergence", paths("and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0;"), 2 * 17 / 2,
         2 * (9 + 3 + 17 + 2), paths("setp.ge.u32 %p1, %t, 32;")},
        {"partial_warps", {.blocks = 2, .threads = 48}, 16, 64, {.blocks = 2, .threads = 64}},
        {"idle_threads",
         {.body = with(returns, "64"), .blocks = 4, .threads = 64},
         192,
         256,
         {.body = with(returns, "250"), .blocks = 4, .threads = 64}},
        {"few_blocks",
         {.body = loop(4000, "add.u32 %r0, %r0, %r9;")},
         131,
         132,
         {.body = loop(40, "add.u32 %r0, %r0, %r9;")}},
        {"local_memory",
         {.body =
              ".local .align 4 .b8 depot[16]; mov.u64 %d1, depot; st.local.u32 [%d1], %t; ld.local.u32 %r0, "
              "[%d1];"},
         1,
         9 + 3 + 2,
         {.body = "mov.u32 %r0, %t;"}},
        {"unneeded_barrier",
         {.body = "bar.sync 0;", .threads = 64},
         2,
         2 * (9 + 1 + 2),
         {.body = exchange, .before = kShared, .threads = 64, .sharedBytes = 256}},
        {"unused_shared_memory",
         {.body = "mov.u32 %r1, s; mad.lo.s32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t;",
          .before = kShared,
          .sharedBytes = 65536},
         65536 - 128,
         65536,
         {.body = "mov.u32 %r1, s; mad.lo.s32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t;",
          .before = kShared,
          .sharedBytes = 128}},
        {"accidental_double",
         {.body = "cvt.rn.f32.u32 %f1, %t; cvt.f64.f32 %g1, %f1; mul.f64 %g2, %g1, 0d3FF8000000000000; "
                  "cvt.rn.f32.f64 %f2, %g2; cvt.rzi.u32.f32 %r0, %f2;"},
         1,
         9 + 5 + 2,
         {.body = "cvt.rn.f32.u32 %f1, %t; mul.f32 %f2, %f1, 0f3FC00000; cvt.rzi.u32.f32 %r0, %f2;"}},
    };
}

TEST(Hints, OfEachRuleHaveItsFigureAndAreSilentOnATwin) {
    for (const Case& c : cases()) {
        const Hints spoken = Ran(c.speaks).hints();
        const auto hint = std::ranges::find(spoken.all, c.rule, &Hint::rule);
        if (hint == spoken.all.end()) {
            ADD_FAILURE() << c.rule << " is silent where it should speak";
            continue;
        }
        EXPECT_EQ(hint->excess, c.excess) << c.rule;
        EXPECT_EQ(hint->total, c.total) << c.rule;
        EXPECT_FALSE(textOf(*hint).english().empty());
        const Hints silent = Ran(c.silent).hints();
        EXPECT_EQ(std::ranges::count(silent.all, c.rule, &Hint::rule), 0) << c.rule << " on its twin";
    }
}

TEST(Hints, HaveARuleEachWithItsSourceAndATest) {
    std::set<std::string> tested;
    for (const Case& c : cases())
        tested.insert(c.rule);
    for (const HintRule& rule : hintRules()) {
        EXPECT_TRUE(tested.contains(std::string(rule.name))) << rule.name;
        EXPECT_FALSE(rule.source.empty()) << rule.name;
        EXPECT_GT(rule.leastShare, 0) << rule.name;
        EXPECT_EQ(findHintRule(rule.name), &rule);
    }
    EXPECT_EQ(tested.size(), hintRules().size());
    EXPECT_EQ(findHintRule("no_such_rule"), nullptr);
}

TEST(Hints, StandInTheOrderOfTheirShares) {
    // A column of a tile and, much rarer, a stride in global memory.
    simt::KernelCase both = column(128);
    both.body += loads(8).body;
    const Hints hints = Ran(both).hints();
    ASSERT_GE(hints.all.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(hints.all, std::ranges::greater{}, &Hint::share));
    EXPECT_EQ(hints.all.front().rule, "bank_conflict");
    EXPECT_EQ(hints.all.back().rule, "uncoalesced");
}

TEST(Hints, SayWhatElseBoundsTheKernelAndComeLastThen) {
    simt::KernelCase both = column(128);
    both.body += loads(8).body;
    model::CacheCounts caches;
    caches.l2ReadsLeast = caches.l2ReadMisses = 1'000'000;  // 32 MB from device memory
    const Hints hints = Ran(both).hints(caches);
    ASSERT_GE(hints.all.size(), 3u);
    EXPECT_EQ(hints.all.front().rule, "uncoalesced") << "a conflict costs nothing where device memory binds";
    EXPECT_EQ(hints.all.back().boundBy, "device_memory");
    EXPECT_TRUE(textOf(hints.all.back()).english().find("It costs little here: device memory bounds") !=
                std::string::npos);
    EXPECT_TRUE(hints.scale.empty()) << "32 MB take longer than a launch";
    EXPECT_FALSE(Ran(both).hints().scale.empty()) << "one warp does not";
}

TEST(Hints, AreNotGivenOfARunThatWasStopped) {
    Ran ran(column(128));
    ran.recording.complete = false;
    EXPECT_TRUE(ran.hints().all.empty());
}

TEST(Hints, NameTheVectorThatAThreadCouldLoadAtOnce) {
    std::string body = "mul.wide.u32 %d1, %t, 16; add.s64 %d2, %in, %d1;";
    for (int i = 0; i < 4; ++i)
        body += "ld.global.u32 %r" + std::to_string(i + 1) + ", [%d2+" + std::to_string(4 * i) +
                "]; add.u32 %r0, %r0, %r" + std::to_string(i + 1) + ";";
    const Hints hints = Ran({.body = body}).hints();
    ASSERT_FALSE(hints.all.empty());
    EXPECT_EQ(hints.all.front().cure.english(),
              "Each thread loads 16 consecutive bytes: load 16 at once, as a vector.");
}

TEST(LaneDistance, CountsInactiveLanes) {
    trace::LaneAddresses addresses{};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        addresses[lane] = 1000 + 4 * lane;
    EXPECT_EQ(laneDistance(LaneMask::all(), addresses), 4);
    EXPECT_EQ(laneDistance(LaneMask{0x55555555u}, addresses), 4) << "every second lane";
    EXPECT_EQ(laneDistance(LaneMask{1}, addresses), std::nullopt) << "a single lane";
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        addresses[lane] = 1000 + 64 * (lane * lane % 29);
    EXPECT_EQ(laneDistance(LaneMask::all(), addresses), std::nullopt) << "no pattern";
}

}  // namespace
}  // namespace lockstep::explain
