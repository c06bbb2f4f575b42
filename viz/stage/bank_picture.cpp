#include "viz/stage/bank_picture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"
#include "viz/shared_cost.h"

namespace lockstep::viz {
namespace {

using namespace message;

const TextStyle kAxis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
const TextStyle kNote{.size = type::kAxis, .role = role(RoleKind::TextThird)};
constexpr Words kMemoryLinesBrief{"{0} {0:word|words} a line", "每行 {0} 个字"};
constexpr f32 kNoteLine = 16, kTallestRow = 24, kLargestWord = 14;

std::vector<BankCell> cellsOf(const std::vector<model::Pass>& passes) {
    std::vector<BankCell> cells;
    for (u32 p = 0; p < passes.size(); ++p) {
        const std::size_t first = cells.size();
        for (const model::Pass::Use& use : passes[p].uses) {
            const auto same = std::find_if(cells.begin() + std::ptrdiff_t(first), cells.end(), [&](const BankCell& c) { return c.bank == use.bank && c.word == use.word; });
            if (same != cells.end()) same->lanes = same->lanes | LaneMask::of(use.lane);
            else cells.push_back({p, use.bank, use.word, LaneMask::of(use.lane)});
        }
    }
    return cells;
}

std::string hoverOf(const BankPicture& p, const BankCell& cell) {
    if (cell.lanes.count() == 1) return say(p.shown.language, kLaneTouchesWord, cell.lanes.lowest().value, p.wordNumber(cell.word), cell.bank, cell.pass + 1);
    return say(p.shown.language, kLanesShareWord, lanesText(cell.lanes), p.wordNumber(cell.word), cell.bank, cell.pass + 1);
}

}  // namespace

BankPicture makeBankPicture(Canvas& canvas, const AccessOnShow& shown, const model::Profile& profile, const ptx::Module* module) {
    const trace::WarpAccess served = module ? asServed(shown.access, *module) : shown.access;
    BankPicture picture{canvas, shown, model::passes(served, profile), {}, model::sharedGroups(served, profile)};
    picture.cells = cellsOf(picture.passes);
    picture.banks = std::max(1u, profile.banks);
    picture.lineWords = picture.banks * model::wordsOfABank(profile);
    const SharedCost cost = module ? sharedCost(shown.access, *module, profile) : SharedCost{model::sharedWavefronts(served, profile), model::idealWavefronts(served, profile)};
    picture.wavefronts = cost.wavefronts, picture.ideal = cost.ideal;
    return picture;
}

std::string figureOf(const BankPicture& picture) { return say(picture.shown.language, kWavefronts, picture.wavefronts); }

namespace {

constexpr Words kGroup{"lanes {0}", "通道 {0}"};

// A wide access goes in groups of lanes, which share no pass: where each group begins, and its lanes.
void drawGroups(const BankPicture& p, const Rect& area, f32 top, f32 row) {
    const LaneMask* before = nullptr;
    f32 labelled = -1e9f;
    for (u32 pass = 0; pass < p.passes.size(); ++pass) {
        const LaneMask lanes = p.passes[pass].lanes();
        const auto group = std::ranges::find_if(p.groups, [&](LaneMask g) { return (lanes & ~g).empty(); });
        if (group == p.groups.end() || &*group == before) continue;
        before = &*group;
        const f32 y = top + f32(pass) * row;
        if (pass) p.canvas.line({area.x, y - 0.25f}, {area.right(), y - 0.25f}, {role(RoleKind::Edge)});
        if (y - labelled < 13) continue;
        labelled = y;
        TextStyle style = kNote;
        style.align = Align::Right;
        const std::string full = say(p.shown.language, kGroup, lanesText(*group));
        p.canvas.textWithin({area.x - 6, y + row / 2}, area.x - 8, p.canvas.width(full, style) <= area.x - 10 ? full : lanesText(*group), style);
    }
}

}  // namespace

void drawPiles(const BankPicture& p, const Rect& area) {
    Canvas& c = p.canvas;
    const f32 column = area.width / f32(p.banks), top = area.y + 20;
    const u32 rows = std::max<u32>(1, u32(p.passes.size()));
    const f32 row = std::min(std::clamp(column, 16.0f, kTallestRow), (area.bottom() - top - 6) / f32(std::max(rows, 4u))), full = area.bottom() - top;
    std::vector<u32> height(p.banks, 0);
    for (const BankCell& cell : p.cells) height[cell.bank] = std::max(height[cell.bank], cell.pass + 1);
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
    c.textWithin({area.x - 8, area.y + 9}, area.x - 10, kBank.in(p.shown.language), right);
    const u32 labelEvery = std::bit_ceil(u32(std::ceil(13 / row)));
    const bool inGroups = p.groups.size() > 1;
    if (inGroups) drawGroups(p, area, top + 2, row);
    for (u32 pass = 0; pass < p.passes.size() && !inGroups; ++pass) {
        const f32 y = top + 2 + (f32(pass) + 0.5f) * row;
        if (pass == 0) c.textWithin({area.x - 8, y}, area.x - 10, say(p.shown.language, kPass, 1), right);
        else if ((pass + 1) % labelEvery == 0 && row * f32(pass) >= 13) c.text({area.x - 8, y}, std::to_string(pass + 1), {.size = type::kAxis, .mono = true, .align = Align::Right, .role = role(RoleKind::TextThird)});
    }
    // Passes fall into place one after another while the step is under way.
    const u32 shown = p.shown.motion >= 1 ? rows : u32(std::ceil(p.shown.motion * f32(rows)));
    const BankCell* current = nullptr;
    const f32 gap = column < 14 ? 0.5f : 1.0f;  // two digits need the width
    const auto boxOf = [&](const BankCell& cell) { return Rect{area.x + f32(cell.bank) * column + gap, top + 2 + f32(cell.pass) * row + 0.5f, column - 2 * gap, row - (row < 11 ? 1.0f : 1.5f)}; };
    const bool numbered = fittingSize(c, "31", column - 2 * gap, {.size = type::kAxis, .bold = true, .mono = true}, type::kAxis) > 0;  // all or none
    for (const BankCell& cell : p.cells) {
        if (cell.pass >= shown) continue;
        const Rect box = boxOf(cell);
        const Role fill = degreeRole(cell.pass + 1);
        c.rect(box, {.fill = fill, .radius = std::min(6.0f, box.height / 2)});
        const std::string lanes = cell.lanes.count() == 1 ? std::to_string(cell.lanes.lowest().value) : "×" + std::to_string(cell.lanes.count());
        TextStyle style{.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
        style.size = fittingSize(c, lanes, box.width, style, std::min(type::kAxis, box.height));
        if (numbered && style.size > 0 && box.height >= 9) c.text(box.centre(), lanes, style);
        c.hit(box, p.shown.hitOf(p.shown.laneToGo(cell.lanes), hoverOf(p, cell)));
        if (cell.lanes.has(p.shown.cursor)) current = &cell;
    }
    if (current) cursorBox(c, boxOf(*current), 7);
}

void drawMemory(const BankPicture& p, const WordsOnShow& words, const Rect& area) {
    Canvas& c = p.canvas;
    if (p.cells.empty()) return;
    u64 first = p.cells[0].word, last = first;
    for (const BankCell& cell : p.cells) first = std::min(first, cell.word), last = std::max(last, cell.word);
    first = std::min(first, words.first), last = std::max(last, words.last);
    const u64 firstLine = first / p.lineWords, lines = last / p.lineWords - firstLine + 1;
    const bool withWords = area.width >= 32 * 7 + 130;  // room for "lane 31  word 1023"
    const auto notesWith = [&](bool unused) {
        std::vector<std::string> lines;
        const auto add = [&](std::string_view note) { std::ranges::move(c.wrap(note, area.width - 24, kNote), std::back_inserter(lines)); };
        if (p.passes.size() > 1) add(kOrderIsOurs.in(p.shown.language));
        if (unused) add(words.hatched);
        for (const std::string& note : words.notes) add(note);
        return lines;
    };
    const f32 top = area.y + 46, tall = area.bottom() - top - 12 - kNoteLine * f32(notesWith(true).size());
    // As large as the width allows; smaller where that shows all lines.
    const f32 byWidth = std::min(kLargestWord, std::floor((area.width - (withWords ? 130 : 66)) / f32(p.lineWords)));
    const f32 size = std::min(byWidth, std::max(5.0f, std::floor(tall / f32(lines))));
    if (size < 3 || area.bottom() - top < 60) return;
    const u32 room = u32(tall / size), shown = u32(std::min<u64>(room, lines));
    // Start where the access starts if not all lines fit.
    u64 lowest = p.cells[0].word;
    for (const BankCell& cell : p.cells) lowest = std::min(lowest, cell.word);
    const u64 start = lines <= room ? firstLine : std::min(lowest / p.lineWords, firstLine + lines - shown);
    const u64 firstShown = std::max(first, start * p.lineWords), endShown = std::min(last + 1, (start + shown) * p.lineWords);
    const std::vector<bool> touched = words.used(firstShown, endShown);
    std::map<u64, const BankCell*> now;
    for (const BankCell& cell : p.cells) now.emplace(cell.word, &cell);
    bool anyUnused = false;
    for (u64 word = firstShown; word < endShown; ++word) anyUnused |= !touched[word - firstShown] && !now.contains(word);
    const std::vector<std::string> notes = notesWith(anyUnused);

    const f32 left = area.x + 12;
    c.rect({area.x, area.y, area.width, 46 + f32(shown) * size + 12 + kNoteLine * f32(notes.size())}, {.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Line)}, .radius = radius::kPanel});
    const TextStyle titled{.size = type::kCode, .bold = true};
    const std::string named = words.name.empty() ? "" : words.name + " · ";
    const std::string title = firstFitting(c, area.width - 24, titled, {named + say(p.shown.language, kMemoryLines, p.lineWords), say(p.shown.language, kMemoryLines, p.lineWords), say(p.shown.language, kMemoryLinesBrief, p.lineWords)});
    c.textWithin({left, area.y + 16}, area.width - 24, title, titled);
    c.textWithin({left, area.y + 36}, size * 16 - 4, std::string(kBank.in(p.shown.language)) + " 0", kNote);
    c.text({left + size * f32(p.lineWords), area.y + 36}, std::to_string(p.banks - 1), {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)});

    const auto boxOf = [&](u64 word) { return Rect{left + f32(word % p.lineWords) * size, top + f32(word / p.lineWords - start) * size, size - 1, size - 1}; };
    const BankCell* current = nullptr;
    for (u64 word = firstShown; word < endShown; ++word) {
        const Rect box = boxOf(word);
        const auto cell = now.find(word);
        if (cell != now.end()) {
            c.rect(box, {.fill = degreeRole(cell->second->pass + 1)});
            Hit hit = p.shown.hitOf(p.shown.laneToGo(cell->second->lanes), hoverOf(p, *cell->second));
            if (p.shown.movable) hit.place = p.shown.elementAt(word * 4);
            c.hit(box, std::move(hit));
            if (cell->second->lanes.has(p.shown.cursor) && !current) current = cell->second;
            continue;
        }
        if (p.shown.movable) c.hit(box, {.hover = say(p.shown.language, kElementHere, p.shown.elementAt(word * 4)), .place = p.shown.elementAt(word * 4)});
        if (!touched[word - firstShown]) {
            c.rect(box, {.stroke = {role(RoleKind::Ghost, 0.5f)}});
            c.line({box.x, box.bottom()}, {box.right(), box.y}, {role(RoleKind::Ghost, 0.8f)});
        } else {
            c.rect(box, {.fill = role(RoleKind::Inactive)});
        }
    }
    // A label for the first, the cursor's and the last lane, where there is room between them.
    const f32 labelX = left + size * f32(p.lineWords) + 12;
    std::vector<const BankCell*> labelled;
    for (const BankCell* cell : {current, static_cast<const BankCell*>(&p.cells.front()), static_cast<const BankCell*>(&p.cells.back())}) {
        if (!cell || cell->word / p.lineWords < start || cell->word / p.lineWords >= start + shown) continue;
        const f32 y = boxOf(cell->word).centre().y;
        if (std::ranges::any_of(labelled, [&](const BankCell* other) { return std::fabs(boxOf(other->word).centre().y - y) < 15; })) continue;
        labelled.push_back(cell);
        const bool isCurrent = cell == current;
        c.line({labelX - 11, y}, {labelX - 2, y}, {role(RoleKind::Edge)});
        const Lane lane = p.shown.laneToGo(cell->lanes);
        const f32 room2 = area.right() - labelX - 4;
        c.textWithin({labelX, y}, room2, say(p.shown.language, kLane, lane.value) + (withWords ? "  " + say(p.shown.language, kWordOf, p.wordNumber(cell->word)) : ""),
                     {.size = type::kAxis, .bold = isCurrent, .role = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond)});
    }
    if (current && current->word / p.lineWords >= start && current->word / p.lineWords < start + shown) cursorBox(c, boxOf(current->word), 2);
    f32 noteY = top + f32(shown) * size + 14;
    for (const std::string& line : notes) {
        c.text({left, noteY}, line, kNote);
        noteY += kNoteLine;
    }
}

}  // namespace lockstep::viz
