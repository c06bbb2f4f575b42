// Of the reduction stage: what the rounds are called, the columns of the warps, and the key.
#include "explain/numbers.h"
#include "explain/sums/interval_rounds.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/stages/reduction/fold_grid.h"
#include "viz/stages/reduction/reduction_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kOwnElements = english("own elements");
constexpr Words kOwnEach = english("{0} per thread");
constexpr Words kThroughShared = english("through shared memory");
constexpr Words kThroughSharedInBrief = english("via shared");
constexpr Words kTakeOver = english("{0} of {1} {0:loads|load}");
constexpr Words kWorkingElse = english("{0} of {1} {0:combines|combine}");
constexpr Words kAddingUsed = english("{0} of {1} {0:adds|add}, {2} used");
constexpr Words kCombiningUsed = english("{0} of {1} {0:combines|combine}, {2} used");
constexpr Words kUsedOfWarp =
    english(" {0} of these {0:sum is|sums are} used; the others are not part of the result.");
constexpr Words kAllThreads = english("all {0} {0:thread|threads}");
constexpr Words kKeyNotInResult = english("not part of the result");
constexpr Words kKeyElementTaken = english("thread's element, taken");
constexpr Words kKeyElementToCome = english("thread's later element");
constexpr Words kKeyNotTakenYet = english("element not taken yet");
constexpr Words kKeyElementOrSum = english("element or sum, in its warp's color");
constexpr Words kKeyPartly = english("part of its elements");
constexpr Words kKeyWarpEdgeOfThreads = english("a line every 32 threads");
constexpr Words kRoundOf = english("round {0} of {1}");
constexpr Words kRoundOfInBrief = english("{0}/{1}");
constexpr Words kKeyToAdd = english("later addend");
constexpr Words kKeyOwn = english("value before");
constexpr Words kKeyOperand = english("lane's addends");
constexpr Words kKeySumToCome = english("later sum");
constexpr Words kKeyPlacesShown = english("shown");
constexpr Stroke kPartLine{role(RoleKind::TextSecond), 1.5f};
constexpr Words kKeySum = english("new sum");
// The same where no sums are made, but maxima and the like.
constexpr Words kKeyNewInColor = english("new value, in its warp's color");
constexpr Words kKeyNew = english("new value");
constexpr Words kKeyPartCombines = english("diverges: some lanes combine");
constexpr Words kKeyElementOrNew = english("element or new value, in its warp's color");
constexpr Words kKeyOperandElse = english("lane's operands");
constexpr Words kKeyOperandOnWay = english("operand");
constexpr Words kKeyLaterOperand = english("later operand");
constexpr Words kKeyNextValue = english("next value");
constexpr Words kKeyLaterValue = english("later value");
constexpr Words kResultTo = english("result to {0}");
constexpr Words kStoresResult =
    english("{1} of {2} {2:lane|lanes} of warp {0} {1:stores|store} the result in {3}.");
constexpr Words kStoresNoResult = english("Warp {0} stores no result.");
constexpr Words kAllPlaces = english("all {0} {0:element|elements}");
constexpr Words kSetsPlace = english("{0}[{1}] = {2}");
constexpr Words kStride = english(" · stride {0}");
constexpr Words kOffset = english(" · offset {0}");  // where that is the source's word
// Of padded places, of which the source's indices know nothing.
constexpr Words kWordsApart = english(" · {0} {0:word|words} apart");
constexpr Words kElementsApart = english(" · {0} {0:element|elements} apart");
constexpr Words kApart = english(" · {0} apart");  // where there is no room for what
constexpr Words kCopyHere = english("{0} {0:adds|add}, {2} {2:copies|copy}");
constexpr Words kSetsHere = english("{0} of {1} {0:sets|set} it");
constexpr Words kWarpSets = english("{0} of {1} {1:lane|lanes} of warp {2} {0:sets|set} {3}."),
                kWarpSetsNone = english("No lane of warp {2} sets {3}.");
constexpr Words kWarpTakesOver = english(
                    "{0} of {1} {1:lane|lanes} of warp {2} {0:loads|load} a value from shared memory."),
                kWarpTakesNothing = english("No lane of warp {2} loads a value from shared memory.");
constexpr Words kRoundsShown = english("{0} of {1} rounds shown");
constexpr Words kRoundsShownHover = english(
    "Only the rounds near the cursor are shown. Step on, or make this panel larger, to see the others.");
constexpr Words kInRegisters = english(
    "Not drawn: {0} more {0:round|rounds}, in which each thread keeps its sum in a register, adds another "
    "thread's to it and stores it.");
constexpr Words kInRegistersBrief =
    english("Not drawn: {0} more {0:round|rounds} (sum in a register, then stored).");
constexpr Words kByShuffles = english(
    "Not drawn: {0} more {0:round|rounds} in registers: lanes pass their sums to each other with shuffles.");
constexpr Words kByShufflesBrief = english("Not drawn: {0} more {0:round|rounds} in registers (shuffles).");

// Whether the kernel's own word for how far the addends lie apart is "offset".
bool saysOffset(const run::Run& run) {
    return std::ranges::any_of(run.module->sources, [](std::string_view source) {
        return source.find("offset") != std::string_view::npos &&
               source.find("stride") == std::string_view::npos;
    });
}

}  // namespace

void ReductionStage::label(u32 row, const std::string& name, const std::string& note, bool current) {
    const f32 y = top_ + f32(row) * pitch_ + tall_ / 2, x = left_ - labels_;
    canvas_.textWithin({x, y}, labels_ - 10, name,
                       {.size = type::kCode,
                        .bold = current,
                        .role = role(current ? RoleKind::Text : RoleKind::TextSecond)});
    if (pitch_ >= kNoted)
        canvas_.textWithin({x, y + 14}, labels_ - 10, note,
                           {.size = type::kAxis, .role = role(RoleKind::TextThird)});
}

std::string ReductionStage::strideText(u32 round, bool inBrief) const {
    if (facts_.isByThread && !facts_.adds(round)) return {};
    const std::optional<u64> stride = explain::strideOf(facts_, round);
    if (!stride) return {};
    const bool areWords = facts_.array.elementBytes == 4;
    return say(in_.language,
               !facts_.isPadded ? (saysOffset(in_.run) ? kOffset : kStride)
               : inBrief        ? kApart
               : areWords       ? kWordsApart
                                : kElementsApart,
               *stride);
}

std::string ReductionStage::nameOf(u32 round) const {
    if (facts_.adds(round)) return say(in_.language, kTreeRound, facts_.numberOf(round));
    if (facts_.isByThread) return say(in_.language, kThroughShared);
    const std::vector<Addition>& all = facts_.rounds[round];
    return say(in_.language, kSetsPlace, facts_.array.name, all[0].to,
               explain::numberText(all[0].sum, facts_.isFloat));
}

std::array<std::string, 4> ReductionStage::roundNames(u32 round) const {
    const std::string stride = strideText(round), name = nameOf(round) + stride;
    if (facts_.isByThread && !facts_.adds(round)) {
        const std::string whole = nameOf(round), brief = say(in_.language, kThroughSharedInBrief);
        return {whole, whole, brief, brief};
    }
    if (!facts_.isScan || !facts_.adds(round))
        return {name, name, name, nameOf(round) + strideText(round, true)};
    const u32 number = facts_.numberOf(round), all = facts_.count();
    const std::string inBrief = say(in_.language, kRoundOfInBrief, number, all);
    return {say(in_.language, kRoundOf, number, all) + stride, name, inBrief + stride,
            inBrief + strideText(round, true)};
}

f32 ReductionStage::leastLabels() const {
    f32 least =
        canvas_.width(say(in_.language, kRoundsShown, facts_.count(), facts_.count()), {.size = type::kAxis});
    for (u32 round = 0; round < facts_.rounds.size(); ++round) {
        least = std::max(least, canvas_.width(roundNames(round).back(), {.size = type::kCode, .bold = true}));
        if (const Work work = workOf(round); work.used < work.adding)
            least = std::max(least, canvas_.width(workNote(round), {.size = type::kAxis}));
    }
    if (const std::optional<Result> to = result())
        least = std::max(least, canvas_.width(say(in_.language, kResultTo, to->array),
                                              {.size = type::kCode, .bold = true}));
    return least + 10;
}

std::vector<std::string> ReductionStage::namesOfRounds() const {
    const TextStyle style{.size = type::kCode, .bold = true};
    std::vector<std::array<std::string, 4>> names;
    for (u32 round = 0; round < facts_.rounds.size(); ++round)
        names.push_back(roundNames(round));
    std::size_t form = 0;
    const auto fits = [&](const auto& name) { return canvas_.width(name[form], style) <= labels_ - 10; };
    while (form < 3 && !std::ranges::all_of(names, fits))
        ++form;
    std::vector<std::string> chosen;
    chosen.reserve(names.size());
    for (auto& name : names)
        chosen.push_back(std::move(name[form]));
    return chosen;
}

std::string ReductionStage::startName() const {
    return facts_.isByThread ? say(in_.language, kOwnElements)
                             : say(in_.language, kTreeStart, facts_.array.name);
}

std::string ReductionStage::workNote(u32 round) const {
    const Work work = workOf(round);
    const u64 copying = facts_.isScan ? facts_.kept[round].size() : 0, threads = here_.block->threads;
    if (facts_.adds(round) && !copying && work.used < work.adding)
        return say(in_.language, facts_.isSum ? kAddingUsed : kCombiningUsed, work.adding, threads,
                   work.used);
    const Words& note = !facts_.adds(round) ? (facts_.isByThread ? kTakeOver : kSetsHere)
                        : copying           ? kCopyHere
                        : facts_.isSum      ? kTreeWorking
                                            : kWorkingElse;
    return say(in_.language, note, work.adding, threads, copying);
}

// How many elements each thread puts together, where they are as many for all.
std::string ReductionStage::startNote() const {
    std::set<std::size_t> counts;
    for (const explain::OwnSum& own : facts_.own)
        counts.insert(own.elements.size());
    return counts.size() == 1 && *counts.begin() > 0 ? say(in_.language, kOwnEach, *counts.begin())
                                                     : std::string();
}

void ReductionStage::drawHeads(const Rect& body) {
    if (firstRow_ == 0) label(0, startName(), startNote(), !started());
    drawRoundsShown();
    if (columns_ && firstRow_ == 0)
        columns_->drawHead(canvas_, columnsLeft_, top_ - 9, top_ + std::max(tall_ / 2, 8.0f));
    const std::vector<std::string> names = namesOfRounds();
    for (u32 r = firstRow_ ? firstRow_ - 1 : 0; r + 1 < endRow_; ++r) {
        const bool isCurrent = started() && current() == r;
        if (isCurrent)
            canvas_.rect({body.x, top_ + f32(r + 1) * pitch_ - 4, body.width,
                          std::max(tall_ + 8, pitch_ >= kNoted ? tall_ / 2 + 28 : 0)},
                         {.fill = role(RoleKind::Panel)});
        const Work work = workOf(r);
        label(r + 1, names[r], workNote(r), isCurrent);
        if (columns_)
            drawColumns(r, isCurrent, isAhead(r));
        else if (work.divided && pitch_ >= tall_ / 2 + 36)
            canvas_.textWithin({left_ - labels_, top_ + f32(r + 1) * pitch_ + tall_ / 2 + 26}, labels_ - 10,
                               say(in_.language, kTreeSplit, work.divided),
                               {.size = type::kAxis, .role = role(RoleKind::TextThird)});
    }
}

// Above the first row that has room, where not all of them do.
void ReductionStage::drawRoundsShown() {
    if (endRow_ - firstRow_ > facts_.rounds.size()) return;
    u32 shown = 0;
    for (u32 r = firstRow_ ? firstRow_ - 1 : 0; r + 1 < endRow_; ++r)
        shown += facts_.adds(r);
    const Rect box{left_ - labels_, firstTop() - 20, labels_ - 10, 16};
    const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    canvas_.textWithin({box.x, box.centre().y}, box.width,
                       firstFitting(canvas_, box.width, style,
                                    {say(in_.language, kRoundsShown, shown, facts_.count()),
                                     say(in_.language, kRoundOfInBrief, shown, facts_.count())}),
                       style);
    canvas_.hit(box, {.hover = say(in_.language, kRoundsShownHover)});
}

std::string ReductionStage::inRegisters(f32 room) const {
    const auto fitting = [&](const Words& whole, const Words& brief, u32 rounds) {
        return rounds ? firstFitting(canvas_, room, kRegistersStyle,
                                     {say(in_.language, whole, rounds), say(in_.language, brief, rounds)})
                      : std::string();
    };
    return facts_.roundsInRegisters ? fitting(kInRegisters, kInRegistersBrief, facts_.roundsInRegisters)
                                    : fitting(kByShuffles, kByShufflesBrief, facts_.shuffles);
}

void ReductionStage::drawColumns(u32 round, bool isCurrent, bool ahead) {
    const Rect row{columnsLeft_, top_ + f32(round + 1) * pitch_, columns_->width(), tall_};
    const std::vector<WarpInRound> warps = warpsIn(round);
    columns_->drawRow(canvas_, columnsLeft_, row, warps, ahead, [&](u32 w) {
        const WarpInRound& warp = warps[w];
        if (!facts_.adds(round) && facts_.isByThread)
            return say(in_.language, warp.adding.empty() ? kWarpTakesNothing : kWarpTakesOver,
                       warp.adding.count(), warp.lanes, w);
        if (!facts_.adds(round))
            return say(in_.language, warp.adding.empty() ? kWarpSetsNone : kWarpSets, warp.adding.count(),
                       warp.lanes, w, nameOf(round));
        const std::string adds = say(in_.language,
                                     warp.adding.empty() ? kWarpSitsOut
                                     : warp.isWhole()    ? kWarpAddsWhole
                                                         : kWarpAddsInPart,
                                     facts_.numberOf(round), warp.adding.count(), warp.lanes, w);
        return warp.inVain.empty()
                   ? adds
                   : adds + say(in_.language, kUsedOfWarp, (warp.adding & ~warp.inVain).count());
    });
    drew_.unused |= std::ranges::any_of(warps, [](const WarpInRound& warp) { return !warp.inVain.empty(); });
    const std::optional<Rect> lane = columns_->laneAt(columnsLeft_, row, in_.cursor.warp, in_.cursor.lane);
    if (isCurrent && lane) cursorBox(canvas_, *lane, 3);
}

void ReductionStage::drawResult(const Rect& body) {
    const u32 number = u32(facts_.rounds.size()) + 1;
    // Between the last round that is drawn and the store there may be some in registers.
    const bool ahead = order_ < result_->order,
               isCurrent = started() && !current() && (!ahead || facts_.roundsInRegisters == 0);
    if (isCurrent)
        canvas_.rect({body.x, top_ + f32(number) * pitch_ - 4, body.width, tall_ + 8},
                     {.fill = role(RoleKind::Panel)});
    label(number, say(in_.language, kResultTo, result_->array), "", isCurrent);
    if (!columns_) return;
    const Rect row{columnsLeft_, top_ + f32(number) * pitch_, columns_->width(), tall_};
    columns_->drawRow(canvas_, columnsLeft_, row, result_->warps, ahead, [&](u32 w) {
        const WarpInRound& warp = result_->warps[w];
        return say(in_.language, warp.adding.empty() ? kStoresNoResult : kStoresResult, w,
                   warp.adding.count(), warp.lanes, result_->array);
    });
}

void ReductionStage::drawOverview(f32 y, const Part& part) {
    constexpr f32 kTall = 10;
    const f32 wide = (right_ - left_) / f32(facts_.places);
    canvas_.textWithin({left_ - labels_, y + kTall / 2}, labels_ - 10,
                       say(in_.language, facts_.isByThread ? kAllThreads : kAllPlaces, facts_.places),
                       {.size = type::kCode, .role = role(RoleKind::TextSecond)});
    canvas_.rect({left_, y, right_ - left_, kTall}, {.fill = role(RoleKind::Inactive)});
    const auto light = [&](u64 place, Warp warp, Lane lane, u32 step, bool done) {
        const Rect box{left_ + f32(place) * wide, y, std::max(wide, 1.5f), kTall};
        canvas_.rect(box, {.fill = color(warp, lane, done ? 1.0f : 0.55f)});
        canvas_.hit(box, {.hover = placeName(0, place), .go = at(warp, lane, step)});
    };
    const std::optional<u32> round = current();
    if (!started())
        for (const Loaded& l : facts_.start)
            light(l.place, l.warp, l.lane, l.step, l.order <= order_);
    else if (round)
        for (const Addition& a : facts_.rounds[*round])
            light(a.to, a.warp, a.lane, a.step, a.order <= order_);
    canvas_.rect(Rect{left_ + f32(part.first) * wide, y, f32(part.count) * wide, kTall}.inset(-1.5f),
                 {.stroke = kPartLine, .radius = 2});
}

std::vector<KeyRow> ReductionStage::keys(const Drawn& drew) const {
    const Role mine = warpRole(in_.cursor.warp);
    const auto either = [&](const Words& ofSum, const Words& ofOther) {
        return say(in_.language, facts_.isSum ? ofSum : ofOther);
    };
    std::vector<KeyRow> rows = {
        {[mine](Canvas& c, Point p) {
             c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2});
         },
         either(kKeyAdds, kKeyNewInColor)},
        {[](Canvas& c, Point p) {
             c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {role(RoleKind::Line)}, .radius = 2});
         },
         say(in_.language, kKeyIdle)}};
    const auto curve = [](Stroke stroke) {
        return [stroke](Canvas& c, Point p) {
            c.curve({Point{p.x + 8, p.y - 7}, {p.x + 8, p.y + 3}, {p.x - 4, p.y + 4}, {p.x - 8, p.y + 7}},
                    stroke);
        };
    };
    if (drew.columns)
        rows.push_back({[](Canvas& c, Point p) { fork(c, p, role(RoleKind::Text)); },
                        either(kKeyDivides, kKeyPartCombines)});
    if (drew.toCome)
        rows.push_back({[](Canvas& c, Point p) {
                            c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11},
                                   {.stroke = {role(RoleKind::Edge), 1, Dash::Dotted}});
                        },
                        say(in_.language, kKeyToCome)});
    if (facts_.isScan || in_.size.width < kWithStrips) rows[0].text = either(kKeySum, kKeyNew);
    if (drew.fold) rows[0].text = either(kKeyElementOrSum, kKeyElementOrNew);
    if (drew.unused)
        rows.push_back({[mine](Canvas& c, Point p) {
                            Role pale = mine;
                            pale.alpha = kUnusedAlpha;
                            c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = pale, .radius = 2});
                        },
                        say(in_.language, kKeyNotInResult)});
    if (drew.elements) {
        const auto element = [](Role fill) {
            return [fill](Canvas& c, Point p) {
                c.rect({p.x - 2, p.y - 8, 4, 16}, {.fill = fill, .stroke = {role(RoleKind::Text)}});
            };
        };
        rows.push_back({element(role(RoleKind::Text)), say(in_.language, kKeyElementTaken)});
        rows.push_back({element(role(RoleKind::Ground)), say(in_.language, kKeyElementToCome)});
    }
    if (drew.fold)
        rows.push_back({[](Canvas& c, Point p) {
                            c.rect({p.x - 8, p.y - 6, 16, 12}, FoldGrid::kNotTaken);
                        },
                        say(in_.language, kKeyNotTakenYet)});
    if (drew.partly)
        rows.push_back({[mine](Canvas& c, Point p) {
                            c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {role(RoleKind::Line)}});
                            c.rect({p.x - 8, p.y, 16, 6}, {.fill = mine});
                        },
                        say(in_.language, kKeyPartly)});
    if (drew.operand)
        rows.push_back({[mine](Canvas& c, Point p) {
                            const Rect cell{p.x - 8, p.y - 6, 16, 12};
                            c.rect(cell, {.fill = mine, .radius = 2});
                            drawOperand(c, cell);
                        },
                        either(kKeyOperand, kKeyOperandElse)});
    if (drew.added) rows.push_back({curve({mine, 2}), either(kKeyAdded, kKeyOperandOnWay)});
    if (drew.toAdd) rows.push_back({curve({mine, 1, Dash::Dotted}), either(kKeyToAdd, kKeyLaterOperand)});
    if (drew.next)
        rows.push_back(
            {[mine, dash = nextDash()](Canvas& c, Point p) {
                 c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1, dash}, .radius = 2});
             },
             either(kKeyAddsNext, kKeyNextValue)});
    if (!drew.next || nextDash() != Dash::Dashed)
        rows.push_back(
            {[mine](Canvas& c, Point p) {
                 c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1, Dash::Dashed}, .radius = 2});
             },
             either(kKeySumToCome, kKeyLaterValue)});
    rows.push_back({[](Canvas& c, Point p) {
                        c.rect({p.x - 8, p.y - 5, 16, 10}, {.stroke = kPartLine, .radius = 2});
                    },
                    say(in_.language, kKeyPlacesShown)});
    if (drew.own || drew.ownWay)
        rows.push_back(
            {[drew](Canvas& c, Point p) {
                 const f32 apart = drew.own && drew.ownWay ? 4 : 0;
                 if (drew.own)
                     c.line({p.x - apart, p.y - 8}, {p.x - apart, p.y + 8}, {role(RoleKind::Edge, 0.7f)});
                 if (drew.ownWay)
                     c.line({p.x + apart, p.y - 7}, {p.x + apart, p.y + 7}, {role(RoleKind::Text), 1.5f}, 6);
             },
             say(in_.language, kKeyOwn)});
    if (facts_.places > kWarpSize)
        rows.push_back({[](Canvas& c, Point p) {
                            c.line({p.x, p.y - 8}, {p.x, p.y + 8}, {role(RoleKind::Edge), 1, Dash::Sparse});
                        },
                        say(in_.language, facts_.isByThread ? kKeyWarpEdgeOfThreads : kKeyWarpEdge)});
    rows.push_back({[](Canvas& c, Point p) {
                        cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3);
                    },
                    say(in_.language, kKeyCursor)});
    return rows;
}

f32 ReductionStage::keyTall() const {
    if (in_.isPresented) return 0;
    const Drawn all{.added = true,
                    .toAdd = true,
                    .toCome = true,
                    .next = true,
                    .own = true,
                    .operand = facts_.isScan,
                    .ownWay = facts_.isScan,
                    .columns = true,
                    .unused = std::ranges::any_of(facts_.rounds,
                                                  [](const std::vector<Addition>& round) {
                                                      return std::ranges::any_of(
                                                          round, [](const Addition& a) { return !a.isUsed; });
                                                  }),
                    .partly = showsOwn(),
                    .elements = showsOwn(),
                    .fold = FoldGrid::heightOf(facts_) > 0};
    return keyStrip(canvas_, in_.size.width - 2 * space::kInset, keys(all));
}

void ReductionStage::drawKeys(Point at) {
    keyRow(canvas_, at, in_.size.width - 2 * space::kInset, drawnOf(canvas_, keys(drew_)));
}

}  // namespace lockstep::viz
