// Names and captions that both stages of matrix products share: one sum a thread, or a patch of them.
#pragma once

#include "explain/arrays/matrix.h"
#include "explain/matrices/matmul_facts.h"
#include "viz/view.h"

#include <optional>
#include <string>

namespace lockstep::viz {

std::string cellName(const explain::Matrix& m, explain::CellIndex c);  // "P[3][0]"
std::string threadName(const ViewInput& in, Warp warp, Lane lane);     // "(x 3, y 2)"

// Which element of P a thread computes: {0} is its name, {1} the element's. One that has none may load what
// others need: of M for those of its row, of N for those of its column.
const Words& ownershipOf(const explain::MatmulFacts& facts, explain::CellIndex element);

// What the stage shows, for its caption.
struct ProductMoment {
    const std::string &m, &n, &p;  // names of the matrices
    explain::Doing doing;
    std::optional<explain::Doing> next;  // where that is over: what comes next
    u32 tile = 0, tiles = 0;             // from 0; of one there is nothing to say
    std::optional<u32> lastAccess;       // where it is over: its step, from 0
};
// " The picture shows the last request: step 7, load from M." Needs lastAccess.
std::string pictureOf(const ProductMoment& moment, Language language);
// "Warp 1 stores its 32 elements of N to Nds; after the next barrier the whole block can use them.", the
// second half where a barrier comes before the warp itself reads what this step of it stores.
std::string keepSentence(const ViewInput& in, const trace::WarpTrace& warp, u32 step, u32 elements,
                         const std::string& matrix, const std::string& tile);
// "Block (x 1, y 1) · tile 1 of 2 · load M"
std::string productCaption(const ViewInput& in, const ProductMoment& moment);

}  // namespace lockstep::viz
