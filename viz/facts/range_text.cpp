#include "viz/facts/range_text.h"

#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "base/text/words.h"
#include "viz/messages.h"
#include "viz/phrases.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr u32 kMostLines = 12;  // warps in a tooltip

std::string sumsText(const explain::StepSums& sums, const model::Profile& profile, Language language) {
    const bool sectors = countsSectors(profile);
    const std::string between = comma(language);
    return say(language, kRangeInstructions, grouped(sums.instructions),
               percentOf(u64(sums.lanes), sums.lanesAtMost, 1)) +
           between + say(language, sectors ? kRangeSectors : kRangeTransactions, grouped(sums.globalItems)) +
           between + say(language, kRangeWavefronts, grouped(sums.wavefronts));
}

}  // namespace

std::string RangeTexts::ofAll(Warp shown) const {
    const trace::FocusBlock& block = summer.block();
    explain::StepSums all;
    for (u32 w = 0; w < block.warps.size(); ++w)
        all += summer.of(Warp{w}, explain::stepsWithin(block, axis, range, Warp{w}));
    explain::StepSpan steps = explain::stepsWithin(block, axis, range, shown);
    if (steps.empty()) steps = explain::stepsWithin(block, axis, range, range.warp);
    const std::string head = block.warps.size() == 1 ? say(language, kRangeHead, steps.begin + 1, steps.end)
                                                     : say(language, kRangeHeadOfAll, steps.begin + 1,
                                                           steps.end, block.warps.size());
    return head + sumsText(all, summer.profile(), language);
}

std::string RangeTexts::ofWarp(Warp warp) const {
    const explain::StepSpan steps = explain::stepsWithin(summer.block(), axis, range, warp);
    if (steps.empty()) return say(language, kRangeWarpWaits, warp.value);
    return say(language, kRangeWarp, warp.value) +
           sumsText(summer.of(warp, steps), summer.profile(), language);
}

std::string RangeTexts::table(Warp shown) const {
    std::string text = ofAll(shown);
    const u32 warps = u32(summer.block().warps.size());
    if (warps > 1)
        for (u32 w = 0; w < std::min(warps, kMostLines); ++w)
            text += "\n" + ofWarp(Warp{w});
    if (warps > kMostLines) text += "\n" + say(language, kRangeMoreWarps, warps - kMostLines);
    return text + "\n" + std::string(kRangeClears.in(language));
}

}  // namespace lockstep::viz
