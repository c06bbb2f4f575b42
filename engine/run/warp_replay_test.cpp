// The registers of recorded warps over the whole catalog: replayed from the record, they give the addresses
// and stored values of the run; and for a multiply small enough to check by hand, the correct ones.
#include "simt/warp_replay.h"

#include "run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::run {
namespace {

class WarpReplayTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(catalog_) << describe(catalog_.error()); }

    run::Run ran(const catalog::Family& family, const catalog::Variant& variant,
                 std::vector<std::pair<std::string, std::string>> settings = {}) const {
        const Expected<catalog::Values> values = catalog::resolve(family, variant, settings);
        EXPECT_TRUE(values) << describe(values.error());
        Options options;
        options.backend = "emulator";
        options.caches = Caches::Off;
        auto run = run::run(*open(Resources{LOCKSTEP_SOURCE_DIR}, family, variant, *values), options);
        EXPECT_TRUE(run) << describe(run.error());
        return std::move(*run);
    }
    run::Run ran(const char* what, std::vector<std::pair<std::string, std::string>> settings = {}) const {
        const auto found = catalog_->lookUp(what);
        return ran(*found->first, *found->second, std::move(settings));
    }
    static simt::WarpReplay replayOf(const run::Run& run, const trace::FocusBlock& block, Warp warp) {
        auto replay = simt::WarpReplay::of(*run.module, run.recording.launches[block.launch.value],
                                           run.recording.initial.size(), block, warp);
        EXPECT_TRUE(replay) << describe(replay.error());
        return std::move(*replay);
    }
    static simt::LaneValues valuesOf(const run::Run& run, const simt::WarpReplay& replay,
                                     std::string_view name) {
        const ptx::Function& kernel = *run.module->findEntry(run.recording.launches[0].entry);
        const auto found = std::ranges::find(kernel.registers, name, &ptx::Register::name);
        return replay.valuesOf(ptx::RegisterId{u32(found - kernel.registers.begin())});
    }

    Expected<catalog::Catalog> catalog_ = catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
};

// Width 3, tiles of 2 x 2: lane l is thread (l / 2, l % 2) of its block.
TEST_F(WarpReplayTest, MultipliesAsByHand) {
    const run::Run run = ran("matmul/tiled", {{"width", "3"}, {"tile", "2"}});
    const auto &m = run.recording.initial[0].as<f32>(), &n = run.recording.initial[1].as<f32>();
    const trace::FocusBlock* block = run.recording.trace.find(LaunchId{0}, {0, 0, 0});
    ASSERT_TRUE(block);
    simt::WarpReplay replay = replayOf(run, *block, Warp{0});
    replay.seek(block->warps[0].barrierSteps[1]);  // the end of the first phase
    const simt::LaneValues row = valuesOf(run, replay, "%r14"), ty = valuesOf(run, replay, "%r1"),
                           tx = valuesOf(run, replay, "%r3"), sum = valuesOf(run, replay, "%f14");
    EXPECT_EQ(sum.known, LaneMask::firstLanes(4));
    for (u32 lane = 0; lane < 4; ++lane) {
        const u32 y = lane / 2, x = lane % 2;
        EXPECT_EQ(ty.bits[lane], y);
        EXPECT_EQ(tx.bits[lane], x);
        EXPECT_EQ(row.bits[lane], y);
        EXPECT_EQ(std::bit_cast<f32>(u32(sum.bits[lane])), m[3 * y] * n[x] + m[3 * y + 1] * n[3 + x])
            << "small whole numbers: exact";
    }
    const trace::FocusBlock* lower = run.recording.trace.find(LaunchId{0}, {1, 1, 0});
    ASSERT_TRUE(lower);
    simt::WarpReplay other = replayOf(run, *lower, Warp{0});
    other.seek(lower->warps[0].barrierSteps[0]);
    EXPECT_EQ(valuesOf(run, other, "%r14").bits[3], 3u) << "row 1 of the lower blocks";
}

TEST_F(WarpReplayTest, KnowsTheRegistersThatAreAskedForAsIfItKnewAll) {
    constexpr u32 kEvery = 5;  // registers, and steps
    for (const char* what : {"matmul/tiled-bounds", "matmul/double-buffered", "reduction/shuffle",
                             "scan/blelloch", "divergence/trip-counts", "histogram/private-copies"}) {
        const run::Run run = ran(what);
        const trace::FocusBlock& block = run.recording.trace.blocks.front();
        const Launch& launch = run.recording.launches[block.launch.value];
        const auto registers = u32(run.module->findEntry(launch.entry)->registers.size());
        std::vector<ptx::RegisterId> asked;
        for (u32 id = 0; id < registers; id += kEvery)
            asked.push_back(ptx::RegisterId{id});
        auto all = simt::WarpReplay::ofBlock(*run.module, launch, run.recording.initial.size(), block),
             some =
                 simt::WarpReplay::ofBlock(*run.module, launch, run.recording.initial.size(), block, asked);
        ASSERT_TRUE(all && some) << what;
        for (u32 warp = 0; warp < block.warps.size(); warp += 3)
            for (u32 step = 0; step <= block.warps[warp].steps.size(); step += kEvery) {
                (*all)[warp].seek(step), (*some)[warp].seek(step);
                for (const ptx::RegisterId id : asked)
                    ASSERT_EQ((*all)[warp].valuesOf(id), (*some)[warp].valuesOf(id))
                        << what << ": register " << id.value << " at step " << step;
            }
    }
}

TEST_F(WarpReplayTest, KeepsTheTwoSidesOfABranchApart) {
    const run::Run run = ran("divergence/parity");
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    const trace::WarpTrace& warp = block.warps[0];
    simt::WarpReplay replay = replayOf(run, block, Warp{0});
    const ptx::Function& kernel = *run.module->findEntry(run.recording.launches[0].entry);
    // At a step that only some of the lanes execute, the others' copy of the register it writes must not
    // change.
    u32 partial = 0;
    for (u32 step = 0; step < warp.steps.size(); ++step) {
        if (warp.steps[step].active == LaneMask::all() || warp.steps[step].active.empty()) continue;
        const auto* result = run.module->operandsOf(run.module->at(warp.steps[step].pc)).empty()
                                 ? nullptr
                                 : std::get_if<ptx::RegisterOperand>(
                                       &run.module->operandsOf(run.module->at(warp.steps[step].pc))[0]);
        if (!result || result->id.value >= kernel.registers.size()) continue;
        replay.seek(step);
        const simt::LaneValues before = replay.valuesOf(result->id);
        replay.seek(step + 1);
        const simt::LaneValues after = replay.valuesOf(result->id);
        EXPECT_EQ(after.written, before.written | warp.steps[step].active) << "step " << step;
        for (const Lane lane : before.known & ~warp.steps[step].active)
            EXPECT_EQ(after.bits[lane.value], before.bits[lane.value]) << "step " << step;
        ++partial;
    }
    EXPECT_GT(partial, 0u);
}

// The access at this step, from the registers: how many of its lanes' addresses and stored values were known,
// and matched.
struct Checked {
    u64 same = 0, other = 0, unknown = 0;
    std::string first = {};  // instruction that differed or was unknown
    void note(const run::Run& run, Pc pc, bool known, bool equal) {
        ++(!known ? unknown : equal ? same : other);
        if (first.empty() && !equal) first = run.module->textOf(pc);
    }
};
void check(const run::Run& run, const simt::WarpReplay& replay, const trace::WarpTrace& warp,
           const trace::Step& step, Checked& found) {
    const trace::StoredAccess& access = warp.accesses[step.access];
    const ptx::Instruction& instruction = run.module->at(step.pc);
    if (instruction.modifiers.space != ptx::StateSpace::Global &&
        instruction.modifiers.space != ptx::StateSpace::Shared)
        return;
    const auto operands = run.module->operandsOf(instruction);
    const auto compare = [&](ptx::RegisterId id, const auto& want) {
        const simt::LaneValues values = replay.valuesOf(id);
        for (const Lane lane : access.active)
            found.note(run, step.pc, values.known.has(lane),
                       values.known.has(lane) && want(lane, values.bits[lane.value]));
    };
    for (const ptx::Operand& operand :
         operands.subspan(access.kind == trace::AccessKind::AsyncCopy && access.space == trace::Space::Global
                              ? 1
                              : 0))  // of a copy: where it reads
        if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
            if (const auto* base = std::get_if<ptx::RegisterId>(&address->base))
                return compare(*base, [&](Lane lane, u64 bits) {
                    const u64 at = bits + u64(address->offsetBytes);
                    return (access.space == trace::Space::Shared ? u64{u32(at)} : at) ==
                           warp.address(access, lane);
                });
}
void checkStored(const run::Run& run, const simt::WarpReplay& replay, const trace::WarpTrace& warp,
                 const trace::Step& step, Checked& found) {
    const trace::StoredAccess& access = warp.accesses[step.access];
    const auto operands = run.module->operandsOf(run.module->at(step.pc));
    const auto* value = access.kind == trace::AccessKind::Store && operands.size() > 1
                            ? std::get_if<ptx::RegisterOperand>(&operands[1])
                            : nullptr;
    if (!value || access.widthBytes > 8) return;
    const simt::LaneValues values = replay.valuesOf(value->id);
    for (const Lane lane : access.active) {
        u64 stored = 0;
        std::memcpy(&stored, warp.value(access, lane).data(), access.widthBytes);
        const u64 kept = access.widthBytes == 8 ? ~u64{0} : (u64{1} << 8 * access.widthBytes) - 1;
        found.note(run, step.pc, values.known.has(lane),
                   values.known.has(lane) && (values.bits[lane.value] & kept) == stored);
    }
}

TEST_F(WarpReplayTest, GivesTheAddressesAndStoredValuesOfEveryKernel) {
    for (const catalog::Family& family : catalog_->families())
        for (const catalog::Variant& variant : family.variants) {
            const run::Run run = ran(family, variant);
            Checked found;
            for (const trace::FocusBlock& block : run.recording.trace.blocks)
                for (const u32 number : {u32{0}, u32(block.warps.size() - 1)}) {
                    const trace::WarpTrace& warp = block.warps[number];
                    simt::WarpReplay replay = replayOf(run, block, Warp{number});
                    for (u32 step = 0; step < warp.steps.size(); ++step) {
                        if (warp.steps[step].access == trace::Step::kNone) continue;
                        replay.seek(step);
                        check(run, replay, warp, warp.steps[step], found);
                        checkStored(run, replay, warp, warp.steps[step], found);
                    }
                }
            EXPECT_EQ(found.other, 0u) << family.name << "/" << variant.name << ": " << found.first;
            EXPECT_EQ(found.unknown, 0u) << family.name << "/" << variant.name << ": " << found.first;
            EXPECT_GT(found.same, 0u) << family.name << "/" << variant.name;
        }
}

}  // namespace
}  // namespace lockstep::run
