#include "viz/issue/issue_keys.h"

#include "viz/issue/issue_marks.h"
#include "viz/issue/issue_strips.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr Words kStoreOrReduction = english("instructions", "store, atomic without a result");
constexpr Words kArithmeticOrBranch = english("instructions", "arithmetic, branch"),
                kBars = english("a bar's height: part of the cycles with an issue"),
                kAtCursor = english("the cursor's step, with the wait before it"),
                kNearCursor = english("the instruction nearest to the cursor's step"),
                kLongestIdle = english("longest stretch without an issue"),
                kNoWarp = english("no warp is on the sub-core"), kLane = english("a lane that takes part"),
                kLaneCount = english("how many lanes take part"), kNoLane = english("no lane takes part"),
                kPredicatedOff = english("access without a lane: predicated off");

class Keys {
public:
    Keys(const IssueDrawing& d, std::vector<KeyRow>& keys) : d_(d), keys_(keys) {}

    void add(std::string words, std::function<void(Canvas&, Point)> mark) {
        keys_.push_back({std::move(mark), std::move(words)});
    }
    void add(const Words& words, std::function<void(Canvas&, Point)> mark) {
        add(say(d_.in.language, words), std::move(mark));
    }
    // Where a cycle has no place of its own, bars, whose color tells the kind.
    void addKinds(const IssueLooks& looks) {
        const f32 pixels = f32(d_.scale.pixels), wide = std::clamp(pixels - (pixels > 4 ? 1 : 0), 1.0f, 8.0f);
        const bool isExact = d_.scale.isExact();
        bool isGrayNamed = false;
        for (std::size_t k = 0; k < looks.kinds.size(); ++k) {
            const IssueKind kind = IssueKind(k);
            if (!looks.kinds[k]) continue;
            if (isExact) {
                add(nameFor(kind, looks), [wide, kind](Canvas& c, Point p) {
                    drawIssueMark(c, {p.x - wide / 2, p.y - 7, wide, 14}, kind);
                });
                continue;
            }
            const bool isGray = kind == IssueKind::Arithmetic || kind == IssueKind::Control;
            if (isGray && isGrayNamed) continue;
            isGrayNamed |= isGray;
            add(isGray ? kArithmeticOrBranch : nameFor(kind, looks), [kind](Canvas& c, Point p) {
                c.rect({p.x - 1, p.y - 6, 2, 12}, {.fill = roleOf(kind)});
            });
        }
        if (!isExact)
            add(kBars, [](Canvas& c, Point p) {
                for (const f32 step : {0.0f, 1.0f, 2.0f})
                    c.rect({p.x - 4 + 3 * step, p.y + 2 - 4 * step, 2, 4 + 4 * step},
                           {.fill = role(RoleKind::TextSecond)});
            });
    }
    void addWaits(const IssueLooks& looks) {
        for (std::size_t w = 0; w < looks.waits.size(); ++w)
            if (looks.waits[w])
                add(nameOf(WaitLook(w), looks.reasons, d_.in.language), [w](Canvas& c, Point p) {
                    const WaitLook look = WaitLook(w);
                    const bool isTwo = look == WaitLook::NotSelected ||
                                       look == WaitLook::Busy;  // it looks otherwise where it is narrow
                    drawWaitMark(c, {p.x - 10, p.y - 6, isTwo ? 13.0f : 20.0f, 12}, look);
                    if (isTwo) drawWaitMark(c, {p.x + 7, p.y - 6, 2, 12}, look);
                });
    }

private:
    static const Words& nameFor(IssueKind kind, const IssueLooks& looks) {
        return kind == IssueKind::Store && looks.reductions ? kStoreOrReduction : nameOf(kind);
    }

    const IssueDrawing& d_;
    std::vector<KeyRow>& keys_;
};

}  // namespace

std::vector<KeyRow> keysOf(const IssueDrawing& d, const IssueLooks& looks) {
    std::vector<KeyRow> all;
    Keys keys(d, all);
    keys.addKinds(looks);
    keys.addWaits(looks);
    return all;
}

std::vector<KeyRow> issueKeys(const IssueDrawing& d, const IssuePlace& place, std::span<const u32> warps,
                              const Idle& idle) {
    std::vector<KeyRow> all;
    Keys keys(d, all);
    const IssueLooks looks = looksOnShow(d, warps);
    keys.addKinds(looks);
    keys.addWaits(looks);
    const bool isNarrow = isNarrowFrame(f32(d.scale.pixels) * f32(place.cycle + 1 - place.begin) + 2);
    if (std::ranges::find(warps, place.smWarp) != warps.end() && place.marked != time::kNotRecorded)
        keys.add(place.isCertain() ? kAtCursor : kNearCursor,
                 [isCertain = place.isCertain(), isNarrow](Canvas& c, Point p) {
                     drawCursorFrame(c, {p.x - 9, p.y - 7, 18, 14}, isCertain, isNarrow);
                 });
    if (idle.longest)
        keys.add(kLongestIdle, [](Canvas& c, Point p) {
            drawIdleMark(c, {p.x - 10, p.y - 6, 20, 12}, true);
        });
    if (idle.withoutWarps)
        keys.add(kNoWarp, [](Canvas& c, Point p) { drawNoWarp(c, {p.x - 10, p.y - 6, 20, 12}); });
    const LaneLooks lanes = laneLooks(d);
    if (lanes.some)
        keys.add(d.scale.isExact() ? kLane : kLaneCount, [](Canvas& c, Point p) {
            c.rect({p.x - 1, p.y - 6, 2, 12}, {.fill = role(RoleKind::TextSecond, 0.9f)});
        });
    if (lanes.none) keys.add(kNoLane, [](Canvas& c, Point p) { drawNoLane(c, {p.x - 2, p.y - 6, 4, 12}); });
    if (lanes.predicatedOff)
        keys.add(kPredicatedOff, [](Canvas& c, Point p) {
            drawPredicatedOffMark(c, {p.x - 3, p.y - 3, 6, 7});
        });
    return all;
}

}  // namespace lockstep::viz
