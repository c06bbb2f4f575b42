#include "viz/beside.h"

#include <algorithm>

#include "model/global_sectors.h"
#include "viz/lookup.h"
#include "viz/navigation.h"
#include "viz/shared_cost.h"
#include "viz/stage/request_picture.h"

namespace lockstep::viz {
namespace {

using trace::WarpTrace;

// Steps [first, end) of a phase; of one that the warp does not have, its last.
struct Span { u32 first, end; };
Span phaseSpan(const WarpTrace& warp, u32 phase) {
    const u32 steps = u32(warp.steps.size()), last = u32(warp.barrierSteps.size());
    phase = std::min(phase, last);
    const Span span{phase == 0 ? 0 : warp.barrierSteps[phase - 1] + 1, phase == last ? steps : warp.barrierSteps[phase] + 1};
    return span.first < span.end ? span : Span{steps - 1, steps};  // nothing comes after the last barrier
}

const trace::StoredAccess* accessAt(const WarpTrace& warp, u32 step) {
    const u32 at = warp.steps[step].access;
    return at == trace::Step::kNone ? nullptr : &warp.accesses[at];
}

bool isLike(const trace::StoredAccess* a, const trace::StoredAccess& b) { return a && a->space == b.space && a->kind == b.kind; }

u32 sameMoment(const WarpTrace& from, u32 step, const WarpTrace& to) {
    const u32 phase = from.phaseOf(step);
    const Span here = phaseSpan(from, phase), there = phaseSpan(to, phase);
    if (const trace::StoredAccess* access = accessAt(from, step)) {
        u32 before = 0;
        for (u32 s = here.first; s < step; ++s) before += isLike(accessAt(from, s), *access);
        std::optional<u32> last;
        for (u32 s = there.first; s < there.end; ++s) {
            if (!isLike(accessAt(to, s), *access)) continue;
            last = s;
            if (before-- == 0) break;
        }
        if (last) return *last;
    }
    const f64 share = f64(step - here.first) / f64(here.end - here.first);
    return there.first + u32(share * f64(there.end - there.first));
}

// What the memory does for an access: passes of shared memory, bytes moved of global memory.
u64 costOf(const run::Run& run, const WarpTrace& warp, const trace::StoredAccess& access) {
    const trace::WarpAccess unpacked = warp.unpack(access);
    if (access.space == trace::Space::Shared) return sharedCost(unpacked, *run.module, run.profile).wavefronts;
    return access.space == trace::Space::Global ? movedBytes(model::globalCost(unpacked, run.profile)) : 0;
}

bool differInCost(const run::Run& run, const Here& a, const run::Run& other, const Here& b) {
    return a.access && isLike(b.access, *a.access) && costOf(run, *a.warp, *a.access) != costOf(other, *b.warp, *b.access);
}

bool differInLanes(const run::Run&, const Here& a, const run::Run&, const Here& b) { return a.access && isLike(b.access, *a.access) && a.access->active.count() != b.access->active.count(); }

constexpr s32 kViewBits = 4, kTieBit = 1 << kViewBits, kOwnShift = kViewBits + 1;

}  // namespace

Cursor tied(const run::Run& from, const Cursor& cursor, const run::Run& to, Tie tie) {
    Cursor there = clamped(to, cursor);
    const Here a = lookUp(from, cursor), b = lookUp(to, there);
    if (!a.step || !b.warp || b.warp->steps.empty()) return there;
    there.step = tie == Tie::Phase ? sameMoment(*a.warp, cursor.step, *b.warp) : std::min(cursor.step, u32(b.warp->steps.size()) - 1);
    return there;
}

Cursor firstDifference(const run::Run& run, const Cursor& cursor, const run::Run& other, Tie tie) {
    const Here here = lookUp(run, cursor);
    if (!here.warp) return cursor;
    constexpr u32 kMostSteps = 4096;  // what differs, differs early
    for (const auto differ : {differInCost, differInLanes})
        for (u32 step = 0; step < std::min(u32(here.warp->steps.size()), kMostSteps); ++step) {
            Cursor at = cursor;
            at.step = step;
            if (differ(run, lookUp(run, at), other, lookUp(other, tied(run, at, other, tie)))) return at;
        }
    return cursor;
}

CompareChoice compareChoiceOf(s32 option) {
    const u32 view = u32(option) & (kTieBit - 1);
    return {view < kComparedViews.size() ? view : 0, option & kTieBit ? Tie::Step : Tie::Phase, option >> kOwnShift};
}

s32 optionOf(const CompareChoice& choice) {
    return s32(choice.view) | (choice.tie == Tie::Step ? kTieBit : 0) | choice.option << kOwnShift;
}

}  // namespace lockstep::viz
