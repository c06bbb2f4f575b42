// Draws the reduction stage.
#include "viz/stage/reduction_stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "model/sentence.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/numbers.h"
#include "viz/phrases.h"
#include "viz/presented.h"
#include "viz/stage/block_accesses.h"
#include "viz/stage/close_additions.h"
#include "viz/stage/second_thread.h"
#include "viz/stage/warp_columns.h"
#include "viz/stage/zoomed.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr Words kPlacesOf{" · {0}[{1}…{2}] of {3}", " · {0}[{1}…{2}]，共 {3} 个"};
constexpr Words kRoundOf{"round {0} of {1}", "第 {0} 轮，共 {1} 轮"};
constexpr Words kRoundOfInBrief{"{0}/{1}", "{0}/{1}"};
constexpr Words kLaneMakes{"Lane {0}: {1}.", "通道 {0}：{1}。"};
constexpr Words kKeyToAdd{"to be added", "将要相加"};
constexpr Words kKeyOwn{"its own value", "原有的值"};
constexpr Words kKeyOperand{"what the cursor's lane adds", "光标通道的加数"};
constexpr Words kKeyKept{"kept, or idle", "保留的值，或空闲"};
constexpr Words kStride{" · stride {0}", " · 间距 {0}"};

constexpr f32 kLabels = 128, kScanLabels = 172, kScanLabelsFrom = 760 /* wide */, kKey = 26, kTop = 22, kLargestCell = 40, kLeastCell = 1.5f, kRoomy = 20, kNoted = 36 /* pitch from which on labels have a second line */, kLargestZoomed = 64, kLargestPitch = 112, kLeastPitch = 16;
constexpr f32 kValueCell = 24;    // of a scan, whose values all count: the least width, so that they can be read
constexpr f32 kFocusedCell = 12;  // least width where only the places around the cursor's warp have room
constexpr f32 kColumnsPart = 0.32f, kNarrowColumnsPart = 0.2f, kBeforeColumns = 24, kWithStrips = 900;  // most of the width that the warps' columns take

class ReductionStage {
public:
    ReductionStage(const ViewInput& in, const ReductionFacts& facts, const Here& here)
        : in_(in), facts_(facts), here_(here), canvas_(in.size, in.metrics), order_(here.step->order), accesses_(accessesOfBlock(in)), second_(secondThreadAt(in)) {
        if (facts.isScan) workOutStanding();
    }

    Scene build() {
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), captionOfPart());
        const f32 whole = wholeWidth();
        const std::optional<u32> closeRound = roundToShowClose(whole, body.height);
        const f32 height = body.height - keyHeight() - kTop - 10 - (closeRound ? CloseAdditions::kHeight : 0);
        if (height < kLeastPitch) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
        chooseRows(height);
        pitch_ = std::min(height / f32(endRow_ - firstRow_), kLargestPitch);
        left_ = body.x + space::kInset + labels_, top_ = body.y + kTop - f32(firstRow_) * pitch_;
        constexpr f32 kForLetters = 16, kForArcs = 8;  // of a scan, whose values all count: cells are high enough for the least letters
        tall_ = std::min(std::max(pitch_ * 0.45f, facts_.isScan ? std::min(kForLetters, pitch_ - kForArcs) : 0.0f), 26.0f);
        chooseColumns(in_.size.width, whole);
        const f32 width = widthOfCells(whole, columns_);
        const Part part = partOn(width);
        const f32 fitting = std::min(width / f32(part.count), kLargestCell), mostZoom = std::max(1.0f, kLargestZoomed / fitting), zoom = std::clamp(in_.state.zoom, 1.0f, mostZoom);
        cell_ = fitting * zoom;
        right_ = left_ + width;
        const bool cut = zoom > 1 || part.count < facts_.places || endRow_ - firstRow_ <= facts_.rounds.size();
        const f32 begin = (left_ - f32(part.first) * fitting) * zoom + (zoom > 1 ? in_.state.pan.x : 0);
        origin_ = cut ? std::clamp(begin, std::min(left_, right_ - f32(facts_.places) * cell_), left_) : left_;
        columnsLeft_ = left_ + whole - (columns_ ? columns_->width() : 0);
        for (u32 row = 0; row <= facts_.rounds.size(); ++row) rows_.push_back(numbersOf(row));
        drawHeads(body);
        if (cut) canvas_.clip({left_ - 4, body.y, width + 8, body.height - keyHeight()});
        drawWarpEdges();
        if (firstRow_ > 0) {  // what comes from rows above stays clear of the places' numbers
            canvas_.unclip();
            const f32 top = top_ + f32(firstRow_) * pitch_ - 3;
            canvas_.clip({left_ - 4, top, width + 8, body.bottom() - keyHeight() - top});
        }
        if (firstRow_ == 0) drawStart();
        for (u32 r = firstRow_ ? firstRow_ - 1 : 0; r + 1 < endRow_; ++r) drawRound(r);
        for (const Rect& box : boxes_) cursorBox(canvas_, box, 3);
        drawSecondThread(body);
        if (cut) canvas_.unclip();
        if (closeRound) {
            const Rect area{body.x + space::kInset, body.bottom() - keyHeight() - CloseAdditions::kHeight, body.width - 2 * space::kInset, CloseAdditions::kHeight};
            CloseAdditions{in_, facts_, *closeRound, order_, lanesOf(*here_.block, in_.cursor.warp)}.draw(canvas_, area, labels_);
        }
        if (keyHeight() > 0) drawKeys({body.x + space::kInset, body.bottom() - kKey / 2});
        Scene scene = std::move(canvas_).take(sentence());
        scene.animating = in_.motion < 1;
        scene.mostZoom = mostZoom;
        scene.panes = {{0, 0, in_.size.width, in_.size.height}};
        return scene;
    }

private:
    f32 keyHeight() const { return in_.state.option == kPresented ? 0 : kKey; }
    // The round whose values are shown once more, where the cells of all places are too small for digits and there is room below them.
    std::optional<u32> roundToShowClose(f32 whole, f32 height) const {
        constexpr f32 kForDigits = 20, kLeastPitch = 26;
        const bool hasRoom = height - keyHeight() - kTop - CloseAdditions::kHeight >= kLeastPitch * f32(facts_.rounds.size() + 1);
        return hasRoom && (facts_.isScan || fittingCell(whole) < kForDigits) && started() ? current() : std::nullopt;
    }
    f32 wholeWidth() const { return in_.size.width - labels_ - 2 * space::kInset; }

    // The rows that have room: all of them, else those around the cursor's round.
    void chooseRows(f32 height) {
        const u32 all = u32(facts_.rounds.size()) + 1, most = std::clamp(u32(std::max(0.0f, height) / kLeastPitch), 1u, all);
        const u32 now = started() ? current().value_or(all - 2) + 1 : 0;
        firstRow_ = std::min(now > most / 2 ? now - most / 2 : 0, all - most);
        endRow_ = firstRow_ + most;
    }

    // The places that have room: all of them, else whole warps' worth of them around the one that the cursor's warp adds to.
    struct Part { u64 first = 0, count = 1; };
    Part partOn(f32 width) const {
        if (fittingCell(width) >= (facts_.isScan ? kValueCell : kLeastCell)) return {0, facts_.places};
        if (facts_.isScan && width < kValueCell * kWarpSize) {  // less than a warp's: more of what is before the lane's place, from where its addends come
            const u64 count = std::min(facts_.places, std::max<u64>(4, u64(width / kValueCell))), place = placeInFocus(), before = count * 3 / 4;
            return {std::min(place > before ? place - before : 0, facts_.places - count), count};
        }
        const u64 warps = std::max<u64>(1, u64(width / (facts_.isScan ? kValueCell : kFocusedCell)) / kWarpSize), count = std::min(facts_.places, warps * kWarpSize);
        const u64 warp = placeInFocus() / kWarpSize, before = (warps - 1) / 2, first = (warp > before ? warp - before : 0) * kWarpSize;
        return {std::min(first, facts_.places - count), count};
    }

    // Where the cursor's lane adds or loads, else another of its warp; where that has nothing to do, the place of its own.
    u64 placeInFocus() const {
        std::optional<u64> place;
        const auto take = [&](Warp warp, Lane lane, u64 at) {
            if (warp == in_.cursor.warp && (!place || lane == in_.cursor.lane)) place = at;
        };
        if (!started()) for (const Loaded& l : facts_.start) take(l.warp, l.lane, l.place);
        else for (const Addition& a : facts_.rounds[current().value_or(u32(facts_.rounds.size()) - 1)]) take(a.warp, a.lane, a.to);
        return std::min(place.value_or(u64(in_.cursor.warp.value) * kWarpSize), facts_.places - 1);
    }

    f32 fittingCell(f32 width) const { return std::min(width / f32(facts_.places), kLargestCell); }
    static f32 widthOfCells(f32 whole, const std::optional<WarpColumns>& columns) { return whole - (columns ? columns->width() + kBeforeColumns : 0); }

    // The widest that leave cells room for two digits, else the widest of all: the same for two runs that are compared.
    void chooseColumns(f32 body, f32 whole) {
        columns_.reset();
        const f32 twoDigits = canvas_.width("00", {.size = type::kAxis, .mono = true}) + 2;
        for (const WarpColumns& columns : WarpColumns::thatFit(canvas_, u32(here_.block->warps.size()), body * (body >= kWithStrips ? kColumnsPart : kNarrowColumnsPart), in_.language)) {
            const bool hasRoom = fittingCell(widthOfCells(whole, columns)) >= twoDigits;
            if (!columns_ || hasRoom) columns_ = columns;
            if (hasRoom) return;
        }
    }

    Role colour(Warp warp, Lane lane, f32 alpha = 1) const { return warpRole(warp, lane, lanesOf(*here_.block, warp), alpha); }
    Rect cellAt(u32 row, u64 place) const { return {origin_ + f32(place) * cell_, top_ + f32(row) * pitch_, cell_, tall_}; }
    // What of a cell is not cut off answers the mouse.
    void hit(const Rect& cell, Hit hit) {
        const f32 from = std::max(cell.x, left_), to = std::min(cell.right(), right_);
        if (from < to) canvas_.hit({from, cell.y, to - from, cell.height}, std::move(hit));
    }

    // The round that the cursor's warp is in: the first that is not over for the block.
    std::optional<u32> current() const {
        for (u32 r = 0; r < facts_.rounds.size(); ++r)
            if (std::ranges::any_of(facts_.rounds[r], [&](const Addition& a) { return a.order >= order_; })) return r;
        return std::nullopt;
    }
    // Whether anything has been added yet, or is about to be by the step at the cursor.
    bool started() const { return facts_.start.empty() || std::ranges::all_of(facts_.start, [&](const Loaded& l) { return l.order < order_; }); }

    std::string caption() const {
        const std::string block = say(in_.language, kBlock, coordinates(in_.cursor.block, launchOf(in_.run, in_.cursor.launch).grid));
        const std::optional<u32> round = current();
        return round && started() ? block + " · " + say(in_.language, kTreeRound, *round + 1) : block;
    }

    // Says which places are drawn where that are not all.
    std::string captionOfPart() {
        chooseColumns(in_.size.width, wholeWidth());
        const Part part = partOn(widthOfCells(wholeWidth(), columns_));
        if (part.count == facts_.places || in_.state.zoom > 1) return caption();
        return caption() + say(in_.language, kPlacesOf, facts_.array.name, part.first, part.first + part.count - 1, facts_.places);
    }

    std::vector<WarpInRound> warpsIn(u32 round) const {
        std::vector<WarpInRound> warps(here_.block->warps.size());
        for (u32 w = 0; w < warps.size(); ++w) warps[w].lanes = lanesOf(*here_.block, Warp{w});
        for (const Addition& a : facts_.rounds[round]) {
            WarpInRound& warp = warps[a.warp.value];
            warp.adding = warp.adding | LaneMask::of(a.lane);
            if (!warp.go) warp.go = at(a.warp, a.lane, a.step);
        }
        return warps;
    }

    struct Work { u64 adding = 0, divided = 0; };
    Work workOf(u32 round) const {
        Work work;
        for (const WarpInRound& warp : warpsIn(round)) work.adding += u64(warp.adding.count()), work.divided += !warp.adding.empty() && !warp.isWhole();
        return work;
    }

    // What the cursor's lane makes in a round, the last of it.
    const Addition* ownAddition(u32 round) const {
        const Addition* own = nullptr;
        for (const Addition& a : facts_.rounds[round])
            if (a.warp == in_.cursor.warp && a.lane == in_.cursor.lane && (!own || own->order < order_)) own = &a;
        return own;
    }

    // Of a scan: what stands at each place after each row.
    void workOutStanding() {
        standing_.resize(facts_.rounds.size() + 1);
        for (const Loaded& l : facts_.start) standing_[0][l.place] = l.value;
        for (u32 r = 0; r < facts_.rounds.size(); ++r) {
            standing_[r + 1] = standing_[r];
            for (const Loaded& l : facts_.kept[r]) standing_[r + 1][l.place] = l.value;
            for (const Addition& a : facts_.rounds[r]) standing_[r + 1][a.to] = a.sum;
        }
    }

    std::string sentence() const {
        std::string text = model::sentenceAt(*in_.run.module, in_.run.recording, *here_.block, in_.cursor.warp, in_.cursor.step, in_.profile, arrayShapes(in_.run, in_.cursor.launch)).in(in_.language);
        const std::optional<u32> round = current();
        if (!round || !started()) return text;
        if (const Addition* own = ownAddition(*round); own && facts_.isScan) {
            const std::string lane = say(in_.language, kLaneMakes, in_.cursor.lane.value, formulaOf(facts_, *round, *own));
            return text + (in_.language == Language::English ? " " : "") + lane;
        }
        const Work work = workOf(*round);
        const u64 threads = here_.block->threads;
        const u64 idle = threads > work.adding ? threads - work.adding : 0;
        return text + (in_.language == Language::English ? " " : "") +
               (work.divided ? say(in_.language, kTreeSentence, *round + 1, work.adding, idle, work.divided, here_.block->warps.size())
                             : say(in_.language, kTreeSentenceWhole, *round + 1, work.adding, idle));
    }

    // Between places that different warps would own, one place a thread.
    void drawWarpEdges() {
        const f32 top = top_ + f32(firstRow_) * pitch_, bottom = top_ + f32(endRow_ - 1) * pitch_ + tall_;
        for (u64 place = 0; place < facts_.places; place += kWarpSize) {
            const f32 x = origin_ + f32(place) * cell_;
            if (place) canvas_.line({x, top - 14}, {x, bottom}, {role(RoleKind::Edge), 1, Dash::Sparse});
            const std::string name = std::to_string(place);
            const TextStyle style{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
            if (canvas_.width(name, style) < cell_ * kWarpSize - 6) canvas_.text({x + 2, top - 9}, name, style);
        }
    }

    void label(u32 row, const std::string& name, const std::string& note, bool current) {
        const f32 y = top_ + f32(row) * pitch_ + tall_ / 2, x = left_ - labels_;
        canvas_.textWithin({x, y}, labels_ - 10, name, {.size = type::kCode, .bold = current, .role = role(current ? RoleKind::Text : RoleKind::TextSecond)});
        if (pitch_ >= kNoted) canvas_.textWithin({x, y + 14}, labels_ - 10, note, {.size = type::kAxis, .role = role(RoleKind::TextThird)});
    }

    // Where a row writes its values: all in their cells; under them, where arcs leave room; beside them, over idle places; in those
    // cells alone where they fit; nowhere.
    enum class Numbers : u8 { Inside, Below, Beside, SomeInside, None };
    struct RowNumbers { Numbers where = Numbers::None; f32 size = type::kAxis; };
    static constexpr f32 kBelow = 30;

    RowNumbers numbersOf(u32 row) const {
        std::map<u64, f64> values;
        if (row == 0) for (const Loaded& l : facts_.start) values[l.place] = l.value;
        else if (facts_.isScan) values = standing_[row];
        else for (const Addition& a : facts_.rounds[row - 1]) values[a.to] = a.sum;
        const TextStyle least{.size = type::kAxis, .mono = true};
        f32 inside = type::kBody;
        bool below = pitch_ - tall_ >= kBelow, beside = tall_ >= type::kAxis;
        for (auto at = values.begin(); at != values.end(); ++at) {
            const f32 wide = canvas_.width(numberText(at->second, facts_.isFloat), least);
            const f32 before = at == values.begin() ? 1e6f : f32(at->first - std::prev(at)->first) * cell_, after = f32((std::next(at) == values.end() ? facts_.places : std::next(at)->first) - at->first) * cell_;
            inside = std::min(inside, sizeInside(at->second));
            below = below && wide + 6 <= std::min(before, std::next(at) == values.end() ? 2 * after : after);
            beside = beside && wide + 8 <= after - cell_;
        }
        if (inside >= type::kAxis) return {Numbers::Inside, inside};
        if (below) return {Numbers::Below};
        if (beside) return {Numbers::Beside};
        return {cell_ >= kRoomy ? Numbers::SomeInside : Numbers::None};
    }

    // Of a value in a cell; 0 where it would be too small to read.
    f32 sizeInside(f64 value) const {
        return fittingSize(canvas_, numberText(value, facts_.isFloat, 6), cell_ - (cell_ >= kRoomy ? 3.0f : 2.0f), {.mono = true}, std::min(type::kBody, tall_ * (cell_ >= kRoomy ? 0.7f : 0.95f)));
    }

    void drawValue(const Rect& cell, f64 value, const RowNumbers& numbers, Role fill) {
        TextStyle style{.size = numbers.size, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
        if (numbers.where == Numbers::Inside) return (void)canvas_.text(cell.centre(), numberText(value, facts_.isFloat, 6), style);
        if (numbers.where == Numbers::SomeInside) {
            style.size = sizeInside(value);
            if (style.size > 0) canvas_.text(cell.centre(), numberText(value, facts_.isFloat, 6), style);
            return;
        }
        const std::string text = numberText(value, facts_.isFloat);
        const f32 wide = canvas_.width(text, style);
        style.role = role(RoleKind::Text);
        if (numbers.where == Numbers::Beside) return textOnGround(canvas_, {cell.right() + 4 + wide / 2, cell.centre().y}, text, style);
        if (numbers.where != Numbers::Below) return;
        const Point at{std::max(cell.centre().x, origin_ + wide / 2), cell.bottom() + 8};
        // The line between two warps makes way for digits.
        const f32 warpWide = f32(kWarpSize) * cell_, edge = origin_ + std::round((at.x - origin_) / warpWide) * warpWide;
        if (std::abs(edge - at.x) < wide / 2 + 2) textOnGround(canvas_, at, text, style);
        else canvas_.text(at, text, style);
    }

    Cursor at(Warp warp, Lane lane, u32 step) const {
        Cursor go = in_.cursor;
        go.warp = warp, go.lane = lane, go.step = step;
        return go;
    }

    void drawHollow(u32 row, const std::set<u64>& filled, f32 alpha) {
        const auto [first, end] = cellsBetween(origin_, cell_, facts_.places, left_, right_);
        for (u64 place = first; place < end; ++place)
            if (!filled.contains(place)) hit(cellAt(row, place), leadingTo(in_, *accesses_, trace::Space::Shared, facts_.array.base + facts_.placeIn(row, place) * facts_.array.elementBytes, order_, fmt::format("{}[{}]", facts_.array.name, facts_.placeIn(row, place))));
        if (cell_ < 4) {
            canvas_.rect({origin_, top_ + f32(row) * pitch_, f32(facts_.places) * cell_, tall_}, {.stroke = {role(RoleKind::Line, alpha)}});
            return;
        }
        for (u64 place = first; place < end; ++place)
            if (!filled.contains(place)) canvas_.rect(cellAt(row, place).inset(cell_ > 8 ? 1.0f : 0.5f), {.stroke = {role(RoleKind::Line, alpha)}, .radius = cell_ > 12 ? 2.0f : 0.0f});
    }

    // Of a scan, in the places that nobody adds to, once the round has begun; where two rows take turns, once they are copied.
    void drawKept(u32 round, const std::set<u64>& filled) {
        if (!facts_.isScan || isAhead(round)) return;
        std::set<u64> without = filled;
        for (const Addition& a : facts_.rounds[round]) without.insert(a.to);
        for (const Loaded& l : facts_.kept[round])
            if (l.order > order_) without.insert(l.place);
        const auto [first, end] = cellsBetween(origin_, cell_, facts_.places, left_, right_);
        for (const auto& [place, value] : standing_[round + 1]) {
            if (place < first || place >= end || without.contains(place)) continue;
            const f32 size = sizeInside(value);
            if (size > 0) canvas_.text(cellAt(round + 1, place).centre(), numberText(value, facts_.isFloat, 6), {.size = size, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
            if (size > 0) drew_.kept = true;
        }
    }

    void drawStart() {
        std::set<u64> filled;
        for (const Loaded& l : facts_.start)
            if (l.order <= order_) filled.insert(l.place);
        drawHollow(0, filled, 1);
        for (const Loaded& l : facts_.start) {
            if (l.order > order_) continue;
            const Rect cell = cellAt(0, l.place);
            const Role fill = colour(l.warp, l.lane);
            canvas_.rect(cell.inset(cell_ > 8 ? 1.0f : cell_ > 4 ? 0.5f : 0.0f), {.fill = fill, .radius = cell_ > 12 ? 2.0f : 0.0f});
            drawValue(cell, l.value, rows_[0], fill);
            hit(cell, {.hover = say(in_.language, kTreeHover, facts_.array.name, l.place, numberText(l.value, facts_.isFloat), 0), .go = at(l.warp, l.lane, l.step)});
            if (l.warp == in_.cursor.warp && l.lane == in_.cursor.lane && !started()) boxes_.push_back(cell.inset(cell_ > 8 ? 1.0f : 0.0f));
        }
    }

    void drawRound(u32 round) {
        const std::vector<Addition>& additions = facts_.rounds[round];
        const bool isCurrent = started() && current() == round, ahead = isAhead(round);
        std::set<u64> filled;
        for (const Addition& a : additions)
            if (a.order < order_ || (a.order == order_ && in_.motion >= 1)) filled.insert(a.to);
        drawHollow(round + 1, filled, ahead ? 0.5f : 1);
        drawKept(round, filled);
        for (const Addition& a : additions) drawArcs(round, a, isCurrent);
        for (const Addition& a : additions) {
            const Rect cell = cellAt(round + 1, a.to);
            const bool done = filled.contains(a.to);
            const Role fill = colour(a.warp, a.lane);
            const Rect box = cell.inset(cell_ > 8 ? 1.0f : cell_ > 4 ? 0.5f : 0.0f);
            if (done) {
                canvas_.rect({box.x, box.y, std::max(1.0f, box.width), box.height}, {.fill = fill, .radius = cell_ > 12 ? 2.0f : 0.0f});
                drawValue(cell, a.sum, rows_[round + 1], fill);
            } else if (isCurrent && cell_ >= 4) {
                canvas_.rect(box, {.stroke = {fill, 1, nextDash()}, .radius = cell_ > 12 ? 2.0f : 0.0f});
                drew_.next = true;
            }
            hit(cell, {.hover = facts_.isScan ? formulaOf(facts_, round, a) : say(in_.language, kTreeHover, facts_.array.name, a.to, numberText(a.sum, facts_.isFloat), round + 1), .go = at(a.warp, a.lane, a.step)});
            if (isCurrent && a.warp == in_.cursor.warp && a.lane == in_.cursor.lane) boxes_.push_back({box.x, box.y, std::max(4.0f, box.width), box.height});
        }
    }

    // How far what is added lies away, where it is as far for all.
    std::string strideText(u32 round) const {
        std::set<u64> strides;
        for (const Addition& a : facts_.rounds[round])
            for (const Addend& from : a.from) strides.insert(from.place > a.to ? from.place - a.to : a.to - from.place);
        return strides.size() == 1 ? say(in_.language, kStride, *strides.begin()) : std::string();
    }

    // From the longest to the shortest.
    std::array<std::string, 3> roundNames(u32 round) const {
        const std::string stride = strideText(round), name = say(in_.language, kTreeRound, round + 1) + stride;
        if (!facts_.isScan) return {name, name, name};
        const std::size_t all = facts_.rounds.size();
        return {say(in_.language, kRoundOf, round + 1, all) + stride, name, say(in_.language, kRoundOfInBrief, round + 1, all) + stride};
    }

    // The longest of them for which all rounds have room, so that they read alike.
    std::vector<std::string> namesOfRounds() const {
        const TextStyle style{.size = type::kCode, .bold = true};
        std::vector<std::array<std::string, 3>> names;
        for (u32 round = 0; round < facts_.rounds.size(); ++round) names.push_back(roundNames(round));
        std::size_t form = 0;
        const auto fits = [&](const auto& name) { return canvas_.width(name[form], style) <= labels_ - 10; };
        while (form < 2 && !std::ranges::all_of(names, fits)) ++form;
        std::vector<std::string> chosen;
        for (auto& name : names) chosen.push_back(std::move(name[form]));
        return chosen;
    }

    bool isAhead(u32 round) const {
        return std::ranges::all_of(facts_.rounds[round], [&](const Addition& a) { return a.order > order_; });
    }

    // Where two threads collide, in the row of the cursor's round.
    void drawSecondThread(const Rect& body) {
        if (!second_ || !second_->isAt(trace::Space::Shared, facts_.array.base, facts_.places * facts_.array.elementBytes)) return;
        const u32 row = started() ? current().value_or(u32(facts_.rounds.size()) - 1) : 0;
        if (row >= firstRow_ && row < endRow_) draw(canvas_, *second_, cellAt(row, (second_->address - facts_.array.base) / facts_.array.elementBytes), body);
    }

    // What stands left and right of the rows.
    void drawHeads(const Rect& body) {
        if (firstRow_ == 0) label(0, say(in_.language, kTreeStart, facts_.array.name), "", !started());
        if (columns_ && firstRow_ == 0) columns_->drawHead(canvas_, columnsLeft_, top_ - 9, top_ + std::max(tall_ / 2, 8.0f));
        const std::vector<std::string> names = namesOfRounds();
        for (u32 r = firstRow_ ? firstRow_ - 1 : 0; r + 1 < endRow_; ++r) {
            const bool isCurrent = started() && current() == r;
            if (isCurrent) canvas_.rect({body.x, top_ + f32(r + 1) * pitch_ - 4, body.width, std::max(tall_ + 8, pitch_ >= kNoted ? tall_ / 2 + 28 : 0)}, {.fill = role(RoleKind::Panel)});
            const Work work = workOf(r);
            label(r + 1, names[r], say(in_.language, kTreeWorking, work.adding, here_.block->threads), isCurrent);
            if (columns_) drawColumns(r, isCurrent, isAhead(r));
            else if (work.divided && pitch_ >= tall_ / 2 + 36) canvas_.textWithin({left_ - labels_, top_ + f32(r + 1) * pitch_ + tall_ / 2 + 26}, labels_ - 10, say(in_.language, kTreeSplit, work.divided), {.size = type::kAxis, .role = role(RoleKind::TextThird)});
        }
    }

    void drawColumns(u32 round, bool isCurrent, bool ahead) {
        const Rect row{columnsLeft_, top_ + f32(round + 1) * pitch_, columns_->width(), tall_};
        columns_->drawRound(canvas_, columnsLeft_, row, round, warpsIn(round), ahead);
        const std::optional<Rect> lane = columns_->laneAt(columnsLeft_, row, in_.cursor.warp, in_.cursor.lane);
        if (isCurrent && lane) cursorBox(canvas_, *lane, 3);
    }

    // Of a place that is added to next; around narrow ones dashes would be specks.
    Dash nextDash() const { return cell_ >= 12 ? Dash::Dashed : Dash::Solid; }

    void drawArcs(u32 round, const Addition& a, bool isCurrent) {
        const bool now = a.order == order_, done = a.order < order_ || (now && in_.motion >= 1), mine = a.warp == in_.cursor.warp && a.lane == in_.cursor.lane;
        if (!done && !now && !isCurrent) return;  // what is still to come has no way yet
        const Rect to = cellAt(round + 1, a.to);
        const Point end{to.centre().x, to.y - 1};
        const f32 under = rows_[round].where == Numbers::Below ? 16 : 1;
        const auto arc = [&](u64 place) {
            const Rect from = cellAt(round, place);
            const Point begin{from.centre().x, from.bottom() + under};
            return Curve{begin, Point{begin.x, begin.y + (end.y - begin.y) * 0.6f}, {end.x + (begin.x - end.x) * 0.35f, end.y - (end.y - begin.y) * 0.15f}, end};
        };
        const f32 gone = done ? 1 : now ? ease(in_.motion) : 0;
        for (const Addend& operand : a.from) {
            const Curve way = arc(operand.place);
            const bool strong = isCurrent && (now || mine);
            (gone > 0 ? drew_.added : drew_.toAdd) = true;
            if (gone > 0) canvas_.curve(part(way, 0, std::max(0.02f, gone)), {colour(a.warp, a.lane, strong ? 1.0f : 0.5f), strong && cell_ >= 8 ? line::kRead : 1.0f});
            else canvas_.curve(way, {colour(a.warp, a.lane, 0.6f), 1, Dash::Dotted});
            if (now && in_.motion < 1) {
                const Point p = pointAt(way, gone);
                canvas_.rect({p.x - 3, p.y - 3, 6, 6}, {.fill = colour(a.warp, a.lane), .radius = 1});
            }
        }
        const Rect own = cellAt(round, a.to);
        if (done && a.own) canvas_.line({own.centre().x, own.bottom() + under}, end, {role(RoleKind::Edge, 0.7f)}), drew_.own = true;
        if (facts_.isScan && mine && isCurrent) drawOperands(round, a, under);
    }

    // What the cursor's lane adds: both framed, and the way of its own value down to the result.
    void drawOperands(u32 round, const Addition& a, f32 under) {
        drew_.operand = true;
        const auto frame = [&](u64 place) { canvas_.rect(cellAt(round, place).inset(0.5f), {.stroke = {role(RoleKind::Text), 1.5f}, .radius = 2}); };
        for (const Addend& operand : a.from) frame(operand.place);
        if (!a.own) return;
        frame(a.own->place);
        const Rect own = cellAt(round, a.own->place), to = cellAt(round + 1, a.to);
        canvas_.line({own.centre().x, own.bottom() + under}, {to.centre().x, to.y - 1}, {role(RoleKind::Text), 1.5f}, 6);
    }

    void drawKeys(Point at) {
        const Role mine = warpRole(in_.cursor.warp);
        std::vector<KeyRow> rows = {{[mine](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2}); }, say(in_.language, kKeyAdds)},
                               {[](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {role(RoleKind::Line)}, .radius = 2}); }, say(in_.language, kKeyIdle)}};
        const auto curve = [](Stroke stroke) { return [stroke](Canvas& c, Point p) { c.curve({Point{p.x + 8, p.y - 7}, {p.x + 8, p.y + 3}, {p.x - 4, p.y + 4}, {p.x - 8, p.y + 7}}, stroke); }; };
        if (columns_) rows.push_back({[](Canvas& c, Point p) { fork(c, p, role(RoleKind::Text)); }, say(in_.language, kKeyDivides)});
        if (drew_.kept) rows[1].text = say(in_.language, kKeyKept);
        if (drew_.operand) rows.push_back({[](Canvas& c, Point p) { c.rect({p.x - 7, p.y - 5, 14, 10}, {.stroke = {role(RoleKind::Text), 1.5f}, .radius = 2}); }, say(in_.language, kKeyOperand)});
        if (drew_.added) rows.push_back({curve({mine, 2}), say(in_.language, kKeyAdded)});
        if (drew_.toAdd) rows.push_back({curve({mine, 1, Dash::Dotted}), say(in_.language, kKeyToAdd)});
        if (drew_.next) rows.push_back({[mine, dash = nextDash()](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1, dash}, .radius = 2}); }, say(in_.language, kKeyAddsNext)});
        if (drew_.own) rows.push_back({[](Canvas& c, Point p) { c.line({p.x, p.y - 8}, {p.x, p.y + 8}, {role(RoleKind::Edge, 0.7f)}); }, say(in_.language, kKeyOwn)});
        if (facts_.places > kWarpSize) rows.push_back({[](Canvas& c, Point p) { c.line({p.x, p.y - 8}, {p.x, p.y + 8}, {role(RoleKind::Edge), 1, Dash::Sparse}); }, say(in_.language, kKeyWarpEdge)});
        rows.push_back({[](Canvas& c, Point p) { cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3); }, say(in_.language, kKeyCursor)});
        keyRow(canvas_, at, in_.size.width - 2 * space::kInset, rows);
    }

    const ViewInput& in_;
    const ReductionFacts& facts_;
    const Here& here_;
    Canvas canvas_;
    u32 order_;
    std::shared_ptr<const BlockAccesses> accesses_;
    std::optional<SecondThread> second_;
    f32 cell_ = 1, pitch_ = 1, tall_ = 1, left_ = 0, top_ = 0;
    u32 firstRow_ = 0, endRow_ = 0;  // of those shown: the start, then the rounds
    std::optional<WarpColumns> columns_;
    std::vector<RowNumbers> rows_;
    f32 right_ = 0, origin_ = 0, columnsLeft_ = 0;  // of the cells, cut off at left_ and right_ where they are zoomed; of the columns
    f32 labels_ = facts_.isScan && in_.size.width >= kScanLabelsFrom ? kScanLabels : kLabels;
    std::vector<Rect> boxes_;
    std::vector<std::map<u64, f64>> standing_;  // of a scan, by row
    struct Drawn { bool added = false, toAdd = false, next = false, own = false, operand = false, kept = false; } drew_;  // what the key explains
};

}  // namespace

Scene buildReductionStage(const ViewInput& in, const ReductionFacts& facts) {
    const Here here = lookUp(in.run, in.cursor);
    return ReductionStage(in, facts, here).build();
}

}  // namespace lockstep::viz
