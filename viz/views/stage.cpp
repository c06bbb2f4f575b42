// The stage: the data and the threads working on it, in the layout of the kernel's family.
#include "viz/views/stage.h"

#include "viz/canvas.h"
#include "viz/lookup.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/scaled.h"
#include "viz/stage/buffer_stage.h"
#include "viz/stage/coalescing_stage.h"
#include "viz/stage/divergence_stage.h"
#include "viz/stage/kept_of_block.h"
#include "viz/stage/matmul_stage.h"
#include "viz/stage/reduction_stage.h"
#include "viz/stage/scan_facts.h"
#include "viz/stage/transpose_stage.h"
#include "viz/stage/zoomed.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

// What is kept for the block, of the type that the stage asks for.
template <class Facts> Facts& keptAs(std::any& kept) {
    if (!std::any_cast<Facts>(&kept)) kept = Facts{};
    return std::any_cast<Facts&>(kept);
}

// A stage built from facts that are the same for every cursor in the block.
template <class Facts>
using Gather = std::optional<Facts> (*)(const run::Run&, const Cursor&, const LazyFlow&);
template <class Facts, Gather<Facts> gather, auto build> std::optional<Scene> fromBlock(const ViewInput& in) {
    struct Gathered {
        bool done = false;
        std::optional<Facts> facts;
    };
    Kept own;
    Gathered& kept = keptAs<Gathered>((in.kept ? *in.kept : own).facts);
    if (!kept.done) kept = {true, gather(in.run, in.cursor, *flowOfBlock(in))};
    return kept.facts ? std::optional(build(in, *kept.facts)) : std::nullopt;
}

// Of a matrix multiply there are facts of the block, and those of the cursor that are drawn from them.
std::optional<Scene> matmul(const ViewInput& in) {
    struct Gathered {
        bool done = false;
        std::optional<MatmulBlock> block;
        std::optional<Cursor> cursor;
        std::optional<MatmulFacts> facts;
    };
    Kept own;
    Gathered& kept = keptAs<Gathered>((in.kept ? *in.kept : own).facts);
    if (!kept.done) kept.done = true, kept.block = matmulBlock(in.run, in.cursor, flowOfBlock(in));
    if (kept.block && kept.cursor != in.cursor)
        kept.cursor = in.cursor, kept.facts = matmulFacts(in.run, in.cursor, *kept.block);
    return kept.facts ? std::optional(buildMatmulStage(in, *kept.facts)) : std::nullopt;
}

// How a warp parts is the same for each of its steps.
std::optional<Scene> divergence(const ViewInput& in) {
    struct Gathered {
        std::optional<DivergenceFacts> facts;
    };
    Kept own;
    std::optional<DivergenceFacts>& facts = keptAs<Gathered>((in.kept ? *in.kept : own).facts).facts;
    if (!facts || facts->warp != in.cursor.warp) facts = divergenceFacts(in.run, in.cursor);
    return facts ? std::optional(buildDivergenceStage(in, *facts)) : std::nullopt;
}

// One that is laid out for its size, under the magnifier: letters and strokes grow along.
template <auto build> std::optional<Scene> magnified(const ViewInput& in) {
    constexpr f32 kMost = 8;
    std::optional<Scene> scene = build(in);
    if (!scene) return std::nullopt;
    const Rect whole{0, 0, in.size.width, in.size.height};
    ViewState state = in.state;
    state.zoom = std::min(state.zoom, kMost);
    if (const Zoomed zoomed(state, whole); zoomed.on()) {
        Canvas canvas(in.size, in.metrics);
        canvas.caption(scene->caption);
        std::string sentence = std::move(scene->sentence);
        const bool animating = scene->animating;
        canvas.include(scaled(std::move(*scene), zoomed.zoom), zoomed.at(whole));
        scene = std::move(canvas).take(std::move(sentence));
        scene->animating = animating;
        zoomed.cutHits(*scene, 0, scene->hits.size());
    }
    scene->mostZoom = kMost;
    scene->panes = {whole};
    return scene;
}

// As family.toml names them. None: this run does not do what such a stage shows.
struct Row {
    std::string_view name;
    std::optional<Scene> (*build)(const ViewInput&);
};
constexpr std::array kStages{
    Row{"matmul", matmul},
    Row{"transpose", magnified<fromBlock<TransposeFacts, transposeFacts, buildTransposeStage>>},
    Row{"coalescing", magnified<buildCoalescingStage>},
    Row{"divergence", magnified<divergence>},
    Row{"reduction", fromBlock<ReductionFacts, reductionFacts, buildReductionStage>},
    Row{"scan", fromBlock<ReductionFacts, scanFacts, buildReductionStage>}};

}  // namespace

std::optional<Scene> buildFamilyStage(const ViewInput& in) {
    if (!whyNothing(in, lookUp(in.run, in.cursor)).empty() || !in.run.catalog || !in.run.catalog->family)
        return std::nullopt;
    const auto stage =
        std::ranges::find(kStages, std::string_view(in.run.catalog->family->stage), &Row::name);
    return stage == kStages.end() ? std::nullopt : stage->build(in);
}

Scene buildAnyStage(const ViewInput& in) {
    const std::string why = whyNothing(in, lookUp(in.run, in.cursor));
    return why.empty() ? buildBufferStage(in) : emptyScene(in, message::kStageTitle, why);
}

Scene buildStage(const ViewInput& in) {
    std::optional<Scene> scene = buildFamilyStage(in);
    return scene ? std::move(*scene) : buildAnyStage(in);
}

}  // namespace lockstep::viz
