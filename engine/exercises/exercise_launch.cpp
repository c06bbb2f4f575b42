#include "exercises/exercise_launch.h"

#include "catalog/values/expression.h"
#include "catalog/values/launch_argument.h"
#include "run/own/further_launch.h"

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
Expected<std::string> bufferText(const catalog::BufferTemplate& form, const Buffer& buffer,
                                 const catalog::Values& values) {
    std::string text(info(buffer.type).name);
    for (const u64 extent : buffer.shape)
        text += fmt::format("[{}]", extent);
    const Expected<std::string> initial = catalog::initialAt(catalog::initialOf(form, buffer.type), values);
    if (!initial) return initial;
    return text + "=" + (initial->empty() ? "zero" : *initial);
}

}  // namespace

Expected<ExerciseLaunch> launchOf(const Exercise& exercise, const Size& size) {
    return launchOf(*exercise.family, exercise.variant(), size.values);
}

Expected<ExerciseLaunch> launchOf(const catalog::Family& family, const catalog::Variant& variant,
                                  const catalog::Values& values) {
    const Expected<catalog::Experiment> experiment = catalog::makeExperiment(family, variant, values, 1);
    if (!experiment) return Unexpected{experiment.error()};
    const catalog::Values scope = family.scope(experiment->values);
    std::vector<u32> named;  // buffers of the variant, in the order in which the launches name them
    ExerciseLaunch out;
    for (std::size_t i = 0; i < experiment->launches.size(); ++i) {
        const Launch& launch = experiment->launches[i];
        run::FurtherLaunch texts{.entry = launch.entry,
                                 .grid = launch.grid,
                                 .block = launch.block,
                                 .dynamicSharedBytes = launch.dynamicSharedBytes};
        for (const std::string& argument : variant.launches[i].arguments) {
            const Expected<catalog::ArgumentForm> form = catalog::parseForm(argument, variant.buffers);
            if (!form) return Unexpected{form.error()};
            if (!form->buffer) {
                const Expected<s64> value = catalog::evaluate(form->expression, scope);
                if (!value) return Unexpected{value.error()};
                texts.arguments.push_back(fmt::format("{}:{}", info(form->type).name, *value));
                continue;
            }
            const u32 number = *form->buffer;
            const auto known = std::ranges::find(named, number);
            if (i > 0 && known != named.end()) {
                texts.arguments.push_back(run::bufferArgumentText(u32(known - named.begin())));
                continue;
            }
            named.push_back(number);
            Expected<std::string> text =
                bufferText(variant.buffers[number], experiment->buffers[number], scope);
            if (!text) return Unexpected{text.error()};
            texts.arguments.push_back(std::move(*text));
        }
        if (i > 0) {
            out.text.further.push_back(run::textOf(texts));
            continue;
        }
        out.entry = texts.entry;
        out.text.grid = extentsText(texts.grid);
        out.text.block = extentsText(texts.block);
        out.text.dynamicSharedBytes = texts.dynamicSharedBytes;
        out.text.arguments = std::move(texts.arguments);
    }
    return out;
}

const Size& sizeNamed(const Exercise& exercise, std::string_view text) {
    const auto found = std::ranges::find(exercise.sizes, text, &Size::text);
    return found == exercise.sizes.end() ? exercise.sizes.front() : *found;
}

}  // namespace lockstep::exercises
