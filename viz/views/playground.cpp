// One access of a warp without a kernel, as banks and as sectors serve it: the same marks as in the views of
// banks and sectors, with lanes that can be dragged onto words. The memory that was chosen is drawn large,
// the other one smaller.
#include "viz/cursor/playground.h"

#include "explain/access/address_in_numbers.h"
#include "explain/sentences/sentence.h"
#include "model/access/access_pattern.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/bank_picture.h"
#include "viz/parts/device_columns.h"
#include "viz/parts/request_picture.h"
#include "viz/phrases.h"
#include "viz/views/views.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kMemoryBelowFrom =
    400;  // pixels of height from which on the words in memory can stand below the banks
constexpr f32 kMemoryBesideFrom = 900;  // pixels of width from which on they stand beside them all the same
constexpr f32 kFormula = 20;            // a line of the address in numbers
constexpr f32 kFormulaFrom = 170;       // pixels of height from which on there is room for it
constexpr f32 kTitled = 30, kOtherTitled = 22;  // the heights of the headings
constexpr f32 kLeastPicture = 88,
              kLeastOtherPicture = 80;  // where not even this is left, there is only the heading
constexpr f32 kColumnsFrom = 200;  // pixels of height from which on the devices can stand side by side, with
                                   // the chips that choose them
constexpr f32 kBesideFrom = 900,
              kBesideBelow =
                  400;  // of the picture, wide and low: the other memory stands beside the chosen one

constexpr Words kElementOf = english("element {0}");
constexpr Words kByHand = english("lanes placed by hand");
constexpr Words kSomeByHand = english("{0} {0:lane|lanes} set by hand");
constexpr Words kPadded = english("{0} {0:element|elements} of padding after every {1}");
constexpr Words kSwizzled = english("columns swizzled in rows of {0}");
constexpr Words kAsShared = english("As a shared address: {0}");
constexpr Words kAsGlobal = english("As a global address: {0}");
constexpr Words kOfCapability = english("compute capability {0}.{1}");
constexpr Words kPaddingHatched = english("Hatched: padding.");
constexpr Words kLaneReaches = english("Lane {0}: element {1}, from byte {2}. Drag it to another place.");
constexpr Words kLaneIsOff = english("Lane {0} is inactive. Drag it to a place to activate it.");
constexpr Words kAllOff = english("All lanes are inactive: nothing is accessed. Reset, or choose a preset.");

std::string captionOf(const model::AccessPattern& pattern, Language l) {
    const std::string join = " · ";
    std::string text =
        pattern.expression.empty() ? std::string(kByHand.in(l)) : say(l, kElementOf, pattern.expression);
    const auto moved =
        std::ranges::count_if(pattern.moved, [](const auto& place) { return place.has_value(); });
    if (moved > 0 && !pattern.expression.empty()) text += join + say(l, kSomeByHand, moved);
    if (pattern.rows.padding) text += join + say(l, kPadded, pattern.rows.padding, pattern.rows.elements);
    if (pattern.rows.swizzled) text += join + say(l, kSwizzled, pattern.rows.elements);
    return text + join + accessName(l, pattern.space, pattern.operation) + join +
           say(l, kBytesALane, pattern.widthBytes);
}

AccessOnShow onShow(const ViewInput& in, const Playground& playground, const model::AccessQuery& query,
                    trace::Space space) {
    AccessOnShow shown{.access = model::accessOf(query),
                       .language = in.language,
                       .warp = {},
                       .cursor = playground.lane,
                       .motion = 1,
                       .zero = model::kOffsetZero,
                       .movable = true};
    shown.access.space = space;
    shown.hit = [language = in.language, offsets = query.offsets, width = query.widthBytes](Lane lane) {
        const std::optional<s64> offset = offsets[lane.value];
        return Hit{.hover = offset ? say(language, kLaneReaches, lane.value, *offset / s64{width}, *offset)
                                   : say(language, kLaneIsOff, lane.value),
                   .grip = lane};
    };
    return shown;
}

// At least a tile of 32 x 32, so that there are places to drag to.
WordsOnShow tile(const BankPicture& picture, const model::AccessPattern& pattern, Language language) {
    const u64 zero = picture.shown.zero / 4, least = u64{picture.banks} * 32;
    u64 first = zero, last = zero + least - 1;
    for (const BankCell& cell : picture.cells)
        first = std::min(first, cell.word);
    const auto used = [zero, pattern](u64 from, u64 end) {
        std::vector<bool> used(end - from);
        for (u64 word = from; word < end; ++word) {
            const s64 byte = s64(word - zero) * 4, width = pattern.widthBytes;
            used[word - from] =
                pattern.rows.isUsed(byte >= 0 ? byte / width : -((-byte + width - 1) / width));
        }
        return used;
    };
    return {.name = {},
            .first = first,
            .last = last,
            .used = used,
            .hatched = std::string(kPaddingHatched.in(language)),
            .notes = {}};
}

// Both pictures of the access.
struct Page {
    Canvas& canvas;
    const ViewInput& in;
    const Playground& playground;
    const model::AccessQuery& query;

    bool isChosen(trace::Space space) const { return playground.pattern.space == space; }
};

// Which memory, and what the access costs there: the line that tells the two pictures apart.
void drawTitle(const Page& page, const Rect& area, trace::Space space, const std::string& figure,
               Role figureRole) {
    const bool chosen = page.isChosen(space), isShared = space == trace::Space::Shared;
    const f32 middle = area.y + (chosen ? 16 : 12);
    const std::string title = say(page.in.language, isShared ? kAsShared : kAsGlobal, figure);
    if (chosen) page.canvas.rect({area.x, middle - 8, 4, 16}, {.fill = figureRole});
    const f32 left = area.x + (chosen ? 10 : 0);
    const f32 wide = page.canvas.textWithin(
        {left, middle}, area.right() - left, title,
        shrunkToFit(page.canvas, area.right() - left,
                    {.size = chosen ? type::kName : type::kBody, .bold = true}, title));
    const TextStyle second{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    const std::string rules =
        isShared ? std::string()
                 : say(page.in.language, kOfCapability, page.in.profile.major, page.in.profile.minor);
    if (page.canvas.width(rules, second) + 16 <= area.right() - left - wide)
        page.canvas.text({area.right(), middle + 1}, rules, second);
}

// How the address of the lane that is talked about comes about. Returns the height used.
f32 drawFormula(const Page& page, const Rect& area) {
    TextStyle formula{.mono = true};
    const std::string numbers = explain::addressInNumbers(page.playground.pattern, page.playground.lane,
                                                          page.in.profile, page.in.language);
    if (numbers.empty()) return 0;
    constexpr u32 kMostLines = 3;
    // Smaller rather than cut.
    if (page.canvas.wrap(numbers, area.width, formula).size() > kMostLines) formula.size = type::kAxis;
    return kFormula * f32(std::max(1u, page.canvas.paragraph({area.x, area.y + 8}, area.width, numbers,
                                                             formula, kFormula / formula.size, kMostLines)));
}

void drawShared(const Page& page, const BankPicture& picture, const Rect& area) {
    const f32 left = area.x + 40, wide = area.right() - left, height = area.height - 4;
    const WordsOnShow words = tile(picture, page.playground.pattern, page.in.language);
    if (height >= kMemoryBelowFrom && wide < kMemoryBesideFrom) {
        const f32 upper = std::floor(height * 0.5f);
        drawPiles(picture, {left, area.y, wide, upper});
        drawMemory(picture, words, {left, area.y + upper + 12, wide, height - upper - 12});
        return;
    }
    const bool lens = page.isChosen(trace::Space::Shared) && wide > 480 &&
                      height > 150;  // the least that leaves three pixels for a word, and lines for them
    const f32 piles = lens ? std::clamp(wide * 0.5f, std::min(wide * 0.6f, f32(picture.banks) * 12),
                                        f32(picture.banks) * 20)
                           : wide;
    drawPiles(picture, {left, area.y, piles, height});
    if (lens) drawMemory(picture, words, {left + piles + 20, area.y, wide - piles - 20, height});
}

void drawGlobal(const Page& page, const AccessOnShow& shown, const model::GlobalCost& cost,
                const Rect& area) {
    if (page.isChosen(trace::Space::Global) && area.height >= kColumnsFrom) {
        const Devices devices = devicesOnShow(page.in, area.width);
        const f32 used =
            drawDeviceChoice(page.canvas, page.in, devices, {area.x, area.y, area.width, area.height}) + 4;
        drawDeviceColumns(
            page.canvas, shown, devices,
            {area.x - space::kInset, area.y + used, area.width + 2 * space::kInset, area.height - used});
        return;
    }
    const Ruler ruler = makeRuler(shown, {&cost, 1}, area);
    const RequestPicture picture{page.canvas, shown, page.in.profile, cost, ruler};
    const bool isSectors = page.in.profile.globalRule == model::GlobalRule::Sectors;
    const f32 items = std::min(area.height * 0.4f, isSectors ? 20.0f : 12.0f * f32(cost.items.size()));
    const f32 noHalves =
        isSectors ? 12.0f : 0.0f;  // without a line above the lanes that names the half warps
    const f32 y = drawLanesAndRuler(picture, area.y - noHalves, area.height + noHalves - items);
    drawItems(picture, y + 4, area.bottom());
}

void drawMemoryOf(const Page& page, trace::Space space, const Rect& area) {
    const AccessOnShow shown = onShow(page.in, page.playground, page.query, space);
    const f32 titled = page.isChosen(space) ? kTitled : kOtherTitled;
    Rect rest{area.x, area.y + titled, area.width, area.height - titled};
    const auto formula = [&] {
        if (!page.isChosen(space) || area.height < kFormulaFrom) return;
        const f32 used = drawFormula(page, rest) + 4;
        rest = {rest.x, rest.y + used, rest.width, rest.height - used};
    };
    const bool hasRoom = rest.height >= (page.isChosen(space) ? kLeastPicture : kLeastOtherPicture) - 1;
    if (space == trace::Space::Shared) {
        const BankPicture picture = makeBankPicture(page.canvas, shown, page.in.profile);
        drawTitle(page, area, space, figureOf(picture), degreeRole(std::max(1u, picture.wavefronts)));
        formula();
        if (hasRoom) drawShared(page, picture, rest);
    } else {
        const model::GlobalCost cost = model::globalCost(shown.access, page.in.profile);
        drawTitle(page, area, space, figureOf(cost, page.in.profile, page.in.language), warpRole(shown.warp));
        formula();
        if (hasRoom) drawGlobal(page, shown, cost, rest);
    }
}

// The chosen memory large; the other beside it where the picture is wide and low, else below it.
void drawBoth(const Page& page, const Rect& body) {
    const trace::Space chosen = page.playground.pattern.space,
                       other = chosen == trace::Space::Shared ? trace::Space::Global : trace::Space::Shared;
    const Rect inner{body.x + space::kInset, body.y, body.width - 2 * space::kInset, body.height - 4};
    if (inner.width >= kBesideFrom && inner.height < kBesideBelow) {
        const f32 left = std::floor(inner.width * 0.62f);
        drawMemoryOf(page, chosen, {inner.x, inner.y, left, inner.height});
        page.canvas.line({inner.x + left + 16, inner.y + 8}, {inner.x + left + 16, inner.bottom()},
                         {role(RoleKind::Edge)});
        drawMemoryOf(page, other,
                     {inner.x + left + 32, inner.y + 4, inner.width - left - 32, inner.height - 4});
        return;
    }
    const f32 room = inner.height - kTitled - kLeastPicture - kOtherTitled;
    const f32 below =
        kOtherTitled + (room >= kLeastOtherPicture
                            ? std::clamp(inner.height * 0.32f - kOtherTitled, kLeastOtherPicture, 190.0f)
                            : 0);
    const f32 upper = inner.height - below - 8;
    drawMemoryOf(page, chosen, {inner.x, inner.y, inner.width, upper});
    page.canvas.line({inner.x, inner.y + upper + 4}, {inner.right(), inner.y + upper + 4},
                     {role(RoleKind::Edge)});
    drawMemoryOf(page, other, {inner.x, inner.y + upper + 8, inner.width, below});
}

}  // namespace

Scene buildPlayground(const ViewInput& in) {
    static const Playground kFirst{};
    const Playground& playground = in.playground ? *in.playground : kFirst;
    const model::AccessPattern& pattern = playground.pattern;
    const Expected<model::AccessQuery> query = model::queryOf(pattern);
    if (!query) return emptyScene(in, kPlaygroundTitle, describe(query.error(), in.language));
    const trace::WarpAccess access = model::accessOf(*query);
    if (access.active.empty()) return emptyScene(in, kPlaygroundTitle, std::string(kAllOff.in(in.language)));
    const bool isShared = pattern.space == trace::Space::Shared;
    if (in.size.width < 280 || in.size.height < 100)
        return emptyScene(in, kPlaygroundTitle, say(in.language, kTooSmall));

    Canvas canvas(in.size, in.metrics);
    const Rect body =
        headWithoutKernel(canvas, in, kPlaygroundTitle.in(in.language), captionOf(pattern, in.language));
    drawBoth({canvas, in, playground, *query}, body);
    const explain::AccessWords words{};
    return std::move(canvas).take((isShared ? explain::sharedSentence(access, in.profile, words)
                                            : explain::globalSentence(access, in.profile, words))
                                      .in(in.language));
}

}  // namespace lockstep::viz
