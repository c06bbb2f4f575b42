#include "viz/parts/variant_row.h"

#include "model/access/global_sectors.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/parts/request_picture.h"

#include <algorithm>
#include <set>

namespace lockstep::viz {
namespace {

constexpr Words kVariantHover =
    english("{0}: warp {1} loads {2} {2:byte|bytes}, {6} per lane, in {3} under compute capability {4}.{5}");
constexpr Words kVariantIdle = english("{0}: warp {1} loads nothing.{2}");
constexpr Words kVariantClick = english(" The picture shows lanes 0 to 15. Click to run this variant.");
constexpr Words kVariantHere = english(" The picture shows lanes 0 to 15. This is the variant that runs.");

constexpr u32 kLanes = 16;  // of a half-warp: more would be too thin to be told apart
constexpr f32 kLeastWide = 40, kLeastTitled = 92, kLeastSmallTitled = 62 /* in the least letters */,
              kTallForSmallTitles = 470, kApart = 6, kInner = 6, kPicture = 30, kFigureLine = 14,
              kTitleLine = 16, kSmallTitleLine = 13;

const trace::WarpAccess* accessOfWarp(const run::VariantAccess& variant, Warp warp) {
    const trace::WarpAccess* access =
        warp.value < variant.ofWarps.size() ? &variant.ofWarps[warp.value] : nullptr;
    return access && !access->active.empty() ? access : nullptr;
}

// Lanes above, below them the sectors they reach, one after another: what lies between is left out.
void drawLoad(Canvas& canvas, const trace::WarpAccess& access, Warp warp, const Rect& area) {
    const trace::WarpAccess half = [&] {
        trace::WarpAccess first = access;
        first.active = first.active & LaneMask::firstLanes(kLanes);
        return first;
    }();
    std::set<u64> sectors;
    for (const Lane lane : half.active)
        for (u64 at = half.addresses[lane.value] / model::kSectorBytes;
             at <= (half.addresses[lane.value] + half.widthBytes - 1) / model::kSectorBytes; ++at)
            sectors.insert(at);
    constexpr f32 kCell = 6;
    const f32 cell = area.width / f32(kLanes),
              pixels = sectors.empty() ? 0 : area.width / f32(sectors.size() * model::kSectorBytes);
    const f32 ground = area.bottom() - kCell;
    const auto xOf = [&](u64 address) {
        const f32 before = f32(std::distance(sectors.begin(), sectors.find(address / model::kSectorBytes)));
        return area.x + (before * f32(model::kSectorBytes) + f32(address % model::kSectorBytes)) * pixels;
    };
    std::size_t place = 0;
    for (const u64 sector : sectors) {
        const bool isApart = place > 0 && !sectors.contains(sector - 1);
        const f32 x = area.x + f32(place++ * model::kSectorBytes) * pixels;
        canvas.rect({x + (isApart ? 1.0f : 0.0f), ground,
                     f32(model::kSectorBytes) * pixels - (isApart ? 1.0f : 0.0f), kCell},
                    {.fill = role(RoleKind::Wasted)});
    }
    for (u32 l = 0; l < kLanes; ++l) {
        const Lane lane{l};
        const Rect box{area.x + f32(l) * cell + 0.5f, area.y, cell - 1, kCell};
        if (!half.active.has(lane)) {
            canvas.rect(box, {.fill = role(RoleKind::Inactive)});
            continue;
        }
        const Role color = warpRole(warp, lane, kWarpSize);
        const f32 from = xOf(half.addresses[l]), wide = std::max(1.0f, f32(half.widthBytes) * pixels - 0.5f);
        canvas.rect(box, {.fill = color});
        canvas.rect({from, ground, wide, kCell}, {.fill = color});
        canvas.line({box.centre().x, area.y + kCell + 1}, {from + wide / 2, ground - 1}, {color, 1});
    }
}

// On so many lines, the last of which is cut where it has no room for the rest.
std::vector<std::string> titleLines(const Canvas& canvas, const std::string& title, f32 room,
                                    const TextStyle& style, std::size_t most) {
    std::vector<std::string> lines = canvas.wrap(title, room, style);
    if (lines.size() <= most) return lines;
    std::size_t rest = 0;
    for (std::size_t i = 0; i + 1 < most; ++i)
        rest = title.find_first_not_of(' ', title.find(lines[i], rest) + lines[i].size());
    lines.resize(most);
    if (rest != std::string::npos) lines.back() = title.substr(rest);
    return lines;
}

}  // namespace

f32 drawVariantRow(Canvas& canvas, const ViewInput& in, const Rect& area) {
    const std::vector<run::VariantAccess>& variants = in.run.variants;
    if (variants.size() < 2 || !in.run.catalog) return 0;
    const f32 wide = (area.width + kApart) / f32(variants.size()) - kApart;
    if (wide < kLeastWide) return 0;
    const bool isSmall = wide < kLeastTitled,
               isTitled = !isSmall || (wide >= kLeastSmallTitled && area.height >= kTallForSmallTitles);
    const f32 inner = isSmall ? 3 : kInner, inside = wide - 2 * inner,
              line = isSmall ? kSmallTitleLine : kTitleLine;
    const std::size_t mostLines = isSmall ? 3 : 2;
    const auto titleStyle = [&](bool isHere) {
        return TextStyle{.size = isSmall ? type::kAxis : type::kCode, .bold = isHere};
    };
    const auto isHereOf = [&](const run::VariantAccess& variant) {
        return variant.variant == in.run.catalog->variant->name;
    };
    std::size_t lines = 0;
    for (const run::VariantAccess& variant : variants)
        lines = std::max(lines, titleLines(canvas, std::string(variant.title.in(in.language)), inside,
                                           titleStyle(isHereOf(variant)), mostLines)
                                    .size());
    const f32 titles = isTitled ? f32(lines) * line : 0;
    const f32 tall = kInner + titles + kPicture + kFigureLine;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const run::VariantAccess& variant = variants[i];
        const bool isHere = isHereOf(variant);
        const Rect box{area.x + f32(i) * (wide + kApart), area.y, wide, tall};
        const std::string title(variant.title.in(in.language)),
            then = say(in.language, isHere ? kVariantHere : kVariantClick);
        const trace::WarpAccess* access = accessOfWarp(variant, in.cursor.warp);
        canvas.rect(box, {.fill = role(isHere ? RoleKind::Ground : RoleKind::Raised),
                          .stroke = isHere ? Stroke{role(RoleKind::Cursor), line::kCursor} : Stroke{},
                          .radius = radius::kControl});
        if (isTitled) {
            f32 middle = box.y + kInner + 6;
            TextStyle style = titleStyle(isHere);
            style.flow = Flow::Begins;
            for (const std::string& text : titleLines(canvas, title, inside, style, mostLines)) {
                canvas.textWithin({box.x + inner, middle}, inside, text, style);
                middle += line;
                style.flow = Flow::GoesOn;
            }
        }
        const f32 y = box.y + kInner + titles;
        std::string hover = say(in.language, kVariantIdle, title, in.cursor.warp.value, then);
        if (access) {
            const model::GlobalCost cost = model::globalCost(*access, in.profile);
            const std::string figure = figureOf(cost, in.profile, in.language),
                              number = std::to_string(in.profile.globalRule == model::GlobalRule::Sectors
                                                          ? cost.sectors
                                                          : cost.transactions);
            const TextStyle style{.size = type::kAxis,
                                  .bold = isHere,
                                  .align = Align::Centre,
                                  .role = role(isHere ? RoleKind::Text : RoleKind::TextSecond)};
            drawLoad(canvas, *access, in.cursor.warp, {box.x + inner, y, inside, kPicture - 4});
            canvas.text({box.centre().x, y + kPicture + 4},
                        canvas.width(figure, style) <= inside ? figure : number, style);
            hover = say(in.language, kVariantHover, title, in.cursor.warp.value,
                        std::min(usedBytes(*access), movedBytes(cost)), figure,
                        std::to_string(in.profile.major) + "." + std::to_string(in.profile.minor), then,
                        access->widthBytes);
        }
        Hit hit{.hover = hover};
        if (!isHere) hit.variant = variant.variant;
        canvas.hit(box, std::move(hit));
    }
    return tall;
}

}  // namespace lockstep::viz
