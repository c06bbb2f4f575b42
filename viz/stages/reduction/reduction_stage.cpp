// Draws the reduction stage: which rounds and places have room, and what is said of them.
#include "viz/stages/reduction/reduction_stage.h"

#include "base/device_addresses.h"
#include "base/text/punctuation.h"
#include "explain/phases/phase_variable.h"
#include "explain/sentences/sentence.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/stages/reduction/close_additions.h"
#include "viz/stages/reduction/fold_grid.h"
#include "viz/stages/reduction/own_elements.h"
#include "viz/stages/reduction/reduction_drawing.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kUnusedSums = english(
    " Only {0} of these sums {0:is|are} used: what the other {1} {1:thread stores|threads store} is read "
    "later "
    "only by threads whose sums are not used either.");
constexpr Words kUnusedInLast = english(
    " Only {0} of these sums {0:is|are} used: what the other {1} {1:thread stores|threads store} is never "
    "read.");
constexpr Words kPlacesOf = english(" · {0}[{1}–{2}] of {3}");
// Of rows that take turns, in whose elements the array's own indices do not count.
constexpr Words kColumnsOf = english(" · columns {1}–{2} of 2 × {3}");
constexpr Words kUnusedByThreads = english(" Only {0} of these {0:sum is|sums are} used.");
constexpr Words kThreadsOf = english(" · threads {0}–{1} of {2}");
constexpr Words kInInterval = english("{0} · {1}");
constexpr Words kLaneMakes = english("Lane {0}: {1}.");
constexpr f32 kValueCell =
    24;                        // of a scan, whose values all count: the least width, so that they can be read
constexpr f32 kWithOwn = 240;  // height from which on a thread's own elements are drawn
constexpr f32 kWithRegisters = 260;  // height from which on what goes on in registers has a line
constexpr f32 kPitchWithGrid = 30;   // least pitch of rounds that leaves room for the threads' own elements
constexpr f32 kFocusedCell = 12;     // least width where only the places around the cursor's warp have room

}  // namespace

Scene ReductionStage::build() {
    const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), captionOfPart());
    keyHeight_ = keyTall();
    labels_ = std::max(labels_, std::min(leastLabels(), in_.size.width * 0.35f));
    const f32 whole = wholeWidth();
    std::optional<u32> closeRound = roundToShowClose(whole, body.height);
    if (closeRound && facts_.isByThread && !facts_.adds(*closeRound)) closeRound.reset();
    const bool isPart = partOn(widthOfCells(whole, columns_)).count < facts_.places;
    const f32 overview = isPart ? kOverview : 0, roomForText = body.width - 2 * space::kInset;
    const std::string registers =
        body.height >= kWithRegisters && keyHeight_ > 0 ? inRegisters(roomForText) : std::string();
    const bool showsOwn = this->showsOwn() && body.height >= kWithOwn;
    // As high for a thread's own elements as for the additions, so that rows stay where they are.
    const bool hasOwn =
        std::ranges::any_of(facts_.own, [](const explain::OwnSum& own) { return own.elements.size() > 1; });
    const f32 own = hasOwn ? OwnElements::heightOf(in_, facts_) : 0;
    const f32 below = keyHeight_ + (closeRound ? std::max(CloseAdditions::kHeight, own) : 0) +
                      (showsOwn ? own : 0) + (registers.empty() ? 0 : kRegistersLine);
    const f32 withoutGrid = body.height - kTop - overview - 10 - below, grid = FoldGrid::heightOf(facts_),
              gridTall = withoutGrid - grid >= kPitchWithGrid * f32(facts_.rounds.size() + 1) ? grid : 0;
    const f32 height = withoutGrid - gridTall;
    if (height < kLeastPitch) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
    chooseRows(height);
    const f32 rows = f32(endRow_ - firstRow_);
    if (endRow_ - firstRow_ == facts_.rounds.size() + 1 && height >= kLeastPitch * (rows + 1))
        result_ = result();
    pitch_ = std::min(height / (rows + (result_ ? 1 : 0)), kLargestPitch);
    left_ = body.x + space::kInset + labels_,
    top_ = body.y + kTop + overview + gridTall - f32(firstRow_) * pitch_;
    constexpr f32 kForLetters = 16,
                  kForArcs =
                      8;  // of a scan, whose values all count: cells are high enough for the least letters
    tall_ = std::min(
        std::max(pitch_ * 0.45f, facts_.isScan ? std::min(kForLetters, pitch_ - kForArcs) : 0.0f), 26.0f);
    chooseColumns(in_.size.width, whole);
    const f32 width = widthOfCells(whole, columns_);
    const Part part = partOn(width);
    const f32 fitting = std::min(width / f32(part.count), kLargestCell),
              mostZoom = std::max(1.0f, kLargestZoomed / fitting),
              zoom = std::clamp(in_.state.zoom, 1.0f, mostZoom);
    cell_ = fitting * zoom;
    right_ = left_ + width;
    const bool cut = zoom > 1 || part.count < facts_.places || endRow_ - firstRow_ <= facts_.rounds.size();
    const f32 begin = (left_ - f32(part.first) * fitting) * zoom + (zoom > 1 ? in_.state.pan.x : 0);
    origin_ = cut ? std::clamp(begin, std::min(left_, right_ - f32(facts_.places) * cell_), left_) : left_;
    drew_.columns = columns_.has_value();
    columnsLeft_ = left_ + whole - (columns_ ? columns_->width() : 0);
    for (u32 row = 0; row <= facts_.rounds.size(); ++row)
        rows_.push_back(numbersOf(row));
    drawHeads(body);
    if (result_) drawResult(body);
    if (isPart) drawOverview(body.y + 8, part);
    if (cut) canvas_.clip({left_ - 4, body.y + overview, width + 8, body.height - overview - keyHeight_});
    if (gridTall > 0)
        drew_.fold = FoldGrid{in_, here_, facts_, order_, origin_, cell_, left_, right_}.draw(
            canvas_, body.y + overview + FoldGrid::kBelow, labels_);
    drawWarpEdges();
    if (firstRow_ > 0) {  // what comes from rows above stays clear of the places' numbers
        canvas_.unclip();
        const f32 top = firstTop() - 3;
        canvas_.clip({left_ - 4, top, width + 8, body.bottom() - keyHeight_ - top});
    }
    if (firstRow_ == 0) drawStart();
    for (u32 r = firstRow_ ? firstRow_ - 1 : 0; r + 1 < endRow_; ++r)
        drawRound(r);
    for (const Rect& box : boxes_)
        cursorBox(canvas_, box, 3);
    drawConflictingThread(body);
    if (cut) canvas_.unclip();
    if (closeRound) {
        const Rect area{body.x + space::kInset,
                        body.bottom() - keyHeight_ - std::max(CloseAdditions::kHeight, own),
                        body.width - 2 * space::kInset, CloseAdditions::kHeight};
        CloseAdditions{in_, facts_, *closeRound, order_, explain::lanesOf(*here_.block, in_.cursor.warp)}
            .draw(canvas_, area, labels_);
    }
    drew_.elements = showsOwn;
    if (showsOwn)
        OwnElements{in_, facts_, order_}.draw(
            canvas_,
            {body.x + space::kInset, body.bottom() - keyHeight_ - own, body.width - 2 * space::kInset, own});
    if (!registers.empty())
        canvas_.textWithin({body.x + space::kInset, body.bottom() - below + kRegistersLine / 2}, roomForText,
                           registers, kRegistersStyle);
    if (keyHeight_ > 0) drawKeys({body.x + space::kInset, body.bottom() - keyHeight_ / 2});
    Scene scene = std::move(canvas_).take(sentence());
    scene.animating = in_.motion < 1;
    scene.mostZoom = mostZoom;
    scene.panes = {{{0, 0, in_.size.width, in_.size.height}}};
    return scene;
}

std::optional<u32> ReductionStage::roundToShowClose(f32 whole, f32 height) const {
    constexpr f32 kForDigits = 20, kLeastPitch = 26;
    const bool hasRoom =
        height - keyHeight_ - kTop - CloseAdditions::kHeight >= kLeastPitch * f32(facts_.rounds.size() + 1);
    return hasRoom && (facts_.isScan || fittingCell(whole) < kForDigits) && started() ? current()
                                                                                      : std::nullopt;
}

void ReductionStage::chooseRows(f32 height) {
    const u32 all = u32(facts_.rounds.size()) + 1,
              most = std::clamp(u32(std::max(0.0f, height) / kLeastPitch), 1u, all);
    const u32 now = started() ? current().value_or(all - 2) + 1 : 0;
    firstRow_ = firstAround(now, most, all);
    endRow_ = firstRow_ + most;
}

ReductionStage::Part ReductionStage::partOn(f32 width) const {
    if (fittingCell(width) >= (facts_.isScan ? kValueCell : kLeastCell)) return {0, facts_.places};
    if (facts_.isScan && width < kValueCell * kWarpSize) {  // less than a warp's: more of what is before the
                                                            // lane's place, from where its addends come
        const u64 count = std::min(facts_.places, std::max<u64>(4, u64(width / kValueCell))),
                  place = placeInFocus(), before = count * 3 / 4;
        return {std::min(place > before ? place - before : 0, facts_.places - count), count};
    }
    const u64 warps = std::max<u64>(1, u64(width / (facts_.isScan ? kValueCell : kFocusedCell)) / kWarpSize),
              count = std::min(facts_.places, warps * kWarpSize);
    const u64 warp = placeInFocus() / kWarpSize, before = (warps - 1) / 2,
              first = (warp > before ? warp - before : 0) * kWarpSize;
    return {std::min(first, facts_.places - count), count};
}

u64 ReductionStage::placeInFocus() const {
    std::optional<u64> place;
    const auto take = [&](Warp warp, Lane lane, u64 at) {
        if (warp == in_.cursor.warp && (!place || lane == in_.cursor.lane)) place = at;
    };
    if (!started())
        for (const Loaded& l : facts_.start)
            take(l.warp, l.lane, l.place);
    else
        for (const Addition& a : facts_.rounds[current().value_or(u32(facts_.rounds.size()) - 1)])
            take(a.warp, a.lane, a.to);
    return std::min(place.value_or(u64(in_.cursor.warp.value) * kWarpSize), facts_.places - 1);
}

void ReductionStage::chooseColumns(f32 body, f32 whole) {
    columns_.reset();
    const f32 twoDigits = canvas_.width("00", {.size = type::kAxis, .mono = true}) + 2;
    for (const WarpColumns& columns : WarpColumns::thatFit(
             canvas_, u32(here_.block->warps.size()),
             body * (body >= kWithStrips ? kColumnsShare : kNarrowColumnsPart), in_.language)) {
        const bool hasRoom = fittingCell(widthOfCells(whole, columns)) >= twoDigits;
        if (!columns_ || hasRoom) columns_ = columns;
        if (hasRoom) return;
    }
}

void ReductionStage::hit(const Rect& cell, Hit hit) {
    const f32 from = std::max(cell.x, left_), to = std::min(cell.right(), right_);
    if (from < to) canvas_.hit({from, cell.y, to - from, cell.height}, std::move(hit));
}

std::optional<u32> ReductionStage::current() const {
    // Warps go through rounds in registers each for itself: the cursor's, while it has any left.
    if (facts_.isByThread)
        for (const bool ofAll : {false, true})
            for (u32 r = 0; r < facts_.rounds.size(); ++r)
                if (std::ranges::any_of(facts_.rounds[r], [&](const Addition& a) {
                        return a.order >= order_ && (ofAll || a.warp == in_.cursor.warp);
                    }))
                    return r;
    if (facts_.isByThread) return std::nullopt;
    for (u32 r = 0; r < facts_.rounds.size(); ++r) {
        if (std::ranges::any_of(facts_.rounds[r], [&](const Addition& a) { return a.order >= order_; }))
            return r;
        const bool isLastOfInterval = r + 1 == facts_.rounds.size() || intervals_[r + 1] > intervals_[r];
        if (isLastOfInterval && isBeforeBarrierOf(intervals_[r])) return r;
    }
    return std::nullopt;
}

bool ReductionStage::started() const {
    if (facts_.start.empty()) return true;
    if (facts_.isByThread)
        return std::ranges::all_of(
            facts_.start, [&](const Loaded& l) { return l.warp != in_.cursor.warp || l.order < order_; });
    return std::ranges::all_of(facts_.start, [&](const Loaded& l) { return l.order < order_; }) &&
           (intervals_.front() == startInterval_ || !isBeforeBarrierOf(startInterval_));
}

std::string ReductionStage::caption() const {
    std::string block =
        say(in_.language, kBlock, coordinates(in_.cursor.block, launchOf(in_.run, in_.cursor.launch).grid));
    const std::optional<u32> round = current();
    if (!round || !started()) return block;
    // The timeline counts barrier intervals: the same number, as long as a round lasts from one barrier to
    // the next.
    const std::string name = block + " · " + nameOf(*round);
    return facts_.adds(*round) && facts_.numberOf(*round) == phase_
               ? name
               : say(in_.language, kInInterval, name, explain::intervalText(in_.language, phase_, {}));
}

std::string ReductionStage::captionOfPart() {
    chooseColumns(in_.size.width, wholeWidth());
    const Part part = partOn(widthOfCells(wholeWidth(), columns_));
    if (part.count == facts_.places || in_.state.zoom > 1) return caption();
    if (facts_.isByThread)
        return caption() +
               say(in_.language, kThreadsOf, part.first, part.first + part.count - 1, facts_.places);
    return caption() + say(in_.language, facts_.turns.empty() ? kPlacesOf : kColumnsOf, facts_.array.name,
                           part.first, part.first + part.count - 1, facts_.places);
}

std::vector<WarpInRound> ReductionStage::warpsIn(u32 round) const {
    std::vector<WarpInRound> warps(here_.block->warps.size());
    for (u32 w = 0; w < warps.size(); ++w)
        warps[w].lanes = explain::lanesOf(*here_.block, Warp{w});
    for (const Addition& a : facts_.rounds[round]) {
        WarpInRound& warp = warps[a.warp.value];
        warp.adding = warp.adding | LaneMask::of(a.lane);
        if (!a.isUsed) warp.inVain = warp.inVain | LaneMask::of(a.lane);
        if (!warp.go) warp.go = at(a.warp, a.lane, a.step);
    }
    return warps;
}

std::optional<ReductionStage::Result> ReductionStage::result() const {
    if (facts_.isScan || facts_.rounds.empty()) return std::nullopt;
    u32 last = 0;
    for (const Addition& a : facts_.rounds.back())
        last = std::max(last, a.order);
    Result result{{}, std::vector<WarpInRound>(here_.block->warps.size()), 0};
    for (u32 w = 0; w < result.warps.size(); ++w) {
        WarpInRound& warp = result.warps[w];
        warp.lanes = explain::lanesOf(*here_.block, Warp{w});
        const trace::WarpTrace& trace = here_.block->warps[w];
        for (u32 s = 0; s < trace.steps.size(); ++s) {
            const trace::Step& step = trace.steps[s];
            if (step.order <= last || step.access == trace::Step::kNone) continue;
            const trace::StoredAccess& access = trace.accesses[step.access];
            if (access.space != trace::Space::Global || !trace::writes(access.kind) || access.active.empty())
                continue;
            warp.adding = warp.adding | access.active;
            if (!warp.go) warp.go = at(Warp{w}, access.active.lowest(), s);
            result.order = std::max(result.order, step.order);
            if (const auto number = bufferOfAddress(trace.address(access, access.active.lowest()));
                number && *number < in_.run.recording.initial.size())
                result.array = in_.run.recording.initial[*number].name;
        }
    }
    return result.array.empty() ? std::nullopt : std::optional(std::move(result));
}

ReductionStage::Work ReductionStage::workOf(u32 round) const {
    Work work;
    for (const WarpInRound& warp : warpsIn(round))
        work.adding += u64(warp.adding.count()), work.divided += !warp.adding.empty() && !warp.isWhole(),
            work.used += u64((warp.adding & ~warp.inVain).count());
    return work;
}

const Addition* ReductionStage::ownAddition(u32 round) const {
    const Addition* own = nullptr;
    for (const Addition& a : facts_.rounds[round])
        if (a.warp == in_.cursor.warp && a.lane == in_.cursor.lane && (!own || own->order < order_)) own = &a;
    return own;
}

const Loaded* ReductionStage::ownCopy(u32 round) const {
    if (!facts_.isScan || facts_.turns.empty()) return nullptr;
    const auto found = std::ranges::find_if(facts_.kept[round], [&](const Loaded& l) {
        return l.warp == in_.cursor.warp && l.lane == in_.cursor.lane;
    });
    return found == facts_.kept[round].end() ? nullptr : &*found;
}

void ReductionStage::workOutStanding() {
    standing_.resize(facts_.rounds.size() + 1);
    for (const Loaded& l : facts_.start)
        standing_[0][l.place] = l.value;
    for (u32 r = 0; r < facts_.rounds.size(); ++r) {
        standing_[r + 1] = standing_[r];
        for (const Loaded& l : facts_.kept[r])
            standing_[r + 1][l.place] = l.value;
        for (const Addition& a : facts_.rounds[r])
            standing_[r + 1][a.to] = a.sum;
    }
}

// Whether the cursor's warp goes on to something else, adds nothing from here on and waits for no round.
bool ReductionStage::isDone() const {
    const trace::WarpTrace& warp = here_.block->warps[in_.cursor.warp.value];
    if (warp.phaseOf(in_.cursor.step) < warp.barrierSteps.size()) return false;
    return std::ranges::none_of(facts_.rounds, [&](const std::vector<Addition>& round) {
        return std::ranges::any_of(
            round, [&](const Addition& a) { return a.warp == in_.cursor.warp && a.step >= in_.cursor.step; });
    });
}

std::string ReductionStage::sentence() const {
    std::string text =
        explain::sentenceAt(*in_.run.module, in_.run.recording, *here_.block, in_.cursor.warp,
                            in_.cursor.step, in_.profile, explain::arrayShapes(in_.run, in_.cursor.launch))
            .in(in_.language);
    const std::optional<u32> round = current();
    if (!round || !started()) return text + ownSentence();
    if (isDone() || storesResult()) return text;
    if (const Addition* own = ownAddition(*round); own && facts_.isScan) {
        const std::string lane = say(in_.language, kLaneMakes, in_.cursor.lane.value,
                                     formulaOf(facts_, *round, *own, in_.language));
        return text + sentenceGap(in_.language) + lane;
    }
    if (const Loaded* kept = ownCopy(*round))
        return text + sentenceGap(in_.language) +
               say(in_.language, kLaneMakes, in_.cursor.lane.value,
                   formulaOf(facts_, *round, *kept, in_.language));
    if (!facts_.adds(*round) || !facts_.isSum) return text;
    const Work work = workOf(*round);
    const u64 threads = here_.block->threads,
              working = work.adding + (facts_.isScan ? facts_.kept[*round].size() : 0);
    const u64 idle = threads > working ? threads - working : 0;
    const u64 used = u64(std::ranges::count(facts_.rounds[*round], true, &Addition::isUsed)),
              all = facts_.rounds[*round].size();
    const std::string harmless =
        used == all ? std::string()
        : facts_.isByThread
            ? say(in_.language, kUnusedByThreads, used)
            : say(in_.language, *round + 1 < facts_.rounds.size() ? kUnusedSums : kUnusedInLast, used,
                  all - used);
    return text + sentenceGap(in_.language) +
           (work.divided
                ? say(in_.language,
                      here_.block->warps.size() == 1              ? kTreeSentenceOnly
                      : work.divided == here_.block->warps.size() ? kTreeSentenceAll
                                                                  : kTreeSentence,
                      facts_.numberOf(*round), work.adding, idle, work.divided, here_.block->warps.size())
                : say(in_.language, kTreeSentenceWhole, facts_.numberOf(*round), work.adding, idle)) +
           harmless;
}

// The cursor's warp has added all that it has to, while other warps still add, and stores what came out.
bool ReductionStage::storesResult() const {
    if (!here_.access || here_.access->space != trace::Space::Global || !trace::writes(here_.access->kind))
        return false;
    return std::ranges::none_of(facts_.rounds, [&](const std::vector<Addition>& round) {
        return std::ranges::any_of(
            round, [&](const Addition& a) { return a.warp == in_.cursor.warp && a.order >= order_; });
    });
}

bool ReductionStage::showsOwn() const {
    return !started() && std::ranges::any_of(
                             facts_.own, [](const explain::OwnSum& own) { return own.elements.size() > 1; });
}

std::string ReductionStage::ownSentence() const {
    if (started()) return {};
    const std::string own = ownSentenceOf(in_, facts_, order_);
    return own.empty() ? own : sentenceGap(in_.language) + own;
}

Cursor ReductionStage::at(Warp warp, Lane lane, u32 step) const {
    Cursor go = in_.cursor;
    go.warp = warp, go.lane = lane, go.step = step;
    return go;
}

Scene buildReductionStage(const ViewInput& in, const ReductionFacts& facts) {
    const CursorContext here = lookUp(in.run, in.cursor);
    return ReductionStage(in, facts, here).build();
}

}  // namespace lockstep::viz
