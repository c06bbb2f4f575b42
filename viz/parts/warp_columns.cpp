// Draws the columns.
#include "viz/parts/warp_columns.h"

#include "viz/marks/glyphs.h"
#include "viz/messages.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kSkips = english("skips");

constexpr f32 kFork = 14, kNumber = 18, kGap = 12, kStripTall = 16;
const TextStyle kNames{.size = type::kAxis, .role = role(RoleKind::TextSecond)};

}  // namespace

std::vector<WarpColumns> WarpColumns::thatFit(const Canvas& canvas, u32 warps, f32 most, Language language) {
    std::vector<WarpColumns> fitting;
    const f32 ofNumber = kFork + kNumber + kGap,
              numberAlone = std::max(ofNumber, canvas.width(say(language, kWarpLower, warps), kNames) + kGap);
    for (const f32 lane : {4.0f, 3.0f, 2.0f, 1.5f})
        if (const f32 wide = f32(kWarpSize) * lane + space::kGap + ofNumber; f32(warps) * wide <= most)
            fitting.push_back({warps, lane, wide, language});
    const f32 title = canvas.width(kLanesThatAdd.in(language), kNames);
    if (f32(warps) * numberAlone <= most && title <= f32(warps) * numberAlone)
        fitting.push_back({warps, 0, numberAlone, language});
    return fitting;
}

Rect WarpColumns::strip(f32 left, const Rect& row, u32 warp) const {
    const f32 tall = std::min(row.height, kStripTall);
    return {left + f32(warp) * column_, row.centre().y - tall / 2, f32(kWarpSize) * lane_, tall};
}

std::optional<Rect> WarpColumns::laneAt(f32 left, const Rect& row, Warp warp, Lane lane) const {
    if (lane_ == 0) return std::nullopt;
    const Rect all = strip(left, row, warp.value);
    return Rect{all.x + f32(lane.value) * lane_, all.y, lane_, all.height};
}

void WarpColumns::drawHead(Canvas& canvas, f32 left, f32 title, f32 names) const {
    canvas.text({left, title}, std::string(kLanesThatAdd.in(language_)), kNames);
    for (u32 w = 0; w < warps_; ++w)
        canvas.text({left + f32(w) * column_, names}, say(language_, kWarpLower, w), kNames);
}

void WarpColumns::drawRow(Canvas& canvas, f32 left, const Rect& row, std::span<const WarpInRound> warps,
                          bool ahead, const std::function<std::string(u32 warp)>& said) const {
    const f32 y = row.centre().y, alpha = ahead ? 0.45f : 1;
    for (u32 w = 0; w < warps.size(); ++w) {
        const WarpInRound& warp = warps[w];
        const Rect lanes = strip(left, row, w);
        const bool idle = warp.adding.empty();
        if (lane_ > 0 && idle) {
            canvas.line({lanes.x, y}, {lanes.right(), y}, {role(RoleKind::Edge), 1, Dash::Dashed});
        } else if (lane_ > 0) {
            canvas.rect({lanes.x, lanes.y, f32(warp.lanes) * lane_, lanes.height},
                        {.fill = role(RoleKind::Inactive)});
            for (const Lane lane : warp.adding) {
                const f32 gap = lane_ >= 3 ? 0.5f : lane_ >= 2 ? 0.25f : 0;
                const f32 shade = warp.inVain.has(lane) ? alpha * WarpColumns::kInVainAlpha : alpha;
                canvas.rect({lanes.x + f32(lane.value) * lane_ + gap, lanes.y, lane_ - 2 * gap, lanes.height},
                            {.fill = warpRole(Warp{w}, lane, warp.lanes, shade)});
            }
        }
        const f32 x = lane_ > 0 ? lanes.right() + space::kGap : lanes.x;
        const Role ink = role(idle ? RoleKind::TextThird : RoleKind::Text);
        if (!idle && !warp.isWhole()) fork(canvas, {x + 5, y}, ink);
        if (idle)
            canvas.text({x, y}, std::string(kSkips.in(language_)), {.size = type::kAxis, .role = ink});
        else
            canvas.text({x + kFork, y}, std::to_string(warp.adding.count()),
                        {.size = type::kCode, .mono = true, .role = ink});
        canvas.hit({lanes.x, row.y, column_ - kGap / 2, row.height}, {.hover = said(w), .go = warp.go});
    }
}

}  // namespace lockstep::viz
