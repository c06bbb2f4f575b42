#include "app/state/own_launch.h"

#include "base/text/typed_number.h"
#include "run/own/proposed_references.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace lockstep::app {

Expected<run::FileRequest> requestOf(const OwnKernel& kernel) {
    run::LaunchText launch{.grid = kernel.grid,
                           .block = kernel.block,
                           .dynamicSharedBytes = 0,
                           .defines = kernel.defines,
                           .arguments = kernel.arguments,
                           .includeFolders = {},
                           .references = kernel.references,
                           .further = kernel.further};
    const std::optional<s64> shared = typedNumber(kernel.shared);
    if (shared && *shared >= 0 && *shared <= std::numeric_limits<u32>::max())
        launch.dynamicSharedBytes = u32(*shared);
    else
        return fail(FaultKind::Usage,
                    Message(english("--shared {0}: write a whole number of bytes, for example --shared 4096"),
                            kernel.shared));
    return run::requestOf(kernel.file, kernel.entry, launch);
}

std::vector<std::string> proposedReferences(const OwnKernelDialog& dialog, const OwnKernel& kernel) {
    const auto found = std::ranges::find(dialog.found, kernel.entry, &FoundKernel::entry);
    if (found == dialog.found.end()) return {};
    const run::KernelInFile inFile{.entry = found->entry,
                                   .signature = found->signature,
                                   .arguments = found->arguments,
                                   .names = found->names,
                                   .body = found->body};
    run::KernelShape shape = run::kernelShapeOf(inFile, kernel.arguments, kernel.grid, kernel.block);
    for (const FoundKernel& other : dialog.found)
        if (other.entry != found->entry && other.arguments == found->arguments)
            shape.others.push_back(other.entry);
    std::vector<std::string> proposed = run::proposedReferences(shape);
    // Of the last buffer that the kernel writes, or may write.
    const auto isOutput = [](const run::KernelShape::Argument& argument) {
        return argument.isBuffer && argument.written.value_or(true);
    };
    for (std::size_t i = shape.arguments.size(); i-- > 0;)
        if (isOutput(shape.arguments[i]))
            return proposed.push_back(std::to_string(i) + "=expected.npy"), proposed;
    return proposed;
}

void propose(OwnKernel& kernel, const FoundKernel& found, const run::ProposedLaunch& launch) {
    kernel.entry = found.entry;
    kernel.grid = launch.grid;
    kernel.block = launch.block;
    kernel.shared = launch.shared;
    kernel.arguments = launch.arguments;
}

bool shows(const OwnKernel& kernel, const FoundKernel& found, const run::ProposedLaunch& launch) {
    return kernel.entry == found.entry && kernel.grid == launch.grid && kernel.block == launch.block &&
           kernel.shared == launch.shared && kernel.arguments == launch.arguments;
}

std::optional<LaunchField> fieldOf(const Fault& fault) {
    using Kind = LaunchField::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 7> kOptions{{{"--grid", Kind::Grid},
                                                                         {"--block", Kind::Block},
                                                                         {"--shared", Kind::Shared},
                                                                         {"--arg ", Kind::Argument},
                                                                         {"--define", Kind::Defines},
                                                                         {"--reference", Kind::Reference},
                                                                         {"--then", Kind::Further}}};
    const std::string message = fault.message.english();
    for (const auto& [option, kind] : kOptions) {
        if (!message.starts_with(option)) continue;
        LaunchField field{kind};
        if (kind == Kind::Argument)
            std::from_chars(message.data() + option.size(), message.data() + message.size(), field.argument);
        return field;
    }
    return std::nullopt;
}

}  // namespace lockstep::app
