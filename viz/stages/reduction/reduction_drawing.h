// The reduction stage while it is drawn: its parts are in files of their own (rounds, labels).
#pragma once

#include "explain/sums/reduction_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/marks/frame.h"
#include "viz/parts/conflicting_thread.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/parts/warp_columns.h"
#include "viz/parts/zoomed.h"
#include "viz/view.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace lockstep::viz {

using explain::Addend, explain::Addition, explain::Loaded, explain::ReductionFacts;

inline constexpr f32 kLabels = 128, kScanLabels = 172, kScanLabelsFrom = 760 /* wide */, kTop = 22,
                     kLargestCell = 40, kLeastCell = 1.5f, kRoomy = 20,
                     kNoted = 36 /* pitch from which on labels have a second line */, kLargestZoomed = 64,
                     kLargestPitch = 112, kLeastPitch = 16, kOverview = 24, kRegistersLine = 18;
inline const TextStyle kRegistersStyle{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
inline constexpr f32 kColumnsShare = 0.32f, kNarrowColumnsPart = 0.2f, kBeforeColumns = 24,
                     kWithStrips = 900;  // most of the width that the warps' columns take

class ReductionStage {
public:
    ReductionStage(const ViewInput& in, const ReductionFacts& facts, const CursorContext& here)
        : in_(in),
          facts_(facts),
          here_(here),
          canvas_(in.size, in.metrics),
          order_(here.step->order),
          accesses_(accessesOfBlock(in)),
          second_(explain::conflictingThreadAt(in.run, in.cursor, in.language)) {
        if (facts.isScan) workOutStanding();
        const auto intervalOf = [&](const auto& done) {
            return here_.block->warps[done.warp.value].phaseOf(done.step);
        };
        for (const Loaded& l : facts.start)
            startInterval_ = std::max(startInterval_, intervalOf(l));
        for (const std::vector<Addition>& round : facts.rounds) {
            u32 last = 0;
            for (const Addition& a : round)
                last = std::max(last, intervalOf(a));
            intervals_.push_back(last);
        }
    }

    Scene build();

private:
    // The round whose values are shown once more, where the cells of all places are too small for digits and
    // there is room below them.
    std::optional<u32> roundToShowClose(f32 whole, f32 height) const;
    f32 wholeWidth() const { return in_.size.width - labels_ - 2 * space::kInset; }

    // The rows that have room: all of them, else those around the cursor's round.
    void chooseRows(f32 height);

    // The places that have room: all of them, else whole warps' worth of them around the one that the
    // cursor's warp adds to.
    struct Part {
        u64 first = 0, count = 1;
    };
    Part partOn(f32 width) const;

    // Where the cursor's lane adds or loads, else another of its warp; where that has nothing to do, the
    // place of its own.
    u64 placeInFocus() const;

    f32 fittingCell(f32 width) const { return std::min(width / f32(facts_.places), kLargestCell); }
    static f32 widthOfCells(f32 whole, const std::optional<WarpColumns>& columns) {
        return whole - (columns ? columns->width() + kBeforeColumns : 0);
    }

    // The widest that leave cells room for two digits, else the widest of all: the same for two runs that are
    // compared.
    void chooseColumns(f32 body, f32 whole);

    Role color(Warp warp, Lane lane, f32 alpha = 1) const {
        return warpRole(warp, lane, explain::lanesOf(*here_.block, warp), alpha);
    }
    f32 firstTop() const { return top_ + f32(firstRow_) * pitch_; }  // of the first row that is drawn
    Rect cellAt(u32 row, u64 place) const {
        return {origin_ + f32(place) * cell_, top_ + f32(row) * pitch_, cell_, tall_};
    }
    // What of a cell is not cut off answers the mouse.
    void hit(const Rect& cell, Hit hit);

    // The round that the cursor's warp is in: the first that is not over for the block, nor for the warp,
    // which comes to the barrier behind it.
    std::optional<u32> current() const;
    // Whether anything has been added yet, or is about to be by the step at the cursor.
    bool started() const;
    // Whether the cursor's warp has still to pass the barrier behind what was done in this interval.
    bool isBeforeBarrierOf(u32 interval) const {
        return phase_ <= interval && phase_ < here_.warp->barrierSteps.size();
    }

    std::string caption() const;

    std::string placeName(u32 row, u64 place) const {
        return explain::placeNameOf(facts_, row, place, in_.language);
    }
    // Of what each thread puts together by itself: how much of it is done.
    const explain::OwnSum* ownOf(Warp warp, Lane lane) const;
    u64 takenOf(const explain::OwnSum& own) const;
    bool storesResult() const;
    bool showsOwn() const;  // that its elements have a place below the rows
    std::string ownSentence() const;
    std::string startName() const;
    std::string startNote() const;

    // Says which places are drawn where that are not all.
    std::string captionOfPart();

    std::vector<WarpInRound> warpsIn(u32 round) const;

    // What is done with the sum after the last round: which lanes store it, and where to.
    struct Result {
        std::string array;
        std::vector<WarpInRound> warps;
        u32 order = 0;
    };
    std::optional<Result> result() const;

    struct Work {
        u64 adding = 0, divided = 0;
        u64 used = 0;  // sums that are part of the result
    };
    Work workOf(u32 round) const;
    // "32 of 128 add, 16 used"
    std::string workNote(u32 round) const;

    // What the cursor's lane makes in a round, the last of it.
    const Addition* ownAddition(u32 round) const;

    // What it copies there into the row that takes its turn.
    const Loaded* ownCopy(u32 round) const;

    // Of a scan: what stands at each place after each row.
    void workOutStanding();

    bool isDone() const;  // the cursor's warp, with all rounds
    std::string sentence() const;

    // Between places that different warps would own, one place a thread.
    void drawWarpEdges();

    void label(u32 row, const std::string& name, const std::string& note, bool current);

    // Where a row writes its values: all in their cells; under them, where arcs leave room; beside them, over
    // idle places; in those cells alone where they fit; nowhere.
    enum class Numbers : u8 { Inside, Below, ComparedRun, SomeInside, None };
    struct RowNumbers {
        Numbers where = Numbers::None;
        f32 size = type::kAxis;
    };
    static constexpr f32 kBelow = 30;

    RowNumbers numbersOf(u32 row) const;

    // Of a value in a cell; 0 where it would be too small to read.
    f32 sizeInside(f64 value) const;

    void drawValue(const Rect& cell, f64 value, const RowNumbers& numbers, Role fill);

    Cursor at(Warp warp, Lane lane, u32 step) const;

    void drawHollow(u32 row, const std::set<u64>& filled, bool ahead);

    // Of a scan, in the places that nobody adds to, once the round has begun; where two rows take turns, once
    // they are copied.
    void drawKept(u32 round, const std::set<u64>& filled);

    void drawStart();
    // The cell stands for a value of that row, which memory need not hold any more.
    void standFor(const Rect& cell, u32 row, u64 place, f64 value);

    static constexpr f32 kUnusedAlpha = WarpColumns::kInVainAlpha;  // of sums that are not part of the result
    void drawRound(u32 round);
    std::string hoverOf(u32 round, const Addition& a) const;

    // How far what is added lies away, where it is as far for all.
    std::string strideText(u32 round, bool inBrief = false) const;

    // "round 3"; of one that only sets a place, what it sets: "tree[255] = 0".
    std::string nameOf(u32 round) const;

    // From the longest to the shortest.
    std::array<std::string, 4> roundNames(u32 round) const;

    // Room for the shortest names and for how many rounds are shown.
    f32 leastLabels() const;

    // The longest of them for which all rounds have room, so that they read alike.
    std::vector<std::string> namesOfRounds() const;

    bool isAhead(u32 round) const;

    // Where two threads collide, in the row of the cursor's round.
    void drawConflictingThread(const Rect& body);

    void drawRoundsShown();

    // How many rounds behind those that are drawn go on in registers; empty: none.
    std::string inRegisters(f32 room) const;

    // What stands left and right of the rows.
    void drawHeads(const Rect& body);

    void drawColumns(u32 round, bool isCurrent, bool ahead);
    void drawResult(const Rect& body);

    // Above the places that are shown, where they are a part: all of them, those lit that the cursor's round
    // adds to.
    void drawOverview(f32 y, const Part& part);

    // Of a place that is added to next; around narrow ones dashes would be specks.
    Dash nextDash() const { return cell_ >= 12 ? Dash::Dashed : Dash::Solid; }

    u32 rowOfSecond() const;
    u32 rowOf(u32 round, const Addend& operand) const;
    void drawArcs(u32 round, const Addition& a, bool isCurrent);

    // What the cursor's lane adds: both with a bar at the lower edge, and the way of its own value down to
    // the result.
    static void drawOperand(Canvas& canvas, const Rect& cell);  // a bar at its lower edge
    void drawOperands(u32 round, const Addition& a, f32 under);

    // What the key explains, of what has been drawn.
    struct Drawn {
        bool added = false, toAdd = false, toCome = false, next = false, own = false, operand = false,
             ownWay = false, columns = false, unused = false, partly = false, elements = false, fold = false;
    };
    std::vector<KeyRow> keys(const Drawn& drew) const;
    f32 keyTall() const;  // with room for the longest key that the stage can have
    void drawKeys(Point at);

    const ViewInput& in_;
    const ReductionFacts& facts_;
    const CursorContext& here_;
    Canvas canvas_;
    u32 order_;
    u32 phase_ = here_.warp->phaseOf(in_.cursor.step), startInterval_ = 0;
    std::vector<u32> intervals_;  // by round: barrier intervals
    std::shared_ptr<const explain::BlockAccesses> accesses_;
    std::optional<explain::ConflictingThread> second_;
    f32 cell_ = 1, pitch_ = 1, tall_ = 1, left_ = 0, top_ = 0;
    u32 firstRow_ = 0, endRow_ = 0;  // of those shown: the start, then the rounds
    std::optional<WarpColumns> columns_;
    std::vector<RowNumbers> rows_;
    f32 right_ = 0, origin_ = 0,
        columnsLeft_ = 0;  // of the cells, cut off at left_ and right_ where they are zoomed; of the columns
    // Of the rounds' names: more in a language whose shortest ones need it.
    f32 labels_ = facts_.isScan && in_.size.width >= kScanLabelsFrom ? kScanLabels : kLabels;
    std::optional<Result> result_;  // where there is a row for it
    std::vector<Rect> boxes_;
    std::vector<std::map<u64, f64>> standing_;  // of a scan, by row
    Drawn drew_;
    f32 keyHeight_ = 0;
};

}  // namespace lockstep::viz
