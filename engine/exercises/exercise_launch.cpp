#include "exercises/exercise_launch.h"

#include "catalog/values/expression.h"
#include "catalog/values/launch_argument.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::exercises {
namespace {

std::string extentsText(Dim3 extents) {
    if (extents.z > 1) return fmt::format("{},{},{}", extents.x, extents.y, extents.z);
    if (extents.y > 1) return fmt::format("{},{}", extents.x, extents.y);
    return std::to_string(extents.x);
}

// "i32[50][32]=random:-100:100"
std::string bufferText(const catalog::BufferTemplate& form, const Buffer& buffer) {
    std::string text(info(buffer.type).name);
    for (const u64 extent : buffer.shape)
        text += fmt::format("[{}]", extent);
    const std::string& initial = catalog::initialOf(form, buffer.type);
    return text + "=" + (initial.empty() ? "zero" : initial);
}

}  // namespace

Expected<ExerciseLaunch> launchOf(const Exercise& exercise, const Size& size) {
    return launchOf(*exercise.family, exercise.variant(), size.values);
}

Expected<ExerciseLaunch> launchOf(const catalog::Family& family, const catalog::Variant& variant,
                                  const catalog::Values& values) {
    const Expected<catalog::Experiment> experiment = catalog::makeExperiment(family, variant, values, 1);
    if (!experiment) return Unexpected{experiment.error()};
    const Launch& launch = experiment->launches.front();
    ExerciseLaunch out{launch.entry,
                       {.grid = extentsText(launch.grid),
                        .block = extentsText(launch.block),
                        .dynamicSharedBytes = launch.dynamicSharedBytes,
                        .defines = {},
                        .arguments = {},
                        .includeFolders = {}}};
    const catalog::Values scope = family.scope(experiment->values);
    for (const std::string& argument : variant.launches.front().arguments) {
        const Expected<catalog::ArgumentForm> form = catalog::parseForm(argument, variant.buffers);
        if (!form) return Unexpected{form.error()};
        if (form->buffer) {
            const u32 number = *form->buffer;
            out.text.arguments.push_back(bufferText(variant.buffers[number], experiment->buffers[number]));
            continue;
        }
        const Expected<s64> value = catalog::evaluate(form->expression, scope);
        if (!value) return Unexpected{value.error()};
        out.text.arguments.push_back(fmt::format("{}:{}", info(form->type).name, *value));
    }
    return out;
}

const Size& sizeNamed(const Exercise& exercise, std::string_view text) {
    const auto found = std::ranges::find(exercise.sizes, text, &Size::text);
    return found == exercise.sizes.end() ? exercise.sizes.front() : *found;
}

}  // namespace lockstep::exercises
