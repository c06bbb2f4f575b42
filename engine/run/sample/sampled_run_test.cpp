// A sample gives the whole grid's counters exactly, or says why it does not; and is the same every time.
#include "run/run.h"
#include "run/sample/sample_choice.h"
#include "trace/lks/lks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace lockstep::run {
namespace {

using trace::Unproved;

constexpr const char* kHead = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)
{
    .reg .pred %p<9>; .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .f32 %f<9>;
    ld.param.u64 %d1, [out]; ld.param.u64 %d2, [in]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mov.u32 %r9, %ctaid.y;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    mul.wide.s32 %d3, %r5, 4; add.s64 %d4, %d1, %d3; add.s64 %d5, %d2, %d3;
)";

Buffer bufferOf(u64 count) {
    Buffer buffer{.name = {}, .type = ElementType::U32, .shape = {count}, .bytes = {}};
    buffer.bytes.resize(count * 4);
    for (u64 i = 0; i < count; ++i)
        buffer.as<u32>()[i] = u32(i % 7);
    return buffer;
}

Experiment experimentOf(const std::string& body, Dim3 grid, u32 n, u32 threads = 64) {
    Expected<ptx::Module> module = ptx::parse(kHead + body + "\n    ret;\n}\n", "k.ptx");
    EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
    std::vector<std::byte> scalar(4);
    std::memcpy(scalar.data(), &n, 4);
    Experiment experiment;
    experiment.module = std::make_shared<ptx::Module>(std::move(*module));
    experiment.launches = {{.entry = "k",
                            .grid = grid,
                            .block = {threads, 1, 1},
                            .dynamicSharedBytes = 0,
                            .arguments = {BufferArgument{0}, BufferArgument{1}, ScalarArgument{scalar}}}};
    const u64 elements = u64{grid.count()} * threads + 64;
    experiment.buffers = {bufferOf(elements), bufferOf(elements)};
    experiment.entry = "k";
    return experiment;
}

Options sampled(u64 blocks) {
    Options options;
    options.caches = Caches::Off;
    options.sampleBlocks = blocks;
    return options;
}

struct Case {
    const char* name;
    const char* body;
    Unproved unproved = Unproved::Nothing;
    Dim3 grid{300, 1, 1};
    u32 n = 300 * 64 - 5;
};

class SampledKernels : public testing::TestWithParam<Case> {};

// The proof against the truth: where the counters are given, they are those of all blocks.
TEST_P(SampledKernels, GiveTheWholeGridsCountersOrSayWhyNot) {
    const Case& c = GetParam();
    const Expected<run::Run> whole = run::run(experimentOf(c.body, c.grid, c.n), sampled(0)),
                             some = run::run(experimentOf(c.body, c.grid, c.n), sampled(40));
    ASSERT_TRUE(whole && some) << (some ? "" : describe(some.error()));
    ASSERT_TRUE(some->recording.sample);
    const trace::Sample& sample = *some->recording.sample;
    EXPECT_EQ(sample.blocks, 40u);
    EXPECT_EQ(sample.of, c.grid.count());
    EXPECT_EQ(sample.unproved, c.unproved) << int(sample.unproved) << " at " << sample.at.value;
    EXPECT_FALSE(some->comparison);
    if (c.unproved == Unproved::Nothing)
        EXPECT_EQ(some->report.counters, whole->report.counters);
    else
        EXPECT_TRUE(some->report.counters.empty());
    EXPECT_LT(some->statistics.threadInstructions, whole->statistics.threadInstructions);
}

constexpr const char* kStore = "st.global.u32 [%d4], %r1;";

INSTANTIATE_TEST_SUITE_P(
    Kernels, SampledKernels,
    testing::Values(
        Case{"plain", kStore},
        Case{"bounds",
             "setp.ge.s32 %p1, %r5, %r1; @%p1 ret; ld.global.u32 %r6, [%d5]; st.global.u32 [%d4], %r6;"},
        Case{"bounds in the middle of the grid",
             "setp.ge.s32 %p1, %r5, %r1; @%p1 ret; st.global.u32 [%d4], %r6;",
             Unproved::BlocksDiffer,
             {300, 1, 1},
             150 * 64},
        Case{"in place", "ld.global.u32 %r6, [%d4]; add.u32 %r6, %r6, 1; st.global.u32 [%d4], %r6;"},
        Case{"one block is special",
             "setp.eq.s32 %p1, %r2, 137; @%p1 ld.global.u32 %r6, [%d5]; st.global.u32 [%d4], %r6;",
             Unproved::NotLinear},
        Case{"the first block is special",
             "setp.eq.s32 %p1, %r2, 0; @%p1 ld.global.u32 %r6, [%d5]; st.global.u32 [%d4], %r6;"},
        Case{"every second block is special",
             "and.b32 %r7, %r2, 1; setp.eq.s32 %p1, %r7, 0; @%p1 ld.global.u32 %r6, [%d5]; st.global.u32 "
             "[%d4], %r6;",
             Unproved::NotLinear},
        Case{"a loop over what is loaded",
             "ld.global.u32 %r6, [%d5]; L: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, %r6; @%p1 bra L; "
             "st.global.u32 "
             "[%d4], %r7;",
             Unproved::DependsOnData},
        Case{"a gather",
             "ld.global.u32 %r6, [%d5]; mul.wide.u32 %d6, %r6, 4; add.s64 %d7, %d2, %d6; ld.global.u32 %r7, "
             "[%d7]; st.global.u32 [%d4], %r7;",
             Unproved::DependsOnData},
        Case{"a loop over a parameter",
             "mov.u32 %r7, 0; L: mad.lo.s32 %r8, %r7, 64, %r4; mul.wide.s32 %d6, %r8, 4; add.s64 %d7, %d2, "
             "%d6; "
             "ld.global.u32 %r6, [%d7]; add.s32 %r7, %r7, 1; setp.lt.s32 %p1, %r7, 5; @%p1 bra L; "
             "st.global.u32 [%d4], "
             "%r6;"},
        Case{"a loop as long as the position",
             "mov.u32 %r7, 0; L: add.s32 %r7, %r7, 1; setp.lt.s32 %p1, %r7, %r2; @%p1 bra L; st.global.u32 "
             "[%d4], %r7;",
             Unproved::NotLinear},
        // rows of 65 elements: their sectors depend on the row
        Case{"rows that do not begin at sectors",
             "mad.lo.s32 %r6, %r9, 65, %r4; mul.wide.s32 %d6, %r6, 4; add.s64 %d7, %d2, %d6; ld.global.u32 "
             "%r7, [%d7]; "
             "mul.wide.s32 %d8, %r9, 256; add.s64 %d9, %d1, %d8; mul.wide.s32 %d10, %r4, 4; add.s64 %d9, "
             "%d9, %d10; "
             "st.global.u32 [%d9], %r7;",
             Unproved::Nothing,
             {1, 200, 1},
             0},
        Case{"a grid of two axes",
             "mad.lo.s32 %r6, %r9, 20, %r2; shl.b32 %r7, %r6, 6; or.b32 %r8, %r7, %r4; mul.wide.s32 %d6, "
             "%r8, 4; "
             "add.s64 %d7, %d1, %d6; setp.eq.s32 %p1, %r9, 0; setp.ge.s32 %p2, %r2, 19; or.pred %p3, %p1, "
             "%p2; "
             "@!%p3 st.global.u32 [%d7], %r4;",
             Unproved::Nothing,
             {20, 20, 1},
             0}),
    [](const auto& info) {
        std::string name;
        for (const char c : std::string(info.param.name))
            name += c == ' ' ? '_' : c;
        return name;
    });

TEST(SampledRunTest, BlocksThatCommunicateAreNotSampled) {
    for (const char* body :
         {"atom.global.add.u32 %r6, [%d2], 1; st.global.u32 [%d4], %r6;",  // the old value is used
          "L: ld.volatile.global.u32 %r6, [%d2]; setp.eq.u32 %p1, %r6, 9; @%p1 bra L; st.global.u32 [%d4], "
          "%r6;",
          "ld.global.u32 %r6, [%d4+256]; st.global.u32 [%d4], %r6;",  // the next block's
          "st.global.u32 [%d2], %r2;"}) {                             // all to one place
        const Expected<run::Run> some = run::run(experimentOf(body, {300, 1, 1}, 0), sampled(40));
        ASSERT_FALSE(some) << body;
        EXPECT_NE(describe(some.error()).find("--sample is not for it"), std::string::npos)
            << describe(some.error());
    }
}

TEST(SampledRunTest, ASumByAtomicsIsSampled) {
    const Expected<run::Run> some =
        run::run(experimentOf("red.global.add.u32 [%d2], 1;", {300, 1, 1}, 0), sampled(40));
    ASSERT_TRUE(some) << describe(some.error());
    EXPECT_TRUE(some->recording.sample->isExtrapolated());
}

TEST(SampledRunTest, AGridThatHasNoMoreBlocksRunsWhole) {
    const Expected<run::Run> all = run::run(experimentOf(kStore, {40, 1, 1}, 0), sampled(40));
    ASSERT_TRUE(all);
    EXPECT_FALSE(all->recording.sample);
}

TEST(SampledRunTest, IsTheSameOnAnyNumberOfThreadsAndInAFile) {
    const auto packed = [](u32 threads) {
        Options options = sampled(40);
        options.emulator.threads = threads;
        const Expected<run::Run> some = run::run(
            experimentOf("ld.global.u32 %r6, [%d5]; st.global.u32 [%d4], %r6;", {900, 1, 1}, 0), options);
        EXPECT_TRUE(some);
        return trace::pack(some->recording);
    };
    const std::vector<std::byte> one = packed(1);
    EXPECT_EQ(one, packed(4));
    const Expected<trace::Recording> read = trace::unpack(one, "k.lks");
    ASSERT_TRUE(read) << describe(read.error());
    ASSERT_TRUE(read->sample);
    EXPECT_EQ(read->sample->blocks, 40u);
    const Expected<run::Run> again = reopen(*read, "cc90");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->report.counters.at("ptx__thread_inst_executed"), 900u * 64 * 14);
}

TEST(SampledRunTest, ACanceledSampleSaysSo) {
    Progress progress;
    progress.cancelled = true;
    Options options = sampled(40);
    options.emulator.progress = &progress;
    const Expected<run::Run> some = run::run(experimentOf(kStore, {300, 1, 1}, 0), options);
    ASSERT_TRUE(some) << describe(some.error());
    EXPECT_EQ(some->recording.sample->unproved, Unproved::Stopped);
    EXPECT_LT(some->recording.sample->blocks, 40u);
}

TEST(SampleChoiceTest, TakesFocusCornersEdgesAndInside) {
    const Dim3 grid{100, 50, 1};
    const Dim3 focus[] = {{77, 31, 0}};
    const std::vector<trace::SampleBox> boxes = chooseSample(grid, 64, 1, focus);
    std::set<u64> all;
    u64 positions = 0;
    for (const trace::SampleBox& box : boxes) {
        positions += box.count();
        EXPECT_FALSE(box.blocks.empty());
        EXPECT_TRUE(std::ranges::includes(box.blocks, tellingBlocks(box, grid)));
        all.insert(box.blocks.begin(), box.blocks.end());
    }
    EXPECT_EQ(boxes.size(), 9u) << "four corners, four edges, the inside";
    EXPECT_EQ(positions, grid.count());
    EXPECT_EQ(all.size(), 64u);
    EXPECT_TRUE(all.contains(linearOf(focus[0], grid)));
    EXPECT_EQ(neededBlocks(grid), 22u);
    EXPECT_EQ(neededBlocks({1000, 1, 1}), 5u);
    const auto blocksOf = [](const std::vector<trace::SampleBox>& of) {
        std::vector<std::vector<u64>> blocks;
        for (const trace::SampleBox& box : of)
            blocks.push_back(box.blocks);
        return blocks;
    };
    EXPECT_EQ(blocksOf(boxes), blocksOf(chooseSample(grid, 64, 1, focus)));
    EXPECT_NE(blocksOf(boxes), blocksOf(chooseSample(grid, 64, 2, focus)));
}

// Catalog kernels at sizes that still run whole.
class SampledCatalogTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(catalog_) << describe(catalog_.error()); }
    Expected<catalog::Catalog> catalog_ = catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
};

// Grids of some hundred blocks, the last of which have threads without work.
constexpr std::pair<const char*, s64> kSizes[] = {
    {"width", 200}, {"rows", 300}, {"columns", 232}, {"n", 70001}, {"j", 300}, {"k", 40}, {"l", 200}};

TEST_F(SampledCatalogTest, ExtrapolatesExactlyWhatItExtrapolates) {
    u32 tried = 0;
    std::vector<std::string> unproved;
    for (const catalog::Family& family : catalog_->families())
        for (const catalog::Variant& variant : family.variants) {
            Expected<catalog::Values> values = catalog::resolve(family, variant, {});
            ASSERT_TRUE(values);
            for (const auto& [parameter, size] : kSizes)
                if (const catalog::Parameter* known = family.findParameter(parameter);
                    known && std::ranges::find(variant.parameters, parameter) != variant.parameters.end())
                    values->at(parameter) = std::clamp(size, known->min, known->max);
            const auto opened = [&] {
                return open(Resources{LOCKSTEP_SOURCE_DIR}, family, variant, *values);
            };
            Expected<Experiment> one = opened(), other = opened();
            if (!one || !other || one->launches[0].grid.count() <= 30) continue;
            const std::string name = family.name + "/" + variant.name;
            const Expected<run::Run> some = run::run(std::move(*one), sampled(30));
            if (!some) {
                EXPECT_NE(describe(some.error()).find("--sample"), std::string::npos) << name;
                continue;
            }
            ++tried;
            ASSERT_TRUE(some->recording.sample) << name;
            if (!some->recording.sample->isExtrapolated()) {
                unproved.push_back(name);
                continue;
            }
            const Expected<run::Run> whole = run::run(std::move(*other), sampled(0));
            ASSERT_TRUE(whole);
            EXPECT_EQ(some->report.counters, whole->report.counters) << name;
        }
    EXPECT_GT(tried, 40u);
    EXPECT_EQ(unproved, std::vector<std::string>{"coalescing/scattered"}) << "its addresses are loaded";
}

TEST(TooLargeTest, IsDecidedByTheCountOfThreadInstructions) {
    const auto loop = [](const char* count) {
        return std::string("mov.u32 %r7, 0; L: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, ") + count +
               "; @%p1 bra L; st.global.u32 [%d4], %r7;";
    };
    struct Size {
        std::string body;
        bool isTooLarge;
    };
    for (const Size& size :
         {Size{loop("10"), false}, Size{loop("1000"), true},
          // one block alone, or blocks at one end
          Size{"mov.u32 %r6, 10; setp.eq.u32 %p2, %r2, 0; @%p2 mov.u32 %r6, 100000;" + loop("%r6"), false},
          Size{"mov.u32 %r6, 10; setp.gt.u32 %p2, %r2, 250; @%p2 mov.u32 %r6, 5000;" + loop("%r6"), false}}) {
        Options options = sampled(0);
        options.emulator.mostThreadInstructions = 10'000'000;
        const Expected<run::Run> whole = run::run(experimentOf(size.body, {300, 1, 1}, 0), options);
        EXPECT_EQ(!whole, size.isTooLarge) << size.body;
        if (!whole) {
            EXPECT_EQ(whole.error().kind, FaultKind::TooLarge);
            EXPECT_NE(describe(whole.error()).find("about 57,000,000 thread instructions"), std::string::npos)
                << describe(whole.error());
        }
    }
}

}  // namespace
}  // namespace lockstep::run
