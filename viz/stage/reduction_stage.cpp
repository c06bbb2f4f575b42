// Draws the reduction stage.
#include "viz/stage/reduction_stage.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/sentence.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/numbers.h"
#include "viz/phrases.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kLabels = 112, kKey = 26, kTop = 22, kLargestCell = 40, kLeastCell = 1.5f, kNumberInside = 20, kLargestPitch = 112;

class ReductionStage {
public:
    ReductionStage(const ViewInput& in, const ReductionFacts& facts, const Here& here)
        : in_(in), facts_(facts), here_(here), canvas_(in.size, in.metrics), order_(here.step->order) {}

    Scene build() {
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), caption());
        const f32 width = body.width - kLabels - 2 * space::kInset, height = body.height - kKey - kTop - 10;
        cell_ = std::min(width / f32(facts_.places), kLargestCell);
        pitch_ = std::min(height / f32(facts_.rounds.size() + 1), kLargestPitch);
        if (cell_ < kLeastCell || pitch_ < 16) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
        tall_ = std::min(pitch_ * 0.45f, 26.0f);
        left_ = body.x + space::kInset + kLabels, top_ = body.y + kTop;
        drawWarpEdges();
        drawStart();
        for (u32 r = 0; r < facts_.rounds.size(); ++r) drawRound(r);
        for (const Rect& box : boxes_) cursorBox(canvas_, box, 3);
        drawKeys({body.x + space::kInset, body.bottom() - kKey / 2});
        Scene scene = std::move(canvas_).take(sentence());
        scene.animating = in_.motion < 1;
        return scene;
    }

private:
    Role colour(Warp warp, Lane lane, f32 alpha = 1) const { return warpRole(warp, lane, lanesOf(*here_.block, warp), alpha); }
    Rect cellAt(u32 row, u64 place) const { return {left_ + f32(place) * cell_, top_ + f32(row) * pitch_, cell_, tall_}; }

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

    struct Work { u64 adding = 0, divided = 0; };
    Work workOf(u32 round) const {
        std::vector<u32> lanes(here_.block->warps.size());
        for (const Addition& a : facts_.rounds[round]) ++lanes[a.warp.value];
        Work work{facts_.rounds[round].size(), 0};
        for (u32 w = 0; w < lanes.size(); ++w) work.divided += lanes[w] > 0 && lanes[w] < lanesOf(*here_.block, Warp{w});
        return work;
    }

    std::string sentence() const {
        std::string text = model::sentenceAt(*in_.run.module, in_.run.recording, *here_.block, in_.cursor.warp, in_.cursor.step, in_.profile, arrayShapes(in_.run, in_.cursor.launch)).in(in_.language);
        const std::optional<u32> round = current();
        if (!round || !started()) return text;
        const Work work = workOf(*round);
        const u64 threads = here_.block->threads;
        const u64 idle = threads > work.adding ? threads - work.adding : 0;
        return text + (in_.language == Language::English ? " " : "") +
               (work.divided ? say(in_.language, kTreeSentence, *round + 1, work.adding, idle, work.divided, here_.block->warps.size())
                             : say(in_.language, kTreeSentenceWhole, *round + 1, work.adding, idle));
    }

    // Between places that different warps would own, one place a thread.
    void drawWarpEdges() {
        const f32 bottom = top_ + f32(facts_.rounds.size()) * pitch_ + tall_;
        for (u64 place = 0; place < facts_.places; place += kWarpSize) {
            const f32 x = left_ + f32(place) * cell_;
            if (place) canvas_.line({x, top_ - 14}, {x, bottom}, {role(RoleKind::Edge), 1, Dash::Sparse});
            const std::string name = std::to_string(place);
            const TextStyle style{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextThird)};
            if (canvas_.width(name, style) < cell_ * kWarpSize - 6) canvas_.text({x + 2, top_ - 9}, name, style);
        }
    }

    void label(u32 row, const std::string& name, const std::string& note, bool current) {
        const f32 y = top_ + f32(row) * pitch_ + tall_ / 2, x = left_ - kLabels;
        canvas_.textWithin({x, y}, kLabels - 10, name, {.size = type::kCode, .bold = current, .role = role(current ? RoleKind::Text : RoleKind::TextSecond)});
        if (pitch_ >= 30) canvas_.textWithin({x, y + 15}, kLabels - 10, note, {.size = type::kAxis, .role = role(RoleKind::TextThird)});
    }

    // Between two rows: values under their cells, and below them the arcs.
    static constexpr f32 kBelow = 30;
    bool fitsBelow(f64 value, f32 room) const {
        return pitch_ - tall_ >= kBelow && canvas_.width(numberText(value, facts_.isFloat, 8), {.size = type::kAxis, .mono = true}) + 6 <= room;
    }

    // A value in its cell or, in narrow ones, below it where all values of the row have room there: all or none.
    void drawValue(const Rect& cell, f64 value, bool allFitBelow, Role fill) {
        TextStyle style{.mono = true, .align = Align::Centre};
        if (cell.width >= kNumberInside) {
            const std::string text = numberText(value, facts_.isFloat, 6);
            style.size = fittingSize(canvas_, text, cell.width - 3, style, std::min(type::kBody, cell.height * 0.7f));
            style.role = inkOn(fill);
            if (style.size > 0) return (void)canvas_.text(cell.centre(), text, style);
        }
        const std::string text = numberText(value, facts_.isFloat, 8);
        style.size = type::kAxis, style.role = role(RoleKind::Text);
        if (!allFitBelow) return;
        const Point at{std::max(cell.centre().x, left_ + canvas_.width(text, style) / 2), cell.bottom() + 8};
        // The line between two warps makes way for digits.
        const f32 warpWide = f32(kWarpSize) * cell_, edge = left_ + std::round((at.x - left_) / warpWide) * warpWide;
        if (std::abs(edge - at.x) < canvas_.width(text, style) / 2 + 2) textOnGround(canvas_, at, text, style);
        else canvas_.text(at, text, style);
    }

    Cursor at(Warp warp, Lane lane, u32 step) const {
        Cursor go = in_.cursor;
        go.warp = warp, go.lane = lane, go.step = step;
        return go;
    }

    void drawHollow(u32 row, const std::set<u64>& filled, f32 alpha) {
        if (cell_ < 4) {
            canvas_.rect({left_, top_ + f32(row) * pitch_, f32(facts_.places) * cell_, tall_}, {.stroke = {role(RoleKind::Line, alpha)}});
            return;
        }
        for (u64 place = 0; place < facts_.places; ++place)
            if (!filled.contains(place)) canvas_.rect(cellAt(row, place).inset(cell_ > 8 ? 1.0f : 0.5f), {.stroke = {role(RoleKind::Line, alpha)}, .radius = cell_ > 12 ? 2.0f : 0.0f});
    }

    void drawStart() {
        label(0, say(in_.language, kTreeStart, facts_.array.name), "", !started());
        std::set<u64> filled;
        for (const Loaded& l : facts_.start)
            if (l.order <= order_) filled.insert(l.place);
        drawHollow(0, filled, 1);
        const bool allFit = std::ranges::all_of(facts_.start, [&](const Loaded& l) { return fitsBelow(l.value, cell_); });
        for (const Loaded& l : facts_.start) {
            if (l.order > order_) continue;
            const Rect cell = cellAt(0, l.place);
            const Role fill = colour(l.warp, l.lane);
            canvas_.rect(cell.inset(cell_ > 8 ? 1.0f : cell_ > 4 ? 0.5f : 0.0f), {.fill = fill, .radius = cell_ > 12 ? 2.0f : 0.0f});
            drawValue(cell, l.value, allFit, fill);
            canvas_.hit(cell, {.hover = say(in_.language, kTreeHover, facts_.array.name, l.place, numberText(l.value, facts_.isFloat), 0), .go = at(l.warp, l.lane, l.step)});
            if (l.warp == in_.cursor.warp && l.lane == in_.cursor.lane && !started()) boxes_.push_back(cell.inset(cell_ > 8 ? 1.0f : 0.0f));
        }
    }

    // Room for a text around each place: up to halfway to its neighbours.
    f32 roomOf(const std::set<u64>& filled, u64 place) const {
        const auto found = filled.find(place);
        const f32 before = found == filled.begin() ? f32(place) + 1e3f : f32(place - *std::prev(found)), after = std::next(found) == filled.end() ? f32(facts_.places - place) * 2 : f32(*std::next(found) - place);
        return std::min(before, after) * cell_;
    }

    void drawRound(u32 round) {
        const std::vector<Addition>& additions = facts_.rounds[round];
        const Work work = workOf(round);
        const bool isCurrent = started() && current() == round;
        const bool ahead = std::ranges::all_of(additions, [&](const Addition& a) { return a.order > order_; });
        std::string note = say(in_.language, kTreeWorking, work.adding, here_.block->threads);
        label(round + 1, say(in_.language, kTreeRound, round + 1), note, isCurrent);
        if (work.divided && pitch_ >= 44) canvas_.textWithin({left_ - kLabels, top_ + f32(round + 1) * pitch_ + tall_ / 2 + 29}, kLabels - 10, say(in_.language, kTreeSplit, work.divided), {.size = type::kAxis, .role = role(RoleKind::TextThird)});
        std::set<u64> filled;
        for (const Addition& a : additions)
            if (a.order < order_ || (a.order == order_ && in_.motion >= 1)) filled.insert(a.to);
        drawHollow(round + 1, filled, ahead ? 0.5f : 1);
        std::set<u64> places;
        for (const Addition& a : additions) places.insert(a.to);
        const bool allFit = std::ranges::all_of(additions, [&](const Addition& a) { return fitsBelow(a.sum, roomOf(places, a.to)); });
        for (const Addition& a : additions) drawArcs(round, a, isCurrent);
        for (const Addition& a : additions) {
            const Rect cell = cellAt(round + 1, a.to);
            const bool done = filled.contains(a.to);
            const Role fill = colour(a.warp, a.lane);
            const Rect box = cell.inset(cell_ > 8 ? 1.0f : cell_ > 4 ? 0.5f : 0.0f);
            if (done) {
                canvas_.rect({box.x, box.y, std::max(1.0f, box.width), box.height}, {.fill = fill, .radius = cell_ > 12 ? 2.0f : 0.0f});
                drawValue(cell, a.sum, allFit, fill);
            } else if (isCurrent && cell_ >= 4) {
                canvas_.rect(box, {.stroke = {fill, 1, Dash::Dashed}, .radius = cell_ > 12 ? 2.0f : 0.0f});
            }
            canvas_.hit(cell, {.hover = say(in_.language, kTreeHover, facts_.array.name, a.to, numberText(a.sum, facts_.isFloat), round + 1), .go = at(a.warp, a.lane, a.step)});
            if (isCurrent && a.warp == in_.cursor.warp && a.lane == in_.cursor.lane) boxes_.push_back({box.x, box.y, std::max(4.0f, box.width), box.height});
        }
    }

    void drawArcs(u32 round, const Addition& a, bool isCurrent) {
        const bool now = a.order == order_, done = a.order < order_ || (now && in_.motion >= 1), mine = a.warp == in_.cursor.warp && a.lane == in_.cursor.lane;
        if (!done && !now && !isCurrent) return;  // what is still to come has no way yet
        const Rect to = cellAt(round + 1, a.to);
        const Point end{to.centre().x, to.y - 1};
        const f32 under = cell_ < kNumberInside && pitch_ - tall_ >= kBelow ? 16 : 1;  // below the values, where they stand under their cells
        const auto arc = [&](u64 place) {
            const Rect from = cellAt(round, place);
            const Point begin{from.centre().x, from.bottom() + under};
            return Curve{begin, Point{begin.x, begin.y + (end.y - begin.y) * 0.6f}, {end.x + (begin.x - end.x) * 0.35f, end.y - (end.y - begin.y) * 0.15f}, end};
        };
        const f32 gone = done ? 1 : now ? ease(in_.motion) : 0;
        for (const u64 place : a.from) {
            const Curve way = arc(place);
            const bool strong = isCurrent && (now || mine);
            if (gone > 0) canvas_.curve(part(way, 0, std::max(0.02f, gone)), {colour(a.warp, a.lane, strong ? 1.0f : 0.5f), strong && cell_ >= 8 ? line::kRead : 1.0f});
            else canvas_.curve(way, {colour(a.warp, a.lane, 0.6f), 1, Dash::Dotted});
            if (now && in_.motion < 1) {
                const Point p = pointAt(way, gone);
                canvas_.rect({p.x - 3, p.y - 3, 6, 6}, {.fill = colour(a.warp, a.lane), .radius = 1});
            }
        }
        const Rect own = cellAt(round, a.to);
        if (done) canvas_.line({own.centre().x, own.bottom() + under}, end, {role(RoleKind::Edge, 0.7f)});
    }

    void drawKeys(Point at) {
        const Role mine = warpRole(in_.cursor.warp);
        const KeyRow rows[] = {{[mine](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2}); }, say(in_.language, kKeyAdds)},
                               {[](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {role(RoleKind::Line)}, .radius = 2}); }, say(in_.language, kKeyIdle)},
                               {[mine](Canvas& c, Point p) { c.curve({Point{p.x + 8, p.y - 7}, {p.x + 8, p.y + 3}, {p.x - 4, p.y + 4}, {p.x - 8, p.y + 7}}, {mine, 2}); }, say(in_.language, kKeyAdded)},
                               {[mine](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1, Dash::Dashed}, .radius = 2}); }, say(in_.language, kKeyAddsNext)},
                               {[](Canvas& c, Point p) { c.line({p.x, p.y - 8}, {p.x, p.y + 8}, {role(RoleKind::Edge), 1, Dash::Sparse}); }, say(in_.language, kKeyWarpEdge)},
                               {[](Canvas& c, Point p) { cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3); }, say(in_.language, kKeyCursor)}};
        keyRow(canvas_, at, in_.size.width - 2 * space::kInset, rows);
    }

    const ViewInput& in_;
    const ReductionFacts& facts_;
    const Here& here_;
    Canvas canvas_;
    u32 order_;
    f32 cell_ = 1, pitch_ = 1, tall_ = 1, left_ = 0, top_ = 0;
    std::vector<Rect> boxes_;
};

}  // namespace

Scene buildReductionStage(const ViewInput& in, const ReductionFacts& facts) {
    const Here here = lookUp(in.run, in.cursor);
    return ReductionStage(in, facts, here).build();
}

}  // namespace lockstep::viz
