#include "app/state/update.h"

#include <algorithm>

#include "model/access_expression.h"
#include "model/profile.h"

namespace lockstep::app {
namespace {

using Effects = std::vector<Effect>;

constexpr std::size_t kMostUndo = 200;

const catalog::Family* familyOf(const State& state, const std::string& name) {
    return state.catalog ? state.catalog->find(name) : nullptr;
}

// Values of `before` where the family knows them and they fit, else its defaults.
catalog::Values fittingValues(const catalog::Family& family, const catalog::Values& before) {
    catalog::Values values;
    for (const catalog::Parameter& parameter : family.parameters) {
        const auto known = before.find(parameter.name);
        s64 value = known == before.end() ? parameter.defaultValue : std::clamp(known->second, parameter.min, parameter.max);
        if (!parameter.values.empty() && std::ranges::find(parameter.values, value) == parameter.values.end())
            value = parameter.defaultValue;
        values[parameter.name] = value;
    }
    return values;
}

void cancelJob(State& state) {
    if (state.job.running && state.job.progress) state.job.progress->cancelled = true;
    state.job.running = false;
}

// Starts the chosen experiment; whatever was under way is superseded.
Effects start(State& state, std::vector<Dim3> focus = {}) {
    cancelJob(state);
    state.job = {.ticket = state.job.ticket + 1, .running = true, .progress = std::make_shared<Progress>(), .seconds = 0};
    return {StartRun{state.job.ticket, state.choice, std::move(focus), state.job.progress}};
}

void arriveAt(State& state, const viz::Cursor& to, bool travel, bool backwards) {
    state.cursor = to;
    state.playback.backwards = backwards;
    state.playback.motion = travel && motionSeconds(state.playback, state.reduceMotion) > 0 ? 0 : 1;
}

std::optional<viz::Cursor> nextStep(const State& state, viz::Stride stride, bool back) {
    if (!state.run) return std::nullopt;
    const model::Profile* profile = model::findProfile(state.profile);
    return (back ? viz::back : viz::forward)(*state.run, profile ? *profile : model::defaultProfile(), state.cursor, stride);
}

// A step of the hand or of the playback. False where there is no further one.
bool stepOn(State& state, viz::Stride stride, bool back) {
    const std::optional<viz::Cursor> next = nextStep(state, stride, back);
    if (!next) return false;
    // Only the next instruction's own motion can be shown; longer strides arrive at once.
    const bool neighbour = next->block == state.cursor.block && next->warp == state.cursor.warp &&
                           (next->step == state.cursor.step + 1 || next->step + 1 == state.cursor.step);
    arriveAt(state, *next, neighbour || stride == viz::Stride::Line || stride == viz::Stride::SameLine, back);
    return true;
}

void show(State& state, std::shared_ptr<const run::Run> run) {
    state.run = std::move(run);
    // The same place in the new run if it exists there, else where it is most interesting.
    const viz::Cursor to = state.wanted ? viz::clamped(*state.run, *state.wanted) : viz::initialCursor(*state.run);
    state.wanted.reset();
    arriveAt(state, to, state.playback.playing, false);  // playing already: the first motion begins at once
    state.fault.reset();
}

// How it is now is one step of undo.
void remember(State& state) {
    state.undo.push_back({state.choice, state.playground.shown.pattern});
    if (state.undo.size() > kMostUndo) state.undo.erase(state.undo.begin());
    state.redo.clear();
}

void showPattern(State& state, model::AccessPattern pattern) {
    state.playground.typed = pattern.expression;
    state.playground.shown.pattern = std::move(pattern);
    state.playground.fault.reset();
    state.playground.typing = false;
}

struct Updater {
    State& state;

    Effects choose(Choice choice, bool sameUndoStep = false) {
        if (choice == state.choice) return {};
        if (!sameUndoStep) remember(state);
        state.playground.typing = false;
        state.choice = std::move(choice);
        state.playback.playing = false;
        return start(state);
    }

    Effects operator()(const ChooseVariant& a) {
        const catalog::Family* family = familyOf(state, a.family);
        if (!family || !family->find(a.variant)) return {};
        const bool sameFamily = a.family == state.choice.family;
        Choice choice{a.family, a.variant, fittingValues(*family, state.choice.values)};
        if (sameFamily) state.wanted = state.cursor;  // another variant of the same problem: stay at the same place
        return choose(std::move(choice));
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
        return choose(std::move(choice), sameUndoStep);
    }
    Effects operator()(const SetChoice& a) { return choose(a.choice); }
    Effects operator()(const RunAgain&) {
        if (state.run) state.wanted = state.cursor;
        return start(state);
    }
    Effects operator()(const CancelRun&) {
        cancelJob(state);
        return {};
    }
    Effects travelHistory(std::vector<Change>& from, std::vector<Change>& to) {
        if (from.empty()) return {};
        to.push_back({state.choice, state.playground.shown.pattern});
        Change change = std::move(from.back());
        from.pop_back();
        showPattern(state, std::move(change.pattern));
        if (change.choice == state.choice) return {};
        state.choice = std::move(change.choice);
        state.playback.playing = false;
        return start(state);
    }
    Effects operator()(const Undo&) { return travelHistory(state.undo, state.redo); }
    Effects operator()(const Redo&) { return travelHistory(state.redo, state.undo); }
    Effects operator()(const RunArrived& a) {
        if (a.ticket != state.job.ticket || !state.job.running) return {};
        state.job.running = false;
        show(state, a.run);
        return {};
    }
    Effects operator()(const RunFailed& a) {
        if (a.ticket != state.job.ticket || !state.job.running) return {};
        state.job.running = false;
        if (a.fault.kind != FaultKind::Cancelled) state.fault = a.fault;
        return {};
    }
    Effects operator()(const ShowRun& a) {
        cancelJob(state);
        state.wanted.reset();
        show(state, a.run);
        return {};
    }

    Effects operator()(const MoveCursor& a) {
        if (!state.run) return {};
        state.playback.playing = false;
        // A block whose events were not kept: run again with it in focus, then go there.
        if (!state.run->recording.trace.find(a.to.launch, a.to.block)) {
            state.wanted = a.to;
            return start(state, {a.to.block});
        }
        arriveAt(state, viz::clamped(*state.run, a.to), false, false);
        return {};
    }
    Effects operator()(const Step& a) {
        state.playback.playing = false;
        stepOn(state, a.unit, a.back);
        return {};
    }
    Effects operator()(const ToEnd& a) {
        if (!state.run) return {};
        state.playback.playing = false;
        arriveAt(state, (a.back ? viz::toStart : viz::toEnd)(*state.run, state.cursor), false, a.back);
        return {};
    }
    Effects operator()(const ChangeWarp& a) {
        if (!state.run) return {};
        if (const auto to = viz::otherWarp(*state.run, state.cursor, a.by)) arriveAt(state, *to, false, false);
        return {};
    }
    Effects operator()(const ChangeBlock& a) {
        if (!state.run) return {};
        if (const auto to = viz::otherBlock(*state.run, state.cursor, a.by)) arriveAt(state, *to, false, false);
        return {};
    }
    Effects operator()(const ChangeLane& a) {
        if (!state.run) return {};
        viz::Cursor to = state.cursor;
        to.lane = Lane{u32((int(to.lane.value) + a.by % 32 + 32) % 32)};
        arriveAt(state, viz::clamped(*state.run, to), false, false);
        return {};
    }

    Effects operator()(const TogglePlay&) {
        if (!state.run) return {};
        Playback& playback = state.playback;
        playback.playing = !playback.playing;
        playback.sinceStep = 0;
        // Play at the end begins again.
        if (playback.playing && !nextStep(state, playback.unit, false))
            arriveAt(state, viz::toStart(*state.run, state.cursor), false, false);
        return {};
    }
    Effects operator()(const SetSpeed& a) {
        state.playback.stepsPerSecond = std::clamp(a.stepsPerSecond, 0.25f, 1000.0f);
        return {};
    }
    Effects operator()(const SetStepUnit& a) {
        state.playback.unit = a.unit;
        return {};
    }
    Effects operator()(const Tick& a) {
        Playback& playback = state.playback;
        if (state.job.running) state.job.seconds += a.seconds;
        const f64 duration = motionSeconds(playback, state.reduceMotion);
        playback.motion = duration > 0 ? std::min(1.0, playback.motion + a.seconds / duration) : 1;
        if (!playback.playing || !state.run) return {};
        playback.sinceStep += a.seconds;
        const f64 period = 1 / playback.stepsPerSecond;
        // A slow frame may owe several steps; of a second's worth at most, so that a pause does not become a leap.
        for (f64 owed = std::min(playback.sinceStep, 1.0); owed >= period; owed -= period) {
            playback.sinceStep = owed - period;
            if (stepOn(state, playback.unit, false)) continue;
            playback.playing = false;
            break;
        }
        return {};
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
        const Expected<model::AccessExpression> parsed = model::AccessExpression::parse(a.text);  // an empty one is no pattern by hand
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

    Effects operator()(const SetTheme& a) { return state.theme = a.theme, Effects{}; }
    Effects operator()(const SetLanguage& a) { return state.language = a.language, Effects{}; }
    Effects operator()(const SetReduceMotion& a) { return state.reduceMotion = a.on, Effects{}; }
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
        if (a.devices.empty() || a.devices.size() > viz::kMostDevices || !std::ranges::all_of(a.devices, [](const std::string& name) { return model::findProfile(name); })) return {};
        state.devices = a.devices;
        if (std::ranges::find(state.devices, state.profile) == state.devices.end()) state.profile = state.devices.back();
        return {};
    }
    Effects operator()(const BringUp& a) {
        state.broughtUp = a.view;
        ++state.timesBroughtUp;
        return {};
    }
    Effects operator()(const ShowKeys& a) { return state.showKeys = a.open, Effects{}; }
    Effects operator()(const SetView& a) { return state.views[a.view] = a.state, Effects{}; }
    Effects operator()(const DismissFault&) { return state.fault.reset(), Effects{}; }
    Effects operator()(const Quit&) {
        cancelJob(state);
        state.quit = true;
        return {};
    }
};

}  // namespace

std::vector<Effect> update(State& state, const Action& action) { return std::visit(Updater{state}, action); }

f64 motionSeconds(const Playback& playback, bool reduceMotion) {
    constexpr f64 kLongest = 0.32, kShareOfStep = 0.6, kFastestThatTravels = 8;
    if (reduceMotion) return 0;
    if (!playback.playing) return kLongest;
    if (playback.stepsPerSecond > kFastestThatTravels) return 0;
    return std::min(kLongest, kShareOfStep / playback.stepsPerSecond);
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
