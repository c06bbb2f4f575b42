// Which accesses the playground is given: its presets, at other widths, as stores, in the other memory, with
// lanes moved and switched off, and accesses of the trial's run; on every device.
#include "model/access/access_pattern.h"
#include "witness/pictures.h"

#include <array>

namespace lockstep::witness {
namespace {

constexpr std::array<u32, 5> kWidths{4, 8, 16, 2, 1};
constexpr u32 kPlays = 3;  // of a trial

// The first access to shared or global memory that the playground can show, from the trial's n-th step on.
std::optional<model::AccessPattern> recorded(const run::Run& run, u32 n) {
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        for (u32 w = 0; w < block.warps.size(); ++w)
            for (u32 s = n % 16; s < block.warps[w].steps.size(); ++s)
                if (block.warps[w].steps[s].access != trace::Step::kNone)
                    if (auto pattern = viz::patternAt(run, {block.launch, block.block, Warp{w}, Lane{0}, s}))
                        return pattern;
    return std::nullopt;
}

}  // namespace

std::vector<Play> playsOf(const Trial& trial, const run::Run& run) {
    const auto presets = model::accessPresets();
    const auto devices = model::profiles();
    std::vector<Play> plays;
    for (u32 k = 0; k < kPlays; ++k) {
        const u32 n = trial.index * kPlays + k;
        Play play{.playground = {presets[n % presets.size()].pattern, Lane{n * 7 % 32}},
                  .profile = &devices[(n / 2 + n / 32) % devices.size()],
                  .trial = &trial};
        model::AccessPattern& pattern = play.playground.pattern;
        // In turn: as it is; another width; a store; the other memory; lanes moved; lanes off; of the run.
        const u32 turn = n / u32(presets.size());
        if (turn % 3 == 1) pattern.widthBytes = kWidths[(turn / 3 + n) % kWidths.size()];
        if (turn % 4 == 2) pattern.operation = trace::AccessKind::Store;
        if (turn % 5 == 3)
            pattern.space =
                pattern.space == trace::Space::Shared ? trace::Space::Global : trace::Space::Shared;
        if (turn % 7 == 4) pattern.moved[n % 32] = s64(n % 40), pattern.moved[(n + 5) % 32] = -s64(n % 5);
        if (turn % 7 == 5) pattern.off = LaneMask{0x00100a05u << n % 8};
        if (turn % 7 == 6) pattern.rows = {.elements = 16, .padding = 1 + n % 3};
        if (turn % 4 == 3 && k == 0)
            if (const auto own = recorded(run, n)) pattern = *own;
        plays.push_back(play);
    }
    return plays;
}

}  // namespace lockstep::witness
