#include "app/state/update.h"

#include "app/state/editor_copy.h"
#include "app/state/editor_update.h"
#include "app/state/exercise_place.h"
#include "app/state/lesson_choice.h"
#include "app/state/lesson_update.h"
#include "app/state/own_launch.h"
#include "app/state/playlist_entry.h"
#include "app/state/playlist_update.h"
#include "app/state/program_update.h"
#include "app/state/whole_path.h"
#include "exercises/exercise.h"
#include "explain/cursor/same_place.h"
#include "explain/glossary/glossary.h"
#include "explain/phases/time_axis.h"
#include "explain/sentences/sample_text.h"
#include "model/access/access_expression.h"
#include "model/profiles/profile.h"
#include "ptx/module.h"
#include "run/machine/machine_run.h"
#include "run/sample/sample_choice.h"
#include "run/sweep/modeled_times.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/command_line.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/opening.h"
#include "viz/issues_on_show.h"
#include "viz/orders_on_show.h"
#include "viz/scene/motion.h"
#include "viz/scene/wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace lockstep::app {
namespace {

using Effects = std::vector<Effect>;

constexpr Words kOutOfRange = english("{0} goes from {1} to {2}: {4} is taken instead of {3}");
constexpr Words kFetchCanceled = english("Fetching was canceled; nothing is kept");
constexpr Words kRunCanceled = english("The run was canceled");
constexpr Words kRunCanceledKeeping = english("The run was canceled; kept as a sample: {0}");
constexpr Words kNoSuchValue = english("{0} cannot be {1}: {2} is taken instead");

constexpr std::size_t kMostUndo = 200, kMostRecent = 20, kMostCommands = 50;
// The view that each step of the tour is about; empty: what is always in sight.
constexpr std::array<std::string_view, kTourSteps> kOfTour{"stage", "", "source", ""};
constexpr u32 kMostExportedSteps = 2000;  // a quarter of an hour at the usual speed

// A view that has a place of its own, beside the tabs.
bool isStrip(std::string_view name) {
    const viz::ViewRow* view = viz::findView(name);
    return view && view->isStrip;
}

const catalog::Family* familyOf(const State& state, const std::string& name) {
    return state.catalog ? state.catalog->find(name) : nullptr;
}

// Values of `before` if the family has them and they are valid, else its defaults.
catalog::Values fittingValues(const catalog::Family& family, const catalog::Values& before) {
    catalog::Values values;
    for (const catalog::Parameter& parameter : family.parameters) {
        const auto known = before.find(parameter.name);
        s64 value = known == before.end() ? parameter.defaultValue
                                          : std::clamp(known->second, parameter.min, parameter.max);
        if (!parameter.values.empty() && std::ranges::find(parameter.values, value) == parameter.values.end())
            value = parameter.defaultValue;
        values[parameter.name] = value;
    }
    return values;
}

void cancel(Job& job) {
    if (job.running && job.progress) job.progress->cancelled = true;
    job.running = job.isShown = false;
}

Job newJob(State& state) {
    return {.ticket = ++state.tickets, .running = true, .progress = std::make_shared<JobProgress>()};
}

// While a slider is held, the emulator responds at once; the GPU runs when it is released.
std::optional<u32> deviceFor(const State& state) {
    return state.usesGpu() && !state.dragging ? std::optional(state.device) : std::nullopt;
}

// 0: all blocks.
u64 sampleOf(const State& state, const Choice& choice) {
    return state.sampled == choice ? run::kSampleBlocks : 0;
}

}  // namespace

bool Issues::has(viz::Modeled wanted, const std::shared_ptr<const run::Run>& run,
                 const viz::Cursor& at) const {
    if (of != run || !shown) return false;
    return shown->has(wanted, at) ||
           (isUnderWay && what == wanted && (wanted != viz::Modeled::Issues || shown->isOf(at)));
}

bool Issues::hasBoth(const std::shared_ptr<const run::Run>& run, const viz::Cursor& at,
                     const Comparison& comparison) const {
    if (!has(viz::Modeled::Issues, run, at)) return false;
    return !comparison.run || (besideOf == comparison.run && shown->beside &&
                               (isUnderWay ? shown->beside->isOf(comparison.cursor)
                                           : shown->beside->has(viz::Modeled::Issues, comparison.cursor)));
}

namespace {

void cancel(Issues& issues) {
    if (issues.progress) issues.progress->cancelled = true;
    issues.isUnderWay = false;
    issues.of.reset();
}

void cancel(Orders& orders) {
    if (orders.progress) orders.progress->cancelled = true;
    orders.isUnderWay = false;
}

std::string_view kernelOf(const ProgramLaunch& launch) {
    return std::string_view(launch.title).substr(0, launch.title.find("<<<"));
}

bool isSameKernel(const Choice& a, const Choice& b) {
    if (a.launch || b.launch)  // another grid or other arguments are another launch of the same kernel
        return a.launch && b.launch && a.launch->file == b.launch->file &&
               kernelOf(*a.launch) == kernelOf(*b.launch);
    if (a.own || b.own) return a.own && b.own && a.own->file == b.own->file && a.own->entry == b.own->entry;
    return a.family == b.family && a.variant == b.variant;
}

bool isOfSameKernel(const std::optional<Choice>& a, const std::optional<Choice>& b) {
    if (!a || !b) return false;
    return a->own || b->own || a->launch || b->launch ? isSameKernel(*a, *b) : a->family == b->family;
}

// Whether the cursor's block is all that is looked at of the run which is started.
bool keepsPlace(const State& state) {
    const bool isRangeElsewhere = state.range && state.range->block != state.cursor.block;
    return state.run && !state.isOpening && !state.wanted && !state.wantedLine && !state.compared.isNew &&
           !isRangeElsewhere && isOfSameKernel(state.shown, state.choice);
}

// Starts the chosen experiment; supersedes any run in progress. The block at the cursor is kept of it.
Effects start(State& state, std::vector<Dim3> focus = {}) {
    cancel(state.job);
    cancel(state.issues);
    cancel(state.orders);
    const bool stays = focus.empty() && keepsPlace(state);
    if (focus.empty() && state.run)
        focus = {state.cursor.block};
    else if (focus.empty() && state.wanted)
        focus = {state.wanted->block};
    state.job = newJob(state);
    if (const EditedText* edited = state.editedExperiment()) state.job.text = edited->text;
    state.editor.sinceKey.reset();
    return {StartRun{.ticket = state.job.ticket,
                     .choice = state.choice,
                     .focus = std::move(focus),
                     .progress = state.job.progress,
                     .device = deviceFor(state),
                     .coldTimes = state.coldTimes,
                     .sampleBlocks = sampleOf(state, state.choice),
                     .before = stays ? state.run : nullptr,
                     .at = state.cursor,
                     .text = state.job.text}};
}

// The same for what it is compared with, if anything; the block at the cursor is kept of it.
Effects startCompared(State& state) {
    cancel(state.compared.job);
    if (!state.compared.choice) return state.compared.run.reset(), state.compared.shown.reset(), Effects{};
    state.compared.job = newJob(state);
    const viz::Cursor& cursor = state.wanted ? *state.wanted : state.cursor;
    return {StartRun{state.compared.job.ticket,
                     *state.compared.choice,
                     {cursor.block},
                     state.compared.job.progress,
                     deviceFor(state),
                     true,
                     state.coldTimes,
                     std::max(sampleOf(state, state.choice), sampleOf(state, *state.compared.choice))}};
}

void append(Effects& to, Effects more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Effects startBoth(State& state) {
    Effects effects = start(state);
    if (state.compared.choice) append(effects, startCompared(state));
    return effects;
}

// Requests machine code for a shown, completed run that has none; nothing waits for it.
Effects askForMachineCode(const std::shared_ptr<const run::Run>& run, bool beside = false) {
    if (!run || run->machine || !run->recording.complete) return {};
    return {ReadMachineCode{run, beside}};
}

// Whether a view has anything to show of the run, at some cursor.
bool hasToShow(const State& state, const viz::ViewRow& view) {
    if (!state.run) return true;
    const run::Run& run = *state.run;
    if (view.showsBoth) return state.compared.run != nullptr;
    if (view.followsSweeps) return run.catalog.has_value();  // of a kernel without parameters there are none
    if (viz::modeledBy(view, {}) != viz::Modeled::None)
        return !run.machine || run.machine->code;  // the cycle model executes machine code
    return !view.accessesOf ||
           std::ranges::any_of(run.recording.trace.blocks, [&](const trace::FocusBlock& block) {
               return std::ranges::any_of(block.warps, [&](const trace::WarpTrace& warp) {
                   return std::ranges::find(warp.accesses, *view.accessesOf, &trace::StoredAccess::space) !=
                          warp.accesses.end();
               });
           });
}

viz::Tie tieOf(const State& state) {
    const auto view = state.views.find("compare");
    return view == state.views.end() ? viz::Tie::Phase
                                     : viz::optionsAs<viz::CompareOptions>(view->second.options).tie;
}

// The other cursor follows the first one.
void follow(State& state) {
    if (!state.run || !state.compared.run) return;
    const viz::Cursor to = viz::tied(*state.run, state.cursor, *state.compared.run, tieOf(state));
    state.compared.moved = to != state.compared.cursor;
    state.compared.cursor = to;
}

void arriveAt(State& state, const viz::Cursor& to, bool travel, bool backwards) {
    state.cursor = to;
    state.inVain.reset();
    state.playback.backwards = backwards;
    state.playback.motion = travel && motionSeconds(state.playback, state.reduceMotion) > 0 ? 0 : 1;
    follow(state);
}

std::optional<viz::Cursor> nextStep(const State& state, explain::Stride stride, bool back) {
    if (!state.run) return std::nullopt;
    const model::Profile* profile = model::findProfile(state.profile);
    return (back ? explain::back : explain::forward)(*state.run, profile ? *profile : model::defaultProfile(),
                                                     state.cursor, stride);
}

// A step of the hand or of the playback. False where there is no further one.
bool stepOn(State& state, explain::Stride stride, bool back) {
    const std::optional<viz::Cursor> next = nextStep(state, stride, back);
    if (!next) return false;
    // Only the next instruction's own motion can be shown; longer strides arrive at once.
    const bool neighbor = next->block == state.cursor.block && next->warp == state.cursor.warp &&
                          (next->step == state.cursor.step + 1 || next->step + 1 == state.cursor.step);
    arriveAt(state, *next,
             neighbor || stride == explain::Stride::Line || stride == explain::Stride::Event ||
                 stride == explain::Stride::SameLine,
             back);
    return true;
}

// What was recorded, as a choice; none where the catalog does not know it, as of a user's own kernel.
std::optional<Choice> choiceOf(const State& state, const trace::Recording& recording) {
    const catalog::Family* family = familyOf(state, recording.family);
    if (!family || !family->find(recording.variant)) return std::nullopt;
    Expected<catalog::Values> values = catalog::resolve(*family, recording.parameters);
    if (!values) return std::nullopt;
    return Choice{recording.family, recording.variant, fittingValues(*family, *values)};
}

bool isSameExperiment(const trace::Recording& a, const trace::Recording& b) {
    return a.family == b.family && a.variant == b.variant && a.entry == b.entry &&
           a.parameters == b.parameters;
}

u32 stepsOfWarp(const State& state) { return state.run ? viz::stepsOfWarp(*state.run, state.cursor) : 0; }

// Of the cursor's warp, of those on the timeline.
std::optional<explain::StepSpan> chosenSteps(const State& state) {
    if (!state.run || !state.range || state.range->launch != state.cursor.launch ||
        state.range->block != state.cursor.block)
        return std::nullopt;
    return explain::stepsWithin(state.run->recording.trace, *state.range, state.cursor.warp);
}

// Each kernel once, the latest in front.
template <class Value, class IsSame>
void putInFront(std::vector<Value>& list, const Value& value, std::size_t most, IsSame&& isSame) {
    std::erase_if(list, [&](const Value& other) { return isSame(other, value); });
    list.insert(list.begin(), value);
    if (list.size() > most) list.resize(most);
}

// Other sizes of a kernel are other experiments, the last few of them; a file or a launch is one.
void putInRecent(State& state) {
    constexpr std::ptrdiff_t kMostSizes = 4;  // of one kernel: others are not to be crowded out
    const Choice& choice = state.choice;
    const bool isOfCatalog = !choice.own && !choice.launch;
    putInFront(state.recent, choice, kMostRecent,
               [&](const Choice& a, const Choice& b) { return isOfCatalog ? a == b : isSameKernel(a, b); });
    if (!isOfCatalog) return;
    std::ptrdiff_t count = 0;
    std::erase_if(state.recent,
                  [&](const Choice& other) { return isSameKernel(other, choice) && ++count > kMostSizes; });
}

// "reduce-launch2"
std::string stemOf(const ProgramLaunch& launch) {
    return fmt::format("{}-launch{}", std::filesystem::path(launch.file).stem().string(), launch.number);
}

// A user who does this no longer needs the hint on how to begin.
template <class Taken>
constexpr bool showsSkill =
    std::is_same_v<Taken, Step> || std::is_same_v<Taken, TogglePlay> || std::is_same_v<Taken, MoveCursor> ||
    std::is_same_v<Taken, ShowPalette> || std::is_same_v<Taken, ShowKeys> ||
    std::is_same_v<Taken, DismissHint> || std::is_same_v<Taken, TakeTour>;

// Where the cursor stands in a run of `choice` that takes the place of the one on show: where it was asked to
// go; in another size or variant, or the edited file, at the same place; else where it is most interesting.
viz::Cursor placeIn(const State& state, const run::Run& run, const std::optional<Choice>& choice) {
    if (state.wantedLine)
        if (const auto at = stepAtLine(run, viz::initialCursor(run), *state.wantedLine)) return *at;
    if (state.wanted) return explain::clamped(run, *state.wanted);
    if (state.run && !state.isOpening && isOfSameKernel(state.shown, choice))
        if (const auto same = explain::samePlace(*state.run, state.cursor, run)) return *same;
    return viz::initialCursor(run);
}

void show(State& state, std::shared_ptr<const run::Run> run, std::optional<Choice> choice) {
    // Selected steps stay selected if the same experiment runs again; in another one they are meaningless.
    if (state.range && (!state.run || !isSameExperiment(state.run->recording, run->recording) ||
                        !explain::isRecorded(run->recording.trace, *state.range)))
        state.range.reset();
    const viz::Cursor to = placeIn(state, *run, choice);
    state.run = std::move(run);
    state.shown = std::move(choice);
    state.wanted.reset();
    state.wantedLine.reset();
    state.isOpening = false;
    arriveAt(state, to, state.playback.playing, false);  // playing already: the first motion begins at once
    state.fault.reset();
}

// As it can be gone back to.
Change changeable(const State& state) {
    Change change{state.choice, state.compared.choice, state.playground.shown.pattern};
    if (const auto& playlist = state.playlists.playlist)
        change.playlistFile = playlist->file, change.playlistText = playlist->text;
    return change;
}

// The current state becomes one undo step.
void remember(State& state) {
    state.undo.push_back(changeable(state));
    if (state.undo.size() > kMostUndo) state.undo.erase(state.undo.begin());
    state.redo.clear();
}

void showPattern(State& state, model::AccessPattern pattern) {
    state.playground.typed = pattern.expression;
    state.playground.shown.pattern = std::move(pattern);
    state.playground.fault.reset();
    state.playground.typing = false;
}

// The cursors of a comparison that has just been chosen begin where it shows most.
void goToGreatestDifference(State& state) {
    const auto isUnderWay = [](const Job& job) { return job.running && !job.isShown; };
    if (!state.compared.isNew || !state.run || !state.compared.run || isUnderWay(state.job) ||
        isUnderWay(state.compared.job))
        return;
    state.compared.isNew = false;
    arriveAt(state, viz::greatestDifference(*state.run, state.cursor, *state.compared.run, tieOf(state)),
             false, false);
}

// A run that is shown so far, and of which no more will arrive.
void endUnderWay(std::shared_ptr<const run::Run>& shown, const Job& job) {
    if (job.running || !shown || !shown->recording.sample ||
        shown->recording.sample->unproved != trace::Unproved::UnderWay)
        return;
    auto stopped = std::make_shared<run::Run>(*shown);
    stopped->recording.sample->unproved = trace::Unproved::Stopped;
    shown = std::move(stopped);
}

// underWay: what is on show of a run that is canceled. Null: nothing.
Message canceled(const std::shared_ptr<const run::Run>& underWay) {
    return underWay && underWay->recording.sample
               ? Message(kRunCanceledKeeping, explain::blocksOf(*underWay->recording.sample))
               : Message(kRunCanceled);
}

bool areOtherKernels(const std::optional<Choice>& a, const std::optional<Choice>& b) {
    return a && b ? !isSameKernel(*a, *b) : a.has_value() != b.has_value();
}

Effects tasksOf(std::vector<PlaylistTask> tasks) {
    return {std::make_move_iterator(tasks.begin()), std::make_move_iterator(tasks.end())};
}

struct Updater {
    State& state;

    // Runs whichever of the two is new.
    Effects become(Choice choice, std::optional<Choice> beside) {
        const bool first = choice != state.choice, second = beside != state.compared.choice;
        const bool isAnother = areOtherKernels(beside, state.compared.choice) ||
                               (state.compared.open && !isSameKernel(choice, state.choice));
        state.compared.isNew = beside && (state.compared.isNew || isAnother);
        state.wantedLine.reset();  // of the experiment before
        if (choice.launch != state.choice.launch) state.views.erase("stage");
        if (choice.family != state.choice.family) {
            state.views.erase("stage");  // what was magnified is no longer there
            state.sizes[state.choice.family] = state.choice.values;
        }
        if (first) state.wanted.reset(), state.isOpening = false;
        state.choice = std::move(choice);
        state.compared.choice = std::move(beside);
        if (first || second) state.playback.playing = false;
        Effects effects;
        if (first) append(effects, start(state));
        if (second) append(effects, startCompared(state));
        return effects;
    }
    Effects choose(Choice choice, std::optional<Choice> beside, bool sameUndoStep = false) {
        if (choice == state.choice && beside == state.compared.choice) return {};
        if (!sameUndoStep) remember(state);
        state.playground.typing = false;
        if (!choice.launch) state.program.open = false;
        return become(std::move(choice), std::move(beside));
    }
    void turnTo(const std::string& view) {
        state.turnedTo = view;
        state.magnifying = {};
        if (!isStrip(view)) state.toEnlarge = view;
    }
    // What was opened by its name is seen, and where it is most interesting.
    void showWhatIsOpened() {
        state.isOpening = state.job.running;
        if (state.compared.open) return;
        const MainViews views = mainViewsOf(state.task);
        (void)(*this)(BringUp{std::string(views.middle)});
        if (state.editor.open && state.editedExperiment())
            ++state.editor.timesFocused;
        else if (!isEnlarged(state))
            state.broughtUpBeside = views.right;
    }

    // Another family has nothing to be compared with what stood beside the last one.
    std::optional<Choice> comparedOf(const Choice& choice) const {
        const std::optional<Choice>& beside = state.compared.choice;
        return beside && beside->family == choice.family &&
                       beside->launch.has_value() == choice.launch.has_value()
                   ? beside
                   : std::nullopt;
    }

    Effects operator()(const ChooseVariant& a) {
        const catalog::Family* family = familyOf(state, a.family);
        if (!family || !family->find(a.variant)) return {};
        const auto sizes = state.sizes.find(a.family);
        const catalog::Values before = a.family == state.choice.family ? state.choice.values
                                       : sizes == state.sizes.end()    ? catalog::Values{}
                                                                       : sizes->second;
        Choice choice{a.family, a.variant, fittingValues(*family, before)};
        std::optional<Choice> beside = comparedOf(choice);
        Effects effects = choose(std::move(choice), std::move(beside));
        if (a.opens) showWhatIsOpened();
        return effects;
    }
    Effects operator()(const SetParameter& a) {
        const catalog::Family* family = familyOf(state, state.choice.family);
        const catalog::Parameter* parameter = family ? family->findParameter(a.name) : nullptr;
        const bool sameUndoStep = state.dragging;
        state.dragging = a.dragging;
        if (!parameter) return {};
        Choice choice = state.choice;
        choice.values[a.name] = a.value;
        choice.values = fittingValues(*family, choice.values);
        sayOfOtherValue(*parameter, a.value, choice.values[a.name]);
        if (sameUndoStep && !a.dragging && state.shown == state.choice && choice == state.choice)
            putInRecent(state);  // what it was dragged to, not what it was dragged through
        if (sameUndoStep && !a.dragging && choice == state.choice && state.usesGpu()) return startBoth(state);
        // A size in which the two agreed stays the same for both.
        std::optional<Choice> beside = state.compared.choice;
        if (beside && beside->values.contains(a.name) &&
            beside->values[a.name] == state.choice.values[a.name]) {
            beside->values[a.name] = choice.values[a.name];
            beside->values = fittingValues(*family, beside->values);
        }
        return choose(std::move(choice), std::move(beside), sameUndoStep);
    }
    // What was typed is not what runs.
    void sayOfOtherValue(const catalog::Parameter& parameter, s64 typed, s64 taken) {
        if (typed == taken) return;
        const bool isOutside = typed < parameter.min || typed > parameter.max;
        (void)(*this)(
            Say{isOutside ? Message(kOutOfRange, parameter.name, parameter.min, parameter.max, typed, taken)
                          : Message(kNoSuchValue, parameter.name, typed, taken)});
    }
    Effects operator()(const SetChoice& a) {
        if (state.dialog && a.choice.own) {
            state.dialog->kernel = *a.choice.own;
            state.dialog->fault.reset();
            if (const Expected<run::FileRequest> request = requestOf(*a.choice.own); !request)
                return state.dialog->fault = request.error(), Effects{};
            state.launched = state.dialog;
        }
        state.dialog.reset();
        if (a.choice == state.choice) return start(state);
        const bool opens = !isSameKernel(a.choice, state.choice);
        // The start page would cover it.
        if (opens && state.lessons.open && !state.lessons.current()) state.lessons.open = false;
        Effects effects = choose(a.choice, comparedOf(a.choice));
        if (opens) showWhatIsOpened();
        return effects;
    }
    Effects operator()(const CompareWith& a) {
        std::optional<Choice> beside = a.choice;
        if (beside && !beside->launch) {
            const catalog::Family* family = familyOf(state, beside->family);
            if (!family || !family->find(beside->variant)) return {};
            const catalog::Values typed =
                std::exchange(beside->values, fittingValues(*family, beside->values));
            for (const catalog::Parameter& parameter : family->parameters)
                if (const auto value = typed.find(parameter.name); value != typed.end())
                    sayOfOtherValue(parameter, value->second, beside->values[parameter.name]);
        }
        return choose(state.choice, std::move(beside));
    }
    // The next launch of the same kernel, else the next one of any.
    Effects compareWithAnotherLaunch() {
        std::optional<Choice> best;
        int rank = 0;
        for (ProgramLaunch& launch : launchesOf(state.program)) {
            if (launch == *state.choice.launch) continue;
            const bool isSame = kernelOf(launch) == kernelOf(*state.choice.launch),
                       isLater = launch.number > state.choice.launch->number;
            const int ranked = 1 + (isSame ? 2 : 0) + (isLater ? 1 : 0);
            if (ranked > rank) rank = ranked, best = launchChoice(std::move(launch));
        }
        return best ? (*this)(CompareWith{std::move(best)}) : Effects{};
    }
    static Choice launchChoice(ProgramLaunch launch) {
        return {.family = {}, .variant = {}, .values = {}, .own = {}, .launch = std::move(launch)};
    }
    Effects operator()(const CompareWithAnother&) {
        state.presenting.on = false;
        state.compared.open = true;
        state.compared.covered = false;
        state.program.open = false;
        if (state.compared.choice) return {};
        if (state.choice.launch) return compareWithAnotherLaunch();
        const catalog::Family* family = familyOf(state, state.choice.family);
        const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
        if (!variant) return {};
        Choice another = state.choice;
        if (family->variants.size() > 1) {
            const catalog::Variant* last = &family->variants.back();
            another.variant = (variant == last ? variant - 1 : variant + 1)->name;
        } else if (!variant->parameters.empty()) {
            s64& size = another.values[variant->parameters.front()];
            const catalog::Parameter& parameter = *family->findParameter(variant->parameters.front());
            size = size * 2 <= parameter.max ? size * 2 : std::max(parameter.min, size / 2);
        }
        return (*this)(CompareWith{std::move(another)});
    }
    Effects operator()(const CloseComparison&) {
        return state.compared.open = state.compared.covered = false, Effects{};
    }
    Effects operator()(const RunAgain&) { return startBoth(state); }
    Effects operator()(const RunSample& a) {
        state.sampled = a.on ? std::optional(state.choice) : std::nullopt;
        state.tooLarge.reset();
        return (*this)(RunAgain{});
    }
    // The experiment becomes again what is on show. It can be undone as any other change.
    void chooseWhatIsShown() {
        state.wanted.reset();
        state.launched.reset();
        const bool isOther =
            state.compared.run && state.compared.shown && state.compared.shown != state.compared.choice;
        if (!state.isOfAnother() && !isOther) return;
        remember(state);
        if (state.isOfAnother()) state.choice = *state.shown;
        if (isOther) state.compared.choice = state.compared.shown;
    }
    Effects operator()(const CancelRun&) {
        // A run that is shown already stays as it is.
        const bool isShown = state.job.isShown, isOtherShown = state.compared.job.isShown;
        const bool wasRunning = state.job.running || state.compared.job.running;
        const Message said = canceled(isShown ? state.run : isOtherShown ? state.compared.run : nullptr);
        cancel(state.job);
        cancel(state.compared.job);
        if (wasRunning) chooseWhatIsShown(), (void)(*this)(Say{said});
        endUnderWay(state.run, state.job);
        endUnderWay(state.compared.run, state.compared.job);
        Effects effects = isShown ? askForMachineCode(state.run) : Effects{};
        if (isOtherShown) append(effects, askForMachineCode(state.compared.run, true));
        return effects;
    }
    Effects operator()(const SetBackend& a) {
        if (a.backend == state.backend && a.device == state.device) return {};
        state.backend = a.backend;
        state.device = a.device;
        return startBoth(state);
    }
    Effects operator()(const SetColdTimes& a) {
        if (a.cold == state.coldTimes) return {};
        state.coldTimes = a.cold;
        return state.usesGpu() ? startBoth(state) : Effects{};
    }
    Effects operator()(const GpusFound& a) {
        state.gpus = a.gpus;
        if (state.gpus.any() && state.device >= state.gpus.names->size()) state.device = 0;
        if (state.backend == "gpu" && state.gpus.why) state.fault = state.gpus.why;
        return state.usesGpu() && !(state.run && state.run->traceSource == "recording") ? startBoth(state)
                                                                                        : Effects{};
    }
    Effects operator()(const CompilerMissing& a) {
        state.hasCompiler = false;
        state.canFetchCompiler = a.canFetch;
        return {};
    }
    Effects operator()(const FetchCompiler& a) {
        const bool isOffered =
            a.what == Fetched::Toolkit ? state.canFetchToolkit : !state.hasCompiler && state.canFetchCompiler;
        if (!isOffered || state.fetching) return {};
        state.fetching.emplace().what = a.what;
        return {StartFetch{a.what, state.fetching->cancelled}};
    }
    Effects operator()(const CompilerFetching& a) {
        if (state.fetching) state.fetching->package = a.package;
        return {};
    }
    Effects operator()(const StopFetching&) {
        if (state.fetching) *state.fetching->cancelled = true;
        return {};
    }
    // What could not be compiled is run now, and what could not be read is read.
    Effects operator()(const CompilerFetched& a) {
        const Fetched what = state.fetching ? state.fetching->what : Fetched::Compiler;
        state.fetching.reset();
        if (a.fault && a.fault->kind == FaultKind::Cancelled) return (*this)(Say{Message(kFetchCanceled)});
        if (a.fault) return (*this)(CouldNot{*a.fault});
        if (what == Fetched::Toolkit) {
            cancel(state.issues);
            Effects effects;
            for (const bool beside : {false, true})
                if (const auto& run = beside ? state.compared.run : state.run; run && run->recording.complete)
                    effects.push_back(ReadMachineCode{run, beside});
            return effects;
        }
        state.hasCompiler = true;
        return state.fault || state.choice.own ? startBoth(state) : Effects{};
    }
    Effects travelHistory(std::vector<Change>& from, std::vector<Change>& to) {
        if (from.empty()) return {};
        to.push_back(changeable(state));
        Change change = std::move(from.back());
        from.pop_back();
        showPattern(state, std::move(change.pattern));
        Effects effects = become(std::move(change.choice), std::move(change.compared));
        const auto& playlist = state.playlists.playlist;
        if (playlist && change.playlistText && playlist->file == change.playlistFile &&
            *playlist->text != *change.playlistText)
            append(effects, tasksOf(writeText(state.playlists, *change.playlistText)));
        return effects;
    }
    Effects operator()(const Undo&) { return travelHistory(state.undo, state.redo); }
    Effects operator()(const Redo&) { return travelHistory(state.redo, state.undo); }
    // The only kernel of a file may have been renamed in the editor.
    static void takeNameOfKernel(OwnKernel& own, const run::Run& run) {
        if (own.entry.empty() || own.entry.find_first_of("<(") != std::string::npos || !run.module) return;
        const auto isNamed = [&](const ptx::Function& function) {
            return function.isEntry &&
                   (function.name == own.entry || ptx::shortName(function.name) == own.entry);
        };
        if (std::ranges::none_of(run.module->functions, isNamed) && !run.recording.launches.empty())
            own.entry = ptx::shortName(run.recording.launches.front().entry);
    }
    Effects operator()(const RunArrived& a) {
        const bool isBeside = a.ticket == state.compared.job.ticket;
        Job& job = isBeside ? state.compared.job : state.job;
        if (a.ticket != job.ticket || !job.running) return {};
        const bool isOnShow = job.isShown;
        job.running = job.isShown = a.moreToCome;
        // The shown run, of which more is known now: nothing else changes.
        const auto machineCode = [&] {
            return a.moreToCome ? Effects{} : askForMachineCode(a.run, isBeside);
        };
        if (isOnShow) return replace(isBeside ? state.compared.run : state.run, a.run), machineCode();
        if (isBeside) {
            state.compared.run = a.run;
            state.compared.shown = state.compared.choice;
            follow(state);
            goToGreatestDifference(state);
            state.fault.reset();
            return machineCode();
        }
        state.file.clear();
        state.launched.reset();
        state.tooLarge.reset();
        state.editor.shown = job.text;
        state.editor.failed.reset();
        if (state.choice.own && job.text) takeNameOfKernel(*state.choice.own, *a.run);
        if (!state.choice.launch && !state.dragging) putInRecent(state);
        show(state, a.run, state.choice);
        if (state.choice.launch && std::exchange(state.program.opening, 0)) {
            state.program.open = false;
            if (!state.compared.open) showWhatIsOpened();
        }
        goToGreatestDifference(state);
        // The kernel did not complete on the GPU; the emulator's run is shown.
        if (a.run->gpuFault)
            state.fault = a.run->gpuFault;
        else if (a.onGpu && !a.run->measured && !a.run->notes.empty())
            state.fault = a.run->notes.back();
        return machineCode();
    }
    // More is known of a run that is on show.
    Effects replace(const std::shared_ptr<const run::Run>& one, const std::shared_ptr<const run::Run>& by) {
        const run::Run* const of = one.get();  // `one` may be among those that are replaced
        for (std::shared_ptr<const run::Run>* shown :
             {&state.run, &state.compared.run, &state.issues.of, &state.orders.of})
            if (shown->get() == of) *shown = by;
        return {};
    }
    Effects operator()(const MachineCodeRead& a) { return replace(a.of, a.run); }
    Effects operator()(const FixesFound& a) {
        const bool isBeside = state.compared.run == a.of && state.run != a.of,
                   isOnShow = isBeside || state.run == a.of;
        replace(a.of, a.run);
        // Machine code that was asked for in the meantime is that of the run which is replaced.
        return isOnShow && !a.run->machine ? askForMachineCode(a.run, isBeside) : Effects{};
    }
    Effects operator()(const WantIssues& a) {
        Issues& issues = state.issues;
        const Comparison& compared = state.compared;
        const bool both = a.both && compared.run;
        if (!state.run || state.job.running ||
            (both ? issues.hasBoth(state.run, state.cursor, compared)
                  : issues.has(a.what, state.run, state.cursor)))
            return {};
        const bool isKnown = issues.of == state.run && issues.shown;
        auto shown = std::make_shared<viz::IssuesOnShow>(
            (isKnown ? *issues.shown : viz::IssuesOnShow()).at(state.cursor));
        const std::shared_ptr<const run::Run> beside = both      ? compared.run
                                                       : isKnown ? issues.besideOf
                                                                 : nullptr;
        if (both && (issues.besideOf != beside || !shown->beside || !shown->beside->isOf(compared.cursor)))
            shown->beside = std::make_shared<viz::IssuesOnShow>(compared.cursor);
        cancel(issues);
        issues = {.shown = std::move(shown),
                  .of = state.run,
                  .besideOf = beside,
                  .ticket = ++state.tickets,
                  .isUnderWay = true,
                  .what = a.what,
                  .progress = std::make_shared<Progress>()};
        return {TimeIssues{issues.ticket, issues.of, a.what, issues.shown, issues.progress,
                           both ? beside : nullptr}};
    }
    Effects operator()(const IssuesArrived& a) {
        if (a.ticket != state.issues.ticket || !state.issues.isUnderWay) return {};
        state.issues.isUnderWay = false;
        state.issues.shown = a.issues;
        return {};
    }
    Effects operator()(const TryOrders& a) {
        Orders& orders = state.orders;
        if (a.orders == 0) {
            if (orders.progress) orders.progress->cancelled = true;
            return {};
        }
        if (!state.run || !viz::canTryOrders(*state.run)) return {};
        if (orders.isUnderWay && orders.of == state.run) return {};
        cancel(orders);
        orders = {.shown = nullptr,
                  .of = state.run,
                  .ticket = ++state.tickets,
                  .isUnderWay = true,
                  .progress = std::make_shared<Progress>()};
        return {SearchOrders{orders.ticket, orders.of, a.orders, orders.progress}};
    }
    Effects operator()(const OrdersTried& a) {
        if (a.ticket != state.orders.ticket || !state.orders.isUnderWay) return {};
        state.orders.isUnderWay = false;
        state.orders.shown = a.orders;
        return {};
    }
    Effects operator()(const RunFailed& a) {
        Job& job = a.ticket == state.compared.job.ticket ? state.compared.job : state.job;
        if (a.ticket != job.ticket || !job.running) return {};
        job.running = job.isShown = false;
        endUnderWay(&job == &state.job ? state.run : state.compared.run, job);
        if (&job == &state.job) state.editor.failed = job.text;
        // A launch that cannot be opened leaves what is on show.
        if (&job == &state.job && state.choice.launch && std::exchange(state.program.opening, 0) &&
            state.shown)
            state.choice = *state.shown;
        std::optional<OwnKernelDialog> launched =
            &job == &state.job ? std::exchange(state.launched, {}) : std::nullopt;
        if (launched && a.fault.kind == FaultKind::Usage) {
            state.dialog = std::move(launched);
            state.dialog->fault = a.fault;
        } else if (a.fault.kind == FaultKind::TooLarge && &job == &state.job) {
            state.tooLarge = TooLarge{state.choice, a.fault};
        } else if (a.fault.kind != FaultKind::Cancelled) {
            state.fault = a.fault;
        }
        return {};
    }
    Effects operator()(const ShowRun& a) {
        cancel(state.job);
        cancel(state.orders);
        state.wanted.reset();
        state.file = a.file;
        const std::optional<Choice> recorded = choiceOf(state, a.run->recording);
        Effects effects;
        if (recorded && *recorded != state.choice) {
            std::optional<Choice> beside = state.compared.choice;
            if (state.run) {  // else it is what the window opens on
                remember(state);
                beside = comparedOf(*recorded);
            }
            const bool another = beside != state.compared.choice;
            state.choice = *recorded;
            state.compared.choice = std::move(beside);
            if (another) append(effects, startCompared(state));
        }
        const bool isChosen =
            recorded || (a.run->recording.family.empty() && state.choice.own && a.file.empty());
        if (isChosen) putInRecent(state);
        state.shown.reset();  // what is opened begins where it is most interesting
        show(state, a.run, isChosen ? std::optional(state.choice) : std::nullopt);
        append(effects, askForMachineCode(a.run));
        if (!a.file.empty()) showWhatIsOpened();
        return effects;
    }

    void showSweeps(const std::function<void(viz::SweepsOnShow&)>& change) {
        auto next = std::make_shared<viz::SweepsOnShow>(*state.sweeps.shown);
        change(*next);
        state.sweeps.shown = std::move(next);
    }
    // What the cycle model can be asked for.
    std::vector<run::SweepTask> withoutTime(const run::SweepPlan& plan) const {
        run::Sweep known = run::emptySweep(plan);
        if (state.machines) run::addRecorded(known, plan, *state.machines);
        if (const run::Sweep* swept = state.sweeps.shown->find(known)) run::merge(known, *swept);
        return run::tasksToModel(plan, known, run::modeledDevice(model::defaultProfile()));
    }
    Effects operator()(const StartSweep& a) {
        const catalog::Family* family = familyOf(state, state.choice.family);
        const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
        if (!variant) return {};
        (void)(*this)(CancelSweep{});
        std::vector<const catalog::Variant*> variants{variant};
        const std::optional<Choice>& beside = state.compared.choice;
        if (const catalog::Variant* other =
                beside && beside->family == family->name ? family->find(beside->variant) : nullptr;
            other && other != variant && !a.modeled)
            variants.push_back(other);
        const auto parameters = run::sweepableParameters(*family, *variant);
        if (parameters.empty()) return {};
        const std::string parameter = a.parameter.empty() ? parameters.front()->name : a.parameter;
        if (std::ranges::find(parameters, parameter, &catalog::Parameter::name) == parameters.end())
            return {};
        if (a.parameter.empty()) (void)(*this)(BringUp{"chart"});
        run::SweepPlan plan =
            run::proposedSweep(*family, std::move(variants), state.choice.values, parameter);
        std::vector<run::SweepTask> tasks = a.modeled ? withoutTime(plan) : run::tasksOf(plan);
        if (tasks.empty()) return {};
        state.sweeps.ticket = ++state.tickets;
        state.sweeps.progress = std::make_shared<Progress>();
        showSweeps([&](viz::SweepsOnShow& sweeps) {
            sweeps.isUnderWay = true, sweeps.done = 0, sweeps.total = tasks.size();
        });
        return {RunSweep{state.sweeps.ticket, std::move(plan), state.sweeps.progress,
                         a.modeled ? std::nullopt : deviceFor(state), state.coldTimes, std::move(tasks),
                         a.modeled}};
    }
    Effects operator()(const CancelSweep&) {
        if (!state.sweeps.shown->isUnderWay) return {};
        state.sweeps.progress->cancelled = true;
        state.sweeps.ticket = 0;
        showSweeps([](viz::SweepsOnShow& sweeps) { sweeps.isUnderWay = false; });
        return {StopSweep{}};
    }
    Effects operator()(const SweepPointArrived& a) {
        if (a.ticket != state.sweeps.ticket) return {};
        showSweeps([&](viz::SweepsOnShow& sweeps) {
            sweeps.add(*a.points);
            sweeps.done = a.done, sweeps.total = a.total;
            sweeps.isUnderWay = a.done < a.total;
        });
        return {};
    }

    Effects operator()(const ChooseFile&) { return {AskForFile{}}; }
    Effects operator()(const Browse& a) { return state.browsing = a.open, Effects{}; }
    Effects operator()(const OpenFile& a) {
        std::error_code ignored;
        if (a.path.ends_with(kProgressExtension)) return (*this)(LessonAction{ImportLessonProgress{a.path}});
        if (a.path.ends_with(playlists::kExtension)) return (*this)(PlaylistAction{OpenPlaylist{a.path}});
        if (exercises::isExercise(a.path)) return (*this)(LessonAction{OpenExerciseFolder{a.path}});
        if (std::filesystem::is_directory(a.path, ignored)) return (*this)(LessonAction{OpenLesson{a.path}});
        if (a.path.ends_with(".lks")) return {ReadRecording{a.path}};
        if (!a.path.ends_with(".cu") && !a.path.ends_with(".ptx")) {
            state.fault = fail(FaultKind::Usage, english("what can be opened ends in .cu, .ptx or .lks"),
                               {.file = a.path})
                              .value();
            return {};
        }
        // As last launched, successfully or not.
        OwnKernel kernel;
        kernel.file = a.path;
        const auto isOfFile = [&](const Choice& choice) { return choice.own && choice.own->file == a.path; };
        if (const auto last = std::ranges::find_if(state.recent, isOfFile); last != state.recent.end())
            kernel = *last->own;
        if (std::optional<OwnKernel> judged = kernelOfExercise(state.lessons, a.path))
            kernel = std::move(*judged);
        if (isOfFile(state.choice)) kernel = *state.choice.own;
        return lookForKernels(std::move(kernel));
    }
    // Further kernels wait in the editor, which turns to none of them where it has another one in front.
    Effects operator()(const OpenFiles& a) {
        if (a.paths.empty()) return {};
        Effects effects = (*this)(OpenFile{a.paths.front()});
        std::string inEditor, notOpened;
        const auto name = [](std::string& list, const std::string& path) {
            list += (list.empty() ? "" : ", ") + std::filesystem::path(path).filename().string();
        };
        for (const std::string& path : std::span(a.paths).subspan(1)) {
            const bool isKernel = path.ends_with(".cu") || path.ends_with(".ptx");
            name(isKernel ? inEditor : notOpened, path);
            if (isKernel)
                effects.emplace_back(EditorTask{ReadText{.file = wholePath(path).string(), .behind = true}});
        }
        std::string first;
        name(first, a.paths.front());
        if (!inEditor.empty())
            (void)(*this)(
                Say{Message(english("Opened {0}. In the editor's tabs: {1}; Open as experiment runs "
                                    "one of them"),
                            first, inEditor)});
        if (!notOpened.empty())
            (void)(*this)(Say{
                Message(english("Opened {0}. Not opened: {1}; drop these one at a time"), first, notOpened)});
        return effects;
    }
    Effects operator()(const OpenPage& a) { return {ShowPage{a.page}}; }
    Effects operator()(const ShowLineOfExercise& a) {
        std::optional<OwnKernel> kernel =
            kernelOfExercise(state.lessons, state.lessons.exercise.file, a.size);
        if (!kernel) return {};
        Choice choice{.family = {}, .variant = {}, .values = {}, .own = std::move(*kernel)};
        state.lessons.open = false;
        state.beforeLesson.reset();
        const bool isThere = choice == state.choice && state.run && !state.isOfAnother();
        if (const auto at = isThere ? stepAtLine(*state.run, state.cursor, a.line) : std::nullopt)
            arriveAt(state, *at, false, false);
        Effects effects = (*this)(SetChoice{std::move(choice)});
        state.wantedLine = a.line;
        (void)(*this)(BringUp{"source"});
        return effects;
    }
    Effects operator()(const LookAgain& a) { return lookForKernels(a.kernel); }
    // What is run is the text of the editor, and so is what is offered.
    Effects lookForKernels(OwnKernel kernel) {
        const EditedText* edited =
            state.editor.texts.empty() ? nullptr : state.editor.find(wholePath(kernel.file).string());
        state.looking = Looking{.file = kernel.file, .ticket = ++state.lookTicket};
        return {LookForKernels{std::move(kernel), edited ? edited->text : nullptr, state.lookTicket}};
    }
    Effects operator()(const LookEnded& a) {
        if (state.looking && state.looking->ticket == a.ticket) state.looking.reset();
        return {};
    }
    Effects operator()(const StopLooking&) {
        if (!state.looking) return {};
        state.looking.reset();
        Effects effects = startWhereNothingIs();
        effects.emplace_back(StopLook{});
        return effects;
    }
    Effects operator()(const KernelsFound& a) {
        return state.dialog = a.dialog, state.fault.reset(), Effects{};
    }
    Effects operator()(const CloseDialog&) { return state.dialog.reset(), startWhereNothingIs(); }
    // A window that was opened on a file, and on nothing of it, shows its first experiment.
    Effects startWhereNothingIs() {
        return state.run || state.job.running || state.program.open ? Effects{} : startBoth(state);
    }
    Effects operator()(const CouldNot& a) {
        // What went wrong while the export is open stands there: behind it nothing is read.
        if (state.exporting.open)
            state.exporting.fault = a.fault;
        else
            state.fault = a.fault;
        return {};
    }

    Effects operator()(const MoveCursor& a) {
        if (!state.run) return {};
        state.playback.playing = false;
        // A block whose events were not kept: run again with it in focus, then go there.
        if (!state.run->recording.trace.find(a.to.launch, a.to.block)) {
            state.wanted = a.to;
            Effects effects = start(state, {a.to.block});
            if (state.compared.choice) append(effects, startCompared(state));
            return effects;
        }
        arriveAt(state, explain::clamped(*state.run, a.to), false, false);
        return {};
    }
    Effects operator()(const MoveCompared& a) {
        if (!state.run || !state.compared.run) return {};
        const run::Run& beside = *state.compared.run;
        // Elsewhere than both kept their events: the first leads the way.
        if (!beside.recording.trace.find(a.to.launch, a.to.block)) return (*this)(MoveCursor{a.to});
        state.playback.playing = false;
        const viz::Cursor to = explain::clamped(beside, a.to);
        arriveAt(state, viz::tied(beside, to, *state.run, tieOf(state)), false, false);
        state.compared.cursor = to;
        return {};
    }
    Effects operator()(const Step& a) {
        state.playback.playing = false;
        state.presenting.black = false;  // the lecture goes on
        if (state.run && !stepOn(state, a.unit, a.back)) state.inVain = NoFurtherStep{a.unit, a.back};
        return {};
    }
    Effects operator()(const ToEnd& a) {
        if (!state.run) return {};
        state.playback.playing = false;
        arriveAt(state, (a.back ? explain::toStart : explain::toEnd)(*state.run, state.cursor), false,
                 a.back);
        return {};
    }
    Effects operator()(const ChangeWarp& a) {
        if (!state.run) return {};
        if (const auto to = explain::otherWarp(*state.run, state.cursor, a.by))
            arriveAt(state, *to, false, false);
        return {};
    }
    Effects operator()(const ChangeBlock& a) {
        if (!state.run) return {};
        if (const auto to = explain::otherBlock(*state.run, state.cursor, a.by))
            arriveAt(state, *to, false, false);
        return {};
    }
    Effects operator()(const ChangeLane& a) {
        if (!state.run) return {};
        viz::Cursor to = state.cursor;
        to.lane = Lane{u32((int(to.lane.value) + a.by % 32 + 32) % 32)};
        arriveAt(state, explain::clamped(*state.run, to), false, false);
        return {};
    }

    Effects operator()(const SelectSteps& a) {
        if (!a.range)
            state.range.reset();
        else if (state.run && explain::isRecorded(state.run->recording.trace, *a.range))
            state.range = a.range;
        return {};
    }
    // The end of the range at which the cursor stands goes along with it.
    Effects operator()(const SelectOn& a) {
        const viz::Cursor from = state.cursor;
        if (!stepOn(state, explain::Stride::Instruction, a.back)) return {};
        state.playback.playing = false;
        const bool isSameWarp = state.range && state.range->launch == from.launch &&
                                state.range->block == from.block && state.range->warp == from.warp;
        const bool goesOn = isSameWarp && (from.step == state.range->first || from.step == state.range->last);
        const u32 fixed = !goesOn                           ? from.step
                          : from.step == state.range->first ? state.range->last
                                                            : state.range->first;
        const auto [first, last] = std::minmax(fixed, state.cursor.step);
        state.range = StepRange{
            .launch = from.launch, .block = from.block, .warp = from.warp, .first = first, .last = last};
        return {};
    }

    Effects operator()(const TogglePlay&) {
        if (!state.run) return {};
        Playback& playback = state.playback;
        playback.playing = !playback.playing;
        playback.sinceStep = 0;
        // Play at the end begins again.
        if (playback.playing && !nextStep(state, playback.unit, false))
            arriveAt(state, explain::toStart(*state.run, state.cursor), false, false);
        return {};
    }
    Effects operator()(const SetSpeed& a) {
        state.playback.stepsPerSecond = std::clamp(a.stepsPerSecond, kSlowest, kFastest);
        return {};
    }
    Effects operator()(const SetStepUnit& a) {
        state.playback.unit = a.unit;
        return {};
    }
    Effects operator()(const Tick& a) {
        Playback& playback = state.playback;
        for (Job* job : {&state.job, &state.compared.job})
            if (job->running) {
                job->seconds += a.seconds;
                if (job->progress) job->left.tell(job->seconds, shareDone(*job->progress));
            }
        if (state.program.isUnderWay) state.program.seconds += a.seconds;
        if (state.looking) state.looking->seconds += a.seconds;
        if (state.fetching) state.fetching->seconds += a.seconds;
        for (Notice& notice : state.notices)
            notice.seconds += a.seconds;
        std::erase_if(state.notices, [](const Notice& notice) { return notice.seconds > kNoticeSeconds; });
        Effects effects = isDue(state.editor, a.seconds) ? startTyped() : Effects{};
        const f64 duration = motionSeconds(playback, state.reduceMotion);
        playback.motion = duration > 0 ? std::min(1.0, playback.motion + a.seconds / duration) : 1;
        if (!playback.playing || !state.run) return effects;
        playback.sinceStep += a.seconds;
        const f64 period = 1 / playback.stepsPerSecond;
        // A slow frame may owe several steps; of a second's worth at most, so that a pause does not become a
        // leap.
        for (f64 owed = std::min(playback.sinceStep, 1.0); owed >= period; owed -= period) {
            playback.sinceStep = owed - period;
            if (stepOn(state, playback.unit, false)) continue;
            playback.playing = false;
            break;
        }
        return effects;
    }

    Effects operator()(const SetPattern& a) {
        if (a.pattern == state.playground.shown.pattern && !state.playground.fault) return {};
        if (const Expected<model::AccessQuery> query = model::queryOf(a.pattern); !query) {
            state.playground.fault = query.error();
            return {};
        }
        if (a.pattern != state.playground.shown.pattern) remember(state);
        showPattern(state, a.pattern);
        return {};
    }
    Effects operator()(const TypeExpression& a) {
        PlaygroundState& playground = state.playground;
        playground.typed = a.text;
        model::AccessPattern pattern = playground.shown.pattern;
        pattern.expression = a.text;
        pattern.moved = {};
        const Expected<model::AccessExpression> parsed =
            model::AccessExpression::parse(a.text);  // an empty one is no pattern by hand
        const Expected<model::AccessQuery> query = model::queryOf(pattern);
        if (!parsed || !query) {
            playground.fault = parsed ? query.error() : parsed.error();
            return {};
        }
        playground.fault.reset();
        if (pattern == playground.shown.pattern) return {};
        if (!playground.typing) remember(state);
        playground.typing = true;
        playground.shown.pattern = std::move(pattern);
        return {};
    }
    Effects operator()(const PlaceLane& a) {
        if (a.lane.value >= kWarpSize) return {};
        state.playground.shown.lane = a.lane;
        model::AccessPattern pattern = state.playground.shown.pattern;
        pattern.moved[a.lane.value] = a.place;
        pattern.off = pattern.off & ~LaneMask::of(a.lane);
        return (*this)(SetPattern{std::move(pattern)});
    }
    Effects operator()(const SelectLane& a) {
        if (a.lane.value < kWarpSize) state.playground.shown.lane = a.lane;
        return {};
    }
    Effects operator()(const SwitchLane& a) {
        if (a.lane.value >= kWarpSize) return {};
        model::AccessPattern pattern = state.playground.shown.pattern;
        pattern.off.bits ^= LaneMask::of(a.lane).bits;
        return (*this)(SetPattern{std::move(pattern)});
    }
    Effects operator()(const ResetPlayground&) { return (*this)(SetPattern{viz::Playground{}.pattern}); }
    Effects operator()(const TakeAccess&) {
        if (!state.run) return {};
        std::optional<model::AccessPattern> pattern = viz::patternAt(*state.run, state.cursor);
        if (!pattern) return {};
        state.playground.shown.lane = state.cursor.lane;
        (void)(*this)(SetPattern{std::move(*pattern)});
        return (*this)(BringUp{"playground"});
    }
    static void forgetOutcome(Export& e) {
        e.asksToReplace = false;
        e.fault.reset();
        e.mayReplace.clear();
        e.written.clear();
    }
    Effects operator()(const OpenExport& a) {
        Export& e = state.exporting;
        if (!state.run || e.running) return {};
        e.open = true;
        forgetOutcome(e);
        e.settings.view = a.view;
        const u32 steps = stepsOfWarp(state);
        e.settings.first = std::max(1u, std::min(state.cursor.step + 1, steps));
        e.settings.last = std::min(steps, e.settings.first + 19);
        if (const std::optional<explain::StepSpan> chosen = chosenSteps(state); chosen && !chosen->empty()) {
            e.settings.first = chosen->begin + 1;
            e.settings.last = std::min(chosen->end, chosen->begin + kMostExportedSteps);
        }
        e.settings.file = proposedFile(state, e.settings);
        return {};
    }
    Effects operator()(const CloseExport&) {
        const bool running = state.exporting.running;
        state.exporting.open = state.exporting.running = false;
        return running ? Effects{StopExport{}} : Effects{};
    }
    Effects operator()(const SetExport& a) {
        Export& e = state.exporting;
        if (e.running) return {};
        // The name goes along while it is the one that was proposed.
        const bool proposed = a.settings.file == proposedFile(state, e.settings);
        e.settings = a.settings;
        const u32 steps = std::max(1u, stepsOfWarp(state));
        e.settings.first = std::clamp(e.settings.first, 1u, steps);
        e.settings.last = std::clamp(e.settings.last, e.settings.first,
                                     std::min(steps, e.settings.first + kMostExportedSteps - 1));
        if (proposed) e.settings.file = proposedFile(state, e.settings);
        forgetOutcome(e);
        return {};
    }
    Effects operator()(const ChooseExportFile&) {
        return state.exporting.open && !state.exporting.running
                   ? Effects{AskWhereToSave{state.exporting.settings}}
                   : Effects{};
    }
    // What the name ends in says the format, as far as there is such a one.
    Effects operator()(const ExportFileChosen& a) {
        Export& e = state.exporting;
        if (!e.open || e.running) return {};
        if (a.fault) return e.fault = a.fault, Effects{};
        ExportSettings settings = e.settings;
        settings.file = a.file;
        for (const ExportFormatRow& row : kExportFormats)
            if (a.file.ends_with(row.extension)) settings.format = row.format;
        (void)(*this)(SetExport{settings});
        e.mayReplace = a.file;
        return {};
    }
    Effects operator()(const ExportNow&) {
        Export& e = state.exporting;
        if (!state.run || e.running || e.settings.file.empty()) return {};
        std::error_code ignored;
        // Before the drawing, which of an animation takes long.
        if (const std::filesystem::path folder =
                std::filesystem::absolute(e.settings.file, ignored).parent_path();
            !std::filesystem::is_directory(folder, ignored)) {
            e.fault = fail(FaultKind::NotFound,
                           english("there is no such folder; make it, or choose another place"),
                           {.file = folder.string()})
                          .value();
            return {};
        }
        if (!e.asksToReplace && e.settings.file != e.mayReplace &&
            std::filesystem::exists(e.settings.file, ignored))
            return e.asksToReplace = true, Effects{};
        forgetOutcome(e);
        e.running = true;
        e.progress = 0;
        return {StartExport{e.settings}};
    }
    Effects operator()(const OpenExportFolder&) {
        if (state.exporting.written.empty()) return {};
        return {ShowPage{std::filesystem::path(state.exporting.written).parent_path().string()}};
    }
    Effects operator()(const CopyPicture& a) {
        return state.run || !viz::findView(a.view) || !viz::findView(a.view)->needsRun
                   ? Effects{PutOnClipboard{a.view}}
                   : Effects{};
    }
    Effects operator()(const ExportProgressed& a) { return state.exporting.progress = a.progress, Effects{}; }
    Effects operator()(const ExportEnded& a) {
        state.exporting.running = false;
        state.exporting.fault = a.fault;
        if (a.fault) return {};
        std::error_code ignored;
        const std::filesystem::path file = std::filesystem::absolute(a.file, ignored);
        state.exporting.written = file.string();
        state.exportFolder = file.parent_path().string();
        return {};
    }

    Effects operator()(const SetTheme& a) {
        (state.presenting.on ? state.presenting.theme : state.theme) = a.theme;
        return {};
    }
    Effects operator()(const SetLanguage& a) { return state.language = a.language, Effects{}; }
    Effects operator()(const SetReduceMotion& a) { return state.reduceMotion = a.on, Effects{}; }
    Effects operator()(const SetZoom& a) {
        const auto now = std::ranges::find_if(kZooms, [&](f32 zoom) { return zoom >= state.zoom - 0.01f; });
        const auto at =
            std::clamp<std::ptrdiff_t>(now - kZooms.begin() + a.steps, 0, std::ptrdiff_t(kZooms.size()) - 1);
        state.zoom = a.steps == 0 ? 1.0f : kZooms[std::size_t(at)];
        return {};
    }
    // Of devices side by side, the profile is one: the new one takes its place.
    Effects operator()(const SetProfile& a) {
        if (!state.devices.empty() && std::ranges::find(state.devices, a.profile) == state.devices.end()) {
            const auto before = std::ranges::find(state.devices, state.profile);
            (before == state.devices.end() ? state.devices.back() : *before) = a.profile;
        }
        state.profile = a.profile;
        return {};
    }
    Effects operator()(const SetDevices& a) {
        if (a.devices.empty() || a.devices.size() > viz::kMostDevices ||
            !std::ranges::all_of(a.devices, [](const std::string& name) { return model::findProfile(name); }))
            return {};
        state.devices = a.devices;
        if (std::ranges::find(state.devices, state.profile) == state.devices.end())
            state.profile = state.devices.back();
        return {};
    }
    Effects operator()(const BringUp& a) {
        state.program.open = false;
        if (state.presenting.on) return (*this)(SetLens{a.view == "stage" ? std::string() : a.view});
        if (isEnlarged(state) && !isStrip(a.view)) return (*this)(Enlarge{a.view});
        state.broughtUp = a.view;
        state.broughtUpBeside.clear();
        turnTo(a.view);
        ++state.timesBroughtUp;
        return {};
    }
    Effects operator()(const TurnTo& a) { return turnTo(a.view), Effects{}; }
    Effects operator()(const Enlarge& a) {
        if (!a.view.empty() && !mayBeEnlarged(a.view)) return {};
        state.enlarged.erase(state.task);
        if (a.view.empty()) {
            if (std::exchange(state.compared.covered, false))
                state.compared.open = true;
            else
                (void)(*this)(BringUp{state.turnedTo});  // where it was before, it is in sight
            return {};
        }
        if (state.compared.open) state.compared.open = false, state.compared.covered = true;
        turnTo(state.enlarged[state.task] = a.view);
        return {};
    }
    Effects operator()(const Present& a) {
        state.presenting.on = a.on;
        state.presenting.black = false;
        return {};
    }
    Effects operator()(const NextLens& a) {
        std::vector<std::string_view> lenses{""};  // the stage; then what shows the same step, then the rest
        for (const bool isLens : {true, false})
            for (const viz::ViewRow& view : viz::views())
                if (view.isLens == isLens && view.name != "stage" &&
                    (hasToShow(state, view) || view.name == state.presenting.lens))
                    lenses.push_back(view.name);
        const auto found = std::ranges::find(lenses, state.presenting.lens);
        const std::size_t now = found == lenses.end() ? 0 : std::size_t(found - lenses.begin());
        state.presenting.lens = lenses[(now + (a.back ? lenses.size() - 1 : 1)) % lenses.size()];
        return {};
    }
    Effects operator()(const SetLens& a) {
        if (isLens(a.view)) state.presenting.lens = a.view;
        return {};
    }
    Effects operator()(const BlackOut& a) { return state.presenting.black = a.on, Effects{}; }
    Effects operator()(const ShowPalette& a) { return state.showPalette = a.open, Effects{}; }
    Effects operator()(const UsedCommand& a) {
        return putInFront(state.recentCommands, a.id, kMostCommands, std::equal_to<>()), Effects{};
    }
    Effects operator()(const SetTask& a) {
        state.presenting.on = state.program.open = false;
        state.compared.open = state.compared.covered = false;
        state.playlists.open = false;
        Effects effects = (*this)(LessonAction{ShowLessons{false}});
        if (isTask(a.task)) state.task = a.task;
        return effects;
    }
    Effects operator()(const ResetLayout&) { return ++state.timesLaidOut, Effects{}; }
    Effects operator()(const ShowHint&) {
        state.tour.reset();
        Effects effects = (*this)(SetTask{"explore"});
        state.showHint = true;
        return effects;
    }
    Effects operator()(const DismissHint&) { return {}; }  // as others show: see showsSkill
    Effects operator()(const TakeTour& a) {
        if (a.step >= kTourSteps || !state.catalog) return {};
        const bool begins = !state.tour;
        Effects effects;
        if (begins) {
            state.presenting.on = false;
            state.beforeTour = state.turnedTo;
            effects = (*this)(SetTask{"explore"});
            state.enlarged.erase(state.task);
            if (Choice first = firstChoice(*state.catalog); first != state.choice)
                append(effects, choose(std::move(first), std::nullopt));
        }
        state.tour = a.step;
        if (!kOfTour[a.step].empty()) append(effects, (*this)(BringUp{std::string(kOfTour[a.step])}));
        return effects;
    }
    // Back to the view before it, unless another one has been turned to meanwhile.
    Effects operator()(const LeaveTour&) {
        const bool leads = state.tour && std::ranges::find(kOfTour, state.turnedTo) != kOfTour.end();
        state.tour.reset();
        return leads ? (*this)(BringUp{state.beforeTour}) : Effects{};
    }
    Effects operator()(const ShowKeys& a) { return state.showKeys = a.open, Effects{}; }
    Effects operator()(const ShowTerm& a) {
        if (a.id.empty() || explain::findTerm(a.id)) state.term = a.id;
        return {};
    }
    Effects operator()(const UnderlineTerms& a) { return state.underlineTerms = a.on, Effects{}; }
    Effects operator()(const SetView& a) {
        const viz::Tie before = tieOf(state);
        state.views[a.view] = a.state;
        if (state.magnifying.view == a.view) state.magnifying = {};
        if (tieOf(state) != before) follow(state);
        // What it no longer asks for need not come to its end.
        const viz::ViewRow* const row = viz::findView(a.view);
        if (row && state.issues.isUnderWay && state.issues.what == row->modeled &&
            viz::modeledBy(*row, a.state.options) == viz::Modeled::None)
            cancel(state.issues);
        return {};
    }
    // The view in hand, or the stage where that one has but one size.
    Effects operator()(const Magnify& a) {
        const auto zooms = [](const std::string& view) {
            const viz::ViewRow* row = viz::findView(view);
            return row && (row->wheel == viz::Wheel::Zooms || row->showsBoth);
        };
        const std::string hand = viewInHand(state), view = zooms(hand) ? hand : "stage";
        if (a.steps == 0) {
            viz::ViewState& shown = state.views[view];
            shown.pan = {}, shown.zoom = 0;
            state.magnifying = {};
            return {};
        }
        if (state.magnifying.view != view) state.magnifying = {view, 0};
        state.magnifying.steps += a.steps;
        return {};
    }
    Effects operator()(const DismissFault&) { return state.fault.reset(), Effects{}; }
    Effects operator()(const Say& a) {
        constexpr std::size_t kMost = 4;
        std::erase_if(state.notices, [&](const Notice& notice) { return notice.text == a.text; });
        if (state.notices.size() >= kMost) state.notices.erase(state.notices.begin());
        state.notices.push_back({.text = a.text});
        constexpr std::size_t kMostSaid = 100;
        if (state.said.size() >= kMostSaid) state.said.erase(state.said.begin());
        state.said.push_back(a.text);
        return {};
    }
    Effects operator()(const ShowSaid& a) { return state.showSaid = a.open, Effects{}; }

    // An experiment and a place in it, whatever is on show.
    Effects goTo(Choice choice, const viz::Cursor& to, const std::optional<Choice>& beside = {}) {
        const bool sameBeside = beside == state.compared.choice;
        const bool isThere = choice == state.choice && sameBeside && state.run && !state.isOfAnother() &&
                             !state.job.running && state.file.empty();
        if (isThere) return (*this)(MoveCursor{to});
        if (choice != state.choice || !sameBeside) remember(state);
        (void)become(std::move(choice), beside);  // the run that it starts has another block in focus
        state.compared.isNew = false;
        state.wanted = to;
        Effects effects = start(state, {to.block});
        if (beside && !sameBeside) append(effects, startCompared(state));
        return effects;
    }
    BeforeLesson whatIsOnShow() const {
        return {.choice = state.choice,
                .run = state.run,
                .shown = state.shown,
                .file = state.file,
                .cursor = state.cursor,
                .range = state.range,
                .compared = state.compared,
                .wasUnderWay = state.job.running || state.compared.job.running,
                .profile = state.profile,
                .devices = state.devices,
                .turnedTo = state.turnedTo,
                .enlarged = state.enlarged};
    }
    // What is known of a step's experiment while its question is open, without waiting for a run.
    void showBeforePlace(const lessons::StepOnShow& step) {
        Choice choice = choiceOfStep(step, false);
        if (choice != state.choice || state.compared.choice) remember(state);
        (void)become(std::move(choice), std::nullopt);
        cancel(state.job);
        cancel(state.issues);
        state.file.clear();
        state.wanted = placeOf(step, false);
        show(state, step.before, state.choice);
    }
    Effects showLessonPlace() {
        const lessons::StepOnShow& step = *state.lessons.step;
        const bool isSettled = state.lessons.isSettled();
        const lessons::Picture& picture = step.picture(isSettled);
        const catalog::Family* family = familyOf(state, picture.family);
        if (!picture.own && (!family || !family->find(picture.variant))) return {};
        if (!state.beforeLesson) state.beforeLesson = whatIsOnShow();
        state.presenting.on = state.compared.open = state.compared.covered = false;
        (void)(*this)(SetProfile{picture.profile});
        Effects effects;
        if (isSettled)
            effects = goTo(choiceOfStep(step, true), placeOf(step, true));
        else
            showBeforePlace(step);
        if (viz::findView(picture.view)) (void)(*this)(BringUp{picture.view});
        // A view that the step before brought up may be covered now, or tell what a later step asks.
        if (!isEnlarged(state)) state.broughtUpBeside = "source";
        return effects;
    }
    // The whole run takes the place of what was known before it, wherever the cursor was put meanwhile; the
    // window's own, with all that it finds out about a run, follows.
    Effects showLessonMoment() {
        const lessons::StepOnShow& step = *state.lessons.step;
        if (!isOfStep(state, step, true)) return showLessonPlace();
        const bool stood = !step.after && state.cursor == placeOf(step, false);
        if (!stood) {
            (void)(*this)(SetProfile{step.picture(true).profile});
            if (viz::findView(step.picture(true).view)) (void)(*this)(BringUp{step.picture(true).view});
        }
        show(state, step.picture(true).run, state.choice);
        arriveAt(state, placeOf(step, true), stood, false);
        return start(state, {state.cursor.block});
    }
    // A run of the step's experiment that arrives while its question is open is not shown.
    void withhold() {
        const lessons::StepOnShow* step = state.lessons.step.get();
        if (!state.lessons.hidesAnswer() || !step->before || state.run == step->before) return;
        if (state.isOfAnother() || !isOfStep(state, *step, false)) return;
        state.run = step->before;
        arriveAt(state, explain::clamped(*state.run, state.cursor), false, false);
    }
    Effects giveBackWhatWasBeforeLesson() {
        if (!state.beforeLesson) return {};
        const BeforeLesson before = *std::exchange(state.beforeLesson, std::nullopt);
        if (before.choice != state.choice || before.compared.choice != state.compared.choice) remember(state);
        cancel(state.job);
        cancel(state.compared.job);
        cancel(state.issues);
        if (before.choice.family != state.choice.family) state.views.erase("stage");
        state.playback.playing = false;
        state.wanted.reset();
        state.choice = before.choice;
        state.run = before.run;
        state.shown = before.shown;
        state.file = before.file;
        state.range = before.range;
        state.compared = before.compared;
        state.profile = before.profile;
        state.devices = before.devices;
        state.enlarged = before.enlarged;
        if (!isEnlarged(state)) (void)(*this)(BringUp{before.turnedTo});
        turnTo(before.turnedTo);
        arriveAt(state, before.cursor, false, false);
        if (before.wasUnderWay || !state.run) return startBoth(state);
        return askForMachineCode(state.run);
    }
    Effects operator()(const LessonAction& a) {
        const auto* shows = std::get_if<ShowLessons>(&a);
        if (shows && shows->open)
            state.presenting.on = state.compared.open = state.compared.covered = state.program.open = false;
        const bool wasOpen = state.lessons.open;
        // Its column has the same place as that of playlists, of which the list may cover it.
        if (wasOpen && (shows || std::holds_alternative<OpenLesson>(a)) &&
            std::exchange(state.playlists.open, false) && shows)
            return {};
        Effects effects = updateLessons(a);
        if (state.lessons.open && !wasOpen) state.playlists.open = false;
        return effects;
    }
    Effects endLesson() { return updateLessons(ShowLessons{false}); }
    // What an exercise cannot begin without is said, or proposed.
    void completeExercise(const LessonAction& a) {
        ExerciseAttempt& attempt = state.lessons.exercise;
        const auto exercise = openExercise(state.lessons);
        if (std::holds_alternative<BeginExercise>(a) || std::holds_alternative<TypeExerciseFile>(a))
            attempt.fault.reset();
        if (!exercise || !attempt.file.empty()) return;
        if (std::holds_alternative<BeginExercise>(a))
            attempt.file = proposedStart(*exercise, state.exportFolder);
        if (std::holds_alternative<CheckExercise>(a))
            attempt.fault = fail(FaultKind::Usage, english("write the path of your file into the field, or "
                                                           "create one to begin with"))
                                .value();
    }
    Effects updateLessons(const LessonAction& a) {
        completeExercise(a);
        LessonWish wish = updateLesson(state.lessons, a, state.tickets);
        Effects effects;
        if (wish.of == LessonWish::Of::Place) effects = showLessonPlace();
        if (wish.of == LessonWish::Of::Moment) effects = showLessonMoment();
        if (wish.of == LessonWish::Of::Restore) effects = giveBackWhatWasBeforeLesson();
        for (LessonTask& task : wish.tasks)
            effects.emplace_back(std::move(task));
        return effects;
    }
    std::optional<Choice> choiceOfPicture(const playlists::Picture& picture) const {
        if (picture.own) return app::choiceOf(*picture.own);
        const catalog::Family* family = familyOf(state, picture.family);
        if (!family || !family->find(picture.variant)) return std::nullopt;
        return Choice{picture.family, picture.variant, fittingValues(*family, picture.values)};
    }
    // What may be seen of the entry's experiment until it is revealed, without waiting for a run.
    void showBeforeEntry(Choice choice) {
        if (choice != state.choice || state.compared.choice) remember(state);
        (void)become(std::move(choice), std::nullopt);
        cancel(state.job);
        cancel(state.issues);
        state.file.clear();
        const playlists::EntryOnShow& entry = *state.playlists.entry;
        state.wanted = entry.cursorBefore();
        show(state, entry.before, state.choice);
        state.withheld = WithheldRun{entry.before, entry.pictures.front().run};
    }
    // The whole run takes the place of what was shown of it; the window's own follows.
    Effects giveWhole(const viz::Cursor& to, bool travel) {
        const WithheldRun run = *std::exchange(state.withheld, std::nullopt);
        show(state, run.whole, state.choice);
        arriveAt(state, explain::clamped(*state.run, to), travel, false);
        return start(state, {state.cursor.block});
    }
    bool isWithheld() const {
        return state.withheld && state.run == state.withheld->shown && !state.isOfAnother();
    }
    // A run of the entry's experiment that arrives while it is hidden is not shown; once nothing hides it any
    // more, the whole one is.
    Effects withholdFromLecture() {
        if (!state.playlists.withholdsRun())
            return isWithheld() ? giveWhole(state.cursor, false) : (state.withheld.reset(), Effects{});
        const playlists::EntryOnShow& entry = *state.playlists.entry;
        if (!state.run || state.run == entry.before || state.isOfAnother()) return {};
        if (state.choice != choiceOfPicture(entry.pictures.front())) return {};
        state.withheld = WithheldRun{entry.before, state.run};
        state.run = entry.before;
        arriveAt(state, explain::clamped(*state.run, state.cursor), false, false);
        return {};
    }
    Effects showPlaylistPicture() {
        const playlists::Picture& picture = state.playlists.entry->pictures[state.playlists.picture];
        std::optional<Choice> choice = choiceOfPicture(picture);
        if (!choice) return {};
        state.compared.open = state.compared.covered = false;
        state.playback.playing = false;
        (void)(*this)(SetProfile{picture.profile});
        std::optional<Choice> beside;
        if (picture.beside)
            if (const catalog::Family* other = familyOf(state, picture.beside->family))
                beside = Choice{other->name, picture.beside->variant,
                                fittingValues(*other, picture.beside->values)};
        Effects effects;
        if (state.playlists.withholdsRun())
            showBeforeEntry(std::move(*choice));
        else if (isWithheld() && choice == state.choice && beside == state.compared.choice)
            effects = giveWhole(picture.cursor, true);
        else
            effects = goTo(std::move(*choice), picture.cursor, beside);
        (void)(*this)(BringUp{picture.view});
        (void)(*this)(SetLens{isLens(picture.view) ? picture.view : std::string()});
        state.presenting.black = false;
        return effects;
    }
    Effects addToPlaylist() {
        Expected<playlists::NewEntry> entry = entryOnShow(state);
        if (!entry) return (*this)(CouldNot{entry.error()});
        if (!state.playlists.playlist || !state.playlists.playlist->isOwn)
            beginPlaylist(state.playlists, state.exportFolder, state.language);
        nameFrom(state.playlists.playlist->file, *entry);
        remember(state);
        return tasksOf(
            writeText(state.playlists, playlists::withEntry(*state.playlists.playlist->text, *entry)));
    }
    Effects operator()(const PlaylistAction& a) {
        const bool wasOn = state.playlists.isOn();
        if (const auto* shows = std::get_if<ShowPlaylists>(&a); shows && shows->open)
            state.program.open = false;
        PlaylistWish wish = updatePlaylist(state.playlists, a, state.tickets);
        Effects effects;
        // The list of playlists may cover a lesson; a lecture ends it.
        if (state.playlists.isOn() && !wasOn) effects = endLesson();
        if (wish.of == PlaylistWish::Of::Picture) append(effects, showPlaylistPicture());
        if (wish.of == PlaylistWish::Of::Add) append(effects, addToPlaylist());
        append(effects, tasksOf(std::move(wish.tasks)));
        return effects;
    }
    Effects operator()(const ProgramAction& a) {
        ProgramWish wish = updateProgram(state.program, a, state.tickets);
        Effects effects(std::make_move_iterator(wish.tasks.begin()),
                        std::make_move_iterator(wish.tasks.end()));
        switch (wish.of) {
            case ProgramWish::Of::Nothing: break;
            case ProgramWish::Of::Left: append(effects, startWhereNothingIs()); break;
            case ProgramWish::Of::Page:
                state.dialog.reset();
                state.presenting.on = state.compared.open = state.compared.covered = false;
                state.playlists.open = state.lessons.open = false;
                break;
            case ProgramWish::Of::Open:
                append(effects, openLaunch(launchChoice(std::move(*wish.launch))));
                break;
            case ProgramWish::Of::Compare:
                state.program.open = false;
                state.compared.open = true;
                append(effects, (*this)(CompareWith{launchChoice(std::move(*wish.launch))}));
                break;
            case ProgramWish::Of::Save:
                if (state.run && state.shown && state.shown->launch)
                    effects.emplace_back(ProgramTask{SaveRecording{stemOf(*state.shown->launch)}});
                break;
        }
        return effects;
    }
    // Also one that is on show already: the page gives way to it.
    Effects openLaunch(const Choice& choice) {
        if (choice != state.choice) return choose(choice, comparedOf(choice));
        if (state.job.running) return {};
        if (state.isOfAnother() || !state.run) return start(state);
        state.program.open = false;
        state.program.opening = 0;
        return {};
    }
    // What the editor has is compiled and run; the file stays as it is.
    Effects startTyped() {
        const EditedText* text = state.editedExperiment();
        const bool canStart = text && (state.hasCompiler || isPtx(text->file));
        return canStart ? start(state) : Effects{};
    }
    // It needs no compiler.
    static bool isPtx(const std::string& file) { return std::filesystem::path(file).extension() == ".ptx"; }
    bool isExperiment(const std::string& file) const {
        return state.choice.own && wholePath(state.choice.own->file) == wholePath(file);
    }
    // Nothing is to cover it.
    void showEditor() {
        state.presenting.on = state.program.open = false;
        state.compared.open = state.compared.covered = false;
        if (state.lessons.open && !state.lessons.current()) state.lessons.open = false;
        state.enlarged.erase(state.task);
        state.showHint = false;
    }
    Effects create(const Expected<CreateText>& text) {
        return text ? Effects{EditorTask{*text}} : (*this)(CouldNot{text.error()});
    }
    // Of the experiment: its own file, or a copy of the catalog's.
    Effects editExperiment(u32 line) {
        if (state.choice.own) return (*this)(EditorAction{EditFile{state.choice.own->file, line}});
        if (state.choice.launch) return (*this)(EditorAction{EditFile{state.choice.launch->file, line}});
        return create(copyOfExperiment(state));
    }
    // At the line of the cursor, where the file is the experiment's.
    Effects editElsewhere(const EditElsewhere& a) {
        const std::string ofExperiment = state.choice.own      ? state.choice.own->file
                                         : state.choice.launch ? state.choice.launch->file
                                                               : std::string();
        std::string file = a.file;
        if (file.empty() && state.editor.open) file = state.editor.front;
        if (file.empty()) file = ofExperiment;
        if (file.empty()) {
            state.fault = fail(FaultKind::Usage, english("this kernel is the catalog's; edit a copy of it "
                                                         "first (F6), then open that in your own editor"))
                              .value();
            return {};
        }
        u32 line = a.line;
        if (line == 0 && !ofExperiment.empty() && wholePath(file) == wholePath(ofExperiment) && state.run &&
            !state.isOfAnother())
            if (const explain::CursorContext here = explain::lookUp(*state.run, state.cursor); here.step)
                line = explain::lineOf(*state.run->module, here.step->pc).line;
        return {EditorTask{OpenElsewhere{wholePath(file).string(), line}}};
    }
    Effects operator()(const EditorAction& a) {
        if (std::holds_alternative<EditCopy>(a)) return create(copyOfExperiment(state));
        if (std::holds_alternative<NewKernel>(a)) return create(newKernel(state));
        if (const auto* elsewhere = std::get_if<EditElsewhere>(&a)) return editElsewhere(*elsewhere);
        const auto* edit = std::get_if<EditFile>(&a);
        if (edit && edit->file.empty()) return editExperiment(edit->line);
        EditorWish wish = updateEditor(state.editor, a);
        Effects effects;
        if (wish.fault) state.fault = wish.fault;
        if (wish.shows) showEditor();
        if (wish.hides) (void)(*this)(BringUp{"source"});
        if (edit)
            if (std::optional<OwnKernel> kernel = kernelOfExercise(state.lessons, edit->file)) {
                state.beforeLesson.reset();
                append(effects, (*this)(SetChoice{{{}, {}, {}, std::move(*kernel)}}));
            }
        if (const auto* created = std::get_if<TextCreated>(&a))
            append(effects, (*this)(SetChoice{{{}, {}, {}, created->kernel}}));
        if (wish.typed && isExperiment(wish.file)) {
            cancel(state.job);
            endUnderWay(state.run, state.job);
            state.editor.sinceKey = 0;
        }
        if (wish.runs && isExperiment(wish.file)) append(effects, startBoth(state));
        for (EditorTask& task : wish.tasks)
            effects.emplace_back(std::move(task));
        return effects;
    }
    Effects operator()(const Quit&) {
        cancel(state.job);
        cancel(state.compared.job);
        state.quit = true;
        return {};
    }
};

bool isElsewhere(const viz::Cursor& a, const viz::Cursor& b) {
    return a.launch != b.launch || a.block != b.block || a.warp != b.warp || a.step != b.step;
}

// The cursor's line is seen from its beginning, wherever the end of another one was read; and what it touches
// of an array, whichever part of that was scrolled to.
void comeBack(State& state) {
    for (auto& [name, view] : state.views) {
        const viz::ViewRow* row = viz::findView(name);
        if (row && row->wheel == viz::Wheel::Scrolls) view.pan.x = 0;
        if (row && row->wheel == viz::Wheel::Zooms && view.zoom <= 1) view.pan = {};
    }
}

template <class Taken> Effects take(State& state, const void* taken) {
    if (showsSkill<Taken>) state.showHint = false;
    return Updater{state}(*static_cast<const Taken*>(taken));
}

template <class... Taken> Effects take(State& state, const Action& action, Alternatives<Taken...>) {
    static constexpr Effects (*kOf[])(State&, const void*) = {take<Taken>...};
    return kOf[action.index()](state, action.get());
}

}  // namespace

std::vector<Effect> update(State& state, const Action& action) {
    const viz::Cursor before = state.cursor;
    std::vector<Effect> effects = take(state, action, Actions{});
    Updater{state}.withhold();
    append(effects, Updater{state}.withholdFromLecture());
    if (isElsewhere(state.cursor, before)) comeBack(state);
    return effects;
}

bool isTask(std::string_view name) { return std::ranges::find(kTasks, name) != kTasks.end(); }

bool isLens(std::string_view view) { return view.empty() || (view != "stage" && viz::findView(view)); }

bool mayBeEnlarged(std::string_view view) { return viz::findView(view) && !isStrip(view); }
bool isEnlarged(const State& state) { return state.enlarged.contains(state.task); }
MainViews mainViewsOf(std::string_view task) {
    return task == "measure" ? MainViews{"memory", "source"} : MainViews{"stage", "source"};
}

const std::string& themeShown(const State& state) {
    return state.presenting.on ? state.presenting.theme : state.theme;
}

f64 motionSeconds(const Playback& playback, bool reduceMotion) {
    constexpr f64 kOfAStepByHand = 1;  // steps a second
    return viz::motionSeconds(playback.playing ? f64(playback.stepsPerSecond) : kOfAStepByHand, reduceMotion);
}

std::string proposedFile(const State& state, const ExportSettings& settings) {
    const std::string& own = state.choice.own ? state.choice.own->file : state.file;
    const std::string what = state.choice.launch ? stemOf(*state.choice.launch)
                             : own.empty()       ? state.choice.family + "-" + state.choice.variant
                                                 : std::filesystem::path(own).stem().string();
    const std::string name = what + "-" + (settings.view.empty() ? "window" : settings.view) +
                             std::string(rowOf(settings.format).extension);
    return (std::filesystem::path(state.exportFolder) / name).string();
}

std::string viewInHand(const State& state) { return state.compared.open ? "compare" : state.turnedTo; }

std::string commandLine(const State& state, std::string_view view) {
    if (!state.run) return {};
    const auto shown = state.views.find(view);
    return viz::commandLine(
        {.run = *state.run,
         .cursor = state.cursor,
         .view = view,
         .profile = state.profile,
         .compared = state.compared.run.get(),
         .options = shown == state.views.end() ? viz::ViewOptions{} : shown->second.options,
         .file = state.file,
         .range = state.range});
}

std::shared_ptr<const operations::ProgramReport> State::programOnShow() const {
    if (!shown) return nullptr;
    const std::string* const of = shown->launch ? &shown->launch->file
                                  : shown->own  ? &shown->own->file
                                                : nullptr;
    return of && *of == program.ran ? program.report : nullptr;
}

const EditedText* State::editedExperiment() const {
    return choice.own && !editor.texts.empty() ? editor.find(wholePath(choice.own->file).string()) : nullptr;
}

bool State::isOfEarlierText() const {
    const EditedText* edited = run ? editedExperiment() : nullptr;
    return edited && !isOfAnother() && !isOfText(*edited);
}

bool State::isOfText(const EditedText& text) const {
    return run && &text == editedExperiment() && !isOfAnother() &&
           isSameText(editor.shown ? editor.shown : text.saved, text.text);
}

State initialState(const catalog::Catalog& catalog, Choice choice) {
    State state;
    state.catalog = &catalog;
    state.choice = std::move(choice);
    return state;
}

Choice firstChoice(const catalog::Catalog& catalog) {
    const catalog::Family* family = catalog.find("matmul");
    if (!family && !catalog.families().empty()) family = &catalog.families().front();
    if (!family) return {};
    const catalog::Variant* variant = family->find("tiled-bounds");
    if (!variant) variant = &family->variants.front();
    return {family->name, variant->name, fittingValues(*family, {{"width", 3}, {"tile", 2}})};
}

}  // namespace lockstep::app
