// One access of a warp without a kernel, as the memory that it goes to serves it: the same marks as in the views of banks and sectors,
// with lanes that can be dragged onto words; what the other memory would make of it in a word.
#include "viz/playground.h"

#include <algorithm>

#include "model/access_pattern.h"
#include "model/global_sectors.h"
#include "model/shared_wavefronts.h"
#include "model/sentence.h"
#include "viz/address_in_numbers.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stage/bank_picture.h"
#include "viz/stage/device_columns.h"
#include "viz/stage/request_picture.h"
#include "viz/views/views.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kMemoryBelowFrom = 400;   // pixels of height from which on the words in memory can stand below the banks
constexpr f32 kMemoryBesideFrom = 900;  // pixels of width from which on they stand beside them all the same
constexpr f32 kFormula = 20;            // a line of the address in numbers

constexpr Words kElementOf{"element {0}", "元素 {0}"};
constexpr Words kByHand{"lanes placed by hand", "手动摆放的通道"};
constexpr Words kSomeByHand{"{0} {0:lane|lanes} moved by hand", "手动移动了 {0} 个通道"};
constexpr Words kPadded{"{0} {0:element|elements} of padding after {1}", "每 {1} 个元素后填充 {0} 个"};
constexpr Words kSwizzled{"columns swizzled in rows of {0}", "每行 {0} 个元素，列号异或行号"};
constexpr Words kAsShared{"In shared memory", "在共享内存中"};
constexpr Words kAsGlobal{"In global memory", "在全局内存中"};
constexpr Words kElsewhereShared{"The same lanes in shared memory: {0}.", "同样的通道访问共享内存：{0}。"};
constexpr Words kElsewhereGlobal{"The same lanes in global memory, compute capability {0}.{1}: {2}.", "同样的通道访问全局内存（计算能力 {0}.{1}）：{2}。"};
constexpr Words kPaddingHatched{"Hatched: padding.", "斜线：填充。"};
constexpr Words kLaneReaches{"Lane {0}: element {1}, from byte {2}. Drag it to another place.", "通道 {0}：元素 {1}，从第 {2} 字节起。可以拖到别处。"};
constexpr Words kLaneIsOff{"Lane {0} is off. Drag it to a place to switch it on.", "通道 {0} 不执行。拖到某处即可让它执行。"};
constexpr Words kAllOff{"All lanes are off: nothing is touched. Reset, or choose a preset.", "所有通道都不执行，没有任何访问。请重置，或选一个典型模式。"};

std::string captionOf(const model::AccessPattern& pattern, Language l) {
    const std::string join = " · ";
    std::string text = pattern.expression.empty() ? std::string(kByHand.in(l)) : say(l, kElementOf, pattern.expression);
    const auto moved = std::ranges::count_if(pattern.moved, [](const auto& place) { return place.has_value(); });
    if (moved > 0 && !pattern.expression.empty()) text += join + say(l, kSomeByHand, moved);
    if (pattern.rows.padding) text += join + say(l, kPadded, pattern.rows.padding, pattern.rows.elements);
    if (pattern.rows.swizzled) text += join + say(l, kSwizzled, pattern.rows.elements);
    return text + join + say(l, kAccessKind, wordsFor(pattern.space).in(l), wordsFor(pattern.operation).in(l)) + join + say(l, kBytesALane, pattern.widthBytes);
}

AccessOnShow onShow(const ViewInput& in, const Playground& playground, const model::AccessQuery& query, trace::Space space) {
    AccessOnShow shown{.access = model::accessOf(query), .language = in.language, .warp = {}, .cursor = playground.lane, .motion = 1, .zero = model::kOffsetZero, .movable = true};
    shown.access.space = space;
    shown.hit = [language = in.language, offsets = query.offsets, width = query.widthBytes](Lane lane) {
        const std::optional<s64> offset = offsets[lane.value];
        return Hit{.hover = offset ? say(language, kLaneReaches, lane.value, *offset / s64{width}, *offset) : say(language, kLaneIsOff, lane.value), .grip = lane};
    };
    return shown;
}

// At least a tile of 32 x 32, so that there are places to drag to.
WordsOnShow tile(const BankPicture& picture, const model::AccessPattern& pattern, Language language) {
    const u64 zero = picture.shown.zero / 4, least = u64{picture.banks} * 32;
    u64 first = zero, last = zero + least - 1;
    for (const BankCell& cell : picture.cells) first = std::min(first, cell.word);
    const auto used = [zero, pattern](u64 from, u64 end) {
        std::vector<bool> used(end - from);
        for (u64 word = from; word < end; ++word) {
            const s64 byte = s64(word - zero) * 4, width = pattern.widthBytes;
            used[word - from] = pattern.rows.isUsed(byte >= 0 ? byte / width : -((-byte + width - 1) / width));
        }
        return used;
    };
    return {.name = {}, .first = first, .last = last, .used = used, .hatched = std::string(kPaddingHatched.in(language)), .notes = {}};
}

// The space, how the address of the lane that is talked about comes about, and what the same lanes cost in the other space; the figure at
// the right. Returns the height used.
f32 drawHeading(Canvas& canvas, const ViewInput& in, const Playground& playground, const Rect& area, std::string_view title, const std::string& figure, Role figureRole, const std::string& elsewhere) {
    const TextStyle big{.size = type::kFigure, .bold = true, .align = Align::Right, .role = figureRole}, second{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    const f32 wide = figure.empty() ? 0 : canvas.text({area.right(), area.y + 22}, figure, big) + 16;
    const f32 named = canvas.textWithin({area.x, area.y + 14}, area.width - wide, title, {.size = type::kTitle, .bold = true}) + 16;
    if (canvas.width(elsewhere, second) <= area.width - wide - named) canvas.text({area.x + named, area.y + 15}, elsewhere, second);
    TextStyle formula{.mono = true};
    const std::string numbers = addressInNumbers(playground.pattern, playground.lane, in.profile, in.language);
    if (numbers.empty() || area.height < 180) return 38;
    // Below the figure where it has no room beside it, and smaller rather than cut.
    const bool beside = canvas.width(numbers, formula) <= area.width - wide;
    constexpr u32 kMostLines = 3;
    if (canvas.wrap(numbers, area.width, formula).size() > kMostLines) formula.size = type::kAxis;
    const f32 top = beside ? 38 : 52;
    return top - 8 + kFormula * f32(std::max(1u, canvas.paragraph({area.x, area.y + top}, beside ? area.width - wide : area.width, numbers, formula, kFormula / formula.size, kMostLines)));
}

void drawShared(Canvas& canvas, const ViewInput& in, const Playground& playground, const model::AccessQuery& query, const Rect& area) {
    const AccessOnShow shown = onShow(in, playground, query, trace::Space::Shared);
    const BankPicture picture = makeBankPicture(canvas, shown, in.profile);
    const Rect inner{area.x + space::kInset, area.y, area.width - 2 * space::kInset, area.height};
    const model::GlobalCost inGlobal = model::globalCost(onShow(in, playground, query, trace::Space::Global).access, in.profile);
    const std::string elsewhere = say(in.language, kElsewhereGlobal, in.profile.major, in.profile.minor, figureOf(inGlobal, in.profile, in.language));
    const f32 top = inner.y + drawHeading(canvas, in, playground, inner, kAsShared.in(in.language), figureOf(picture), degreeRole(std::max(1u, picture.wavefronts)), elsewhere);
    const f32 left = inner.x + 40, wide = inner.right() - left, height = inner.bottom() - top - 4;
    if (height >= kMemoryBelowFrom && wide < kMemoryBesideFrom) {
        const f32 upper = std::floor(height * 0.5f);
        drawPiles(picture, {left, top, wide, upper});
        drawMemory(picture, tile(picture, playground.pattern, in.language), {left, top + upper + 12, wide, height - upper - 12});
        return;
    }
    const bool lens = wide > 480 && height > 150;  // the least that leaves three pixels for a word, and lines for them
    const f32 piles = lens ? std::clamp(wide * 0.5f, std::min(wide * 0.6f, f32(picture.banks) * 12), f32(picture.banks) * 20) : wide;
    drawPiles(picture, {left, top, piles, height});
    if (lens) drawMemory(picture, tile(picture, playground.pattern, in.language), {left + piles + 20, top, wide - piles - 20, height});
}

void drawGlobal(Canvas& canvas, const ViewInput& in, const Playground& playground, const model::AccessQuery& query, const Devices& devices, const Rect& area) {
    const AccessOnShow shown = onShow(in, playground, query, trace::Space::Global);
    const Rect inner{area.x + space::kInset, area.y, area.width - 2 * space::kInset, area.height};
    const u32 wavefronts = model::sharedWavefronts(onShow(in, playground, query, trace::Space::Shared).access, in.profile);
    const f32 used = drawHeading(canvas, in, playground, inner, kAsGlobal.in(in.language), "", {}, say(in.language, kElsewhereShared, say(in.language, kWavefronts, wavefronts)));
    drawDeviceColumns(canvas, shown, devices, {area.x, area.y + used - 8, area.width, area.height - used + 8});
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
    if (in.size.width < 280 || in.size.height < (isShared ? 100 : 230)) return emptyScene(in, kPlaygroundTitle, say(in.language, kTooSmall));

    Canvas canvas(in.size, in.metrics);
    Rect body = head(canvas, in, kPlaygroundTitle.in(in.language), captionOf(pattern, in.language));
    if (isShared) {
        drawShared(canvas, in, playground, *query, body);
    } else {
        const Devices devices = devicesOnShow(in, body.width);
        const f32 used = drawDeviceChoice(canvas, in, devices, {body.x + space::kInset, body.y + 8, body.width - 2 * space::kInset, body.height}) + 14;
        drawGlobal(canvas, in, playground, *query, devices, {body.x, body.y + used, body.width, body.height - used});
    }
    const model::AccessWords words{};
    return std::move(canvas).take((isShared ? model::sharedSentence(access, in.profile, words) : model::globalSentence(access, in.profile, words)).in(in.language));
}

}  // namespace lockstep::viz
