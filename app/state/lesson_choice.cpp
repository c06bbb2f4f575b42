#include "app/state/lesson_choice.h"

namespace lockstep::app {

Choice choiceOf(const lessons::OwnExperiment& own) {
    const run::LaunchText& launch = own.launch;
    return {.family = {},
            .variant = {},
            .values = {},
            .own = OwnKernel{.file = own.file.string(),
                             .entry = own.entry,
                             .grid = launch.grid,
                             .block = launch.block,
                             .shared = std::to_string(launch.dynamicSharedBytes),
                             .arguments = launch.arguments,
                             .defines = launch.defines,
                             .references = launch.references,
                             .further = launch.further}};
}

Choice choiceOfStep(const lessons::StepOnShow& step, bool isSettled) {
    const lessons::Picture& picture = step.picture(isSettled);
    if (picture.own) return choiceOf(*picture.own);
    return {.family = picture.family, .variant = picture.variant, .values = picture.values};
}

bool isOfStep(const State& state, const lessons::StepOnShow& step, bool isSettled) {
    return state.choice == choiceOfStep(step, isSettled);
}

}  // namespace lockstep::app
