// Resolves a --reference for a kernel: which buffers it names, how long they are, and what does not match.
#include "base/files/npy.h"
#include "base/nearest.h"
#include "catalog/references/reference_text.h"
#include "catalog/values/number_text.h"
#include "run/gpu/result_comparison.h"
#include "run/own/further_launch.h"
#include "run/own/own_kernel.h"
#include "run/own/own_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::run {
namespace {

constexpr s64 kMostExtent = s64{1} << 40;
constexpr std::string_view kTolerance = "tolerance";

// The kernel's arguments that a reference can name.
class Arguments {
public:
    explicit Arguments(const Experiment& experiment)
        : experiment_(experiment), launch_(withAllBuffers(experiment.launches)) {}

    // The experiment's buffer behind an argument.
    Expected<u32> buffer(u32 argument) const {
        const std::size_t count = launch_.arguments.size();
        if (argument >= count)
            return fail(
                FaultKind::Usage,
                count == 0
                    ? Message(english("the kernel has no arguments"))
                    : Message(
                          english("there is no argument {0}; the kernel's arguments are numbered 0 to {1}"),
                          argument, count - 1));
        if (const auto* found = std::get_if<BufferArgument>(&launch_.arguments[argument]))
            return found->buffer;
        std::vector<std::string> numbers;
        for (std::size_t i = 0; i < count; ++i)
            if (std::holds_alternative<BufferArgument>(launch_.arguments[i]))
                numbers.push_back(std::to_string(i));
        const std::vector<std::string_view> views(numbers.begin(), numbers.end());
        return fail(FaultKind::Usage, Message(english("argument {0} is a value, not a buffer{1}"), argument,
                                              numbers.empty() ? Message()
                                                              : Message(english("; buffers are: {0}"),
                                                                        catalog::listed(views))));
    }
    // The one whose parameter has this name.
    std::optional<u32> named(std::string_view name) const {
        for (u32 i = 0; i < launch_.arguments.size(); ++i)
            if (const auto* found = std::get_if<BufferArgument>(&launch_.arguments[i]);
                found && contents(found->buffer).name == name)
                return i;
        return std::nullopt;
    }
    const Buffer& contents(u32 buffer) const { return experiment_.buffers[buffer]; }
    const Launch& launch() const { return experiment_.launches.front(); }
    const Experiment& experiment() const { return experiment_; }

private:
    const Experiment& experiment_;
    Launch launch_;
};

// Removes the tolerance from the values and returns it.
Expected<f64> takeTolerance(catalog::ReferenceText& text) {
    const auto found = std::ranges::find(text.values, kTolerance,
                                         [](const auto& value) { return std::string_view(value.first); });
    if (found == text.values.end()) return kResultTolerance;
    const std::optional<f64> tolerance = catalog::parseReal(found->second);
    if (!tolerance || !std::isfinite(*tolerance) || *tolerance < 0)
        return fail(
            FaultKind::Usage,
            Message(
                english("tolerance={0}: write the largest relative difference, for example tolerance=1e-4"),
                found->second));
    text.values.erase(found);
    return *tolerance;
}

Expected<s64> wholeFrom(s64 least, std::string_view name, const std::string& text) {
    const std::optional<s64> number = catalog::parseWhole(text);
    if (number && *number >= least && *number <= kMostExtent) return *number;
    return fail(FaultKind::Usage,
                Message(english("{0}={1}: write a whole number from {2}"), name, text, least));
}

class TableBinder {
public:
    TableBinder(const catalog::ReferenceText& text, const Arguments& arguments)
        : text_(text), arguments_(arguments) {}

    Expected<OwnReference::Table> bind(std::string& canonical) {
        if (const Expected<void> known = findReference(); !known) return Unexpected{known.error()};
        supplied_.resize(table_.reference->buffers.size());
        table_.buffers.resize(supplied_.size());
        isSupplied_.assign(supplied_.size(), false);
        for (const auto& [name, value] : text_.values)
            if (const Expected<void> taken = take(name, value); !taken) return Unexpected{taken.error()};
        if (const Expected<void> complete = completeBuffers(); !complete) return Unexpected{complete.error()};
        for (const catalog::ReferenceParameter& parameter : table_.reference->parameters)
            if (!parameter.isOptional && !table_.values.contains(parameter.name))
                return fail(FaultKind::Usage,
                            Message(english("{0} is missing: {0}={1}, for example{2}"), parameter.name,
                                    parameter.choices.empty() ? std::string("1")
                                                              : std::string(parameter.choices.front()),
                                    parameter.choices.empty()
                                        ? Message()
                                        : Message(english(" ({0})"), catalog::listed(parameter.choices))));
        const Expected<catalog::Extents> extents =
            catalog::solveExtents(*table_.reference, supplied_, given_);
        if (!extents) return Unexpected{extents.error()};
        for (const catalog::ReferenceBuffer& buffer : table_.reference->buffers) {
            std::vector<u64>& shape = table_.shapes.emplace_back();
            for (const std::string_view name : buffer.extents)
                shape.push_back(extents->find(name)->second);
        }
        if (const Message wrong = checked(); !wrong.empty()) return fail(FaultKind::Usage, wrong);
        canonical = canonicalText(*extents);
        return std::move(table_);
    }

private:
    Expected<void> findReference() {
        table_.reference = catalog::findReference(text_.name);
        if (table_.reference) return {};
        std::vector<std::string> names;
        for (const catalog::Reference& reference : catalog::references())
            names.emplace_back(reference.name);
        const std::vector<std::string_view> views(names.begin(), names.end());
        return fail(FaultKind::NotFound,
                    Message(english("there is no reference '{0}'{1} (the references are {2}; another kernel "
                                    "is kernel:NAME, a file INDEX=FILE.npy)"),
                            text_.name, didYouMean(text_.name, names), catalog::listed(views)));
    }

    Expected<void> take(const std::string& name, const std::string& value) {
        const catalog::Reference& reference = *table_.reference;
        if (const auto buffer = std::ranges::find(reference.buffers, name, &catalog::ReferenceBuffer::name);
            buffer != reference.buffers.end())
            return takeBuffer(std::size_t(buffer - reference.buffers.begin()), value);
        const std::vector<std::string_view> extents = catalog::extentsOf(reference);
        if ((!reference.square.empty() && name == reference.square) ||
            std::ranges::find(extents, name) != extents.end()) {
            const Expected<s64> extent = wholeFrom(1, name, value);
            if (!extent) return Unexpected{extent.error()};
            given_.emplace(name, u64(*extent));
            return {};
        }
        if (const auto parameter =
                std::ranges::find(reference.parameters, name, &catalog::ReferenceParameter::name);
            parameter != reference.parameters.end())
            return takeParameter(*parameter, value);
        std::vector<std::string> known{std::string(kTolerance)};
        for (const catalog::ReferenceBuffer& buffer : reference.buffers)
            known.emplace_back(buffer.name);
        for (const catalog::ReferenceParameter& parameter : reference.parameters)
            known.emplace_back(parameter.name);
        known.insert(known.end(), extents.begin(), extents.end());
        if (!reference.square.empty()) known.emplace_back(reference.square);
        return fail(FaultKind::Usage,
                    Message(english("there is no '{0}'{1} ({2} takes {3})"), name, didYouMean(name, known),
                            reference.name, catalog::namesTaken(reference)));
    }

    Expected<void> takeBuffer(std::size_t index, const std::string& value) {
        const catalog::ReferenceBuffer& wanted = table_.reference->buffers[index];
        const std::optional<s64> argument = catalog::parseWhole(value);
        if (!argument || *argument < 0 || *argument > 0xffff)
            return fail(FaultKind::Usage,
                        Message(english("{0}={1}: write the index of an argument, from 0, for example {0}=0"),
                                wanted.name, value));
        return supply(index, u32(*argument));
    }

    Expected<void> supply(std::size_t index, u32 argument) {
        const catalog::ReferenceBuffer& wanted = table_.reference->buffers[index];
        const Expected<u32> buffer = arguments_.buffer(argument);
        if (!buffer)
            return fail(FaultKind::Usage,
                        Message(english("{0}={1}: {2}"), wanted.name, argument, buffer.error().message));
        const Buffer& contents = arguments_.contents(*buffer);
        if (wanted.type && contents.type != *wanted.type)
            return fail(FaultKind::Usage,
                        Message(english("{0}={1}: argument {1} holds {2}, and {0} of {3} holds {4}; choose "
                                        "another argument, or compare with a file (INDEX=FILE.npy)"),
                                wanted.name, argument, info(contents.type).name, table_.reference->name,
                                info(*wanted.type).name));
        supplied_[index] = {argument, contents.count()};
        table_.buffers[index] = *buffer;
        isSupplied_[index] = true;
        return {};
    }

    Expected<void> takeParameter(const catalog::ReferenceParameter& parameter, const std::string& value) {
        if (parameter.choices.empty()) {
            const Expected<s64> number = wholeFrom(1, parameter.name, value);
            if (!number) return Unexpected{number.error()};
            table_.values.emplace(parameter.name, *number);
            return {};
        }
        const auto choice = std::ranges::find(parameter.choices, value);
        if (choice == parameter.choices.end())
            return fail(FaultKind::Usage, Message(english("{0}={1}: choose {2}"), parameter.name, value,
                                                  catalog::listed(parameter.choices)));
        table_.values.emplace(parameter.name, choice - parameter.choices.begin());
        catalog::Parameter labels;
        labels.name = parameter.name;
        labels.choices.assign(parameter.choices.begin(), parameter.choices.end());
        table_.family.parameters.push_back(std::move(labels));
        return {};
    }

    // A buffer without an index refers to the argument of that name.
    Expected<void> completeBuffers() {
        for (std::size_t i = 0; i < supplied_.size(); ++i) {
            if (isSupplied_[i]) continue;
            const std::string_view name = table_.reference->buffers[i].name;
            const std::optional<u32> argument = arguments_.named(name);
            if (!argument)
                return fail(FaultKind::Usage,
                            Message(english("say which argument is {0}: {0}=0, for example ({1} takes {2})"),
                                    name, table_.reference->name, catalog::namesTaken(*table_.reference)));
            if (Expected<void> taken = supply(i, *argument); !taken) return taken;
        }
        return {};
    }

    Message checked() const {
        return table_.reference->check(experimentOf(table_, arguments_.experiment().buffers));
    }

    std::string canonicalText(const catalog::Extents& extents) const {
        const catalog::Reference& reference = *table_.reference;
        std::string text;
        const auto add = [&](std::string_view name, const std::string& value) {
            text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
        };
        for (std::size_t i = 0; i < supplied_.size(); ++i)
            add(reference.buffers[i].name, std::to_string(supplied_[i].argument));
        const auto isSame = [&](const auto& extent) { return extent.second == extents.begin()->second; };
        if (!reference.square.empty() && std::ranges::all_of(extents, isSame))
            add(reference.square, std::to_string(extents.begin()->second));
        else
            for (const std::string_view name : catalog::extentsOf(reference))
                add(name, std::to_string(extents.find(name)->second));
        for (const catalog::ReferenceParameter& parameter : reference.parameters)
            if (const auto value = table_.values.find(parameter.name); value != table_.values.end())
                add(parameter.name, parameter.choices.empty()
                                        ? std::to_string(value->second)
                                        : std::string(parameter.choices[std::size_t(value->second)]));
        return fmt::format("{}:{}", reference.name, text);
    }

    const catalog::ReferenceText& text_;
    const Arguments& arguments_;
    OwnReference::Table table_;
    std::vector<catalog::SuppliedBuffer> supplied_;
    std::vector<bool> isSupplied_;
    catalog::Extents given_;
};

std::string withoutBlanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// Of the kernel with this name in the module; none: it has none, or several.
const ptx::Function* kernelIn(const ptx::Module& module, const std::string& name) {
    const ptx::Function* found = nullptr;
    for (const ptx::Function& function : module.functions) {
        if (!function.isEntry) continue;
        const std::string plain = withoutBlanks(name);
        if (plain != function.name && plain != withoutBlanks(ptx::shortName(function.name)) &&
            plain != withoutBlanks(ptx::demangle(function.name)))
            continue;
        if (found) return nullptr;
        found = &function;
    }
    return found;
}

Expected<void> takesTheArguments(const ptx::Module& module, const ptx::Function& kernel,
                                 const Launch& launch) {
    const std::string name = ptx::shortName(kernel.name), own = ptx::shortName(launch.entry);
    if (kernel.parameters.size() != launch.arguments.size())
        return fail(FaultKind::Usage,
                    Message(english("{0} has {1} {1:parameter|parameters}, and {2} is launched with {3}; a "
                                    "reference kernel takes the same arguments"),
                            name, kernel.parameters.size(), own, launch.arguments.size()));
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
        const auto* scalar = std::get_if<ScalarArgument>(&launch.arguments[i]);
        const u64 given = scalar ? scalar->bytes.size() : sizeof(u64),
                  wanted = module.variables[kernel.parameters[i].value].sizeBytes;
        if (given != wanted)
            return fail(
                FaultKind::Usage,
                Message(english("parameter {0} of {1} has {2} {2:byte|bytes}, and argument {0} has {3}; a "
                                "reference kernel takes the same arguments"),
                        i, name, wanted, given));
    }
    return {};
}

Expected<OwnReference::Kernel> bindKernel(const catalog::ReferenceText& text, const Arguments& arguments,
                                          const KernelOpener& open) {
    const Experiment& experiment = arguments.experiment();
    if (experiment.launches.size() > 1)
        return fail(FaultKind::Usage,
                    english("a reference kernel takes the place of one launch, and these are "
                            "several; name a CPU reference or a file"));
    OwnReference::Kernel kernel{.module = experiment.module, .launch = arguments.launch()};
    for (const auto& [name, value] : text.values) {
        if (name == "shared") {
            const Expected<s64> bytes = wholeFrom(0, name, value);
            if (!bytes) return Unexpected{bytes.error()};
            kernel.launch.dynamicSharedBytes = u32(std::min<s64>(*bytes, 0xffffffff));
            continue;
        }
        if (name != "grid" && name != "block")
            return fail(
                FaultKind::Usage,
                Message(english("there is no '{0}'{1} (a kernel takes grid, block, shared and tolerance)"),
                        name,
                        didYouMean(name, std::vector<std::string>{"grid", "block", "shared", "tolerance"})));
        const Expected<Dim3> extents = dimensions(value, name, 1);
        if (!extents) return Unexpected{extents.error()};
        (name == "grid" ? kernel.launch.grid : kernel.launch.block) = *extents;
    }
    const ptx::Function* found = text.file.empty() ? kernelIn(*experiment.module, text.name) : nullptr;
    if (!found && !open) {
        std::vector<std::string> names;
        for (const ptx::Function& function : experiment.module->functions)
            if (function.isEntry) names.push_back(ptx::shortName(function.name));
        if (!text.file.empty())
            return fail(FaultKind::Usage,
                        english("a recording is compared with its own kernels only: kernel:NAME"));
        const std::vector<std::string_view> views(names.begin(), names.end());
        return fail(FaultKind::NotFound, Message(english("the recording has no kernel '{0}'; it has {1}"),
                                                 text.name, catalog::listed(views)));
    }
    if (!found) {
        const Expected<Experiment> opened = open(text.file, text.name);
        if (!opened) {
            Fault fault = opened.error();
            if (fault.place.line == 0 && !fault.place.file.empty())
                fault.message =
                    Message(english("{0} {1}"), std::exchange(fault.place.file, {}), fault.message);
            return Unexpected{std::move(fault)};
        }
        kernel.module = opened->module;
        found = kernel.module->findEntry(opened->launches.front().entry);
    }
    if (!found) return fail(FaultKind::NotFound, Message(english("there is no kernel '{0}'"), text.name));
    if (const Expected<void> fits = takesTheArguments(*kernel.module, *found, kernel.launch); !fits)
        return Unexpected{fits.error()};
    const Launch& own = arguments.launch();
    const bool isSame = kernel.module == experiment.module && found->name == own.entry &&
                        kernel.launch.grid == own.grid && kernel.launch.block == own.block &&
                        kernel.launch.dynamicSharedBytes == own.dynamicSharedBytes;
    if (isSame)
        return fail(FaultKind::Usage, english("this is the kernel itself, with the same launch; name another "
                                              "kernel, or another grid or block"));
    kernel.launch.entry = found->name;
    return kernel;
}

std::string canonicalKernel(const catalog::ReferenceText& text) {
    std::string canonical = "kernel:" + (text.file.empty() ? "" : text.file + ":") + text.name;
    for (const auto& [name, value] : text.values)
        canonical += fmt::format(",{}={}", name, value);
    return canonical;
}

Expected<void> bindOne(catalog::ReferenceText text, const Arguments& arguments, const KernelOpener& open,
                       OwnReference& bound) {
    const auto add = [&](const std::string& canonical) {
        bound.text += (bound.text.empty() ? "" : "; ") + canonical;
    };
    if (text.kind == catalog::ReferenceText::Kind::File) {
        const Expected<u32> buffer = arguments.buffer(text.argument);
        if (!buffer) return Unexpected{buffer.error()};
        if (std::ranges::find(bound.contents, *buffer, &OwnReference::Contents::buffer) !=
            bound.contents.end())
            return fail(
                FaultKind::Usage,
                Message(
                    english(
                        "argument {0} has its expected contents already; name one file for each argument"),
                    text.argument));
        const Buffer& contents = arguments.contents(*buffer);
        Expected<Buffer> want = readNpy(text.file, contents.type, contents.count());
        if (!want)
            return fail(want.error().kind,
                        want.error().place.file.empty()
                            ? want.error().message
                            : Message(english("{0}: {1}"), want.error().place.file, want.error().message));
        bound.contents.push_back({*buffer, std::move(*want)});
        add(fmt::format("{}={}", text.argument, text.file));
        return {};
    }
    if (bound.table || bound.kernel)
        return fail(FaultKind::Usage, english("there is another reference already; give one reference or "
                                              "kernel (INDEX=FILE.npy may be repeated)"));
    const std::string canonicalName =
        text.kind == catalog::ReferenceText::Kind::Kernel ? canonicalKernel(text) : std::string();
    const bool hasTolerance =
        std::ranges::any_of(text.values, [](const auto& value) { return value.first == kTolerance; });
    const Expected<f64> tolerance = takeTolerance(text);
    if (!tolerance) return Unexpected{tolerance.error()};
    bound.tolerance = *tolerance;
    if (text.kind == catalog::ReferenceText::Kind::Kernel) {
        Expected<OwnReference::Kernel> kernel = bindKernel(text, arguments, open);
        if (!kernel) return Unexpected{kernel.error()};
        bound.kernel = std::move(*kernel);
        add(canonicalName);
        return {};
    }
    std::string canonical;
    Expected<OwnReference::Table> table = TableBinder(text, arguments).bind(canonical);
    if (!table) return Unexpected{table.error()};
    bound.table = std::move(*table);
    add(canonical + (hasTolerance ? fmt::format(",tolerance={:g}", *tolerance) : ""));
    return {};
}

}  // namespace

Expected<std::shared_ptr<const OwnReference>> bindReferences(std::span<const std::string> references,
                                                             const Experiment& experiment,
                                                             const KernelOpener& open) {
    if (references.empty()) return std::shared_ptr<const OwnReference>();
    auto bound = std::make_shared<OwnReference>();
    bound->tolerance = kResultTolerance;
    const Arguments arguments(experiment);
    for (const std::string& reference : references) {
        Expected<catalog::ReferenceText> text = catalog::parseReference(reference);
        if (!text) return Unexpected{text.error()};
        const std::string written = text->written;
        if (text->kind != catalog::ReferenceText::Kind::File) bound->written = written;
        if (const Expected<void> taken = bindOne(std::move(*text), arguments, open, *bound); !taken) {
            Fault fault = taken.error();
            fault.message = Message(english("--reference {0}: {1}"), written, fault.message);
            // The request does not match: the window asks again.
            if (fault.kind == FaultKind::NotFound || fault.kind == FaultKind::Damaged)
                fault.kind = FaultKind::Usage;
            return Unexpected{std::move(fault)};
        }
    }
    return std::shared_ptr<const OwnReference>(std::move(bound));
}

Message referencesHelp() {
    Message text;
    for (const catalog::Reference& reference : catalog::references()) {
        const Message takes(english("{0} takes {1}"), reference.name, catalog::namesTaken(reference));
        text += text.empty() ? takes : Message(english("a list of sentences", "; {0}"), takes);
    }
    return text;
}

}  // namespace lockstep::run
