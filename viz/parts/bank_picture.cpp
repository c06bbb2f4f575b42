#include "viz/parts/bank_picture.h"

#include "explain/access/shared_cost.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace lockstep::viz {
namespace {

using namespace message;

const TextStyle kAxis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
const TextStyle kNote{.size = type::kAxis, .role = role(RoleKind::TextThird)};
constexpr Words kMemoryLinesBrief = english("Rows of {0} {0:word|words}");
// Of the rows of the memory, where not all have room.
constexpr Words kRowsShown = english("rows {0}–{1} of {2}");
constexpr Words kRowsShownBrief = english("{0}–{1} of {2}");
constexpr Words kRowsShownAlone = english("rows {0}–{1}");
constexpr f32 kNoteLine = 16, kTallestRow = 24, kLargestWord = 14;

std::vector<BankCell> cellsOf(const std::vector<model::Pass>& passes) {
    std::vector<BankCell> cells;
    for (u32 p = 0; p < passes.size(); ++p) {
        const std::size_t first = cells.size();
        for (const model::Pass::Use& use : passes[p].uses) {
            const auto same =
                std::find_if(cells.begin() + std::ptrdiff_t(first), cells.end(),
                             [&](const BankCell& c) { return c.bank == use.bank && c.word == use.word; });
            if (same != cells.end())
                same->lanes = same->lanes | LaneMask::of(use.lane);
            else
                cells.push_back({p, use.bank, use.word, LaneMask::of(use.lane)});
        }
        for (auto cell = cells.begin() + std::ptrdiff_t(first); cell != cells.end(); ++cell) {
            const auto ofItsBank = [&](const BankCell& c) { return c.bank == cell->bank; };
            const auto isBefore = [&](const BankCell& c) { return ofItsBank(c) && c.word < cell->word; };
            cell->part = u32(std::count_if(cells.begin() + std::ptrdiff_t(first), cells.end(), isBefore));
            cell->parts = u32(std::count_if(cells.begin() + std::ptrdiff_t(first), cells.end(), ofItsBank));
        }
    }
    return cells;
}

std::string hoverOf(const BankPicture& p, const BankCell& cell) {
    if (cell.lanes.count() == 1)
        return say(p.shown.language, kLaneTouchesWord, cell.lanes.lowest().value, p.wordNumber(cell.word),
                   cell.bank, cell.pass + 1);
    return say(p.shown.language, trace::isAtomic(p.shown.access.kind) ? kLanesUpdateWord : kLanesShareWord,
               explain::lanesText(cell.lanes, p.shown.language), p.wordNumber(cell.word), cell.bank,
               cell.pass + 1);
}

}  // namespace

BankPicture makeBankPicture(Canvas& canvas, const AccessOnShow& shown, const model::Profile& profile,
                            const ptx::Module* module) {
    const trace::WarpAccess served = module ? explain::asServed(shown.access, *module) : shown.access;
    BankPicture picture{
        canvas, shown, model::passes(served, profile), {}, model::sharedGroups(served, profile)};
    picture.cells = cellsOf(picture.passes);
    picture.banks = std::max(1u, profile.banks);
    picture.lineWords = picture.banks * model::wordsOfABank(profile);
    const explain::SharedCost cost = module ? explain::sharedCost(shown.access, *module, profile)
                                            : explain::SharedCost{model::sharedWavefronts(served, profile),
                                                                  model::idealWavefronts(served, profile)};
    picture.wavefronts = cost.wavefronts, picture.ideal = cost.ideal;
    return picture;
}

std::string figureOf(const BankPicture& picture) {
    return say(picture.shown.language, kWavefronts, picture.wavefronts);
}

namespace {

constexpr Words kGroup = english("lanes {0}");

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
        const std::string full = say(p.shown.language, kGroup, explain::lanesText(*group, p.shown.language));
        p.canvas.textWithin(
            {area.x - 6, y + row / 2}, area.x - 8,
            p.canvas.width(full, style) <= area.x - 10 ? full : explain::lanesText(*group, p.shown.language),
            style);
    }
}

}  // namespace

namespace {

constexpr f32 kHeads = 20, kBelowPiles = 6, kNumberedRow = 11;
// Rows too low for numbers: those of the lanes stand beside a pile that is the only one.
constexpr f32 kLanesBeside = 46;
bool isLow(f32 row) { return row - 1 < 9; }

struct PileLayout {
    f32 column, top, row;
    std::vector<u32> height;  // by bank, in passes
};
PileLayout layOutPiles(const BankPicture& p, const Rect& area) {
    PileLayout l{.column = area.width / f32(p.banks),
                 .top = area.y + kHeads,
                 .row = 0,
                 .height = std::vector<u32>(p.banks, 0)};
    const std::size_t rows = std::max<std::size_t>(4, p.passes.size());
    l.row =
        std::min(std::clamp(l.column, 16.0f, kTallestRow), (area.bottom() - l.top - kBelowPiles) / f32(rows));
    for (const BankCell& cell : p.cells)
        l.height[cell.bank] = std::max(l.height[cell.bank], cell.pass + 1);
    return l;
}

}  // namespace

f32 numberedPiles(const BankPicture& p) {
    return kHeads + kBelowPiles + kNumberedRow * f32(std::max<std::size_t>(4, p.passes.size()));
}

Rect roomBesidePiles(const BankPicture& p, const Rect& area, u64 lines) {
    const PileLayout l = layOutPiles(p, area);
    constexpr f32 kApart = 10, kText = 110, kLabels = 126;  // above and below the words, and beside them
    Rect best{};
    f32 most = 0;
    for (u32 first = 0; first < p.banks; ++first) {
        u32 deepest = 0;
        for (u32 end = first + 1; end <= p.banks; ++end) {
            deepest = std::max(deepest, l.height[end - 1]);
            const f32 top = l.top + f32(deepest) * l.row + kApart;
            const f32 lanes = first > 0 && l.height[first - 1] > 0 && isLow(l.row) ? kLanesBeside : 0;
            const Rect room{area.x + f32(first) * l.column + kApart + lanes, top,
                            f32(end - first) * l.column - 2 * kApart - lanes,
                            area.bottom() - top - kBelowPiles};
            const f32 word = std::min((room.width - kLabels) / f32(p.lineWords),
                                      (room.height - kText) / f32(std::max<u64>(1, lines)));
            // Of two that allow the same, the one with more to spare.
            if (const f32 size = std::min(word, kLargestWord);
                size > most + 0.01f ||
                (size > most - 0.01f && room.width * room.height > best.width * best.height))
                most = size, best = room;
        }
    }
    return best;
}

namespace {

// Where one bank alone has a pile: in the rows of the passes that are numbered, which lane each serves.
void drawLanesBeside(const BankPicture& p, const Rect& area, f32 top, f32 row, f32 column,
                     const std::function<bool(u32)>& isLabelled) {
    if (p.cells.empty() || std::ranges::any_of(p.cells, [&](const BankCell& cell) {
            return cell.bank != p.cells.front().bank || cell.lanes.count() != 1 || cell.parts > 1;
        }))
        return;
    const f32 x = area.x + f32(p.cells.front().bank + 1) * column + 4;
    if (x + kLanesBeside > area.right()) return;
    for (const BankCell& cell : p.cells) {
        if (!isLabelled(cell.pass)) continue;
        const u32 lane = cell.lanes.lowest().value;
        p.canvas.text({x, top + 2 + (f32(cell.pass) + 0.5f) * row},
                      cell.pass == 0 ? say(p.shown.language, kLane, lane) : std::to_string(lane),
                      {.size = type::kAxis, .bold = true});
    }
}

}  // namespace

void drawPiles(const BankPicture& p, const Rect& area) {
    Canvas& c = p.canvas;
    const auto [column, top, row, height] = layOutPiles(p, area);
    const u32 rows = std::max<u32>(1, u32(p.passes.size()));
    const f32 full = area.bottom() - top;
    const f32 labelWidth = c.width("31", kAxis) + 3;
    const u32 every = column >= labelWidth       ? 1
                      : column * 2 >= labelWidth ? 2
                      : column * 4 >= labelWidth ? 4
                                                 : 8;
    for (u32 bank = 0; bank < p.banks; ++bank) {
        const f32 x = area.x + f32(bank) * column;
        c.rect({x + 1, top, column - 2, full}, {.fill = role(RoleKind::Panel), .radius = radius::kCell});
        if (height[bank])
            c.rect({x + 1, top, column - 2, f32(height[bank]) * row + 4},
                   {.fill = role(RoleKind::Raised), .radius = radius::kCell});
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
    const auto isLabelled = [&](u32 pass) { return pass % labelEvery == 0; };
    for (u32 pass = 0; pass < p.passes.size() && !inGroups; ++pass) {
        const f32 y = top + 2 + (f32(pass) + 0.5f) * row;
        const std::string first = say(p.shown.language, kPass, 1);
        if (pass == 0 && c.width(first, right) <= area.x - 10)
            c.text({area.x - 8, y}, first, right);
        else if (isLabelled(pass))
            c.text({area.x - 8, y}, std::to_string(pass + 1),
                   {.size = type::kAxis,
                    .mono = true,
                    .align = Align::Right,
                    .role = role(RoleKind::TextThird)});
    }
    if (isLow(row)) drawLanesBeside(p, area, top, row, column, isLabelled);
    // Passes fall into place one after another while the step is under way.
    const u32 shown = p.shown.motion >= 1 ? rows : u32(std::ceil(p.shown.motion * f32(rows)));
    const BankCell* current = nullptr;
    const f32 gap = column < 14 ? 0.5f : 1.0f;  // two digits need the width
    // Words that a bank gives in one pass lie side by side.
    const auto boxOf = [&, column = column, top = top, row = row](const BankCell& cell) {
        const f32 wide = (column - gap) / f32(cell.parts);
        return Rect{area.x + f32(cell.bank) * column + gap + f32(cell.part) * wide,
                    top + 2 + f32(cell.pass) * row + 0.5f, wide - gap, row - (row < 14 ? 1.0f : 1.5f)};
    };
    u32 mostParts = 1;
    for (const BankCell& cell : p.cells)
        mostParts = std::max(mostParts, cell.parts);
    const bool numbered =
        fittingSize(c, "31", (column - gap) / f32(mostParts) - gap,
                    {.size = type::kAxis, .bold = true, .mono = true}, type::kAxis) > 0;  // all or none
    for (const BankCell& cell : p.cells) {
        if (cell.pass >= shown) continue;
        const Rect box = boxOf(cell);
        const Role fill = degreeRole(cell.pass + 1);
        c.rect(box, {.fill = fill, .radius = std::min(6.0f, box.height / 2)});
        const std::string lanes = cell.lanes.count() == 1 ? std::to_string(cell.lanes.lowest().value)
                                                          : std::to_string(cell.lanes.count()) + "×";
        TextStyle style{
            .size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
        style.size = fittingSize(c, lanes, box.width, style, std::min(type::kAxis, box.height));
        if (numbered && style.size > 0 && box.height >= 9) {
            c.text(box.centre(), lanes, style);
        } else if (numbered && cell.parts == 1 && cell.lanes.count() > 1 &&
                   box.height >= 9) {  // beside the piece, where no other is
            const bool isRight = cell.bank + 2 < p.banks;
            const u32 first = isRight ? cell.bank + 1 : cell.bank - 2;
            const bool isFree =
                p.banks > 2 && cell.bank >= (isRight ? 0u : 2u) &&
                std::ranges::none_of(p.cells, [&](const BankCell& other) {
                    return other.pass == cell.pass && (other.bank == first || other.bank == first + 1);
                });
            const TextStyle beside{.size = type::kAxis,
                                   .bold = true,
                                   .mono = true,
                                   .align = isRight ? Align::Left : Align::Right};
            if (isFree) c.text({isRight ? box.right() + 4 : box.x - 4, box.centre().y}, lanes, beside);
        }
        c.hit(box, p.shown.hitOf(p.shown.laneToGo(cell.lanes), hoverOf(p, cell)));
        if (cell.lanes.has(p.shown.cursor)) current = &cell;
    }
    if (current) cursorBox(c, boxOf(*current), 7);
}

namespace {

constexpr Words kEveryLaneSame = english("word = {0} for every lane, bank {1}");
constexpr Words kOneBank = english("word = {0}, so bank {1} for every lane");
constexpr Words kBankByLane = english("word = {0}, so bank {1} mod {2}");

// "33·lane + 3"
std::string timesLane(s64 factor, s64 more, Language language) {
    const std::string lane = say(language, english("lane"));
    const std::string product = factor == 1    ? lane
                                : factor == -1 ? "−" + lane
                                               : fmt::format("{}·{}", factor, lane);
    return more == 0 ? product : fmt::format("{} {} {}", product, more < 0 ? "−" : "+", std::abs(more));
}

// First and last line of the array and the access.
struct Lines {
    u64 first, last;
};
Lines linesBetween(const BankPicture& p, const WordsOnShow& words) {
    u64 first = words.first, last = words.last;
    for (const BankCell& cell : p.cells)
        first = std::min(first, cell.word), last = std::max(last, cell.word);
    return {first / p.lineWords, last / p.lineWords};
}

// What is said below the words, in lines as wide as this: a formula of what is drawn, and what the marks
// mean.
struct NoteLine {
    std::string text;
    bool isKey = true, isFirst = true;  // first: of its note
};
std::vector<NoteLine> notesBelow(const BankPicture& p, const WordsOnShow& words, bool unused, f32 width) {
    std::vector<NoteLine> lines;
    const auto add = [&](std::string_view note, bool isKey = true) {
        if (note.empty()) return;
        bool isFirst = true;
        for (std::string& line : p.canvas.wrap(note, width, kNote))
            lines.push_back({std::move(line), isKey, std::exchange(isFirst, false)});
    };
    add(wordsInAFormula(p), false);
    if (p.passes.size() > 1 && !words.brief) add(kOrderIsOurs.in(p.shown.language));
    if (unused) add(words.hatched);
    for (const std::string& note : words.notes)
        add(note);
    return lines;
}

}  // namespace

u64 linesOf(const BankPicture& picture, const WordsOnShow& words) {
    const Lines lines = linesBetween(picture, words);
    return picture.cells.empty() ? 0 : lines.last - lines.first + 1;
}

std::string wordsInAFormula(const BankPicture& p) {
    const trace::WarpAccess& access = p.shown.access;
    if (access.widthBytes != model::kBankBytes || access.active.count() < 2 || p.lineWords != p.banks)
        return {};
    const auto wordOf = [&](Lane lane) {
        return s64(p.wordNumber(access.addresses[lane.value] / model::kBankBytes));
    };
    const Lane low = access.active.lowest();
    const LaneMask others = access.active & ~LaneMask::of(low);
    const s64 apart = wordOf(others.lowest()) - wordOf(low),
              steps = s64(others.lowest().value) - s64(low.value);
    if (apart % steps != 0) return {};
    const s64 factor = apart / steps, more = wordOf(low) - factor * s64(low.value), banks = s64(p.banks);
    for (const Lane lane : access.active)
        if (wordOf(lane) != factor * s64(lane.value) + more) return {};
    const Language l = p.shown.language;
    const auto bankOf = [&](s64 word) {
        return (word + s64(access.addresses[low.value] / model::kBankBytes) - wordOf(low)) % banks;
    };  // numbers may count from an array's start
    if (factor == 0) return say(l, kEveryLaneSame, more, bankOf(wordOf(low)));
    if (factor % banks == 0) return say(l, kOneBank, timesLane(factor, more, l), bankOf(wordOf(low)));
    const s64 shift =
        ((more + s64(access.addresses[low.value] / model::kBankBytes) - wordOf(low)) % banks + banks) % banks;
    const std::string bank = timesLane(factor % banks, shift, l);
    const bool isSingle = factor % banks == 1 && shift == 0;
    return say(l, kBankByLane, timesLane(factor, more, l), isSingle ? bank : "(" + bank + ")", banks);
}

namespace {

// Whether the block never accesses one of these words; of very many, they are not looked through.
bool hasUnused(const BankPicture& p, const WordsOnShow& words, u64 first, u64 last) {
    constexpr u64 kMostLookedThrough = 16384;
    if (last - first >= kMostLookedThrough) return true;
    std::vector<bool> used = words.used(first, last + 1);
    for (const BankCell& cell : p.cells)
        used[cell.word - first] = true;
    return std::ranges::find(used, false) != used.end();
}

}  // namespace

void drawMemory(const BankPicture& p, const WordsOnShow& words, Rect area, bool atRight) {
    Canvas& c = p.canvas;
    if (p.cells.empty()) return;
    u64 first = words.first, last = words.last;
    for (const BankCell& cell : p.cells)
        first = std::min(first, cell.word), last = std::max(last, cell.word);
    const u64 firstLine = linesBetween(p, words).first, lines = linesOf(p, words);
    // As large as the width allows; smaller where that shows all lines. Beside the words stands "lane 31 word
    // 1023", or the lane alone.
    constexpr f32 kNotesWide = 380, kWithWords = 118, kLaneOnly = 58, kAround = 58;
    // Small words show all lines, a part in larger ones; "bank 0" and the last bank stand above them.
    constexpr f32 kLeast = 3, kLeastOfSome = 5, kHeadsWide = 92;
    const f32 leastOfAll = std::max(kLeast, std::ceil(kHeadsWide / f32(p.lineWords))),
              leastWord = words.brief ? kLeast : kLeastOfSome;
    const bool withWords = area.width >= f32(p.lineWords) * leastWord + 24 + kWithWords;
    const f32 labels = withWords ? kWithWords : kLaneOnly;
    const auto widthFor = [&](f32 word) {
        return std::min(area.width, std::max(f32(p.lineWords) * word + 24 + labels, kNotesWide));
    };
    f32 size = std::min(kLargestWord, std::floor((area.width - 12 - labels) / f32(p.lineWords)));
    // The note on unused words takes a row or more of them away: only where some may be.
    const bool mayHaveUnused = hasUnused(p, words, first, last);
    const auto roomWith = [&](f32 word) {
        return area.height - kAround -
               kNoteLine * f32(notesBelow(p, words, mayHaveUnused, widthFor(word) - 24).size());
    };
    const f32 largest = size;
    while (size > leastOfAll && f32(lines) * size > roomWith(size))
        --size;
    if (f32(lines) * size > roomWith(size))
        for (size = largest; size > leastWord && f32(lines) * size > roomWith(size);)
            --size;
    const f32 wide = widthFor(size), top = area.y + 46, tall = roomWith(size);
    if (size < 3 || tall < 3 * size || area.height < 72) return;
    const u32 room = u32(tall / size), shown = u32(std::min<u64>(room, lines));
    // Start where the access starts if not all lines fit.
    u64 lowest = p.cells[0].word;
    for (const BankCell& cell : p.cells)
        lowest = std::min(lowest, cell.word);
    const u64 start = lines <= room ? firstLine : std::min(lowest / p.lineWords, firstLine + lines - shown);
    const u64 firstShown = std::max(first, start * p.lineWords),
              endShown = std::min(last + 1, (start + shown) * p.lineWords);
    const std::vector<bool> touched = words.used(firstShown, endShown);
    std::map<u64, const BankCell*> now;
    for (const BankCell& cell : p.cells)
        now.emplace(cell.word, &cell);
    bool anyUnused = false;
    for (u64 word = firstShown; word < endShown; ++word)
        anyUnused |= !touched[word - firstShown] && !now.contains(word);
    const std::vector<NoteLine> notes = notesBelow(p, words, anyUnused, wide - 24);

    if (atRight) area.x = area.right() - wide;
    const f32 left = area.x + 12;
    c.rect({area.x, area.y, wide, 46 + f32(shown) * size + 12 + kNoteLine * f32(notes.size())},
           {.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Line)}, .radius = radius::kPanel});
    const TextStyle titled{.size = type::kCode, .bold = true};
    const std::string named = words.name.empty() ? "" : words.name + " · ";
    const std::string title = firstFitting(c, wide - 24, titled,
                                           {named + say(p.shown.language, kMemoryLines, p.lineWords),
                                            say(p.shown.language, kMemoryLines, p.lineWords),
                                            say(p.shown.language, kMemoryLinesBrief, p.lineWords)});
    c.textWithin({left, area.y + 16}, wide - 24, title, titled);
    c.textWithin({left, area.y + 36}, size * 16 - 4, std::string(kBank.in(p.shown.language)) + " 0", kNote);
    c.text({left + size * f32(p.lineWords), area.y + 36}, std::to_string(p.banks - 1),
           {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)});

    const auto boxOf = [&](u64 word) {
        const u64 line = word / p.lineWords - start;
        return Rect{left + f32(word % p.lineWords) * size, top + f32(line) * size, size - 1, size - 1};
    };
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
        if (p.shown.movable)
            c.hit(box, {.hover = say(p.shown.language, kElementHere, p.shown.elementAt(word * 4)),
                        .place = p.shown.elementAt(word * 4)});
        if (!touched[word - firstShown]) {
            c.rect(box, {.stroke = {role(RoleKind::Ghost, 0.5f)}});
            c.line({box.x, box.bottom()}, {box.right(), box.y}, {role(RoleKind::Ghost, 0.8f)});
        } else {
            c.rect(box, {.fill = role(RoleKind::Inactive)});
        }
    }
    // A label for the first, the cursor's and the last lane, where there is room between them.
    const f32 labelX = left + size * f32(p.lineWords) + 12;
    const auto isShown = [&](const BankCell& cell) {
        return cell.word / p.lineWords >= start && cell.word / p.lineWords < start + shown;
    };
    const BankCell *firstCell = nullptr, *lastCell = nullptr;
    for (const BankCell& cell : p.cells) {
        if (!isShown(cell)) continue;
        if (!firstCell) firstCell = &cell;
        lastCell = &cell;
    }
    if (shown < lines) {
        const f32 room2 = area.x + wide - labelX - 4;
        const Language l = p.shown.language;
        const u64 before = start - firstLine;
        TextStyle rows = kNote;
        rows.flow = Flow::Begins;
        c.textWithin({labelX, area.y + 36}, room2,
                     firstFitting(c, room2, rows,
                                  {say(l, kRowsShown, before + 1, before + shown, lines),
                                   say(l, kRowsShownBrief, before + 1, before + shown, lines),
                                   say(l, kRowsShownAlone, before + 1, before + shown),
                                   fmt::format("{}–{}", before + 1, before + shown)}),
                     rows);
    }
    const f32 highest = shown < lines ? area.y + 36 + 15 : 0;  // below what says which rows
    std::vector<const BankCell*> labelled;
    for (const BankCell* cell : {current, firstCell, lastCell}) {
        if (!cell || !isShown(*cell)) continue;
        const f32 y = boxOf(cell->word).centre().y;
        if (std::ranges::any_of(labelled, [&](const BankCell* other) {
                return std::fabs(std::max(boxOf(other->word).centre().y, highest) - std::max(y, highest)) <
                       15;
            }))
            continue;
        labelled.push_back(cell);
        const bool isCurrent = cell == current;
        const f32 labelY = std::max(y, highest);
        c.line({labelX - 11, y}, {labelX - 2, labelY}, {role(RoleKind::Edge)});
        const Lane lane = p.shown.laneToGo(cell->lanes);
        const f32 room2 = area.x + wide - labelX - 4;
        c.textWithin({labelX, labelY}, room2,
                     say(p.shown.language, kLane, lane.value) +
                         (withWords ? " · " + say(p.shown.language, kWordOf, p.wordNumber(cell->word)) : ""),
                     {.size = type::kAxis,
                      .bold = isCurrent,
                      .role = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond),
                      .flow = Flow::Begins});
    }
    if (current && isShown(*current)) cursorBox(c, boxOf(current->word), 2);
    f32 noteY = top + f32(shown) * size + 14;
    for (const NoteLine& line : notes) {
        TextStyle style = kNote;
        style.flow = line.isFirst ? Flow::Begins : Flow::GoesOn;
        c.text({left, noteY}, line.text, style);
        if (line.isKey) c.key({left - 2, noteY - kNoteLine / 2, wide - 24, kNoteLine});
        noteY += kNoteLine;
    }
}

}  // namespace lockstep::viz
