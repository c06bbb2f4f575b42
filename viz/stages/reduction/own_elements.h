// Which elements of a buffer the cursor's thread puts together by itself before the tree begins: where they
// lie in the whole buffer, which of them it has taken, and what its sum is now.
#pragma once

#include "explain/sums/reduction_facts.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

struct OwnElements {
    static constexpr f32 kHeight = 92;
    // More where the buffer is a matrix, whose rows are drawn.
    static f32 heightOf(const ViewInput& in, const explain::ReductionFacts& facts);

    const ViewInput& in;
    const explain::ReductionFacts& facts;
    u32 order = 0;  // of the cursor's step

    void draw(Canvas& canvas, const Rect& area) const;

private:
    bool isTakenBy(const explain::OwnElement& element) const {
        return element.order < order || (element.order == order && in.motion >= 1);
    }
    void drawOneByOne(Canvas& canvas, const Rect& row, const explain::OwnSum& own,
                      const std::string& buffer) const;
};

// "Thread 3 adds 8 elements of in, 128 apart; 5 so far." Empty: it has none.
std::string ownSentenceOf(const ViewInput& in, const explain::ReductionFacts& facts, u32 order);

}  // namespace lockstep::viz
