#include "witness/pictures.h"

#include "run/machine/code_archive.h"
#include "run/machine/read_machine_code.h"
#include "run/sweep/modeled_times.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/playground.h"
#include "viz/scene/captioned.h"
#include "viz/scene/drawn_texts.h"
#include "viz/scene/tokens.h"
#include "viz/views/sweep_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ranges>
#include <set>

namespace lockstep::witness {
namespace {

// Sizes that a variant can be asked for, the first that it takes: no multiple of a warp, a tile or a sector;
// and some that are small.
const std::vector<std::vector<Settings>>& wishes() {
    static const std::vector<std::vector<Settings>> kWishes{
        {{{"width", "13"},
          {"n", "333"},
          {"j", "7"},
          {"k", "13"},
          {"l", "19"},
          {"rows", "37"},
          {"columns", "53"},
          {"height", "11"},
          {"block", "96"},
          {"stride", "5"},
          {"offset", "3"},
          {"sharing", "3"},
          {"kinds", "3"},
          {"blocks", "3"},
          {"batches", "3"},
          {"steps", "3"},
          {"tile", "8"},
          {"padding", "1"}},
         {{"width", "13"},
          {"n", "333"},
          {"block", "128"},
          {"rows", "37"},
          {"columns", "53"},
          {"blocks", "3"},
          {"batches", "3"},
          {"stride", "5"}},
         {{"width", "13"},
          {"n", "224"},
          {"block", "64"},
          {"rows", "36"},
          {"columns", "52"},
          {"fold", "7"},
          {"batches", "3"}},
         {{"n", "96"}, {"rows", "36"}, {"columns", "52"}, {"fold", "3"}},
         {{"width", "100"}, {"rows", "96"}, {"columns", "32"}, {"n", "192"}}},
        {{{"width", "6"},
          {"n", "64"},
          {"block", "32"},
          {"tile", "2"},
          {"rows", "32"},
          {"columns", "32"},
          {"j", "3"},
          {"k", "4"},
          {"l", "5"},
          {"steps", "2"},
          {"blocks", "1"},
          {"batches", "2"},
          {"fold", "2"},
          {"stride", "32"},
          {"sharing", "8"},
          {"kinds", "1"}},
         {{"width", "32"},
          {"n", "128"},
          {"block", "64"},
          {"tile", "16"},
          {"rows", "32"},
          {"columns", "64"},
          {"blocks", "1"},
          {"batches", "2"},
          {"fold", "4"}},
         {{"n", "128"}, {"block", "64"}, {"rows", "64"}, {"columns", "64"}},
         {{"n", "128"}}},
    };
    return kWishes;
}

std::optional<Settings> possible(const World&, const catalog::Family& family, const catalog::Variant& variant,
                                 const Settings& wish) {
    Settings taken;
    for (const auto& setting : wish) {
        if (std::ranges::find(variant.parameters, setting.first) == variant.parameters.end()) continue;
        Settings one{setting};
        const catalog::Parameter* parameter = family.findParameter(setting.first);
        if (!parameter->values.empty() &&
            std::ranges::find(parameter->values, std::stoll(setting.second)) == parameter->values.end())
            continue;
        taken.push_back(setting);
    }
    if (taken.empty()) return std::nullopt;
    const Expected<catalog::Values> values = catalog::resolve(family, variant, taken);
    if (!values || !catalog::makeExperiment(family, variant, *values)) return std::nullopt;
    return taken;
}

// What compare draws around texts that differ.
bool isFrame(const viz::RectMark& box) {
    return box.fill == viz::Role{} && box.hatch == viz::Role{} &&
           box.stroke.role == viz::role(viz::RoleKind::Text) && box.stroke.width == viz::line::kUnread &&
           box.radius == viz::radius::kControl;
}

}  // namespace

Expected<World> readWorld(const std::filesystem::path& root) {
    World world{{root}, {}, {}, {}};
    Expected<catalog::Catalog> read = catalog::Catalog::read(world.resources.kernels());
    if (!read) return Unexpected{read.error()};
    world.catalog = std::move(*read);
    Expected<std::vector<run::HardwareRecording>> recordings = run::shippedRecordings(world.resources);
    if (!recordings) return Unexpected{recordings.error()};
    world.machines = run::recordedMachines(std::move(*recordings), world.catalog);
    for (const std::filesystem::path& file : run::shippedRecordingFiles(world.resources))
        world.recordingFiles.push_back(file.string());
    return world;
}

std::string Trial::name() const {
    std::string text = family->name + "/" + variant->name + ", " + size;
    for (const auto& [parameter, value] : settings)
        text += fmt::format(" {}={}", parameter, value);
    if (!profile.empty()) text += ", " + profile;
    return text;
}

std::vector<Trial> trialsOf(const World& world) {
    std::vector<Trial> trials;
    for (const catalog::Family& family : world.catalog.all())
        for (const catalog::Variant& variant : family.variants) {
            trials.push_back({&family, &variant, {}, "default", {}, u32(trials.size())});
            for (const auto& wishesOfSize : wishes())
                for (const Settings& wish : wishesOfSize)
                    if (const std::optional<Settings> settings = possible(world, family, variant, wish)) {
                        trials.push_back({&family,
                                          &variant,
                                          *settings,
                                          &wishesOfSize == &wishes().front() ? "awkward" : "small",
                                          {},
                                          u32(trials.size())});
                        break;
                    }
        }
    return trials;
}

Trial comparedOf(const World& world, const Trial& trial) {
    constexpr u32 kOtherDeviceEvery = 9;
    const auto& variants = trial.family->variants;
    Trial other = trial;
    if (variants.size() == 1 || trial.index % kOtherDeviceEvery == 4) {
        const std::array<const char*, 4> devices{"cc10", "cc80", "cc20", "cc12"};
        other.profile = devices[trial.index / kOtherDeviceEvery % devices.size()];
        return other;
    }
    const auto before = std::ranges::find(variants, trial.variant->after, &catalog::Variant::name);
    const std::size_t own = std::size_t(trial.variant - variants.data());
    other.variant = before != variants.end() ? &*before : &variants[(own + 1) % variants.size()];
    other.settings = possible(world, *trial.family, *other.variant, trial.settings).value_or(Settings{});
    return other;
}

Expected<run::Run> ran(const World& world, const Trial& trial) {
    const Expected<catalog::Values> values = catalog::resolve(*trial.family, *trial.variant, trial.settings);
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment = run::open(world.resources, *trial.family, *trial.variant, *values);
    if (!experiment) return Unexpected{experiment.error()};
    run::Options options;
    options.backend = "emulator", options.profile = trial.profile;
    Expected<run::Run> run = run::run(std::move(*experiment), options);
    if (!run) return run;
    run::attachRecorded(*run, world.machines);
    if (run::isToldByAccesses(*trial.family))
        run->variants = run::accessesOfVariants(world.resources, *trial.family, *values);
    return run;
}

std::vector<viz::Cursor> cursorsOf(const run::Run& run, u32 most) {
    std::vector<viz::Cursor> cursors;
    const auto& blocks = run.recording.trace.blocks;
    std::set<std::pair<u32, u32>> seen;  // pcs that have been met, by kind of what they are
    std::vector<viz::Cursor> accesses, others;
    for (const trace::FocusBlock& block : blocks)
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const trace::WarpTrace& warp = block.warps[w];
            for (u32 s = 0; s < warp.steps.size(); ++s) {
                const trace::Step& step = warp.steps[s];
                if (!seen.insert({step.pc.value, step.active.bits == 0     ? 0
                                                 : step.active.bits == ~0u ? 2
                                                                           : 1})
                         .second)
                    continue;
                const Lane lane = step.active.empty()
                                      ? Lane{s % 7}
                                      : Lane{u32(31 - std::countl_zero(step.active.bits)) / (1 + s % 3)};
                (step.access != trace::Step::kNone ? accesses : others)
                    .push_back({block.launch, block.block, Warp{w}, lane, s});
            }
        }
    const auto takeFrom = [&](const std::vector<viz::Cursor>& from, u32 count) {
        for (u32 i = 0; i < count && !from.empty(); ++i)
            cursors.push_back(from[std::size_t(i) * from.size() / std::max<std::size_t>(count, 1)]);
    };
    takeFrom(accesses, std::min<u32>(u32(accesses.size()), most * 3 / 5));
    takeFrom(others, std::min<u32>(u32(others.size()), most - u32(cursors.size())));
    // And later executions of the same, in other warps and blocks.
    for (u32 i = 0; cursors.size() < most && !blocks.empty() && i < 4 * most; ++i) {
        const trace::FocusBlock& block = blocks[(i * 7 + 3) % blocks.size()];
        if (block.warps.empty()) continue;
        const u32 w = (i * 5 + 1) % u32(block.warps.size());
        const u32 steps = u32(block.warps[w].steps.size());
        if (steps > 0)
            cursors.push_back({block.launch, block.block, Warp{w}, Lane{i * 11 % 32},
                               u32(u64{steps} * (2 * i + 1) / (8 * most))});
    }
    return cursors;
}

viz::IssuesOnShow issuesAt(const World& world, const run::Run& run, const viz::Cursor& cursor,
                           viz::Modeled what) {
    viz::IssuesOnShow shown(cursor);
    const auto code = run::shippedCode(world.resources, *run.module, run::computeCapabilityOf(run));
    if (what == viz::Modeled::Time)
        shown.set(code ? run::timeRun(run, **code) : Unexpected{code.error()});
    else if (what == viz::Modeled::Waits)
        shown.set(code ? run::waitsOfRun(run, **code) : Unexpected{code.error()});
    else
        shown.set(code ? run::issueRun(run, **code, cursor.launch, cursor.block) : Unexpected{code.error()});
    return shown;
}

viz::OrdersOnShow ordersOf(const run::Run& run) {
    constexpr u32 kOrders = 100;
    constexpr std::chrono::seconds kLimit{3};
    if (!viz::canTryOrders(run)) return {};
    return viz::OrdersOnShow(run::searchOrders(run, {.orders = kOrders, .threads = 1, .limit = kLimit}));
}

viz::SweepsOnShow modeledPoint(const World& world, const run::Run& run, const viz::IssuesOnShow& issues) {
    viz::SweepsOnShow sweeps;
    const catalog::Parameter* const parameter = viz::chartedParameter(run, world.machines, 0);
    if (!parameter || !issues.timed()) return sweeps;
    const catalog::Experiment& own = *run.catalog;
    const run::SweepPlan plan = run::proposedSweep(*own.family, {own.variant}, own.values, parameter->name);
    run::Sweep sweep = run::emptySweep(plan);
    run::addModeled(sweep, {own.variant, {}, own.values.at(parameter->name)}, run, *issues.timed());
    sweeps.add(sweep);
    return sweeps;
}

Picture pictureOf(const viz::ViewRow& view, const Model& model, const viz::Cursor& cursor, Language language,
                  const viz::Fonts& fonts, viz::ViewCache* kept, u32 hovers, viz::SourceTab tab,
                  std::optional<viz::Size> sizeWanted) {
    const viz::Size size =
        sizeWanted.value_or(view.name == "timeline" ? viz::Size{1280, 300} : viz::Size{1280, 800});
    std::optional<viz::ComparedRun> beside;
    if (model.other && view.name == "compare")
        beside.emplace(*model.other, viz::tied(*model.run, cursor, *model.other, model.compared.tie),
                       model.other->profile);
    const viz::Scene scene = viz::buildCaptioned(
        view,
        {.run = *model.run,
         .cursor = cursor,
         .profile = model.play ? *model.play->profile : *model.profile,
         .size = size,
         .language = language,
         .metrics = fonts,
         .state = {.options = beside                 ? viz::ViewOptions(model.compared)
                              : model.isHiding       ? viz::IssueOptions{.zoom = viz::IssueZoom::Hiding}
                              : view.name == "times" ? viz::TimesOptions{.isModeled = model.issues != nullptr}
                                                     : viz::ViewOptions(viz::SourceOptions{tab})},
         .cache = kept,
         .machines = model.machines,
         .compared = beside ? &*beside : nullptr,
         .playground = model.play ? &model.play->playground : nullptr,
         .sweeps = model.sweeps,
         .issues = model.issues,
         .orders = model.orders});
    Picture picture;
    picture.view = std::string(view.name), picture.language = language, picture.cursor = cursor;
    picture.size = size, picture.tab = tab, picture.play = model.play;
    picture.compared = model.compared, picture.issues = model.issues;
    picture.orders = model.orders, picture.isHiding = model.isHiding;
    if (beside) picture.comparedCursor = beside->cursor;
    for (const viz::Mark& mark : scene.marks)
        if (const auto* box = std::get_if<viz::RectMark>(&mark); box && beside && isFrame(*box))
            picture.frames.push_back(box->rect);
    for (viz::DrawnText& text : viz::drawnTexts(scene, fonts, language)) {
        Said said;
        said.at = text.middle, said.left = text.left, said.top = text.top, said.size = text.size,
        said.face = text.face;
        const std::size_t digit = text.text.find_first_of("0123456789");
        if (const viz::Hit* hit = digit < text.firstLineBytes ? scene.hitAt(said.at) : nullptr) {
            said.hover = hit->text();
            const auto fromAbove = std::views::reverse(scene.hits);
            const auto below = std::ranges::find_if(fromAbove, [&](const viz::HitArea& area) {
                return &area.hit != hit && area.rect.contains(said.at);
            });
            if (below != fromAbove.end()) said.below = below->hit.text();
            said.leadsTo = hit->go;
        }
        said.text = std::move(text.text);
        picture.texts.push_back(std::move(said));
    }
    if (hovers)
        for (const viz::HitArea& area : scene.hits) {
            Said said;
            said.at = area.rect.centre(), said.left = area.rect.x, said.top = area.rect.y,
            said.text = area.hit.text(), said.leadsTo = area.hit.go, said.isHover = true;
            picture.texts.push_back(std::move(said));
        }
    for (const bool isSentence : {false, true})
        if (const std::string& text = isSentence ? scene.sentence : scene.caption; !text.empty()) {
            Said said;
            said.text = text, said.isSentence = isSentence, said.isCaption = !isSentence;
            picture.texts.push_back(std::move(said));
        }
    return picture;
}

Picture partsOf(Picture picture) {
    std::erase_if(picture.texts, [](const Said& said) {
        return said.isSentence || said.isCaption || said.text.find("–") == std::string::npos ||
               said.text.find(" × ") == std::string::npos;
    });
    return picture;
}

}  // namespace lockstep::witness
