#include "viz/compare/comparison.h"

#include "explain/access/shared_cost.h"
#include "explain/cursor/navigation.h"
#include "explain/findings/finding_places.h"
#include "model/access/global_sectors.h"
#include "viz/cursor/lookup.h"
#include "viz/parts/request_picture.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

using trace::WarpTrace;

// Steps [first, end) of a phase; of one that the warp does not have, its last.
struct Span {
    u32 first, end;
};
Span phaseSpan(const WarpTrace& warp, u32 phase) {
    const u32 steps = u32(warp.steps.size()), last = u32(warp.barrierSteps.size());
    phase = std::min(phase, last);
    const Span span{phase == 0 ? 0 : warp.barrierSteps[phase - 1] + 1,
                    phase == last ? steps : warp.barrierSteps[phase] + 1};
    return span.first < span.end ? span : Span{steps - 1, steps};  // nothing comes after the last barrier
}

bool isLike(const trace::StoredAccess* a, const trace::StoredAccess& b) {
    return a && a->space == b.space && a->kind == b.kind;
}

// The access of that kind in [first, end) that has `before` others in front of it, else the last one.
std::optional<u32> likeIn(const WarpTrace& warp, u32 first, u32 end, const trace::StoredAccess& access,
                          u32 before) {
    std::optional<u32> last;
    for (u32 s = first; s < end; ++s) {
        if (!isLike(explain::accessOf(warp, s), access)) continue;
        last = s;
        if (before-- == 0) break;
    }
    return last;
}

u32 countLike(const WarpTrace& warp, u32 first, u32 end, const trace::StoredAccess& access) {
    u32 count = 0;
    for (u32 s = first; s < end; ++s)
        count += isLike(explain::accessOf(warp, s), access);
    return count;
}

u32 sameMoment(const WarpTrace& from, u32 step, const WarpTrace& to) {
    const u32 phase = from.phaseOf(step), lastHere = u32(from.barrierSteps.size()),
              lastThere = u32(to.barrierSteps.size());
    const Span here = phaseSpan(from, phase), there = phaseSpan(to, phase);
    if (const trace::StoredAccess* access = explain::accessOf(from, step)) {
        // What one of them still has barriers in, the other does in its last phase: both count from where
        // that begins.
        const u32 since = std::min(phase, lastThere), begin = phaseSpan(from, since).first;
        const u32 end = phase >= lastHere ? u32(to.steps.size()) : there.end;
        if (const auto same =
                likeIn(to, phaseSpan(to, since).first, end, *access, countLike(from, begin, step, *access)))
            return *same;
        // Between the same barriers the warp does not do it in the other: a round that it skips stays that
        // round. Where the two have other barriers: as often from the beginning.
        if (lastHere != lastThere)
            if (const auto other =
                    likeIn(to, 0, u32(to.steps.size()), *access, countLike(from, 0, step, *access)))
                return *other;
    }
    const f64 share = f64(step - here.first) / f64(here.end - here.first);
    return there.first + u32(share * f64(there.end - there.first));
}

// What the memory does for an access: passes of shared memory, sectors moved of global memory.
u64 costOf(const run::Run& run, const WarpTrace& warp, const trace::StoredAccess& access) {
    constexpr u64 kSectorBytes = 32;
    const trace::WarpAccess unpacked = warp.unpack(access);
    if (access.space == trace::Space::Shared)
        return explain::sharedCost(unpacked, *run.module, run.profile).wavefronts;
    return access.space == trace::Space::Global
               ? movedBytes(model::globalCost(unpacked, run.profile)) / kSectorBytes
               : 0;
}

u64 apart(u64 a, u64 b) { return a > b ? a - b : b - a; }

// By how much two accesses of a kind differ: in cost, or else in lanes.
using Measure = u64 (*)(const run::Run&, const CursorContext&, const run::Run&, const CursorContext&);
u64 costApart(const run::Run& run, const CursorContext& a, const run::Run& other, const CursorContext& b) {
    return apart(costOf(run, *a.warp, *a.access), costOf(other, *b.warp, *b.access));
}
u64 lanesApart(const run::Run&, const CursorContext& a, const run::Run&, const CursorContext& b) {
    return apart(u64(a.access->active.count()), u64(b.access->active.count()));
}

// Looks for the access of one block that the two differ most in: the cursor's warp first, then the others,
// for what is the same in one of them may differ in the next.
class FurthestApart {
public:
    FurthestApart(const run::Run& run, const run::Run& other, Tie tie, Measure measure)
        : run_(run), other_(other), tie_(tie), measure_(measure) {}

    std::optional<Cursor> in(const Cursor& cursor, bool allWarps) {
        const CursorContext here = lookUp(run_, cursor);
        if (!here.block || !here.warp || !other_.recording.trace.find(cursor.launch, cursor.block))
            return std::nullopt;
        found_.reset(), most_ = 0;
        look(cursor, *here.warp);
        for (u32 w = 0; allWarps && w < here.block->warps.size(); ++w) {
            Cursor at = cursor;
            at.warp = Warp{w};
            if (at.warp != cursor.warp) look(at, here.block->warps[w]);
        }
        return found_;
    }

private:
    void look(Cursor at, const WarpTrace& warp) {
        constexpr u32 kMostSteps = 4096;  // what differs, differs early
        for (u32 step = 0; step < std::min(u32(warp.steps.size()), kMostSteps) && left_ > 0; ++step) {
            if (!explain::accessOf(warp, step)) continue;
            --left_;
            at.step = step;
            const Cursor to = tied(run_, at, other_, tie_);
            const CursorContext a = lookUp(run_, at), b = lookUp(other_, to);
            if (to.warp != at.warp || !isLike(b.access, *a.access)) continue;
            if (const u64 by = measure_(run_, a, other_, b); by > most_) most_ = by, found_ = at;
        }
    }

    const run::Run &run_, &other_;
    Tie tie_;
    Measure measure_;
    u32 left_ = 16384;  // accesses, so that a choice takes no longer than an eye does
    u64 most_ = 0;
    std::optional<Cursor> found_;
};

// In the cursor's block, else in the first recorded one where they differ at all, of the cursor's launch if
// there is one.
std::optional<Cursor> mostApart(const run::Run& run, const Cursor& cursor, const run::Run& other, Tie tie,
                                Within within, Measure measure) {
    FurthestApart furthest(run, other, tie, measure);
    if (auto found = furthest.in(cursor, within == Within::Run); found || within == Within::Warp)
        return found;
    for (const bool isSameLaunch : {true, false})
        for (const trace::FocusBlock& block : run.recording.trace.blocks) {
            const bool isOwn = block.launch == cursor.launch && block.block == cursor.block;
            if (isOwn || (block.launch == cursor.launch) != isSameLaunch) continue;
            Cursor at = cursor;
            at.launch = block.launch, at.block = block.block, at.step = 0;
            if (auto found = furthest.in(at, true)) return found;
        }
    return std::nullopt;
}

bool isMistake(const trace::Finding& finding) { return !trace::isRemark(finding.kind); }

// Where one of the two goes wrong and the other does not, in the first one's steps: of the places of the
// mistakes the first to which the tie leads.
std::optional<Cursor> mistakeOfOne(const run::Run& run, const run::Run& other, Tie tie) {
    const bool here = std::ranges::any_of(run.recording.findings, isMistake),
               there = std::ranges::any_of(other.recording.findings, isMistake);
    if (here == there) return std::nullopt;
    const run::Run &wrong = here ? run : other, &right = here ? other : run;
    std::optional<Cursor> first;
    constexpr u32 kMostTried = 64;
    for (u32 tried = 0; const trace::Finding& finding : wrong.recording.findings) {
        if (!isMistake(finding)) continue;
        if (tried++ == kMostTried) break;
        const std::optional<Cursor> at = explain::cursorOf(wrong, finding);
        if (!at) continue;
        if (here) return at;
        const Cursor from = tied(wrong, *at, right, tie);
        if (tied(right, from, wrong, tie) == *at) return from;
        if (!first) first = from;
    }
    return first;
}

}  // namespace

Cursor tied(const run::Run& from, const Cursor& cursor, const run::Run& to, Tie tie) {
    Cursor there = explain::clamped(to, cursor);
    const CursorContext a = lookUp(from, cursor), b = lookUp(to, there);
    if (!a.step || !b.warp || b.warp->steps.empty()) return there;
    there.step = tie == Tie::Phase ? sameMoment(*a.warp, cursor.step, *b.warp)
                                   : std::min(cursor.step, u32(b.warp->steps.size()) - 1);
    return there;
}

Cursor greatestDifference(const run::Run& run, const Cursor& cursor, const run::Run& other, Tie tie,
                          Within within) {
    if (const auto mistake = mistakeOfOne(run, other, tie)) return *mistake;
    if (const auto costliest = mostApart(run, cursor, other, tie, within, costApart)) return *costliest;
    return mostApart(run, cursor, other, tie, within, lanesApart).value_or(cursor);
}

}  // namespace lockstep::viz
