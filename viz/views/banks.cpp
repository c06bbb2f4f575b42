// The shared access at the cursor: a column per bank, a row per pass, a cell per word with its lanes; beside it the array in
// memory, 32 words a line; below, the wavefronts of every execution of this line in the block.
#include "viz/views/views.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/shared_wavefronts.h"
#include "viz/lookup.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/shared_arrays.h"

namespace lockstep::viz {
namespace {

using namespace message;

const TextStyle kAxis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
const TextStyle kNote{.size = type::kAxis, .role = role(RoleKind::TextThird)};

// One word in one pass, and the lanes that it serves.
struct Cell { u32 pass, bank; u64 word; LaneMask lanes; };

struct Picture {
    const ViewInput& in;
    const Here& here;
    Canvas& canvas;
    trace::WarpAccess access;
    std::vector<model::Pass> passes;
    std::vector<Cell> cells;
    u32 banks = 32, wavefronts = 0, ideal = 0;
};

std::vector<Cell> cellsOf(const std::vector<model::Pass>& passes) {
    std::vector<Cell> cells;
    for (u32 p = 0; p < passes.size(); ++p) {
        const std::size_t first = cells.size();
        for (const model::Pass::Use& use : passes[p].uses) {
            const auto same = std::find_if(cells.begin() + std::ptrdiff_t(first), cells.end(), [&](const Cell& c) { return c.bank == use.bank && c.word == use.word; });
            if (same != cells.end()) same->lanes = same->lanes | LaneMask::of(use.lane);
            else cells.push_back({p, use.bank, use.word, LaneMask::of(use.lane)});
        }
    }
    return cells;
}

Cursor withLane(Cursor cursor, Lane lane) {
    cursor.lane = lane;
    return cursor;
}

std::string hoverOf(const Picture& p, const Cell& cell) {
    if (cell.lanes.count() == 1) return say(p.in.language, kLaneTouchesWord, cell.lanes.lowest().value, cell.word, cell.bank, cell.pass + 1);
    return say(p.in.language, kLanesShareWord, lanesText(cell.lanes), cell.word, cell.bank, cell.pass + 1);
}

// The cursor's lane if the cell has it, else its lowest.
Lane laneToGo(const Picture& p, const Cell& cell) { return cell.lanes.has(p.in.cursor.lane) ? p.in.cursor.lane : cell.lanes.lowest(); }

void drawPiles(const Picture& p, const Rect& area) {
    Canvas& c = p.canvas;
    const f32 column = area.width / f32(p.banks), top = area.y + 20;
    const u32 rows = std::max<u32>(1, u32(p.passes.size()));
    const f32 row = std::min(16.0f, (area.bottom() - top - 6) / f32(std::max(rows, 4u))), full = area.bottom() - top;
    std::vector<u32> height(p.banks, 0);
    for (const Cell& cell : p.cells) height[cell.bank] = std::max(height[cell.bank], cell.pass + 1);
    const f32 labelWidth = c.width("31", kAxis) + 3;
    const u32 every = column >= labelWidth ? 1 : column * 2 >= labelWidth ? 2 : column * 4 >= labelWidth ? 4 : 8;
    for (u32 bank = 0; bank < p.banks; ++bank) {
        const f32 x = area.x + f32(bank) * column;
        c.rect({x + 1, top, column - 2, full}, {.fill = role(RoleKind::Panel), .radius = radius::kCell});
        if (height[bank]) c.rect({x + 1, top, column - 2, f32(height[bank]) * row + 4}, {.fill = role(RoleKind::Raised), .radius = radius::kCell});
        if (bank % every) continue;
        TextStyle style = kAxis;
        style.align = Align::Centre;
        if (height[bank]) style.bold = true, style.role = role(RoleKind::Text);
        c.text({x + column / 2, area.y + 9}, std::to_string(bank), style);
    }
    TextStyle right = kNote;
    right.align = Align::Right;
    c.textWithin({area.x - 8, area.y + 9}, area.x - 10, kBank.in(p.in.language), right);
    const u32 labelEvery = u32(std::ceil(13 / row));
    for (u32 pass = 0; pass < p.passes.size(); ++pass) {
        const f32 y = top + 2 + (f32(pass) + 0.5f) * row;
        if (pass == 0) c.textWithin({area.x - 8, y}, area.x - 10, say(p.in.language, kPass, 1), right);
        else if ((pass + 1) % std::max(4u, labelEvery) == 0 && row * f32(pass) > 14) c.text({area.x - 8, y}, std::to_string(pass + 1), {.size = type::kAxis, .mono = true, .align = Align::Right, .role = role(RoleKind::TextThird)});
    }
    // Passes fall into place one after another while the step is under way.
    const u32 shown = p.in.motion >= 1 ? rows : u32(std::ceil(p.in.motion * f32(rows)));
    const Cell* current = nullptr;
    const auto boxOf = [&](const Cell& cell) { return Rect{area.x + f32(cell.bank) * column + 1, top + 2 + f32(cell.pass) * row + 0.5f, column - 2, row - 1.5f}; };
    for (const Cell& cell : p.cells) {
        if (cell.pass >= shown) continue;
        const Rect box = boxOf(cell);
        const Role fill = degreeRole(cell.pass + 1);
        c.rect(box, {.fill = fill, .radius = std::min(6.0f, box.height / 2)});
        const std::string lanes = cell.lanes.count() == 1 ? std::to_string(cell.lanes.lowest().value) : "×" + std::to_string(cell.lanes.count());
        TextStyle style{.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
        style.size = fittingSize(c, lanes, box.width, style, std::min(type::kAxis, box.height));
        if (style.size > 0 && box.height >= 9) c.text(box.centre(), lanes, style);
        c.hit(box, {.hover = hoverOf(p, cell), .go = withLane(p.in.cursor, laneToGo(p, cell))});
        if (cell.lanes.has(p.in.cursor.lane)) current = &cell;
    }
    if (current) cursorBox(c, boxOf(*current), 7);
}

// The words from the array's first line to its last, or as many lines around the access as fit.
// What the compiler merges the access at the cursor into, if it does.
const model::SiteReport::Merged* mergedHere(const Picture& p) {
    for (const model::SiteReport& site : p.in.run.report.sites)
        if (site.launch == p.in.cursor.launch && site.pc == p.here.step->pc && site.space == trace::Space::Shared && site.merged)
            return &*site.merged;
    return nullptr;
}

void drawMemory(const Picture& p, const Rect& area) {
    Canvas& c = p.canvas;
    if (p.cells.empty()) return;
    u64 first = p.cells[0].word, last = first;
    for (const Cell& cell : p.cells) first = std::min(first, cell.word), last = std::max(last, cell.word);
    std::string name;
    for (const SharedArray& array : sharedArrays(p.in.run, p.in.cursor.launch))
        if (array.contains(first * 4)) {
            name = array.name;
            first = array.base / 4;
            last = std::max(last, (array.base + array.sizeBytes + 3) / 4 - 1);
        }
    const u64 firstLine = first / p.banks, lines = last / p.banks - firstLine + 1;
    const bool withWords = area.width >= 32 * 7 + 130;  // room for "lane 31  word 1023"
    const f32 size = std::min(10.0f, std::floor((area.width - (withWords ? 130 : 66)) / f32(p.banks)));
    const f32 top = area.y + 46;
    if (size < 3 || area.bottom() - top < 60) return;
    const u32 room = u32((area.bottom() - top - 44) / size), shown = u32(std::min<u64>(room, lines));
    // Start where the access starts if not all lines fit.
    u64 lowest = p.cells[0].word;
    for (const Cell& cell : p.cells) lowest = std::min(lowest, cell.word);
    const u64 start = lines <= room ? firstLine : std::min(lowest / p.banks, firstLine + lines - shown);
    const f32 left = area.x + 12;
    c.rect({area.x, area.y, area.width, 46 + f32(shown) * size + 44}, {.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Line)}, .radius = radius::kPanel});
    c.textWithin({left, area.y + 16}, area.width - 24, (name.empty() ? "" : name + " · ") + say(p.in.language, kMemoryLines, p.banks), {.size = type::kCode, .bold = true});
    c.textWithin({left, area.y + 36}, size * 16 - 4, std::string(kBank.in(p.in.language)) + " 0", kNote);
    c.text({left + size * f32(p.banks), area.y + 36}, std::to_string(p.banks - 1), {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)});

    // By anything the block did: what is left is padding. Mostly a few accesses settle it for all words shown.
    const u64 firstShown = std::max(first, start * p.banks), endShown = std::min(last + 1, (start + shown) * p.banks);
    std::vector<bool> touched(endShown - firstShown);
    u64 untouched = touched.size();
    const auto touch = [&](u64 word) {
        if (word < firstShown || word >= endShown || touched[word - firstShown]) return;
        touched[word - firstShown] = true;
        --untouched;
    };
    for (const trace::WarpTrace& warp : p.here.block->warps)
        for (const trace::StoredAccess& access : warp.accesses) {
            if (!untouched) break;
            if (access.space != trace::Space::Shared) continue;
            for (const Lane lane : access.active)
                for (u64 at = warp.address(access, lane) / 4, end = (warp.address(access, lane) + access.widthBytes - 1) / 4; at <= end; ++at) touch(at);
        }
    std::map<u64, const Cell*> now;
    for (const Cell& cell : p.cells) now.emplace(cell.word, &cell);
    const auto boxOf = [&](u64 word) { return Rect{left + f32(word % p.banks) * size, top + f32(word / p.banks - start) * size, size - 1, size - 1}; };
    bool anyUnused = false;
    const Cell* current = nullptr;
    for (u64 word = firstShown; word < endShown; ++word) {
        const Rect box = boxOf(word);
        const auto cell = now.find(word);
        if (cell != now.end()) {
            c.rect(box, {.fill = degreeRole(cell->second->pass + 1)});
            c.hit(box, {.hover = hoverOf(p, *cell->second), .go = withLane(p.in.cursor, laneToGo(p, *cell->second))});
            if (cell->second->lanes.has(p.in.cursor.lane) && !current) current = cell->second;
        } else if (!touched[word - firstShown]) {
            anyUnused = true;
            c.rect(box, {.stroke = {role(RoleKind::Ghost, 0.5f)}});
            c.line({box.x, box.bottom()}, {box.right(), box.y}, {role(RoleKind::Ghost, 0.8f)});
        } else {
            c.rect(box, {.fill = role(RoleKind::Inactive)});
        }
    }
    // A label for the first, the cursor's and the last lane, where there is room between them.
    const f32 labelX = left + size * f32(p.banks) + 12;
    std::vector<const Cell*> labelled;
    for (const Cell* cell : {current, static_cast<const Cell*>(&p.cells.front()), static_cast<const Cell*>(&p.cells.back())}) {
        if (!cell || cell->word / p.banks < start || cell->word / p.banks >= start + shown) continue;
        const f32 y = boxOf(cell->word).centre().y;
        if (std::ranges::any_of(labelled, [&](const Cell* other) { return std::fabs(boxOf(other->word).centre().y - y) < 15; })) continue;
        labelled.push_back(cell);
        const bool isCurrent = cell == current;
        c.line({labelX - 11, y}, {labelX - 2, y}, {role(RoleKind::Edge)});
        const Lane lane = laneToGo(p, *cell);
        const f32 room2 = area.right() - labelX - 4;
        c.textWithin({labelX, y}, room2, say(p.in.language, kLane, lane.value) + (withWords ? "  " + say(p.in.language, kWordOf, cell->word) : ""),
                     {.size = type::kAxis, .bold = isCurrent, .role = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond)});
    }
    if (current && current->word / p.banks >= start && current->word / p.banks < start + shown) cursorBox(c, boxOf(current->word), 2);
    const f32 noteY = top + f32(shown) * size + 14;
    std::vector<std::string> notes;
    if (p.passes.size() > 1) notes.emplace_back(kOrderIsOurs.in(p.in.language));
    if (anyUnused) notes.emplace_back(kHatchedUnused.in(p.in.language));
    if (const model::SiteReport::Merged* merged = mergedHere(p))
        notes.push_back(say(p.in.language, kMergedNote, merged->members.size(), merged->widthBytes));
    for (std::size_t n = 0; n < notes.size(); ++n) c.textWithin({left, noteY + 16 * f32(n)}, area.width - 24, notes[n], kNote);
}

void drawStrip(const Picture& p, const Rect& area) {
    Canvas& c = p.canvas;
    const SourceLine line = lineOf(*p.in.run.module, p.here.step->pc);
    std::vector<AccessAt> all = accessesOfLine(p.in.run, *p.here.block, line, trace::Space::Shared);
    if (all.empty()) return;
    u64 executions = 0, wavefronts = 0;
    for (const model::SiteReport& site : p.in.run.report.sites)
        if (site.launch == p.in.cursor.launch && site.pc == p.here.step->pc) executions += site.executions, wavefronts += site.wavefronts;
    f32 titleRoom = area.width;
    if (executions > 0) {
        const std::string grid = say(p.in.language, kWholeGridWavefronts, grouped(executions), grouped(wavefronts));
        const TextStyle style{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        if (const f32 wide = c.width(grid, style); wide < area.width * 0.5f) {
            c.text({area.right(), area.y + 8}, grid, style);
            titleRoom -= wide + 16;
        }
    }
    c.textWithin({area.x, area.y + 8}, titleRoom, say(p.in.language, kExecutionsHere, all.size(), line.line), {.size = type::kCode, .bold = true});
    // At most so many bars as can be told apart, around the cursor's.
    const std::size_t room = std::size_t(area.width / 3);
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].warp == p.in.cursor.warp && all[i].step <= p.in.cursor.step) at = i;
    const std::size_t from = all.size() <= room ? 0 : std::min(at > room / 2 ? at - room / 2 : 0, all.size() - room);
    const std::size_t count = std::min(room, all.size());
    u32 most = 8;  // bars of one wavefront stay low
    std::vector<u32> cost(count);
    for (std::size_t i = 0; i < count; ++i) {
        const AccessAt& a = all[from + i];
        cost[i] = model::sharedWavefronts(p.here.block->warps[a.warp.value].unpack(*a.access), p.in.profile);
        most = std::max(most, cost[i]);
    }
    const f32 base = area.bottom() - 20, tall = base - area.y - 28, wide = std::min(20.0f, area.width / f32(count));
    for (const u32 mark : {most, 1u}) {
        const f32 y = base - tall * f32(mark) / f32(most);
        c.line({area.x, y}, {area.right(), y}, {role(RoleKind::Line)});
        c.text({area.x - 8, y}, std::to_string(mark), {.size = type::kAxis, .mono = true, .align = Align::Right, .role = role(RoleKind::TextThird)});
    }
    c.line({area.x, base + 0.5f}, {area.right(), base + 0.5f}, {role(RoleKind::Edge)});
    f32 lastLabel = -1e9f;
    for (std::size_t i = 0; i < count; ++i) {
        const AccessAt& a = all[from + i];
        const f32 x = area.x + f32(i) * wide, height = std::max(1.0f, tall * f32(cost[i]) / f32(most));
        c.rect({x + wide * 0.2f, base - height, wide * 0.6f, height}, {.fill = degreeRole(cost[i])});
        Cursor go = p.in.cursor;
        go.warp = a.warp, go.step = a.step;
        const Rect whole{x, area.y + 22, wide, base - area.y - 20};
        c.hit(whole, {.hover = say(p.in.language, kExecutionHover, a.warp.value, a.step + 1, cost[i]), .go = go});
        if (a.warp == p.in.cursor.warp && a.step == p.in.cursor.step) c.rect({x + 0.5f, base - tall - 5, std::max(3.0f, wide - 1), tall + 7}, {.stroke = {role(RoleKind::Cursor), line::kCursor}, .radius = radius::kCell});
        const bool begins = i == 0 || all[from + i - 1].warp != a.warp;
        if (!begins) continue;
        if (i) c.line({x, base}, {x, base + 6}, {role(RoleKind::Edge)});
        const bool ours = a.warp == p.in.cursor.warp;
        const TextStyle style{.size = type::kAxis, .bold = ours, .role = role(ours ? RoleKind::Text : RoleKind::TextThird)};
        const std::string label = say(p.in.language, kWarpLower, a.warp.value);
        if (x + 4 > lastLabel && x + 4 + c.width(label, style) <= area.right()) lastLabel = x + 12 + c.text({x + 4, base + 12}, label, style);
    }
}

std::string wavefrontsText(const Picture& p) { return say(p.in.language, kWavefronts, p.wavefronts); }

std::string sentenceOf(const Picture& p) {
    const Language l = p.in.language;
    if (p.cells.empty()) return say(l, kNoActiveLane);
    std::set<u32> banks;
    std::set<u64> words;
    std::map<u32, std::set<u64>> perBank;
    for (const Cell& cell : p.cells) banks.insert(cell.bank), words.insert(cell.word), perBank[cell.bank].insert(cell.word);
    const auto verb = verbOf(p.access.kind).in(l);
    if (words.size() == 1 && p.access.active.count() > 1 && p.wavefronts == 1) return say(l, kBanksBroadcast, p.in.cursor.warp.value, verb, p.access.active.count(), wavefrontsText(p));
    std::string text;
    std::size_t deepest = 0;
    for (const auto& [bank, piled] : perBank) deepest = std::max(deepest, piled.size());
    if (p.wavefronts <= p.ideal) text = say(l, kBanksFree, p.in.cursor.warp.value, verb, words.size(), banks.size(), wavefrontsText(p));
    else if (banks.size() == 1) text = say(l, kBanksOneBank, p.in.cursor.warp.value, verb, words.size(), *banks.begin(), p.wavefronts, p.ideal);
    else text = say(l, kBanksConflict, p.in.cursor.warp.value, verb, words.size(), deepest, p.wavefronts, p.ideal);
    if (p.ideal > 1) text += (l == Language::English ? " " : "") + say(l, kBanksGroups, p.ideal);
    return text;
}

}  // namespace

Scene buildBanks(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, kBanksTitle, why);
    if (!here.access || here.access->space != trace::Space::Shared) {
        const auto next = nearestAccess(here, in.cursor, [](const trace::StoredAccess& a) { return a.space == trace::Space::Shared; });
        return emptyScene(in, kBanksTitle, next ? say(in.language, kNoSharedAccess) : say(in.language, kNoSharedAccessAtAll, in.cursor.warp.value), next,
                          next ? say(in.language, kGoToStep, next->step + 1) : "");
    }
    if (in.size.width < 280 || in.size.height < 210) return emptyScene(in, kBanksTitle, say(in.language, kTooSmall));
    Canvas canvas(in.size, in.metrics);
    Picture p{in, here, canvas, here.warp->unpack(*here.access), {}, {}};
    p.passes = model::passes(p.access, in.profile);
    p.cells = cellsOf(p.passes);
    p.banks = std::max(1u, in.profile.banks);
    p.wavefronts = model::sharedWavefronts(p.access, in.profile);
    p.ideal = model::idealWavefronts(p.access, in.profile);

    const Rect body = head(canvas, in, kBanksTitle.in(in.language), placeText(in, here));
    const f32 left = 56, inner = body.width - left - space::kInset;
    // Title line: the source line, and the figure.
    const TextStyle figure{.size = type::kFigure, .bold = true, .align = Align::Right, .role = degreeRole(std::max(1u, p.wavefronts))};
    const f32 wide = canvas.text({body.width - space::kInset, body.y + 30}, wavefrontsText(p), figure);
    const SourceLine line = lineOf(*in.run.module, here.step->pc);
    const f32 titleRoom = inner + left - space::kInset - wide - 16;
    canvas.textWithin({space::kInset, body.y + 22}, titleRoom, textOfLine(*in.run.module, line), {.size = type::kBody, .bold = true, .mono = true});
    canvas.textWithin({space::kInset, body.y + 42}, titleRoom, say(in.language, kAccessKind, wordsFor(p.access.space).in(in.language), wordsFor(p.access.kind).in(in.language)) + " · " + say(in.language, kBytesALane, u32(p.access.widthBytes)),
                      {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    const f32 top = body.y + 60, stripHeight = body.height > 420 ? 116.0f : 90.0f, bottom = body.bottom() - stripHeight - 12;
    const bool lens = inner > 520;
    const f32 pileWidth = lens ? std::clamp(inner * 0.58f, std::min(inner * 0.66f, f32(p.banks) * 14), f32(p.banks) * 20) : inner;
    drawPiles(p, {left, top, pileWidth, bottom - top});
    if (lens) drawMemory(p, {left + pileWidth + 20, top, inner - pileWidth - 20, bottom - top});
    drawStrip(p, {left, bottom + 10, inner, stripHeight - 8});
    Scene scene = std::move(canvas).take(sentenceOf(p));
    scene.animating = in.motion < 1;
    return scene;
}

}  // namespace lockstep::viz
