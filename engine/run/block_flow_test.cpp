// The flow of values over the whole catalog, checked against the recorded values: a value that is only moved
// equals what was loaded, and a loaded value equals that of the store it is said to come from.
#include "explain/block_flow.h"

#include "run/run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::run {
namespace {

using explain::BlockFlow, explain::Origin, explain::ThreadStep, explain::WrittenBy;

// One block's accesses checked against its flow.
class Checked {
public:
    Checked(const Run& run, const trace::FocusBlock& block)
        : run_(run),
          block_(block),
          flow_(std::move(*BlockFlow::of(*run.module, run.recording.launches[block.launch.value],
                                         run.recording.initial.size(), block))) {
        for (u32 w = 0; w < block.warps.size(); ++w)
            for (u32 s = 0; s < block.warps[w].steps.size(); ++s)
                if (const u32 number = block.warps[w].steps[s].access; number != trace::Step::kNone)
                    for (const Lane lane : block.warps[w].accesses[number].active)
                        check({Warp{w}, lane, s}, block.warps[w].accesses[number]);
    }
    u64 moved = 0, fromStores = 0, throughMemory = 0, wrong = 0;
    std::string first;  // that is wrong

private:
    void check(ThreadStep at, const trace::StoredAccess& access) {
        const ptx::Instruction& i = run_.module->at(access.pc);
        const u32 bytes =
            access.kind == trace::AccessKind::AsyncCopy ? access.widthBytes : ptx::bytesOf(i.types[0]);
        for (u32 byte = 0; byte < access.widthBytes; byte += bytes) {
            const auto value = valueOf(at, access).subspan(byte, bytes);
            if (access.kind == trace::AccessKind::Store)
                checkStored(at, flow_.originOfStored(at, byte, bytes), value);
            else if (access.kind == trace::AccessKind::Load)
                checkLoaded(at, byte / bytes, access, byte, value);
        }
    }
    std::span<const std::byte> valueOf(ThreadStep at, const trace::StoredAccess& access) const {
        return block_.warps[at.warp.value].value(access, at.lane);
    }
    const trace::StoredAccess& accessOf(ThreadStep at) const {
        const trace::WarpTrace& warp = block_.warps[at.warp.value];
        return warp.accesses[warp.steps[at.step].access];
    }
    std::span<const std::byte> loadedBy(const Origin& origin) const {
        const trace::StoredAccess& load = accessOf(origin.at);
        const u32 elementBytes = ptx::bytesOf(run_.module->at(load.pc).types[0]);
        return valueOf(origin.at, load).subspan(origin.element * elementBytes + origin.byte, origin.bytes);
    }
    void checkStored(ThreadStep at, const Origin& origin, std::span<const std::byte> value) {
        if (origin.kind == Origin::Kind::Unknown) return note(at, "unknown");
        if (origin.kind != Origin::Kind::Load) return;
        ++moved;
        if (!std::ranges::equal(loadedBy(origin), value.first(origin.bytes))) note(at, "another value");
    }
    void checkLoaded(ThreadStep at, u32 element, const trace::StoredAccess& access, u32 byte,
                     std::span<const std::byte> value) {
        if (const auto given = flow_.originOfLoaded(at, byte, u32(value.size()));
            given && given->kind == Origin::Kind::Load && given->bytes == value.size()) {
            ++throughMemory;
            if (!std::ranges::equal(loadedBy(*given), value)) note(at, "not what was loaded before");
        }
        const WrittenBy by = flow_.writtenBy(at, element);
        if (by.kind != WrittenBy::Kind::Store) return;
        const trace::StoredAccess& store = accessOf(by.at);
        if (store.kind != trace::AccessKind::Store) return;
        ++fromStores;
        const u64 first = block_.warps[at.warp.value].address(access, at.lane) + byte -
                          block_.warps[by.at.warp.value].address(store, by.at.lane);
        if (!std::ranges::equal(valueOf(by.at, store).subspan(first, value.size()), value))
            note(at, "not what was stored");
    }
    void note(ThreadStep at, const char* what) {
        if (wrong++) return;
        first = std::string(what) + ": warp " + std::to_string(at.warp.value) + " lane " +
                std::to_string(at.lane.value) + " step " + std::to_string(at.step);
    }

    const Run& run_;
    const trace::FocusBlock& block_;
    BlockFlow flow_;
};

TEST(BlockFlowTest, AgreesWithTheValuesOfEveryKernel) {
    const auto catalog = catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    ASSERT_TRUE(catalog);
    u64 moved = 0, fromStores = 0, throughMemory = 0;
    for (const catalog::Family& family : catalog->families())
        for (const catalog::Variant& variant : family.variants) {
            Options options;
            options.backend = "emulator";
            options.caches = Caches::Off;
            const auto values = catalog::resolve(family, variant, {});
            const auto run =
                run::run(*open(Resources{LOCKSTEP_SOURCE_DIR}, family, variant, *values), options);
            ASSERT_TRUE(run) << describe(run.error());
            for (const trace::FocusBlock& block : run->recording.trace.blocks) {
                const Checked checked(*run, block);
                EXPECT_EQ(checked.wrong, 0u) << family.name << "/" << variant.name << ": " << checked.first;
                moved += checked.moved, fromStores += checked.fromStores;
                throughMemory += checked.throughMemory;
            }
        }
    EXPECT_GT(moved, 10'000u);
    EXPECT_GT(fromStores, 10'000u);
    EXPECT_GT(throughMemory, 10'000u);
}

}  // namespace
}  // namespace lockstep::run
