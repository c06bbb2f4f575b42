// Makes buffers and launches from a choice of parameters, and compares results.
#include "base/check.h"
#include "base/nearest.h"
#include "catalog/catalog.h"
#include "catalog/entry_text.h"
#include "catalog/references/element_result.h"
#include "catalog/references/references.h"
#include "catalog/values/contents.h"
#include "catalog/values/expression.h"
#include "catalog/values/expression_tree.h"
#include "catalog/values/launch_argument.h"
#include "catalog/values/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace lockstep::catalog {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": the same since cc 3.0.
constexpr Dim3 kMaxGrid{2147483647, 65535, 65535};
constexpr Dim3 kMaxBlock{1024, 1024, 64};
constexpr u64 kMaxThreadsPerBlock = 1024;

std::string listOf(std::span<const s64> values) {
    const bool isRange = u64(values.back()) - u64(values.front()) == values.size() - 1;
    if (isRange && values.size() > 2) return fmt::format("{} to {}", values.front(), values.back());
    return fmt::format("{}", fmt::join(values, ", "));
}

Expected<s64> parseChoice(const Parameter& parameter, std::string_view text) {
    const auto found = std::ranges::find(parameter.choices, text);
    if (found != parameter.choices.end()) return found - parameter.choices.begin();
    return fail(
        FaultKind::Usage,
        Message(english("{0}={1} is not possible; {0} can be {2}{3}"), parameter.name, text,
                fmt::format("{}", fmt::join(parameter.choices, ", ")), didYouMean(text, parameter.choices)));
}

Expected<s64> parseSetting(const Parameter& parameter, std::string_view text) {
    if (parameter.isChoice()) return parseChoice(parameter, text);
    const std::string range = parameter.values.empty() ? fmt::format("{} to {}", parameter.min, parameter.max)
                                                       : listOf(parameter.values);
    const std::optional<s64> value = parseWhole(text);
    const bool allowed =
        value && *value >= parameter.min && *value <= parameter.max &&
        (parameter.values.empty() || std::ranges::find(parameter.values, *value) != parameter.values.end());
    if (allowed) return *value;
    return fail(FaultKind::Usage,
                Message(english("{0}={1} is not possible; {0} can be {2}"), parameter.name, text, range));
}

Expected<Dim3> evaluateExtents(std::span<const std::string> expressions, const Values& values, Dim3 most,
                               const Words& what) {
    std::array<u32, 3> extents{1, 1, 1};
    const std::array<u32, 3> limits{most.x, most.y, most.z};
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const Expected<s64> value = evaluate(expressions[i], values);
        if (!value) return Unexpected{value.error()};
        if (*value < 1 || *value > limits[i])
            return fail(FaultKind::Usage,
                        Message(english("these parameters give a {0} of {1} in {2}; it can be 1 to {3}"),
                                what, *value, "xyz"[i], limits[i]));
        extents[i] = u32(*value);
    }
    return Dim3{extents[0], extents[1], extents[2]};
}

Expected<Argument> evaluateArgument(const std::string& text, const Variant& variant, const Values& values) {
    const Expected<ArgumentForm> form = parseForm(text, variant.buffers);
    if (!form) return Unexpected{form.error()};
    if (form->buffer) return BufferArgument{*form->buffer};
    const Expected<s64> value = evaluate(form->expression, values);
    if (!value) return Unexpected{value.error()};
    const Expected<Bits64> element = elementOf(*value, form->type);
    if (!element) return Unexpected{element.error()};
    ScalarArgument scalar{std::vector<std::byte>(info(form->type).bytes)};
    std::memcpy(scalar.bytes.data(), &*element, scalar.bytes.size());
    return scalar;
}

Expected<Launch> evaluateLaunch(const LaunchTemplate& form, const Experiment& experiment,
                                const Values& values) {
    Launch launch{.entry = instanceOf(form.entry, *experiment.family, experiment.values),
                  .grid = {},
                  .block = {},
                  .dynamicSharedBytes = 0,
                  .arguments = {}};
    const Expected<Dim3> grid = evaluateExtents(form.grid, values, kMaxGrid, english("grid"));
    if (!grid) return Unexpected{grid.error()};
    const Expected<Dim3> block = evaluateExtents(form.block, values, kMaxBlock, english("block"));
    if (!block) return Unexpected{block.error()};
    if (block->count() > kMaxThreadsPerBlock)
        return fail(
            FaultKind::Usage,
            Message(english("these parameters give blocks of {0} {0:thread|threads}; {1} is the most"),
                    block->count(), kMaxThreadsPerBlock));
    const Expected<s64> shared = evaluate(form.sharedBytes, values);
    if (!shared) return Unexpected{shared.error()};
    if (*shared < 0 || *shared > s64{0xffffffff})
        return fail(FaultKind::Usage,
                    Message(english("these parameters give {0} {0:byte|bytes} of shared memory"), *shared));
    launch.grid = *grid;
    launch.block = *block;
    launch.dynamicSharedBytes = u32(*shared);
    for (const std::string& text : form.arguments) {
        Expected<Argument> argument = evaluateArgument(text, *experiment.variant, values);
        if (!argument) return Unexpected{argument.error()};
        launch.arguments.push_back(std::move(*argument));
    }
    return launch;
}

Expected<Buffer> makeBuffer(const BufferTemplate& form, const Experiment& experiment, const Values& values,
                            RandomStream random) {
    Buffer buffer{.name = form.name,
                  .type = typeOf(form, *experiment.family, experiment.values),
                  .shape = {},
                  .bytes = {}};
    u64 bytes = info(buffer.type).bytes;
    for (const std::string& expression : form.shape) {
        const Expected<s64> extent = evaluate(expression, values);
        if (!extent) return Unexpected{extent.error()};
        if (*extent < 1)
            return fail(FaultKind::Usage,
                        Message(english("these parameters give the buffer {0} an extent of {1}"), form.name,
                                *extent));
        if (u64(*extent) > kMaxBufferBytes / bytes)
            return fail(FaultKind::Usage,
                        Message(english("these parameters give the buffer {0} more than {1} GiB"), form.name,
                                kMaxBufferBytes >> 30));
        buffer.shape.push_back(u64(*extent));
        bytes *= u64(*extent);
    }
    try {
        buffer.bytes.resize(bytes);
    } catch (const std::bad_alloc&) {
        return fail(FaultKind::System,
                    Message(english("there is not enough memory for the {0} {0:byte|bytes} of {1}"), bytes,
                            form.name));
    }
    std::vector<u64> shape = buffer.shape;  // the family's shape, whatever the file has
    const Expected<std::string> initial = initialAt(initialOf(form, buffer.type), values);
    if (!initial) return Unexpected{initial.error()};
    if (*initial == "zero") return buffer;  // as its bytes are
    if (const Expected<void> filled = fill(buffer, *initial, random, experiment.family->folder); !filled)
        return Unexpected{filled.error()};
    buffer.shape = std::move(shape);
    return buffer;
}

Expected<s64> computedValue(const Parameter& parameter, const Values& scope) {
    Expected<s64> value = evaluate(parameter.computed, scope);
    if (value && std::ranges::find(parameter.values, *value) == parameter.values.end())
        return fail(FaultKind::Usage,
                    Message(english("these parameters give {0} = {1}, that is, {2}; it can be {3}"),
                            parameter.name, parameter.computed, *value, listOf(parameter.values)));
    return value;
}

// Texts in the program's own files are translated like its other texts.
Message messageOf(const Text& text) {
    const std::optional<Words> words = Words::of(keyOfText(kContextOfKernels, text.en));
    return words && text.zh.empty() ? Message(*words) : Message(text);
}

Expected<Values> resolveAmong(const Family& family, std::span<const std::string> names,
                              const std::string& whose,
                              std::span<const std::pair<std::string, std::string>> settings) {
    Values values;
    for (const Parameter& parameter : family.parameters)
        values[parameter.name] = parameter.defaultValue;
    for (const auto& [name, text] : settings) {
        if (std::ranges::find(names, name) == names.end())
            return fail(FaultKind::Usage,
                        Message(english("{0} has no parameter '{1}' (it has {2}){3}"), whose, name,
                                fmt::format("{}", fmt::join(names, ", ")), didYouMean(name, names)));
        const Expected<s64> value = parseSetting(*family.findParameter(name), text);
        if (!value) return Unexpected{value.error()};
        values[name] = *value;
    }
    return values;
}

}  // namespace

ElementType typeOf(const BufferTemplate& buffer, const Family& family, const Values& values) {
    const Parameter* parameter = family.findParameter(buffer.typeParameter);
    if (!parameter) return buffer.type;
    const ElementTypeInfo* type = findElementType(parameter->shown(values.at(parameter->name)));
    CHECK(type, "the family was read only after every label was seen to be a type");
    return type->type;
}

Expected<std::string> initialAt(std::string_view initial, const Values& values) {
    std::string words;
    for (std::size_t open; (open = initial.find('{')) != std::string_view::npos;) {
        const std::size_t close = initial.find('}', open);
        if (close == std::string_view::npos) break;
        const Expected<s64> value = evaluate(initial.substr(open + 1, close - open - 1), values);
        if (!value) return Unexpected{value.error()};
        words += std::string(initial.substr(0, open)) + std::to_string(*value);
        initial.remove_prefix(close + 1);
    }
    return words + std::string(initial);
}

const std::string& initialOf(const BufferTemplate& buffer, ElementType type) {
    return isReal(type) && !buffer.initialOfReals.empty() ? buffer.initialOfReals : buffer.initial;
}

Expected<Values> resolve(const Family& family,
                         std::span<const std::pair<std::string, std::string>> settings) {
    std::vector<std::string> names;
    for (const Parameter& parameter : family.parameters)
        if (parameter.computed.empty()) names.push_back(parameter.name);
    return resolveAmong(family, names, family.name, settings);
}

Expected<Values> resolve(const Family& family, const Variant& variant,
                         std::span<const std::pair<std::string, std::string>> settings) {
    return resolveAmong(family, variant.parameters, family.name + "/" + variant.name, settings);
}

Expected<Experiment> makeExperiment(const Family& family, const Variant& variant, const Values& values,
                                    u64 seed) {
    Experiment experiment{.family = &family,
                          .variant = &variant,
                          .values = values,
                          .buffers = {},
                          .launches = {},
                          .expected = {}};
    Values scope = family.scope(values);
    for (const Requirement& requirement : variant.requirements) {
        const Expected<s64> holds = evaluate(requirement.that, scope);
        if (!holds) return Unexpected{holds.error()};
        if (!*holds) return fail(FaultKind::Usage, messageOf(requirement.message));
    }
    for (const std::string& name : variant.computed) {
        const Expected<s64> value = computedValue(*family.findParameter(name), scope);
        if (!value) return Unexpected{value.error()};
        experiment.values[name] = scope[name] = *value;
    }
    for (const LaunchTemplate& form : variant.launches) {
        Expected<Launch> launch = evaluateLaunch(form, experiment, scope);
        if (!launch) return Unexpected{launch.error()};
        experiment.launches.push_back(std::move(*launch));
    }
    for (const ExpectedOutcome& outcome : variant.expected) {
        const Expected<s64> holds = outcome.when.empty() ? 1 : evaluate(outcome.when, scope);
        if (!holds) return Unexpected{holds.error()};
        if (*holds) experiment.expected.push_back(outcome);
    }
    for (const BufferTemplate& form : variant.buffers) {
        Expected<Buffer> buffer =
            makeBuffer(form, experiment, scope, {.seed = seed, .stream = experiment.buffers.size()});
        if (!buffer) return Unexpected{buffer.error()};
        experiment.buffers.push_back(std::move(*buffer));
    }
    if (const Reference* reference = findReference(variant.reference))
        if (const Message wrong = reference->check(experiment); !wrong.empty())
            return fail(FaultKind::Usage, wrong);
    return experiment;
}

Expected<std::map<u32, Buffer>> computeReference(const Experiment& experiment,
                                                 const std::atomic<bool>* cancelled) {
    const Variant& variant = *experiment.variant;
    if (const Reference* reference = findReference(variant.reference))
        return reference->compute(experiment, cancelled);
    std::map<u32, Buffer> results;
    for (const ResultTemplate& result : variant.results) {
        Expected<Buffer> buffer = computeResult(result, experiment, cancelled);
        if (!buffer) return Unexpected{buffer.error()};
        if (cancelled && *cancelled) return std::map<u32, Buffer>{};
        results.emplace(indexOf(experiment.buffers, result.buffer), std::move(*buffer));
    }
    return results;
}

}  // namespace lockstep::catalog
