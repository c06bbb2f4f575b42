#include "app/state/own_launch.h"

#include <array>
#include <charconv>

namespace lockstep::app {

Expected<run::FileRequest> requestOf(const OwnKernel& kernel) {
    run::LaunchText launch{.grid = kernel.grid, .block = kernel.block, .dynamicSharedBytes = 0, .defines = kernel.defines, .arguments = kernel.arguments, .includeFolders = {}};
    const char* end = kernel.shared.data() + kernel.shared.size();
    const auto [read, error] = std::from_chars(kernel.shared.data(), end, launch.dynamicSharedBytes);
    if (error != std::errc{} || read != end)
        return fail(FaultKind::Usage, "--shared " + kernel.shared + ": write a whole number of bytes, for example --shared 4096");
    return run::requestOf(kernel.file, kernel.entry, launch);
}

std::optional<LaunchField> fieldOf(const Fault& fault) {
    using Kind = LaunchField::Kind;
    constexpr std::array<std::pair<std::string_view, Kind>, 5> kOptions{
        {{"--grid", Kind::Grid}, {"--block", Kind::Block}, {"--shared", Kind::Shared}, {"--arg ", Kind::Argument}, {"--define", Kind::Defines}}};
    const std::string_view message = fault.message;
    for (const auto& [option, kind] : kOptions) {
        if (!message.starts_with(option)) continue;
        LaunchField field{kind};
        if (kind == Kind::Argument) std::from_chars(message.data() + option.size(), message.data() + message.size(), field.argument);
        return field;
    }
    return std::nullopt;
}

}  // namespace lockstep::app
