// The stage: the data and the threads working on it, in the layout of the kernel's family.
#include "viz/views/stage.h"

#include "explain/sums/scan_facts.h"
#include "explain/sums/thread_tree.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/block_cache.h"
#include "viz/parts/magnified_values.h"
#include "viz/parts/pipeline_strip.h"
#include "viz/parts/step_strip.h"
#include "viz/parts/zoomed.h"
#include "viz/phrases.h"
#include "viz/scene/canvas.h"
#include "viz/scene/scaled.h"
#include "viz/stages/buffers/buffer_stage.h"
#include "viz/stages/coalescing_stage.h"
#include "viz/stages/divergence/divergence_stage.h"
#include "viz/stages/matmul/matmul_stage.h"
#include "viz/stages/matmul/patch_stage.h"
#include "viz/stages/reduction/reduction_stage.h"
#include "viz/stages/transpose/transpose_stage.h"
#include "viz/views/stage_of_shape.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

namespace lockstep::viz {
namespace {

using explain::Shape;

constexpr Words kShapeBecause = english("{0}: {1}");
constexpr Words kChooseStage = english("Click to draw the same step this way.");

// The stage that the family of the run prefers; empty: it has none, and what the block does decides.
std::string_view preferredOf(const run::Run& run) {
    return run.catalog && run.catalog->family ? std::string_view(run.catalog->family->stage)
                                              : std::string_view();
}

// What is kept for the block, of the type that the stage asks for.
template <class Facts> Facts& keptAs(std::any& kept) {
    if (!std::any_cast<Facts>(&kept)) kept = Facts{};
    return std::any_cast<Facts&>(kept);
}

// A stage built from facts that are the same for every cursor in the block.
template <class Facts>
using Gather = std::optional<Facts> (*)(const explain::Recorded&, const Cursor&, const explain::LazyFlow&);
template <class Facts, Gather<Facts> gather, auto build> std::optional<Scene> fromBlock(const ViewInput& in) {
    struct Gathered {
        bool done = false;
        std::optional<Facts> facts;
    };
    ViewCache own;
    Gathered& kept = keptAs<Gathered>((in.cache ? *in.cache : own).facts);
    if (!kept.done) kept = {true, gather(in.run, in.cursor, *flowOfBlock(in))};
    return kept.facts ? std::optional(build(in, *kept.facts)) : std::nullopt;
}

// One that is laid out for its size, under the magnifier: letters and strokes grow along.
std::optional<Scene> underMagnifier(const ViewInput& in, std::optional<Scene> scene) {
    constexpr f32 kMost = 8;
    if (!scene) return std::nullopt;
    const Rect whole{0, 0, in.size.width, in.size.height};
    ViewState state = in.state;
    state.zoom = std::min(state.zoom, kMost);
    if (const Zoomed zoomed(state, {whole}); zoomed.on()) {
        Canvas canvas(in.size, in.metrics);
        canvas.caption(scene->caption);
        std::string sentence = std::move(scene->sentence);
        const bool animating = scene->animating;
        canvas.include(scaled(std::move(*scene), zoomed.zoom), zoomed.at(whole));
        scene = std::move(canvas).take(std::move(sentence));
        scene->animating = animating;
        zoomed.cutHits(*scene, 0, scene->hits.size());
        zoomed.cutCells(*scene, 0, scene->cells.size());
        writeMagnifiedValues(*scene, in);
    }
    scene->mostZoom = kMost;
    // Arrays that are cut scroll as long as nothing is magnified.
    const Beyond beyond = state.zoom > 1 || scene->panes.empty() ? Beyond{} : scene->panes.front().beyond;
    scene->panes = {{whole, beyond}};
    return scene;
}
template <auto build> std::optional<Scene> magnified(const ViewInput& in) {
    return underMagnifier(in, build(in));
}

// The stage above a strip that takes the rest of the view's height.
template <class Draw> Scene withStrip(const ViewInput& in, f32 above, Scene stage, Draw&& draw) {
    Canvas canvas(in.size, in.metrics);
    const f32 mostZoom = stage.mostZoom;
    std::string sentence = canvas.continueFrom(std::move(stage), {0, 0, in.size.width, above});
    draw(canvas, Rect{0, above, in.size.width, in.size.height - above});
    Scene scene = std::move(canvas).take(std::move(sentence));
    scene.mostZoom = mostZoom;
    return scene;
}
constexpr f32 kLeastAboveStrip = 330;

// Below the stage of a kernel that prefetches: which tile is loaded while which one is multiplied.
struct WithPipeline {
    ViewInput above;  // the stage's part
    const explain::TilePipeline* pipeline = nullptr;

    WithPipeline(const ViewInput& in, const explain::TilePipeline* of) : above(in) {
        if (!of || !of->overlaps() || in.size.height < kLeastAboveStrip + PipelineStrip::kHeight) return;
        pipeline = of;
        above.size.height -= PipelineStrip::kHeight;
    }
    Scene whole(const ViewInput& in, Scene stage) const {
        if (!pipeline) return stage;
        return withStrip(in, above.size.height, std::move(stage), [&](Canvas& canvas, const Rect& strip) {
            PipelineStrip{in, *pipeline}.draw(canvas, strip);
        });
    }
};

// Of a matrix multiply there are facts of the block, and those of the cursor that are drawn from them.
std::optional<Scene> matmul(const ViewInput& in) {
    struct Gathered {
        bool done = false;
        std::optional<explain::MatmulBlock> block;
        std::optional<Cursor> cursor;
        std::optional<explain::MatmulFacts> facts;
        // Where threads compute several elements each.
        std::shared_ptr<const explain::PatchBlock> patches;
        std::optional<explain::PatchFacts> ofPatches;
        std::optional<Cursor> pipelineOf;  // its warp and lane
        std::optional<explain::TilePipeline> pipeline;
    };
    ViewCache own;
    ViewCache& all = in.cache ? *in.cache : own;
    Gathered& kept = keptAs<Gathered>(all.facts);
    if (!kept.done) {
        kept.done = true;
        std::optional<explain::MatmulRoles> roles =
            preferredOf(in.run) == "matmul" ? explain::matmulRoles(in.run) : std::nullopt;
        if (!roles && shapeOfBlock(in, all).shape == Shape::Matmul)
            roles = explain::matmulRoles(in.run, shapeOfBlock(in, all));
        if (roles) kept.block = explain::matmulBlock(in.run, in.cursor, *roles, flowOfBlock(in));
        if (roles && !kept.block)
            kept.patches = explain::patchBlock(in.run, in.cursor, *roles, flowOfBlock(in));
    }
    if (kept.cursor != in.cursor) {
        kept.cursor = in.cursor;
        if (kept.block) kept.facts = explain::matmulFacts(in.run, in.cursor, *kept.block);
        if (kept.patches) kept.ofPatches = explain::patchFacts(in.run, in.cursor, kept.patches);
    }
    if (!kept.pipelineOf || kept.pipelineOf->warp != in.cursor.warp ||
        kept.pipelineOf->lane != in.cursor.lane) {
        kept.pipelineOf = in.cursor;
        kept.pipeline = explain::tilePipeline(in.run, in.cursor, *flowOfBlock(in));
    }
    const WithPipeline with(in, kept.pipeline ? &*kept.pipeline : nullptr);
    if (kept.ofPatches)
        return underMagnifier(in, with.whole(in, buildPatchStage(with.above, *kept.ofPatches)));
    return kept.facts ? std::optional(with.whole(in, buildMatmulStage(with.above, *kept.facts)))
                      : std::nullopt;
}

// Between the buffers that a proof names, with rows and columns of flat ones; else between matrices.
std::optional<Scene> transpose(const ViewInput& in) {
    struct Gathered {
        bool done = false;
        std::optional<explain::TransposeFacts> facts;
    };
    ViewCache own;
    ViewCache& all = in.cache ? *in.cache : own;
    if (!keptAs<Gathered>(all.facts).done) {
        const std::shared_ptr<const explain::LazyFlow> flow = flowOfBlock(in);
        std::optional<explain::TransposeFacts> facts = explain::transposeFacts(in.run, in.cursor, *flow);
        if (!facts && shapeOfBlock(in, all).shape == Shape::Transpose) {
            const std::vector<explain::ShapedBuffer>& buffers = shapeOfBlock(in, all).buffers;
            facts = explain::transposeFacts(
                in.run, in.cursor,
                {explain::matrixOf(in.run, buffers[0]), explain::matrixOf(in.run, buffers[1])}, *flow);
        }
        keptAs<Gathered>(all.facts) = {true, std::move(facts)};
    }
    const Gathered& kept = keptAs<Gathered>(all.facts);
    return kept.facts ? std::optional(buildTransposeStage(in, *kept.facts)) : std::nullopt;
}

// How a warp parts is the same for each of its steps.
std::optional<Scene> divergence(const ViewInput& in) {
    struct Gathered {
        std::optional<explain::DivergenceFacts> facts;
    };
    ViewCache own;
    std::optional<explain::DivergenceFacts>& facts =
        keptAs<Gathered>((in.cache ? *in.cache : own).facts).facts;
    if (!facts || facts->warp != in.cursor.warp) {
        const CursorContext here = lookUp(in.run, in.cursor);
        facts =
            here.step ? explain::divergenceFacts(*in.run.module, *here.block, in.cursor.warp) : std::nullopt;
    }
    return facts ? std::optional(buildDivergenceStage(in, *facts)) : std::nullopt;
}

std::optional<Scene> buffers(const ViewInput& in) { return buildBufferStage(in); }

// As family.toml names them. None of a scene: this run does not do what such a stage shows.
struct Row {
    std::string_view name;
    Words title;
    Shape shape;  // that it was made for; Generic: it shows any kernel
    std::optional<Scene> (*build)(const ViewInput&);
};
constexpr std::array kStages{
    Row{"matmul", english("Matrices"), Shape::Matmul, matmul},
    Row{"transpose", english("Matrices"), Shape::Transpose, magnified<transpose>},
    Row{"reduction", english("Rounds"), Shape::Tree,
        fromBlock<explain::ReductionFacts, explain::treeFacts, buildReductionStage>},
    Row{"scan", english("Rounds"), Shape::Scan,
        fromBlock<explain::ReductionFacts, explain::scanFacts, buildReductionStage>},
    Row{"coalescing", english("Requests"), Shape::Generic, magnified<buildCoalescingStage>},
    Row{"divergence", english("Branches"), Shape::Generic, magnified<divergence>},
    Row{"generic", english("Buffers"), Shape::Generic, buffers},
};
constexpr f32 kStrip = 30;  // that says which stage it is

const Row* findRow(std::string_view name) {
    const auto* const row = std::ranges::find(kStages, name, &Row::name);
    return row == kStages.end() ? nullptr : row;
}
u8 numberOf(const Row& row) { return u8(&row - kStages.data() + 1); }
u8 chosenStage(const ViewInput& in) { return optionsAs<StageOptions>(in.state.options).stage; }

// Of the user's own kernel, and of any where another stage than its own was chosen: there is a choice.
bool hasStrip(const ViewInput& in) {
    constexpr f32 kLeastHeight = 260;
    return (!in.run.catalog || chosenStage(in) > 0) && !in.isPresented && in.size.height > kLeastHeight;
}

bool usesSharedMemory(const trace::FocusBlock& block) {
    return std::ranges::any_of(block.warps, [](const trace::WarpTrace& warp) {
        return std::ranges::any_of(warp.accesses, [](const trace::StoredAccess& access) {
            return access.space == trace::Space::Shared;
        });
    });
}

// Of a kernel that moves data, or works on each element by itself: matrices as two matrices; else its
// requests, where they are all that there is to see.
std::string_view stageOfMovement(const run::Run& run, const trace::FocusBlock& block, bool isCopy) {
    const auto isMatrix = [](const Buffer& buffer) { return buffer.shape.size() > 1; };
    if (isCopy && std::ranges::any_of(run.recording.initial, isMatrix)) return "transpose";
    const bool isFlat = std::ranges::none_of(run.recording.initial, isMatrix);
    return isFlat && !usesSharedMemory(block) ? "coalescing" : "generic";
}

// The stage that shows a block best.
std::string_view stageFor(const ViewInput& in, ViewCache& kept) {
    const CursorContext here = lookUp(in.run, in.cursor);
    const Shape shape = shapeOfBlock(in, kept).shape;
    if (const std::string_view stage = stageOfShape(shape); !stage.empty()) return stage;
    const bool isCopy = shape == Shape::Copy;
    return isCopy || shape == Shape::Generic ? stageOfMovement(in.run, *here.block, isCopy) : "generic";
}

// What shows it, and which other stages there are.
void drawStrip(Canvas& canvas, const ViewInput& in, const Row& on, const explain::ProvedShape& shape,
               bool hasOwn) {
    const f32 y = in.size.height - kStrip, middle = y + kStrip / 2;
    canvas.line({0, y + 0.5f}, {in.size.width, y + 0.5f}, {role(RoleKind::Line)});
    f32 x = in.size.width - 8;
    const std::string hover = say(in.language, kChooseStage);
    for (const Row& row : std::views::reverse(kStages)) {
        const bool isProved = hasOwn && row.shape != Shape::Generic && row.shape == shape.shape;
        if (row.shape != Shape::Generic && !isProved && &row != &on) continue;
        if (in.titled && &row != &on) continue;  // nothing to click on in a file
        const TextStyle style{.bold = &row == &on,
                              .align = Align::Centre,
                              .role = role(&row == &on ? RoleKind::Text : RoleKind::TextSecond)};
        const std::string title(row.title.in(in.language));
        const f32 wide = canvas.width(title, style) + 16;
        x -= wide;
        if (&row == &on && !in.titled)
            canvas.rect({x, y + 4, wide, kStrip - 8},
                        {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        canvas.text({x + wide / 2, middle}, title, style);
        canvas.hit({x, y + 4, wide, kStrip - 8}, {.hover = hover, .options = StageOptions{numberOf(row)}});
        x -= 4;
    }
    const Message name = explain::titleOf(shape.shape);
    const auto withName = [&](const Message& sentence) {
        return (shape.shape == Shape::Generic ? sentence : Message(kShapeBecause, name, sentence))
            .in(in.language);
    };
    std::string all = withName(shape.evidence.front());
    for (const Message& sentence : std::span(shape.evidence).subspan(1))
        all += "\n" + sentence.in(in.language);
    const TextStyle words{.role = role(RoleKind::TextSecond)};
    const f32 room = x - 20;
    const std::string said =
        firstFitting(canvas, room, words, {withName(shape.evidence.front()), name.in(in.language), ""});
    canvas.text({12, middle}, said, words);
    if (room > 0) canvas.hit({8, y, room, kStrip}, {.hover = std::move(all)});
}

// With what lanes exchange below it, of a warp whose lanes do; rounds of sums are such exchanges themselves.
template <class Build>
std::optional<Scene> withExchanges(const ViewInput& in, const Row& row, Build&& build) {
    const bool isRounds = row.shape == Shape::Tree || row.shape == Shape::Scan;
    if (isRounds || in.size.height < kLeastAboveStrip + StepStrip::kHeight || !StepStrip::isOf(in))
        return build(in);
    ViewInput above = in;
    above.size.height -= StepStrip::kHeight;
    std::optional<Scene> stage = build(above);
    if (!stage) return std::nullopt;
    return withStrip(in, above.size.height, std::move(*stage),
                     [&](Canvas& canvas, const Rect& strip) { StepStrip::draw(in, canvas, strip); });
}

// The stage of any kernel.
Scene anyStage(const ViewInput& in) { return *withExchanges(in, *findRow("generic"), buffers); }

struct Chosen {
    const Row* row = nullptr;
    std::optional<Scene> scene;
};
// The user's choice, else the family's, else the one that the block's computation asks for; none of a scene
// where that stage does not show this block.
Chosen built(const ViewInput& in, ViewCache& kept) {
    const std::string_view preferred = preferredOf(in.run);
    const bool isChosen = chosenStage(in) > 0 && chosenStage(in) <= kStages.size();
    const Row* row = isChosen             ? &kStages[chosenStage(in) - 1]
                     : !preferred.empty() ? findRow(preferred)
                                          : findRow(stageFor(in, kept));
    if (!row) return {};
    ViewInput inner = in;
    inner.cache = &kept;
    if (hasStrip(in)) inner.size.height -= kStrip;
    return {row, withExchanges(inner, *row, row->build)};
}

}  // namespace

std::optional<BuiltStage> buildShapedStage(const ViewInput& in) {
    if (!whyNothing(in, lookUp(in.run, in.cursor)).empty()) return std::nullopt;
    ViewCache own;
    Chosen chosen = built(in, in.cache ? *in.cache : own);
    if (!chosen.scene || chosen.row->name == "generic") return std::nullopt;
    return BuiltStage{chosen.row->name, std::move(*chosen.scene)};
}

std::string_view stageOfShape(Shape shape) {
    switch (shape) {
        case Shape::Matmul: return "matmul";
        case Shape::Transpose: return "transpose";
        case Shape::Tree: return "reduction";
        case Shape::Scan: return "scan";
        case Shape::Divergence: return "divergence";
        default: return {};
    }
}

std::vector<std::string_view> stageNames() {
    std::vector<std::string_view> names;
    for (const Row& row : kStages)
        names.push_back(row.name);
    return names;
}

std::optional<u8> findStage(std::string_view name) {
    const Row* row = findRow(name);
    return row ? std::optional(numberOf(*row)) : std::nullopt;
}

u8 nextStage(u8 stage) {
    for (std::size_t next = stage + 1u; next <= kStages.size(); ++next)
        if (kStages[next - 1].shape == Shape::Generic) return u8(next);
    return 0;
}

// A stage of a shape beside the same one, else the stage of any kernel for both: two kinds of picture compare
// nothing.
std::pair<Scene, Scene> buildStages(const ViewInput& a, const ViewInput& b) {
    std::optional<BuiltStage> ownA = buildShapedStage(a), ownB = ownA ? buildShapedStage(b) : std::nullopt;
    if (ownA && ownB && ownA->name == ownB->name) return {std::move(ownA->scene), std::move(ownB->scene)};
    return {buildAnyStage(a), buildAnyStage(b)};
}

Scene buildAnyStage(const ViewInput& in) {
    const std::string why = whyNothing(in, lookUp(in.run, in.cursor));
    return why.empty() ? anyStage(in) : emptyScene(in, message::kStageTitle, why);
}

Scene buildStage(const ViewInput& in) {
    if (const std::string why = whyNothing(in, lookUp(in.run, in.cursor)); !why.empty())
        return emptyScene(in, message::kStageTitle, why);
    ViewCache own;
    ViewCache& kept = in.cache ? *in.cache : own;
    Chosen chosen = built(in, kept);
    if (!hasStrip(in)) return chosen.scene ? std::move(*chosen.scene) : anyStage(in);
    ViewInput inner = in;
    inner.cache = &kept;
    inner.size.height -= kStrip;
    if (!chosen.scene) {
        blockCacheOf(kept).isNotDrawn = blockCacheOf(kept).isNotDrawn || chosen.row->shape != Shape::Generic;
        chosen = {findRow("generic"), anyStage(inner)};
    }
    const explain::ProvedShape& shape = shapeOfBlock(in, kept);
    Canvas canvas(in.size, in.metrics);
    canvas.caption(chosen.scene->caption);
    std::string sentence = std::move(chosen.scene->sentence);
    const bool animating = chosen.scene->animating;
    const f32 mostZoom = chosen.scene->mostZoom;
    const std::vector<Pane> panes = chosen.scene->panes;
    canvas.include(std::move(*chosen.scene), {0, 0, in.size.width, inner.size.height});
    drawStrip(canvas, in, *chosen.row, shape, !blockCacheOf(kept).isNotDrawn);
    Scene scene = std::move(canvas).take(std::move(sentence));
    scene.animating = animating, scene.mostZoom = mostZoom;
    scene.panes = panes.empty() ? std::vector<Pane>{{{0, 0, in.size.width, inner.size.height}}} : panes;
    return scene;
}

}  // namespace lockstep::viz
