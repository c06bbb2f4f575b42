// The stage: the data and the threads working on it, in the layout of the kernel's family.
#include "viz/views/views.h"

#include "viz/lookup.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stage/buffer_stage.h"
#include "viz/stage/matmul_stage.h"

namespace lockstep::viz {

Scene buildStage(const ViewInput& in) {
    const Here here = lookUp(in.run, in.cursor);
    if (const std::string why = whyNothing(in, here); !why.empty()) return emptyScene(in, message::kStageTitle, why);
    if (in.run.catalog && in.run.catalog->family && in.run.catalog->family->stage == "matmul") {
        Kept own;
        std::any& kept = (in.kept ? *in.kept : own).facts;
        if (!kept.has_value()) kept = matmulFacts(in.run, in.cursor);
        if (const auto& facts = std::any_cast<const std::optional<MatmulFacts>&>(kept)) return buildMatmulStage(in, *facts);
    }
    return buildBufferStage(in);
}

}  // namespace lockstep::viz
