// Which elements threads put together by themselves before the tree begins: a column a thread, above its
// place, and a row for each of its turns, filled once the element is in the thread's sum.
#pragma once

#include "explain/sums/reduction_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

struct FoldGrid {
    static constexpr f32 kRow = 13, kBelow = 8;
    static constexpr u32 kMostRows = 8;
    // An element that its thread has not taken yet.
    inline static const RectStyle kNotTaken{.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Edge)}};

    const ViewInput& in;
    const CursorContext& here;
    const explain::ReductionFacts& facts;
    u32 order = 0;                                  // of the cursor's step
    f32 origin = 0, cell = 1, left = 0, right = 0;  // of the places' cells, cut off at left and right

    // 0: no thread has several elements.
    static f32 heightOf(const explain::ReductionFacts& facts);
    // `labels`: the room left of the cells. False: the elements of no thread that is shown.
    bool draw(Canvas& canvas, f32 top, f32 labels) const;
};

// "Thread 3 takes in[131]; its result so far is 12."
std::string elementHover(const ViewInput& in, const explain::ReductionFacts& facts,
                         const explain::OwnSum& own, const explain::OwnElement& element);

}  // namespace lockstep::viz
