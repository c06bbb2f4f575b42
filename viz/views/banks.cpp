// The shared access at the cursor: a column per bank, a row per pass, a cell per word with its lanes; beside
// it the array in memory, 32 words a line; below, the wavefronts of every execution of this line in the
// block.
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/access/shared_cost.h"
#include "explain/sentences/sentence.h"
#include "model/access/shared_wavefronts.h"
#include "viz/access/access_in_brief.h"
#include "viz/access/access_of_line.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/facts/explained_run.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/bank_picture.h"
#include "viz/parts/first_around.h"
#include "viz/parts/nearby_access.h"
#include "viz/phrases.h"
#include "viz/views/views.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::viz {
namespace {

using namespace message;

// Where the whole title has no room.
constexpr Words kExecutionsBrief = english("Wavefronts of line {0} in this block");
constexpr Words kExecutionsLeast = english("Wavefronts, line {0}");

constexpr Words kCountedNote = english(
    "All lanes add 1 and the result is unused: the lanes at each word are counted, and the count is added "
    "in one step.");
constexpr Words kRoundsNote = english(
    "The hardware has no such adder: it loads, computes, and compares and swaps, again and again until no "
    "lane has lost.");

struct Picture {
    const ViewInput& in;
    const CursorContext& here;
    const BankPicture& banks;
};

// What the compiler makes of the access at the cursor, where that is something else than was written.
std::optional<std::string> compilerNote(const Picture& p) {
    for (const model::SiteReport& site : p.in.run.report.sites) {
        if (site.launch != p.in.cursor.launch || site.pc != p.here.step->pc ||
            site.space != trace::Space::Shared)
            continue;
        const std::string_view source = whoSaysSo(site.fromMachineCode).in(p.in.language);
        if (site.removed) return say(p.in.language, kRemovedNote, source);
        if (site.merged)
            return say(p.in.language, kMergedNote, site.merged->members.size(), site.merged->widthBytes,
                       source);
    }
    return std::nullopt;
}

// The array that the access lies in; touched is what anything in the block did, what is left is padding.
// Mostly a few accesses settle it for all words shown.
WordsOnShow wordsOnShow(const Picture& p) {
    WordsOnShow words{.name = {},
                      .first = ~u64{0},
                      .last = 0,
                      .used = {},
                      .hatched = std::string(kHatchedUnused.in(p.in.language)),
                      .notes = {}};
    for (const BankCell& cell : p.banks.cells)
        words.first = std::min(words.first, cell.word), words.last = std::max(words.last, cell.word);
    for (const explain::SharedArray& array : sharedArrays(p.in.run, p.in.cursor.launch))
        if (array.contains(words.first * 4)) {
            words.name = array.name;
            words.first = array.base / 4;
            words.last = std::max(words.last, (array.base + array.sizeBytes + 3) / 4 - 1);
        }
    words.used = [&block = *p.here.block](u64 from, u64 end) {
        std::vector<bool> touched(end - from);
        u64 untouched = touched.size();
        const auto touch = [&](u64 word) {
            if (word < from || word >= end || touched[word - from]) return;
            touched[word - from] = true;
            --untouched;
        };
        for (const trace::WarpTrace& warp : block.warps)
            for (const trace::StoredAccess& access : warp.accesses) {
                if (!untouched) break;
                if (access.space != trace::Space::Shared) continue;
                for (const Lane lane : access.active)
                    for (u64 at = warp.address(access, lane) / 4,
                             last = (warp.address(access, lane) + access.widthBytes - 1) / 4;
                         at <= last; ++at)
                        touch(at);
            }
        return touched;
    };
    std::set<u64> distinct;
    for (const BankCell& cell : p.banks.cells)
        distinct.insert(cell.word);
    const model::SharedAtomicForm form = explain::atomicFormOf(p.banks.shown.access, *p.in.run.module);
    if (form == model::SharedAtomicForm::CountsLanes)
        words.notes.emplace_back(kCountedNote.in(p.in.language));
    if (form == model::SharedAtomicForm::Loop || form == model::SharedAtomicForm::CompareAndSwap)
        words.notes.emplace_back(kRoundsNote.in(p.in.language));
    if (distinct.size() < p.banks.cells.size()) words.notes.emplace_back(kAtomicsNote.in(p.in.language));
    if (std::optional<std::string> note = compilerNote(p)) words.notes.push_back(std::move(*note));
    return words;
}

void drawStrip(const Picture& p, const Rect& area) {
    Canvas& c = p.banks.canvas;
    const explain::SourceLine line = explain::lineOf(*p.in.run.module, p.here.step->pc);
    std::vector<explain::AccessAt> all =
        explain::accessesOfLine(p.in.run, *p.here.block, line, trace::Space::Shared);
    if (all.empty()) return;
    u64 executions = 0, wavefronts = 0;
    for (const model::SiteReport& site : p.in.run.report.sites)
        if (site.launch == p.in.cursor.launch && site.space == trace::Space::Shared &&
            explain::lineOf(*p.in.run.module, site.pc) == line)
            executions += site.executions, wavefronts += site.wavefronts;
    f32 titleRoom = area.width;
    if (executions > 0) {
        const std::string grid =
            say(p.in.language, p.in.run.recording.sample ? kSampleWavefronts : kWholeGridWavefronts,
                grouped(executions), grouped(wavefronts));
        const TextStyle style{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        if (const f32 wide = c.width(grid, style); wide < area.width * 0.5f) {
            c.text({area.right(), area.y + 8}, grid, style);
            titleRoom -= wide + 16;
        }
    }
    const TextStyle titleStyle{.size = type::kCode, .bold = true};
    c.textWithin({area.x, area.y + 8}, titleRoom,
                 firstFitting(c, titleRoom, titleStyle,
                              {say(p.in.language, kExecutionsHere, all.size(), line.line),
                               say(p.in.language, kExecutionsBrief, line.line),
                               say(p.in.language, kExecutionsLeast, line.line)}),
                 titleStyle);
    // At most so many bars as can be told apart, around the cursor's.
    const std::size_t room = std::size_t(area.width / 3);
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].warp == p.in.cursor.warp && all[i].step <= p.in.cursor.step) at = i;
    const std::size_t count = std::min(room, all.size()), from = firstAround(at, count, all.size());
    u32 most = p.in.leastScale;
    std::vector<u32> cost(count);
    for (std::size_t i = 0; i < count; ++i) {
        const explain::AccessAt& a = all[from + i];
        cost[i] = explain::sharedCost(p.here.block->warps[a.warp.value].unpack(*a.access), *p.in.run.module,
                                      p.in.profile)
                      .wavefronts;
        most = std::max(most, cost[i]);
    }
    const f32 base = area.bottom() - 20, tall = base - area.y - 28,
              wide = std::min(20.0f, area.width / f32(count));
    for (const u32 mark : {most, 1u}) {
        const f32 y = base - tall * f32(mark) / f32(most);
        c.line({area.x, y}, {area.right(), y}, {role(RoleKind::Line)});
        c.text({area.x - 8, y}, std::to_string(mark),
               {.size = type::kAxis, .mono = true, .align = Align::Right, .role = role(RoleKind::TextThird)});
    }
    c.line({area.x, base + 0.5f}, {area.right(), base + 0.5f}, {role(RoleKind::Edge)});
    constexpr f32 kLeastBar = 3;  // one wavefront beside 32 is to be seen
    f32 lastLabel = -1e9f;
    for (std::size_t i = 0; i < count; ++i) {
        const explain::AccessAt& a = all[from + i];
        const f32 x = area.x + f32(i) * wide, height = std::max(kLeastBar, tall * f32(cost[i]) / f32(most));
        c.rect({x + wide * 0.2f, base - height, wide * 0.6f, height}, {.fill = degreeRole(cost[i])});
        Cursor go = p.in.cursor;
        go.warp = a.warp, go.step = a.step;
        const Rect whole{x, area.y + 22, wide, base - area.y - 20};
        c.hit(whole,
              {.hover = say(p.in.language, kExecutionHover, a.warp.value, a.step + 1, cost[i]), .go = go});
        if (a.warp == p.in.cursor.warp && a.step == p.in.cursor.step)
            c.rect({x + 0.5f, base - tall - 5, std::max(3.0f, wide - 1), tall + 7},
                   {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = radius::kCell});
        const bool begins = i == 0 || all[from + i - 1].warp != a.warp;
        if (!begins) continue;
        if (i) c.line({x, base}, {x, base + 6}, {role(RoleKind::Edge)});
        const bool ours = a.warp == p.in.cursor.warp;
        const TextStyle style{
            .size = type::kAxis, .bold = ours, .role = role(ours ? RoleKind::Text : RoleKind::TextThird)};
        const std::string label = say(p.in.language, kWarpLower, a.warp.value);
        if (x + 4 > lastLabel && x + 4 + c.width(label, style) <= area.right())
            lastLabel = x + 12 + c.text({x + 4, base + 12}, label, style);
    }
}

std::string sentenceOf(const Picture& p) {
    const Language l = p.in.language;
    const trace::WarpAccess& access = p.banks.shown.access;
    if (p.banks.cells.empty()) return say(l, kNoActiveLane);
    if (trace::isAtomic(access.kind))
        return explain::sentenceAt(*p.in.run.module, p.in.run.recording, *p.here.block, p.in.cursor.warp,
                                   p.in.cursor.step, p.in.profile, arrayShapes(p.in.run, p.in.cursor.launch))
            .in(l);
    std::set<u32> banks;
    std::set<u64> words;
    std::map<u32, std::set<u64>> perBank;
    for (const BankCell& cell : p.banks.cells)
        banks.insert(cell.bank), words.insert(cell.word), perBank[cell.bank].insert(cell.word);
    const auto verb = verbOf(access.kind).in(l);
    if (const Message halves = model::halfWarpsText(access, p.in.profile); !halves.empty())
        return say(l, kBanksHalfWarps, p.in.cursor.warp.value, verb, words.size(), halves.in(l));
    if (words.size() == 1 && access.active.count() > 1 && p.banks.wavefronts == 1)
        return say(l, kBanksBroadcast, p.in.cursor.warp.value, verb, access.active.count(),
                   figureOf(p.banks));
    std::string text;
    std::size_t deepest = 0, shallowest = words.size();
    for (const auto& [bank, piled] : perBank)
        deepest = std::max(deepest, piled.size()), shallowest = std::min(shallowest, piled.size());
    if (p.banks.wavefronts <= p.banks.ideal && deepest > 1)
        text = say(l, deepest == shallowest ? kBanksFreeInGroups : kBanksFreeUpTo, p.in.cursor.warp.value,
                   verb, words.size(), deepest, banks.size(), figureOf(p.banks));
    else if (p.banks.wavefronts <= p.banks.ideal)
        text =
            say(l, kBanksFree, p.in.cursor.warp.value, verb, words.size(), banks.size(), figureOf(p.banks));
    else if (banks.size() == 1)
        text = say(l, kBanksOneBank, p.in.cursor.warp.value, verb, words.size(), *banks.begin(),
                   p.banks.wavefronts, p.banks.ideal);
    else
        text = say(l, kBanksConflict, p.in.cursor.warp.value, verb, words.size(), deepest, p.banks.wavefronts,
                   p.banks.ideal);
    if (p.banks.ideal > 1 && p.banks.groups.size() > 1)
        text += sentenceGap(l) +
                say(l, model::servesNeighborsTogether(access, p.in.profile) ? kBanksNeighbors : kBanksGroups,
                    p.banks.ideal, p.banks.groups.size(), access.widthBytes,
                    model::sharedLanesPerGroup(access, p.in.profile));
    return text;
}

constexpr f32 kLowStrip = 70;

// As tall as it likes, lower where that leaves every piece of the piles its number.
f32 stripHeightFor(f32 height, f32 room) {
    constexpr f32 kTall = 116, kMiddle = 90, kApart = 12, kTallFrom = 560;
    return height > kTallFrom && room - kApart >= kTall ? kTall
           : room - kApart >= kMiddle                   ? kMiddle
                                                        : kLowStrip;
}

}  // namespace

Scene buildBanks(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, kBanksTitle, why);
    if (!here.access || here.access->space != trace::Space::Shared) {
        const auto nearby = accessNearby(
            here, in.cursor, [](const trace::StoredAccess& a) { return a.space == trace::Space::Shared; });
        return nearby ? sceneNearby(in, here, *nearby, kBanksTitle, say(in.language, kNoSharedAccess),
                                    buildBanks)
                      : emptyScene(in, kBanksTitle,
                                   say(in.language, kNoSharedAccessAtAll, in.cursor.warp.value));
    }
    if (in.size.width < 280 || in.size.height < 210)
        return emptyScene(in, kBanksTitle, say(in.language, kTooSmall));
    Canvas canvas(in.size, in.metrics);
    const AccessOnShow shown = accessOnShow(in, here);
    const BankPicture banks = makeBankPicture(canvas, shown, in.profile, in.run.module.get());
    const Picture p{in, here, banks};
    const trace::WarpAccess& access = shown.access;

    const Rect body = head(canvas, in, kBanksTitle.in(in.language), placeText(in, here));
    const f32 left = 84, inner = body.width - left - space::kInset;
    // Title line: the source line, and the figure.
    const TextStyle figure{
        .size = type::kFigure,
        .bold = true,
        .align = Align::Right,
        .role = p.banks.wavefronts > 1 ? degreeRole(p.banks.wavefronts) : role(RoleKind::Text)};
    const f32 wide = canvas.text({body.width - space::kInset, body.y + 30}, figureOf(p.banks), figure);
    const explain::SourceLine line = explain::lineOf(*in.run.module, here.step->pc);
    const f32 titleRoom = inner + left - space::kInset - wide - 16;
    const TextStyle code{.size = type::kBody, .bold = true, .mono = true};
    const std::string_view text = explain::textOfLine(*in.run.module, line);
    canvas.textWithin(
        {space::kInset, body.y + 22}, titleRoom,
        explain::lineOrSide(text, trace::writes(access.kind), canvas.width(text, code) <= titleRoom), code);
    const TextStyle second{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    // The lanes that are idle are seen.
    const std::string brief = accessTextInBrief(in, access, exist);
    const std::string asks =
        firstFitting(canvas, titleRoom, second,
                     {accessText(in, access, exist) + accessOfLineText(in, here),
                      accessText(in, access, exist) + accessOfLineInBrief(in, here),
                      brief + accessOfLineInBrief(in, here), brief, brief.substr(0, brief.rfind(" · "))});
    canvas.textWithin({space::kInset, body.y + 42}, titleRoom, asks,
                      shrunkToFit(canvas, titleRoom, second, asks));
    canvas.hit({space::kInset, body.y + 34, titleRoom, 16}, {.hover = accessText(in, access, exist)});
    const bool presented = in.isPresented;
    // Side by side, strips are alike whatever lies above them.
    const f32 top = body.y + 54,
              stripHeight = presented ? 0
                            : !in.titled
                                ? kLowStrip
                                : stripHeightFor(body.height, body.bottom() - top - numberedPiles(banks)),
              bottom = body.bottom() - stripHeight - (presented ? 4 : 12);
    WordsOnShow words = wordsOnShow(p);
    if (presented) words.notes.clear(), words.brief = true;
    // The memory lies over what the piles leave empty, or below them where the picture is narrow and tall.
    const Rect whole{left, top, inner, bottom - top};
    const f32 pilesTall = 26 + 17 * f32(std::max<std::size_t>(banks.passes.size(), 4));
    const bool beneath = inner <= 520 && bottom - top - pilesTall > 180;
    if (beneath) {
        drawPiles(banks, {left, top, inner, pilesTall});
        drawMemory(banks, words,
                   {space::kInset, top + pilesTall + 14, inner + left - space::kInset,
                    bottom - top - pilesTall - 14});
    } else {
        drawPiles(banks, whole);
        // Away from the piles: what lies empty beside them is the point.
        const Rect room = roomBesidePiles(banks, whole, linesOf(banks, words));
        drawMemory(banks, words, room, whole.right() - room.right() <= room.x - whole.x);
    }
    if (!presented) drawStrip(p, {left, bottom + 10, inner, stripHeight - 8});
    Scene scene = std::move(canvas).take(sentenceOf(p));
    scene.animating = in.motion < 1;
    return scene;
}

}  // namespace lockstep::viz
