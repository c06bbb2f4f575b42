// The launch of an exercise in the words of `lockstep run`, so that a student's file can be looked at with
// the data and the launch that it is judged with.
#pragma once

#include "exercises/exercise.h"
#include "run/own/own_kernel.h"

#include <string>

namespace lockstep::exercises {

struct ExerciseLaunch {
    std::string entry;
    run::LaunchText text;
};
// The launches of a variant of the catalog, at these sizes.
Expected<ExerciseLaunch> launchOf(const catalog::Family& family, const catalog::Variant& variant,
                                  const catalog::Values& values);
// The same of an exercise, at one of its sizes. Fault: a mistake in the exercise.
Expected<ExerciseLaunch> launchOf(const Exercise& exercise, const Size& size);
// "rows=50"; the first where there is none such.
const Size& sizeNamed(const Exercise& exercise, std::string_view text);

}  // namespace lockstep::exercises
