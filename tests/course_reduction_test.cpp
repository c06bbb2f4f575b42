// The parallel reduction of the course, step by step, from recorded runs: which threads work, which warps
// diverge, and how many words of one bank are wanted at once. The figures are worked out by hand from the
// algorithm; the course names those of version 1's banks.
#include "model/access/shared_wavefronts.h"
#include "run/run.h"
#include "support/shipped_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

struct Step {
    u32 threads = 0, warps = 0, divergentWarps = 0;
    bool operator==(const Step&) const = default;
};

void PrintTo(const Step& step, std::ostream* out) {
    *out << step.threads << " threads in " << step.warps << " warps, " << step.divergentWarps << " divergent";
}

// One block over as many elements as it takes, every event of it recorded.
run::Run runOf(const std::string& variantName, u32 block, u32 elements) {
    const catalog::Family& family = *shipped().find("reduction");
    const catalog::Variant& variant = *family.find(variantName);
    std::vector<std::pair<std::string, std::string>> settings{{"n", std::to_string(elements)},
                                                              {"block", std::to_string(block)}};
    if (std::ranges::count(variant.parameters, "blocks")) settings.emplace_back("blocks", "1");
    const Expected<catalog::Values> values = catalog::resolve(family, variant, settings);
    EXPECT_TRUE(values) << describe(values.error());
    Expected<run::Experiment> experiment = run::open({LOCKSTEP_SOURCE_DIR}, family, variant, *values);
    EXPECT_TRUE(experiment) << describe(experiment.error());
    run::Options options;
    options.emulator.focusAll = true;
    Expected<run::Run> run = run::run(std::move(*experiment), options);
    EXPECT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->correct(), true);
    return std::move(*run);
}

const trace::FocusBlock& onlyBlock(const run::Run& run) {
    const trace::FocusBlock* block = run.recording.trace.find(LaunchId{0}, Dim3{0, 0, 0});
    EXPECT_EQ(run.recording.trace.blocks.size(), 1u);
    EXPECT_NE(block, nullptr);
    return *block;
}

// What a warp reads and writes in shared memory during a step: the phase between two barriers, from 1 on.
// Phase 0 is the load, and the last phase writes the result.
std::vector<trace::WarpAccess> sharedAccesses(const trace::WarpTrace& warp, u32 phase) {
    std::vector<trace::WarpAccess> accesses;
    for (u32 step = 0; step < warp.steps.size(); ++step) {
        if (warp.steps[step].access == trace::Step::kNone || warp.phaseOf(step) != phase) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[step].access];
        if (access.space == trace::Space::Shared) accesses.push_back(warp.unpack(access));
    }
    return accesses;
}

std::vector<Step> stepsOf(const run::Run& run) {
    const trace::FocusBlock& block = onlyBlock(run);
    std::vector<Step> steps(block.phases() - 2);
    for (u32 phase = 1; phase <= steps.size(); ++phase)
        for (const trace::WarpTrace& warp : block.warps) {
            const std::vector<trace::WarpAccess> accesses = sharedAccesses(warp, phase);
            if (accesses.empty()) continue;
            EXPECT_EQ(accesses.size(), 3u) << "its own sum, the other's, and the new one back";
            Step& step = steps[phase - 1];
            step.threads += u32(accesses.front().active.count());
            ++step.warps;
            step.divergentWarps += accesses.front().active != LaneMask::all();
        }
    return steps;
}

// The most words of one bank that lanes served together want: the degree of the conflict, 1 where there is
// none.
u32 degreeOf(const trace::WarpAccess& access, const model::Profile& profile) {
    u32 degree = 0;
    for (LaneMask group : model::sharedGroups(access, profile)) {
        trace::WarpAccess part = access;
        part.active = group;
        degree = std::max(degree, model::sharedWavefronts(part, profile));
    }
    return degree;
}

std::vector<u32> conflictDegrees(const run::Run& run, const char* profile) {
    const trace::FocusBlock& block = onlyBlock(run);
    std::vector<u32> degrees(block.phases() - 2);
    for (u32 phase = 1; phase <= degrees.size(); ++phase)
        for (const trace::WarpTrace& warp : block.warps)
            for (const trace::WarpAccess& access : sharedAccesses(warp, phase))
                degrees[phase - 1] =
                    std::max(degrees[phase - 1], degreeOf(access, *model::findProfile(profile)));
    return degrees;
}

TEST(CourseReduction, Version1HasBankConflictsStepByStep) {
    struct Case {
        u32 block;
        const char* profile;
        std::vector<u32> degrees;
    };
    const Case cases[] = {
        {128, "cc90", {2, 4, 4, 4, 4, 2, 1}},    {128, "cc20", {2, 4, 4, 4, 4, 2, 1}},
        {128, "cc10", {2, 4, 8, 8, 4, 2, 1}},    {128, "cc13", {2, 4, 8, 8, 4, 2, 1}},
        {256, "cc90", {2, 4, 8, 8, 8, 4, 2, 1}}, {1024, "cc90", {2, 4, 8, 16, 32, 16, 8, 4, 2, 1}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(conflictDegrees(runOf("v1", c.block, c.block), c.profile), c.degrees)
            << "block " << c.block << ", " << c.profile;
}

TEST(CourseReduction, TheOtherVersionsHaveNone) {
    for (const char* version : {"v0", "v2", "v3"})
        EXPECT_EQ(conflictDegrees(runOf(version, 128, 128), "cc90"), std::vector<u32>(7, 1)) << version;
}

// Block 128, steps of 64, 32, 16, 8, 4, 2 and 1 additions. Version 0 spreads them evenly over the block: as
// long as there are 4 or more, each of the 4 warps has some, and none has all of its lanes. From version 1 on
// the first threads work: 2 full warps, 1 full warp, and then one warp of which a part works.
TEST(CourseReduction, SaysWhichThreadsWorkAndWhichWarpsDiverge) {
    const std::vector<Step> spread{{64, 4, 4}, {32, 4, 4}, {16, 4, 4}, {8, 4, 4},
                                   {4, 4, 4},  {2, 2, 2},  {1, 1, 1}};
    const std::vector<Step> together{{64, 2, 0}, {32, 1, 0}, {16, 1, 1}, {8, 1, 1},
                                     {4, 1, 1},  {2, 1, 1},  {1, 1, 1}};
    struct Case {
        const char *version, *test;
        u32 elements;
        std::vector<Step> steps;
    };
    const Case cases[] = {
        {"v0", "if (tid % (2 * s) == 0)", 128, spread},
        {"v1", "if (index < blockDim.x)", 128, together},
        {"v2", "if (tid < s)", 128, together},
        {"v3", "if (tid < s)", 256, together}};  // twice the elements: the first addition is done
    for (const Case& c : cases) {
        const run::Run run = runOf(c.version, 128, c.elements);
        EXPECT_EQ(stepsOf(run), c.steps) << c.version;

        // The branches as they were counted say the same: the warps that went two ways at this test, all
        // steps together.
        const std::string& source = run.module->sources.at(1);
        const auto end = source.begin() + s64(source.find(c.test));
        const u32 line = 1 + u32(std::count(source.begin(), end, '\n'));
        const auto counted = std::ranges::find(run.report.lines, line, &model::LineReport::line);
        ASSERT_NE(counted, run.report.lines.end()) << c.version;
        const u32 divergent =
            std::accumulate(c.steps.begin(), c.steps.end(), 0u,
                            [](u32 sum, const Step& step) { return sum + step.divergentWarps; });
        EXPECT_EQ(counted->divergent, divergent) << c.version;
    }
}

// The unrolled last warp takes six steps without a barrier; of the seven steps at block 128 one barrier
// remains besides that of the load. With __syncwarp() nothing is left to remark.
TEST(CourseReduction, TheUnrolledLastWarpHasNoBarrierAndReliesOnLockStep) {
    for (const char* version : {"v4", "v5", "v6"}) {
        const run::Run plain = runOf(version, 128, 256),
                       safe = runOf(version + std::string("-syncwarp"), 128, 256);
        EXPECT_EQ(onlyBlock(plain).phases(), 3u) << version;
        EXPECT_EQ(onlyBlock(safe).phases(), 3u) << version;
        const auto isRemark = [](const trace::Finding& finding) {
            return finding.kind == trace::FindingKind::WarpSynchronous ||
                   finding.kind == trace::FindingKind::Truncated;
        };
        EXPECT_FALSE(plain.recording.findings.empty()) << version;
        EXPECT_TRUE(std::ranges::all_of(plain.recording.findings, isRemark)) << version;
        EXPECT_TRUE(safe.recording.findings.empty()) << version;
    }
}

}  // namespace
}  // namespace lockstep
