#include "app/state/lesson_choice.h"

namespace lockstep::app {

Choice choiceOfStep(const lessons::StepOnShow& step) {
    if (!step.own) return {.family = step.family, .variant = step.variant, .values = step.values};
    const run::LaunchText& launch = step.own->launch;
    return {.family = {},
            .variant = {},
            .values = {},
            .own = OwnKernel{.file = step.own->file.string(),
                             .entry = step.own->entry,
                             .grid = launch.grid,
                             .block = launch.block,
                             .shared = std::to_string(launch.dynamicSharedBytes),
                             .arguments = launch.arguments,
                             .defines = launch.defines,
                             .references = launch.references}};
}

bool isOfStep(const State& state, const lessons::StepOnShow& step) {
    return state.choice == choiceOfStep(step);
}

}  // namespace lockstep::app
