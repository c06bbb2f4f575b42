// Of the reduction stage: a row of cells for the start and for each round, with arcs from what is added to
// the sum.
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/stages/reduction/close_additions.h"
#include "viz/stages/reduction/reduction_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kThreadStart = english("Thread {0}: {1} of {2} {2:element|elements} so far.");
constexpr Words kThreadAtStart = english("Thread {0} has {1}, from {2} {2:element|elements}.");
constexpr Words kThreadHover = english("Thread {0} has {1} after round {2}.");
constexpr Words kThreadMoves = english("Thread {0} loads {1}, which thread {2} left in shared memory.");
constexpr Words kStartHover = english("{0}[{1}] = {2} at the start.");

}  // namespace

void ReductionStage::drawWarpEdges() {
    const f32 top = firstTop(), bottom = top_ + f32(endRow_ - 1) * pitch_ + tall_;
    for (u64 place = kWarpSize; place < facts_.places; place += kWarpSize) {
        const f32 x = origin_ + f32(place) * cell_;
        canvas_.line({x, top - 3}, {x, bottom}, {role(RoleKind::Edge), 1, Dash::Sparse});
    }
    // As many places have their number as there is room for.
    const TextStyle style{
        .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextThird)};
    const f32 apart = canvas_.width(std::to_string(facts_.places), style) + 8;
    u64 every = 1;
    while (f32(every) * cell_ < apart)
        every *= 2;
    const auto [first, end] = cellsBetween(origin_, cell_, facts_.places, left_, right_);
    for (u64 place = (first + every - 1) / every * every; place < end; place += every) {
        const std::string name = std::to_string(place);
        const f32 half = canvas_.width(name, style) / 2;
        canvas_.text({std::max(origin_ + (f32(place) + 0.5f) * cell_, left_ + half), top - 9}, name, style);
    }
}

ReductionStage::RowNumbers ReductionStage::numbersOf(u32 row) const {
    std::map<u64, f64> values;
    if (row == 0)
        for (const Loaded& l : facts_.start)
            values[l.place] = l.value;
    else if (facts_.isScan)
        values = standing_[row];
    else
        for (const Addition& a : facts_.rounds[row - 1])
            values[a.to] = a.sum;
    const TextStyle least{.size = type::kAxis, .mono = true};
    f32 inside = type::kBody;
    bool below = pitch_ - tall_ >= kBelow, beside = tall_ >= type::kAxis;
    for (auto at = values.begin(); at != values.end(); ++at) {
        const f32 wide = canvas_.width(explain::numberText(at->second, facts_.isFloat), least);
        const f32 before = at == values.begin() ? 1e6f : f32(at->first - std::prev(at)->first) * cell_,
                  after = f32((std::next(at) == values.end() ? facts_.places : std::next(at)->first) -
                              at->first) *
                          cell_;
        inside = std::min(inside, sizeInside(at->second));
        below = below && wide + 6 <= std::min(before, std::next(at) == values.end() ? 2 * after : after);
        beside = beside && wide + 8 <= after - cell_;
    }
    if (inside >= type::kAxis) return {Numbers::Inside, inside};
    if (below) return {Numbers::Below};
    if (beside) return {Numbers::ComparedRun};
    return {cell_ >= kRoomy ? Numbers::SomeInside : Numbers::None};
}

f32 ReductionStage::sizeInside(f64 value) const {
    return fittingSize(canvas_, explain::numberText(value, facts_.isFloat, 6),
                       cell_ - (cell_ >= kRoomy ? 3.0f : 2.0f), {.mono = true},
                       std::min(type::kBody, tall_ * (cell_ >= kRoomy ? 0.7f : 0.95f)));
}

void ReductionStage::drawValue(const Rect& cell, f64 value, const RowNumbers& numbers, Role fill) {
    TextStyle style{.size = numbers.size, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
    if (numbers.where == Numbers::Inside)
        return (void)canvas_.text(cell.centre(), explain::numberText(value, facts_.isFloat, 6), style);
    if (numbers.where == Numbers::SomeInside) {
        style.size = sizeInside(value);
        if (style.size > 0) canvas_.text(cell.centre(), explain::numberText(value, facts_.isFloat, 6), style);
        return;
    }
    const std::string text = explain::numberText(value, facts_.isFloat);
    const f32 wide = canvas_.width(text, style);
    style.role = role(RoleKind::Text);
    if (numbers.where == Numbers::ComparedRun)
        return textOnGround(canvas_, {cell.right() + 4 + wide / 2, cell.centre().y}, text, style);
    if (numbers.where != Numbers::Below) return;
    const Point at{std::max(cell.centre().x, origin_ + wide / 2), cell.bottom() + 8};
    // The line between two warps makes way for digits.
    const f32 warpWide = f32(kWarpSize) * cell_,
              edge = origin_ + std::round((at.x - origin_) / warpWide) * warpWide;
    if (std::abs(edge - at.x) < wide / 2 + 2)
        textOnGround(canvas_, at, text, style);
    else
        canvas_.text(at, text, style);
}

// A frame round a row that is still to come; else the cells without a sum.
void ReductionStage::drawHollow(u32 row, const std::set<u64>& filled, bool ahead) {
    const auto [first, end] = cellsBetween(origin_, cell_, facts_.places, left_, right_);
    for (u64 place = first; place < end; ++place)
        if (!filled.contains(place))
            hit(cellAt(row, place),
                facts_.isByThread
                    ? Hit{.hover = placeName(row, place)}
                    : linkTo(in_, *accesses_, trace::Space::Shared,
                             facts_.array.base + facts_.placeIn(row, place) * facts_.array.elementBytes,
                             order_, placeName(row, place)));
    drew_.toCome |= ahead;
    if (cell_ < 4 || ahead) {
        const f32 left = std::max(origin_, left_),
                  right = std::min(origin_ + f32(facts_.places) * cell_, right_);
        canvas_.rect(Rect{left, top_ + f32(row) * pitch_, right - left, tall_}.inset(ahead ? 1.0f : 0.0f),
                     {.stroke = {role(ahead ? RoleKind::Edge : RoleKind::Line), 1,
                                 ahead ? Dash::Dotted : Dash::Solid}});
        return;
    }
    for (u64 place = first; place < end; ++place)
        if (!filled.contains(place))
            canvas_.rect(cellAt(row, place).inset(cell_ > 8 ? 1.0f : 0.5f),
                         {.stroke = {role(RoleKind::Line)}, .radius = cell_ > 12 ? 2.0f : 0.0f});
}

void ReductionStage::drawKept(u32 round, const std::set<u64>& filled) {
    if (!facts_.isScan || isAhead(round)) return;
    std::set<u64> without = filled;
    for (const Addition& a : facts_.rounds[round])
        without.insert(a.to);
    for (const Loaded& l : facts_.kept[round])
        if (l.order > order_) without.insert(l.place);
    const auto [first, end] = cellsBetween(origin_, cell_, facts_.places, left_, right_);
    for (const auto& [place, value] : standing_[round + 1]) {
        if (place < first || place >= end || without.contains(place)) continue;
        const f32 size = sizeInside(value);
        if (size > 0)
            canvas_.text(
                cellAt(round + 1, place).centre(), explain::numberText(value, facts_.isFloat, 6),
                {.size = size, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
    }
}

void ReductionStage::standFor(const Rect& cell, u32 row, u64 place, f64 value) {
    const u64 address = facts_.isByThread
                            ? place
                            : facts_.array.base + facts_.placeIn(row, place) * facts_.array.elementBytes;
    canvas_.cell({.rect = cell,
                  .of = facts_.isByThread ? ValueCell::Of::Thread : ValueCell::Of::Shared,
                  .at = address,
                  .row = row + 1,
                  .value = value});
}

void ReductionStage::drawStart() {
    std::set<u64> filled;
    for (const Loaded& l : facts_.start)
        if (l.order <= order_) filled.insert(l.place);
    drawHollow(0, filled, false);
    for (const Loaded& l : facts_.start) {
        const Rect cell = cellAt(0, l.place);
        const Role fill = color(l.warp, l.lane);
        const explain::OwnSum* own = ownOf(l.warp, l.lane);
        if (l.order > order_) {  // filled as far as the thread has come
            const u64 taken = own ? takenOf(*own) : 0;
            if (taken == 0) continue;
            const Rect box = cell.inset(cell_ > 8 ? 1.0f : 0.0f);
            const f32 tall = box.height * f32(taken) / f32(own->elements.size());
            canvas_.rect({box.x, box.bottom() - tall, box.width, tall}, {.fill = fill});
            drew_.partly = true;
            hit(cell, {.hover = say(in_.language, kThreadStart, l.place, taken, own->elements.size()),
                       .go = at(l.warp, l.lane, l.step)});
            if (l.warp == in_.cursor.warp && l.lane == in_.cursor.lane) boxes_.push_back(box);
            continue;
        }
        canvas_.rect(cell.inset(cell_ > 8   ? 1.0f
                                : cell_ > 4 ? 0.5f
                                            : 0.0f),
                     {.fill = fill, .radius = cell_ > 12 ? 2.0f : 0.0f});
        drawValue(cell, l.value, rows_[0], fill);
        standFor(cell, 0, l.place, l.value);
        hit(cell, {.hover = facts_.isByThread ? say(in_.language, kThreadAtStart, l.place,
                                                    explain::numberText(l.value, facts_.isFloat),
                                                    own ? std::max<std::size_t>(1, own->elements.size()) : 1)
                                              : say(in_.language, kStartHover, facts_.array.name, l.place,
                                                    explain::numberText(l.value, facts_.isFloat)),
                   .go = at(l.warp, l.lane, l.step)});
        if (l.warp == in_.cursor.warp && l.lane == in_.cursor.lane && !started())
            boxes_.push_back(cell.inset(cell_ > 8 ? 1.0f : 0.0f));
    }
}

void ReductionStage::drawRound(u32 round) {
    const std::vector<Addition>& additions = facts_.rounds[round];
    const bool isCurrent = started() && current() == round, ahead = isAhead(round);
    std::set<u64> filled;
    for (const Addition& a : additions)
        if (a.order < order_ || (a.order == order_ && in_.motion >= 1)) filled.insert(a.to);
    drawHollow(round + 1, filled, ahead && !isCurrent);
    drawKept(round, filled);
    for (const Addition& a : additions)
        drawArcs(round, a, isCurrent);
    for (const Addition& a : additions) {
        const Rect cell = cellAt(round + 1, a.to);
        const bool done = filled.contains(a.to);
        const Role fill = color(a.warp, a.lane);
        const Rect box = cell.inset(cell_ > 8 ? 1.0f : cell_ > 4 ? 0.5f : 0.0f);
        if (done && !a.isUsed) {  // pale: what its lane makes goes nowhere
            drew_.unused = true;
            canvas_.rect({box.x, box.y, std::max(1.0f, box.width), box.height},
                         {.fill = color(a.warp, a.lane, kUnusedAlpha), .radius = cell_ > 12 ? 2.0f : 0.0f});
        } else if (done) {
            canvas_.rect({box.x, box.y, std::max(1.0f, box.width), box.height},
                         {.fill = fill, .radius = cell_ > 12 ? 2.0f : 0.0f});
            drawValue(cell, a.sum, rows_[round + 1], fill);
            standFor(cell, round + 1, a.to, a.sum);
        } else if (isCurrent && cell_ >= 4) {
            canvas_.rect(box, {.stroke = {fill, 1, nextDash()}, .radius = cell_ > 12 ? 2.0f : 0.0f});
            drew_.next = true;
        }
        hit(cell, {.hover = hoverOf(round, a), .go = at(a.warp, a.lane, a.step)});
        if (isCurrent && a.warp == in_.cursor.warp && a.lane == in_.cursor.lane)
            boxes_.push_back({box.x, box.y, std::max(4.0f, box.width), box.height});
    }
}

std::string ReductionStage::hoverOf(u32 round, const Addition& a) const {
    const std::string sum = explain::numberText(a.sum, facts_.isFloat);
    if (facts_.isScan) return formulaOf(facts_, round, a, in_.language);
    std::string text =
        !facts_.isByThread
            ? say(in_.language, kTreeHover, facts_.array.name, a.to, sum, facts_.numberOf(round))
        : a.isMove ? say(in_.language, kThreadMoves, a.to, sum, a.own ? a.own->place : a.from.front().place)
                   : say(in_.language, kThreadHover, a.to, sum, facts_.numberOf(round));
    if (!a.isUsed) text += say(in_.language, kNotInResult);
    return text;
}

const explain::OwnSum* ReductionStage::ownOf(Warp warp, Lane lane) const {
    return explain::ownSumOf(facts_, warp, lane);
}

u64 ReductionStage::takenOf(const explain::OwnSum& own) const {
    return u64(std::ranges::count_if(own.elements, [&](const explain::OwnElement& e) {
        return e.order < order_ || (e.order == order_ && in_.motion >= 1);
    }));
}

bool ReductionStage::isAhead(u32 round) const {
    return std::ranges::all_of(facts_.rounds[round], [&](const Addition& a) { return a.order > order_; });
}

// What it stores stands in the row of its round, what it loads in the row before.
u32 ReductionStage::rowOfSecond() const {
    const u32 now = started() ? current().value_or(u32(facts_.rounds.size()) - 1) : 0;
    if (!second_->go) return now;
    const Cursor& there = *second_->go;
    const auto isIts = [&](const auto& store) {
        return store.warp == there.warp && store.lane == there.lane;
    };
    for (u32 round = 0; round < facts_.rounds.size(); ++round)
        for (const Addition& a : facts_.rounds[round])
            if (isIts(a) && a.step >= there.step) return a.step == there.step ? round + 1 : round;
    const bool isOfStart =
        std::ranges::any_of(facts_.start, [&](const Loaded& l) { return isIts(l) && l.step == there.step; });
    return isOfStart ? 0 : now;
}

// Of what is added in a round: the row where it stood when it was read, which is the round's own where
// another thread had already changed it.
u32 ReductionStage::rowOf(u32 round, const Addend& operand) const {
    const bool isChanged = std::ranges::any_of(facts_.rounds[round], [&](const Addition& a) {
        return a.to == operand.place && a.order < operand.order;
    });
    return isChanged ? round + 1 : round;
}

void ReductionStage::drawConflictingThread(const Rect& body) {
    if (!second_ || facts_.isByThread ||
        !second_->isAt(trace::Space::Shared, facts_.array.base, facts_.places * facts_.array.elementBytes))
        return;
    const u32 row = rowOfSecond();
    if (row >= firstRow_ && row < endRow_)
        draw(canvas_, *second_,
             cellAt(row, (second_->address - facts_.array.base) / facts_.array.elementBytes), body);
}

void ReductionStage::drawArcs(u32 round, const Addition& a, bool isCurrent) {
    const bool now = a.order == order_, done = a.order < order_ || (now && in_.motion >= 1),
               mine = a.warp == in_.cursor.warp && a.lane == in_.cursor.lane;
    if (!done && !now && !isCurrent) return;  // what is still to come has no way yet
    const Rect to = cellAt(round + 1, a.to);
    const Point end{to.centre().x, to.y - 1};
    const f32 under = rows_[round].where == Numbers::Below ? 16 : 1;
    const auto arc = [&](const Addend& operand) {
        const u64 place = operand.place;
        if (rowOf(round, operand) > round) {  // beside it: below both
            constexpr f32 kDip = 9;
            const Rect beside = cellAt(round + 1, place);
            const Point begin{beside.centre().x, beside.bottom()}, stop{to.centre().x, to.bottom()};
            return Curve{begin, Point{begin.x, begin.y + kDip}, {stop.x, stop.y + kDip}, stop};
        }
        const Rect from = cellAt(round, place);
        const Point begin{from.centre().x, from.bottom() + under};
        return Curve{begin,
                     Point{begin.x, begin.y + (end.y - begin.y) * 0.6f},
                     {end.x + (begin.x - end.x) * 0.35f, end.y - (end.y - begin.y) * 0.15f},
                     end};
    };
    const f32 gone = done ? 1 : now ? ease(in_.motion) : 0;
    for (const Addend& operand : a.from) {
        const Curve way = arc(operand);
        const bool strong = isCurrent && (now || mine);
        if (!a.isUsed) continue;
        (gone > 0 ? drew_.added : drew_.toAdd) = true;
        if (gone > 0)
            canvas_.curve(part(way, 0, std::max(0.02f, gone)), {color(a.warp, a.lane, strong ? 1.0f : 0.5f),
                                                                strong && cell_ >= 8 ? line::kRead : 1.0f});
        else
            canvas_.curve(way, {color(a.warp, a.lane, 0.6f), 1, Dash::Dotted});
        if (now && in_.motion < 1) {
            const Point p = pointAt(way, gone);
            canvas_.rect({p.x - 3, p.y - 3, 6, 6}, {.fill = color(a.warp, a.lane), .radius = 1});
        }
    }
    const Rect own = cellAt(round, a.to);
    if (done && a.own)
        canvas_.line({own.centre().x, own.bottom() + under}, end, {role(RoleKind::Edge, 0.7f)}),
            drew_.own |=
            std::max(own.centre().x, end.x) >= left_ && std::min(own.centre().x, end.x) <= right_;
    if (facts_.isScan && mine && isCurrent) drawOperands(round, a, under);
}

void ReductionStage::drawOperand(Canvas& canvas, const Rect& cell) {
    const f32 tall = std::max(2.0f, std::min(4.0f, cell.height * 0.18f));
    canvas.rect({cell.x + 1, cell.bottom() - tall, cell.width - 2, tall}, {.fill = role(RoleKind::Text)});
}

void ReductionStage::drawOperands(u32 round, const Addition& a, f32 under) {
    drew_.operand = true;
    for (const Addend& operand : a.from)
        drawOperand(canvas_, cellAt(rowOf(round, operand), operand.place));
    if (!a.own) return;
    drawOperand(canvas_, cellAt(round, a.own->place));
    drew_.ownWay = true;
    const Rect own = cellAt(round, a.own->place), to = cellAt(round + 1, a.to);
    canvas_.line({own.centre().x, own.bottom() + under}, {to.centre().x, to.y - 1},
                 {role(RoleKind::Text), 1.5f}, 6);
}

}  // namespace lockstep::viz
