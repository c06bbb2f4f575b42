#include "viz/stages/reduction/own_elements.h"

#include "base/text/counted.h"
#include "base/text/words.h"
#include "explain/numbers.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::viz {
namespace {

using explain::OwnElement, explain::OwnSum;

constexpr Words kAdds = english("Thread {0} adds {1} {1:element|elements} of {2}; {3} of them so far.");
constexpr Words kAddsApart =
    english("Thread {0} adds {1} {1:element|elements} of {2}, {4} apart; {3} of them so far.");
constexpr Words kCombines =
    english("Thread {0} combines {1} {1:element|elements} of {2}; {3} of them so far.");

constexpr Words kElementHover = english("Thread {2} takes {0}[{1}]; its result so far is {3}.");
constexpr Words kWholeBuffer = english("{0}: {1} {1:element|elements}");

const OwnSum* ownOfCursor(const ViewInput& in, const explain::ReductionFacts& facts) {
    return explain::ownSumOf(facts, in.cursor.warp, in.cursor.lane);
}

// How far apart they lie, where that is as far for all.
std::optional<s64> distanceOf(const OwnSum& own) {
    std::set<s64> places, distances;
    for (const OwnElement& e : own.elements)
        places.insert(e.element);
    for (auto at = places.begin(); at != places.end() && std::next(at) != places.end(); ++at)
        distances.insert(*std::next(at) - *at);
    return distances.size() == 1 && places.size() > 2 ? std::optional(*distances.begin()) : std::nullopt;
}

}  // namespace

std::string ownSentenceOf(const ViewInput& in, const explain::ReductionFacts& facts, u32 order) {
    const OwnSum* own = ownOfCursor(in, facts);
    if (!own || own->elements.size() < 2) return {};
    const auto taken =
        std::ranges::count_if(own->elements, [&](const OwnElement& e) { return e.order <= order; });
    const std::string& buffer = in.run.recording.initial[own->elements.front().buffer].name;
    const u32 thread = in.cursor.warp.value * kWarpSize + in.cursor.lane.value;
    const std::optional<s64> distance = distanceOf(*own);
    return say(in.language,
               !facts.isSum                ? kCombines
               : distance && *distance > 1 ? kAddsApart
                                           : kAdds,
               thread, own->elements.size(), buffer, taken, distance.value_or(0));
}

void OwnElements::draw(Canvas& canvas, const Rect& area) const {
    constexpr f32 kTitle = 12, kBar = 14, kRow = 22;
    const OwnSum* own = ownOfCursor(in, facts);
    canvas.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Line)});
    if (!own) return;
    const auto isTaken = [&](const OwnElement& e) {
        return e.order < order || (e.order == order && in.motion >= 1);
    };
    const Buffer& buffer = in.run.recording.initial[own->elements.front().buffer];
    const f64 all = f64(std::max<u64>(1, buffer.count()));
    const TextStyle title{.size = type::kCode, .bold = true};
    const std::string said = ownSentenceOf(in, facts, order);
    canvas.textWithin({area.x, area.y + kTitle}, area.width, said,
                      shrunkToFit(canvas, area.width, title, said));

    // The whole buffer, with what each warp of the block takes of it, and the thread's own.
    const Rect bar{area.x, area.y + 2 * kTitle, area.width, kBar};
    const auto boxOf = [&](s64 first, s64 end, f32 least) {
        const f32 x = bar.x + f32(f64(first) / all) * bar.width,
                  right = bar.x + f32(f64(end) / all) * bar.width;
        return Rect{std::min(x, bar.right() - least), bar.y, std::max(least, right - x), bar.height};
    };
    canvas.rect(bar, {.fill = role(RoleKind::Inactive)});
    f32 drawn = -1;  // a warp's runs closer than half a pixel are one
    std::optional<Warp> last;
    for (const explain::OwnRun& run : facts.ownRuns) {
        if (run.buffer != own->elements.front().buffer) continue;
        const Rect box = boxOf(run.first, run.end, 0.5f);
        if (last == run.warp && box.right() < drawn + 0.5f) continue;
        canvas.rect(box, {.fill = warpRole(run.warp)});
        drawn = box.right(), last = run.warp;
    }
    for (const OwnElement& e : own->elements) {
        const Rect box = boxOf(e.element, e.element + 1, 3);
        canvas.rect({box.x, bar.y - 2, box.width, kBar + 4},
                    {.fill = isTaken(e) ? role(RoleKind::Text) : role(RoleKind::Ground),
                     .stroke = {role(RoleKind::Text)}});
    }
    canvas.hit(bar, {.hover = say(in.language, kWholeBuffer, buffer.name, grouped(buffer.count()))});

    // Its elements one by one, in the order in which it takes them: those around the next one.
    const TextStyle name{.size = type::kCode, .mono = true, .align = Align::Centre};
    const TextStyle sum{.size = type::kCode, .bold = true, .mono = true};
    const auto nameOf = [&](const OwnElement& e) { return fmt::format("{}[{}]", buffer.name, e.element); };
    f32 wide = 40, widest = 40;
    for (const OwnElement& e : own->elements) {
        wide = std::max(wide, canvas.width(nameOf(e), name) + 12);
        widest = std::max(widest, canvas.width("= " + explain::numberText(e.sum, facts.isFloat), sum));
    }
    const std::size_t taken = std::size_t(std::ranges::count_if(own->elements, isTaken));
    const f32 room = area.width - widest - 16;
    const std::size_t count = std::min(own->elements.size(), std::size_t(std::max(1.0f, room / wide))),
                      first =
                          std::min(taken > count / 2 ? taken - count / 2 : 0, own->elements.size() - count);
    const f32 top = bar.bottom() + 10;
    for (std::size_t i = first; i < first + count; ++i) {
        const OwnElement& e = own->elements[i];
        const Rect cell{area.x + f32(i - first) * wide + 1, top, wide - 3, kRow};
        const Role fill = isTaken(e) ? warpRole(own->warp) : role(RoleKind::Ground);
        canvas.rect(cell, {.fill = fill,
                           .stroke = isTaken(e) ? Stroke{} : Stroke{role(RoleKind::Edge), 1, Dash::Dotted},
                           .radius = 2});
        TextStyle style = name;
        style.role = isTaken(e) ? inkOn(fill) : role(RoleKind::TextSecond);
        canvas.text(cell.centre(), nameOf(e), style);
        Cursor go = in.cursor;
        go.step = e.step;
        canvas.hit(cell, {.hover = say(in.language, kElementHover, buffer.name, std::to_string(e.element),
                                       own->warp.value * kWarpSize + own->lane.value,
                                       explain::numberText(e.sum, facts.isFloat)),
                          .go = go});
    }
    if (taken > 0)
        canvas.text({area.x + f32(count) * wide + 8, top + kRow / 2},
                    "= " + explain::numberText(own->elements[taken - 1].sum, facts.isFloat), sum);
}

}  // namespace lockstep::viz
